//! Where a string may end, eight bytes at a time: with what every processor has.

use super::{FAST, HIGH, ONES, past_plain};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
use super::{Scan, Scanner, to_stop};

/// How many bytes names and short values have.
pub(super) const SHORT: usize = 24;

/// How many bytes are looked at together where a string may end soon.
pub(super) const STEP: usize = 8;

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

/// The first of them that ends a run of plain string bytes.
#[inline(always)]
pub(super) fn stop_in(step: &[u8; STEP]) -> Option<usize> {
    let stops = stops(u64::from_le_bytes(*step));
    (stops != 0).then_some((stops.trailing_zeros() / 8) as usize)
}

/// The place of the first stop at or after `at`, or the end of the text.
pub(super) fn next_stop(text: &[u8], at: usize) -> usize {
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
    text.len() - past_plain(rest).len()
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

/// What [`Stops`] needs to find them: nothing here.
pub(super) trait Vectors: Copy {}
impl Vectors for () {}

/// Where the stops are: looked for word by word, each time anew.
#[derive(Clone, Copy, Default)]
pub(super) struct Stops;

impl Stops {
    /// The first stop at or after a place that is more than a simple escape, or the end of the text; and whether there
    /// were simple escapes before it.
    #[inline(always)]
    pub(super) fn next(&mut self, text: &[u8], at: usize, _: impl Vectors) -> (usize, bool) {
        (next_stop(text, at), false)
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
impl Scanner<'_> {
    /// Goes to the end of a string from anywhere inside it.
    pub(super) fn skip_marked_string(&mut self) -> Scan<bool> {
        self.skip_by_stops(())
    }

    /// Goes past the items of an array behind its first, as long as they are plain texts put together as most writers do.
    pub(super) fn skip_plain_items(&mut self) {
        while let [b',', b'"', item @ ..] = self.rest
            && let [b'"', tail @ ..] = to_stop(item)
        {
            self.rest = tail;
        }
    }
}
