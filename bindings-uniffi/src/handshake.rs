//! Protocol versions and the handshake.

use std::collections::HashMap;

use ackguard::handshake as core;

use crate::MessageLocale;
use crate::code::ErrorCode;
use crate::error::{AckguardError, guarded};
use crate::mirror::mirror;
use crate::payload::ErrorPayload;

/// A protocol version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, uniffi::Record)]
#[uniffi::export(Display, Ord)]
pub struct ProtocolVersion {
    /// Incompatible changes.
    pub major: u32,
    /// Additions; while `major` is 0, also incompatible changes.
    pub minor: u32,
    /// Corrections.
    pub patch: u32,
}

impl ProtocolVersion {
    fn core(self) -> core::ProtocolVersion {
        core::ProtocolVersion::new(self.major, self.minor, self.patch)
    }
}

impl From<core::ProtocolVersion> for ProtocolVersion {
    fn from(version: core::ProtocolVersion) -> Self {
        Self { major: version.major, minor: version.minor, patch: version.patch }
    }
}

impl std::fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.core().fmt(f)
    }
}

#[uniffi::export]
impl ProtocolVersion {
    /// Whether a client of this version may talk to a server of that one.
    pub fn is_compatible_with(&self, server: ProtocolVersion) -> bool {
        self.core().is_compatible_with(server.core())
    }
}

/// Reads a version such as `0.2.0`. Throws `VersionRefused`.
#[uniffi::export]
pub fn parse_protocol_version(text: String) -> Result<ProtocolVersion, AckguardError> {
    guarded(|| Ok(core::ProtocolVersion::parse(&text)?.into()))
}

/// A ready HTTP answer to a handshake that is refused.
#[derive(Debug, Clone, PartialEq, Eq, uniffi::Record)]
pub struct HandshakeAnswer {
    /// The code in the body: 400 or 4008.
    pub code: ErrorCode,
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HashMap<String, String>,
    /// The body, JSON.
    pub body: String,
}

/// Checks the raw query of a handshake against the server's version: absent if the client may come in, otherwise
/// the answer to send instead.
#[uniffi::export]
pub fn check_handshake(
    query: String,
    server: ProtocolVersion,
) -> Result<Option<HandshakeAnswer>, AckguardError> {
    guarded(|| {
        Ok(core::check_handshake(&query, server.core()).err().map(|answer| HandshakeAnswer {
            code: answer.code.into(),
            status: answer.status,
            headers: answer.headers.into_iter().map(|(name, text)| (name.to_owned(), text)).collect(),
            body: answer.body,
        }))
    })
}

/// The server refuses this client's protocol version (4008). The fields are as they came.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Display)]
pub struct VersionMismatch {
    /// The server's text, for logs.
    pub message: Option<String>,
    /// The server's version.
    pub server_version: Option<String>,
    /// This client's version, as the server read it.
    pub client_version: Option<String>,
    /// The lowest version the server supports.
    pub min_supported: Option<String>,
    /// The highest version the server supports.
    pub max_supported: Option<String>,
}

impl VersionMismatch {
    fn core(&self) -> core::VersionMismatch {
        let mut mismatch = core::VersionMismatch::default();
        mismatch.message.clone_from(&self.message);
        mismatch.server_version.clone_from(&self.server_version);
        mismatch.client_version.clone_from(&self.client_version);
        mismatch.min_supported.clone_from(&self.min_supported);
        mismatch.max_supported.clone_from(&self.max_supported);
        mismatch
    }
}

impl std::fmt::Display for VersionMismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.core().fmt(f)
    }
}

#[uniffi::export]
impl VersionMismatch {
    /// A sentence for people.
    #[uniffi::method(default(locale = None))]
    pub fn public_message(&self, locale: Option<MessageLocale>) -> Result<String, AckguardError> {
        guarded(|| Ok(self.core().public_message(MessageLocale::core_of(locale))))
    }

    /// The same as a payload.
    pub fn payload(&self) -> Result<ErrorPayload, AckguardError> {
        guarded(|| Ok(ErrorPayload::of(&self.core().to_payload())))
    }
}

/// What the server said when it refused a handshake.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Enum)]
pub enum HandshakeRefusal {
    /// Code 4008.
    VersionsDiffer {
        /// The versions.
        mismatch: VersionMismatch,
    },
    /// Code 400: the version parameter is missing or unreadable.
    BadRequest {
        /// What the server sent.
        payload: ErrorPayload,
        /// The server's text, for logs.
        server_text: Option<String>,
    },
}

fn refusal(failure: core::HandshakeFailure) -> HandshakeRefusal {
    match failure {
        core::HandshakeFailure::VersionMismatch(mismatch) => HandshakeRefusal::VersionsDiffer {
            mismatch: VersionMismatch {
                message: mismatch.message,
                server_version: mismatch.server_version,
                client_version: mismatch.client_version,
                min_supported: mismatch.min_supported,
                max_supported: mismatch.max_supported,
            },
        },
        other => HandshakeRefusal::BadRequest {
            payload: ErrorPayload::of(&other.to_payload()),
            server_text: match other {
                core::HandshakeFailure::Refused(refused) => refused.message,
                _ => None,
            },
        },
    }
}

/// Reads the HTTP answer to a handshake: absent if it is none of ours.
#[uniffi::export]
pub fn parse_handshake_failure(
    status: u16,
    headers: HashMap<String, String>,
    body: Vec<u8>,
) -> Result<Option<HandshakeRefusal>, AckguardError> {
    guarded(|| Ok(core::parse_handshake_failure(status, headers.iter(), &body).map(refusal)))
}

/// Reads what a client library made of the answer, for those that give only a text.
#[uniffi::export]
pub fn parse_handshake_text(text: String) -> Result<Option<HandshakeRefusal>, AckguardError> {
    guarded(|| Ok(core::parse_handshake_text(&text).map(refusal)))
}

mirror! {
    /// What the close of a WebSocket says.
    WebSocketClose = ackguard::handshake::WsClose, else Ordinary {
        /// 4900: the server refuses this client's protocol version.
        VersionHandshakeRejected,
        /// Any other close.
        Ordinary,
    }
}

#[uniffi::export]
impl WebSocketClose {
    /// Whether connecting again may help.
    pub fn may_reconnect(&self) -> bool {
        self.core().may_reconnect()
    }

    /// Whether the reason is to be had from the polling transport.
    pub fn fetch_reason_by_polling(&self) -> bool {
        self.core().fetch_reason_by_polling()
    }
}

/// What a close code of a WebSocket says.
#[uniffi::export]
pub fn classify_ws_close(code: i64) -> Result<WebSocketClose, AckguardError> {
    guarded(|| Ok(core::classify_ws_close(code).into()))
}
