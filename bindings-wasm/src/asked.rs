//! What goes with a question, one after the other.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;
use core::str::FromStr;

use ackguard::code::ErrorCode;
use ackguard::host::{ToJson, copy};
use ackguard::payload::MAX_DEPTH;
use ackguard::value::{Value, integer};
use ackguard::{Dialect, Locale};

use crate::any::AnyNode;
use crate::host;
use crate::{Fault, dialect, misuse};

/// The arguments of a question that have not been read yet. JavaScript has seen to their types.
pub(crate) struct Asked {
    next: u32,
    end: u32,
}

impl Asked {
    pub(crate) fn new(first: u32, count: u32) -> Self {
        Self { next: first, end: first + count }
    }

    fn place(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    #[inline(never)]
    pub(crate) fn number(&mut self) -> f64 {
        host::number(self.place())
    }

    /// A number of 32 bits: one that is counted, a length, a value's place with its tag.
    #[inline(never)]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // its bits may stand for a negative one
    pub(crate) fn index(&mut self) -> u32 {
        self.number() as i64 as u32
    }

    #[inline(never)]
    pub(crate) fn flag(&mut self) -> bool {
        self.index() == 1
    }

    /// Whether there is a number, and the number.
    pub(crate) fn maybe_number(&mut self) -> Option<f64> {
        let (is_there, number) = (self.flag(), self.number());
        is_there.then_some(number)
    }

    #[inline(never)]
    pub(crate) fn maybe_text(&mut self) -> Option<String> {
        host::text(self.place())
    }

    #[inline(never)]
    pub(crate) fn text(&mut self) -> String {
        self.maybe_text().unwrap_or_default()
    }

    /// All that is left.
    #[inline(never)]
    pub(crate) fn texts(&mut self) -> Vec<String> {
        let mut texts = Vec::new();
        while self.next < self.end {
            texts.push(self.text());
        }
        texts
    }

    /// A value, by its place and its tag.
    #[inline(never)]
    pub(crate) fn node(&mut self) -> Option<AnyNode<'static>> {
        AnyNode::unpack(self.index())
    }

    /// A value as JSON.
    #[inline(never)]
    pub(crate) fn json(&mut self) -> Option<Value> {
        let Ok((value, _)) = copy(&self.node()?, &mut ToJson, MAX_DEPTH);
        Some(value)
    }

    #[inline(never)]
    pub(crate) fn dialect(&mut self) -> Dialect {
        dialect(self.index())
    }

    #[inline(never)]
    pub(crate) fn locale(&mut self) -> Locale {
        Locale::from_tag(&self.text())
    }

    #[allow(clippy::cast_possible_truncation)] // a number that is no code becomes another that is none
    pub(crate) fn code(&mut self) -> ErrorCode {
        ErrorCode::new(self.number() as i64)
    }

    /// What is written in decimal, if it is and the type holds it.
    #[inline(never)]
    pub(crate) fn maybe_integer(&mut self) -> Option<i128> {
        integer(&self.maybe_text()?)
    }

    /// The same; one that is too large is as good as the largest.
    pub(crate) fn integer(&mut self) -> i128 {
        let digits = self.text();
        integer(&digits).unwrap_or(if digits.starts_with('-') { i128::MIN } else { i128::MAX })
    }

    pub(crate) fn parsed(&mut self) -> Option<u64> {
        self.maybe_integer()?.try_into().ok()
    }

    /// One of fixed words, or none.
    pub(crate) fn word<T: FromStr<Err: Display>>(&mut self) -> Result<Option<T>, Fault> {
        let word = self.maybe_text().map(|word| word.parse());
        word.transpose().map_err(|error: T::Err| misuse(&error.to_string()))
    }
}
