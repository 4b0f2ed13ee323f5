//! How things look: colour, and text from outside made harmless.

use anstyle::{AnsiColor, Effects, Style};
use unicode_width::UnicodeWidthStr as _;

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
            let line = format!("  {}{gap}{}", look.paint(Tone::Faint, label), look.paint(*tone, text));
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
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
    fn colour_only_where_it_is_wanted() {
        assert_eq!(Look::default().paint(Tone::Fault, "x"), "x");
        let look = Look { color: true, ..Look::default() };
        assert_eq!(look.paint(Tone::Fault, "x"), "\u{1b}[31mx\u{1b}[0m");
        assert_eq!(look.paint(Tone::Plain, "x"), "x");
    }
}
