//! Lists of words.
//!
//! Where the size of the program counts they are one text each, with `|` between the words: that takes less space than
//! so many texts, in the tables and in the code.

#[cfg(not(all(feature = "small", target_family = "wasm")))]
pub(super) type List = &'static [&'static str];
#[cfg(all(feature = "small", target_family = "wasm"))]
pub(super) type List = &'static str;

/// The list of these words.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
macro_rules! list {
    ($($word:literal)+) => {
        &[$($word),+]
    };
}
#[cfg(all(feature = "small", target_family = "wasm"))]
macro_rules! list {
    ($first:literal $($word:literal)*) => {
        concat!($first $(, "|", $word)*)
    };
}
pub(super) use list;

/// The words of a list.
#[cfg(not(all(feature = "small", target_family = "wasm")))]
#[inline]
fn words(list: List) -> impl Iterator<Item = &'static [u8]> {
    list.iter().map(|word| word.as_bytes())
}
#[cfg(all(feature = "small", target_family = "wasm"))]
fn words(list: List) -> impl Iterator<Item = &'static [u8]> {
    list.as_bytes().split(|byte| *byte == b'|')
}

/// Whether a word is in a list, in any letter case.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
pub(super) fn among(word: &[u8], list: List) -> bool {
    words(list).any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a text begins with one of a list's words, and the length of the first one.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
pub(super) fn beginning(text: &[u8], list: List) -> Option<usize> {
    words(list).find(|known| text.starts_with(known)).map(<[u8]>::len)
}

/// Whether a text ends in one of a list's words.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
pub(super) fn ends_in(text: &[u8], list: List) -> bool {
    words(list).any(|known| text.ends_with(known))
}

/// Whether one of a list's words is in a text.
#[cfg_attr(not(all(feature = "small", target_family = "wasm")), inline)]
#[cfg_attr(all(feature = "small", target_family = "wasm"), inline(never))]
pub(super) fn holds(text: &[u8], list: List) -> bool {
    words(list).any(|known| text.windows(known.len()).any(|window| window == known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert!(among(b"N/A", list!["null" "n/a"]));
        assert!(
            !among(b"nul", list!["null" "n/a"])
                && !among(b"", list!["null" "n/a"])
                && !among(b"l|n", list!["null" "n/a"])
        );
        assert!(among(b"", list!["and" "or" ""]));
        assert_eq!(beginning("ID 5".as_bytes(), list!["号" "ID"]), Some(2));
        assert_eq!(beginning(b"id", list!["ID"]), None);
        assert!(ends_in(b"x.rs", list![".js" ".rs"]) && !ends_in(b"x.RS", list![".js" ".rs"]));
        assert!(holds(b"(A.java:3)", list![".kt" ".java"]) && !holds(b"(A)", list![".kt" ".java"]));
    }
}
