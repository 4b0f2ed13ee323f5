//! The nearest legal name for a text that was nearly one.

use super::{MCP, SkillName, is_server_byte};
use crate::Dialect;
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
/// Case, spaces, punctuation, underscores, invisible characters, accents and the look-alikes of Latin letters are
/// put right; segments and the spelling of a server are kept. There is nothing to suggest (`None`) for a text
/// that is legal already, is longer than 512 bytes, looks like a path or is percent-encoded, has letters that
/// no Latin letter stands for, has a segment that would still be too long, or cannot be given a legal number
/// of segments without changing where the SKILL comes from.
///
/// ```
/// use ackguard::skill_name::suggest;
/// assert_eq!(suggest("My Skill!").as_deref(), Some("my-skill"));
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
    let is_mcp = segments.len() == 3 && kebab(segments.first()?)? == MCP;
    let mut parts = Vec::with_capacity(3);
    for (index, segment) in segments.iter().enumerate() {
        let part = if is_mcp && index == 1 { server(segment)? } else { kebab(segment)? };
        match part.is_empty() {
            false => parts.push(part),
            // Without its server, a SKILL of an MCP server would become one of a marketplace.
            true if is_mcp => return None,
            true => {}
        }
    }
    let name = crate::value::join(parts.iter().map(String::as_str), ":");
    (name != text && SkillName::parse(&name, dialect).is_ok()).then_some(name)
}

fn has_percent_escape(text: &str) -> bool {
    text.as_bytes()
        .windows(3)
        .any(|w| matches!(w, [b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()))
}

/// The segment in kebab case; `None` if it has a letter or digit that is lost in it.
fn kebab(segment: &str) -> Option<String> {
    let mut out = String::new();
    let mut gap = false;
    for c in segment.chars() {
        match latin(c) {
            Latin::Letters(letters) => {
                if gap && !out.is_empty() {
                    out.push('-');
                }
                gap = false;
                out.push_str(letters);
            }
            Latin::Letter(letter) => {
                if gap && !out.is_empty() {
                    out.push('-');
                }
                gap = false;
                out.push(letter.to_ascii_lowercase());
            }
            Latin::Nothing => {}
            Latin::Gap => gap = true,
            Latin::Lost => return None,
        }
    }
    Some(out)
}

/// The segment as a server: what a server may have is kept as it is, since servers are compared as they are.
fn server(segment: &str) -> Option<String> {
    let mut out = String::new();
    for c in segment.trim().chars() {
        match latin(c) {
            _ if u8::try_from(c).is_ok_and(is_server_byte) => out.push(c),
            Latin::Letters(letters) => out.push_str(letters),
            Latin::Letter(letter) => out.push(letter),
            Latin::Nothing => {}
            Latin::Gap => out.push('-'),
            Latin::Lost => return None,
        }
    }
    Some(out)
}

enum Latin {
    Letter(char),
    Letters(&'static str),
    /// Invisible, or an apostrophe: leaves nothing behind.
    Nothing,
    Gap,
    /// A letter or digit of another script: a name without it would be another name.
    Lost,
}

fn latin(c: char) -> Latin {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Latin::Letter(c),
        '\'' | '\u{2019}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => Latin::Nothing,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{0}' => Latin::Nothing,
        // Accents that follow their letter.
        '\u{300}'..='\u{36f}' => Latin::Nothing,
        '\u{ff01}'..='\u{ff5e}' => match char::from_u32(u32::from(c) - 0xfee0) {
            Some(narrow) => latin(narrow),
            None => Latin::Lost,
        },
        'ß' => Latin::Letters("ss"),
        'æ' | 'Æ' => Latin::Letters("ae"),
        'œ' | 'Œ' => Latin::Letters("oe"),
        'à'..='å' | 'À'..='Å' | 'ā' | 'ă' | 'ą' | 'а' => Latin::Letter('a'),
        'ç' | 'Ç' | 'ć' | 'č' | 'Č' | 'с' => Latin::Letter('c'),
        'ď' | 'đ' => Latin::Letter('d'),
        'è'..='ë' | 'È'..='Ë' | 'ē' | 'ę' | 'ě' | 'е' => Latin::Letter('e'),
        'ğ' => Latin::Letter('g'),
        'ì'..='ï' | 'Ì'..='Ï' | 'ī' | 'ı' | 'İ' | 'і' => Latin::Letter('i'),
        'ј' => Latin::Letter('j'),
        '\u{212a}' => Latin::Letter('k'),
        'ł' | 'Ł' => Latin::Letter('l'),
        'ñ' | 'Ñ' | 'ń' | 'ň' => Latin::Letter('n'),
        'ò'..='ö' | 'ø' | 'Ò'..='Ö' | 'Ø' | 'ō' | 'ő' | 'о' => Latin::Letter('o'),
        'р' => Latin::Letter('p'),
        'ř' => Latin::Letter('r'),
        'ś' | 'š' | 'Š' | 'ş' | '\u{17f}' | 'ѕ' => Latin::Letter('s'),
        'ť' | 'ţ' => Latin::Letter('t'),
        'ù'..='ü' | 'Ù'..='Ü' | 'ū' | 'ů' | 'ű' => Latin::Letter('u'),
        'х' => Latin::Letter('x'),
        'ý' | 'ÿ' | 'у' => Latin::Letter('y'),
        'ź' | 'ż' | 'ž' | 'Ž' => Latin::Letter('z'),
        _ if c.is_alphanumeric() => Latin::Lost,
        _ => Latin::Gap,
    }
}
