//! The two languages of the texts for people.

/// The language of a text for people, chosen from a BCP 47 tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Locale {
    /// English, also for every tag that is not Chinese.
    #[default]
    En,
    /// Chinese.
    Zh,
}

impl Locale {
    /// Everything that begins with `zh` in any letter case gives Chinese (`zh`, `zh-Hans-CN`, `ZH_TW`, a
    /// POSIX `zh.UTF-8`, the three-letter `zho`), everything else English. Total: no tag is an error.
    #[must_use]
    pub fn from_tag(tag: &str) -> Self {
        let is_zh = tag.as_bytes().first_chunk::<2>().is_some_and(|head| head.eq_ignore_ascii_case(b"zh"));
        if is_zh { Self::Zh } else { Self::En }
    }
}

impl From<&str> for Locale {
    fn from(tag: &str) -> Self {
        Self::from_tag(tag)
    }
}
