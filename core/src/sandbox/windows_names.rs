//! Names that mean something else on Windows than they say. Pure text, so that it is tested everywhere.

use crate::rel_path::ShortName;

/// Why a component cannot be served on Windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Odd {
    /// Dots and spaces only: Windows takes it for this directory or the one above.
    Climbs,
    /// A device, a stream, a wildcard, a short name, or a name that loses its end: no file is listed so.
    NoFile,
}

/// What is odd about a component, if anything.
pub(super) fn odd(component: &str) -> Option<Odd> {
    if component.chars().all(|c| matches!(c, '.' | ' ')) {
        return Some(Odd::Climbs);
    }
    let is_reserved =
        |c: char| c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*');
    (component.ends_with(['.', ' '])
        || component.contains(is_reserved)
        || is_device(component)
        || is_short(component))
    .then_some(Odd::NoFile)
}

/// A second name of a file: eight characters at most, whatever stands after the dot.
fn is_short(component: &str) -> bool {
    let base = component.split('.').next().unwrap_or_default();
    base.chars().nth(8).is_none() && ShortName::read(&component.to_lowercase()).is_some()
}

/// Device names count with any extension, and with spaces before it.
fn is_device(component: &str) -> bool {
    let stem = component.split(['.', ':']).next().unwrap_or_default().trim_end_matches(' ');
    let upper = stem.to_ascii_uppercase();
    if matches!(&*upper, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$") {
        return true;
    }
    let port = upper.strip_prefix("COM").or_else(|| upper.strip_prefix("LPT"));
    // The superscript digits are digits to Windows, which reads names in the code page Latin-1.
    port.is_some_and(|port| {
        let mut digits = port.chars();
        digits.next().is_some_and(|c| c.is_ascii_digit() || matches!(c, '\u{b9}' | '\u{b2}' | '\u{b3}'))
            && digits.next().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_streams_and_names_that_lose_their_end() {
        for name in [
            "CON",
            "con",
            "Nul.txt",
            "NUL .txt",
            "aux.tar.gz",
            "prn",
            "COM1",
            "com9.log",
            "LPT0",
            "COM\u{b9}",
            "lpt\u{b3}.x",
            "CONIN$",
            "conout$.a",
            "CLOCK$",
            "a.",
            "a ",
            "SKILL.md. ",
            "a:b",
            "a::$DATA",
            "a?",
            "a*",
            "a<",
            "\"a",
            "a|b",
            "a\u{1}",
            "SKILLE~1",
            "progra~2",
            "LONGNA~1.TXT",
            "a\\b",
        ] {
            assert_eq!(odd(name), Some(Odd::NoFile), "{name:?}");
        }
        for name in ["...", ".. ", ". .", " ", "."] {
            assert_eq!(odd(name), Some(Odd::Climbs), "{name:?}");
        }
    }

    #[test]
    fn ordinary_names() {
        for name in [
            "SKILL.md",
            "CONx",
            "CONTRIBUTING.md",
            "console",
            "nulls.txt",
            "com",
            "COM10",
            "COMa",
            "LPT",
            "auxiliary",
            ".hidden",
            "..a",
            "a..b",
            "a b",
            "~",
            "a~b",
            "backup~",
            "draft~2024.md",
            "notes~20241130",
            "\u{6280}\u{80fd}.md",
            "xCON",
            "lpt\u{b4}",
        ] {
            assert_eq!(odd(name), None, "{name:?}");
        }
    }
}
