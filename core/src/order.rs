//! Sorting.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// The places from 0 to `count` in the order that `compare` gives; equal ones as they were.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

/// The same in little space: runs of a doubling length are merged.
#[cfg(any(test, all(feature = "small", target_family = "wasm")))]
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), allow(dead_code))]
pub(crate) fn order_small(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    let mut length = 1;
    while length < count {
        let mut merged = Vec::with_capacity(count);
        for pair in places.chunks(length * 2) {
            let (left, right) = pair.split_at(length.min(pair.len()));
            let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
            loop {
                let next = match (left.peek(), right.peek()) {
                    (Some(a), Some(b)) if compare(**a, **b) == Ordering::Greater => right.next(),
                    (Some(_), _) => left.next(),
                    (None, _) => right.next(),
                };
                let Some(next) = next else { break };
                merged.push(*next);
            }
        }
        places = merged;
        length *= 2;
    }
    places
}
#[cfg(all(feature = "small", target_family = "wasm"))]
pub(crate) use order_small as order;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_small_one_sorts_as_the_other(keys in proptest::collection::vec(0_u8..20, 0..200)) {
            let compare = |a: usize, b: usize| keys[a].cmp(&keys[b]);
            prop_assert_eq!(order_small(keys.len(), &compare), order(keys.len(), &compare));
        }
    }
}
