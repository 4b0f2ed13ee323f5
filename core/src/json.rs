//! JSON text as a host: read once, no tree, nothing copied that is not handed out.
//!
//! `scan` goes through a text once. It checks that the whole of it is JSON (RFC 8259, in UTF-8, without a
//! byte order mark, without an escaped lone surrogate) and remembers where the members lie that a rule asked
//! for. [`TextNode`] is a handle on one such place.
//!
//! Skipping is iterative, so depth is no reason to refuse: a level costs one bit. The last of several equal
//! names counts, as Python's and JavaScript's parsers do.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::ControlFlow;

use crate::host::{Build, Keys, Members, Node, Shape, View, Visit};
use crate::order::order;
use crate::value::{Value, integer, nearest};

/// The text is not JSON. Says where, never what stood there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not JSON: unexpected input at byte {offset}")]
#[non_exhaustive]
pub struct InvalidJson {
    /// The byte at which the text stops being JSON.
    pub offset: usize,
}

/// A handle on one value of a JSON text that has been checked.
#[derive(Debug, Clone, Copy)]
pub struct TextNode<'a> {
    /// Exactly the value, without white space around it.
    text: &'a [u8],
}

impl<'a> TextNode<'a> {
    /// The value's own text, as it stands on the wire.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        // The text has been checked; the fallback is never taken, and cheaper than a second kind of error.
        core::str::from_utf8(self.text).unwrap_or_default()
    }

    /// [`TextNode::as_str`] in bytes.
    pub(crate) fn as_bytes(&self) -> &'a [u8] {
        self.text
    }

    /// Checks a whole text and gives its value.
    ///
    /// # Errors
    ///
    /// [`InvalidJson`] where the text is not JSON.
    pub fn parse(text: &'a [u8]) -> Result<Self, InvalidJson> {
        let mut scanner = Scanner::new(text);
        scanner.white_space();
        let start = scanner.rest;
        scanner.skip_value()?;
        let node = Self { text: scanner.since(start) };
        scanner.end()?;
        Ok(node)
    }

    /// The value at the start of a text, whatever follows it.
    pub(crate) fn prefix(text: &'a [u8]) -> Result<Self, InvalidJson> {
        let mut scanner = Scanner::new(text);
        scanner.skip_value()?;
        Ok(Self { text: scanner.since(text) })
    }

    /// Calls `visit` with every entry of an object, those too whose name comes again.
    pub(crate) fn every_entry(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> Visit<Infallible>,
    ) -> Result<(), Infallible> {
        if self.text.first() == Some(&b'{') {
            let mut scanner = Scanner::new(self.text);
            let mut on = true;
            let _ = scanner.object(|key, value| {
                if let Some(key) = key.decode().filter(|_| on) {
                    let Ok(flow) = visit(&key, value);
                    on = flow.is_continue();
                }
            });
        }
        Ok(())
    }
}

/// What stands at the top of a text, after the whole of it has been checked.
#[derive(Debug)]
// Lives on the stack for one call: a box would cost an allocation per payload.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Top<'a> {
    /// An object, with the members that were asked for.
    Object(TextNode<'a>, TextMembers<'a>),
    /// The first items of an array, at most [`Top::ITEMS`].
    Array(Vec<TextNode<'a>>),
    /// A scalar.
    Scalar(TextNode<'a>),
}

impl Top<'_> {
    /// How many items of an array are remembered.
    pub(crate) const ITEMS: usize = 3;
}

/// Checks a whole text in one pass and finds the members of `keys` on the way.
pub(crate) fn scan<'a>(text: &'a [u8], keys: &'static Keys) -> Result<Top<'a>, InvalidJson> {
    let mut scanner = Scanner::new(text);
    scanner.white_space();
    let top = scanner.top(keys)?;
    scanner.end()?;
    Ok(top)
}

/// A text that may be a record of an ack.
#[derive(Debug)]
pub(crate) struct Recorded<'a> {
    /// The whole.
    pub(crate) top: Top<'a>,
    /// Its member `event`.
    pub(crate) event: Option<TextNode<'a>>,
    /// Its member `ack`, taken apart as if it stood alone.
    pub(crate) ack: Option<Top<'a>>,
}

/// [`scan`], which finds the members of `keys` in the member `ack` as well, in the same pass.
#[inline]
pub(crate) fn scan_record<'a>(text: &'a [u8], keys: &'static Keys) -> Result<Recorded<'a>, InvalidJson> {
    let mut scanner = Scanner::new(text);
    scanner.white_space();
    if scanner.peek() != Some(b'{') {
        return Ok(Recorded { top: scan(text, keys)?, event: None, ack: None });
    }
    let whole = scanner.rest;
    let (mut members, mut event, mut ack) = (TextMembers::default(), None, None);
    scanner.object_of(|scanner, key| {
        let start = scanner.rest;
        if key.is("ack") {
            ack = Some(scanner.top(keys)?);
            return Ok(());
        }
        scanner.skip_value()?;
        let value = TextNode { text: scanner.since(start) };
        if key.is("event") {
            event = Some(value);
        } else {
            members.note(keys, key, value);
        }
        Ok(())
    })?;
    let top = Top::Object(TextNode { text: scanner.since(whole) }, members);
    scanner.end()?;
    Ok(Recorded { top, event, ack })
}

impl<'a> Node for TextNode<'a> {
    type Error = Infallible;
    type Members = TextMembers<'a>;

    fn view(&self) -> Result<View<'_>, Infallible> {
        Ok(match self.text.first() {
            Some(b'{') => View::Object,
            Some(b'[') => View::Array,
            Some(b'"') => View::String(self.string().unwrap_or_default()),
            Some(b't') => View::Bool(true),
            Some(b'f') => View::Bool(false),
            Some(b'n') | None => View::Null,
            Some(_) => match small_integer(self.text) {
                Some(integer) => View::Integer(integer.into()),
                None => number(self.as_str()),
            },
        })
    }

    fn shape(&self) -> Result<Shape, Infallible> {
        Ok(match self.text.first() {
            Some(b'{') => Shape::Object,
            Some(b'[') => Shape::Array,
            Some(b'"') => Shape::String,
            Some(b't' | b'f') => Shape::Bool,
            Some(b'n') | None => Shape::Null,
            Some(_) => Shape::Number,
        })
    }

    fn members(&self, keys: &'static Keys) -> Result<TextMembers<'a>, Infallible> {
        let mut members = TextMembers::default();
        if self.text.first() == Some(&b'{') {
            let mut scanner = Scanner::new(self.text);
            // The text has been checked, so there is no error to see.
            let _ = scanner.object(|key, value| members.note(keys, key, value));
        }
        Ok(members)
    }

    fn entries(&self, visit: &mut dyn FnMut(&str, Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        if self.text.first() != Some(&b'{') {
            return Ok(());
        }
        let mut entries: Vec<(Cow<'a, str>, TextNode<'a>)> = Vec::new();
        let mut scanner = Scanner::new(self.text);
        let _ = scanner.object(|key, value| {
            if let Some(key) = key.decode() {
                entries.push((key, value));
            }
        });
        // A name keeps its first place and takes its last value, as in Python and JavaScript.
        let last = LastOf::new(&entries);
        for (index, (key, _)) in entries.iter().enumerate() {
            if let Some((_, value)) = last.value_for(index).and_then(|latest| entries.get(latest))
                && visit(key, *value)?.is_break()
            {
                break;
            }
        }
        Ok(())
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> Visit<Infallible>) -> Result<(), Infallible> {
        if self.text.first() == Some(&b'[') {
            let mut scanner = Scanner::new(self.text);
            let _ = scanner.array(|item| match visit(item) {
                Ok(flow) => flow,
            });
        }
        Ok(())
    }
}

impl<'a> TextNode<'a> {
    fn string(&self) -> Option<Cow<'a, str>> {
        let inner = self.text.get(1..self.text.len().checked_sub(1)?)?;
        RawString { inner, escaped: inner.contains(&b'\\') }.decode()
    }
}

/// Which entry of an object has the last word for a name.
enum LastOf {
    /// No name repeats.
    Distinct,
    /// For each place the last one with the same name, or `usize::MAX` if an earlier one has it.
    Repeated(Vec<usize>),
}

impl LastOf {
    fn new(entries: &[(Cow<'_, str>, TextNode<'_>)]) -> Self {
        // Comparing the few names of an ordinary object is cheaper than building a map of them.
        let few = entries.len() <= 16;
        let distinct = few
            && entries
                .iter()
                .enumerate()
                .all(|(index, (key, _))| entries.iter().take(index).all(|(other, _)| other != key));
        if distinct {
            return Self::Distinct;
        }
        let name = |index: usize| entries.get(index).map(|(key, _)| key.as_ref());
        let order = order(entries.len(), &|a, b| name(a).cmp(&name(b)));
        let mut last = vec![usize::MAX; entries.len()];
        for same in order.chunk_by(|a, b| name(*a) == name(*b)) {
            if let (Some(first), Some(latest)) = (same.first(), same.last())
                && let Some(place) = last.get_mut(*first)
            {
                *place = *latest;
            }
        }
        Self::Repeated(last)
    }

    /// The entry whose value stands at `index`; `None` where the name has had its place before.
    fn value_for(&self, index: usize) -> Option<usize> {
        match self {
            Self::Distinct => Some(index),
            Self::Repeated(last) => last.get(index).copied().filter(|place| *place != usize::MAX),
        }
    }
}

/// The value of a short run of digits, which is what nearly every number is.
fn small_integer(text: &[u8]) -> Option<i64> {
    let (digits, sign) = match text.split_first() {
        Some((b'-', digits)) => (digits, -1),
        _ => (text, 1),
    };
    // Eighteen digits cannot overflow.
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value = 0_i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(sign * value)
}

/// A number that has been checked.
fn number(text: &str) -> View<'static> {
    if text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        // Never an error for a checked number: too large a one is infinite.
        return View::Float(nearest(text));
    }
    match integer(text) {
        Some(integer) => View::Integer(integer),
        None => View::BigInteger(nearest(text)),
    }
}

/// Where the members lie that were asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextMembers<'a> {
    found: [Option<&'a [u8]>; Keys::MAX],
}

impl<'a> TextMembers<'a> {
    /// Whether there is a member with this index in the [`Keys`] that was asked for.
    #[inline]
    pub(crate) fn has(&self, index: usize) -> bool {
        self.found.get(index).is_some_and(Option::is_some)
    }

    fn note(&mut self, keys: &Keys, key: RawString<'a>, value: TextNode<'a>) {
        let index = if key.escaped {
            key.decode().and_then(|name| (keys.find)(name.as_bytes()))
        } else {
            (keys.find)(key.inner)
        };
        if let Some(slot) = index.and_then(|index| self.found.get_mut(index)) {
            *slot = Some(value.text);
        }
    }
}

impl<'a> Members for TextMembers<'a> {
    type Node = TextNode<'a>;

    fn get(&self, index: usize) -> Result<Option<TextNode<'a>>, Infallible> {
        Ok(self.found.get(index).copied().flatten().map(|text| TextNode { text }))
    }
}

/// The inside of a string that has been checked, quotes excluded.
#[derive(Clone, Copy)]
pub(crate) struct RawString<'a> {
    inner: &'a [u8],
    escaped: bool,
}

impl<'a> RawString<'a> {
    /// Whether it is this text.
    #[inline]
    pub(crate) fn is(&self, text: &str) -> bool {
        if self.escaped {
            return self.decode().is_some_and(|decoded| decoded == text);
        }
        self.inner == text.as_bytes()
    }

    fn decode(&self) -> Option<Cow<'a, str>> {
        let text = core::str::from_utf8(self.inner).ok()?;
        if !self.escaped {
            return Some(Cow::Borrowed(text));
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((plain, tail)) = rest.split_once('\\') {
            out.push_str(plain);
            let mut chars = tail.chars();
            match chars.next()? {
                'b' => out.push('\u{8}'),
                'f' => out.push('\u{c}'),
                'n' => out.push('\n'),
                'r' => out.push('\r'),
                't' => out.push('\t'),
                'u' => {
                    let high = hex4(chars.as_str())?;
                    chars = chars.as_str().get(4..)?.chars();
                    if (0xD800..0xDC00).contains(&high) {
                        let low = hex4(chars.as_str().strip_prefix("\\u")?)?;
                        chars = chars.as_str().get(6..)?.chars();
                        let code = 0x10000 + ((high - 0xD800) << 10) + low.checked_sub(0xDC00)?;
                        out.push(char::from_u32(code)?);
                    } else {
                        out.push(char::from_u32(high)?);
                    }
                }
                other => out.push(other),
            }
            rest = chars.as_str();
        }
        out.push_str(rest);
        Some(Cow::Owned(out))
    }
}

fn hex4(text: &str) -> Option<u32> {
    let digits = text.get(..4)?;
    // from_str_radix alone would take a sign.
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

/// A cursor over a text: what is left of it.
struct Scanner<'a> {
    text: &'a [u8],
    rest: &'a [u8],
}

type Scan<T> = Result<T, InvalidJson>;

impl<'a> Scanner<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, rest: text }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Goes past the byte that has just been peeked at.
    #[inline(always)]
    fn bump(&mut self) {
        self.rest = self.rest.split_first().map_or(&[], |(_, tail)| tail);
    }

    /// The text between an earlier cursor and this one.
    #[inline]
    fn since(&self, start: &'a [u8]) -> &'a [u8] {
        start.get(..start.len() - self.rest.len()).unwrap_or_default()
    }

    #[cold]
    #[inline(never)]
    fn invalid<T>(&self) -> Scan<T> {
        Err(InvalidJson { offset: self.text.len() - self.rest.len() })
    }

    #[inline(always)]
    fn white_space(&mut self) {
        // Compact text has none, so the common case is one comparison.
        while let Some((&byte, tail)) = self.rest.split_first() {
            if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                break;
            }
            self.rest = tail;
        }
    }

    fn end(&mut self) -> Scan<()> {
        self.white_space();
        if self.rest.is_empty() { Ok(()) } else { self.invalid() }
    }

    #[inline(always)]
    fn expect(&mut self, byte: u8) -> Scan<()> {
        match self.rest.split_first() {
            Some((&first, tail)) if first == byte => {
                self.rest = tail;
                Ok(())
            }
            _ => self.invalid(),
        }
    }

    /// Reads a value and finds the members of `keys`, if it is an object.
    #[inline]
    fn top(&mut self, keys: &'static Keys) -> Scan<Top<'a>> {
        let start = self.rest;
        Ok(match self.peek() {
            Some(b'{') => {
                let mut members = TextMembers::default();
                self.object(|key, value| members.note(keys, key, value))?;
                Top::Object(TextNode { text: self.since(start) }, members)
            }
            Some(b'[') => {
                let mut items = Vec::new();
                self.array(|item| {
                    if items.len() < Top::ITEMS {
                        items.push(item);
                    }
                    ControlFlow::Continue(())
                })?;
                Top::Array(items)
            }
            _ => {
                self.skip_value()?;
                Top::Scalar(TextNode { text: self.since(start) })
            }
        })
    }

    /// Reads an object; `member` sees each name and value.
    #[inline]
    fn object(&mut self, mut member: impl FnMut(RawString<'a>, TextNode<'a>)) -> Scan<()> {
        self.object_of(|scanner, key| {
            let start = scanner.rest;
            scanner.skip_value()?;
            member(key, TextNode { text: scanner.since(start) });
            Ok(())
        })
    }

    /// Reads an object; `value` sees each name and goes past its value.
    #[inline]
    fn object_of(&mut self, mut value: impl FnMut(&mut Self, RawString<'a>) -> Scan<()>) -> Scan<()> {
        self.expect(b'{')?;
        self.white_space();
        if self.peek() == Some(b'}') {
            self.bump();
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.white_space();
            self.expect(b':')?;
            self.white_space();
            value(self, key)?;
            self.white_space();
            match self.peek() {
                Some(b',') => self.bump(),
                Some(b'}') => {
                    self.bump();
                    return Ok(());
                }
                _ => return self.invalid(),
            }
            self.white_space();
        }
    }

    /// Reads an array; `item` sees each item until it breaks, which leaves the scanner where it is.
    #[inline]
    fn array(&mut self, mut item: impl FnMut(TextNode<'a>) -> ControlFlow<()>) -> Scan<()> {
        self.expect(b'[')?;
        self.white_space();
        if self.peek() == Some(b']') {
            self.bump();
            return Ok(());
        }
        loop {
            let start = self.rest;
            self.skip_value()?;
            if item(TextNode { text: self.since(start) }).is_break() {
                return Ok(());
            }
            self.white_space();
            match self.peek() {
                Some(b',') => self.bump(),
                Some(b']') => {
                    self.bump();
                    return Ok(());
                }
                _ => return self.invalid(),
            }
            self.white_space();
        }
    }

    /// Goes past one value of any depth. White space before it has been skipped.
    #[inline]
    fn skip_value(&mut self) -> Scan<()> {
        // Most values are scalars, which need no account of what is open.
        match self.peek() {
            Some(b'"') => {
                self.bump();
                self.skip_string().map(|_| ())
            }
            Some(b'{' | b'[') => self.skip_container(),
            _ => self.skip_scalar(),
        }
    }

    fn skip_scalar(&mut self) -> Scan<()> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => self.skip_number(),
            Some(b't') => self.literal(b"true"),
            Some(b'f') => self.literal(b"false"),
            Some(b'n') => self.literal(b"null"),
            _ => self.invalid(),
        }
    }

    fn skip_container(&mut self) -> Scan<()> {
        let mut open = Nesting::default();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.bump();
                    self.skip_string()?;
                }
                Some(b'{') => {
                    self.bump();
                    self.white_space();
                    if self.peek() == Some(b'}') {
                        self.bump();
                    } else {
                        open.push(true);
                        self.skip_key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.bump();
                    self.white_space();
                    if self.peek() == Some(b']') {
                        self.bump();
                    } else {
                        open.push(false);
                        continue;
                    }
                }
                _ => self.skip_scalar()?,
            }
            // A value has ended: close what it closes.
            loop {
                if open.depth == 0 {
                    return Ok(());
                }
                self.white_space();
                match self.peek() {
                    Some(b',') => {
                        self.rest = match self.rest {
                            [b',', b' ', tail @ ..] | [_, tail @ ..] => tail,
                            [] => &[],
                        };
                        self.white_space();
                        if open.in_object() {
                            self.skip_key()?;
                        }
                        break;
                    }
                    Some(b'}') if open.in_object() => self.bump(),
                    Some(b']') if !open.in_object() => self.bump(),
                    _ => return self.invalid(),
                }
                open.pop();
            }
        }
    }

    #[inline(always)]
    fn skip_key(&mut self) -> Scan<()> {
        self.expect(b'"')?;
        self.skip_string()?;
        // As most writers put it: nothing before the colon, a space or nothing behind it.
        match self.rest {
            [b':', b' ', tail @ ..] | [b':', tail @ ..] => self.rest = tail,
            _ => {
                self.white_space();
                self.expect(b':')?;
            }
        }
        self.white_space();
        Ok(())
    }

    #[inline]
    fn literal(&mut self, word: &[u8]) -> Scan<()> {
        match self.rest.strip_prefix(word) {
            Some(tail) => {
                self.rest = tail;
                Ok(())
            }
            None => self.invalid(),
        }
    }

    #[inline]
    fn skip_digits(&mut self) -> Scan<()> {
        let start = self.rest.len();
        while let Some((b'0'..=b'9', tail)) = self.rest.split_first() {
            self.rest = tail;
        }
        if self.rest.len() == start { self.invalid() } else { Ok(()) }
    }

    #[inline]
    fn skip_number(&mut self) -> Scan<()> {
        if self.peek() == Some(b'-') {
            self.bump();
        }
        if self.peek() == Some(b'0') {
            self.bump();
        } else {
            self.skip_digits()?;
        }
        if self.peek() == Some(b'.') {
            self.bump();
            self.skip_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.bump();
            if let Some(b'+' | b'-') = self.peek() {
                self.bump();
            }
            self.skip_digits()?;
        }
        Ok(())
    }

    #[inline(always)]
    fn string(&mut self) -> Scan<RawString<'a>> {
        self.expect(b'"')?;
        let start = self.rest;
        let escaped = self.skip_string()?;
        let inner = start.get(..start.len() - self.rest.len() - 1).unwrap_or_default();
        Ok(RawString { inner, escaped })
    }

    /// Goes past a string whose opening quote has been read; says whether there is an escape in it.
    #[inline(always)]
    fn skip_string(&mut self) -> Scan<bool> {
        // Names and short values end within the first words; nothing else is inlined.
        for _ in 0..3 {
            let Some((word, tail)) = self.rest.split_first_chunk::<8>() else { break };
            let word = u64::from_le_bytes(*word);
            let stops = stops_ascii(word);
            if stops == 0 {
                self.rest = tail;
                continue;
            }
            let index = (stops.trailing_zeros() / 8) as usize;
            match self.rest.get(index..).and_then(<[u8]>::split_first) {
                Some((b'"', tail)) => {
                    self.rest = tail;
                    return Ok(false);
                }
                _ => break,
            }
        }
        self.skip_long_string()
    }

    /// The same from anywhere inside a string, as long as what has been passed was plain ASCII.
    #[inline(never)]
    fn skip_long_string(&mut self) -> Scan<bool> {
        let start = self.rest;
        let mut escaped = false;
        let mut high = false;
        loop {
            self.skip_plain(&mut high);
            match self.rest.split_first() {
                Some((b'"', tail)) => {
                    if high && let Err(error) = core::str::from_utf8(self.since(start)) {
                        self.rest = start.get(error.valid_up_to()..).unwrap_or_default();
                        return self.invalid();
                    }
                    self.rest = tail;
                    return Ok(escaped);
                }
                Some((b'\\', tail)) => {
                    escaped = true;
                    match tail.split_first() {
                        Some((b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', tail)) => {
                            self.rest = tail;
                        }
                        Some((b'u', tail)) => {
                            self.rest = tail;
                            self.skip_unicode_escape()?;
                        }
                        _ => return self.invalid(),
                    }
                }
                _ => return self.invalid(),
            }
        }
    }

    /// Goes past bytes that are neither a quote, nor a backslash, nor a control character, and notes whether
    /// one of them is not ASCII.
    #[inline(always)]
    fn skip_plain(&mut self, high: &mut bool) {
        let mut rest = self.rest;
        let mut rounds = 0;
        while let Some((word, tail)) = rest.split_first_chunk::<8>() {
            let word = u64::from_le_bytes(*word);
            let stops = stops_any(word);
            if stops != 0 {
                let bits = stops.trailing_zeros() & !7;
                *high |= word & HIGH & !(u64::MAX << bits) != 0;
                self.rest = rest.get((bits / 8) as usize..).unwrap_or_default();
                return;
            }
            *high |= word & HIGH != 0;
            rest = tail;
            rounds += 1;
            // Only a long run is worth the loop over blocks.
            if rounds == 2 {
                rest = past_plain_blocks(rest);
            }
        }
        self.rest = rest;
        while let Some((&byte, tail)) = self.rest.split_first() {
            if byte == b'"' || byte == b'\\' || byte < 0x20 {
                break;
            }
            *high |= byte >= 0x80;
            self.rest = tail;
        }
    }

    /// Goes past the digits of `\u`, and past the second half of a surrogate pair.
    fn skip_unicode_escape(&mut self) -> Scan<()> {
        let start = self.rest;
        match self.unit()? {
            0xD800..0xDC00 => {
                self.expect(b'\\')?;
                self.expect(b'u')?;
                let low = self.rest;
                if (0xDC00..0xE000).contains(&self.unit()?) {
                    return Ok(());
                }
                self.rest = low;
                self.invalid()
            }
            0xDC00..0xE000 => {
                self.rest = start;
                self.invalid()
            }
            _ => Ok(()),
        }
    }

    fn unit(&mut self) -> Scan<u32> {
        let Some((digits, tail)) = self.rest.split_first_chunk::<4>() else { return self.invalid() };
        let mut unit = 0;
        for &digit in digits {
            let Some(value) = char::from(digit).to_digit(16) else { return self.invalid() };
            unit = unit << 4 | value;
        }
        self.rest = tail;
        Ok(unit)
    }
}

/// Goes past whole blocks of plain ASCII. Written without a branch inside the block, so that the compiler
/// turns it into vector instructions.
#[inline(never)]
fn past_plain_blocks(mut rest: &[u8]) -> &[u8] {
    while let Some((block, tail)) = rest.split_first_chunk::<32>() {
        let mut stops = 0_u8;
        for &byte in block {
            // Below the space, or not ASCII: one comparison as signed numbers.
            stops |= u8::from(byte.cast_signed() < 0x20) | u8::from(byte == b'"') | u8::from(byte == b'\\');
        }
        if stops != 0 {
            break;
        }
        rest = tail;
    }
    rest
}

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;
const QUOTES: u64 = ONES * b'"' as u64;
const BACKSLASHES: u64 = ONES * b'\\' as u64;
const SPACES: u64 = ONES * b' ' as u64;

/// A mark in the top bit of each byte that ends a run of plain string bytes. Marks above the lowest may be
/// false (a borrow runs upwards), the lowest never is.
#[inline(always)]
const fn stops_any(word: u64) -> u64 {
    let quote = word ^ QUOTES;
    let backslash = word ^ BACKSLASHES;
    let marks = (quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash)
        | (word.wrapping_sub(SPACES) & !word);
    marks & HIGH
}

/// The same, and every byte that is not ASCII stops too, which makes the test cheaper.
#[inline(always)]
const fn stops_ascii(word: u64) -> u64 {
    let quote = (word ^ QUOTES).wrapping_sub(ONES);
    let backslash = (word ^ BACKSLASHES).wrapping_sub(ONES);
    (quote | backslash | word.wrapping_sub(SPACES) | word) & HIGH
}

/// Which containers are open: one bit a level, the first 64 levels without an allocation.
#[derive(Default)]
struct Nesting {
    depth: usize,
    /// The innermost level is the lowest bit.
    word: u64,
    /// Full words of the levels further out.
    spill: Vec<u64>,
}

impl Nesting {
    #[inline(always)]
    fn push(&mut self, object: bool) {
        if self.depth.is_multiple_of(64) && self.depth != 0 {
            self.spill.push(self.word);
        }
        self.word = self.word << 1 | u64::from(object);
        self.depth += 1;
    }

    #[inline(always)]
    fn in_object(&self) -> bool {
        self.word & 1 == 1
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.depth -= 1;
        self.word >>= 1;
        if self.depth.is_multiple_of(64) {
            self.word = self.spill.pop().unwrap_or_default();
        }
    }
}

/// Builds JSON text. A scalar stays as it was written, so a number of any length keeps its digits.
#[derive(Debug, Clone, Copy, Default)]
pub struct ToText;

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

impl Build<TextNode<'_>> for ToText {
    type Value = String;

    fn scalar(&mut self, node: &TextNode<'_>) -> Result<String, Infallible> {
        Ok(node.as_str().to_owned())
    }

    fn string(&mut self, text: &str) -> Result<String, Infallible> {
        Ok(quoted(text))
    }

    fn array(&mut self, items: Vec<String>) -> Result<String, Infallible> {
        let mut text = String::from("[");
        for (index, item) in items.iter().enumerate() {
            text.push_str(if index > 0 { "," } else { "" });
            text.push_str(item);
        }
        text.push(']');
        Ok(text)
    }

    fn object(&mut self, members: Vec<(String, String)>) -> Result<String, Infallible> {
        Ok(object_text(&members))
    }
}

/// The text of an object from the texts of its members.
#[must_use]
pub fn object_text(members: &[(String, String)]) -> String {
    let mut text = String::from("{");
    for (index, (name, value)) in members.iter().enumerate() {
        text.push_str(if index > 0 { "," } else { "" });
        text.push_str(&quoted(name));
        text.push(':');
        text.push_str(value);
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(text: &str) -> TextNode<'_> {
        TextNode::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn takes_what_serde_json_takes_and_refuses_what_it_refuses() {
        for text in [
            "0",
            "-0",
            "1.5e+7",
            "1E5",
            "-0.0",
            "\"\"",
            "\"a\\u00e9\\n\"",
            "[]",
            "[1,2, 3 ]",
            " { } ",
            "null",
            "{\"a\":{\"b\":[{}]}}",
            "\"\\ud83d\\ude00\"",
            "\"é漢😀\"",
            "true",
            "false",
            "[[[]]]",
            "1e400",
            "\t\r\n1\n",
        ] {
            ok(text);
            // serde_json has no place for 1e400; all else it takes too.
            assert!(text == "1e400" || serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
        for text in [
            "",
            " ",
            "01",
            "-",
            "1.",
            ".5",
            "1e",
            "+1",
            "nul",
            "nulll",
            "tru",
            "NaN",
            "Infinity",
            "'a'",
            "\"",
            "\"a",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12g4\"",
            "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\ud800\\u0041\"",
            "\"\n\"",
            "[",
            "]",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "{",
            "}",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":1,}",
            "{1:2}",
            "{\"a\" 1}",
            "[}",
            "{]",
            "[1}",
            "{\"a\":1]",
            "1 2",
            "1,",
            "\u{feff}1",
            "// c\n1",
            "[1 2]",
            "{\"a\":1 \"b\":2}",
            "\"\\u+123\"",
            "0x1",
            "1_0",
        ] {
            assert!(TextNode::parse(text.as_bytes()).is_err(), "{text:?}");
        }
        for bytes in [&b"\"\xff\""[..], b"\"\xc3\"", b"\xff", b"\"\xed\xa0\x80\"", b"\"\xc0\x80\"", b"1\0"] {
            assert!(TextNode::parse(bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn finds_special_bytes_at_every_place() {
        for length in 0..80 {
            for special in [b'"', b'\\', 0x1f, b'\n', 0] {
                let mut text = vec![b'x'; length];
                text.extend_from_slice(&[special, b'"', b'"', b'\\', 1]);
                text.resize(120, b'y');
                let mut high = false;
                let mut scanner = Scanner::new(&text);
                scanner.skip_plain(&mut high);
                assert_eq!((text.len() - scanner.rest.len(), high), (length, false), "{special:#x}");
            }
            let mut text = vec![b'x'; length];
            text.push(0xc3);
            text.extend_from_slice(b"\"yyyyyyyyyyyyyyyyyyyyyyyy");
            let mut high = false;
            let mut scanner = Scanner::new(&text);
            scanner.skip_plain(&mut high);
            assert_eq!((text.len() - scanner.rest.len(), high), (length + 1, true));
        }
    }

    #[test]
    fn depth_is_no_reason_to_refuse() {
        // Under Miri each byte takes a while.
        let depth = if cfg!(miri) { 1_000 } else { 1_000_000 };
        let mut text = "[".repeat(depth);
        assert!(TextNode::parse(text.as_bytes()).is_err());
        text.push_str(&"]".repeat(depth));
        ok(&text);
        let mixed = "{\"a\":[".repeat(400) + "1" + &"]}".repeat(400);
        ok(&mixed);
        let crossed = "{\"a\":[".repeat(400) + "1" + &"}]".repeat(400);
        assert!(TextNode::parse(crossed.as_bytes()).is_err());
    }

    #[test]
    fn the_last_of_equal_names_counts() {
        let node = ok(r#"{"a":1,"b":2,"\u0061":3}"#);
        let mut seen = Vec::new();
        let Ok(()) = node.entries(&mut |key, value| {
            seen.push((key.to_owned(), value.as_str().to_owned()));
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(seen, [("a".to_owned(), "3".to_owned()), ("b".to_owned(), "2".to_owned())]);
    }

    #[test]
    fn numbers() {
        let view = |text: &str| match ok(text).view().unwrap() {
            View::Integer(i) => format!("i{i}"),
            View::BigInteger(f) => format!("b{f}"),
            View::Float(f) => format!("f{f}"),
            other => format!("{other:?}"),
        };
        assert_eq!(view("4014"), "i4014");
        assert_eq!(view("-0"), "i0");
        assert_eq!(view("4014.0"), "f4014");
        assert_eq!(view("18446744073709551616"), "i18446744073709551616");
        assert_eq!(view(&"9".repeat(5000)), "binf");
        assert_eq!(view("1e999"), "finf");
    }

    #[test]
    fn strings_are_decoded() {
        let node = ok(r#""a\"\\\/\b\f\n\r\t\u4e2d\ud83d\ude00z""#);
        assert_eq!(node.view().unwrap(), View::String("a\"\\/\u{8}\u{c}\n\r\t中😀z".into()));
    }
}
