//! What a value looks like, and where it ends.

use super::fold::Text;
use super::lists::{List, among, list};
use super::words::{self, Words};
use super::{REDACTED, TRUNCATED};

/// What stands for what was taken out, by this program or by another.
pub(super) const MARKS: [&str; 4] = [REDACTED, TRUNCATED, "[REDACTED]", "[FILTERED]"];

/// Where the marks end, if the text goes on with marks that stand for what was taken out.
pub(super) fn mark(text: Text<'_>, at: usize) -> Option<usize> {
    // Hardly ever, and asked for often.
    if text.at(at) != b'[' {
        return None;
    }
    let mut end = at;
    while let Some(mark) = MARKS.iter().find(|mark| text.from(end).starts_with(mark.as_bytes())) {
        end += mark.len();
    }
    (end > at).then_some(end)
}

/// The length of the white space at a place, whatever character or decoding it is made of.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
pub(super) fn white(text: Text<'_>, at: usize) -> usize {
    match text.at(at) {
        b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C => 1,
        0xC2 if text.at(at + 1) == 0xA0 => 2,
        0xE3 if text.at(at + 1) == 0x80 && text.at(at + 2) == 0x80 => 3,
        _ => 0,
    }
}

/// Goes past white space, at most `most` characters of it.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
pub(super) fn skip_white(text: Text<'_>, mut at: usize, most: usize) -> usize {
    for _ in 0..most {
        match white(text, at) {
            0 => break,
            width => at += width,
        }
    }
    at
}

/// The length of a quote at a place, backslashes before it included, and the quote that ends it.
pub(super) fn quote(text: Text<'_>, at: usize) -> Option<(usize, Quote)> {
    let backslashes = text.from(at).iter().take(64).take_while(|byte| **byte == b'\\').count();
    let place = at + backslashes;
    let close = match text.at(place) {
        byte @ (b'"' | b'\'' | b'`') => {
            // Three quotes open as one does.
            let triple = text.at(place + 1) == byte && text.at(place + 2) == byte;
            let length = if triple { 3 } else { 1 };
            return Some((
                backslashes + length,
                Quote { close: [byte, 0, 0], width: 1, backslashes, triple },
            ));
        }
        _ if backslashes > 0 => return None,
        0xE2 if text.at(place + 1) == 0x80 => match text.at(place + 2) {
            0x9C => [0xE2, 0x80, 0x9D],
            0x98 => [0xE2, 0x80, 0x99],
            _ => return None,
        },
        0xE3 if text.at(place + 1) == 0x80 => match text.at(place + 2) {
            0x8C => [0xE3, 0x80, 0x8D],
            0x8E => [0xE3, 0x80, 0x8F],
            0x90 => [0xE3, 0x80, 0x91],
            _ => return None,
        },
        _ => return None,
    };
    Some((3, Quote { close, width: 3, backslashes: 0, triple: false }))
}

/// An open quote.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quote {
    close: [u8; 3],
    width: usize,
    backslashes: usize,
    triple: bool,
}

impl Quote {
    /// Where the quoted text ends, the closing quote excluded. One that is never closed takes the rest of
    /// the text, for nobody can say where it was to end.
    pub(super) fn end(self, text: Text<'_>, start: usize) -> usize {
        self.end_within(text, start, usize::MAX).unwrap_or_else(|| text.len())
    }

    /// The same, if it is near: what is not taken out must not be read to its end.
    pub(super) fn end_within(self, text: Text<'_>, start: usize, most: usize) -> Option<usize> {
        let mut backslashes = 0;
        for (offset, &byte) in text.from(start).iter().take(most).enumerate() {
            let at = start + offset;
            if byte == b'\\' {
                backslashes += 1;
                continue;
            }
            if byte == self.close[0] {
                // With fewer backslashes than it was opened with it closes an outer quote.
                let closes = backslashes <= self.backslashes
                    || self.backslashes > 0
                        && backslashes % (self.backslashes + 1) == self.backslashes
                        && backslashes < 2 * self.backslashes;
                let whole =
                    self.width == 1 || text.at(at + 1) == self.close[1] && text.at(at + 2) == self.close[2];
                let triple = !self.triple || text.at(at + 1) == byte && text.at(at + 2) == byte;
                if closes && whole && triple {
                    return Some(at - backslashes);
                }
            }
            backslashes = 0;
        }
        None
    }
}

/// Whether a byte ends an unquoted value wherever it stands.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
pub(super) const fn ends_value(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | 0x7F)
}

/// The end of an unquoted value. A bracket or a comma belongs to it only where it goes on at once, and a full
/// stop at its end is the sentence's.
pub(super) fn end(text: Text<'_>, start: usize) -> usize {
    end_within(text, start, usize::MAX)
}

/// The same, of a value that may turn out to be none: its first part is enough to tell.
pub(super) fn end_within(text: Text<'_>, start: usize, most: usize) -> usize {
    let level = text.level(start);
    let mut at = start;
    while at < text.len() && at - start < most {
        let byte = text.at(at);
        // Most of a value, whatever it was decoded from.
        if byte.is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        if text.level(at) <= level {
            if ends_value(byte) || byte == b'\\' && text.at(at + 1) != b'\\' && quote(text, at).is_some() {
                break;
            }
            // Chinese goes on without a blank after a value; Greek, Russian and others do not.
            if byte == b'&' && !goes_on(text, at + 1) || byte >= 0xE0 || byte == 0xC2 {
                break;
            }
            if matches!(byte, b',' | b';' | b')' | b']' | b'}') && !goes_on(text, at + 1) {
                break;
            }
        }
        at += 1;
    }
    while at > start + 1
        && matches!(text.before(at), b'.' | b',' | b';' | b'!' | b'?' | b':' | b')' | b']' | b'}')
    {
        let opened = match text.before(at) {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => 0,
        };
        // A bracket that the value itself opened is the value's.
        if opened != 0 && text.slice(start, at).iter().take(256).any(|byte| *byte == opened) {
            break;
        }
        at -= 1;
    }
    at
}

/// Whether a value goes on after a comma or a bracket: not with a blank, and not with the next `name=`.
fn goes_on(text: Text<'_>, at: usize) -> bool {
    let byte = text.at(at);
    if !byte.is_ascii_graphic()
        || ends_value(byte)
        || matches!(byte, b',' | b';' | b')' | b']' | b'}' | b'.' | b'{' | b'[')
    {
        return false;
    }
    let name = text
        .from(at)
        .iter()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        .count();
    !matches!(text.at(at + name), b'=' | b':') || name == 0
}

/// Looks like something a machine made: no word that a person would write there.
pub(super) fn is_random(value: &[u8]) -> bool {
    let Shape { digits, upper, lower, other } = shape(value);
    let letters = upper + lower;
    if value.len() < 4 {
        return false;
    }
    // Words with hyphens, dots or slashes are names and paths as long as they look like words.
    let wordy = other > 0 && is_wordy(value);
    (digits > 0 && letters > 0 && value.len() >= 6 && !wordy)
        || (digits > 0 && other > 0 && letters > 0 && !wordy && value.len() >= 6)
        || (upper > 1 && lower > 1 && value.len() >= 8 && !is_camel(value) && !wordy)
        || (value.len() >= 24 && !wordy && other * 8 < value.len())
        || (digits >= 12 && digits == value.len())
        || is_user_code(value)
}

/// `WDJB-MJHT`: the form in which user codes of the device flow are shown.
pub(super) fn is_user_code(value: &[u8]) -> bool {
    let mut groups = value.split(|byte| *byte == b'-');
    let mut count = 0;
    let all = groups.all(|group| {
        count += 1;
        (3..=6).contains(&group.len())
            && group.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    });
    all && (2..=4).contains(&count)
}

struct Shape {
    digits: usize,
    upper: usize,
    lower: usize,
    other: usize,
}

fn shape(value: &[u8]) -> Shape {
    let mut shape = Shape { digits: 0, upper: 0, lower: 0, other: 0 };
    for byte in value {
        match byte {
            b'0'..=b'9' => shape.digits += 1,
            b'A'..=b'Z' => shape.upper += 1,
            b'a'..=b'z' => shape.lower += 1,
            _ => shape.other += 1,
        }
    }
    shape
}

/// Parts of letters only or of few digits only, as in `oauth2-proxy`, `v1.2.3`, `2024-01-31`, `a/b/c.html`.
fn is_wordy(value: &[u8]) -> bool {
    value.split(|byte| !byte.is_ascii_alphanumeric()).all(|part| {
        let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
        let leading = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let tail_digits = leading + digits == part.len();
        digits == 0 && part.len() <= 16 && (is_plain(part) || is_camel(part))
            || digits == part.len() && digits <= 4
            || tail_digits && digits <= 2 && leading <= 12
    })
}

/// All letters small, all large, or the first one large.
pub(super) fn is_plain(word: &[u8]) -> bool {
    let tail = word.get(1..).unwrap_or_default();
    word.iter().all(u8::is_ascii_alphabetic)
        && (tail.iter().all(u8::is_ascii_lowercase) || word.iter().all(u8::is_ascii_uppercase))
}

/// `camelCase` or `CamelCase` with parts of two letters and more.
fn is_camel(word: &[u8]) -> bool {
    if !word.iter().all(u8::is_ascii_alphabetic) {
        return false;
    }
    let mut run = 2;
    for byte in word {
        if byte.is_ascii_uppercase() {
            if run < 2 {
                return false;
            }
            run = 1;
        } else {
            run += 1;
        }
    }
    run >= 2
}

/// A word that follows "is" or a colon in sentences about a secret without telling it.
pub(super) fn is_ordinary(word: &[u8]) -> bool {
    const LONGEST: usize = 16;
    if word.len() > LONGEST || !is_plain(word) {
        return false;
    }
    let ends = |tail: &[u8]| {
        word.len()
            .checked_sub(tail.len())
            .is_some_and(|at| at > 2 && word.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(tail)))
    };
    ends(b"ed") || ends(b"ing") || ends(b"able") || ends(b"ible") || ends(b"ly") || words::is_ordinary(word)
}

/// A word that holds a sentence together.
pub(super) fn is_function(word: &[u8]) -> bool {
    const FUNCTION: List = list![
        "a" "an" "the" "this" "that" "your" "my" "our" "their" "its" "no" "not" "is" "are" "was" "be" "has"
        "have" "for" "from" "in" "on" "at" "to" "of" "by" "with" "and" "or" "but" "as" "must" "should" "can"
        "will" "you" "it" "please"
    ];
    among(word, FUNCTION)
}

/// Whether a key consists of words that may be shown.
pub(super) fn is_name(key: &str) -> bool {
    key.len() <= 64 && Words::of(key.as_bytes()).are_names()
}

/// A word of the lists in which `password` and `otp` stand as names: fields of a form, ways to sign in.
pub(super) fn is_method(word: &[u8]) -> bool {
    const METHODS: List = list![
        "username" "user" "email" "phone" "sms" "push" "webauthn" "fido" "fido2" "passkey" "app" "name"
        "region" "tenant" "domain" "host" "port" "oauth" "oauth2" "saml" "oidc" "ldap" "sso" "basic" "bearer"
        "none" "magic_link" "biometric" "scope" "grant_type" "redirect_uri" "user_name" "login" "account"
        "string" "required" "hidden"
    ];
    among(word, METHODS)
}

/// A word that ends in the ending of a sentence's own words, or is one of them, whatever follows it.
pub(super) fn word_end(text: Text<'_>, start: usize) -> usize {
    start + text.from(start).iter().take(64).take_while(|byte| byte.is_ascii_alphabetic()).count()
}
