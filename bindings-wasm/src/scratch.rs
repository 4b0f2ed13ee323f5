//! A space in which JavaScript writes text before it calls: no allocation per call.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What is kept between calls at the most.
const KEPT: usize = 1 << 20;

/// The address of a space for `len` bytes. It is good until the next call of anything here.
#[wasm_bindgen]
pub fn scratch(len: usize) -> usize {
    SCRATCH.with_borrow_mut(|space| {
        if space.len() < len {
            space.resize(len, 0);
        } else if space.len() > KEPT && len <= KEPT {
            space.truncate(KEPT);
            space.shrink_to_fit();
        }
        space.as_ptr().addr()
    })
}

/// Reads what was written.
pub(crate) fn with_scratch<T>(len: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    SCRATCH.with_borrow(|space| read(space.get(..len).unwrap_or_default()))
}
