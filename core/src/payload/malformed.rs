//! A payload that tries to be an error and breaks the contract, as an error of this program.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;

use super::{Classified, ErrorPayload, Kind};
use crate::code::ErrorCode;
use crate::host::Node;

/// A peer's answer plainly tries to be a protocol error and breaks the contract. It is never unwrapped, so this
/// has nothing of it but the names of what it breaks.
///
/// ```
/// use ackguard::Dialect;
/// use ackguard::payload::classify_json;
///
/// let payload = classify_json(br#"{"error": {"code": 4101}}"#, Dialect::V0_2);
/// let error = payload.malformed().unwrap();
/// assert_eq!(error.to_string(), "malformed error payload: nested_envelope");
/// assert_eq!(error.code().get(), 500);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct MalformedErrorPayload {
    violations: Vec<Cow<'static, str>>,
}

impl MalformedErrorPayload {
    /// With the violations as [`Violation::text`](super::Violation::text) writes them.
    #[must_use]
    pub fn new<T: Into<Cow<'static, str>>>(violations: impl IntoIterator<Item = T>) -> Self {
        Self { violations: violations.into_iter().map(Into::into).collect() }
    }

    /// How it breaks the contract, such as `nested_envelope`.
    #[must_use]
    pub fn violations(&self) -> &[Cow<'static, str>] {
        &self.violations
    }

    /// The code with which whoever got such an answer tells others that there is none: 500. It is the answering
    /// side that failed; 400 would blame the request, and its advice is to mend that.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::INTERNAL_ERROR
    }

    /// A payload with that code, whose message is this error's.
    #[must_use]
    pub fn to_payload(&self) -> ErrorPayload {
        ErrorPayload::new(self.code(), self.to_string())
    }
}

impl fmt::Display for MalformedErrorPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("malformed error payload")?;
        for (index, violation) in self.violations.iter().enumerate() {
            f.write_str(if index == 0 { ": " } else { ", " })?;
            f.write_str(violation)?;
        }
        Ok(())
    }
}

impl<N: Node> Classified<N> {
    /// The error to raise for kind `malformed_error`; `None` for every other kind.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_malformed(&self) -> Result<Option<MalformedErrorPayload>, N::Error> {
        if self.kind() != Kind::MalformedError {
            return Ok(None);
        }
        Ok(Some(MalformedErrorPayload::new(self.try_violations()?.iter().map(super::Violation::text))))
    }
}

impl<N: Node<Error = Infallible>> Classified<N> {
    /// The error to raise for kind `malformed_error`; `None` for every other kind.
    #[must_use]
    pub fn malformed(&self) -> Option<MalformedErrorPayload> {
        let Ok(error) = self.try_malformed();
        error
    }
}
