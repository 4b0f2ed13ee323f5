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

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
mod simd;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))))]
#[cfg_attr(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"), allow(dead_code))]
mod swar;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
use simd::{SHORT, STEP, Stops, Vectors, stop_in};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
use swar::{SHORT, STEP, Stops, Vectors, stop_in};

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
pub(crate) enum Top<'a> {
    /// An object. The members that were asked for stand where the caller wants them: they are not moved around.
    Object(TextNode<'a>),
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
pub(crate) fn scan<'a>(
    text: &'a [u8],
    keys: &'static Keys,
    members: &mut TextMembers<'a>,
) -> Result<Top<'a>, InvalidJson> {
    let mut scanner = Scanner::new(text);
    scanner.white_space();
    let top = scanner.top(keys, members)?;
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
    /// The members that were asked for, of the whole.
    pub(crate) members: TextMembers<'a>,
    /// The same of `ack`.
    pub(crate) ack_members: TextMembers<'a>,
}

/// [`scan`], which finds the members of `keys` in the member `ack` as well, in the same pass.
#[inline]
pub(crate) fn scan_record<'a>(text: &'a [u8], keys: &'static Keys) -> Result<Recorded<'a>, InvalidJson> {
    let mut scanner = Scanner::new(text);
    scanner.white_space();
    let (mut members, mut ack_members) = (TextMembers::default(), TextMembers::default());
    if scanner.peek() != Some(b'{') {
        let top = scan(text, keys, &mut members)?;
        return Ok(Recorded { top, event: None, ack: None, members, ack_members });
    }
    let whole = scanner.rest;
    let (mut event, mut ack) = (None, None);
    scanner.object_of(|scanner, key| {
        let start = scanner.rest;
        if key.is("ack") {
            // The last of equal names counts.
            ack_members = TextMembers::default();
            ack = Some(scanner.top(keys, &mut ack_members)?);
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
    let top = Top::Object(TextNode { text: scanner.since(whole) });
    scanner.end()?;
    Ok(Recorded { top, event, ack, members, ack_members })
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
    stops: Stops,
}

type Scan<T> = Result<T, InvalidJson>;

impl<'a> Scanner<'a> {
    #[allow(clippy::default_constructed_unit_structs)] // without vector instructions there is nothing in it
    fn new(text: &'a [u8]) -> Self {
        Self { text, rest: text, stops: Stops::default() }
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

    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline(always))]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
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
    fn top(&mut self, keys: &'static Keys, members: &mut TextMembers<'a>) -> Scan<Top<'a>> {
        let start = self.rest;
        Ok(match self.peek() {
            Some(b'{') => {
                self.object(|key, value| members.note(keys, key, value))?;
                Top::Object(TextNode { text: self.since(start) })
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
                if FAST
                    && let [b',', b'"', ..] = self.rest
                    && !open.in_object()
                {
                    self.skip_plain_items();
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

    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline(always))]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
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

    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline(always))]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    fn string(&mut self) -> Scan<RawString<'a>> {
        self.expect(b'"')?;
        let start = self.rest;
        let escaped = self.skip_string()?;
        let inner = start.get(..start.len() - self.rest.len() - 1).unwrap_or_default();
        Ok(RawString { inner, escaped })
    }

    /// Goes past a string whose opening quote has been read; says whether there is an escape in it.
    #[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline(always))]
    #[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
    fn skip_string(&mut self) -> Scan<bool> {
        self.rest = to_stop(self.rest);
        if let [b'"', tail @ ..] = self.rest {
            self.rest = tail;
            return Ok(false);
        }
        self.skip_marked_string()
    }

    /// The same from anywhere inside a string, as long as what has been passed was plain ASCII.
    #[inline(always)]
    fn skip_by_stops<V: Vectors>(&mut self, vectors: V) -> Scan<bool> {
        let text = self.text;
        let mut escaped = false;
        loop {
            let (place, simple) = self.stops.next(text, text.len() - self.rest.len(), vectors);
            escaped |= simple;
            self.rest = text.get(place..).unwrap_or_default();
            match self.rest {
                [b'"', tail @ ..] => {
                    self.rest = tail;
                    return Ok(escaped);
                }
                [b'\\', byte, tail @ ..] => {
                    escaped = true;
                    if is_escaped_alone(*byte) {
                        self.rest = tail;
                        continue;
                    }
                    if *byte != b'u' {
                        return self.invalid();
                    }
                    self.rest = tail;
                    self.skip_unicode_escape()?;
                    // Where one is there are more.
                    while let [b'\\', b'u', tail @ ..] = self.rest {
                        self.rest = tail;
                        self.skip_unicode_escape()?;
                    }
                }
                [0x80..=0xFF, ..] => {
                    self.rest = past_non_ascii(self.rest);
                    if let [0x80..=0xFF, ..] = self.rest {
                        return self.invalid();
                    }
                }
                _ => return self.invalid(),
            }
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

/// Whether what only makes it faster is worth its code. A module that is loaded over a network has to be small.
const FAST: bool = !cfg!(target_arch = "wasm32");

/// Whether a backslash and this byte are a whole escape.
#[inline(always)]
fn is_escaped_alone(byte: u8) -> bool {
    const ALONE: [bool; 256] = {
        let mut alone = [false; 256];
        let mut rest = b"\"\\/bfnrt".as_slice();
        while let [byte, tail @ ..] = rest {
            #[allow(clippy::indexing_slicing)] // evaluated by the compiler
            {
                alone[*byte as usize] = true;
            }
            rest = tail;
        }
        alone
    };
    // The table spares the processor a guess which of them it is.
    if FAST {
        ALONE.get(usize::from(byte)).copied().unwrap_or_default()
    } else {
        matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
    }
}

/// Goes past all characters up to the next one that is ASCII, or up to what is none: by what is there already.
#[cfg(any(test, target_arch = "wasm32"))]
fn past_run(rest: &[u8]) -> &[u8] {
    let end = rest.iter().position(u8::is_ascii).unwrap_or(rest.len());
    let run = rest.get(..end).unwrap_or_default();
    let end = core::str::from_utf8(run).map_or_else(|error| error.valid_up_to(), str::len);
    rest.get(end..).unwrap_or_default()
}

#[cfg(target_arch = "wasm32")]
use past_run as past_non_ascii;

/// [`past_run`], faster.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn past_non_ascii(mut rest: &[u8]) -> &[u8] {
    let mut characters = 0_u32;
    loop {
        // Table 3-7 of the Unicode standard: what is well-formed.
        rest = match rest {
            [0xE1..=0xEC | 0xEE | 0xEF, 0x80..=0xBF, 0x80..=0xBF, tail @ ..]
            | [0xC2..=0xDF, 0x80..=0xBF, tail @ ..]
            | [0xE0, 0xA0..=0xBF, 0x80..=0xBF, tail @ ..]
            | [0xED, 0x80..=0x9F, 0x80..=0xBF, tail @ ..]
            | [0xF0, 0x90..=0xBF, 0x80..=0xBF, 0x80..=0xBF, tail @ ..]
            | [0xF1..=0xF3, 0x80..=0xBF, 0x80..=0xBF, 0x80..=0xBF, tail @ ..]
            | [0xF4, 0x80..=0x8F, 0x80..=0xBF, 0x80..=0xBF, tail @ ..] => tail,
            _ => return rest,
        };
        characters += 1;
        // Only a run is worth the loop over blocks.
        if characters % 8 == 4 {
            rest = past_three_byte_characters(rest);
        }
    }
}

/// Goes past whole blocks of eight characters of three bytes, which is what Chinese, Japanese and Korean are
/// written in.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn past_three_byte_characters(mut rest: &[u8]) -> &[u8] {
    const MASKS: [u64; 3] = thrice([0xF0, 0xC0, 0xC0]);
    const FORMS: [u64; 3] = thrice([0xE0, 0x80, 0x80]);
    const LEADS: [u64; 3] = thrice([0xFF, 0, 0]);
    while let Some((block, tail)) = rest.split_first_chunk::<24>() {
        let (words, _) = block.as_chunks::<8>();
        let mut other = 0;
        for (((word, mask), form), lead) in words.iter().zip(MASKS).zip(FORMS).zip(LEADS) {
            let word = u64::from_le_bytes(*word);
            other |= (word & mask) ^ form;
            // After these two not every second byte is well-formed; they are left to who looks closer.
            for special in [0xE0, 0xED] {
                let difference = (word ^ (ONES * special)) | !lead;
                other |= difference.wrapping_sub(ONES) & !difference & HIGH;
            }
        }
        if other != 0 {
            break;
        }
        rest = tail;
    }
    rest
}

/// A word of ones, and one of top bits.
const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;

/// Three bytes over and over, in words.
#[cfg(not(target_arch = "wasm32"))]
const fn thrice([a, b, c]: [u8; 3]) -> [u64; 3] {
    [
        u64::from_le_bytes([a, b, c, a, b, c, a, b]),
        u64::from_le_bytes([c, a, b, c, a, b, c, a]),
        u64::from_le_bytes([b, c, a, b, c, a, b, c]),
    ]
}

/// Goes past plain ASCII in a string, up to what ends it or, in a long one, not so far.
///
/// What goes in and comes out by value stays in registers: where the next string begins is waited for.
#[inline(always)]
fn to_stop(mut rest: &[u8]) -> &[u8] {
    // Names and short values end within the first bytes; nothing else is inlined.
    for _ in 0..SHORT / STEP {
        let Some((step, tail)) = rest.split_first_chunk::<STEP>() else { break };
        if let Some(index) = stop_in(step) {
            return rest.get(index..).unwrap_or_default();
        }
        rest = tail;
    }
    if FAST { past_sentence(rest) } else { rest }
}

/// Goes past as much plain ASCII as a sentence has.
#[inline(never)]
fn past_sentence(mut rest: &[u8]) -> &[u8] {
    for _ in 0..SENTENCE / STEP {
        let Some((step, tail)) = rest.split_first_chunk::<STEP>() else { return past_plain(rest) };
        if let Some(index) = stop_in(step) {
            return rest.get(index..).unwrap_or_default();
        }
        rest = tail;
    }
    rest
}

/// Goes past plain ASCII, byte by byte.
#[inline(always)]
fn past_plain(mut rest: &[u8]) -> &[u8] {
    while let Some((b' '..=b'!' | b'#'..=b'[' | b']'..=0x7F, tail)) = rest.split_first() {
        rest = tail;
    }
    rest
}

/// How many bytes a sentence has; what is longer is worth a map.
const SENTENCE: usize = 80;

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
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
    use fearless_simd::{Level, dispatch};

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
    use super::simd::level;
    use super::swar::next_stop;
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
    fn every_byte_is_found_at_every_place() {
        // Under Miri each byte takes a while.
        let lengths = if cfg!(miri) { 60..70 } else { 0..200 };
        for length in lengths {
            for place in 0..length {
                for byte in
                    [b'"', b'\\', 0, 0x1F, b'\n', b' ', b'!', b'#', b'[', b']', 0x7F, 0x80, 0xC3, 0xFF]
                {
                    let mut text = vec![b'x'; length];
                    text[place] = byte;
                    let plain = (0x20..0x80).contains(&byte) && byte != b'"' && byte != b'\\';
                    let expected = if plain { length } else { place };
                    assert_eq!(next_stop(&text, 0), expected, "{byte:#x} at {place} of {length}");
                    for mut next in finders() {
                        assert_walked(&mut *next, &text, 0);
                        // What is kept of a block must not depend on where it was asked from.
                        assert_walked(&mut *next, &text, place + 1);
                        assert_walked(&mut *next, &text, 0);
                    }
                }
            }
        }
    }

    type Finder = dyn FnMut(&[u8], usize) -> (usize, bool);

    /// [`Stops::next`] with all the instructions that this machine has.
    fn finders() -> Vec<Box<Finder>> {
        let mut finders: Vec<Box<Finder>> = Vec::new();
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
        for level in [Some(Level::baseline()), level().as_avx2().map(Level::Avx2), Some(level())] {
            let Some(level) = level else { continue };
            let mut stops = Stops::default();
            finders.push(Box::new(move |text, at| dispatch!(level, simd => stops.next(text, at, simd))));
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
        {
            let mut stops = Stops::default();
            finders.push(Box::new(move |text, at| stops.next(text, at, ())));
        }
        finders
    }

    /// What was found is what a walk from stop to stop comes to, with nothing but simple escapes on the way.
    fn assert_walked(next: &mut Finder, text: &[u8], at: usize) {
        let (place, escapes) = next(text, at);
        let (mut walked, mut passed) = (next_stop(text, at), false);
        while walked < place {
            let simple = matches!(text[walked..], [b'\\', byte, ..] if is_escaped_alone(byte));
            assert!(simple, "{walked} was passed of {text:?} from {at}");
            (walked, passed) = (next_stop(text, walked + 2), true);
        }
        assert_eq!((place, escapes), (walked, passed), "{text:?} from {at}");
    }

    proptest::proptest! {
        #[test]
        fn all_stops_are_found(text in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
            let stops = |byte: &u8| !(0x20..0x80).contains(byte) || matches!(byte, b'"' | b'\\');
            let mut finders = finders();
            let mut at = 0;
            while at < text.len() {
                let expected = text[at..].iter().position(stops).map_or(text.len(), |found| at + found);
                proptest::prop_assert_eq!(next_stop(&text, at), expected);
                for next in &mut finders {
                    assert_walked(&mut **next, &text, at);
                }
                at = expected + 1;
            }
        }

        #[test]
        fn escapes_are_passed(
            parts in proptest::collection::vec(proptest::prop_oneof![
                proptest::prelude::Just("plain text of some length"),
                proptest::prelude::Just("x"),
                proptest::prelude::Just("\\\\"),
                proptest::prelude::Just("\\\""),
                proptest::prelude::Just("\\n"),
                proptest::prelude::Just("\\u00e9"),
                proptest::prelude::Just("\\x"),
                proptest::prelude::Just("\""),
                proptest::prelude::Just("\",\""),
                proptest::prelude::Just("\\"),
                proptest::prelude::Just("é"),
            ], 0..60),
        ) {
            let text = parts.concat();
            for mut next in finders() {
                let mut at = 0;
                while at < text.len() {
                    assert_walked(&mut *next, text.as_bytes(), at);
                    at = next(text.as_bytes(), at).0 + 1;
                }
            }
            // The same, as a whole: serde_json is the judge.
            for text in [format!("[\"{text}\"]"), format!("[\"a\",\"{text}\",\"b\"]"), format!("{{\"k\":[\"{text}\",\"{text}\"]}}")] {
                let ours = TextNode::parse(text.as_bytes()).is_ok();
                proptest::prop_assert_eq!(ours, serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text);
            }
        }

        #[test]
        fn strings_are_text_where_the_standard_library_says_so(
            parts in proptest::collection::vec(proptest::prop_oneof![
                proptest::prelude::Just(&b"\xe4\xb8\xad\xe6\x96\x87\xe6\x9c\xac"[..]),
                proptest::prelude::Just(&b"plain text"[..]),
                proptest::prelude::Just(&b"\xc3\xa9"[..]),
                proptest::prelude::Just(&b"\xe0\xa0\x80\xed\x9f\xbf"[..]),
                proptest::prelude::Just(&b"\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf"[..]),
            ], 0..40),
            changes in proptest::collection::vec((proptest::num::usize::ANY, proptest::num::u8::ANY), 0..3),
        ) {
            let mut inner = parts.concat();
            for (place, byte) in changes {
                let length = inner.len();
                if length > 0 && !matches!(byte, 0..0x20 | b'"' | b'\\') {
                    inner[place % length] = byte;
                }
            }
            let text = [b"\"", &inner[..], b"\""].concat();
            let found = TextNode::parse(&text).map(|_| ()).map_err(|error| error.offset);
            let expected = core::str::from_utf8(&inner).map(|_| ()).map_err(|error| 1 + error.valid_up_to());
            proptest::prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn every_sequence_of_bytes_that_is_not_ascii_is_judged_as_by_the_standard_library() {
        // All second bytes; of the third and fourth those at the borders. In a long run, where blocks are tried,
        // and at its start.
        let firsts = if cfg!(miri) { 0xE0..=0xE1 } else { 0x80..=0xFF };
        for (first, before) in firsts.flat_map(|first| [(first, 0), (first, 4), (first, 17)]) {
            for second in 0..=0xFF {
                for last in [0x7F, 0x80, 0xBF, 0xC0] {
                    let mut inner = "中".repeat(before).into_bytes();
                    inner.extend_from_slice(&[first, second, last, last]);
                    inner.extend_from_slice("文".repeat(17).as_bytes());
                    if inner.iter().any(|byte| matches!(byte, 0..0x20 | b'"' | b'\\')) {
                        continue;
                    }
                    assert_eq!(past_run(&inner), past_non_ascii(&inner), "{first:#x} {second:#x} {last:#x}");
                    let text = [b"\"", &inner[..], b"\""].concat();
                    let found = TextNode::parse(&text).map(|_| ()).map_err(|error| error.offset);
                    let expected =
                        core::str::from_utf8(&inner).map(|_| ()).map_err(|error| 1 + error.valid_up_to());
                    assert_eq!(found, expected, "{first:#x} {second:#x} {last:#x} after {before}");
                }
            }
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
