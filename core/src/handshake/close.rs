//! WebSocket close codes: a namespace of their own.

use serde::Serialize;

/// The close code by which a server refuses the version of a client that came over WebSocket only.
///
/// Never a `code` of a payload; and 4008, the code of a payload, is never a close code with this meaning.
pub const VERSION_REJECTED_CLOSE_CODE: i64 = 4900;

/// What a WebSocket close code says about the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WsClose {
    /// The server refuses this client's protocol version.
    VersionHandshakeRejected,
    /// Any other close: nothing that this crate knows more about.
    Ordinary,
}

impl WsClose {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::VersionHandshakeRejected => "version_handshake_rejected",
            Self::Ordinary => "ordinary",
        }
    }

    /// Whether the client's usual reconnection may go on. After a version refusal it must not: the answer
    /// would be the same each time.
    #[must_use]
    pub const fn may_reconnect(self) -> bool {
        matches!(self, Self::Ordinary)
    }

    /// Whether one request over HTTP polling is worth making, only to fetch the 4008 body that a close frame
    /// cannot carry. Once: it is no way to connect.
    #[must_use]
    pub const fn fetch_reason_by_polling(self) -> bool {
        matches!(self, Self::VersionHandshakeRejected)
    }
}

/// Says what a WebSocket close code means: 4900 is a refused version, every other number an ordinary close.
///
/// ```
/// use ackguard::handshake::{WsClose, classify_ws_close};
/// assert_eq!(classify_ws_close(4900), WsClose::VersionHandshakeRejected);
/// assert_eq!(classify_ws_close(4008), WsClose::Ordinary);
/// ```
#[must_use]
pub const fn classify_ws_close(code: i64) -> WsClose {
    if code == VERSION_REJECTED_CLOSE_CODE { WsClose::VersionHandshakeRejected } else { WsClose::Ordinary }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_4900_is_a_refused_version() {
        for code in [i64::MIN, -4900, 0, 1000, 1006, 4000, 4008, 4899, 4901, 4900 + (1 << 32), i64::MAX] {
            assert_eq!(classify_ws_close(code), WsClose::Ordinary, "{code}");
        }
        let rejected = classify_ws_close(4900);
        assert_eq!(rejected.as_str(), "version_handshake_rejected");
        assert!(!rejected.may_reconnect() && rejected.fetch_reason_by_polling());
        assert!(WsClose::Ordinary.may_reconnect() && !WsClose::Ordinary.fetch_reason_by_polling());
    }
}
