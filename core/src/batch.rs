//! Many texts, one after another: what each is in a few words that fit the columns of a table, and each without what
//! must not be in it.
//!
//! For hosts that hold texts by the million, such as a data frame. A [`Reader`] remembers what the last failures
//! counted for, so each thread has one of its own.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::Dialect;
use crate::json::{TextNode, ToText};
use crate::payload::{classify_json, classify_record};
use crate::scrub::{self, HintPolicy, Limits, Rules, Scrubbed};
use crate::tally::{Entry, Memory};

/// Reads payloads, one after another.
///
/// ```
/// use ackguard::Dialect;
/// use ackguard::batch::Reader;
///
/// let mut reader = Reader::new(Dialect::V0_2);
/// let code = reader.read(br#"{"code": 4101, "message": "Room full"}"#, |entry| entry.row().code());
/// assert_eq!(code.flatten().unwrap().to_string(), "4101");
/// ```
#[derive(Default)]
pub struct Reader {
    dialect: Dialect,
    records: bool,
    memory: Memory,
}

impl Reader {
    /// Each text is a payload.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, ..Self::default() }
    }

    /// Each text is a line of a log, as [`classify_record`] and the command `triage` read it: a payload, or a record
    /// of an event and its ack.
    #[must_use]
    pub fn of_records(dialect: Dialect) -> Self {
        Self { dialect, records: true, ..Self::default() }
    }

    /// Looks at what a text counts for. `None` for a line of a log on which there is nothing.
    pub fn read<T>(&mut self, text: &[u8], look: impl FnOnce(&Entry) -> T) -> Option<T> {
        let payload = if self.records {
            match classify_record(text, self.dialect) {
                Ok(record) => record.payload,
                Err(_) if text.iter().all(u8::is_ascii_whitespace) => return None,
                Err(_) => classify_json(b"", self.dialect),
            }
        } else {
            classify_json(text, self.dialect)
        };
        Some(match payload.text() {
            Some(text) if text.len() <= Memory::LONGEST => {
                look(self.memory.entry(text, || Entry::of(&payload)))
            }
            _ => look(&Entry::of(&payload)),
        })
    }
}

/// What texts are scrubbed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scrub {
    /// The `details` of an error, or any other part of a log.
    Details,
    /// An `auth_hint`.
    Hint(HintPolicy),
}

/// A text without what must not be in it, and how much was found.
///
/// A text without findings comes back as it is, byte for byte, unless the strict policy drops a part of it, for which there
/// is no finding. In JSON the other members stay as they were written, without the spaces between them. What is not JSON
/// is scrubbed as the text that it is, and what is not UTF-8 with U+FFFD in its place.
///
/// ```
/// use ackguard::batch::{Scrub, scrub};
///
/// let (clean, findings) = scrub(br#"{"size": 10.50, "password": "swordfish-22"}"#, Scrub::Details);
/// assert!(clean.starts_with(r#"{"size":10.50"#) && !clean.contains("swordfish"));
/// assert_eq!(findings, 1);
/// ```
#[must_use]
pub fn scrub(text: &[u8], what: Scrub) -> (Cow<'_, str>, usize) {
    match String::from_utf8_lossy(text) {
        Cow::Borrowed(text) => scrub_text(text, what),
        // With U+FFFD in it, it may be JSON.
        Cow::Owned(text) => {
            let (clean, findings) = scrub_text(&text, what);
            (Cow::Owned(clean.into_owned()), findings)
        }
    }
}

fn scrub_text(text: &str, what: Scrub) -> (Cow<'_, str>, usize) {
    let Ok(node) = TextNode::parse(text.as_bytes()) else {
        let rules = if what == Scrub::Details { Rules::Details } else { Rules::Hint };
        let (clean, findings) = scrub::text(text, rules);
        // What was taken out may have been all that kept it from being JSON, in which more is found and of which the strict
        // policy keeps less.
        if let Cow::Owned(text) = &clean
            && TextNode::parse(text.as_bytes()).is_ok()
        {
            let (again, more) = scrub_text(text, what);
            return (Cow::Owned(again.into_owned()), findings.len() + more);
        }
        return (clean, findings.len());
    };
    let (Scrubbed { value, findings }, is_whole) = match what {
        Scrub::Details => {
            let Ok(scrubbed) = scrub::details(&node, &mut ToText);
            let is_whole = scrubbed.findings.is_empty();
            (scrubbed, is_whole)
        }
        Scrub::Hint(policy) => {
            let Ok(scrubbed) = scrub::auth_hint_whole(&node, policy, &mut ToText, Limits::DEFAULT);
            scrubbed
        }
    };
    (if is_whole { Cow::Borrowed(text) } else { Cow::Owned(value) }, findings.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_log_is_read_as_triage_reads_it() {
        let kind =
            |reader: &mut Reader, text: &str| reader.read(text.as_bytes(), |it| it.row().kind().as_str());
        let mut lines = Reader::of_records(Dialect::V0_2);
        assert_eq!(
            kind(&mut lines, r#"{"event":"server:join_office","ack":[true,null]}"#),
            Some("event_result")
        );
        assert_eq!(kind(&mut lines, " \t"), None);
        assert_eq!(kind(&mut lines, "oops"), Some("invalid"));
        let mut payloads = Reader::new(Dialect::V0_2);
        assert_eq!(kind(&mut payloads, r#"{"event":"server:join_office","ack":[true,null]}"#), Some("data"));
        assert_eq!(kind(&mut payloads, " \t"), Some("invalid"));
    }

    #[test]
    fn what_has_no_secret_stays_as_it_is() {
        for text in [r#"{ "a" : [1.0, 1e400, "\u00e9"], "b":{}}"#, "not json", "", " null "] {
            assert_eq!(scrub(text.as_bytes(), Scrub::Details), (Cow::Borrowed(text), 0), "{text}");
        }
        assert_eq!(scrub(b"a\xFFb", Scrub::Details), (Cow::Borrowed("a\u{FFFD}b"), 0));
    }

    #[test]
    fn what_is_json_with_a_replacement_in_it_is_scrubbed_as_json() {
        let (clean, findings) = scrub(
            b"{\"a\": \"\xFF\", \"\xE3\x83\x88\xE3\x83\xBC\xE3\x82\xAF\xE3\x83\xB3\": {}}",
            Scrub::Details,
        );
        assert_eq!((clean.as_ref(), findings), ("{\"a\":\"\u{FFFD}\"}", 1));
    }

    #[test]
    fn the_strict_policy_keeps_what_it_keeps_of_a_value() {
        let strict = Scrub::Hint(HintPolicy::Strict);
        let (clean, findings) = scrub(br#"{"action": "x", "more": 1}"#, strict);
        assert_eq!((clean.as_ref(), findings), (r#"{"action":"x"}"#, 0));
        // It is a value once its query is gone.
        let (clean, findings) = scrub(br#"{"action":"x","more":1}?code=xyz12345"#, strict);
        assert_eq!((clean.as_ref(), findings), (r#"{"action":"x"}"#, 1));
        for (dropping, kept) in [
            ("[1]", "[]"),
            (r#"{"action":"x","url":7}"#, r#"{"action":"x"}"#),
            (
                r#"{"url":"https://a.example/x","link":"https://b.example/"}"#,
                r#"{"url":"https://a.example/x"}"#,
            ),
            (r#"{"url":"not a page"}"#, "{}"),
        ] {
            assert_eq!(scrub(dropping.as_bytes(), strict), (Cow::Owned(kept.to_owned()), 0), "{dropping}");
        }
        // Byte for byte, however it is written.
        for whole in [
            r#"{ "action" : "x" }"#,
            "[ ]",
            "{ }",
            r#" "a text" "#,
            "7",
            r#"{"url":"https:\/\/a.example\/x", "tool":"\u0078"}"#,
        ] {
            assert_eq!(scrub(whole.as_bytes(), strict), (Cow::Borrowed(whole), 0), "{whole}");
        }
    }

    #[test]
    fn the_rest_is_as_it_was_written() {
        let secret = ["hunter", "2xyz"].concat();
        let text =
            format!(r#"{{"n": 1{}, "password": "{secret}", "ä\n": ["\u00e9", {{}}]}}"#, "0".repeat(400));
        let (clean, findings) = scrub(text.as_bytes(), Scrub::Details);
        assert_eq!(findings, 1);
        assert!(!clean.contains(&secret));
        assert!(clean.contains(&format!(r#""n":1{},"#, "0".repeat(400))), "{clean}");
        assert!(clean.ends_with(r#""ä\n":["\u00e9",{}]}"#), "{clean}");
        let text = format!("failed: password={secret}");
        let (clean, findings) = scrub(text.as_bytes(), Scrub::Details);
        assert_eq!((clean.contains(&secret), findings), (false, 1));
        let hint = format!(r#"{{"action":"x","token":"{secret}"}}"#);
        let (clean, findings) = scrub(hint.as_bytes(), Scrub::Hint(HintPolicy::Standard));
        assert_eq!((clean.as_ref(), findings), (r#"{"action":"x"}"#, 1));
    }

    #[test]
    fn what_is_json_without_its_secret_is_scrubbed_as_json() {
        // A raw control character is none of JSON's.
        let (clean, findings) =
            scrub("\"{\\\"a秘钥66666666666666666666\u{2}66\\\":2004}\"".as_bytes(), Scrub::Details);
        assert_eq!(clean, "\"{}\"");
        assert_eq!(findings, 2);
    }
}
