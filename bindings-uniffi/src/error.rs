//! What may be thrown, and the guard that turns a panic into it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ackguard::blob::BlobError;
use ackguard::handshake::VersionError;
use ackguard::rel_path::SkillResourceError;
use ackguard::sandbox::RootError;

use crate::acp::AcpFailure;
use crate::names::{SkillNameReason, SkillResourceReason};
use crate::payload::ErrorPayload;

/// Everything that is thrown. `text` is a sentence for people and holds no secret; `payload` is the answer to
/// send where the refusal has one.
#[derive(Debug, Clone, thiserror::Error, uniffi::Error)]
pub enum AckguardError {
    /// A text is no SKILL name (4016).
    #[error("{text}")]
    SkillNameRefused {
        /// Why.
        reason: SkillNameReason,
        /// Which segment, from 0; absent if it is the text as a whole.
        segment: Option<u32>,
        /// Where to underline, in UTF-16 units of the text that was read.
        span_start: u32,
        /// The end of it.
        span_end: u32,
        /// The refused text; of one that is longer than 1024 bytes the first 256 and an ellipsis.
        name: String,
        /// A sentence for people.
        text: String,
        /// The answer to send.
        payload: ErrorPayload,
    },
    /// A file of a SKILL package is not served (4017).
    #[error("{text}")]
    SkillResourceRefused {
        /// Why.
        reason: SkillResourceReason,
        /// The path as it was given; one of more than 4096 bytes is cut and ends with an ellipsis.
        rel_path: Option<String>,
        /// The file's size in bytes, for `too_large`.
        total_size: Option<u64>,
        /// A sentence for people.
        text: String,
        /// The answer to send.
        payload: ErrorPayload,
    },
    /// A range lies outside a blob (4018).
    #[error("{text}")]
    BlobRefused {
        /// Why, as it stands on the wire.
        reason: String,
        /// The blob's size in bytes.
        total_size: u64,
        /// A sentence for people.
        text: String,
        /// The answer to send.
        payload: ErrorPayload,
    },
    /// The folder of a SKILL package cannot be used: a mistake of the host.
    #[error("{text}")]
    PackageUnusable {
        /// The path as it was given.
        path: String,
        /// A sentence for people.
        text: String,
    },
    /// A text is no protocol version.
    #[error("{text}")]
    VersionRefused {
        /// Why.
        reason: String,
        /// Where, from 0.
        position: u32,
        /// A sentence for people.
        text: String,
        /// The answer to send.
        payload: ErrorPayload,
    },
    /// A payload is a protocol error, and the caller wanted that thrown.
    #[error("{text}")]
    ProtocolFailed {
        /// What the payload says.
        payload: ErrorPayload,
        /// A sentence for people.
        text: String,
    },
    /// A payload tries to be a protocol error and breaks the contract.
    #[error("{text}")]
    PayloadMalformed {
        /// What breaks the contract.
        violations: Vec<String>,
        /// A sentence for people.
        text: String,
        /// The answer to send.
        payload: ErrorPayload,
    },
    /// A failure of an ACP client.
    #[error("{text}")]
    AcpFailed {
        /// The failure.
        failure: AcpFailure,
        /// Its message.
        text: String,
        /// The answer to send.
        payload: ErrorPayload,
    },
    /// The calling program gave what the function does not take.
    #[error("{text}")]
    Misuse {
        /// A sentence for the programmer.
        text: String,
    },
    /// A defect of ackguard.
    #[error("{text}")]
    Internal {
        /// A sentence for people.
        text: String,
    },
}

/// What the functions answer.
pub(crate) type Answer<T> = Result<T, AckguardError>;

impl AckguardError {
    pub(crate) fn misuse(text: impl ToString) -> Self {
        Self::Misuse { text: text.to_string() }
    }

    /// The refusal of a SKILL name; `read` is the text that the place of the fault is counted in.
    pub(crate) fn skill_name(error: &ackguard::skill_name::SkillNameError, read: &str) -> Self {
        let span = error.utf16_span(read);
        Self::SkillNameRefused {
            reason: error.reason().into(),
            segment: error.segment().map(narrow),
            span_start: narrow(span.start),
            span_end: narrow(span.end),
            name: error.name().to_owned(),
            text: error.to_string(),
            payload: ErrorPayload::of(&error.to_payload()),
        }
    }
}

/// A count of characters; no text of a language border has more than these.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl From<SkillResourceError> for AckguardError {
    fn from(error: SkillResourceError) -> Self {
        Self::SkillResourceRefused {
            reason: error.reason().into(),
            rel_path: error.rel_path().map(str::to_owned),
            total_size: error.total_size(),
            text: error.to_string(),
            payload: ErrorPayload::of(&error.to_payload()),
        }
    }
}

impl From<BlobError> for AckguardError {
    fn from(error: BlobError) -> Self {
        Self::BlobRefused {
            reason: error.reason().as_str().to_owned(),
            total_size: error.total_size(),
            text: error.to_string(),
            payload: ErrorPayload::of(&error.to_payload()),
        }
    }
}

impl From<RootError> for AckguardError {
    fn from(error: RootError) -> Self {
        Self::PackageUnusable { path: error.path().to_string_lossy().into_owned(), text: error.to_string() }
    }
}

impl From<VersionError> for AckguardError {
    fn from(error: VersionError) -> Self {
        Self::VersionRefused {
            reason: error.reason.as_str().to_owned(),
            position: narrow(error.position),
            text: error.to_string(),
            payload: ErrorPayload::of(&error.to_payload()),
        }
    }
}

impl From<ackguard::acp::AcpError> for AckguardError {
    fn from(error: ackguard::acp::AcpError) -> Self {
        Self::AcpFailed {
            text: error.message().to_owned(),
            failure: AcpFailure::of(&error),
            payload: ErrorPayload::of(&error.to_payload()),
        }
    }
}

impl From<ackguard::payload::MalformedErrorPayload> for AckguardError {
    fn from(error: ackguard::payload::MalformedErrorPayload) -> Self {
        Self::PayloadMalformed {
            violations: error.violations().iter().map(ToString::to_string).collect(),
            text: error.to_string(),
            payload: ErrorPayload::of(&error.to_payload()),
        }
    }
}

/// Runs `work`; a panic becomes [`AckguardError::Internal`], so that it never meets a language border.
///
/// What the panic said is not passed on: it may quote what was read.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Answer<T>) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(AckguardError::Internal { text: "internal error in ackguard; please report it".to_owned() })
    })
}

/// Panics inside, for the tests that no panic crosses the border.
#[uniffi::export]
pub fn provoke_internal_error() -> Result<(), AckguardError> {
    #[allow(clippy::panic)] // its purpose
    guarded(|| panic!("provoked by a test"))
}
