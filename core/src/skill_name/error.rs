//! The refusal of a SKILL name.

use alloc::boxed::Box;
use core::fmt;
use core::ops::Range;

use super::fault::{self, Fault, Rule};
use crate::lossy;
use crate::payload::ErrorPayload;
use crate::shown::{Shown, bounded, floor_boundary};
use crate::{Dialect, ErrorCode};

/// The longest refused text that an error keeps whole: far longer than the longest legal name of the seed's dialect.
pub(super) const WHOLE: usize = 1024;
/// How many bytes of a longer one it keeps. Few, so that a megabyte is refused as quickly as any other bad name.
const HEAD: usize = 256;

/// Why a text is not a SKILL name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkillNameReason {
    /// The text is empty.
    Empty,
    /// There are more than three segments.
    SegmentCount,
    /// There are three segments and the first is not `mcp`.
    ReservedPrefix,
    /// A segment is empty.
    EmptySegment,
    /// A segment has more than 64 bytes.
    TooLong,
    /// A segment has a character that does not belong in it.
    BadChar,
    /// A segment begins with `-`.
    LeadingHyphen,
    /// A segment ends with `-`.
    TrailingHyphen,
    /// A segment has `--` in it.
    DoubleHyphen,
    /// The server has `__` in it, which the dialect 0.3 reserves.
    DoubleUnderscore,
}

impl SkillNameReason {
    /// Every reason, in the order in which they take precedence.
    pub const ALL: &'static [Self] = &[
        Self::Empty,
        Self::SegmentCount,
        Self::ReservedPrefix,
        Self::EmptySegment,
        Self::TooLong,
        Self::BadChar,
        Self::LeadingHyphen,
        Self::TrailingHyphen,
        Self::DoubleHyphen,
        Self::DoubleUnderscore,
    ];

    /// The stable name of the reason, the same in every language.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::SegmentCount => "segment_count",
            Self::ReservedPrefix => "reserved_prefix",
            Self::EmptySegment => "empty_segment",
            Self::TooLong => "too_long",
            Self::BadChar => "bad_char",
            Self::LeadingHyphen => "leading_hyphen",
            Self::TrailingHyphen => "trailing_hyphen",
            Self::DoubleHyphen => "double_hyphen",
            Self::DoubleUnderscore => "double_underscore",
        }
    }
}

impl fmt::Display for SkillNameReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text is not a SKILL name: code 4016.
///
/// It keeps the text: the payload carries the refused name whole as long as it is of any sane length. Of one that is
/// longer than 1024 bytes it keeps the first 256.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct SkillNameError(Box<Refusal>);

/// Behind one pointer, so that the lexer's answer stays small where nothing is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Refusal {
    fault: Fault,
    name: Box<str>,
    /// How many bytes of `name` are the refused text's own.
    kept: usize,
}

impl SkillNameError {
    #[cold]
    #[inline(never)]
    pub(super) fn diagnose(text: &str, dialect: Dialect) -> Self {
        Self::new(Self::fault(text.as_bytes(), dialect), text)
    }

    /// [`SkillNameError::diagnose`] for bytes that may not be UTF-8.
    #[cold]
    pub(super) fn diagnose_bytes(bytes: &[u8], dialect: Dialect) -> Self {
        // A few bytes more than are kept, so that `new` sees that there is more.
        let head = bytes.get(..WHOLE + 8).unwrap_or(bytes);
        Self::new(Self::fault(bytes, dialect), &lossy::replaced(head))
    }

    fn fault(bytes: &[u8], dialect: Dialect) -> Fault {
        // The lexer and `fault` read by the same rules; should they ever disagree, the refusal stands.
        fault::of_name(bytes, dialect).unwrap_or(Fault {
            reason: SkillNameReason::BadChar,
            segment: None,
            span: 0..0,
            rule: Rule::Kebab,
        })
    }

    pub(super) fn new(fault: Fault, name: &str) -> Self {
        let kept = if name.len() > WHOLE { floor_boundary(name, HEAD) } else { name.len() };
        Self(Box::new(Refusal { fault, name: bounded(name, kept), kept }))
    }

    /// Why the text was refused.
    #[must_use]
    pub fn reason(&self) -> SkillNameReason {
        self.0.fault.reason
    }

    /// Which segment is wrong, counted from 0; `None` if it is the text as a whole. For `segment_count` it is
    /// the first segment that is one too many.
    #[must_use]
    pub fn segment(&self) -> Option<usize> {
        self.0.fault.segment
    }

    /// Where to underline, in bytes of the text that was read: the character or the run of characters, the
    /// segment (128 bytes of it at most), or the place where an empty segment should have had something.
    /// Both ends lie between characters.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.0.fault.span.clone()
    }

    /// [`SkillNameError::span`] in UTF-16 code units of `name`, the text that was read: JavaScript's, Kotlin's
    /// and Swift's `NSRange`'s own.
    #[must_use]
    pub fn utf16_span(&self, name: &str) -> Range<usize> {
        self.span_in(name, |head| head.chars().map(char::len_utf16).sum())
    }

    /// [`SkillNameError::span`] in Unicode code points of `name`, the text that was read: Python's own.
    #[must_use]
    pub fn char_span(&self, name: &str) -> Range<usize> {
        self.span_in(name, |head| head.chars().count())
    }

    fn span_in(&self, name: &str, count: impl Fn(&str) -> usize) -> Range<usize> {
        let units = |at: usize| count(name.get(..at).unwrap_or(name));
        units(self.0.fault.span.start)..units(self.0.fault.span.end)
    }

    /// The refused text; the first 256 bytes of it and an ellipsis if it was longer than 1024.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// 4016, Invalid Skill Name.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::INVALID_SKILL_NAME
    }

    /// The answer for the wire: "Invalid skill name format", with the refused text as `details.name`.
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        ErrorPayload::invalid_skill_name(Some(self.name()))
    }
}

impl fmt::Display for SkillNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid SKILL name {}: ", Shown(&self.0.name))?;
        let number = self.0.fault.segment.map_or(1, |index| index + 1);
        match self.0.fault.reason {
            SkillNameReason::Empty => f.write_str("it is empty"),
            SkillNameReason::SegmentCount => f.write_str("it has more than three segments"),
            SkillNameReason::ReservedPrefix => {
                f.write_str("a name of three segments must begin with \"mcp:\"")
            }
            SkillNameReason::EmptySegment => write!(f, "segment {number} is empty"),
            SkillNameReason::TooLong => {
                write!(f, "segment {number} has more than {} bytes", super::MAX_SEGMENT_LEN)
            }
            SkillNameReason::BadChar => {
                write!(f, "segment {number} has ")?;
                let rest = self.0.name.get(self.0.fault.span.start..self.0.kept);
                let bad = rest.and_then(|rest| rest.chars().next());
                match bad {
                    Some(c) => write!(f, "{} (U+{:04X})", Shown(c.encode_utf8(&mut [0; 4])), u32::from(c))?,
                    None => {
                        write!(f, "a character at byte {} that does not belong", self.0.fault.span.start)?
                    }
                }
                f.write_str(match self.0.fault.rule {
                    Rule::Kebab => ", but only a-z, 0-9 and \"-\" are allowed",
                    Rule::Server(_) => ", but only A-Z, a-z, 0-9, \"_\" and \"-\" are allowed",
                })
            }
            SkillNameReason::LeadingHyphen => write!(f, "segment {number} begins with a hyphen"),
            SkillNameReason::TrailingHyphen => write!(f, "segment {number} ends with a hyphen"),
            SkillNameReason::DoubleHyphen => write!(f, "segment {number} has two hyphens in a row"),
            SkillNameReason::DoubleUnderscore => write!(f, "segment {number} has two underscores in a row"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill_name::SkillName;
    use alloc::string::ToString;

    #[test]
    fn no_sentence_names_a_character_that_was_cut_away() {
        let said = |before: usize| {
            let name = alloc::format!("mcp:{}\u{e9}{}:x", "s".repeat(before), "s".repeat(WHOLE));
            SkillName::parse(&name, Dialect::V0_3).unwrap_err().to_string()
        };
        assert!(said(250).contains("has \"\u{e9}\" (U+00E9)"));
        for before in [251, 252, 253, 400] {
            assert!(said(before).contains("has a character at byte"), "{}", said(before));
        }
    }
}
