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
    /// Chooses by the primary language subtag: `zh`, `zh-Hans-CN`, `zh_TW`, `ZH` give Chinese, everything
    /// else English. Total: no tag is an error.
    #[must_use]
    pub fn from_tag(tag: &str) -> Self {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("zh") { Self::Zh } else { Self::En }
    }
}

impl From<&str> for Locale {
    fn from(tag: &str) -> Self {
        Self::from_tag(tag)
    }
}
