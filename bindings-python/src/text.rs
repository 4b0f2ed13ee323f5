//! Python's str as Rust's.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The text of a str, with each lone surrogate as U+FFFD.
pub(crate) fn lossy(text: &Bound<'_, PyString>) -> String {
    if let Ok(text) = text.to_str() {
        return text.to_owned();
    }
    let Ok(encoded) = text.call_method1("encode", ("utf-8", "surrogatepass")) else { return String::new() };
    let Ok(bytes) = encoded.cast::<PyBytes>() else { return String::new() };
    let mut out = String::new();
    for chunk in bytes.as_bytes().utf8_chunks() {
        out.push_str(chunk.valid());
        // A surrogate is three bytes, ED A0..BF 80..BF, each of them a chunk of its own: the first stands
        // for all three.
        if chunk.invalid().first() == Some(&0xED) {
            out.push(char::REPLACEMENT_CHARACTER);
        }
    }
    out
}
