//! A space in which JavaScript writes text before it calls: no allocation per call.

use alloc::vec::Vec;
use core::mem;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::heap::Kept;

static SCRATCH: Kept<Vec<u8>> = Kept::new(Vec::new());

/// What is kept between calls at the most.
const KEPT: usize = 1 << 20;

/// The address of a space for `len` bytes. It is good until the next call of anything here.
#[wasm_bindgen]
pub fn scratch(len: usize) -> usize {
    SCRATCH.with(|space| {
        if space.len() < len {
            space.resize(len, 0);
        } else if space.len() > KEPT && len <= KEPT {
            space.truncate(KEPT);
            space.shrink_to_fit();
        }
        space.as_ptr().addr()
    })
}

/// Leaves the space to whoever has the memory next.
pub(crate) fn forget() {
    SCRATCH.with(|space| mem::forget(mem::take(space)));
}

/// Reads what was written.
pub(crate) fn with_scratch<T>(len: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    SCRATCH.with(|space| read(space.get(..len).unwrap_or_default()))
}
