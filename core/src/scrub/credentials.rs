//! Credentials that a scheme announces: `Bearer x`, `Basic x`, the rest of an Authorization header.

use super::fold::Text;
use super::judge::{is_key, is_placeholder};
use super::label::Word;
use super::prose::{JUDGED, after_mark};
use super::values::{self, is_ordinary, is_plain, is_random, skip_white};
use super::{Action, Category, Span};

/// `Authorization: scheme credentials`: the credentials, and all that belongs to them.
pub(super) fn header(text: Text<'_>, start: usize) -> Option<(usize, usize)> {
    let scheme = text
        .from(start)
        .iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
        .count();
    let name = text.slice(start, start + scheme);
    if scheme == 0
        || text.at(start + scheme) != b' '
        || !is_scheme(name) && !name.eq_ignore_ascii_case(b"token")
    {
        return None;
    }
    let value = skip_white(text, start + scheme, 8);
    if let Some(mark) = after_mark(text, value) {
        return Some(mark);
    }
    let end = values::end(text, value);
    let first = text.slice(value, end);
    if is_ordinary(first) || is_placeholder(first) {
        return None;
    }
    if first
        .iter()
        .position(|byte| *byte == b'=')
        .is_some_and(|at| at + 2 < first.len() || text.at(end) == b'"')
    {
        // `Digest username="x", response="y"`: the whole line.
        let line = text.from(value).iter().position(|byte| matches!(byte, b'\n' | b'\r') || *byte >= 0x80);
        return Some((value, line.map_or(text.len(), |line| value + line)));
    }
    Some((value, end))
}

pub(super) fn is_scheme(word: &[u8]) -> bool {
    [
        &b"bearer"[..],
        b"basic",
        b"digest",
        b"negotiate",
        b"ntlm",
        b"hawk",
        b"mac",
        b"apikey",
        b"aws4-hmac-sha256",
        b"oauth",
        b"dpop",
    ]
    .iter()
    .any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// `Bearer x` and `Basic x`, wherever they stand.
pub(super) fn scheme(text: Text<'_>, word: Word) -> Option<Span> {
    let name = text.slice(word.start, word.end);
    if name.eq_ignore_ascii_case(b"enter") {
        return entered(text, word.end);
    }
    let bearer = name.eq_ignore_ascii_case(b"bearer");
    let basic = name.eq_ignore_ascii_case(b"basic");
    let long = [&b"negotiate"[..], b"ntlm", b"dpop"].iter().any(|scheme| name.eq_ignore_ascii_case(scheme));
    if !bearer && !basic && !long {
        return None;
    }
    let blank = skip_white(text, word.end, 8);
    if blank == word.end {
        return None;
    }
    let mut start = blank;
    if let Some((length, _)) = values::quote(text, start) {
        start += length;
    }
    if let Some((start, end)) = after_mark(text, start) {
        return Some(Span::new(start, end, Category::AccessCredential, Action::Redacted))
            .filter(|span| start < span.end);
    }
    let end = values::end(text, start);
    let value = text.slice(start, end);
    let parameter = value.iter().position(|byte| *byte == b'=').and_then(|at| value.get(..at));
    let is_parameter = parameter.is_some_and(|name| {
        [
            &b"realm"[..],
            b"error",
            b"scope",
            b"error_description",
            b"error_uri",
            b"resource_metadata",
            b"authorization_uri",
            b"charset",
            b"resource",
            b"as_uri",
        ]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
    });
    if value.is_empty() || is_placeholder(value) || is_parameter || is_ordinary(value) || is_key(value) {
        return None;
    }
    let capital = text.at(word.start).is_ascii_uppercase();
    let holds = if bearer {
        is_random(value) || capital && value.len() > 2 || !is_plain(value) && value.len() >= 6
    } else if basic {
        is_base64_pair(value)
            || value.len() >= 8 && is_random(value) && value.iter().all(|byte| in_base64(*byte))
    } else {
        value.len() >= 16 && is_random(value)
    };
    holds.then(|| Span::new(start, end, Category::AccessCredential, Action::Redacted))
}

/// "Enter WDJB-MJHT": a user code of the device flow without a label.
pub(super) fn entered(text: Text<'_>, end: usize) -> Option<Span> {
    let start = skip_white(text, end, 2);
    let stop = values::end_within(text, start, JUDGED);
    let value = text.slice(start, stop);
    let capitals =
        value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'-');
    let mixed = value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_uppercase);
    let long = value.len() >= 8 && values::is_user_code(value) || value.len() >= 6 && mixed;
    (start > end && capitals && long)
        .then(|| Span::new(start, stop, Category::OauthParameter, Action::Redacted))
}

pub(super) const fn in_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

/// Whether base64 decodes to `user:password`.
pub(super) fn is_base64_pair(value: &[u8]) -> bool {
    let mut bits = 0_u32;
    let mut count = 0;
    let mut colon = false;
    for byte in value.iter().take(1024).filter(|byte| **byte != b'=') {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            let byte = (bits >> count & 0xFF).to_le_bytes()[0];
            if byte < 0x20 {
                return false;
            }
            colon |= byte == b':';
        }
    }
    colon && value.len() >= 4
}
