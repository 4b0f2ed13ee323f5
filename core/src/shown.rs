//! Showing text from outside in a sentence: short, on one line, and unable to play tricks on a terminal.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt::{self, Write as _};

use crate::letters::is_alphanumeric;
use crate::rel_path::is_ignored_anywhere;

/// How many characters a sentence spends on a text: what has to be escaped takes as many as it is shown with, so that
/// a text of control characters makes no longer a sentence than another.
const SHOWN_CHARS: usize = 80;

/// The largest index at or below `at` that does not split a character of `text`.
pub(crate) fn floor_boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    // A character has at most four bytes, so a boundary is never further away than three.
    (at.saturating_sub(3)..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// An owned copy of at most `max` bytes; what was cut is marked with an ellipsis.
pub(crate) fn bounded(text: &str, max: usize) -> Box<str> {
    if text.len() <= max {
        return text.into();
    }
    let mut copy = String::with_capacity(max + '…'.len_utf8());
    copy.push_str(text.get(..floor_boundary(text, max)).unwrap_or_default());
    copy.push('…');
    copy.into_boxed_str()
}

/// Whether a character is shown as it is: a letter, a digit, or a sign that everybody sees. What turns the line
/// around, has no width of its own, goes on top of another or stands for nothing is escaped.
fn is_plain(c: char) -> bool {
    match c {
        ' '..='~' => !matches!(c, '"' | '\\'),
        _ if is_ignored_anywhere(c) => false,
        // Punctuation, currencies, mathematics and arrows, boxes and pictures, China's own and the full-width forms.
        '\u{a1}'..='\u{bf}'
        | '\u{d7}'
        | '\u{f7}'
        | '\u{2010}'..='\u{2027}'
        | '\u{2030}'..='\u{205e}'
        | '\u{20a0}'..='\u{20c0}'
        | '\u{2100}'..='\u{27ff}'
        | '\u{2900}'..='\u{2b73}'
        | '\u{3001}'..='\u{3029}'
        | '\u{3030}'..='\u{303f}'
        | '\u{ff01}'..='\u{ffee}'
        | '\u{1f300}'..='\u{1faff}' => true,
        _ => is_alphanumeric(c),
    }
}

/// Text in quotes, shortened, with everything invisible escaped.
pub(crate) struct Shown<'a>(pub(crate) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut left = SHOWN_CHARS;
        for c in self.0.chars() {
            if left == 0 {
                f.write_str("…")?;
                break;
            }
            let width = match c {
                '\0' => f.write_str("\\0").map(|()| 2)?,
                _ if is_plain(c) => f.write_char(c).map(|()| 1)?,
                _ => {
                    let escaped = c.escape_default();
                    write!(f, "{escaped}")?;
                    escaped.len()
                }
            };
            left = left.saturating_sub(width);
        }
        f.write_str("\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_as_it_is_is_visible() {
        for c in '\u{7f}'..=char::MAX {
            let escaped = !is_plain(c);
            let invisible = c.is_control()
                || c.is_whitespace()
                || is_ignored_anywhere(c)
                || matches!(c, '\u{300}'..='\u{344}' | '\u{346}'..='\u{362}')
                || matches!(c, '\u{20d0}'..='\u{20f0}' | '\u{302a}'..='\u{302d}')
                || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fff9}'..='\u{ffff}' | '\u{f0000}'..=char::MAX);
            assert!(escaped || !invisible, "{}", c.escape_unicode());
            // No letter is escaped but those that are drawn as nothing.
            assert!(!escaped || invisible || !c.is_alphanumeric(), "{}", c.escape_unicode());
        }
    }

    #[test]
    fn a_copy_is_cut_between_characters() {
        assert_eq!(&*bounded("技能", 4), "技…");
        assert_eq!(&*bounded("技能", 6), "技能");
        assert_eq!(&*bounded("技能", 0), "…");
    }

    #[test]
    fn what_is_shown_stays_on_one_line_and_short() {
        assert_eq!(Shown("a\n\u{202e}\u{1b}\"'").to_string(), r#""a\n\u{202e}\u{1b}\"'""#);
        let plain = "aé中あ한Ω٣ '🙂—…，。€→★";
        assert_eq!(Shown(plain).to_string(), format!("\"{plain}\""));
        assert_eq!(Shown("\0\t\\").to_string(), r#""\0\t\\""#);
        let long = "é".repeat(1000);
        assert_eq!(Shown(&long).to_string().chars().count(), SHOWN_CHARS + 3);
        for odd in ["\0", "\n", "\u{1b}", "\u{fffd}", "\u{e0001}", "a\u{202e}"] {
            let shown = Shown(&odd.repeat(1000)).to_string();
            assert!(shown.ends_with("…\""), "{shown}");
            // The last one is shown whole.
            assert!((80..=80 + 3 + 9).contains(&shown.chars().count()), "{shown}");
        }
        assert_eq!(Shown(&"\n".repeat(40)).to_string(), format!("\"{}\"", "\\n".repeat(40)));
    }
}
