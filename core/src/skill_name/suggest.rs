//! The nearest legal name for a text that was nearly one.

use super::{MCP, SkillName, is_server_byte};
use crate::Dialect;
use crate::letters::is_alphanumeric;
use crate::rel_path::is_ignored_anywhere;
use alloc::string::String;
use alloc::vec::Vec;

/// A longer text is no near miss, and is not looked at.
const MAX_INPUT: usize = 512;

/// The nearest legal name for a near miss under the default dialect: `My Skill!` gives `my-skill`.
///
/// See [`suggest_for`].
#[must_use]
pub fn suggest(text: &str) -> Option<String> {
    suggest_for(text, Dialect::default())
}

/// The nearest legal name for a near miss, for a person to confirm, never to be used unasked.
///
/// Case, spaces, punctuation, underscores, invisible characters, accents and ligatures are put right, and so are the
/// look-alikes of Latin letters that stand among some; segments are kept, and of a server what it may have. There is
/// nothing to suggest (`None`) for a text that is legal already, is longer than 512 bytes, looks like a path or is
/// percent-encoded, has letters that no Latin letter stands for, has a segment that would still be too long, or
/// cannot be given a legal number of segments without changing where the SKILL comes from.
///
/// ```
/// use ackguard::skill_name::suggest;
/// assert_eq!(suggest("My Skill!").as_deref(), Some("my-skill"));
/// assert_eq!(suggest("Łódź Guide").as_deref(), Some("lodz-guide"));
/// assert_eq!(suggest("Acme：Code_Review").as_deref(), Some("acme:code-review"));
/// assert_eq!(suggest("my-skill"), None);
/// assert_eq!(suggest("技能"), None);
/// ```
#[must_use]
pub fn suggest_for(text: &str, dialect: Dialect) -> Option<String> {
    if text.len() > MAX_INPUT || text.contains(['/', '\\']) || has_percent_escape(text) {
        return None;
    }
    if SkillName::parse(text, dialect).is_ok() {
        return None;
    }
    let is_colon = |c: char| matches!(c, ':' | '\u{ff1a}' | '\u{2236}' | '\u{fe55}' | '\u{a789}');
    let segments: Vec<&str> = text.split(is_colon).collect();
    let mut parts: Vec<String> = Vec::with_capacity(3);
    let is_mcp =
        |parts: &[String]| segments.len() > 2 && parts.first().is_some_and(|first| first.as_str() == MCP);
    for segment in &segments {
        let server = (parts.len() == 1 && is_mcp(&parts)).then_some(dialect);
        let part = spelled(segment, server)?;
        if !part.is_empty() {
            parts.push(part);
        }
    }
    // Without its server or its SKILL, one of an MCP server would become one of a marketplace.
    if is_mcp(&parts) && parts.len() != 3 {
        return None;
    }
    let name = crate::value::join(parts.iter().map(String::as_str), ":");
    (name != text && SkillName::parse(&name, dialect).is_ok()).then_some(name)
}

fn has_percent_escape(text: &str) -> bool {
    text.as_bytes()
        .windows(3)
        .any(|w| matches!(w, [b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()))
}

/// The segment in kebab case, or as the `server` of a dialect: of that, what it may have is kept as it is, since
/// servers are compared as they are. `None` if a letter or digit would be lost.
fn spelled(segment: &str, server: Option<Dialect>) -> Option<String> {
    let mut out = String::new();
    let (mut gap, mut latin_letters, mut look_alikes) = (false, false, false);
    for c in segment.chars() {
        let kept = server.is_some() && u8::try_from(c).is_ok_and(is_server_byte);
        let (letter, letters) = match if kept { Latin::Letter(c) } else { latin(c) } {
            Latin::Letter(letter) => {
                latin_letters |= letter.is_ascii_alphabetic();
                (Some(letter), "")
            }
            Latin::Letters(letters) => {
                // Those that look like a Latin letter are Greek and Cyrillic.
                let look_alike = matches!(c, '\u{370}'..='\u{4ff}');
                look_alikes |= look_alike;
                latin_letters |= !look_alike;
                (None, letters)
            }
            Latin::Nothing => continue,
            Latin::Gap => {
                gap = true;
                continue;
            }
            Latin::Lost => return None,
        };
        // Only a server keeps what joins.
        let joins = ['-', '_'];
        if core::mem::take(&mut gap) && !out.is_empty() && !joins.contains(&c) && !out.ends_with(joins) {
            out.push('-');
        }
        if server == Some(Dialect::V0_3) && c == '_' && out.ends_with('_') {
            continue;
        }
        out.push_str(letters);
        out.extend(letter);
    }
    if server.is_none() {
        out.make_ascii_lowercase();
    }
    // Look-alikes without a Latin letter among them are a word of their own script.
    (latin_letters || !look_alikes).then_some(out)
}

enum Latin {
    Letter(char),
    /// What a letter stands for that is more than one, or looks like one.
    Letters(&'static str),
    /// Invisible, or an apostrophe: leaves nothing behind.
    Nothing,
    Gap,
    /// A letter or digit of another script: a name without it would be another name.
    Lost,
}

fn latin(c: char) -> Latin {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => return Latin::Letter(c),
        '\'' | '\u{b4}' | '\u{2bb}' | '\u{2bc}' | '\u{2018}' | '\u{2019}' | '\u{201b}' | '\0' => {
            return Latin::Nothing;
        }
        '\0'..='\x7f' => return Latin::Gap,
        // Accents that follow their letter.
        '\u{300}'..='\u{36f}' => return Latin::Nothing,
        _ if is_ignored_anywhere(c) => return Latin::Nothing,
        '\u{ff01}'..='\u{ff5e}' => {
            return char::from_u32(u32::from(c) - 0xfee0).map_or(Latin::Lost, latin);
        }
        _ => {}
    }
    if let Some(letters) = in_others(c) {
        Latin::Letters(letters)
    } else if let Some(letter) = in_runs(c) {
        Latin::Letter(letter)
    } else if is_alphanumeric(c) {
        Latin::Lost
    } else {
        Latin::Gap
    }
}

/// What `c` stands for beside the runs.
fn in_others(c: char) -> Option<&'static str> {
    let (at, _) = OTHERS.char_indices().find(|(_, other)| *other == c)?;
    let rest = OTHERS.get(at + c.len_utf8()..)?;
    rest.get(..rest.bytes().take_while(u8::is_ascii).count())
}

/// The letter that `c` is with an accent or a stroke.
fn in_runs(c: char) -> Option<char> {
    let code = u16::try_from(u32::from(c)).ok()?;
    let (first, letters) = RUNS.iter().rev().find(|(first, _)| *first <= code)?;
    let at = usize::from(code - first);
    // Latin-1 has its small letters 32 places after the capitals, and the other blocks beside them.
    let (place, is_small) = if *first == 0xc0 { (at % 32, at >= 32) } else { (at / 2, at % 2 == 1) };
    let letter = char::from(*letters.as_bytes().get(place)?);
    (letter != '*').then(|| if is_small { letter.to_ascii_lowercase() } else { letter })
}

/// From a code point on, capitals that each have a small letter; `*` is none.
#[rustfmt::skip]
const RUNS: &[(u16, &str)] = &[
    (0xc0, "AAAAAA*CEEEEIIIIDNOOOOO*OUUUUY*Y"), (0x100, "AAACCCCDDEEEEEGGGGHHIIIII*JK"),
    (0x139, "LLLLLNNN"), (0x14c, "OOO*RRRSSSSTTTUUUUUUWY"), (0x178, "Y"), (0x179, "ZZZ"), (0x1a0, "O"),
    (0x1af, "U"), (0x1cd, "AIOUUUUU"), (0x1de, "AA*GGKOO***G*NA*OAAEEIIOORRUUST*H**ZAEOOOOY"),
    (0x1e00, "ABBBCDDDDDEEEEEFGHHHHHIIKKKLLLLMMMNNNNOOOOPPRRRRSSSSSTTTTUUUUUVVWWWWWXXYZZZ*****\
        AAAAAAAAAAAAEEEEEEEEIIOOOOOOOOOOOOUUUUUUUYYYY"),
];

/// What is more than one letter or in no run, and the letters of Cyrillic and Greek that look like a Latin one, each
/// before what it stands for.
const OTHERS: &str = "ßssẞSSæaeÆAEœoeŒOEþthÞTHĳijĲIJ\u{fb00}ff\u{fb01}fi\u{fb02}fl\u{fb03}ffi\u{fb04}ffl\
    ſs\u{212a}K\u{212b}A\
    аaАAВBсcСCеeЕEНHіiІIјjЈJКKМMоoОOрpРPѕsЅSТTуyУYхxХX\
    ΑAΒBΕEΖZΗHΙIΚKΜMΝNοoΟOΡPΤTΥYΧX";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_in_order_and_apart() {
        let mut after = 0;
        for (first, letters) in RUNS {
            assert!(*first >= after, "{first:x}");
            assert!(letters.bytes().all(|b| b.is_ascii_uppercase() || b == b'*'), "{first:x}");
            after = if *first == 0x178 { 0x179 } else { first + u16::try_from(letters.len()).unwrap() * 2 };
        }
    }

    #[test]
    fn a_capital_is_put_right_as_its_small_letter() {
        for capital in ('\u{c0}'..'\u{2000}').filter(|c| in_runs(*c).is_some() && *c != '\u{130}') {
            for small in capital.to_lowercase() {
                let letter = in_runs(capital).unwrap().to_ascii_lowercase();
                assert_eq!(in_runs(small).map(|c| c.to_ascii_lowercase()), Some(letter), "{capital}");
            }
        }
    }
}
