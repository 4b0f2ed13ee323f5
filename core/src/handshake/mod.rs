//! Protocol versions, the handshake's refusal on both sides, and the WebSocket close code that goes with it.
//!
//! A server calls [`check_handshake`] with the raw query of a handshake before anything else looks at the
//! request. A client whose handshake failed gives what it got to [`parse_handshake_failure`], or to
//! [`parse_handshake_text`] where its library left only an exception's text. Whoever gets a
//! [`VersionMismatch`] disconnects, tells the user both versions, and never retries silently.

mod client;
mod close;
mod server;
mod text;
mod version;

pub(crate) use client::shown_version;
pub use client::{
    HandshakeFailure, RefusedHandshake, VersionMismatch, parse_handshake_body, parse_handshake_failure,
};
pub use close::{VERSION_REJECTED_CLOSE_CODE, WsClose, classify_ws_close};
pub use server::{
    ERROR_CODE_HEADER, HandshakeAnswer, SupportedRange, VERSION_PARAMETER, check_handshake,
    check_handshake_with,
};
pub use text::parse_handshake_text;
pub use version::{ProtocolVersion, VersionError, VersionErrorReason};
