//! Whether a turn may be submitted now. What went wrong last is another question: see
//! [`ErrorLedger`](super::ErrorLedger).

use core::str::FromStr;

use serde::Serialize;

macro_rules! states {
    ($($(#[$doc:meta])* $variant:ident = $text:literal => $readiness:ident,)+) => {
        /// The state of one agent process.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[non_exhaustive]
        pub enum ServerState {
            $($(#[$doc])* #[serde(rename = $text)] $variant,)+
        }

        impl ServerState {
            /// Every state, in the order of a life.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            const fn by_itself(self) -> Readiness {
                match self { $(Self::$variant => Readiness::$readiness,)+ }
            }
        }
    };
}

states! {
    /// Declared, never started.
    Configured = "configured" => NotReady,
    /// The process is being started.
    Starting = "starting" => NotReady,
    /// The handshake is going on.
    Initializing = "initializing" => NotReady,
    /// A turn may be submitted.
    Ready = "ready" => Ready,
    /// A turn is running.
    Busy = "busy" => Busy,
    /// A turn is running and waits for the user.
    WaitingForUser = "waiting_for_user" => Busy,
    /// The process is being stopped.
    Stopping = "stopping" => NotReady,
    /// The process has been stopped.
    Stopped = "stopped" => NotReady,
    /// The process could not be started or kept.
    Failed = "failed" => Failed,
}

/// Whether a turn may be submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Readiness {
    /// Yes.
    Ready,
    /// Not while a turn is running.
    Busy,
    /// No, and not before somebody acts.
    Failed,
    /// Not now.
    NotReady,
}

impl Readiness {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Busy => "busy",
            Self::Failed => "failed",
            Self::NotReady => "not_ready",
        }
    }
}

/// The text is no state of an agent process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a state of an ACP server")]
#[non_exhaustive]
pub struct UnknownState;

impl FromStr for ServerState {
    type Err = UnknownState;

    fn from_str(text: &str) -> Result<Self, UnknownState> {
        Self::ALL.iter().copied().find(|state| state.as_str() == text).ok_or(UnknownState)
    }
}

/// Whether a turn may be submitted to a server in `state`.
///
/// `has_active_turn` matters only where the state says ready: a host may learn of the turn before the state
/// follows. A turn that is left over in any other state makes nothing readier.
#[must_use]
pub const fn readiness(state: ServerState, has_active_turn: bool) -> Readiness {
    match state.by_itself() {
        Readiness::Ready if has_active_turn => Readiness::Busy,
        other => other,
    }
}

/// As [`readiness`], for the name of a state. A name that nobody knows is not ready: it gives no permission to
/// submit anything.
#[must_use]
pub fn readiness_of(state: &str, has_active_turn: bool) -> Readiness {
    state.parse().map_or(Readiness::NotReady, |state| readiness(state, has_active_turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_ready_server_without_a_turn_is_ready() {
        for &state in ServerState::ALL {
            for turn in [false, true] {
                let is_ready = readiness(state, turn) == Readiness::Ready;
                assert_eq!(is_ready, state == ServerState::Ready && !turn, "{state:?} {turn}");
                assert_eq!(readiness_of(state.as_str(), turn), readiness(state, turn));
            }
        }
        for unknown in ["", "READY", "ready ", "running"] {
            assert_eq!(readiness_of(unknown, false), Readiness::NotReady);
        }
    }
}
