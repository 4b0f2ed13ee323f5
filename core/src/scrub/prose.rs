//! `label separator value` in running text: the value goes.
//!
//! The label is what a key would be. What decides whether the next word is a value or the sentence going on is
//! the separator: after `=` everything is a value, after a colon nearly everything, after "is" what is no ordinary
//! word, and after a mere space only what looks made by a machine.

use super::fold::Text;
use super::values::{self, is_ordinary, is_plain, is_random, skip_white, word_end};
use super::words::{self, Label, Words};
use super::{Action, Category, Rules, Span, chinese};

/// How far a name is followed to either side.
const NAME: usize = 96;
/// How much of what may be a value is read before it is known to be one.
const JUDGED: usize = 64;
/// The same for a quoted value.
const QUOTED: usize = 256;

/// How firmly a separator binds a value to its label.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Bond {
    /// Items of a list.
    Comma,
    Space,
    Is,
    Colon,
    Assign,
}

/// The span of the value whose label, or whose scheme, begins at `start`. Never one that begins before `floor`.
pub(super) fn find(text: Text<'_>, start: usize, floor: usize, rules: Rules) -> Option<Span> {
    let first = text.at(start);
    if first >= 0x80 {
        return chinese(text, start);
    }
    let word = Word::at(text, start)?;
    let flags = words::flags(text.slice(word.start, word.end));
    if flags & words::SCHEME != 0
        && let Some(span) = scheme(text, word)
    {
        return Some(span);
    }
    if flags & words::LABEL == 0 {
        return None;
    }
    let mut name = Name::around(text, word, floor);
    let label = name.label(text, floor, rules)?;
    value_after(text, name, label)
        .or_else(|| bridge(text, name, label))
        .or_else(|| value_before(text, name, label, floor))
}

/// A word that may be part of a label.
#[derive(Debug, Clone, Copy)]
struct Word {
    start: usize,
    end: usize,
}

impl Word {
    fn at(text: Text<'_>, start: usize) -> Option<Self> {
        let skip = usize::from(text.at(start).is_ascii_digit());
        let whole = word_end(text, start + skip);
        let known = |end: usize| words::flags(text.slice(start, end)) & (words::LABEL | words::SCHEME) != 0;
        let end = if known(whole) {
            whole
        } else {
            let part = camel_end(text, start, whole);
            if part == whole || !known(part) {
                return None;
            }
            part
        };
        let (before, first) = (text.before(start), text.at(start));
        let camel = first.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || text.at(start + 1).is_ascii_lowercase());
        if before.is_ascii_alphabetic() && !camel && !words::is_telling(text.slice(start, end)) {
            return None;
        }
        Some(Self { start, end })
    }
}

/// Where the first part of a camel-case word ends.
fn camel_end(text: Text<'_>, start: usize, end: usize) -> usize {
    let mut last = text.at(start);
    for at in start + 1..end {
        let byte = text.at(at);
        if byte.is_ascii_uppercase() && last.is_ascii_lowercase() {
            return at;
        }
        last = byte;
    }
    end
}

/// A whole identifier, such as `oauth.client_secret`.
#[derive(Debug, Clone, Copy)]
struct Name {
    start: usize,
    end: usize,
    word: Word,
}

const fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$')
}

impl Name {
    fn around(text: Text<'_>, word: Word, floor: usize) -> Self {
        let least = floor.max(word.start.saturating_sub(NAME));
        let mut start = word.start;
        while start > least && in_name(text.before(start)) {
            start -= 1;
        }
        let mut end = word.end;
        while end < word.end + NAME && in_name(text.at(end)) {
            end += 1;
        }
        while end > word.end && !text.before(end).is_ascii_alphanumeric() && text.before(end) != b'_' {
            end -= 1;
        }
        Self { start, end, word }
    }

    fn label(&mut self, text: Text<'_>, floor: usize, rules: Rules) -> Option<Label> {
        let mut words = Words::of(text.slice(self.start, self.end));
        // "client id", "session key", "security answer": the head follows.
        for _ in 0..2 {
            let gap = text.at(self.end);
            let next = self.end + 1;
            let end = word_end(text, next);
            let head = words::HEAD & words::flags(text.slice(next, end));
            let value = text.slice(next, end).eq_ignore_ascii_case(b"value")
                || text.slice(self.start, self.end).eq_ignore_ascii_case(b"maiden");
            if gap != b' ' || head == 0 && !value || in_name(text.at(end)) && text.at(end) != b'.' {
                break;
            }
            if !value {
                words.add(text.slice(next, end));
            }
            self.end = end;
        }
        let left = self.left(text, floor);
        let before = words::flags(text.slice(left.0, left.1));
        let alone = left.0 == left.1 || before & words::SMALL != 0;
        if let Some(label) = words.label() {
            let bare = label.is(words::CODE | words::STATE);
            if !label.is(words::ORDINARY) {
                return Some(label);
            }
            if bare && is_companion(label, before) {
                return Some(Label::new(Category::OauthParameter, words::OAUTH | words::DIGITS));
            }
            if before & words::HARMLESS != 0 || bare && words::owns(text.slice(left.0, left.1)) {
                return None;
            }
            if bare && !alone {
                let label = Label::new(label.category, label.flags | words::DISTANT);
                return (rules == Rules::Hint).then_some(label);
            }
            return if bare && rules == Rules::Details {
                self.asked_for(text, left, label)
            } else {
                Some(label)
            };
        }
        // "API key": the word before makes it one.
        if before & (words::MAKES_KEY | words::MAKES_CODE | words::SECURITY) == 0 {
            return None;
        }
        let mut phrase = Words::of(text.slice(left.0, left.1));
        phrase.add(text.slice(self.start, self.end));
        phrase.label()
    }

    /// A bare `code` in details is an ordinary thing, unless somebody is asked to enter it.
    fn asked_for(&self, text: Text<'_>, left: (usize, usize), label: Label) -> Option<Label> {
        let _ = self;
        let your = text.slice(left.0, left.1).eq_ignore_ascii_case(b"your");
        (label.is(words::CODE) && (your || asks(text, left))).then_some(label)
    }

    /// The word before the name, if only a space lies between.
    fn left(&self, text: Text<'_>, floor: usize) -> (usize, usize) {
        let end = self.start.saturating_sub(1);
        if self.start <= floor || text.at(end) != b' ' {
            return (self.start, self.start);
        }
        let least = floor.max(end.saturating_sub(32));
        let mut start = end;
        while start > least && (text.before(start).is_ascii_alphanumeric() || text.before(start) == b'-') {
            start -= 1;
        }
        if start == end { (self.start, self.start) } else { (start, end) }
    }
}

/// Whether the word before makes a bare `code` or `state` a parameter.
const fn is_companion(label: Label, before: words::Flags) -> bool {
    if label.is(words::CODE) {
        before & (words::MAKES_CODE | words::USER | words::OAUTH) != 0
    } else {
        before & words::MAKES_CODE != 0 && before & words::MAKES_KEY != 0 || before & words::OAUTH != 0
    }
}

/// "enter the", "use this": the word before last asks for what follows.
fn asks(text: Text<'_>, left: (usize, usize)) -> bool {
    let end = left.0.saturating_sub(1);
    let mut start = end;
    while start > end.saturating_sub(10) && text.before(start).is_ascii_alphabetic() {
        start -= 1;
    }
    let asking = |word: &[u8]| {
        [
            &b"enter"[..],
            b"entering",
            b"use",
            b"using",
            b"type",
            b"input",
            b"paste",
            b"submit",
            b"provide",
            b"copy",
            b"with",
        ]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
    };
    asking(text.slice(start, end)) || asking(text.slice(left.0, left.1))
}

/// What stands between a label and its value.
struct Gap {
    bond: Bond,
    value: usize,
    /// A line ended on the way.
    line: bool,
}

fn gap(text: Text<'_>, name: Name) -> Option<Gap> {
    let mut at = name.end;
    // `--password x`, as on a command line.
    let option =
        text.slice(name.start, name.start + 2) == b"--" || text.slice(name.start, name.start + 2) == b"-p";
    let mut quoted = false;
    if text.before(name.start) == b'<' {
        let inside = text.from(at).iter().take(64).position(|byte| *byte == b'>' || *byte == b'<')?;
        if text.at(at + inside) == b'>' {
            return Some(Gap { bond: Bond::Assign, value: at + inside + 1, line: false });
        }
    }
    // Whatever closes around a label: quotes, brackets, Markdown.
    for _ in 0..6 {
        if let Some((length, _)) = values::quote(text, at).filter(|_| text.at(at) < 0x80) {
            at += length;
            quoted = true;
        } else if matches!(text.at(at), b']' | b'*' | b')' | b'`') {
            at += 1;
        } else {
            break;
        }
    }
    if text.from(at).starts_with("”".as_bytes()) || text.from(at).starts_with("」".as_bytes()) {
        at += 3;
        quoted = true;
    }
    let closed = at;
    at = skip_white(text, at, 8);
    if quoted && text.at(at) == b',' {
        return after_comma(text, at + 1);
    }
    // A table's cell, a dash.
    let bar = text.at(at) == b'|' || at > closed && text.at(at) == b'-' && text.at(at + 1) == b' ';
    if bar {
        return Some(Gap { bond: Bond::Space, value: skip_white(text, at + 1, 8), line: false });
    }
    let mut bond = match text.at(at) {
        b'=' => Bond::Assign,
        b':' if quoted || text.at(at + 1) == b'=' => Bond::Assign,
        b':' => Bond::Colon,
        0xEF if text.slice(at, at + 3) == "：".as_bytes() => Bond::Colon,
        0xEF if text.slice(at, at + 3) == "＝".as_bytes() => Bond::Assign,
        b'-' if text.at(at + 1) == b'>' => Bond::Assign,
        0xE2 if text.slice(at, at + 3) == "→".as_bytes() || text.slice(at, at + 3) == "⇒".as_bytes() => {
            Bond::Assign
        }
        0xE4 | 0xE6 | 0xE7 if is_zh_is(text.slice(at, at + 3)) => Bond::Is,
        _ => Bond::Space,
    };
    if bond == Bond::Space {
        let end = word_end(text, at);
        let word = text.slice(at, end);
        if at > closed
            && [&b"is"[..], b"was", b"are", b"equals"].iter().any(|is| word.eq_ignore_ascii_case(is))
        {
            bond = Bond::Is;
            at = end;
            if matches!(text.at(at), b':' | b'=') {
                at += 1;
            }
        } else if at == closed && !quoted && !matches!(text.at(at), b'(' | b'[') {
            return None;
        } else if option {
            bond = Bond::Assign;
        }
    } else {
        at += if text.at(at) < 0x80 { 1 } else { 3 };
        // `==`, `=>`, `:=`, `->`
        while matches!(text.at(at), b'=' | b'>') && at < name.end + 16 {
            at += 1;
        }
    }
    // `**Token:** x`
    let bold = text.from(at).iter().take(3).take_while(|byte| **byte == b'*').count();
    if text.at(at + bold) == b' ' {
        at += bold;
    }
    let value = skip_white(text, at, 16);
    let line = text.slice(at, value).contains(&b'\n');
    Some(Gap { bond, value, line })
}

/// `'token', 'x'` and `'name': 'token', 'value': 'x'`.
fn after_comma(text: Text<'_>, comma: usize) -> Option<Gap> {
    let at = skip_white(text, comma, 8);
    let (length, _) = values::quote(text, at)?;
    let end = word_end(text, at + length);
    let word = text.slice(at + length, end);
    let is_value =
        [&b"value"[..], b"val", b"content", b"data"].iter().any(|key| word.eq_ignore_ascii_case(key));
    if is_value && let Some((close, _)) = values::quote(text, end) {
        let colon = skip_white(text, end + close, 4);
        if text.at(colon) == b':' {
            return Some(Gap { bond: Bond::Assign, value: skip_white(text, colon + 1, 8), line: false });
        }
    }
    Some(Gap { bond: Bond::Comma, value: at, line: false })
}

fn is_zh_is(bytes: &[u8]) -> bool {
    ["为", "是", "爲", "為"].iter().any(|is| is.as_bytes() == bytes)
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
        if content.is_empty() || is_marked(content) {
            return None;
        }
        if is_address(content) || gap.bond < Bond::Assign && (is_ordinary(content) || is_key(content)) {
            return None;
        }
        let loose = !firm && label.is(words::ORDINARY) || gap.bond == Bond::Comma;
        if loose && !is_secretish(content, label) {
            return None;
        }
        return span(inner, end);
    }
    if firm && matches!(text.at(start), b'[' | b'{') && !text.slice(start, start + 2).starts_with(b"{{") {
        let end = balanced(text, start);
        return span(start, end);
    }
    if matches!(text.at(start), b'(' | b'<' | b'[') {
        start += 1;
        if let Some(end) = after_mark(text, start) {
            return span(end.0, end.1).filter(|span| span.start < span.end);
        }
    }
    let credentials = if label.is(words::HEADER) && firm { header(text, start) } else { None };
    if let Some(end) = credentials {
        return span(end.0, end.1).filter(|span| span.start < span.end);
    }
    let judged = if firm { usize::MAX } else { JUDGED };
    let mut end = if text.at(start) < 0x80 {
        values::end_within(text, start, judged)
    } else {
        cjk_end(text, start, gap.bond, label)?
    };
    let value = text.slice(start, end);
    if value.is_empty()
        || value.iter().all(|byte| matches!(byte, b'*' | b'.' | b'-' | b','))
        || is_nothing(value)
        || is_placeholder(value)
        || is_address(value)
    {
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
        Bond::Assign if is_known_code(value, label) => false,
        Bond::Assign => !gap.line || is_secretish(value, label) || !is_ordinary(value),
        Bond::Colon => colon_holds(text, value, end, label, gap.line),
        Bond::Is => is_holds(text, value, end, label),
        Bond::Comma | Bond::Space => space_holds(text, name, value, label),
    };
    let is_pass_phrase =
        || firm && label.is(words::PHRASE) && is_phrase(text.slice(start, phrase_end(text, end)));
    if !(holds || is_pass_phrase()) {
        return None;
    }
    if end >= start + JUDGED {
        end = values::end(text, start);
    }
    if label.is(words::PHRASE) {
        end = phrase_end(text, end);
    }
    if firm && text.before(name.end).eq_ignore_ascii_case(&b's') {
        end = list_end(text, end, label);
    }
    if text.slice(name.word.start, name.word.end).to_ascii_lowercase().starts_with(b"cookie") && firm {
        end = cookies_end(text, end);
    }
    span(start, end)
}

/// After a mark nothing is left to take, unless something is glued to it.
fn after_mark(text: Text<'_>, start: usize) -> Option<(usize, usize)> {
    let end = values::mark(text, start)?;
    if values::ends_value(text.at(end))
        || text.at(end) >= 0x80
        || matches!(text.at(end), b',' | b';' | b')' | b']' | b'}' | b'.' | b'&' | b'\\')
    {
        return Some((end, end));
    }
    Some((start, values::end(text, end)))
}

fn is_marked(content: &[u8]) -> bool {
    content == super::REDACTED.as_bytes() || content == super::TRUNCATED.as_bytes()
}

/// `$TOKEN`, `${TOKEN}`: the name of a variable.
fn is_placeholder(value: &[u8]) -> bool {
    value.strip_prefix(b"$").is_some_and(|name| {
        let name = name.strip_prefix(b"{").unwrap_or(name);
        let name = name.strip_suffix(b"}").unwrap_or(name);
        name.len() > 1 && name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
    })
}

fn is_nothing(value: &[u8]) -> bool {
    [&b"null"[..], b"none", b"nil", b"undefined"].iter().any(|nothing| value.eq_ignore_ascii_case(nothing))
}

/// A URL after a label is a page, as in "forgot your password: https://..."; what is secret in it is cut as in any.
fn is_address(value: &[u8]) -> bool {
    let scheme = value.iter().take(12).take_while(|byte| byte.is_ascii_alphabetic()).count();
    scheme > 1
        && value.get(scheme..).is_some_and(|rest| rest.starts_with(b"://") || rest.starts_with(b":\\/\\/"))
}

/// A name of the trade of two words and more: `access_token` after "missing token:".
fn is_key(value: &[u8]) -> bool {
    let plain = value.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_' || *byte == b'-');
    plain && value.contains(&b'_') && Words::of(value).label().is_some()
}

fn is_digits(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_digit)
}

/// Digits that are a one-time code, or something random.
fn is_secretish(value: &[u8], label: Label) -> bool {
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
fn is_known_code(value: &[u8], label: Label) -> bool {
    label.is(words::CODE) && !label.is(words::OAUTH | words::DIGITS) && super::is_error_code(value)
}

fn colon_holds(text: Text<'_>, value: &[u8], end: usize, label: Label, line: bool) -> bool {
    if is_known_code(value, label) || is_key(value) {
        return false;
    }
    if label.is(words::PLURAL_TOKENS) && is_digits(value) {
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

fn is_holds(text: Text<'_>, value: &[u8], end: usize, label: Label) -> bool {
    if is_known_code(value, label) || is_key(value) || is_ordinary(value) {
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

fn space_holds(text: Text<'_>, name: Name, value: &[u8], label: Label) -> bool {
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
    let upper =
        value.len() >= 6 && label.is(words::CODE | words::DIGITS) && value.iter().all(u8::is_ascii_uppercase);
    (is_secretish(value, label) || upper) && !is_key(value)
}

/// What an ordinary label is followed by when it means the ordinary thing: an issue's number, an errno, a way to sign
/// in, a call.
fn is_thing(value: &[u8], label: Label) -> bool {
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

fn ends_sentence(text: Text<'_>, end: usize) -> bool {
    let byte = text.at(end);
    if !matches!(byte, b' ') {
        return true;
    }
    let next = text.slice(end + 1, word_end(text, end + 1));
    [&b"and"[..], b"or", b"for", b"but", b""].iter().any(|word| next.eq_ignore_ascii_case(word))
}

/// "is now", "is set to".
fn skip_filler(text: Text<'_>, mut at: usize) -> usize {
    for _ in 0..3 {
        let end = word_end(text, at);
        let word = text.slice(at, end);
        let filler = [&b"now"[..], b"currently", b"set", b"to", b"equal", b"simply", b"just", b"still"];
        if text.at(end) != b' ' || !filler.iter().any(|filler| word.eq_ignore_ascii_case(filler)) {
            break;
        }
        at = end + 1;
    }
    at
}

/// A value that begins beyond ASCII: up to the next mark of punctuation or blank. What a sentence would go on
/// with is no value.
fn cjk_end(text: Text<'_>, start: usize, bond: Bond, label: Label) -> Option<usize> {
    if bond < Bond::Colon && !label.is(words::PHRASE) {
        return None;
    }
    let rest = text.from(start);
    let sentence = [
        "已", "请", "無", "无", "未", "不", "错误", "過", "过期", "失效", "为空", "必填", "需", "用于", "是",
        "的", "在", "由", "可", "将", "会", "有", "没", "正", "有效", "您", "你", "我", "该", "此", "这",
        "，", "。", "：", "；", "！", "？", "）", "、", "“", "”", "—", "…",
    ];
    if sentence.iter().any(|word| rest.starts_with(word.as_bytes())) {
        return None;
    }
    let mut at = start;
    while at < text.len() {
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

/// Three words and more, none of which holds a sentence together.
fn is_phrase(phrase: &[u8]) -> bool {
    let words = phrase.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    let mut count = 0;
    let all = words.into_iter().all(|word| {
        count += 1;
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
    while text.at(end) == b',' {
        let next = skip_white(text, end + 1, 2);
        let stop = values::end(text, next);
        let value = text.slice(next, stop);
        let code = value.len() >= 4 && value.iter().any(u8::is_ascii_digit);
        if !is_secretish(value, label) && !code {
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

/// `Authorization: scheme credentials`: the credentials, and all that belongs to them.
fn header(text: Text<'_>, start: usize) -> Option<(usize, usize)> {
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

fn is_scheme(word: &[u8]) -> bool {
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
fn scheme(text: Text<'_>, word: Word) -> Option<Span> {
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
fn entered(text: Text<'_>, end: usize) -> Option<Span> {
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

const fn in_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

/// Whether base64 decodes to `user:password`.
fn is_base64_pair(value: &[u8]) -> bool {
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

/// The end of a bracketed value, brackets inside and quotes counted. One that is never closed takes all.
fn balanced(text: Text<'_>, start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while at < text.len() {
        match text.at(at) {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
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
    let (length, label) = chinese::name(text.from(start))?;
    let mut end = start + length;
    for suffix in ["值", "号", "ID", "Id", "id", " ID"] {
        if text.from(end).starts_with(suffix.as_bytes()) {
            end += suffix.len();
            break;
        }
    }
    let name = Name { start: end, end, word: Word { start, end } };
    if let Some(gap) = gap(text, name).filter(|gap| gap.bond > Bond::Space) {
        let _ = gap;
        return value_after(text, name, label);
    }
    let span = |start, end| Some(Span::new(start, end, label.category, Action::Redacted));
    // A value right after it, or after a blank.
    let mut blank = skip_white(text, end, 4);
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
    // A few characters of a sentence up to a colon.
    let mut at = end;
    for _ in 0..8 {
        let three = text.slice(at, at + 3);
        if !matches!(text.at(at), 0xE4..=0xE9)
            || ["期", "长", "数", "时", "类", "型", "策", "度", "错", "间"]
                .iter()
                .any(|no| no.as_bytes() == three)
        {
            break;
        }
        at += 3;
    }
    let bridge = Name { start: at, end: at, word: name.word };
    let gap = gap(text, bridge).filter(|gap| gap.bond > Bond::Space && at > end)?;
    let stop = values::end_within(text, gap.value, JUDGED);
    let value = text.slice(gap.value, stop);
    let held =
        text.at(gap.value) < 0x80 && values::mark(text, gap.value).is_none() && is_secretish(value, label);
    if held { span(gap.value, values::end(text, gap.value)) } else { None }
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
        let is = [&b"is"[..], b"to", b"from", b"was", b"are"];
        if !colon && !is.iter().any(|known| word.eq_ignore_ascii_case(known)) {
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

/// "123456 is your code".
fn value_before(text: Text<'_>, name: Name, label: Label, floor: usize) -> Option<Span> {
    if !label.is(words::DIGITS | words::CODE | words::USER) {
        return None;
    }
    let least = floor.max(name.start.saturating_sub(64));
    let before = text.slice(least, name.start);
    let is_your = before
        .windows(4)
        .rposition(|window| window.eq_ignore_ascii_case(b" is ") || window.eq_ignore_ascii_case(b" as "))?;
    let between = before.get(is_your + 4..)?;
    let your = [&b"your "[..], b"my ", b"the "]
        .iter()
        .any(|word| between.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)));
    if !your || !between.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ') {
        return None;
    }
    let end = least + is_your;
    let mut start = end;
    while start > least && !values::ends_value(text.before(start)) && text.before(start) < 0x80 {
        start -= 1;
    }
    let value = text.slice(start, end);
    (is_secretish(value, label) || is_digits(value) && value.len() >= 4)
        .then(|| Span::new(start, end, label.category, Action::Redacted))
}
