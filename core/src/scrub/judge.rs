//! Whether what follows a label is a value, or the sentence going on.

use super::fold::Text;
use super::label::{Name, asks};
use super::lists::{among, list};
use super::values::{self, is_ordinary, is_plain, is_random, word_end};
use super::words::{self, Label, Words};

pub(super) fn is_marked(content: &[u8]) -> bool {
    values::MARKS.iter().any(|mark| content == mark.as_bytes())
}

/// `$TOKEN`, `${TOKEN}`, `%TOKEN%`, `{token}`: the name of a variable. `***`, `...`: what somebody took out before.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let yours = matches!(value, [b'y' | b'Y', _, _, _, b'_' | b'-', ..])
        && value.get(..4).is_some_and(|head| head.eq_ignore_ascii_case(b"your"));
    value.iter().all(|byte| matches!(byte, b'*' | b'.'))
        || matches!(value, [b'%', b'a'..=b'z' | b'@'])
        || value.len() > 2 && value.iter().all(|byte| matches!(byte, b'x' | b'X' | b'-'))
        || yours && value.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'))
        || value.split_first().is_some_and(|(&mark, name)| {
            // The end of a value leaves closing brackets out.
            let name = name.strip_prefix(b"{").unwrap_or(name);
            let name = name.strip_suffix(b"}").unwrap_or(name);
            let name = name.strip_suffix(if mark == b'%' { b"%" } else { b"}" }).unwrap_or(name);
            let any_case = mark == b'{';
            matches!(mark, b'$' | b'%' | b'{')
                && name.len() > 1
                && name.iter().all(|byte| {
                    byte.is_ascii_uppercase() || *byte == b'_' || any_case && byte.is_ascii_lowercase()
                })
        })
}

/// `<your token>`, `{API_KEY}`, `${{ secrets.TOKEN }}`: the name of what is to be put there.
pub(super) fn stands_in(text: Text<'_>, start: usize) -> bool {
    let (open, close) = match text.from(start) {
        [b'{', b'}', after @ ..] => return !after.first().is_some_and(u8::is_ascii_alphanumeric),
        [b'$', b'{', b'{', ..] => (3, b'}'),
        [b'{', b'{', ..] => (2, b'}'),
        [b'{', ..] => (1, b'}'),
        [b'<', ..] => (1, b'>'),
        _ => return false,
    };
    let rest = text.from(start + open);
    let Some(end) = rest.iter().take(48).position(|byte| *byte == close) else { return false };
    let name = rest.get(..end).unwrap_or_default().trim_ascii();
    let plain = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80 || b" _-.".contains(byte);
    name.iter().all(plain) && Words::of(name).label().is_some()
}

pub(super) fn is_nothing(value: &[u8]) -> bool {
    among(
        value,
        list![
            "null" "none" "nil" "undefined" "n/a" "true" "false" "ok" "enabled" "disabled" "required" "expired"
            "invalid" "valid" "missing" "failed" "success" "unset"
        ],
    )
}

/// A URL after a label is a page, as in "forgot your password: https://..."; what is secret in it is cut as in any.
pub(super) fn is_address(value: &[u8]) -> bool {
    let scheme = value.iter().take(12).take_while(|byte| byte.is_ascii_alphabetic()).count();
    scheme > 1
        && value.get(scheme..).is_some_and(|rest| rest.starts_with(b"://") || rest.starts_with(b":\\/\\/"))
}

/// A name of the trade of two words and more: `access_token` after "missing token:".
pub(super) fn is_key(value: &[u8]) -> bool {
    let plain = value.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_' || *byte == b'-');
    plain && value.contains(&b'_') && Words::of(value).label().is_some()
}

pub(super) fn is_digits(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_digit)
}

/// Digits that are a one-time code, or something random.
pub(super) fn is_secretish(value: &[u8], label: Label) -> bool {
    if is_digits(value) {
        return (4..=10).contains(&value.len()) && label.is(words::DIGITS | words::CODE | words::USER)
            || value.len() > 10;
    }
    let grouped = value.len() >= 6
        && label.is(words::DIGITS | words::CODE)
        && value.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
    is_random(value) || grouped
}

/// A status or an error code that a bare "code" may well be followed by.
pub(super) fn is_known_code(value: &[u8], label: Label) -> bool {
    label.is(words::CODE)
        && !label.is(words::OAUTH | words::DIGITS)
        && (super::is_error_code(value)
            || is_constant(value)
            || value.len() <= 10 && value.starts_with(b"0x"))
}

/// `tokens: 4014/8192`, `tokens: $0.01`: counted, and no secret.
pub(super) fn is_count(value: &[u8], label: Label) -> bool {
    label.is(words::PLURAL_TOKENS)
        && value.len() < 16
        && value.iter().all(|byte| byte.is_ascii_digit() || b",./%$".contains(byte))
}

/// `PERMISSION_DENIED`: an error's name. Codes that are handed around are no words.
fn is_constant(value: &[u8]) -> bool {
    value.contains(&b'_') && value.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
}

/// `state: waiting_for_user`, `code: invalid_grant`: one of the words that a program has for it.
pub(super) fn is_named(value: &[u8], label: Label) -> bool {
    label.is(words::CODE | words::STATE)
        && !label.is(words::OAUTH | words::DIGITS)
        && value.contains(&b'_')
        && value.split(|byte| *byte == b'_').all(is_plain)
}

pub(super) fn colon_holds(text: Text<'_>, value: &[u8], end: usize, label: Label, line: bool) -> bool {
    if is_known_code(value, label) || is_key(value) || is_named(value, label) {
        return false;
    }
    if is_count(value, label) {
        return false;
    }
    if line {
        return is_secretish(value, label) || !is_plain(value) && !label.is(words::ORDINARY);
    }
    if is_ordinary(value) {
        return false;
    }
    if label.is(words::DISTANT) {
        return is_secretish(value, label);
    }
    if is_thing(value, label) {
        return false;
    }
    // "pass: 3, fail: 0"
    if label.is(words::ORDINARY) && !label.is(words::DIGITS) && is_digits(value) && value.len() < 4 {
        return false;
    }
    if label.is(words::ORDINARY) && is_plain(value) {
        // "state: connecting to upstream" is a sentence, "state: xyzzyabc" is a value.
        return label.is(words::CODE | words::STATE) && ends_sentence(text, end);
    }
    true
}

pub(super) fn is_holds(text: Text<'_>, value: &[u8], end: usize, label: Label) -> bool {
    if is_known_code(value, label)
        || is_key(value)
        || is_ordinary(value)
        || is_compound(value)
        || is_named(value, label)
        || is_count(value, label)
    {
        return false;
    }
    if label.is(words::ORDINARY) {
        return is_secretish(value, label);
    }
    if is_plain(value) {
        return ends_sentence(text, end);
    }
    !is_digits(value) || value.len() > 3
}

/// `short-lived`, `read-only`, `case-sensitive`: what a secret is like.
fn is_compound(value: &[u8]) -> bool {
    let Some(at) = value.iter().rposition(|byte| *byte == b'-') else { return false };
    let (head, tail) = (value.get(..at).unwrap_or_default(), value.get(at + 1..).unwrap_or_default());
    head.eq_ignore_ascii_case(b"per") && is_plain(tail)
        || head.len() <= 12
            && head.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
            && among(
                tail,
                list![
                    "lived" "only" "sensitive" "scoped" "based" "encoded" "hashed" "signed" "encrypted" "issued"
                    "managed" "protected" "specific" "bound" "wide" "time" "date" "term" "free" "digit" "bit"
                ],
            )
}

pub(super) fn space_holds(text: Text<'_>, name: Name, value: &[u8], label: Label) -> bool {
    // `[sign in](https://...)` goes on with a page.
    if is_known_code(value, label) || value.windows(3).any(|window| window == b"://") {
        return false;
    }
    if is_digits(value) {
        let asked = label.is(words::CODE) && asks(text, name.left(text, 0));
        return (4..=10).contains(&value.len()) && (label.is(words::DIGITS) || asked) || value.len() > 15;
    }
    if is_thing(value, label) && !asks(text, name.left(text, 0)) {
        return false;
    }
    // "THIS CODE UNLESS YOU": everything is in capitals.
    let shouted = || {
        let word = text.slice(name.word.start, name.word.end);
        word.iter().all(u8::is_ascii_uppercase) && !asks(text, name.left(text, 0))
    };
    let upper = value.len() >= 6
        && label.is(words::CODE | words::DIGITS)
        && value.iter().all(u8::is_ascii_uppercase)
        && !is_ordinary(value)
        && !shouted();
    (is_secretish(value, label) || upper) && !is_key(value)
}

/// What an ordinary label is followed by when it means the ordinary thing: an issue's number, an errno, a way to sign
/// in, a call.
pub(super) fn is_thing(value: &[u8], label: Label) -> bool {
    if !label.is(words::ORDINARY) {
        return false;
    }
    if label.is(words::CODE) {
        let errno =
            value.first() == Some(&b'E') && value.len() <= 12 && value.iter().all(u8::is_ascii_uppercase);
        return errno && !label.is(words::DIGITS | words::OAUTH);
    }
    let letters = value.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let issue = value
        .get(letters..)
        .and_then(|rest| rest.strip_prefix(b"-"))
        .is_some_and(|number| (2..=6).contains(&letters) && number.len() <= 6 && is_digits(number));
    issue && !label.is(words::DIGITS) || values::is_method(value) || value.contains(&b'(')
}

pub(super) fn ends_sentence(text: Text<'_>, end: usize) -> bool {
    let byte = text.at(end);
    if !matches!(byte, b' ') {
        return true;
    }
    let next = text.slice(end + 1, word_end(text, end + 1));
    among(next, list!["and" "or" "for" "but" ""])
}
