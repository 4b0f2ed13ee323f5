//! One row of a tally: what payloads have in common that are counted together.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use core::fmt;

use super::is_showable;
use crate::acp::rpc::rpc_code_name;
use crate::code::ErrorCode;
use crate::payload::{EventResult, Kind, Outcome, rpc_advice};
use crate::retry::Advice;

/// The word under which codes and reasons are counted that do not get a row of their own.
pub const OTHER: &str = "other";

/// A code as it is counted: a number, or all those together that did not get a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowCode {
    /// An A2C-SMCP code, or for an `rpc_error` a JSON-RPC number.
    Number(i64),
    /// Any of those beyond the bounds of the tally.
    Other,
}

impl fmt::Display for RowCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Other => f.write_str(OTHER),
        }
    }
}

/// How it ended, for the kinds that say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowOutcome {
    /// The outcome of a tool call.
    Tool(Outcome),
    /// An event was accepted.
    Ok,
    /// An event was refused.
    Refused,
}

impl RowOutcome {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tool(outcome) => outcome.as_str(),
            Self::Ok => "ok",
            Self::Refused => "refused",
        }
    }
}

/// What the payloads of one row have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row {
    kind: Kind,
    code: Option<RowCode>,
    reason: Option<Cow<'static, str>>,
    outcome: Option<RowOutcome>,
}

impl Row {
    pub(super) const fn new(kind: Kind) -> Self {
        Self { kind, code: None, reason: None, outcome: None }
    }

    pub(super) fn with_code(mut self, code: Option<i128>) -> Self {
        self.code = code.map(|code| i64::try_from(code).map_or(RowCode::Other, RowCode::Number));
        self
    }

    pub(super) fn with_tool(self, outcome: Outcome, code: Option<ErrorCode>) -> Self {
        self.with_outcome(RowOutcome::Tool(outcome)).with_code(code.map(|code| code.get().into()))
    }

    fn with_outcome(mut self, outcome: RowOutcome) -> Self {
        self.outcome = Some(outcome);
        self
    }

    pub(super) fn with_event(self, event: Option<&EventResult>) -> Self {
        match event {
            Some(event) => self.with_outcome(if event.ok { RowOutcome::Ok } else { RowOutcome::Refused }),
            None => self,
        }
    }

    /// A known reason of the code as it is; another one only if it may be shown.
    pub(super) fn with_error(mut self, code: Option<ErrorCode>, reason: Option<&str>) -> Self {
        self.code = code.map(|code| RowCode::Number(code.get()));
        self.reason = reason.map(|reason| match known_reason(self.code, reason) {
            Some(known) => Cow::Borrowed(known),
            None if is_showable(reason) => Cow::Owned(reason.to_owned()),
            None => Cow::Borrowed(OTHER),
        });
        self
    }

    /// Whether it holds a number or a word that ackguard does not know, so that there could be any number of
    /// such rows.
    pub(super) fn is_open(&self) -> bool {
        let code = match self.code {
            Some(RowCode::Number(_)) => self.name().is_none(),
            Some(RowCode::Other) | None => false,
        };
        let reason = match self.reason.as_deref() {
            None | Some(OTHER) => false,
            Some(reason) => known_reason(self.code, reason).is_none(),
        };
        code || reason
    }

    /// The row of a fixed set in which this one is counted when there is no room for it.
    pub(super) fn closed(mut self) -> Self {
        if self.name().is_none() && self.code.is_some() {
            self.code = Some(RowCode::Other);
        }
        if let Some(reason) = self.reason.as_deref() {
            self.reason = Some(Cow::Borrowed(known_reason(self.code, reason).unwrap_or(OTHER)));
        }
        self
    }

    pub(super) fn asks_for_authorization(&self) -> bool {
        let asks = [Outcome::AuthorizationRequired, Outcome::AuthorizationFailed].map(RowOutcome::Tool);
        self.outcome.is_some_and(|outcome| asks.contains(&outcome))
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The code, where there is one.
    #[must_use]
    pub fn code(&self) -> Option<RowCode> {
        self.code
    }

    /// The name of the code: the registry's, or JSON-RPC's for an `rpc_error`.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        match self.code? {
            RowCode::Number(number) if self.kind == Kind::RpcError => rpc_code_name(number.into()),
            RowCode::Number(number) => ErrorCode::new(number).name(),
            RowCode::Other => None,
        }
    }

    /// `details.reason`, where there is one: a known reason, an unknown one that is short and plain, or
    /// [`OTHER`].
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The retry advice for the payloads of this row, for every kind that has one: what
    /// [`Classified::retry`](crate::payload::Classified::retry) says of each.
    #[must_use]
    pub fn advice(&self) -> Option<Advice> {
        match (self.kind, self.outcome, self.code) {
            (Kind::Error, _, Some(RowCode::Number(number))) => {
                Some(ErrorCode::new(number).advice(self.reason.as_deref()))
            }
            (Kind::Error, ..) => Some(Advice::NONE),
            (Kind::ToolResult, Some(RowOutcome::Tool(outcome)), code) => {
                let code = match code {
                    Some(RowCode::Number(number)) => Some(ErrorCode::new(number)),
                    Some(RowCode::Other) | None => None,
                };
                outcome.advice(code)
            }
            (Kind::RpcError, _, Some(RowCode::Number(number))) => Some(rpc_advice(Some(number.into()))),
            (Kind::RpcError, ..) => Some(rpc_advice(None)),
            _ => None,
        }
    }

    /// How it ended, for the kinds that say so.
    #[must_use]
    pub fn outcome(&self) -> Option<RowOutcome> {
        self.outcome
    }
}

fn known_reason(code: Option<RowCode>, reason: &str) -> Option<&'static str> {
    match code? {
        RowCode::Number(number) => ErrorCode::new(number).info()?.reason(reason).map(|known| known.name),
        RowCode::Other => None,
    }
}
