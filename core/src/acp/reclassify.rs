//! What becomes of an error that was raised in the handshake.
//!
//! [`plan`] decides, over plain values, and a caller carries the plan out on whatever its error is: an
//! [`AcpError`] here, an exception of the language elsewhere.

use crate::value::{Map, Value};
use alloc::borrow::ToOwned;
use alloc::string::String;

use super::code::{AcpErrorCode, InHandshake};
use super::error::{AcpError, AcpErrorKind};
use super::rpc::AUTHENTICATION_REQUIRED;

/// The key in `details` that says in which phase an error was raised.
pub const PHASE: &str = "phase";
/// The value of [`PHASE`] for `initialize` and `session/new`.
pub const HANDSHAKE: &str = "handshake";
/// The key in `details` that keeps the code from before.
pub const UNDERLYING_CODE: &str = "underlying_code";
/// The key in `details` that names the server.
pub const SERVER: &str = "server";
/// The key in `details` that says the user has to log in.
pub const AUTH_REQUIRED: &str = "auth_required";

/// A value that a plan writes into `details`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanValue {
    /// The name of the server that the caller knows.
    Server,
    /// The string of a code.
    Code(AcpErrorCode),
    /// This text.
    Text(&'static str),
    /// The boolean true.
    True,
}

impl PlanValue {
    /// The value as JSON.
    #[must_use]
    pub fn to_value(self, server: &str) -> Value {
        match self {
            Self::Server => Value::from(server),
            Self::Code(code) => Value::from(code.as_str()),
            Self::Text(text) => Value::from(text),
            Self::True => Value::Bool(true),
        }
    }
}

/// What has to be done to an error that was raised in the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The code it gets, where that changes.
    pub new_code: Option<AcpErrorCode>,
    /// Whether it counts as a failure of the handshake.
    pub counts: bool,
    writes: [Option<(&'static str, PlanValue)>; 3],
}

impl Plan {
    const NOTHING: Self = Self { new_code: None, counts: false, writes: [None; 3] };

    /// The keys of `details` to set, and what to. Everything else stays.
    pub fn set(&self) -> impl Iterator<Item = (&'static str, PlanValue)> {
        self.writes.into_iter().flatten()
    }
}

/// Decides what becomes of an error raised during `initialize` or `session/new`.
///
/// `has_server` and `has_underlying` are whether `details` already names those (a null does not): what is there
/// is kept, which is also why a second time changes nothing. An RPC error keeps both its codes, because its
/// number is what its handlers look at, and never gets an `underlying_code`; one that asks the user to log in
/// does not count, since nothing is broken.
///
/// ```
/// use ackguard::acp::reclassify::plan;
/// use ackguard::acp::{AcpErrorCode, AcpErrorKind};
///
/// let plan = plan(AcpErrorKind::Client, AcpErrorCode::RequestTimeout, None, false, false);
/// assert_eq!(plan.new_code, Some(AcpErrorCode::HandshakeFail));
/// assert!(plan.counts);
/// ```
#[must_use]
pub fn plan(
    kind: AcpErrorKind,
    code: AcpErrorCode,
    rpc_code: Option<i128>,
    has_server: bool,
    has_underlying: bool,
) -> Plan {
    let server = (!has_server).then_some((SERVER, PlanValue::Server));
    let phase = Some((PHASE, PlanValue::Text(HANDSHAKE)));
    match (kind, code.in_handshake()) {
        (AcpErrorKind::Rpc, _) => {
            let log_in = rpc_code == Some(AUTHENTICATION_REQUIRED);
            let auth_required = log_in.then_some((AUTH_REQUIRED, PlanValue::True));
            Plan { new_code: None, counts: !log_in, writes: [server, phase, auth_required] }
        }
        (AcpErrorKind::Client, InHandshake::Symptom) => {
            let underlying = (!has_underlying).then_some((UNDERLYING_CODE, PlanValue::Code(code)));
            Plan {
                new_code: Some(AcpErrorCode::HandshakeFail),
                counts: true,
                writes: [underlying, server, phase],
            }
        }
        (AcpErrorKind::Client, InHandshake::Failure) => {
            Plan { new_code: None, counts: true, writes: [server, phase, None] }
        }
        _ => Plan::NOTHING,
    }
}

impl AcpError {
    /// Marks an error raised during `initialize` or `session/new`, and says whether it counts as a failure of
    /// the handshake. Applying it twice changes nothing. See [`plan`].
    pub fn reclassify_handshake(&mut self, server: &str) -> bool {
        let has = |key| is_set(self.details(), key);
        let plan = plan(self.kind(), self.code(), self.rpc_code(), has(SERVER), has(UNDERLYING_CODE));
        if let Some(code) = plan.new_code {
            self.set_code(code);
        }
        for (key, value) in plan.set() {
            self.details_mut().insert(key.to_owned(), value.to_value(server));
        }
        plan.counts
    }

    /// Whether this error was raised in the handshake: `details.phase` is `"handshake"`, for every kind.
    #[must_use]
    pub fn is_handshake_failure(&self) -> bool {
        self.details().get(PHASE).and_then(Value::as_str) == Some(HANDSHAKE)
    }
}

/// Whether a key is there and says something.
pub(crate) fn is_set(details: &Map<String, Value>, key: &str) -> bool {
    details.get(key).is_some_and(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_not_written_again() {
        let written = |has_server, has_underlying| {
            let plan =
                plan(AcpErrorKind::Client, AcpErrorCode::ProtocolError, None, has_server, has_underlying);
            plan.set().map(|(key, _)| key).collect::<Vec<_>>()
        };
        assert_eq!(written(false, false), [UNDERLYING_CODE, SERVER, PHASE]);
        assert_eq!(written(true, false), [UNDERLYING_CODE, PHASE]);
        assert_eq!(written(false, true), [SERVER, PHASE]);
        assert_eq!(written(true, true), [PHASE]);
    }

    #[test]
    fn an_rpc_error_is_judged_by_its_kind_whatever_code_a_host_gave_it() {
        for &code in AcpErrorCode::ALL {
            let plan = plan(AcpErrorKind::Rpc, code, Some(-32603), false, false);
            assert_eq!((plan.new_code, plan.counts), (None, true));
            assert!(plan.set().all(|(key, _)| key != UNDERLYING_CODE));
        }
    }

    #[test]
    fn the_classes_of_their_own_are_left_alone() {
        for kind in [AcpErrorKind::ServerNotFound, AcpErrorKind::InteractionRequired] {
            for &code in AcpErrorCode::ALL {
                assert_eq!(plan(kind, code, None, false, false), Plan::NOTHING);
            }
        }
    }
}
