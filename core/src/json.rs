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

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use safe_arch::{
    cmp_eq_mask_i8_m128i, cmp_lt_mask_i8_m128i, load_unaligned_m128i, move_mask_i8_m128i, set_splat_i8_m128i,
};

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
    stops: Stops,
}

type Scan<T> = Result<T, InvalidJson>;

impl<'a> Scanner<'a> {
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
            let stops = stops(word);
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
        let mut rest = self.rest;
        // A sentence ends here, if nothing in it needs a closer look.
        let steps = if FAST { 96 / STEP } else { 0 };
        for _ in 0..steps {
            let Some((step, tail)) = rest.split_first_chunk::<STEP>() else { break };
            let Some(index) = stop_in(step) else {
                rest = tail;
                continue;
            };
            rest = rest.get(index..).unwrap_or_default();
            if let [b'"', tail @ ..] = rest {
                self.rest = tail;
                return Ok(false);
            }
            break;
        }
        self.rest = rest;
        self.skip_marked_string()
    }

    /// The same by the map of the stops.
    #[inline(never)]
    fn skip_marked_string(&mut self) -> Scan<bool> {
        // All of it in registers until the string has ended.
        let (text, mut stops) = (self.text, self.stops);
        let mut escaped = false;
        stops.seek(text, text.len() - self.rest.len());
        loop {
            let place = stops.first(text);
            let rest = text.get(place..).unwrap_or_default();
            match rest {
                [b'"', tail @ ..] => {
                    self.rest = tail;
                    self.stops = stops;
                    return Ok(escaped);
                }
                [b'\\', byte, tail @ ..] => {
                    escaped = true;
                    if is_escaped_alone(*byte) {
                        stops.pass_escape();
                        continue;
                    }
                    self.rest = rest;
                    if *byte != b'u' {
                        return self.invalid();
                    }
                    self.rest = tail;
                    self.skip_unicode_escape()?;
                    stops.seek(text, text.len() - self.rest.len());
                }
                [0x80..=0xFF, ..] => {
                    let rest = past_non_ascii(rest);
                    if let [0x80..=0xFF, ..] = rest {
                        self.rest = rest;
                        return self.invalid();
                    }
                    stops.seek(text, text.len() - rest.len());
                }
                _ => {
                    self.rest = rest;
                    return self.invalid();
                }
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

/// Three bytes over and over, in words.
#[cfg(not(target_arch = "wasm32"))]
const fn thrice([a, b, c]: [u8; 3]) -> [u64; 3] {
    [
        u64::from_le_bytes([a, b, c, a, b, c, a, b]),
        u64::from_le_bytes([c, a, b, c, a, b, c, a]),
        u64::from_le_bytes([b, c, a, b, c, a, b, c]),
    ]
}

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;
const QUOTES: u64 = ONES * b'"' as u64;
const BACKSLASHES: u64 = ONES * b'\\' as u64;
const SPACES: u64 = ONES * b' ' as u64;

/// A mark in the top bit of each byte that ends a run of plain string bytes: a quote, a backslash, a control
/// character, or what is not ASCII. Marks above the lowest may be false (a borrow runs upwards), the lowest never is.
#[inline(always)]
const fn stops(word: u64) -> u64 {
    let quote = (word ^ QUOTES).wrapping_sub(ONES);
    let backslash = (word ^ BACKSLASHES).wrapping_sub(ONES);
    (quote | backslash | word.wrapping_sub(SPACES) | word) & HIGH
}

/// The place of the first stop at or after `at`, or the end of the text.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
fn next_stop(text: &[u8], at: usize) -> usize {
    let mut rest = text.get(at..).unwrap_or_default();
    let mut rounds = 0;
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        let stops = stops(u64::from_le_bytes(*word));
        if stops != 0 {
            return text.len() - rest.len() + (stops.trailing_zeros() / 8) as usize;
        }
        rest = tail;
        rounds += 1;
        // Only a long run is worth the loop over blocks.
        if FAST && rounds == 2 {
            rest = past_plain_blocks(rest);
        }
    }
    while let Some((b' '..=b'!' | b'#'..=b'[' | b']'..=0x7F, tail)) = rest.split_first() {
        rest = tail;
    }
    text.len() - rest.len()
}

/// Goes past whole blocks of plain ASCII. Written without a branch inside the block, so that the compiler
/// turns it into vector instructions.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
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

/// Where the stops are: looked for word by word, each time anew.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[derive(Clone, Copy, Default)]
struct Stops {
    at: usize,
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
impl Stops {
    /// What comes before this place has been passed.
    #[inline(always)]
    fn seek(&mut self, _text: &[u8], at: usize) {
        self.at = at;
    }

    /// The place of the first stop that has not been passed, or the end of the text.
    #[inline(always)]
    fn first(&mut self, text: &[u8]) -> usize {
        self.at = next_stop(text, self.at);
        self.at
    }

    /// The first stop has been passed, and the byte behind it.
    #[inline(always)]
    fn pass_escape(&mut self) {
        self.at += 2;
    }
}

/// Where the stops are: a bit for each byte of one aligned block of 64, kept from string to string.
///
/// Where a block begins does not depend on where a string ends, so the processor may work on the next one while
/// it still walks through this one.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[derive(Clone, Copy)]
struct Stops {
    /// Where the block begins.
    block: usize,
    bits: u64,
    /// Those of the bits that have not been passed.
    left: u64,
    /// Those of the next block that have.
    passed: u64,
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Default for Stops {
    fn default() -> Self {
        // No text reaches as far as this block.
        Self { block: usize::MAX - 63, bits: 0, left: 0, passed: 0 }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Stops {
    /// What comes before this place has been passed.
    #[inline(always)]
    fn seek(&mut self, text: &[u8], at: usize) {
        if at & !63 != self.block {
            self.load(text, at & !63);
        }
        self.left = self.bits & u64::MAX << (at & 63);
        self.passed = 0;
    }

    /// The place of the first stop that has not been passed, or the end of the text.
    #[inline(always)]
    fn first(&mut self, text: &[u8]) -> usize {
        while self.left == 0 {
            let next = self.block.wrapping_add(64);
            if next >= text.len() {
                return text.len();
            }
            self.load(text, next);
            self.left = self.bits & !self.passed;
            self.passed = 0;
        }
        self.block + self.left.trailing_zeros() as usize
    }

    /// The first stop has been passed, and the byte behind it. Does not wait for where that is.
    #[inline(always)]
    fn pass_escape(&mut self) {
        let first = self.left & self.left.wrapping_neg();
        self.left &= !(first | first << 1);
        self.passed = first >> 63;
    }

    #[inline(always)]
    fn load(&mut self, text: &[u8], block: usize) {
        self.block = block;
        let rest = text.get(block..).unwrap_or_default();
        self.bits = match rest.first_chunk() {
            Some(block) => stops_of(block),
            None => stops_at_end(text, rest),
        };
    }
}

/// [`stops_of`] where fewer than 64 bytes are left.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[cold]
#[inline(never)]
fn stops_at_end(text: &[u8], rest: &[u8]) -> u64 {
    match text.last_chunk() {
        // The last 64 bytes, without those that came before.
        #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
        Some(block) => stops_of(block).unbounded_shr(64 - rest.len() as u32),
        None => {
            let mut block = [b' '; 64];
            for (to, from) in block.iter_mut().zip(rest) {
                *to = *from;
            }
            stops_of(&block)
        }
    }
}

/// A bit for each byte of a block that ends a run of plain string bytes.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn stops_of(block: &[u8; 64]) -> u64 {
    let (steps, _) = block.as_chunks::<STEP>();
    steps.iter().rev().fold(0, |bits, step| bits << STEP | u64::from(marks(step)))
}

/// A bit for each byte of a vector.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn marks(step: &[u8; STEP]) -> u32 {
    let (space, quote, backslash) = (b' '.cast_signed(), b'"'.cast_signed(), b'\\'.cast_signed());
    let bytes = load_unaligned_m128i(step);
    // Below the space, or not ASCII: one comparison as signed numbers.
    let low = cmp_lt_mask_i8_m128i(bytes, set_splat_i8_m128i(space));
    let quotes = cmp_eq_mask_i8_m128i(bytes, set_splat_i8_m128i(quote));
    let backslashes = cmp_eq_mask_i8_m128i(bytes, set_splat_i8_m128i(backslash));
    move_mask_i8_m128i(low | quotes | backslashes).cast_unsigned()
}

/// How many bytes are looked at together where a string may end soon.
const STEP: usize = if cfg!(all(target_arch = "x86_64", target_feature = "sse2")) { 16 } else { 8 };

/// The first of them that ends a run of plain string bytes.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn stop_in(step: &[u8; STEP]) -> Option<usize> {
    let marks = marks(step);
    (marks != 0).then_some(marks.trailing_zeros() as usize)
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline(always)]
fn stop_in(step: &[u8; STEP]) -> Option<usize> {
    let stops = stops(u64::from_le_bytes(*step));
    (stops != 0).then_some((stops.trailing_zeros() / 8) as usize)
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
                    let mut stops = Stops::default();
                    stops.seek(&text, 0);
                    assert_eq!(stops.first(&text), expected, "{byte:#x} at {place} of {length}");
                    // What is kept of a block must not depend on where it was asked from.
                    stops.seek(&text, place + 1);
                    assert_eq!(stops.first(&text), length, "after {byte:#x} at {place} of {length}");
                }
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn all_stops_are_found(text in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
            let stops = |byte: &u8| !(0x20..0x80).contains(byte) || matches!(byte, b'"' | b'\\');
            let (mut kept, mut at) = (Stops::default(), 0);
            while at < text.len() {
                let expected = text[at..].iter().position(stops).map_or(text.len(), |found| at + found);
                proptest::prop_assert_eq!(next_stop(&text, at), expected);
                kept.seek(&text, at);
                proptest::prop_assert_eq!(kept.first(&text), expected);
                at = expected + 1;
                if expected < text.len() {
                    // As after an escape: the byte behind the stop has been passed as well.
                    kept.pass_escape();
                    let from = text.len().min(expected + 2);
                    proptest::prop_assert_eq!(kept.first(&text), next_stop(&text, from));
                }
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
