//! May a failed call be tried again, and what has to happen first.

use serde::Serialize;

use super::code::AcpErrorCode;
use super::error::AcpErrorKind;
use super::rpc::AUTHENTICATION_REQUIRED;

macro_rules! actions {
    ($($(#[$doc:meta])* $variant:ident = $text:literal,)+) => {
        /// What has to happen before another try makes sense.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[non_exhaustive]
        pub enum Action {
            $($(#[$doc])* #[serde(rename = $text)] $variant,)+
        }

        impl Action {
            /// Every action.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }
    };
}

actions! {
    /// Correct the configuration.
    FixConfiguration = "fix_configuration",
    /// Correct the call.
    FixCall = "fix_call",
    /// Whoever runs the agent has to look at it.
    Operator = "operator",
    /// Try again with exponential backoff, capped, if the call may be repeated.
    Backoff = "backoff",
    /// Stop and start the server, then try again.
    RestartServer = "restart_server",
    /// Make the call in an interactive session. Trying again as it was changes nothing.
    UseInteractiveSession = "use_interactive_session",
    /// The agent is defective: upgrade it or report it.
    ReportBug = "report_bug",
    /// Poll until the running turn has ended.
    WaitForTurn = "wait_for_turn",
    /// The user logs in to the agent.
    Authenticate = "authenticate",
}

/// The advice for one error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct RetryAdvice {
    /// May the program try again, once `action` has been done? An interaction is no question of trying
    /// again: there it is false, and the action says what the question is.
    pub retryable: bool,
    /// What has to happen first.
    pub action: Action,
}

impl RetryAdvice {
    /// Whether trying again is safe only if the call may be repeated: after a timeout nobody knows whether
    /// the first one had its effect.
    #[must_use]
    pub const fn needs_idempotent_call(self) -> bool {
        self.retryable && matches!(self.action, Action::Backoff)
    }
}

/// The advice for an error, from what decides it. Total.
///
/// `in_handshake` is whether `details.phase` is `"handshake"`, `rpc_code` the JSON-RPC number of an RPC error.
/// The phase is looked at before the code: in the handshake a JSON-RPC error is a matter of configuration, for
/// the operator, and no bug report. A request to log in comes before both: nothing is broken.
#[must_use]
pub const fn retry_advice(
    kind: AcpErrorKind,
    code: AcpErrorCode,
    in_handshake: bool,
    rpc_code: Option<i128>,
) -> RetryAdvice {
    if let (AcpErrorKind::Rpc, Some(AUTHENTICATION_REQUIRED)) = (kind, rpc_code) {
        return RetryAdvice { retryable: false, action: Action::Authenticate };
    }
    if in_handshake {
        return RetryAdvice { retryable: false, action: Action::Operator };
    }
    match kind {
        // Whatever a host wrote into the code: an RPC error is a protocol error.
        AcpErrorKind::Rpc => AcpErrorCode::ProtocolError.retry(),
        _ => code.retry(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [AcpErrorKind; 4] = [
        AcpErrorKind::Client,
        AcpErrorKind::ServerNotFound,
        AcpErrorKind::Rpc,
        AcpErrorKind::InteractionRequired,
    ];

    #[test]
    fn in_the_handshake_everything_but_a_log_in_is_the_operators() {
        for kind in KINDS {
            for &code in AcpErrorCode::ALL {
                let advice = retry_advice(kind, code, true, Some(-32603));
                assert_eq!(advice, RetryAdvice { retryable: false, action: Action::Operator });
            }
        }
        for phase in [true, false] {
            let advice = retry_advice(AcpErrorKind::Rpc, AcpErrorCode::ProtocolError, phase, Some(-32000));
            assert_eq!(advice, RetryAdvice { retryable: false, action: Action::Authenticate });
        }
    }

    #[test]
    fn a_number_that_only_looks_like_a_log_in_is_none() {
        for code in [-32001, -32000 + (1 << 32), 32000] {
            let advice = retry_advice(AcpErrorKind::Rpc, AcpErrorCode::ProtocolError, false, Some(code));
            assert_eq!(advice.action, Action::ReportBug);
        }
        let advice = retry_advice(AcpErrorKind::Client, AcpErrorCode::ProtocolError, false, Some(-32000));
        assert_eq!(advice.action, Action::ReportBug);
    }

    #[test]
    fn only_a_timeout_asks_whether_the_call_may_be_repeated() {
        for &code in AcpErrorCode::ALL {
            assert_eq!(code.retry().needs_idempotent_call(), code == AcpErrorCode::RequestTimeout);
        }
    }
}
