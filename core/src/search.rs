//! Where a text stands in another.

use alloc::string::String;

/// The first place of a phrase.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub(crate) fn find(text: &str, phrase: &str) -> Option<usize> {
    text.find(phrase)
}

/// The same in little space. The last byte is compared first: Chinese characters begin with few different ones.
#[cfg(all(feature = "small", target_family = "wasm"))]
#[inline(never)]
pub(crate) fn find(text: &str, phrase: &str) -> Option<usize> {
    let (phrase, last) = (phrase.as_bytes(), phrase.as_bytes().last()?);
    text.as_bytes().windows(phrase.len()).position(|window| window.last() == Some(last) && window == phrase)
}

/// Whether a phrase is there.
pub(crate) fn contains(text: &str, phrase: &str) -> bool {
    find(text, phrase).is_some()
}

/// Whether a character is one of these.
pub(crate) fn is_among(c: char, characters: &str) -> bool {
    characters.chars().any(|it| it == c)
}

/// What is before the last of a mark, and what is behind it.
pub(crate) fn at_last(text: &str, mark: u8) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|byte| byte == mark)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// The places of a phrase, none within another.
pub(crate) fn places(text: &str, phrase: &str) -> impl Iterator<Item = usize> {
    let mut from = 0;
    core::iter::from_fn(move || {
        let at = from + find(text.get(from..)?, phrase)?;
        from = at + phrase.len();
        Some(at)
    })
}

/// A text with something else in the place of a phrase.
pub(crate) fn replace(text: &str, phrase: &str, other: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut from = 0;
    for at in places(text, phrase) {
        replaced.push_str(text.get(from..at).unwrap_or_default());
        replaced.push_str(other);
        from = at + phrase.len();
    }
    replaced.push_str(text.get(from..).unwrap_or_default());
    replaced
}
