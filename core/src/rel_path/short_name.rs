//! The second names that NTFS and FAT give to files: `.skillenv` can be opened as `SKILLE~1`.

use alloc::string::String;
use core::ops::RangeInclusive;

use crate::search::at_last;

/// A folded component that has the form of a short name: `prefix~number.ext`.
#[derive(Clone, Copy)]
pub(crate) struct ShortName<'a> {
    prefix: &'a str,
    digits: usize,
    ext: Option<&'a str>,
}

impl<'a> ShortName<'a> {
    /// Reads a component that was folded before; `None` if it cannot be a short name.
    pub(crate) fn read(folded: &'a str) -> Option<Self> {
        let (base, ext) = match at_last(folded, b'.') {
            Some((base, ext)) => (base, Some(ext)),
            None => (folded, None),
        };
        let (prefix, number) = at_last(base, b'~')?;
        let is_short = (1..=6).contains(&prefix.chars().count())
            && !prefix.as_bytes().contains(&b'.')
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
            && ext.is_none_or(|ext| (1..=3).contains(&ext.chars().count()));
        is_short.then_some(Self { prefix, digits: number.len(), ext })
    }
}

/// Which short names the names that match a pattern could have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShortRule {
    /// The letters that the long names begin with, without what short names leave out.
    base: String,
    /// Anything may follow `base`.
    open: bool,
    /// The extension; outer `None`: any.
    ext: Option<Option<String>>,
}

impl ShortRule {
    /// The rule for a pattern that was folded before.
    pub(super) fn of(folded: &str) -> Self {
        // A short name never begins with the dots of the long one: those count as no extension.
        let pattern = folded.trim_start_matches(['.', ' ']);
        let star = pattern.bytes().rposition(|byte| byte == b'*');
        let (base, ext) = match at_last(pattern, b'.') {
            Some((base, ext)) if !ext.as_bytes().contains(&b'*') => {
                (base, Some(Some(clean(ext).chars().take(3).collect())))
            }
            _ if star.is_some() => (pattern, None),
            _ => (pattern, Some(None)),
        };
        let literal = base.split('*').next().unwrap_or_default();
        Self { base: clean(literal), open: base.as_bytes().contains(&b'*'), ext }
    }

    /// Whether a name that matches the pattern could have this short name.
    pub(super) fn allows(&self, short: ShortName<'_>) -> bool {
        let ext_fits = match &self.ext {
            None => true,
            Some(ext) => ext.as_deref() == short.ext,
        };
        ext_fits && (self.is_numbered(short) || self.is_hashed(short))
    }

    /// The first names of a directory: as many letters as the number leaves room for.
    fn is_numbered(&self, short: ShortName<'_>) -> bool {
        if self.open && short.prefix.starts_with(&self.base) {
            return true;
        }
        let room: RangeInclusive<usize> = 7usize.saturating_sub(short.digits).max(1)..=6;
        let len = short.prefix.chars().count();
        let whole = !self.open && short.prefix == self.base;
        self.base.starts_with(short.prefix) && (whole || room.contains(&len))
    }

    /// From the fifth similar name on, NTFS keeps two letters and goes on with four hexadecimal digits of a
    /// hash over the long name, whose case is not known here: any four will do.
    fn is_hashed(&self, short: ShortName<'_>) -> bool {
        let Some(at) = short.prefix.char_indices().rev().nth(3).map(|(at, _)| at) else { return false };
        let (kept, hash) = short.prefix.split_at_checked(at).unwrap_or_default();
        let expected: String = self.base.chars().take(2).collect();
        hash.bytes().all(|b| b.is_ascii_hexdigit())
            && (kept == expected || (self.open && kept.starts_with(&expected)))
    }
}

/// What a short name keeps of a long one: no dots and spaces, and `_` for what it cannot have.
fn clean(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '.' | ' '))
        .map(|c| if matches!(c, '+' | ',' | ';' | '=' | '[' | ']') { '_' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn could_be(short: &str, pattern: &str) -> bool {
        ShortName::read(short).is_some_and(|short| ShortRule::of(pattern).allows(short))
    }

    #[test]
    fn every_number_of_a_short_name() {
        for short in ["skille~1", "skille~9", "skill~10", "skille~10", "skil~123", "ski~1234", "s~123456"] {
            assert!(could_be(short, ".skillenv"), "{short}");
        }
        for short in ["sk0a1f~1", "skffff~4"] {
            assert!(could_be(short, ".skillenv"), "{short}");
        }
    }

    #[test]
    fn what_is_no_short_name_of_it() {
        for short in [
            "skille~",
            "skille~x",
            "skille1",
            "skill~1",
            "s~1",
            "skillen~1",
            "skillx~1",
            "skille~1.txt",
            "sk12g4~1",
            "xx12a4~1",
            "~1",
            "a.skil~1",
            "skille~1.text",
        ] {
            assert!(!could_be(short, ".skillenv"), "{short}");
        }
    }

    #[test]
    fn patterns_with_extensions_and_stars() {
        assert!(could_be("creden~1.jso", "credentials.json"));
        assert!(!could_be("creden~1.txt", "credentials.json"));
        assert!(could_be("env~1", ".env"));
        assert!(could_be("env~1.loc", ".env.*"));
        assert!(could_be("server~1.pem", "*.pem"));
        assert!(could_be("se12ab~1.key", "*.keystore"));
        assert!(!could_be("server~1.txt", "*.pem"));
        assert!(could_be("skille~1.bak", ".skillenv*"));
        assert!(could_be("git-cr~1", ".git-credentials"));
        assert!(could_be("id_ed2~3", "id_ed25519"));
    }
}
