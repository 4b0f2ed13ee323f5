//! How things look: colour, and text from outside made harmless.

use anstyle::{AnsiColor, Effects, Style};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::tally::Tone;

/// How the output may look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Look {
    /// Colour on standard output.
    pub color: bool,
    /// Colour on standard error.
    pub color_err: bool,
    /// A progress bar on standard error.
    pub progress: bool,
    /// How many columns the terminal has that standard output is. `None` where it is none: nothing is wrapped then.
    pub columns: Option<usize>,
}

impl Look {
    /// The look of standard error.
    pub(super) fn of_stderr(self) -> Self {
        Self { color: self.color_err, ..self }
    }

    /// A part of the output in its colour.
    pub(super) fn paint(self, tone: Tone, text: &str) -> String {
        let style = match tone {
            Tone::Heading => Style::new().effects(Effects::BOLD),
            Tone::Failure => AnsiColor::Yellow.on_default(),
            Tone::Fault => AnsiColor::Red.on_default(),
            Tone::Faint => Style::new().effects(Effects::DIMMED),
            Tone::Plain => Style::new(),
        };
        if self.color && style != Style::new() && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

/// Text from outside, on one line, at most `max` characters of it, with everything escaped that a terminal
/// would not show as it is.
pub(super) fn clean(text: &str, max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max));
    let mut chars = text.chars();
    for c in chars.by_ref().take(max) {
        match c {
            '\'' | '"' | '\\' => out.push(c),
            // Also escapes what turns the line around, or has no width of its own.
            _ => out.extend(c.escape_debug()),
        }
    }
    if chars.next().is_some() {
        out.push('…');
    }
    out
}

/// How many columns of a terminal a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// Labels to the left and texts to the right of them, with the texts lined up.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    lines: Vec<(String, Tone, String)>,
}

impl Sheet {
    pub(super) fn put(&mut self, label: &str, tone: Tone, text: impl Into<String>) {
        self.lines.push((label.to_owned(), tone, text.into()));
    }

    pub(super) fn render(&self, look: Look) -> String {
        let widest = self.lines.iter().map(|(label, ..)| width(label)).max().unwrap_or_default();
        let mut out = String::new();
        for (label, tone, text) in &self.lines {
            let gap = " ".repeat(widest - width(label) + 2);
            let margin = widest + 4;
            let mut before = format!("  {}{gap}", look.paint(Tone::Faint, label));
            for part in wrapped(text, look.columns, margin) {
                out.push_str(format!("{before}{}", look.paint(*tone, part)).trim_end());
                out.push('\n');
                before = " ".repeat(margin);
            }
        }
        out
    }
}

/// Narrower than this nothing is wrapped: there would be a word on each line.
const NARROW: usize = 20;

/// The lines of a text that begins in the column `margin`. They end between words; a word that is too long for any line
/// ends it behind a comma, as JSON has them, and otherwise is left for the terminal to break, since only that can
/// be copied whole.
pub(super) fn wrapped(text: &str, columns: Option<usize>, margin: usize) -> Vec<&str> {
    let Some(room) = columns.and_then(|columns| columns.checked_sub(margin)).filter(|room| *room >= NARROW)
    else {
        return vec![text];
    };
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some((line, after)) = end_of_line(rest, room).and_then(|at| rest.split_at_checked(at)) {
        lines.push(line.trim_end());
        rest = after.trim_start();
    }
    lines.push(rest);
    lines
}

/// Where a line of at most `room` columns ends, or the next place where it may. `None` if all of it is one line.
fn end_of_line(text: &str, room: usize) -> Option<usize> {
    let text = text.trim_end();
    if width(text) <= room {
        return None;
    }
    let (mut between, mut comma) = (None, None);
    let (mut used, mut last) = (0, ' ');
    for (at, c) in text.char_indices() {
        if used > room && (between.is_some() || comma.is_some()) {
            break;
        }
        // Chinese has no blanks: a line may end before any character of it but a closing mark.
        let is_character = is_wide(c) && !CLOSING.contains(c) && !OPENING.contains(last);
        if at > 0 && (c == ' ' || is_character) {
            between = Some(at);
        }
        used += c.width().unwrap_or_default();
        if c == ',' && (used <= room || comma.is_none()) {
            comma = Some(at + 1);
        }
        last = c;
    }
    between.or(comma)
}

/// What no line begins with, and what none ends with.
const CLOSING: &str = "，。；：、！？）】」》”’";
const OPENING: &str = "（【「《“‘";

fn is_wide(c: char) -> bool {
    c.width() == Some(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_stays_on_one_line_and_harmless() {
        assert_eq!(clean("a\n\u{1b}[31m\u{202e}\"x\\'", 80), "a\\n\\u{1b}[31m\\u{202e}\"x\\'");
        assert_eq!(clean("技能包", 2), "技能…");
        assert_eq!(clean("", 2), "");
    }

    #[test]
    fn labels_of_two_columns_a_character_line_up() {
        let mut sheet = Sheet::default();
        sheet.put("重试", Tone::Plain, "a");
        sheet.put("x", Tone::Plain, "b");
        assert_eq!(sheet.render(Look::default()), "  重试  a\n  x     b\n");
    }

    #[test]
    fn lines_end_between_words() {
        fn lines(text: &str, columns: usize) -> Vec<&str> {
            wrapped(text, Some(columns), 0)
        }
        assert_eq!(lines("who has to act, and what first", 20), ["who has to act, and", "what first"]);
        assert_eq!(lines("12345678901234567890 x", 20), ["12345678901234567890", "x"]);
        assert_eq!(lines("12345678901234567890", 20), ["12345678901234567890"]);
        assert_eq!(lines("12345678901234567890   ", 20), ["12345678901234567890   "]);
        // A word that fits no line stays whole, on a line of its own; JSON has commas to end one at.
        let long = "models/a/file/with/a/long/name.bin";
        assert_eq!(lines(long, 20), [long]);
        assert_eq!(lines(&format!("see {long} there"), 20), ["see", long, "there"]);
        assert_eq!(
            lines(r#"{"action":"a","tool":"b","server":"c"}"#, 26),
            [r#"{"action":"a","tool":"b","#, r#""server":"c"}"#]
        );
        // Chinese ends anywhere, but not before a mark that closes.
        assert_eq!(lines("使用此工具前需要先授权。请登录", 22), ["使用此工具前需要先授", "权。请登录"]);
        assert_eq!(lines("请在主机上登录 GitHub 后重试", 20), ["请在主机上登录", "GitHub 后重试"]);
        // No terminal, or one that is too narrow.
        assert_eq!(wrapped("a b c d e f g h i j k l m n o", None, 0).len(), 1);
        assert_eq!(wrapped("a b c d e f g h i j k l m n o", Some(30), 12).len(), 1);
    }

    #[test]
    fn a_wrapped_text_stays_beside_its_label() {
        let mut sheet = Sheet::default();
        sheet.put("x", Tone::Plain, "one two three four five six");
        sheet.put("y", Tone::Plain, "");
        let look = Look { columns: Some(30), ..Look::default() };
        assert_eq!(sheet.render(look), "  x  one two three four five\n     six\n  y\n");
        assert_eq!(sheet.render(Look::default()), "  x  one two three four five six\n  y\n");
    }

    #[test]
    fn colour_only_where_it_is_wanted() {
        assert_eq!(Look::default().paint(Tone::Fault, "x"), "x");
        let look = Look { color: true, ..Look::default() };
        assert_eq!(look.paint(Tone::Fault, "x"), "\u{1b}[31mx\u{1b}[0m");
        assert_eq!(look.paint(Tone::Plain, "x"), "x");
    }
}
