//! JSON values and their text.
//!
//! They are `serde_json`'s. A WebAssembly module that is loaded over a network has the feature `small` and with it
//! values of the same names and methods in a tenth of the space; only what the rules use is there.

use alloc::borrow::ToOwned;
use alloc::string::String;

#[cfg(any(test, all(feature = "small", target_family = "wasm")))]
pub(crate) mod float;
#[cfg(all(feature = "small", target_family = "wasm"))]
mod small;
#[cfg(any(test, all(feature = "small", target_family = "wasm")))]
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), allow(unreachable_pub))] // only tested
mod wide;

#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub use serde_json::to_string;
#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub(crate) use serde_json::to_value;
#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub use serde_json::{Map, Number, Value};
#[cfg(all(feature = "small", target_family = "wasm"))]
pub(crate) use small::to_value;
#[cfg(all(feature = "small", target_family = "wasm"))]
pub use small::{Map, Number, Refused, Value, to_string};

/// The double that is nearest to a number of JSON; infinite where no double is near.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub(crate) fn nearest(text: &str) -> f64 {
    text.parse().unwrap_or(f64::INFINITY)
}

/// A number in any of the forms that Rust reads.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub(crate) fn any_number(text: &str) -> Option<f64> {
    text.parse().ok()
}
#[cfg(all(feature = "small", target_family = "wasm"))]
pub(crate) use float::{any_number, nearest};

/// An integer in decimal.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
#[must_use]
pub fn integer(text: &str) -> Option<i128> {
    text.parse().ok()
}

/// An integer as it is written in decimal.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
#[must_use]
pub fn decimal(integer: i128) -> String {
    use alloc::string::ToString;

    integer.to_string()
}
#[cfg(all(feature = "small", target_family = "wasm"))]
pub use wide::{decimal, integer};

/// Texts with something between them.
pub(crate) fn join<'a>(texts: impl Iterator<Item = &'a str>, between: &str) -> String {
    let mut joined = String::new();
    for (index, text) in texts.enumerate() {
        if index > 0 {
            joined.push_str(between);
        }
        joined.push_str(text);
    }
    joined
}

/// An object of these members.
pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
