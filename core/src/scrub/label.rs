//! Where a label lies in a text, what it names, and what stands between it and its value.

use super::fold::Text;
use super::lists::{among, beginning, list};
use super::values::{self, skip_white, white, word_end};
use super::words::{self, Label, Words};
use super::{Category, Rules};

/// How far a name is followed to either side.
pub(super) const NAME: usize = 96;

/// How firmly a separator binds a value to its label.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Bond {
    /// Items of a list.
    Comma,
    Space,
    Is,
    Colon,
    Assign,
}

/// A word that may be part of a label.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    /// What is known of it.
    pub(super) flags: words::Flags,
}

impl Word {
    pub(super) fn at(text: Text<'_>, start: usize) -> Option<Self> {
        let skip = usize::from(text.at(start).is_ascii_digit());
        let whole = word_end(text, start + skip);
        let known = |end: usize| {
            let flags = words::flags(text.slice(start, end));
            (flags & (words::LABEL | words::SCHEME) != 0).then_some((end, flags))
        };
        let (end, flags) = known(whole).or_else(|| {
            let part = camel_end(text, start, whole);
            if part == whole { None } else { known(part) }
        })?;
        let (before, first) = (text.before(start), text.at(start));
        let camel = first.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || text.at(start + 1).is_ascii_lowercase());
        if before.is_ascii_alphabetic() && !camel && !words::is_telling(text.slice(start, end)) {
            return None;
        }
        Some(Self { start, end, flags })
    }
}

/// Where the first part of a camel-case word ends.
pub(super) fn camel_end(text: Text<'_>, start: usize, end: usize) -> usize {
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
pub(super) struct Name {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) word: Word,
}

pub(super) const fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$')
}

impl Name {
    pub(super) fn around(text: Text<'_>, word: Word, floor: usize) -> Self {
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

    pub(super) fn label(&mut self, text: Text<'_>, floor: usize, rules: Rules) -> Option<Label> {
        let own = self.words_label(text);
        if let Some(label) = own.filter(|label| !label.is(words::ORDINARY)) {
            return Some(label);
        }
        let left = self.left(text, floor);
        let before = words::flags(text.slice(left.0, left.1));
        let Some(label) = own else {
            if self.word.flags & words::ANSWER != 0 && follows_question(text, self.start) {
                return Some(Label::new(Category::UserSecret, words::USER | words::PHRASE));
            }
            // "API key": the word before makes it one.
            if before & (words::MAKES_KEY | words::MAKES_CODE | words::SECURITY) == 0 {
                return None;
            }
            let mut phrase = Words::of(text.slice(left.0, left.1));
            phrase.add(text.slice(self.start, self.end));
            return phrase.label();
        };
        let bare = label.is(words::CODE | words::STATE);
        if bare && is_companion(label, before) {
            return Some(Label::new(Category::OauthParameter, words::OAUTH | words::DIGITS));
        }
        if before & words::HARMLESS != 0 || bare && words::owns(text.slice(left.0, left.1)) {
            return None;
        }
        let alone = left.0 == left.1 || before & words::SMALL != 0;
        if bare && !alone {
            let label = Label::new(label.category, label.flags | words::DISTANT);
            return (rules == Rules::Hint).then_some(label);
        }
        if bare && rules == Rules::Details { self.asked_for(text, left, label) } else { Some(label) }
    }

    /// What the name says by itself, with the heads that follow it: "client id", "session key", "security answer".
    fn words_label(&mut self, text: Text<'_>) -> Option<Label> {
        let name = text.slice(self.start, self.end);
        // Nearly always it is one word, and that has been looked up.
        let one = self.start == self.word.start && self.end == self.word.end && values::is_plain(name);
        if one && text.at(self.end) != b' ' {
            return words::decide(&[self.word.flags]);
        }
        let mut words = Words::of(name);
        for _ in 0..2 {
            if text.at(self.end) != b' ' {
                break;
            }
            let next = self.end + 1;
            let end = word_end(text, next);
            let head = words::HEAD & words::flags(text.slice(next, end));
            let parameter = among(text.slice(next, end), list!["parameter" "param"]);
            let value = parameter || text.slice(next, end).eq_ignore_ascii_case(b"value");
            let maiden = text.slice(self.start, end).eq_ignore_ascii_case(b"maiden name");
            if head == 0 && !value && !maiden || in_name(text.at(end)) && text.at(end) != b'.' {
                break;
            }
            if !value {
                words.add(text.slice(next, end));
            }
            self.end = end;
            // A state that is a parameter is OAuth's.
            if parameter && self.word.flags & words::STATE != 0 {
                return Some(Label::new(Category::OauthParameter, words::OAUTH));
            }
        }
        words.label()
    }

    /// A bare `code` in details is an ordinary thing, unless somebody is asked to enter it.
    pub(super) fn asked_for(&self, text: Text<'_>, left: (usize, usize), label: Label) -> Option<Label> {
        let _ = self;
        let your = text.slice(left.0, left.1).eq_ignore_ascii_case(b"your");
        (label.is(words::CODE) && (your || asks(text, left))).then_some(label)
    }

    /// The word before the name, if only a space lies between.
    pub(super) fn left(&self, text: Text<'_>, floor: usize) -> (usize, usize) {
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
pub(super) const fn is_companion(label: Label, before: words::Flags) -> bool {
    if label.is(words::CODE) {
        before & (words::MAKES_CODE | words::USER | words::OAUTH) != 0
    } else {
        before & words::MAKES_CODE != 0 && before & words::MAKES_KEY != 0 || before & words::OAUTH != 0
    }
}

/// "Security question: first pet? Answer: x".
fn follows_question(text: Text<'_>, start: usize) -> bool {
    let before = text.slice(start.saturating_sub(2 * NAME), start);
    before.windows(17).any(|window| window.eq_ignore_ascii_case(b"security question"))
}

/// "enter the", "use this": the word before last asks for what follows.
pub(super) fn asks(text: Text<'_>, left: (usize, usize)) -> bool {
    let end = left.0.saturating_sub(1);
    let mut start = end;
    while start > end.saturating_sub(10) && text.before(start).is_ascii_alphabetic() {
        start -= 1;
    }
    let asking = |word: &[u8]| {
        among(
            word,
            list!["enter" "entering" "use" "using" "type" "input" "paste" "submit" "provide" "copy" "with"],
        )
    };
    asking(text.slice(start, end)) || asking(text.slice(left.0, left.1))
}

/// What stands between a label and its value.
pub(super) struct Gap {
    pub(super) bond: Bond,
    pub(super) value: usize,
    /// A line ended on the way.
    pub(super) line: bool,
}

pub(super) fn gap(text: Text<'_>, name: Name) -> Option<Gap> {
    let mut at = name.end;
    // `--password x`, as on a command line.
    let option =
        text.slice(name.start, name.start + 2) == b"--" || text.slice(name.start, name.start + 2) == b"-p";
    let mut quoted = false;
    if begins_tag(text, name.start) && text.at(at) != b'=' {
        if white(text, at) > 0
            && let Some(value) = attribute(text, skip_white(text, at, 8))
        {
            return Some(Gap { bond: Bond::Assign, value, line: false });
        }
        let inside = text.from(at).iter().take(64).position(|byte| *byte == b'>' || *byte == b'<')?;
        if text.slice(at + inside, at + inside + 3) == b"></" {
            return None;
        }
        if text.at(at + inside) == b'>' {
            let value = at + inside + 1;
            let first = skip_white(text, value, 16);
            // `--token <token> on the host` is no element: nothing closes it.
            let next = text.from(value).iter().take(1024).position(|byte| *byte == b'<');
            let is_element = next.is_some_and(|next| text.at(value + next + 1) == b'/')
                || values::is_random(text.slice(first, values::end_within(text, first, NAME)));
            return is_element.then_some(Gap { bond: Bond::Assign, value: first, line: false });
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
    if let Some(length) = beginning(text.from(at), list!["”" "」" "】"]) {
        at += length;
        quoted = true;
    }
    // `PIN码`, `state参数`
    let name_end = at;
    let suffix = skip_white(text, at, 1);
    if text.at(suffix) >= 0xE5
        && let Some(word) =
            ["码", "碼", "值", "参数"].iter().find(|word| text.from(suffix).starts_with(word.as_bytes()))
    {
        at = suffix + word.len();
    }
    let closed = at;
    at = skip_white(text, at, 8);
    if quoted && text.at(at) == b',' {
        return after_comma(text, at + 1);
    }
    // `<property name="token">x`, `<th>Token</th><td>x</td>`
    if quoted && text.at(at) == b'>' {
        return Some(Gap { bond: Bond::Space, value: at + 1, line: false });
    }
    if text.at(at) == b'<' && text.at(at + 1) == b'/' {
        at = past_tags(text, at);
        if !matches!(text.at(at), b':' | b'=') {
            return Some(Gap { bond: Bond::Space, value: at, line: false });
        }
    }
    if let Some(end) = gloss(text, at) {
        at = end;
    }
    // `Token { value: "x" }`
    if matches!(text.at(at), b'{' | b'(') {
        let inner = skip_white(text, at + 1, 8);
        let end = word_end(text, inner);
        if is_value_name(text.slice(inner, end)) && matches!(text.at(end), b':' | b'=') {
            return Some(Gap { bond: Bond::Assign, value: skip_white(text, end + 1, 8), line: false });
        }
    }
    // A table's cell, a dash.
    let bar = match text.from(at) {
        [b'|', ..] => 1,
        [b'-', b' ', ..] if at > closed => 1,
        [0xE2, 0x80, 0x93 | 0x94, ..] => 3,
        _ => 0,
    };
    if bar > 0 {
        return Some(Gap { bond: Bond::Space, value: skip_white(text, at + bar, 8), line: false });
    }
    // `Password....: x`
    let dots = text.from(at).iter().take(NAME).take_while(|byte| matches!(byte, b'.' | b' ')).count();
    if dots > 1 && matches!(text.at(at + dots), b':' | b'=') {
        at += dots;
    }
    // `Session::get`
    if text.at(at) == b':' && text.at(at + 1) == b':' && text.at(at + 2).is_ascii_alphanumeric() {
        return Some(Gap { bond: Bond::Space, value: at + 2, line: false });
    }
    // `<input name="password" value="x">`
    if at > closed
        && quoted
        && let Some(value) = attribute(text, at)
    {
        return Some(Gap { bond: Bond::Assign, value, line: false });
    }
    let mut bond = match text.at(at) {
        // A scheme: its URL is judged as one.
        b':' if text.at(at + 1) == b'/' && text.at(at + 2) == b'/' => return None,
        b'=' => Bond::Assign,
        // A backtick quotes a name in prose, not a key.
        b':' if quoted && text.before(closed) != b'`' || text.at(at + 1) == b'=' => Bond::Assign,
        b':' => Bond::Colon,
        0xEF if text.slice(at, at + 3) == "：".as_bytes() => Bond::Colon,
        0xEF if text.slice(at, at + 3) == "＝".as_bytes() => Bond::Assign,
        b'-' if text.at(at + 1) == b'>' => Bond::Assign,
        b'?' | b'+' if text.at(at + 1) == b'=' => Bond::Assign,
        0xE2 if text.slice(at, at + 3) == "→".as_bytes() || text.slice(at, at + 3) == "⇒".as_bytes() => {
            Bond::Assign
        }
        0xE3 | 0xE4 | 0xE6 | 0xE7 if is_zh_is(text.slice(at, at + 3)) => Bond::Is,
        _ => Bond::Space,
    };
    if bond == Bond::Space {
        let end = word_end(text, at);
        let word = text.slice(at, end);
        if at > closed && among(word, list!["is" "was" "are" "equals"]) {
            bond = Bond::Is;
            at = end;
            // "is: x" leaves no doubt.
            if matches!(text.at(at), b':' | b'=') {
                bond = Bond::Colon;
                at += 1;
            }
        } else if at == closed
            && !quoted
            && closed == name_end
            && !matches!(text.at(at), b'(' | b'[')
            && beginning(text.from(at), list!["（" "【" "「" "『"]).is_none()
        {
            return None;
        } else if option && !quoted && !is_word_of_sentence(text.slice(at, end)) {
            bond = Bond::Assign;
        }
    } else {
        at += if text.at(at) < 0x80 { 1 } else { 3 };
        // `==`, `=>`, `:=`, `->`, `= =`, `::` before a blank
        while at < name.end + 16 {
            let blank = usize::from(text.at(at) == b' ');
            match text.from(at + blank) {
                [b'=', ..] | [b'>', b' ', ..] => at += blank + 1,
                [b'>', ..] if blank == 0 => at += 1,
                [b':', b' ', ..] => at += blank + 1,
                _ => break,
            }
        }
    }
    // `<b>Token:</b> x`
    if text.at(at) == b'<' && text.at(at + 1) == b'/' {
        at = past_tags(text, at);
    }
    // `**Token:** x`
    let bold = text.from(at).iter().take(3).take_while(|byte| **byte == b'*').count();
    if text.at(at + bold) == b' ' {
        at += bold;
    }
    let value = skip_white(text, at, 16);
    if let Some(value) = block(text, value).filter(|_| bond == Bond::Colon) {
        return Some(Gap { bond, value, line: false });
    }
    if bond == Bond::Colon
        && let Some(declared) = declared(text, value)
    {
        return declared.map(|value| Gap { bond: Bond::Assign, value, line: false });
    }
    let line = text.slice(at, value).contains(&b'\n');
    let value = bullet(text, value).filter(|_| line).unwrap_or(value);
    Some(Gap { bond, value, line })
}

/// After a label that is declared with a type: where its value begins, if it has one. `password: str = "x"`,
/// `token: Option<String>`.
fn declared(text: Text<'_>, start: usize) -> Option<Option<usize>> {
    let name = start + usize::from(text.at(start) == b'&');
    let end = word_end(text, name);
    let is_type = among(
        text.slice(name, end),
        list!["str" "string" "bytes" "int" "any" "option" "optional" "vec" "list" "secretstr"],
    );
    if !is_type {
        return None;
    }
    let ends = |byte: &u8| matches!(byte, b'=' | b',' | b')' | b'}' | b';' | b'"' | b'\'' | 0..=0x1F);
    let sign = end + text.from(end).iter().take(48).take_while(|byte| !ends(byte)).count();
    if values::is_random(text.slice(end, sign)) {
        return None;
    }
    if text.at(sign) == b'=' {
        return Some(Some(skip_white(text, sign + 1, 8)));
    }
    // A bare word is judged as any other.
    (name > start || matches!(text.at(end), b'<' | b'[')).then_some(None)
}

/// Where an item of a list begins whose mark is at a place.
pub(super) fn bullet(text: Text<'_>, at: usize) -> Option<usize> {
    (matches!(text.at(at), b'-' | b'*') && text.at(at + 1) == b' ').then(|| skip_white(text, at + 1, 4))
}

/// `gpg --list-secret-keys to see them`: the sentence goes on, and the option has no value.
fn is_word_of_sentence(word: &[u8]) -> bool {
    !word.is_empty()
        && (values::is_function(word)
            || values::is_ordinary(word)
            || among(word, list!["option" "options" "flag" "flags" "argument" "arguments" "parameter"]))
}

/// Whether a name is that of an XML element, with or without a namespace: `<token>`, `<o:Password>`.
pub(super) fn begins_tag(text: Text<'_>, start: usize) -> bool {
    let mut at = start;
    if text.before(at) == b':' {
        at -= 1;
        while at + 24 > start && in_name(text.before(at)) {
            at -= 1;
        }
    }
    text.before(at) == b'<'
}

/// The end of what explains a label between it and its colon: `API key (production): x`, `令牌（Token）：x`.
fn gloss(text: Text<'_>, at: usize) -> Option<usize> {
    let rest = text.from(at);
    let (width, close) = match rest {
        [b'(', ..] => (1, &b")"[..]),
        [0xEF, 0xBC, 0x88, ..] => (3, "）".as_bytes()),
        _ => return None,
    };
    let inside = rest.get(width..)?.iter().take(40).position(|byte| close.first() == Some(byte))?;
    let inner = text.slice(at + width, at + width + inside);
    let end = skip_white(text, at + width + inside + width, 1);
    let colon = matches!(text.at(end), b':' | b'=') || text.from(end).starts_with("：".as_bytes());
    (colon && !values::is_random(inner) && !inner.iter().all(u8::is_ascii_digit)).then_some(end)
}

/// Where the text goes on after a few tags.
fn past_tags(text: Text<'_>, mut at: usize) -> usize {
    for _ in 0..6 {
        let close = text.from(at).iter().take(NAME).position(|byte| *byte == b'>');
        let Some(close) = close.filter(|_| text.at(at) == b'<') else { break };
        at = skip_white(text, at + close + 1, 8);
    }
    at
}

/// Where the value begins after what YAML has before it: `|` and `>-` at the end of a line, `!secret`.
fn block(text: Text<'_>, at: usize) -> Option<usize> {
    let first = text.at(at);
    if !matches!(first, b'|' | b'>' | b'!') {
        return None;
    }
    let rest = text.from(at + 1).iter().take(16);
    let mark = if first == b'!' {
        rest.take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'!').count()
    } else {
        rest.take_while(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9')).count()
    };
    let end = at + 1 + mark;
    let value = skip_white(text, end, 16);
    let ends = if first == b'!' { mark > 0 && value > end } else { text.slice(end, value).contains(&b'\n') };
    ends.then_some(value)
}

/// Where the value of a tag's attribute `value` begins, a few attributes on.
fn attribute(text: Text<'_>, mut at: usize) -> Option<usize> {
    for _ in 0..4 {
        let end = word_end(text, at);
        if text.at(end) != b'=' {
            return None;
        }
        if is_value_name(text.slice(at, end)) {
            return Some(end + 1);
        }
        let (length, quote) = values::quote(text, end + 1)?;
        let close = quote.end_within(text, end + 1 + length, NAME)?;
        at = skip_white(text, close + length, 4);
    }
    None
}

fn is_value_name(word: &[u8]) -> bool {
    among(word, list!["value" "val" "content" "data"])
}

/// `'token', 'x'` and `'name': 'token', 'value': 'x'`.
pub(super) fn after_comma(text: Text<'_>, comma: usize) -> Option<Gap> {
    let mut at = skip_white(text, comma, 8);
    // `(b'x-api-key', b'x')`
    at += usize::from(text.at(at) == b'b' && matches!(text.at(at + 1), b'"' | b'\''));
    let (length, _) = values::quote(text, at)?;
    let end = word_end(text, at + length);
    if is_value_name(text.slice(at + length, end))
        && let Some((close, _)) = values::quote(text, end)
    {
        let colon = skip_white(text, end + close, 4);
        if text.at(colon) == b':' {
            return Some(Gap { bond: Bond::Assign, value: skip_white(text, colon + 1, 8), line: false });
        }
    }
    Some(Gap { bond: Bond::Comma, value: at, line: false })
}

pub(super) fn is_zh_is(bytes: &[u8]) -> bool {
    among(bytes, list!["为" "是" "爲" "為" "は"])
}
