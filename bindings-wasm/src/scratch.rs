//! The spaces through which text goes. In one of them JavaScript writes before it calls: no allocation per call.

use alloc::string::String;
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

/// What JavaScript hands over in the middle of a call.
static INCOMING: Kept<Vec<u8>> = Kept::new(Vec::new());

/// The address of a space for a text of `len` bytes that JavaScript hands over.
#[wasm_bindgen]
pub fn room(len: usize) -> usize {
    INCOMING.with(|space| {
        *space = vec![0; len];
        space.as_ptr().addr()
    })
}

/// The text that has been handed over. It has so many bytes.
pub(crate) fn incoming(len: u32) -> String {
    let mut text = INCOMING.with(mem::take);
    text.truncate(len as usize);
    String::from_utf8(text).unwrap_or_default()
}

/// What the last question was answered with.
static ANSWER: Kept<String> = Kept::new(String::new());

/// Keeps an answer until the next one. The result is its length.
pub(crate) fn put_answer(answer: String) -> usize {
    ANSWER.with(|kept| {
        *kept = answer;
        kept.len()
    })
}

/// Where the last answer is.
#[wasm_bindgen]
pub fn answer() -> usize {
    ANSWER.with(|kept| kept.as_ptr().addr())
}

/// Leaves the spaces to whoever has the memory next.
pub(crate) fn forget() {
    SCRATCH.with(|space| mem::forget(mem::take(space)));
    INCOMING.with(|space| mem::forget(mem::take(space)));
    ANSWER.with(|space| mem::forget(mem::take(space)));
}

/// Reads what was written.
pub(crate) fn with_scratch<T>(len: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    SCRATCH.with(|space| read(space.get(..len).unwrap_or_default()))
}
