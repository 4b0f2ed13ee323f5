//! The ACP client taxonomy: what went wrong with an agent process that a host drives over stdio.
//!
//! A host branches on [`AcpErrorCode`], never on a message. [`classify_failure`] names what a host sees (a
//! response, an exit, a timeout, a pending question), [`AcpError::reclassify_handshake`] marks what happened
//! before the session was there, [`AcpError::retry`] says whether to try again, and [`ErrorLedger`] remembers
//! the last error of each server.
//!
//! The rules themselves ([`reclassify::plan`], [`retry_advice`], [`records_last_error`], [`readiness`]) take
//! plain values, because in other languages the error is that language's own exception.
//!
//! ```
//! use ackguard::acp::{AcpError, AcpErrorCode, Action};
//!
//! let mut error = AcpError::request_timeout("helper", "initialize", 30.0);
//! assert_eq!(error.retry().action, Action::Backoff);
//!
//! assert!(error.reclassify_handshake("helper"));
//! assert_eq!(error.code(), AcpErrorCode::HandshakeFail);
//! assert_eq!(error.details()["underlying_code"], "request_timeout");
//! assert_eq!(error.retry().action, Action::Operator);
//! ```

pub mod advice;
pub mod code;
pub mod config;
pub mod error;
mod expand;
pub mod failure;
pub mod handshake;
pub mod ledger;
pub mod log;
pub mod payload;
pub mod reclassify;
pub mod rpc;
pub mod state;
pub mod time;
mod tree;

pub use advice::{Action, RetryAdvice, retry_advice};
pub use code::{AcpErrorCode, records_last_error};
pub use config::{AcpConfig, ConfigErrors, ConfigProblem, ConfigReason, parse_acp_config};
pub use error::{AcpError, AcpErrorKind, Interaction, RpcError, missing_details};
pub use failure::{
    IoFailure, RawFailure, classify_failure, classify_parsed_failure, classify_silent_failure,
    classify_unreadable_failure,
};
pub use handshake::{check_initialize_result, check_session_result, method_not_found_reply};
pub use ledger::{ErrorLedger, LastError};
pub use rpc::{FrameProblem, RpcId, rpc_code_name};
pub use state::{Readiness, ServerState, readiness, readiness_of};
pub use time::Timestamp;

/// Every set of names that these rules ask a host for, so that a binding can prepare its own form of them;
/// [`Keys::id`](crate::host::Keys::id) tells them apart.
#[must_use]
pub fn key_sets() -> [&'static crate::host::Keys; 6] {
    [
        &rpc::FRAME,
        &rpc::ERROR,
        &failure::PERMISSION,
        &failure::TOOL_CALL,
        &handshake::INITIALIZE,
        &handshake::SESSION,
    ]
}
