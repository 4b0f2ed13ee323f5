//! Where a string may end, by maps of 64 bytes: with the vector instructions of x86-64, the best that the machine has.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, i8x16, i8x64, u8x16, u8x64};

use super::{Scan, Scanner, is_escaped_alone};

/// How many bytes names and short values have.
pub(super) const SHORT: usize = 16;

/// How many bytes are looked at together where a string may end soon.
pub(super) const STEP: usize = 16;

/// How many bytes have one map.
const BLOCK: usize = 64;

/// The first of them that ends a run of plain string bytes.
#[inline(always)]
pub(super) fn stop_in(step: &[u8; STEP]) -> Option<usize> {
    let marks = marks(step);
    (marks != 0).then_some(marks.trailing_zeros() as usize)
}

/// [`stops_of`] a vector, with the instructions that every processor has.
#[inline(always)]
fn marks(step: &[u8; STEP]) -> u64 {
    dispatch!(Level::baseline(), simd => {
        let bytes = u8x16::load_array_ref(simd, step).bitcast::<i8x16<_>>();
        let low = (bytes ^ i8x16::splat(simd, TURN)).simd_lt(i8x16::splat(simd, b'!'.cast_signed()));
        (low | bytes.simd_eq(i8x16::splat(simd, b'\\'.cast_signed()))).to_bitmask()
    })
}

/// Where the stops are: a bit for each byte of one aligned block of 64, kept from string to string.
///
/// Where a block begins does not depend on where a string ends, so the processor may work on the next one while
/// it still walks through this one.
#[derive(Clone, Copy)]
pub(super) struct Stops {
    /// Which block it is.
    block: usize,
    bits: u64,
}

impl Default for Stops {
    fn default() -> Self {
        // No text reaches as far as this block.
        Self { block: usize::MAX, bits: 0 }
    }
}

impl Stops {
    /// The first stop at or after a place that is more than a simple escape, or the end of the text; and whether there
    /// were simple escapes before it.
    #[inline(always)]
    pub(super) fn next(&mut self, text: &[u8], at: usize, vectors: impl Vectors) -> (usize, bool) {
        let (blocks, tail) = text.as_chunks::<BLOCK>();
        let mut number = at / BLOCK;
        let mut unseen = u64::MAX << (at % BLOCK);
        let mut escaped = false;
        let mut rest = blocks.get(number..).unwrap_or_default();
        let mut known = (number == self.block).then_some(self.bits);
        while let Some((block, behind)) = rest.split_first() {
            let bits = match known.take() {
                Some(bits) => bits,
                None => stops_of(vectors, block),
            };
            let mut left = bits & unseen;
            while left != 0 {
                let index = left.trailing_zeros() as usize;
                match (block.get(index), block.get(index + 1)) {
                    (Some(b'\\'), Some(&byte)) if is_escaped_alone(byte) => {}
                    _ => {
                        *self = Self { block: number, bits };
                        return (number * BLOCK + index, escaped);
                    }
                }
                escaped = true;
                // What is escaped is no stop.
                left &= left - 1;
                left &= !(1 << (index + 1));
            }
            unseen = u64::MAX;
            number += 1;
            rest = behind;
        }
        // Behind the last whole block.
        let bits = match known {
            Some(bits) => bits,
            None => stops_at_end(text, tail, vectors),
        };
        *self = Self { block: number, bits };
        let index = (bits & unseen).trailing_zeros() as usize;
        ((number * BLOCK + index).min(text.len()), escaped)
    }
}

/// What finds the stops of a block. Passed along by value, and what it is passed through is inlined, and no closure: a
/// function that is not compiled for these instructions cannot use them.
pub(super) trait Vectors: Simd {}
impl<S: Simd> Vectors for S {}

/// [`stops_of`] where fewer than 64 bytes are left.
#[inline(always)]
fn stops_at_end(text: &[u8], rest: &[u8], vectors: impl Vectors) -> u64 {
    match text.last_chunk() {
        // The last 64 bytes, without those that came before.
        #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
        Some(block) => stops_of(vectors, block).unbounded_shr(64 - rest.len() as u32),
        None => {
            let mut block = [b' '; BLOCK];
            for (to, from) in block.iter_mut().zip(rest) {
                *to = *from;
            }
            stops_of(vectors, &block)
        }
    }
}

/// The best vector instructions that there are.
#[inline(always)]
pub(super) fn level() -> Level {
    Level::new()
}

/// With this bit turned the quote changes places with the space, and stands right behind the control characters.
const TURN: i8 = (b'"' ^ b' ').cast_signed();

/// A bit for each byte of a block that ends a run of plain string bytes.
#[inline(always)]
fn stops_of<V: Vectors>(simd: V, block: &[u8; BLOCK]) -> u64 {
    let bytes = u8x64::load_array_ref(simd, block).bitcast::<i8x64<V>>();
    // One comparison as signed numbers: control characters, the quote, and what is not ASCII.
    let low = (bytes ^ i8x64::splat(simd, TURN)).simd_lt(i8x64::splat(simd, b'!'.cast_signed()));
    let backslashes = bytes.simd_eq(i8x64::splat(simd, b'\\'.cast_signed()));
    (low | backslashes).to_bitmask()
}

impl Scanner<'_> {
    /// Goes to the end of a string from anywhere inside it.
    #[inline(never)]
    pub(super) fn skip_marked_string(&mut self) -> Scan<bool> {
        dispatch!(level(), simd => self.skip_by_stops(simd))
    }

    /// Goes past the items of an array behind its first, as long as they are plain texts put together as most writers do.
    #[inline(never)]
    pub(super) fn skip_plain_items(&mut self) {
        dispatch!(level(), simd => self.skip_items_by_stops(simd));
    }

    /// The same: where an item ends is known before the text there has been read.
    #[inline(always)]
    fn skip_items_by_stops<V: Vectors>(&mut self, vectors: V) {
        let text = self.text;
        let (blocks, _) = text.as_chunks::<BLOCK>();
        let Stops { block: mut number, mut bits } = self.stops;
        let mut at = text.len() - self.rest.len();
        while text.get(at) == Some(&b',') && text.get(at + 1) == Some(&b'"') {
            let begin = at + 2;
            if begin / BLOCK != number {
                let Some(block) = blocks.get(begin / BLOCK) else { break };
                (number, bits) = (begin / BLOCK, stops_of(vectors, block));
            }
            let mut left = bits & u64::MAX << (begin % BLOCK);
            while left == 0
                && let Some(block) = blocks.get(number + 1)
            {
                (number, bits) = (number + 1, stops_of(vectors, block));
                left = bits;
            }
            let end = number * BLOCK + left.trailing_zeros() as usize;
            if left == 0 || text.get(end) != Some(&b'"') {
                break;
            }
            at = end + 1;
        }
        self.stops = Stops { block: number, bits };
        self.rest = text.get(at..).unwrap_or_default();
    }
}
