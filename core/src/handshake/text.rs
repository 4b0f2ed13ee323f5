//! A body inside the text of an exception.

use super::client::{Fields, HandshakeFailure, VersionMismatch, integral_float};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::lossy;
use crate::search::find;
use crate::value::{any_number, integer};

/// Finds the body of a refused handshake inside an exception's text, whatever stands before and after it.
///
/// Client libraries put the body there as it came, as a Python dict (`{'code': 4008, ...}`), as a Python bytes
/// or text literal, or escaped inside a JSON string; up to four such wrappings are undone. What counts is an
/// object with an integer `code` of its own: 4008, or 400 beside a text `message`. A text that merely mentions
/// 4008 is none, nor is an object that only holds such an object (the protocol has no envelope to unwrap).
/// Linear in the text; of one longer than 256 KiB the first and last 128 KiB are read.
///
/// ```
/// use ackguard::handshake::parse_handshake_text;
/// let text = "Unexpected status code 400 in server response: {'code': 4008, 'server_version': '0.4.0'}";
/// assert_eq!(parse_handshake_text(text).unwrap().code().get(), 4008);
/// assert!(parse_handshake_text("closed with 4008").is_none());
/// ```
#[must_use]
pub fn parse_handshake_text(text: &str) -> Option<HandshakeFailure> {
    let mut level: Vec<String> = ends(text).into_iter().map(str::to_owned).collect();
    let mut refused = None;
    for _ in 0..=WRAPPINGS {
        let mut inner = Vec::new();
        for segment in &level {
            let mut search = Search { refused: &mut refused, inner: &mut inner };
            if let Some(found) = search.segment(segment) {
                return Some(found);
            }
        }
        if inner.is_empty() {
            break;
        }
        level = inner;
    }
    refused
}

const WRAPPINGS: usize = 4;
const END: usize = 128 * 1024;
/// How far one attempt may read once the segment's allowance is used up, and how many such attempts are made: no
/// text that a library writes comes near.
const SHORT_READ: usize = 512;
const SHORT_READS: usize = 2048;

fn ends(text: &str) -> Vec<&str> {
    if text.len() <= 2 * END {
        return vec![text];
    }
    let head = (0..=END).rev().find_map(|at| text.get(..at));
    let tail = (text.len() - END..text.len()).find_map(|at| text.get(at..));
    head.into_iter().chain(tail).collect()
}

struct Search<'s> {
    refused: &'s mut Option<HandshakeFailure>,
    inner: &'s mut Vec<String>,
}

impl Search<'_> {
    /// Looks at every object of a text. What is wrapped once more goes to `inner`.
    fn segment(&mut self, text: &str) -> Option<HandshakeFailure> {
        let bytes = text.as_bytes();
        // Failed attempts may read the same bytes again; together no more than this.
        let mut allowance = 4 * text.len() + 4096;
        let mut short_reads = 0;
        let mut left = String::new();
        let mut from = 0;
        let mut at = 0;
        while let Some(next) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'{')) {
            let open = at + next;
            let room = if allowance == 0 { SHORT_READ } else { text.len() };
            short_reads += usize::from(allowance == 0);
            if short_reads > SHORT_READS {
                break;
            }
            let mut spent = 0;
            let object = quoted_object(text, open, room, &mut spent)
                .or_else(|| Cursor::new(text, open, room).measured(&mut spent, Cursor::object))
                .or_else(|| bare_object(text, open, room, &mut spent));
            allowance = allowance.saturating_sub(spent);
            let Some((object, end)) = object else {
                at = open + 1;
                continue;
            };
            if let Some(found) = self.object(object) {
                return Some(found);
            }
            left.push_str(text.get(from..open).unwrap_or_default());
            // Keeps what stood on both sides of the object apart.
            left.push(' ');
            (from, at) = (end, end);
        }
        left.push_str(text.get(from..).unwrap_or_default());
        if find(&left, "\\\"").is_some() || find(&left, "\\'").is_some() {
            self.inner.push(unescape(&left));
        }
        None
    }

    fn object(&mut self, object: Object) -> Option<HandshakeFailure> {
        match object.code {
            Some(400) if object.mismatch.message.is_none() => None,
            Some(code) => {
                let verdict = Fields { code, mismatch: object.mismatch }.verdict(true)?;
                if code == 4008 {
                    return Some(verdict);
                }
                self.refused.get_or_insert(verdict);
                None
            }
            None => {
                self.inner.extend(object.texts);
                None
            }
        }
    }
}

/// The object that a text literal holds which begins right before `open`, as in `b'{"code": 4008}'`.
fn quoted_object(text: &str, open: usize, room: usize, spent: &mut usize) -> Option<(Object, usize)> {
    let quote = open.checked_sub(1)?;
    if !matches!(text.as_bytes().get(quote)?, b'"' | b'\'') {
        return None;
    }
    let is_bytes = quote.checked_sub(1).and_then(|at| text.as_bytes().get(at)) == Some(&b'b');
    let (content, end) = Cursor::new(text, quote, room).measured(spent, |cursor| cursor.string(is_bytes))?;
    let mut cursor = Cursor::new(&content, 0, content.len());
    let object = cursor.object()?;
    cursor.space();
    cursor.peek().is_none().then_some((object, end))
}

/// A body as Node's `util.inspect` shows it, names without quotes. Such a text may be anything, so it counts only with
/// a version beside the code.
fn bare_object(text: &str, open: usize, room: usize, spent: &mut usize) -> Option<(Object, usize)> {
    let mut cursor = Cursor::new(text, open, room);
    cursor.bare = true;
    let found = cursor.measured(spent, Cursor::object)?;
    (found.0.code == Some(4008) && found.0.mismatch.server_version.is_some()).then_some(found)
}

/// What is read of an object.
#[derive(Default)]
struct Object {
    code: Option<i64>,
    mismatch: VersionMismatch,
    /// Its texts that may hold an object themselves.
    texts: Vec<String>,
}

enum Literal {
    Number(Option<i64>),
    Text(String),
    Other,
}

/// Reads what JSON and Python's `repr` have in common, and where they differ both.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    /// Whether names may stand without quotes.
    bare: bool,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str, at: usize, room: usize) -> Self {
        Self { text, at, end: at.saturating_add(room).min(text.len()), bare: false }
    }

    fn measured<T>(
        mut self,
        spent: &mut usize,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(T, usize)> {
        let start = self.at;
        let result = read(&mut self);
        *spent += self.at - start;
        result.map(|value| (value, self.at))
    }

    fn peek(&self) -> Option<u8> {
        if self.at < self.end { self.text.as_bytes().get(self.at).copied() } else { None }
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn object(&mut self) -> Option<Object> {
        let mut object = Object::default();
        self.eat(b'{')?;
        self.space();
        if self.eat(b'}').is_some() {
            return Some(object);
        }
        loop {
            self.space();
            let key = if self.bare && !matches!(self.peek()?, b'"' | b'\'') {
                self.word(|byte| byte.is_ascii_alphanumeric() || byte == b'_').to_owned()
            } else {
                self.literal_text()?
            };
            self.space();
            self.eat(b':')?;
            self.space();
            let value = self.value(&mut object.texts)?;
            // The last of several equal names counts.
            match (key.as_str(), value) {
                ("code", value) => {
                    object.code = if let Literal::Number(code) = value { code } else { None };
                }
                ("message", value) => object.mismatch.message = value.text(),
                ("server_version", value) => object.mismatch.server_version = value.text(),
                ("client_version", value) => object.mismatch.client_version = value.text(),
                ("min_supported", value) => object.mismatch.min_supported = value.text(),
                ("max_supported", value) => object.mismatch.max_supported = value.text(),
                (_, Literal::Text(text)) => note(&mut object.texts, text),
                _ => {}
            }
            self.space();
            if self.eat(b',').is_some() {
                continue;
            }
            self.eat(b'}')?;
            return Some(object);
        }
    }

    /// A text literal, with Python's prefixes.
    fn literal_text(&mut self) -> Option<String> {
        let mut is_bytes = false;
        for _ in 0..2 {
            match self.peek()? {
                b'b' | b'B' => is_bytes = true,
                b'u' | b'U' | b'r' | b'R' => {}
                _ => break,
            }
            self.at += 1;
        }
        self.string(is_bytes)
    }

    fn value(&mut self, texts: &mut Vec<String>) -> Option<Literal> {
        match self.peek()? {
            b'{' | b'[' | b'(' => {
                self.skip_container(texts)?;
                Some(Literal::Other)
            }
            b'"' | b'\'' | b'b' | b'B' | b'u' | b'U' | b'r' | b'R' => self.literal_text().map(Literal::Text),
            b'-' | b'0'..=b'9' => {
                let word =
                    self.word(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
                match integer(word) {
                    Some(code) => Some(Literal::Number(Some(i64::try_from(code).unwrap_or(i64::MAX)))),
                    // Rust reads more than numbers here ("1e5", but also "inf"): a digit or a minus came first.
                    None => any_number(word).map(|code| Literal::Number(integral_float(code))),
                }
            }
            _ => {
                let word = self.word(|byte| byte.is_ascii_alphabetic());
                matches!(word, "true" | "false" | "null" | "True" | "False" | "None")
                    .then_some(Literal::Other)
            }
        }
    }

    fn word(&mut self, belongs: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Skips a nested container without looking at its order: nothing is unwrapped from it but texts.
    fn skip_container(&mut self, texts: &mut Vec<String>) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'{' | b'[' | b'(' => depth += 1,
                b'}' | b']' | b')' => depth -= 1,
                b'"' | b'\'' => {
                    let text = self.string(false)?;
                    note(texts, text);
                    continue;
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// A quoted text with its escapes undone.
    fn string(&mut self, is_bytes: bool) -> Option<String> {
        let quote = self.peek().filter(|byte| matches!(byte, b'"' | b'\''))?;
        self.at += 1;
        let mut content = Unescaped::new(is_bytes);
        loop {
            let run = self.word(|byte| byte != quote && byte != b'\\');
            content.push_str(run);
            if self.eat(quote).is_some() {
                return Some(content.finish());
            }
            self.eat(b'\\')?;
            let rest = self.text.get(self.at..self.end).or_else(|| self.text.get(self.at..))?;
            self.at += content.escape(rest)?;
        }
    }
}

impl Literal {
    fn text(self) -> Option<String> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

fn note(texts: &mut Vec<String>, text: String) {
    if text.as_bytes().contains(&b'{') {
        texts.push(text);
    }
}

/// Undoes one level of escapes in a whole text.
fn unescape(text: &str) -> String {
    let mut content = Unescaped::new(false);
    let mut rest = text;
    while let Some((run, after)) = rest.split_once('\\') {
        content.push_str(run);
        match content.escape(after) {
            Some(length) => rest = after.get(length..).unwrap_or_default(),
            None => {
                rest = after;
                break;
            }
        }
    }
    content.push_str(rest);
    content.finish()
}

/// Text under construction; in a Python bytes literal `\xHH` is a byte, elsewhere a character.
struct Unescaped {
    bytes: Vec<u8>,
    is_bytes: bool,
    /// The first half of a surrogate pair.
    high: Option<u32>,
}

impl Unescaped {
    fn new(is_bytes: bool) -> Self {
        Self { bytes: Vec::new(), is_bytes, high: None }
    }

    fn push_str(&mut self, text: &str) {
        if !text.is_empty() {
            self.flush();
            self.bytes.extend_from_slice(text.as_bytes());
        }
    }

    fn push(&mut self, character: char) {
        self.flush();
        self.bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn flush(&mut self) {
        if self.high.take().is_some() {
            self.bytes.extend_from_slice("\u{fffd}".as_bytes());
        }
    }

    fn unit(&mut self, unit: u32) {
        match (self.high, unit) {
            (Some(high), 0xdc00..=0xdfff) => {
                self.high = None;
                let character = 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
                self.push(char::from_u32(character).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (_, 0xd800..=0xdbff) => {
                self.flush();
                self.high = Some(unit);
            }
            _ => self.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)),
        }
    }

    /// Takes the escape whose backslash stood before `rest`, and says how many bytes of `rest` it was. An
    /// unknown one keeps its backslash, as Python does. `None` at the end of the text.
    fn escape(&mut self, rest: &str) -> Option<usize> {
        let kind = rest.chars().next()?;
        let digits = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let number = rest.get(1..=digits).filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()));
            if let Some(number) = number.and_then(|text| u32::from_str_radix(text, 16).ok()) {
                match u8::try_from(number) {
                    Ok(byte) if self.is_bytes && kind == 'x' => {
                        self.flush();
                        self.bytes.push(byte);
                    }
                    _ => self.unit(number),
                }
                return Some(1 + digits);
            }
        }
        match kind {
            'n' => self.push('\n'),
            't' => self.push('\t'),
            'r' => self.push('\r'),
            'b' => self.push('\u{8}'),
            'f' => self.push('\u{c}'),
            '"' | '\'' | '\\' | '/' => self.push(kind),
            other => {
                self.push('\\');
                self.push(other);
            }
        }
        Some(kind.len_utf8())
    }

    fn finish(mut self) -> String {
        self.flush();
        String::from_utf8(self.bytes)
            .unwrap_or_else(|invalid| lossy::replaced(invalid.as_bytes()).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "{\"code\": 4008, \"message\": \"Protocol version mismatch\", \"server_version\": \"0.4.0\", \
                        \"client_version\": \"0.2.0\", \"min_supported\": \"0.4.0\", \"max_supported\": \"0.4.999\"}";

    fn mismatch(text: &str) -> VersionMismatch {
        match parse_handshake_text(text) {
            Some(HandshakeFailure::VersionMismatch(mismatch)) => mismatch,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn found_in_every_wrapping() {
        let json = |text: &str| serde_json::to_string(text).unwrap();
        let python = BODY.replace('"', "'");
        for text in [
            BODY.to_owned(),
            format!("Unexpected status code 400 in server response: {BODY}"),
            format!("{{not json}} {{\"a\": 1}} it's {BODY}, sorry"),
            format!("('Unexpected status code 400 in server response', {python})"),
            format!("ConnectionError({})", json(BODY)),
            format!("ConnectionError('{BODY}')"),
            format!("body was b'{BODY}'"),
            json(BODY),
            json(&json(BODY)),
            format!("{{\"error\":{}}}", json(BODY)),
            format!("{{\"context\":{{\"responseText\":{}}}}}", json(BODY)),
            format!("{{\"a\":{}}}", json(&format!("{{\"b\":{}}}", json(BODY)))),
            format!("版本错误：{BODY}。"),
            format!("xhr poll error\n\tat x ({{}})\n{BODY}"),
            format!("Response {{ status: 400, body: {BODY} }}"),
        ] {
            let found = mismatch(&text);
            assert_eq!(found.server_version.as_deref(), Some("0.4.0"), "{text}");
            assert_eq!(found.max_supported.as_deref(), Some("0.4.999"), "{text}");
        }
    }

    #[test]
    fn python_literals_are_read_as_python_writes_them() {
        let found =
            mismatch("e({'code': 4008, 'message': \"it's \\u7248 \\xe9\", 'details': None, 'ok': False})");
        assert_eq!(found.message.as_deref(), Some("it's 版 é"));
        let found = mismatch("b'{\"code\": 4008, \"message\": \"\\xe7\\x89\\x88 \\\\\"x\\\\\" \\\\u7248\"}'");
        assert_eq!(found.message.as_deref(), Some("版 \"x\" 版"));
        let found = mismatch("'{\"code\": 4008, \"message\": \"it\\'s\"}'");
        assert_eq!(found.message.as_deref(), Some("it's"));
    }

    #[test]
    fn a_mention_is_none() {
        for text in [
            "",
            "4008",
            "{4008}",
            "closed with code 4008",
            "code: 4008",
            "\"code\": 4008",
            "{\"code\": \"4008\"}",
            "{'code': '4008'}",
            "{\"code\": true, \"n\": 4008}",
            "{\"code\": 4008.5}",
            "{\"code\": 40080}",
            "{\"code\": 4900, \"message\": \"m\"}",
            "{\"error\": {\"code\": 4008, \"message\": \"m\"}}",
            "failed: {'error': {'code': 4008, 'message': 'm'}, 'path': 'C:\\\\x'}",
            "{\"m\":\"\\\"\",\"error\":{\"code\":4008,\"message\":\"m\"}}",
            "{\"code\": 4014, \"message\": \"{\\\"code\\\": 4008}\"}",
            "{\"code\": 4008, \"message\": ",
            "{\"code\": 400}",
            "{code: 4008}",
            "see {\"codes\": 4008}",
        ] {
            assert_eq!(parse_handshake_text(text), None, "{text}");
        }
    }

    #[test]
    fn code_400_is_that_error_and_4008_is_found_behind_it() {
        let missing = "e: {'code': 400, 'message': 'Missing a2c_version query parameter'}";
        match parse_handshake_text(missing) {
            Some(HandshakeFailure::Refused(refused)) => {
                assert_eq!(refused.message.as_deref(), Some("Missing a2c_version query parameter"));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(mismatch(&format!("{missing} then {BODY}")).client_version.as_deref(), Some("0.2.0"));
    }

    #[test]
    fn long_texts_are_read_at_both_ends() {
        let filler = "版{".repeat(300_000);
        assert!(parse_handshake_text(&format!("{BODY}{filler}")).is_some());
        assert!(parse_handshake_text(&format!("{filler}{BODY}")).is_some());
    }

    #[test]
    fn hostile_texts_cost_no_more_than_their_length() {
        for unit in ["{", "{\"", "{\"a\":", "{'a':[", "'{", "\"{\\\"", "\\", "{\"a\":\"", "b'{\"a\":\"\\"] {
            // Quadratic work would take minutes here.
            assert_eq!(parse_handshake_text(&unit.repeat(500_000 / unit.len())), None, "{unit}");
        }
    }
}
