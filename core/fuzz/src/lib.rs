//! What the fuzz targets do with an input. Apart from the targets, so that the tests of the workspace can do the same
//! with every input of the committed corpora, without an instrumented build.

pub mod acp;
pub mod inputs;
pub mod payload;
pub mod scrub;

use serde_json::Value;

/// A target by its name, which is that of its corpus as well.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 4] =
    [("acp", acp::run), ("inputs", inputs::run), ("payload", payload::run), ("scrub", scrub::run)];

/// The value that `serde_json` makes of a text, where it says the same as the text.
///
/// For `serde_json` a negative zero is a float, and an integer that 64 bits do not hold is rounded; the text still has
/// all of it.
fn exact_value(text: &[u8]) -> Option<Value> {
    let is_exact = !text.windows(2).any(|two| two == b"-0")
        && !text.windows(19).any(|run| run.iter().all(u8::is_ascii_digit));
    serde_json::from_slice(text).ok().filter(|_| is_exact)
}
