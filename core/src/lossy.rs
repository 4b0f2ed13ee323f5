//! Bytes that should be text.

use alloc::borrow::Cow;
use alloc::string::String;
use core::str::from_utf8;

/// The text that bytes begin with, and how many bytes behind it are a piece of none.
pub(crate) fn chunk(bytes: &[u8]) -> (&str, usize) {
    let error = match from_utf8(bytes) {
        Ok(text) => return (text, 0),
        Err(error) => error,
    };
    let valid = bytes.get(..error.valid_up_to()).and_then(|valid| from_utf8(valid).ok()).unwrap_or_default();
    (valid, error.error_len().unwrap_or(bytes.len() - valid.len()))
}

/// Bytes as text, with `instead` in the place of each piece that is none.
pub(crate) fn text<'a>(bytes: &'a [u8], instead: &str) -> Cow<'a, str> {
    let (valid, broken) = chunk(bytes);
    if broken == 0 {
        return Cow::Borrowed(valid);
    }
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let (valid, broken) = chunk(rest);
        text.push_str(valid);
        if broken == 0 {
            return Cow::Owned(text);
        }
        text.push_str(instead);
        rest = rest.get(valid.len() + broken..).unwrap_or_default();
    }
}

/// Bytes as text, as [`String::from_utf8_lossy`] has it.
pub(crate) fn replaced(bytes: &[u8]) -> Cow<'_, str> {
    text(bytes, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_none_is_replaced_as_the_standard_library_does(
            bytes in proptest::collection::vec(
                prop_oneof![any::<u8>(), Just(b'a'), Just(0xe2), Just(0x82), Just(0xac), Just(0xf0), Just(0x9f)],
                0..24,
            ),
        ) {
            prop_assert_eq!(replaced(&bytes), String::from_utf8_lossy(&bytes));
            let kept: String = bytes.utf8_chunks().map(|chunk| chunk.valid()).collect();
            prop_assert_eq!(text(&bytes, ""), kept);
            let first = bytes.utf8_chunks().next().map_or(("", 0), |it| (it.valid(), it.invalid().len()));
            prop_assert_eq!(chunk(&bytes), first);
        }
    }
}
