//! Lists of words, each as one text with `|` between the words: that takes less space than so many texts, in the
//! tables and in the code.

/// The words of a list.
fn words(list: &str) -> impl Iterator<Item = &[u8]> {
    list.as_bytes().split(|byte| *byte == b'|')
}

/// Whether a word is in a list, in any letter case.
#[inline(never)]
pub(super) fn among(word: &[u8], list: &str) -> bool {
    words(list).any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a text begins with one of a list's words, and the length of the first one.
#[inline(never)]
pub(super) fn beginning(text: &[u8], list: &str) -> Option<usize> {
    words(list).find(|known| text.starts_with(known)).map(<[u8]>::len)
}

/// Whether a text ends in one of a list's words.
#[inline(never)]
pub(super) fn ends_in(text: &[u8], list: &str) -> bool {
    words(list).any(|known| text.ends_with(known))
}

/// Whether one of a list's words is in a text.
#[inline(never)]
pub(super) fn holds(text: &[u8], list: &str) -> bool {
    words(list).any(|known| text.windows(known.len()).any(|window| window == known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert!(among(b"N/A", "null|n/a"));
        assert!(!among(b"nul", "null|n/a") && !among(b"", "null|n/a") && !among(b"l|n", "null|n/a"));
        assert!(among(b"", "and|or|"));
        assert_eq!(beginning("ID 5".as_bytes(), "号|ID"), Some(2));
        assert_eq!(beginning(b"id", "ID"), None);
        assert!(ends_in(b"x.rs", ".js|.rs") && !ends_in(b"x.RS", ".js|.rs"));
        assert!(holds(b"(A.java:3)", ".kt|.java") && !holds(b"(A)", ".kt|.java"));
    }
}
