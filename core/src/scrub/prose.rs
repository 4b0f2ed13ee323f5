//! `label separator value` in running text: the value goes.
//!
//! The label is what a key would be. What decides whether the next word is a value or the sentence going on is
//! the separator: after `=` everything is a value, after a colon nearly everything, after "is" what is no ordinary
//! word, and after a mere space only what looks made by a machine.

use super::credentials::{self, header, scheme};
use super::fold::Text;
use super::judge::{
    colon_holds, ends_sentence, is_address, is_count, is_digits, is_holds, is_key, is_known_code, is_marked,
    is_named, is_nothing, is_placeholder, is_secretish, is_thing, space_holds, stands_in,
};
use super::label::{Bond, NAME, Name, Word, begins_tag, bullet, gap, in_name, is_zh_is};
use super::lists::{List, among, beginning, list};
use super::values::{self, is_ordinary, is_plain, is_random, skip_white, word_end};
use super::words::{self, Label, Words};
use super::{Action, Category, Rules, Span, chinese};

/// How much of what may be a value is read before it is known to be one.
pub(super) const JUDGED: usize = 64;
/// The same for a quoted value.
const QUOTED: usize = 256;
/// The same for one that stands behind a sign.
const FIRM: usize = 1024;

/// The span of the value whose label, or whose scheme, begins at `start`. Never one that begins before `floor`.
pub(super) fn find(text: Text<'_>, start: usize, floor: usize, rules: Rules) -> Option<Span> {
    let first = text.at(start);
    if first >= 0x80 {
        return chinese(text, start);
    }
    let word = Word::at(text, start)?;
    if word.flags & words::SCHEME != 0
        && let Some(span) = scheme(text, word)
    {
        return Some(span);
    }
    if word.flags & words::LABEL == 0 {
        return None;
    }
    let mut name = Name::around(text, word, floor);
    let label = name.label(text, floor, rules)?;
    value_after(text, name, label)
        .or_else(|| bridge(text, name, label))
        .or_else(|| mismatch(text, name, label))
        .or_else(|| value_before(text, name, label, floor))
}

fn value_after(text: Text<'_>, name: Name, label: Label) -> Option<Span> {
    let gap = gap(text, name)?;
    let span = |start: usize, end: usize| Some(Span::new(start, end, label.category, Action::Redacted));
    let mut start = gap.value;
    if start >= text.len() {
        return None;
    }
    if gap.bond == Bond::Is {
        start = skip_filler(text, start);
    }
    if let Some(end) = after_mark(text, start) {
        return span(end.0, end.1).filter(|span| span.start < span.end);
    }
    let firm = gap.bond >= Bond::Colon;
    if let Some((length, quote)) = values::quote(text, start) {
        let inner = start + length;
        let end = if firm { quote.end(text, inner) } else { quote.end_within(text, inner, QUOTED)? };
        let content = text.slice(inner, end);
        if content.is_empty() || is_marked(content) || is_placeholder(content) || stands_in(text, inner) {
            return None;
        }
        // Node: `code: 'ECONNREFUSED'`
        let is_errno = label.is(words::CODE) && is_thing(content, label);
        if is_errno || is_known_code(content, label) || is_named(content, label) {
            return None;
        }
        // "Unexpected token '<'": a parser's.
        if gap.bond == Bond::Space && (content.len() < 3 || is_plain(content) && is_unexpected(text, name)) {
            return None;
        }
        if is_address(content) || gap.bond < Bond::Assign && (is_ordinary(content) || is_key(content)) {
            return None;
        }
        // "cookie 'sid' is missing"
        if gap.bond == Bond::Space
            && label.category == Category::AccessCredential
            && Words::of(content).are_known()
        {
            return None;
        }
        let loose = !firm && label.is(words::ORDINARY) || gap.bond == Bond::Comma;
        if loose && !is_secretish(content, label) {
            return None;
        }
        return span(inner, end);
    }
    if stands_in(text, start) {
        return None;
    }
    // `('bob', 'x')` is one value as `['bob', 'x']` is.
    let tuple = text.at(start) == b'(' && matches!(text.at(start + 1), b'"' | b'\'');
    if firm && (tuple || matches!(text.at(start), b'[' | b'{')) {
        let end = balanced(text, start);
        return span(start, end);
    }
    let wide = text.at(start) >= 0xE3
        && ["（", "【"].iter().any(|open| text.from(start).starts_with(open.as_bytes()));
    if wide || matches!(text.at(start), b'(' | b'<' | b'[') {
        start += if wide { 3 } else { tag(text, start).unwrap_or(1) };
        // `Token("x")`
        start += values::quote(text, start).map_or(0, |(length, _)| length);
        if let Some(end) = after_mark(text, start) {
            return span(end.0, end.1).filter(|span| span.start < span.end);
        }
    }
    let credentials = if label.is(words::HEADER) && firm { header(text, start) } else { None };
    if let Some(end) = credentials {
        return span(end.0, end.1).filter(|span| span.start < span.end);
    }
    let judged = if firm { FIRM } else { JUDGED };
    let value_end = |most: usize| {
        if text.at(start) < 0x80 {
            Some(values::end_within(text, start, most))
        } else {
            cjk_end(text, start, gap.bond, label, most)
        }
    };
    let mut end = value_end(judged)?;
    if let Some(whole) = wrapped(text, start, end).filter(|_| firm) {
        return span(start, whole);
    }
    let value = text.slice(start, end);
    if value.is_empty()
        || value.iter().all(|byte| matches!(byte, b'*' | b'.' | b'-' | b',' | b':'))
        || is_nothing(value)
        || is_placeholder(value)
        || is_address(value)
        || gap.bond == Bond::Colon && (is_place(text, name, value) || is_counted(text, name, end, value))
        // `<token>`: what is to be put there.
        || text.before(start) == b'<' && text.at(end) == b'>' && is_ordinary(value)
    {
        return None;
    }
    // In HTML `<code>npm login</code>` is what is typed.
    let typed = label.is(words::CODE) && begins_tag(text, name.start);
    // `invalid_token: Ask for a new one` is an error, and what is said of it.
    let said =
        gap.bond == Bond::Colon && is_error(text.slice(name.start, name.end)) && !ends_sentence(text, end);
    if (typed || said) && !is_secretish(value, label) {
        return None;
    }
    // "123 456", as one-time codes are shown.
    if is_digits(value) && value.len() == 3 && label.is(words::DIGITS) {
        let second = text.slice(end + 1, end + 4);
        if text.at(end) == b' '
            && second.len() == 3
            && is_digits(second)
            && !text.at(end + 4).is_ascii_alphanumeric()
        {
            return span(start, end + 4);
        }
    }
    let holds = match gap.bond {
        Bond::Assign if is_known_code(value, label) || is_count(value, label) => false,
        Bond::Assign => !gap.line || is_secretish(value, label) || !is_ordinary(value),
        Bond::Colon => colon_holds(text, value, end, label, gap.line),
        Bond::Is => is_holds(text, value, end, label),
        Bond::Comma | Bond::Space => space_holds(text, name, value, label),
    };
    let is_pass_phrase = || {
        gap.bond >= Bond::Is
            && label.is(words::PHRASE)
            && is_phrase(text.slice(start, phrase_end(text, end)), firm)
    };
    if !(holds || is_pass_phrase()) {
        return None;
    }
    // What was judged may have been its first part, cut before a full stop.
    end = value_end(usize::MAX)?;
    if label.is(words::PHRASE) {
        end = phrase_end(text, end);
    }
    let is =
        |word: &[u8]| text.slice(name.word.start, name.word.start + word.len()).eq_ignore_ascii_case(word);
    // `Stripe-Signature: t=1,v1=x`
    if firm && (matches!(text.before(name.end), b's' | b'S' | 0x80..) || is(b"signature")) {
        end = list_end(text, end, label);
    }
    if firm && is(b"cookie") {
        end = cookies_end(text, end);
    }
    // "credentials: bob / x"
    if firm && text.slice(end, end + 3) == b" / " && is(b"cred") {
        end = values::end(text, end + 3);
    }
    span(start, end)
}

/// The end of a value that a program printed with its kind around it: `b'x'`, `Some("x")`, `Secret { inner: "x" }`. The
/// kind ends at `end`.
fn wrapped(text: Text<'_>, start: usize, end: usize) -> Option<usize> {
    let kind = text.slice(start, end);
    let braces = text.slice(end, end + 2) == b" {";
    if let Some(open) = kind.iter().take(JUDGED).position(|byte| *byte == b'(') {
        return (braces || kind.last() == Some(&b'(')).then(|| balanced(text, start + open));
    }
    if let Some((length, quote)) = values::quote(text, end) {
        // The quote after `'token=b'` closes.
        let opens = !kind.is_empty() && kind.len() <= 2 && text.at(end + length).is_ascii_alphanumeric();
        return opens.then(|| (quote.end(text, end + length) + length).min(text.len()));
    }
    let is_kind = kind.first().is_some_and(u8::is_ascii_uppercase)
        && kind.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b':')
        && !is_ordinary(kind);
    (is_kind && braces).then(|| balanced(text, end + 1))
}

/// `API keys: 3`, `验证码：6位数字`, `密码：8-16位`: how many of them, or how long it is.
fn is_counted(text: Text<'_>, name: Name, end: usize, value: &[u8]) -> bool {
    let plural = matches!(text.before(name.end), b's' | b'S');
    let few = value.split(|byte| matches!(byte, b'-' | b'~')).all(|part| part.len() < 3 && is_digits(part));
    value.len() < 6 && few && (plural || matches!(text.at(end), 0xE4..=0xE9))
}

/// `invalid_token`, `ERR_BAD_PASSWORD`: the name of an error about a secret.
fn is_error(name: &[u8]) -> bool {
    let first = name.iter().position(|byte| *byte == b'_').and_then(|at| name.get(..at)).unwrap_or_default();
    among(first, list!["invalid" "missing" "expired" "bad" "unknown" "unsupported" "err" "error" "no"])
}

/// `token.py:42`: a line of a file.
fn is_place(text: Text<'_>, name: Name, value: &[u8]) -> bool {
    let name = text.slice(name.start, name.end);
    let extension = name.iter().rposition(|byte| *byte == b'.').and_then(|dot| name.get(dot + 1..));
    extension.is_some_and(|extension| extension.len() < 5 && words::flags(extension) == 0)
        && value.iter().all(|byte| byte.is_ascii_digit() || *byte == b':')
}

fn is_unexpected(text: Text<'_>, name: Name) -> bool {
    let (start, end) = name.left(text, 0);
    text.slice(start, end).eq_ignore_ascii_case(b"unexpected")
}

/// The length of an HTML tag around a value. `<x>` may be the value itself, so only the tags of marked words are known.
fn tag(text: Text<'_>, start: usize) -> Option<usize> {
    let end = word_end(text, start + 1);
    let name = text.slice(start + 1, end);
    let close = text.from(end).iter().take(64).position(|byte| *byte == b'>')?;
    (text.at(start) == b'<'
        && among(name, list!["b" "i" "u" "em" "strong" "code" "kbd" "tt" "pre" "span" "td"]))
    .then(|| end + close + 1 - start)
}

/// After a mark nothing is left to take, unless something is glued to it.
pub(super) fn after_mark(text: Text<'_>, start: usize) -> Option<(usize, usize)> {
    let end = values::mark(text, start)?;
    if values::ends_value(text.at(end))
        || text.at(end) >= 0x80
        || matches!(text.at(end), b',' | b';' | b')' | b']' | b'}' | b'.' | b'&' | b'\\')
    {
        return Some((end, end));
    }
    let stop = values::end(text, end);
    // "!!!" is the sentence's: taken one by one it would take as many passes to be gone.
    let glued = text.slice(end, stop).iter().any(|byte| !matches!(byte, b'!' | b'?' | b':' | b'*'));
    Some(if glued { (start, stop) } else { (end, end) })
}

/// "is now", "is set to".
fn skip_filler(text: Text<'_>, mut at: usize) -> usize {
    for _ in 0..3 {
        let end = word_end(text, at);
        let word = text.slice(at, end);
        if text.at(end) != b' '
            || !among(word, list!["now" "currently" "set" "to" "equal" "simply" "just" "still"])
        {
            break;
        }
        at = end + 1;
    }
    at
}

/// A value that begins beyond ASCII: up to the next mark of punctuation or blank. What a sentence would go on
/// with is no value.
fn cjk_end(text: Text<'_>, start: usize, bond: Bond, label: Label, most: usize) -> Option<usize> {
    if bond < Bond::Colon && !label.is(words::PHRASE) {
        return None;
    }
    let rest = text.from(start);
    const SENTENCE: List = list![
        "已" "请" "無" "无" "未" "不" "错误" "過" "过期" "失效" "为空" "必填" "需" "用于" "是" "的" "在" "由" "可" "将" "会" "有" "没" "正"
        "有效" "至少" "至多" "最少" "最多" "最长" "最短" "应" "必须" "仅"
        "您" "你" "我" "该" "此" "这" "，" "。" "：" "；" "！" "？" "）" "、" "“" "”" "—" "…"
    ];
    if beginning(rest, SENTENCE).is_some() {
        return None;
    }
    let mut at = start;
    while at < text.len() && at - start < most {
        let byte = text.at(at);
        let three = text.slice(at, at + 3);
        let ideograph = matches!(byte, 0xE4..=0xED) || byte == 0xE3 && text.at(at + 1) != 0x80;
        if values::ends_value(byte)
            || matches!(byte, b',' | b';')
            || three.len() == 3 && byte >= 0xE0 && !ideograph && byte < 0xF0
        {
            break;
        }
        at += match byte {
            0xE0..=0xEF => 3,
            0xF0.. => 4,
            0xC0..=0xDF => 2,
            _ => 1,
        };
    }
    let at = at.min(text.len());
    (at > start).then_some(at)
}

/// Three words and more, none of which holds a sentence together. After "is" they must not be a sentence's own.
fn is_phrase(phrase: &[u8], firm: bool) -> bool {
    let words = phrase.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    let mut count = 0;
    let all = words.into_iter().all(|word| {
        count += u8::from(count < 3 && (firm || !is_ordinary(word)));
        !values::is_function(word)
    });
    all && count > 2
}

/// To the end of the sentence or the line.
fn phrase_end(text: Text<'_>, from: usize) -> usize {
    let stop = |byte: u8| {
        matches!(byte, b'\n' | b'\r' | b'.' | b',' | b';' | b'!' | b'?' | b'"' | b'<') || byte >= 0x80
    };
    let end = from
        + text
            .from(from)
            .iter()
            .take(256)
            .position(|byte| stop(*byte))
            .unwrap_or_else(|| text.from(from).len().min(256));
    let blanks = text.slice(from, end).iter().rev().take_while(|byte| **byte == b' ').count();
    end - blanks
}

/// `codes: a, b, c`: all of them.
fn list_end(text: Text<'_>, mut end: usize, label: Label) -> usize {
    loop {
        let comma = match text.at(end) {
            b',' => 1,
            b'\r' | b'\n' => bullet(text, skip_white(text, end, 16)).map_or(0, |next| next - end),
            0xE3 if text.slice(end, end + 3) == "、".as_bytes() => 3,
            _ => 0,
        };
        let next = skip_white(text, end + comma, 2);
        let stop = values::end(text, next);
        let value = text.slice(next, stop);
        let code = comma > 0 && value.len() >= 4 && value.iter().any(u8::is_ascii_digit);
        if next == end || !is_secretish(value, label) && !code {
            break;
        }
        end = stop;
    }
    end
}

/// `; name=value` after the first cookie.
fn cookies_end(text: Text<'_>, mut end: usize) -> usize {
    loop {
        if text.at(end) != b';' {
            return end;
        }
        let next = skip_white(text, end + 1, 2);
        let value = values::end(text, next);
        if value == next || !text.slice(next, value).contains(&b'=') {
            return end;
        }
        end = value;
    }
}

/// The end of a bracketed value, brackets inside and quotes counted. One that is never closed takes all.
fn balanced(text: Text<'_>, start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while at < text.len() {
        match text.at(at) {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            b'"' | b'\'' => {
                if let Some((length, quote)) = values::quote(text, at) {
                    at = quote.end(text, at + length);
                }
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// Chinese: `密码：x`, `密码是 x`, `验证码 123456`, `验证码已发送：123456`.
fn chinese(text: Text<'_>, start: usize) -> Option<Span> {
    let Some((length, label)) = chinese::name(text.from(start)) else {
        // 输入 WDJB-MJHT
        let entered = text.from(start).starts_with("输入".as_bytes());
        return if entered { credentials::entered(text, start + 6) } else { None };
    };
    let mut end = start + length;
    end += beginning(text.from(end), list!["值" "号" "ID" "Id" "id" " ID" " id"]).unwrap_or(0);
    let name = Name { start: end, end, word: Word { start, end, flags: 0 } };
    if let Some(gap) = gap(text, name).filter(|gap| gap.bond > Bond::Space) {
        let _ = gap;
        return value_after(text, name, label);
    }
    let span = |start, end| Some(Span::new(start, end, label.category, Action::Redacted));
    // A value right after it, or after a blank.
    let closing = beginning(text.from(end), list!["】" "」" "”"]).unwrap_or(0);
    let mut blank = skip_white(text, end + closing, 4);
    if matches!(text.from(blank), [0xE2, 0x80, 0x93 | 0x94, ..]) {
        blank = skip_white(text, blank + 3, 4);
    }
    if text.from(blank).starts_with("（".as_bytes()) {
        blank += 3;
    } else if text.at(blank) == b'(' {
        blank += 1;
    }
    if let Some((length, quote)) = values::quote(text, blank) {
        let close = quote.end_within(text, blank + length, QUOTED)?;
        let content = text.slice(blank + length, close);
        if !content.is_empty()
            && !is_marked(content)
            && content.is_ascii()
            && !is_ordinary(content)
            && !is_key(content)
        {
            return span(blank + length, close);
        }
        return None;
    }
    if values::mark(text, blank).is_some() {
        return None;
    }
    let stop = values::end_within(text, blank, JUDGED);
    let value = text.slice(blank, stop);
    if text.at(blank) < 0x80 && is_secretish(value, label) && value.len() >= 4 {
        return span(blank, values::end(text, blank));
    }
    // A few characters of a sentence up to a colon, or to a word that a value follows: 密码已重置为 x.
    let mut at = end;
    let mut told = false;
    for _ in 0..8 {
        let three = text.slice(at, at + 3);
        if !matches!(text.at(at), 0xE4..=0xE9)
            || among(three, list!["期" "长" "数" "时" "类" "型" "策" "度" "错" "间"])
        {
            break;
        }
        at += 3;
        told = is_zh_is(three) || among(three, list!["成" "叫"]);
    }
    let bridge = Name { start: at, end: at, word: name.word };
    let gap = gap(text, bridge).filter(|gap| gap.bond > Bond::Space && at > end);
    let value = match gap {
        Some(gap) => gap.value,
        None if told => skip_white(text, at, 4),
        None => return chinese_before(text, start, label),
    };
    let stop = values::end_within(text, value, JUDGED);
    let held = text.at(value) < 0x80
        && values::mark(text, value).is_none()
        && is_secretish(text.slice(value, stop), label);
    if held { span(value, values::end(text, value)) } else { None }
}

/// 123456是您的验证码, 123456（验证码）: the value stands before its label.
fn chinese_before(text: Text<'_>, start: usize, label: Label) -> Option<Span> {
    let mut at = start;
    for _ in 0..8 {
        // One character back, as long as it is Chinese.
        if !matches!(text.at(at.checked_sub(3)?), 0xE3..=0xEF) {
            break;
        }
        at -= 3;
    }
    let link = text.slice(at, at + 3);
    if !(is_zh_is(link) || at + 3 == start && link == "（".as_bytes()) {
        return None;
    }
    let mut from = at - usize::from(text.before(at) == b' ');
    let end = from;
    while end - from < JUDGED && in_name(text.before(from)) {
        from -= 1;
    }
    let value = text.slice(from, end);
    (is_random(value) || label.is(words::DIGITS) && is_digits(value) && (4..=8).contains(&value.len()))
        .then(|| Span::new(from, end, label.category, Action::Redacted))
}

/// "The code for your account is 123456", "set the password to x": a few words, and then what is no word.
fn bridge(text: Text<'_>, name: Name, label: Label) -> Option<Span> {
    if label.is(words::ORDINARY) && !label.is(words::DIGITS) {
        return None;
    }
    let mut at = name.end;
    for _ in 0..6 {
        if text.at(at) != b' ' {
            return None;
        }
        let start = at + 1;
        if let Some(end) = values::mark(text, start) {
            at = end;
            continue;
        }
        let end = word_end(text, start);
        let word = text.slice(start, end);
        if word.is_empty() || word.len() > 15 {
            return None;
        }
        at = end;
        // "password for alice: x", but not "token error: x".
        let colon = text.at(end) == b':' && words::flags(word) & words::ABOUT == 0;
        if !colon && !among(word, list!["is" "to" "from" "was" "are"]) {
            continue;
        }
        let end = end + usize::from(colon);
        let mut value = skip_white(text, end, 2);
        if value == end {
            return None;
        }
        if let Some((length, _)) = values::quote(text, value) {
            value += length;
        }
        let judged = text.slice(value, values::end_within(text, value, JUDGED));
        if text.at(value) < 0x80
            && is_secretish(judged, label)
            && !is_key(judged)
            && values::mark(text, value).is_none()
        {
            let end = values::end(text, value);
            return Some(Span::new(value, end, label.category, Action::Redacted));
        }
    }
    None
}

/// "State mismatch, expecting x but got y", "nonce does not match: x != y": from the first value to the last.
fn mismatch(text: Text<'_>, name: Name, label: Label) -> Option<Span> {
    if label.is(words::CODE) {
        return None;
    }
    let mut at = name.end;
    let mut found = false;
    for _ in 0..4 {
        let start = at + usize::from(text.at(at) == b' ');
        at = word_end(text, start);
        let word = text.slice(start, at);
        // Nearly always it is another.
        if !word.first().is_some_and(|byte| b"mdnpvMDNPV".contains(byte)) {
            at = at.max(start);
            break;
        }
        found = among(word, list!["mismatch" "match" "differs"]);
        if found || !among(word, list!["does" "do" "did" "not" "parameter" "value"]) {
            at = at.max(start);
            break;
        }
    }
    if !found && text.at(at) < 0x80 {
        return None;
    }
    at += beginning(text.from(at), list!["参数" "参数值" "值"]).unwrap_or(0);
    found |= beginning(text.from(at), list!["不匹配" "不一致" "不符"]).is_some();
    let mut span: Option<Span> = None;
    let most = at + 2 * NAME;
    while found && at < most {
        if matches!(text.at(at), b'\n' | 0) || text.at(at) == b'.' && text.at(at + 1) <= b' ' {
            break;
        }
        if let Some(end) = values::mark(text, at) {
            at = end;
            continue;
        }
        let start = at;
        at = values::end_within(text, at, FIRM).max(at + 1);
        if is_secretish(text.slice(start, at), label) {
            at = values::end(text, start);
            let first = span.map_or(start, |span| span.start);
            span = Some(Span::new(first, at, label.category, Action::Redacted));
        }
    }
    span
}

/// "123456 is your code".
fn value_before(text: Text<'_>, name: Name, label: Label, floor: usize) -> Option<Span> {
    if !label.is(words::DIGITS | words::CODE | words::USER) {
        return None;
    }
    let least = floor.max(name.start.saturating_sub(64));
    let before = text.slice(least, name.start);
    // " is " or " as ". First all places are asked at once, and less exactly, which takes few vector instructions: most
    // labels have none before them.
    let (s, blank) = (before.get(2..)?, before.get(3..)?);
    let places = before.iter().zip(s).zip(blank);
    let maybe = places.fold(0, |all, ((first, s), blank)| {
        all | u8::from(*first == b' ') & u8::from(*s | 0x20 == b's') & u8::from(*blank == b' ')
    });
    if maybe == 0 {
        return None;
    }
    let is = before.windows(4).rposition(|four| {
        <[u8; 4]>::try_from(four)
            .is_ok_and(|four| u32::from_le_bytes(four) | 0x20_2800 == u32::from_le_bytes(*b" is "))
    })?;
    let between = before.get(is + 4..)?;
    let your = [&b"your "[..], b"my ", b"the "]
        .iter()
        .any(|word| between.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)));
    if !your || !between.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ') {
        return None;
    }
    let end = least + is;
    let mut start = end;
    // As far back as it reaches: half of a value would be left otherwise.
    while start > floor && !values::ends_value(text.before(start)) && text.before(start) < 0x80 {
        start -= 1;
    }
    let value = text.slice(start, end);
    (is_secretish(value, label) || is_digits(value) && value.len() >= 4)
        .then(|| Span::new(start, end, label.category, Action::Redacted))
}
