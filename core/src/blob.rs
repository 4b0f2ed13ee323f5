//! Ranges of a blob that is pulled in chunks, and code 4018 for a range that cannot be served.
//!
//! ```
//! use ackguard::blob::{check_range, clamp_chunk};
//!
//! assert!(!check_range(0, 10)?.eof);
//! assert!(check_range(10, 10)?.eof);
//! assert!(check_range(11, 10).is_err());
//!
//! let chunk = clamp_chunk(8, 10, 4096, 1024)?;
//! assert_eq!((chunk.len, chunk.eof), (2, true));
//! # Ok::<(), ackguard::blob::BlobError>(())
//! ```

use core::fmt;

use crate::ErrorCode;
use crate::payload::ErrorPayload;
use crate::value::decimal;

/// A chunk may start here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RangeCheck {
    /// The chunk starts where the resource ends: it is the empty last one.
    pub eof: bool,
}

/// What to send for a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Chunk {
    /// How many bytes to send.
    pub len: u64,
    /// Nothing comes after them.
    pub eof: bool,
}

/// Why a blob could not be served. The core itself decides only `range`; the rest are the host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlobReason {
    /// The offset is below 0 or above the size.
    Range,
}

impl BlobReason {
    /// The reason as it stands on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Range => "range",
        }
    }
}

impl fmt::Display for BlobReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A chunk starts outside the resource: code 4018, reason `range`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("blob range: offset {} is not within 0 to {total_size}", decimal(*.chunk_offset))]
#[non_exhaustive]
pub struct BlobError {
    chunk_offset: i128,
    total_size: u64,
}

impl BlobError {
    /// Why the blob could not be served.
    #[must_use]
    pub const fn reason(&self) -> BlobReason {
        BlobReason::Range
    }

    /// The offset that was asked for, in bytes.
    #[must_use]
    pub const fn chunk_offset(&self) -> i128 {
        self.chunk_offset
    }

    /// The size of the resource, in bytes.
    #[must_use]
    pub const fn total_size(&self) -> u64 {
        self.total_size
    }

    /// 4018, Blob Not Accessible.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::BLOB_NOT_ACCESSIBLE
    }

    /// The answer for the wire: "Blob not accessible", with `details.reason`.
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        ErrorPayload::blob_not_accessible(self.reason().as_str())
    }
}

/// Whether a chunk may start at `chunk_offset` of a resource of `total_size` bytes (spec: blob ranges).
///
/// Takes every integer that a wire may carry: one that fits no offset is out of range, never wrapped.
///
/// # Errors
///
/// [`BlobError`] if the offset is below 0 or above the size.
pub fn check_range(chunk_offset: impl Into<i128>, total_size: u64) -> Result<RangeCheck, BlobError> {
    let chunk_offset = chunk_offset.into();
    rest(chunk_offset, total_size).map(|rest| RangeCheck { eof: rest == 0 })
}

/// How much to send from `offset` of a resource of `total` bytes, if `wanted` bytes were asked for and no
/// more than `cap` are sent at once.
///
/// `wanted` or `cap` of 0 gives an empty chunk, which ends the resource only at its end.
///
/// # Errors
///
/// [`BlobError`] if the offset is below 0 or above the size.
pub fn clamp_chunk(offset: impl Into<i128>, total: u64, wanted: u64, cap: u64) -> Result<Chunk, BlobError> {
    let rest = rest(offset.into(), total)?;
    let len = rest.min(wanted).min(cap);
    Ok(Chunk { len, eof: len == rest })
}

/// How many bytes there are from the offset on.
fn rest(chunk_offset: i128, total_size: u64) -> Result<u64, BlobError> {
    u64::try_from(chunk_offset)
        .ok()
        .and_then(|offset| total_size.checked_sub(offset))
        .ok_or(BlobError { chunk_offset, total_size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edges_of_a_resource() {
        for total in [0, 1, (1 << 53) + 1, i64::MAX as u64, 1 << 63, u64::MAX] {
            assert!(check_range(total, total).unwrap().eof);
            assert_eq!(check_range(0, total).unwrap().eof, total == 0);
            assert!(check_range(-1, total).is_err());
            assert!(check_range(i128::from(total) + 1, total).is_err());
            assert!(check_range(i128::MAX, total).is_err());
            assert!(check_range(i128::MIN, total).is_err());
        }
        assert!(!check_range(i64::MAX, u64::MAX).unwrap().eof);
    }

    #[test]
    fn a_chunk_is_what_is_left_wanted_and_allowed() {
        let at = |offset: u64, total, wanted, cap| {
            let chunk = clamp_chunk(offset, total, wanted, cap).unwrap();
            (chunk.len, chunk.eof)
        };
        assert_eq!(at(0, 10, 4, 100), (4, false));
        assert_eq!(at(6, 10, 4, 100), (4, true));
        assert_eq!(at(6, 10, 400, 3), (3, false));
        assert_eq!(at(10, 10, 4, 100), (0, true));
        assert_eq!(at(0, 0, 0, 0), (0, true));
        assert_eq!(at(1, 2, 0, 9), (0, false));
        assert_eq!(at(u64::MAX - 1, u64::MAX, u64::MAX, u64::MAX), (1, true));
        assert_eq!(at(0, u64::MAX, u64::MAX, u64::MAX), (u64::MAX, true));
        assert!(clamp_chunk(11, 10, 0, 0).is_err());
    }

    #[test]
    fn the_error_knows_itself() {
        let error = check_range(-1, 10).unwrap_err();
        assert_eq!(error.code().get(), 4018);
        assert_eq!((error.reason().as_str(), error.chunk_offset(), error.total_size()), ("range", -1, 10));
        assert_eq!(error.to_string(), "blob range: offset -1 is not within 0 to 10");
    }
}
