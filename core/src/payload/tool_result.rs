//! MCP's CallToolResult: its outcome, the markers that tell it, building and guarding.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::search::replace;
use crate::value::{Value, object};
use serde::Serialize;

use super::read::{integral, truncated};
use super::violation::{Violation, ViolationKind};
use super::{Classified, Kind, MAX_DEPTH, P_IS_ERROR, P_META, P_UNDERSCORE_META};
use crate::Locale;
use crate::authorization::{self, DefaultHint};
use crate::code::ErrorCode;
use crate::host::{self, Build, Members, Node, Shape, View, keys};
use crate::retry::Advice;
use crate::scrub::{self, Action, Category, Finding, HintPolicy, Scrubbed};

keys!(
    /// The result-level markers of A2C-SMCP.
    pub(crate) META = 4 {
        "a2c_cancelled" => M_CANCELLED,
        "a2c_cancel_reason" => M_CANCEL_REASON,
        "a2c_timeout" => M_TIMEOUT,
        "timeout" => M_LEGACY_TIMEOUT,
        "error_code" => M_ERROR_CODE,
        "mcp_server" => M_MCP_SERVER,
        "auth_hint" => M_AUTH_HINT,
    }
);

/// How a tool call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// It was cancelled.
    Cancelled,
    /// It ran past its time.
    TimedOut,
    /// 4006: the user has to authorize first.
    AuthorizationRequired,
    /// 4007: the authorization does not work any more, or does not cover this.
    AuthorizationFailed,
    /// The tool itself failed.
    Failed,
    /// It ended well.
    Completed,
}

impl Outcome {
    /// Every outcome, in the order in which they are tried.
    pub const ALL: &[Self] = &[
        Self::Cancelled,
        Self::TimedOut,
        Self::AuthorizationRequired,
        Self::AuthorizationFailed,
        Self::Failed,
        Self::Completed,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::AuthorizationRequired => "authorization_required",
            Self::AuthorizationFailed => "authorization_failed",
            Self::Failed => "failed",
            Self::Completed => "completed",
        }
    }

    fn authorization_code(self) -> Option<ErrorCode> {
        match self {
            Self::AuthorizationRequired => Some(ErrorCode::TOOL_AUTHORIZATION_REQUIRED),
            Self::AuthorizationFailed => Some(ErrorCode::TOOL_AUTHORIZATION_FAILED),
            _ => None,
        }
    }

    /// The advice for a result: that of its code, where it has one or stands for one. A completed call needs
    /// none.
    pub(crate) fn advice(self, error_code: Option<ErrorCode>) -> Option<Advice> {
        let code = match self {
            Self::Completed => return None,
            // A cancellation is nobody's failure and has no code.
            Self::Cancelled => return Some(Advice::NONE),
            Self::TimedOut => ErrorCode::TOOL_TIMEOUT,
            Self::AuthorizationRequired => ErrorCode::TOOL_AUTHORIZATION_REQUIRED,
            Self::AuthorizationFailed => ErrorCode::TOOL_AUTHORIZATION_FAILED,
            Self::Failed => error_code.unwrap_or(ErrorCode::TOOL_EXECUTION_FAILED),
        };
        Some(code.advice(None))
    }
}

impl core::fmt::Display for Outcome {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a tool result says, apart from its content.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolResult<V = Value> {
    /// How the call ended.
    pub outcome: Outcome,
    /// The code: 4006 or 4007 for the authorization outcomes, whatever was given for `failed`.
    pub error_code: Option<ErrorCode>,
    /// The MCP server that asks for authorization.
    pub mcp_server: Option<String>,
    /// The hint for the user, already scrubbed.
    pub auth_hint: Option<V>,
    /// What the scrubber found in the hint.
    pub findings: Vec<Finding>,
    /// Why it was cancelled, as the peer said.
    pub cancel_reason: Option<String>,
}

impl<V> ToolResult<V> {
    /// A result that ended this way, with nothing else.
    #[must_use]
    pub fn new(outcome: Outcome, error_code: Option<ErrorCode>) -> Self {
        Self {
            outcome,
            error_code,
            mcp_server: None,
            auth_hint: None,
            findings: Vec::new(),
            cancel_reason: None,
        }
    }

    /// The retry advice; `None` for a completed call.
    #[must_use]
    pub fn advice(&self) -> Option<Advice> {
        self.outcome.advice(self.error_code)
    }

    /// The ready hint to show where an authorization outcome came without one.
    #[must_use]
    pub fn default_hint(&self, locale: Locale) -> Option<DefaultHint> {
        authorization::default_hint(self.outcome.authorization_code()?, locale)
    }
}

/// `meta` and `_meta`, where they are objects.
struct Metas<N: Node> {
    first: Option<N::Members>,
    second: Option<N::Members>,
    wrong_type: bool,
}

impl<N: Node> Metas<N> {
    fn read(members: &N::Members) -> Result<Self, N::Error> {
        let mut wrong_type = false;
        let mut read = |index| -> Result<Option<N::Members>, N::Error> {
            let Some(meta) = members.get(index)? else { return Ok(None) };
            match meta.view()? {
                View::Object => {}
                View::Null => return Ok(None),
                _ => {
                    wrong_type = true;
                    return Ok(None);
                }
            }
            meta.members(&META).map(Some)
        };
        let first = read(P_META)?;
        let second = read(P_UNDERSCORE_META)?;
        Ok(Self { first, second, wrong_type })
    }

    /// A marker from `meta`; from `_meta` where `meta` lacks the key.
    fn get(&self, index: usize) -> Result<Option<N>, N::Error> {
        for meta in [&self.first, &self.second].into_iter().flatten() {
            if let Some(value) = meta.get(index)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn text(&self, index: usize) -> Result<Option<String>, N::Error> {
        let Some(node) = self.get(index)? else { return Ok(None) };
        let view = node.view()?;
        Ok(match view {
            View::String(text) => Some(text.into_owned()),
            _ => None,
        })
    }
}

/// A marker counts only as the boolean true.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marker {
    Set,
    Unset,
    WrongType,
}

fn marker<N: Node>(node: Option<N>) -> Result<Marker, N::Error> {
    let Some(node) = node else { return Ok(Marker::Unset) };
    Ok(match node.view()? {
        View::Bool(true) => Marker::Set,
        View::Bool(false) | View::Null => Marker::Unset,
        _ => Marker::WrongType,
    })
}

/// Everything the outcome is decided by.
struct Markers {
    cancelled: Marker,
    timed_out: Marker,
    legacy_timeout: bool,
    code: Option<ErrorCode>,
    code_float: bool,
    code_wrong: bool,
    is_error: bool,
    is_error_wrong: bool,
}

impl Markers {
    fn read<N: Node>(members: &N::Members, metas: &Metas<N>) -> Result<Self, N::Error> {
        let (mut code, mut code_float, mut code_wrong) = (None, false, false);
        if let Some(node) = metas.get(M_ERROR_CODE)? {
            match node.view()? {
                View::Integer(integer) => code = i64::try_from(integer).ok(),
                View::BigInteger(_) | View::Null => {}
                View::Float(float) if integral(float).is_some() => {
                    code = truncated(float);
                    // For some hosts an integer beyond 64 bits is a float: as no code at all it is none.
                    code_float = code.is_some();
                }
                _ => code_wrong = true,
            }
        }
        let (is_error, is_error_wrong) = match members.get(P_IS_ERROR)? {
            None => (false, false),
            Some(node) => match node.view()? {
                View::Bool(is_error) => (is_error, false),
                View::Null => (false, false),
                _ => (true, true),
            },
        };
        Ok(Self {
            cancelled: marker(metas.get(M_CANCELLED)?)?,
            timed_out: marker(metas.get(M_TIMEOUT)?)?,
            legacy_timeout: marker(metas.get(M_LEGACY_TIMEOUT)?)? == Marker::Set,
            code: code.map(ErrorCode::new),
            code_float,
            code_wrong,
            is_error,
            is_error_wrong,
        })
    }

    fn outcome(&self) -> Outcome {
        if self.cancelled == Marker::Set {
            Outcome::Cancelled
        } else if self.timed_out == Marker::Set || self.legacy_timeout {
            Outcome::TimedOut
        } else if self.code == Some(ErrorCode::TOOL_AUTHORIZATION_REQUIRED) {
            Outcome::AuthorizationRequired
        } else if self.code == Some(ErrorCode::TOOL_AUTHORIZATION_FAILED) {
            Outcome::AuthorizationFailed
        } else if self.is_error {
            Outcome::Failed
        } else {
            Outcome::Completed
        }
    }
}

impl<N: Node> Classified<N> {
    fn tool_members(&self) -> Option<&N::Members> {
        if self.verdict.kind == Kind::ToolResult { self.members() } else { None }
    }

    /// How the call of a `tool_result` ended, with its code where the outcome keeps one.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_outcome(&self) -> Result<Option<(Outcome, Option<ErrorCode>)>, N::Error> {
        let Some(members) = self.tool_members() else { return Ok(None) };
        let markers = Markers::read::<N>(members, &Metas::read(members)?)?;
        Ok(Some(kept(&markers)))
    }

    /// The tool result, its hint scrubbed and made with a builder of the host's own.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_tool_result<B: Build<N>>(
        &self,
        build: &mut B,
    ) -> Result<Option<ToolResult<B::Value>>, N::Error> {
        let Some(members) = self.tool_members() else { return Ok(None) };
        let metas = Metas::read(members)?;
        let (outcome, error_code) = kept(&Markers::read::<N>(members, &metas)?);
        let mut result = ToolResult::new(outcome, error_code);
        if outcome == Outcome::Cancelled {
            result.cancel_reason = metas.text(M_CANCEL_REASON)?;
        }
        if outcome.authorization_code().is_some() {
            result.mcp_server = metas.text(M_MCP_SERVER)?;
            if let Some(hint) = metas.get(M_AUTH_HINT)?
                && hint.shape()? != Shape::Null
            {
                let scrubbed = scrub::auth_hint(&hint, HintPolicy::Standard, build)?;
                result.auth_hint = Some(scrubbed.value);
                result.findings = scrubbed.findings;
            }
        }
        Ok(Some(result))
    }

    pub(super) fn tool_result_violations(&self, found: &mut Vec<Violation>) -> Result<(), N::Error> {
        use ViolationKind as V;
        let Some(members) = self.tool_members() else { return Ok(()) };
        let metas = Metas::read(members)?;
        let markers = Markers::read::<N>(members, &metas)?;
        let outcome = markers.outcome();
        let mut note = |broken: bool, kind| {
            if broken {
                found.push(Violation::new(kind));
            }
        };
        note(metas.wrong_type, V::MetaType);
        note(markers.is_error_wrong, V::IsErrorType);
        let wrong = [markers.cancelled, markers.timed_out].contains(&Marker::WrongType);
        note(wrong || markers.code_wrong, V::MarkerType);
        note(markers.code_float, V::CodeFloat);
        note(markers.legacy_timeout && markers.timed_out != Marker::Set, V::LegacyTimeout);
        let marked = !matches!(outcome, Outcome::Failed | Outcome::Completed);
        note(marked && !markers.is_error, V::MarkerWithoutIsError);
        if outcome.authorization_code().is_some() {
            let is_text = match metas.get(M_MCP_SERVER)? {
                None => None,
                Some(server) => Some(server.shape()? == Shape::String),
            };
            match is_text {
                None => found.push(Violation::field(V::FieldMissing, "mcp_server")),
                Some(false) => found.push(Violation::field(V::FieldType, "mcp_server")),
                Some(true) => {}
            }
            if let Some(hint) = metas.get(M_AUTH_HINT)?
                && host::is_too_deep(&hint, MAX_DEPTH)?
            {
                found.push(Violation::new(V::TooDeep));
            }
        }
        Ok(())
    }
}

/// The outcome and the code it keeps. Cancelled and timed out carry none.
fn kept(markers: &Markers) -> (Outcome, Option<ErrorCode>) {
    let outcome = markers.outcome();
    let code = match outcome {
        Outcome::AuthorizationRequired | Outcome::AuthorizationFailed | Outcome::Failed => markers.code,
        _ => None,
    };
    (outcome, code)
}

/// The code is neither 4006 nor 4007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{code} is no authorization code: expected 4006 or 4007")]
#[non_exhaustive]
pub struct NotAnAuthorizationCode {
    /// The code that was given.
    pub code: ErrorCode,
}

fn failed(text: &str, meta: Value) -> Value {
    let content = Value::Array(vec![object([("type", "text".into()), ("text", text.into())])]);
    object([("content", content), ("isError", true.into()), ("meta", meta)])
}

/// The whole CallToolResult for 4006 or 4007: text content, `isError`, and a result-level `meta` with
/// `error_code`, `mcp_server` and `auth_hint`.
///
/// The hint passes the scrubber on the way, always; without one the ready hint of the code is used. The text
/// is the scrubbed hint's `message`, or the ready one.
///
/// # Errors
///
/// [`NotAnAuthorizationCode`] for any other code.
pub fn auth_error_result(
    mcp_server: &str,
    code: ErrorCode,
    hint: Option<&Value>,
    locale: Locale,
) -> Result<Scrubbed<Value>, NotAnAuthorizationCode> {
    let ready = authorization::default_hint(code, locale).ok_or(NotAnAuthorizationCode { code })?;
    let hint = match hint {
        Some(hint) => scrub::scrub_value(hint, scrub::Rules::Hint),
        None => Scrubbed { value: ready.to_value(), findings: Vec::new() },
    };
    let text = hint.value.get("message").and_then(Value::as_str).unwrap_or(ready.message).to_owned();
    Ok(Scrubbed {
        value: failed(
            &text,
            object([
                ("error_code", code.get().into()),
                ("mcp_server", mcp_server.into()),
                ("auth_hint", hint.value),
            ]),
        ),
        findings: hint.findings,
    })
}

/// The CallToolResult of a cancelled call. Cancelled is not an error code, so it carries none.
#[must_use]
pub fn cancelled_result(reason: Option<&str>, locale: Locale) -> Value {
    let text = match locale {
        Locale::En => "Tool call cancelled",
        Locale::Zh => "工具调用已取消",
    };
    let mut meta = object([("a2c_cancelled", true.into())]);
    if let (Some(reason), Value::Object(meta)) = (reason, &mut meta) {
        meta.insert("a2c_cancel_reason".to_owned(), reason.into());
    }
    failed(text, meta)
}

/// The CallToolResult of a call that ran past its time.
#[must_use]
pub fn timeout_result(locale: Locale) -> Value {
    let text = match locale {
        Locale::En => "Tool call timeout",
        Locale::Zh => "工具调用超时",
    };
    failed(text, object([("a2c_timeout", true.into())]))
}

/// For the Computer's side: what a tool itself answered must not pose as the Computer's own verdict.
///
/// Takes the reserved keys (everything that begins with `a2c_`, `error_code`, `mcp_server`, `auth_hint`, and
/// the old `timeout`) out of a result's `meta` and `_meta`, and reports each as a finding of the category
/// `reserved_key`. All else is copied as it is; parts nested deeper than [`MAX_DEPTH`] are cut, and the member
/// that has them is reported as `out_of_bounds`.
///
/// # Errors
///
/// The host's own error.
pub fn guard_tool_result<N: Node, B: Build<N>>(
    result: &N,
    build: &mut B,
) -> Result<Scrubbed<B::Value>, N::Error> {
    let mut findings = Vec::new();
    let too_deep = |path| Finding::new(path, Category::OutOfBounds, Action::Redacted);
    if result.shape()? != Shape::Object {
        let (value, cut) = host::copy(result, build, MAX_DEPTH)?;
        findings.extend(cut.then(|| too_deep(String::new())));
        return Ok(Scrubbed { value, findings });
    }
    let mut members = Vec::new();
    result.entries(&mut |key, value| {
        let is_meta = matches!(key, "meta" | "_meta") && value.shape()? == Shape::Object;
        let value = if is_meta {
            let mut kept = Vec::new();
            value.entries(&mut |name, value| {
                if is_reserved(name) {
                    findings.push(Finding::new(
                        format!("/{key}/{}", pointer_token(name)),
                        Category::ReservedKey,
                        Action::Removed,
                    ));
                } else {
                    let (value, cut) = host::copy(&value, build, MAX_DEPTH - 2)?;
                    findings.extend(cut.then(|| too_deep(format!("/{key}/{}", pointer_token(name)))));
                    kept.push((name.to_owned(), value));
                }
                Ok(ControlFlow::Continue(()))
            })?;
            build.object(kept)?
        } else {
            let (value, cut) = host::copy(&value, build, MAX_DEPTH - 1)?;
            findings.extend(cut.then(|| too_deep(format!("/{}", pointer_token(key)))));
            value
        };
        members.push((key.to_owned(), value));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(Scrubbed { value: build.object(members)?, findings })
}

fn is_reserved(name: &str) -> bool {
    name.starts_with("a2c_") || matches!(name, "error_code" | "mcp_server" | "auth_hint" | "timeout")
}

/// A key of the upstream's own as a JSON Pointer token, bounded: it may be a long text.
fn pointer_token(name: &str) -> String {
    let name: String = name.chars().take(64).collect();
    replace(&replace(&name, "~", "~0"), "/", "~1")
}
