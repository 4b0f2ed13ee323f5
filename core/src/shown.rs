//! Showing text from outside in a sentence: short, on one line, and unable to play tricks on a terminal.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// How many characters of a text a sentence shows.
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

/// Text in quotes, shortened, with everything invisible escaped.
pub(crate) struct Shown<'a>(pub(crate) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut chars = self.0.chars();
        for c in chars.by_ref().take(SHOWN_CHARS) {
            // `escape_debug` also escapes what turns the line around or has no width of its own.
            match c {
                '\'' => f.write_str("'")?,
                _ => write!(f, "{}", c.escape_debug())?,
            }
        }
        f.write_str(if chars.next().is_some() { "…\"" } else { "\"" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_cut_between_characters() {
        assert_eq!(&*bounded("技能", 4), "技…");
        assert_eq!(&*bounded("技能", 6), "技能");
        assert_eq!(&*bounded("技能", 0), "…");
    }

    #[test]
    fn what_is_shown_stays_on_one_line_and_short() {
        assert_eq!(Shown("a\n\u{202e}\u{1b}\"'").to_string(), r#""a\n\u{202e}\u{1b}\"'""#);
        let long = "é".repeat(1000);
        assert_eq!(Shown(&long).to_string().chars().count(), SHOWN_CHARS + 3);
    }
}
