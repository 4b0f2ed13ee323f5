//! Tables of numbers that are computed from something shorter.
//!
//! The compiler computes them and puts them into the program. Where the size of the program counts, it has the
//! numbers computed when they are asked for the first time: most are noise, which nothing makes small.

#[cfg(any(test, all(feature = "small", target_family = "wasm")))]
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A table of this size, computed by the compiler or at first.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub(crate) type Table<const N: usize> = Computed<N>;
#[cfg(all(feature = "small", target_family = "wasm"))]
pub(crate) type Table<const N: usize> = Later<N>;

/// The table that an expression makes, which needs nothing but constants.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
macro_rules! table {
    ($make:expr) => {
        $crate::table::Computed::new($make)
    };
}
#[cfg(all(feature = "small", target_family = "wasm"))]
macro_rules! table {
    ($make:expr) => {
        $crate::table::Later::new(|| $make)
    };
}
pub(crate) use table;

/// Computed by the compiler.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
#[derive(Debug)]
pub(crate) struct Computed<const N: usize>([u32; N]);

#[cfg(not(all(feature = "small", target_family = "wasm")))]
impl<const N: usize> Computed<N> {
    pub(crate) const fn new(numbers: [u32; N]) -> Self {
        Self(numbers)
    }

    /// Has to be called before [`Computed::get`], for the sake of the other kind.
    #[inline]
    pub(crate) fn ready(&self) -> &Self {
        self
    }

    /// The number at a place; 0 outside.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> u32 {
        self.0.get(place).copied().unwrap_or(0)
    }
}

/// Computed at first.
#[cfg(any(test, all(feature = "small", target_family = "wasm")))]
#[derive(Debug)]
pub(crate) struct Later<const N: usize> {
    numbers: [AtomicU32; N],
    is_there: AtomicBool,
    make: fn() -> [u32; N],
}

#[cfg(any(test, all(feature = "small", target_family = "wasm")))]
impl<const N: usize> Later<N> {
    pub(crate) const fn new(make: fn() -> [u32; N]) -> Self {
        Self { numbers: [const { AtomicU32::new(0) }; N], is_there: AtomicBool::new(false), make }
    }

    /// Has to be called before [`Later::get`].
    pub(crate) fn ready(&self) -> &Self {
        if !self.is_there.load(Ordering::Acquire) {
            // Should another thread be here as well, it writes the same.
            for (cell, number) in self.numbers.iter().zip((self.make)()) {
                cell.store(number, Ordering::Relaxed);
            }
            self.is_there.store(true, Ordering::Release);
        }
        self
    }

    /// The number at a place; 0 outside.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> u32 {
        self.numbers.get(place).map_or(0, |number| number.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn squares() -> [u32; 100] {
        let mut squares = [0; 100];
        let mut at = 0;
        while at < 100 {
            squares[at] = (at * at) as u32;
            at += 1;
        }
        squares
    }

    #[test]
    fn the_small_one_is_the_other() {
        static COMPUTED: Computed<100> = Computed::new(squares());
        static LATER: Later<100> = Later::new(squares);
        assert_eq!(LATER.get(3), 0);
        for _ in 0..2 {
            for place in 0..102 {
                assert_eq!(LATER.ready().get(place), COMPUTED.ready().get(place), "{place}");
            }
        }
        assert_eq!(LATER.get(9), 81);
    }
}
