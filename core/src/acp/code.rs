//! The nine codes, with what is known about each, in one table.

use core::fmt;
use core::str::FromStr;

use serde::Serialize;

use super::advice::{Action, RetryAdvice};

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal {
        cause: $cause:literal,
        details: [$($key:literal),*],
        retry: $retryable:literal $action:ident,
        recorded: $recorded:literal,
        handshake: $handshake:ident $(,)?
    })+) => {
        /// What went wrong, as the string on the wire says it. Exactly nine (spec: the ACP client taxonomy):
        /// a host makes these itself, so there is no unknown one to carry.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub enum AcpErrorCode {
            $($(#[$doc])* #[serde(rename = $text)] $variant,)+
        }

        impl AcpErrorCode {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The string on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The usual cause, in one sentence.
            #[must_use]
            pub const fn cause(self) -> &'static str {
                match self { $(Self::$variant => $cause,)+ }
            }

            /// The keys that `details` should have with this code.
            #[must_use]
            pub const fn detail_keys(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($key),*],)+ }
            }

            /// The advice for an error of this code outside the handshake.
            #[must_use]
            pub const fn retry(self) -> RetryAdvice {
                match self {
                    $(Self::$variant => RetryAdvice { retryable: $retryable, action: Action::$action },)+
                }
            }

            /// Whether an error of this code becomes a server's last error.
            ///
            /// The two that do not are the caller's own signals: a busy server would wipe out the real failure
            /// at every poll, and an undeclared name has no server to remember it for.
            #[must_use]
            pub const fn is_recorded(self) -> bool {
                match self { $(Self::$variant => $recorded,)+ }
            }

            pub(crate) const fn in_handshake(self) -> InHandshake {
                match self { $(Self::$variant => InHandshake::$handshake,)+ }
            }
        }
    };
}

/// What a client error of some code means when it is raised in the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InHandshake {
    /// It is the symptom of a handshake that failed.
    Symptom,
    /// It says that the handshake failed.
    Failure,
    /// It has nothing to do with the handshake.
    Unrelated,
}

codes! {
    /// The configuration is wrong.
    ConfigInvalid = "config_invalid" {
        cause: "The configuration is malformed, lacks a required field or names a variable that is not set",
        details: ["server", "field"],
        retry: false FixConfiguration, recorded: true, handshake: Unrelated,
    }
    /// No server of that name is declared.
    ServerNotFound = "server_not_found" {
        cause: "The call names a server that is not declared",
        details: ["server"],
        retry: false FixCall, recorded: false, handshake: Unrelated,
    }
    /// The process did not start.
    ProcessStartFail = "process_start_fail" {
        cause: "The command is not on PATH or not executable, or the process died while starting",
        details: ["server", "command", "args", "stderr"],
        retry: false Operator, recorded: true, handshake: Unrelated,
    }
    /// The process started and failed in `initialize` or `session/new`.
    HandshakeFail = "handshake_fail" {
        cause: "The process started, then failed in `initialize` or `session/new`",
        details: ["server", "protocol_version", "phase", "underlying_code"],
        retry: false Operator, recorded: true, handshake: Failure,
    }
    /// A request ran past its timeout.
    RequestTimeout = "request_timeout" {
        cause: "A request ran past its timeout",
        details: ["server", "method", "timeout"],
        retry: true Backoff, recorded: true, handshake: Symptom,
    }
    /// The process or its pipes are gone.
    TransportDisconnect = "transport_disconnect" {
        cause: "The process is gone, a pipe was closed or a frame arrived damaged",
        details: ["server", "exit_code"],
        retry: true RestartServer, recorded: true, handshake: Symptom,
    }
    /// The agent asked for permission or input and nobody was there to answer.
    InteractionRequired = "interaction_required" {
        cause: "The agent asked for permission or input in a call that is not interactive",
        details: ["server", "method", "prompt", "options"],
        retry: false UseInteractiveSession, recorded: true, handshake: Unrelated,
    }
    /// The agent broke the protocol, or answered with a JSON-RPC error.
    ProtocolError = "protocol_error" {
        cause: "The agent sent what is not JSON-RPC, an unexpected method or an id that matches nothing",
        details: [],
        retry: false ReportBug, recorded: true, handshake: Symptom,
    }
    /// A turn is running and the call does not wait: there is no queue.
    ServerBusy = "server_busy" {
        cause: "A turn is running on this server and the call does not wait",
        details: ["server"],
        retry: true WaitForTurn, recorded: false, handshake: Unrelated,
    }
}

/// Whether an error of this code becomes a server's last error; see [`AcpErrorCode::is_recorded`].
#[must_use]
pub const fn records_last_error(code: AcpErrorCode) -> bool {
    code.is_recorded()
}

impl fmt::Display for AcpErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is none of the nine codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an ACP error code")]
#[non_exhaustive]
pub struct UnknownCode;

impl FromStr for AcpErrorCode {
    type Err = UnknownCode;

    /// Exactly the string on the wire: no other case, no white space.
    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text).ok_or(UnknownCode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_nine_and_each_survives_its_text() {
        assert_eq!(AcpErrorCode::ALL.len(), 9);
        for code in AcpErrorCode::ALL {
            assert_eq!(code.as_str().parse(), Ok(*code));
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
        for text in ["", "Protocol_error", " protocol_error", "PROTOCOL_ERROR", "rpc_error"] {
            assert_eq!(text.parse::<AcpErrorCode>(), Err(UnknownCode));
        }
    }
}
