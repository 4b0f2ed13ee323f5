//! The refusal of a SKILL resource.

use alloc::boxed::Box;
use core::fmt;

use crate::ErrorCode;
use crate::payload::ErrorPayload;
use crate::shown::{Shown, bounded};

/// How many bytes of the refused path an error keeps: as many as a path can have on the platforms in use.
const KEPT: usize = 4096;

/// Why a SKILL resource is not accessible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkillResourceReason {
    /// The path, or a link on the way, leads out of the package.
    Traversal,
    /// The path, or what a link leads to, is a file that this channel never serves, there or not.
    Forbidden,
    /// There is no such regular file that can be read.
    NotFound,
    /// The file is larger than the host allows.
    TooLarge,
}

impl SkillResourceReason {
    /// Every reason.
    pub const ALL: &'static [Self] = &[Self::Traversal, Self::Forbidden, Self::NotFound, Self::TooLarge];

    /// The reason as it stands on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Traversal => "traversal",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::TooLarge => "too_large",
        }
    }
}

impl fmt::Display for SkillResourceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A SKILL resource is not accessible: code 4017.
///
/// It holds what the caller gave and nothing that was found on the way: not where a link leads, and nothing
/// about the world outside the package.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct SkillResourceError {
    reason: SkillResourceReason,
    rel_path: Option<Box<str>>,
    total_size: Option<u64>,
}

impl SkillResourceError {
    #[cold]
    pub(crate) fn new(reason: SkillResourceReason, rel_path: Option<&str>) -> Self {
        Self { reason, rel_path: rel_path.map(|rel| bounded(rel, KEPT)), total_size: None }
    }

    #[cfg(all(feature = "fs", not(target_family = "wasm")))]
    #[cold]
    pub(crate) fn too_large(rel_path: Option<&str>, total_size: u64) -> Self {
        Self { total_size: Some(total_size), ..Self::new(SkillResourceReason::TooLarge, rel_path) }
    }

    /// Why the resource is not accessible.
    #[must_use]
    pub const fn reason(&self) -> SkillResourceReason {
        self.reason
    }

    /// The path as it was asked for, `None` if none was given. It is for diagnosis and not for the end user.
    /// One of more than 4096 bytes is cut and ends with an ellipsis.
    #[must_use]
    pub fn rel_path(&self) -> Option<&str> {
        self.rel_path.as_deref()
    }

    /// The size of the file in bytes; only with the reason `too_large`.
    #[must_use]
    pub const fn total_size(&self) -> Option<u64> {
        self.total_size
    }

    /// 4017, Skill Resource Not Accessible.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::SKILL_RESOURCE_NOT_ACCESSIBLE
    }

    /// The answer for the wire: "Skill resource not accessible", with `details.reason`, the path as it was asked
    /// for as `details.rel_path`, and `details.total_size` with `too_large`.
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        let reason = self.reason.as_str();
        ErrorPayload::skill_resource_not_accessible(reason, self.rel_path(), self.total_size)
    }
}

impl fmt::Display for SkillResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.rel_path.as_deref().unwrap_or(super::DEFAULT_REL_PATH);
        write!(f, "SKILL resource {} is not accessible: ", Shown(shown))?;
        match (self.reason, self.total_size) {
            (SkillResourceReason::Traversal, _) => f.write_str("it leads out of the package"),
            (SkillResourceReason::Forbidden, _) => f.write_str("it is never served"),
            (SkillResourceReason::NotFound, _) => f.write_str("there is no such readable file"),
            (SkillResourceReason::TooLarge, Some(size)) => {
                write!(f, "its {size} bytes are more than allowed")
            }
            (SkillResourceReason::TooLarge, None) => f.write_str("it is larger than allowed"),
        }
    }
}
