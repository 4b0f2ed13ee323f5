//! Credentials that a scheme announces: `Bearer x`, `Basic x`, the rest of an Authorization header.

use super::fold::Text;
use super::judge::{is_digits, is_key, is_placeholder};
use super::label::Word;
use super::lists::{List, among, beginning, list};
use super::prose::{JUDGED, after_mark};
use super::values::{self, is_ordinary, is_plain, is_random, skip_white, white};
use super::{Action, Category, Span, words};

/// `Authorization: scheme credentials`: the credentials, and all that belongs to them.
pub(super) fn header(text: Text<'_>, start: usize) -> Option<(usize, usize)> {
    let scheme = text
        .from(start)
        .iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
        .count();
    let name = text.slice(start, start + scheme);
    let known = is_scheme(name) || name.eq_ignore_ascii_case(b"token");
    if scheme == 0 || white(text, start + scheme) == 0 {
        return None;
    }
    let value = skip_white(text, start + scheme, 8);
    if !known {
        // A scheme of somebody's own, if it is a word of letters before what looks like a credential.
        let end = values::end(text, value);
        let letters = name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
        let is_one = letters && !is_ordinary(name) && is_random(text.slice(value, end));
        return is_one.then_some((start, end));
    }
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
    among(
        word,
        list![
            "bearer" "basic" "digest" "negotiate" "ntlm" "hawk" "mac" "apikey" "aws4-hmac-sha256" "oauth"
            "dpop"
        ],
    )
}

/// `Bearer x` and `Basic x`, wherever they stand.
pub(super) fn scheme(text: Text<'_>, word: Word) -> Option<Span> {
    let name = text.slice(word.start, word.end);
    if name.eq_ignore_ascii_case(b"enter") {
        return entered(text, word.end);
    }
    if name.eq_ignore_ascii_case(b"sign") || name.eq_ignore_ascii_case(b"verify") {
        return used(text, word.start);
    }
    let bearer = name.eq_ignore_ascii_case(b"bearer");
    let basic = name.eq_ignore_ascii_case(b"basic");
    let long = among(name, list!["negotiate" "ntlm" "dpop"]);
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
        const PARAMETERS: List = list![
            "realm" "error" "scope" "error_description" "error_uri" "resource_metadata" "authorization_uri"
            "charset" "resource" "as_uri"
        ];
        among(name, PARAMETERS)
    });
    if value.is_empty()
        || is_placeholder(value)
        || is_parameter
        || is_ordinary(value)
        || is_key(value)
        || is_trade(value)
    {
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

/// "Bearer challenge", "Basic credentials".
fn is_trade(word: &[u8]) -> bool {
    is_plain(word) && words::flags(word) != 0
}

/// `curl -u alice:x`, `docker login -p x`: an option of a command line whose value is a credential.
pub(super) fn option(text: Text<'_>, start: usize) -> Option<Span> {
    const PAIR: &[&[u8]] = &[b"curl", b"http", b"https", b"xh", b"wget"];
    const ALONE: &[&[u8]] = &[b"login", b"mysql", b"mysqldump", b"mongosh"];
    // Of these the option has no other meaning.
    const SURE: &[&[u8]] = &[b"sshpass", b"redis-cli"];
    if !matches!(text.before(start), 0 | b' ' | b'\t' | b'\n' | b'"' | b'\'' | b'`') {
        return None;
    }
    let length = text.from(start).iter().take(16).take_while(|byte| in_option(**byte)).count();
    let end = start + length;
    let is_pair = match text.slice(start, end) {
        b"-u" | b"-U" | b"--user" | b"--proxy-user" => true,
        b"-a" => is_for(text, start, PAIR),
        b"-p" => false,
        _ => return None,
    };
    let mut value = if text.at(end) == b'=' { end + 1 } else { skip_white(text, end, 4) };
    let quoted = values::quote(text, value);
    let mut stop = 0;
    if let Some((length, quote)) = quoted {
        value += length;
        stop = quote.end_within(text, value, JUDGED * 4).unwrap_or(0);
    }
    if stop == 0 {
        stop = values::end(text, value);
    }
    if is_pair {
        let colon =
            text.slice(value, stop).iter().position(|byte| *byte == b':').filter(|colon| *colon > 0)?;
        value += colon + 1;
    }
    let (value, stop) = match after_mark(text, value) {
        Some(place) => place,
        None => (value, stop),
    };
    let secret = text.slice(value, stop);
    // `docker run -u app:app`, `ssh -p 22`: the command says what the option is, or the value does.
    let holds = if is_pair {
        is_random(secret) || is_for(text, start, PAIR)
    } else {
        !is_digits(secret)
            && (is_for(text, start, SURE)
                || (quoted.is_some() || !is_plain(secret)) && is_for(text, start, ALONE))
    };
    (holds && !secret.is_empty() && !is_placeholder(secret))
        .then(|| Span::new(value, stop, Category::UserSecret, Action::Redacted))
}

const fn in_option(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Whether one of the commands stands before an option, on its line.
fn is_for(text: Text<'_>, start: usize, commands: &[&[u8]]) -> bool {
    text.slice(start.saturating_sub(JUDGED * 2), start)
        .rsplit(|byte| *byte == b'\n')
        .next()
        .is_some_and(|line| line.split(|byte| !in_option(*byte)).any(|word| commands.contains(&word)))
}

/// "Enter WDJB-MJHT", "enter 123456 to continue": a code without a label.
pub(super) fn entered(text: Text<'_>, end: usize) -> Option<Span> {
    let start = skip_white(text, end, 2);
    let stop = values::end_within(text, start, JUDGED);
    let value = text.slice(start, stop);
    let capitals =
        value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'-');
    let mixed = value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_uppercase);
    let long = value.len() >= 8 && values::is_user_code(value) || value.len() >= 6 && mixed;
    let digits =
        (6..=8).contains(&value.len()) && value.iter().all(u8::is_ascii_digit) && leads_in(text, stop);
    // Chinese needs no blank.
    ((start > end || text.before(end) >= 0x80) && capitals && (long || digits))
        .then(|| Span::new(start, stop, Category::OauthParameter, Action::Redacted))
}

/// "Use 123456 to sign in", "123456 to verify".
fn used(text: Text<'_>, start: usize) -> Option<Span> {
    let end = start.checked_sub(4)?;
    let digits =
        text.slice(end.saturating_sub(9), end).iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let from = end - digits;
    let alone = matches!(text.before(from), 0 | b' ' | b'"' | b'\n') || text.before(from) >= 0x80;
    ((6..=8).contains(&digits) && alone && leads_in(text, end))
        .then(|| Span::new(from, end, Category::UserSecret, Action::Redacted))
}

/// "to sign in", "to continue", "at https://": what a code is entered for, and where.
fn leads_in(text: Text<'_>, at: usize) -> bool {
    let blank = at + usize::from(text.at(at) == b' ');
    let done = list!["完成登录" "完成验证" "完成授权" "登录" "继续" "以登录" "以继续" "进行登录" "进行验证"];
    text.slice(at, at + 8) == b" at http"
        || beginning(text.from(blank), done).is_some()
        || text.slice(at, at + 4) == b" to "
            && [
                &b"sign"[..],
                b"log",
                b"login",
                b"continue",
                b"verify",
                b"confirm",
                b"complete",
                b"approve",
                b"authorize",
            ]
            .contains(&text.slice(at + 4, values::word_end(text, at + 4)))
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
