//! What a payload is: classification, the typed views, building, and what may be shown of it.
//!
//! Three doors, one set of verdicts. [`classify`] takes a parsed value, [`classify_node`] any host's own
//! object, [`classify_json`] takes JSON text, [`classify_ack_args`] the argument list that some Socket.IO
//! clients deliver. The decision is made from the payload's shape alone, never from the event it answers, and
//! it has no error: whatever comes in is of some [`Kind`].
//!
//! What the decision does not need is not read. The typed views and the [`Violation`]s are worked out when
//! they are asked for, so a large payload costs no more than a small one.

mod error;
mod event;
mod malformed;
pub(crate) mod read;
mod record;
mod report;
mod tool_result;
mod violation;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;
use core::ops::ControlFlow;

use crate::value::Value;
use serde::Serialize;

pub use error::{ErrorPayload, FieldPlace, InDialect, PublicError};
pub use event::EventResult;
pub use malformed::MalformedErrorPayload;
pub use read::ErrorParts;
pub use record::{Record, classify_record};
pub use report::Report;
pub use tool_result::{
    NotAnAuthorizationCode, Outcome, ToolResult, auth_error_result, cancelled_result, guard_tool_result,
    timeout_result,
};
pub use violation::{Violation, ViolationKind};

pub use crate::acp::rpc::RpcView;
use crate::code::{ErrorCode, is_in_reserved_range};
use crate::host::{Members, Node, Shape, ValueMembers, View, keys};
use crate::json::{self, TextMembers, TextNode, Top};
use crate::retry::Advice;
use crate::{Dialect, acp};

/// Parts that are handed out and nested deeper than this many levels are cut there.
pub const MAX_DEPTH: usize = 64;

/// What a payload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Kind {
    /// A protocol error: its top-level `code` says so.
    Error,
    /// An MCP CallToolResult.
    ToolResult,
    /// The answer of `server:join_office` and the like: a boolean and a text or null.
    EventResult,
    /// A JSON-RPC 2.0 error.
    RpcError,
    /// It plainly tries to be a protocol error and breaks the contract. Never unwrapped into a typed error.
    MalformedError,
    /// Nothing: JSON null or the host's None. By itself no failure.
    None,
    /// Anything else: a successful answer, whatever it holds.
    Data,
    /// The text is not JSON.
    Invalid,
}

impl Kind {
    /// Every kind.
    pub const ALL: &[Self] = &[
        Self::Error,
        Self::ToolResult,
        Self::EventResult,
        Self::RpcError,
        Self::MalformedError,
        Self::None,
        Self::Data,
        Self::Invalid,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::ToolResult => "tool_result",
            Self::EventResult => "event_result",
            Self::RpcError => "rpc_error",
            Self::MalformedError => "malformed_error",
            Self::None => "none",
            Self::Data => "data",
            Self::Invalid => "invalid",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

keys!(
    /// What classification and the typed views look at, at the top level.
    pub(crate) PAYLOAD = 1 {
        "jsonrpc" => P_JSONRPC,
        "error" => P_ERROR,
        "content" => P_CONTENT,
        "code" => P_CODE,
        "isError" => P_IS_ERROR,
        "message" => P_MESSAGE,
        "req_id" => P_REQ_ID,
        "details" => P_DETAILS,
        "mcp_server_name" => P_SERVER_0_2,
        "mcp_server" => P_SERVER_0_3,
        "capability" => P_CAPABILITY,
        "server_version" => P_SERVER_VERSION,
        "client_version" => P_CLIENT_VERSION,
        "min_supported" => P_MIN_SUPPORTED,
        "max_supported" => P_MAX_SUPPORTED,
        "meta" => P_META,
        "_meta" => P_UNDERSCORE_META,
    }
);

keys!(
    /// The member of an `error` object that makes it an envelope.
    pub(crate) ENVELOPE = 2 {
        "code" => ENV_CODE,
    }
);

/// Every set of names that the payload rules ask a host for, so that a binding can prepare its own form of
/// them; [`Keys::id`](crate::host::Keys::id) tells them apart.
#[must_use]
pub fn key_sets() -> [&'static crate::host::Keys; 6] {
    [&PAYLOAD, &ENVELOPE, &read::DETAILS, &tool_result::META, &acp::rpc::FRAME, &acp::rpc::ERROR]
}

/// A classified payload: the verdict, and the way to the typed view that goes with it.
///
/// The views are read from the host's value when they are asked for. For hosts whose reading cannot fail
/// ([`Value`], JSON text) use [`error`](Self::error), [`tool_result`](Self::tool_result) and so on; for the
/// others there is a `try_` form of each, which passes on the host's own error.
#[derive(Clone)]
pub struct Classified<N: Node> {
    verdict: Verdict,
    object: Option<(N, N::Members)>,
}

/// A verdict apart from the value that it is about, for a host whose handles do not outlive a call.
///
/// [`decide`] gives nothing else, [`Classified::into_parts`] takes the two apart, and [`Verdict::about`] puts them
/// together again.
#[derive(Clone)]
pub struct Verdict {
    kind: Kind,
    dialect: Dialect,
    code_float: bool,
    code: Option<ErrorCode>,
    /// Boxed, because hosts keep many verdicts and few are of an event.
    event: Option<Box<EventResult>>,
}

impl Verdict {
    fn bare(kind: Kind, dialect: Dialect) -> Self {
        Self { kind, dialect, code_float: false, code: None, event: None }
    }

    /// What the payload is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether a typed view or a violation may be read from the value: then a host has to keep it.
    #[must_use]
    pub fn needs_value(&self) -> bool {
        matches!(self.kind, Kind::Error | Kind::ToolResult | Kind::RpcError | Kind::MalformedError)
    }

    /// The dialect that was asked for.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The code of an `error`.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        self.code
    }

    /// What an `event_result` says.
    #[must_use]
    pub fn event_result(&self) -> Option<&EventResult> {
        self.event.as_deref()
    }

    /// The classified payload again, over a handle on the same value: nothing is decided anew.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn about<N: Node>(&self, node: Option<N>) -> Result<Classified<N>, N::Error> {
        let object = match node {
            Some(node) => {
                let members = node.members(&PAYLOAD)?;
                Some((node, members))
            }
            None => None,
        };
        Ok(Classified { verdict: self.clone(), object })
    }
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdict").field("kind", &self.kind).field("code", &self.code).finish_non_exhaustive()
    }
}

impl<N: Node> Classified<N> {
    /// The verdict, and the handle on the value where a view needs one.
    #[must_use]
    pub fn into_parts(self) -> (Verdict, Option<N>) {
        (self.verdict, self.object.map(|(node, _)| node))
    }

    /// With the value, if the verdict needs it.
    fn of(verdict: Verdict, node: N, members: N::Members) -> Self {
        let object = if verdict.needs_value() { Some((node, members)) } else { None };
        Self { verdict, object }
    }

    fn without_value(verdict: Verdict) -> Self {
        Self { verdict, object: None }
    }

    /// What the payload is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.verdict.kind
    }

    /// The dialect that was asked for.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.verdict.dialect
    }

    /// The code of an `error`.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        self.verdict.code
    }

    /// What an `event_result` says.
    #[must_use]
    pub fn event_result(&self) -> Option<&EventResult> {
        self.verdict.event_result()
    }

    /// The members of an object payload.
    fn members(&self) -> Option<&N::Members> {
        self.object.as_ref().map(|(_, members)| members)
    }

    /// The JSON-RPC error of an `rpc_error`.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_rpc_error(&self) -> Result<Option<RpcView>, N::Error> {
        match &self.object {
            Some((node, _)) if self.verdict.kind == Kind::RpcError => acp::rpc::view(node).map(Some),
            _ => Ok(None),
        }
    }

    /// The retry advice, for every kind that has one: an error's by its code and reason, a tool result's by
    /// its outcome, a JSON-RPC error's by its number.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_retry(&self) -> Result<Option<Advice>, N::Error> {
        Ok(match self.verdict.kind {
            Kind::Error => match self.verdict.code {
                Some(code) => Some(code.advice(self.try_reason()?.as_deref())),
                None => None,
            },
            Kind::ToolResult => self.try_outcome()?.and_then(|(outcome, code)| outcome.advice(code)),
            Kind::RpcError => self.try_rpc_error()?.map(|view| rpc_advice(view.rpc_code)),
            _ => None,
        })
    }
}

/// Page 7's advice for an RPC error outside the handshake, as page 1's small value.
pub(crate) fn rpc_advice(rpc_code: Option<i128>) -> Advice {
    use crate::retry::{Action, Automatic};
    let action = match rpc_code {
        Some(acp::rpc::AUTHENTICATION_REQUIRED) => Action::Authenticate,
        _ => Action::ReportBug,
    };
    Advice { automatic: Automatic::No, action }
}

impl<N: Node<Error = Infallible>> Classified<N> {
    /// The typed error of kind `error`; `None` for every other kind, a malformed one too.
    #[must_use]
    pub fn error(&self) -> Option<ErrorPayload> {
        let Ok(error) = self.try_error();
        error
    }

    /// The tool result, with its hint already scrubbed.
    #[must_use]
    pub fn tool_result(&self) -> Option<ToolResult> {
        let Ok(result) = self.try_tool_result(&mut crate::host::ToJson);
        result
    }

    /// The JSON-RPC error of an `rpc_error`.
    #[must_use]
    pub fn rpc_error(&self) -> Option<RpcView> {
        let Ok(view) = self.try_rpc_error();
        view
    }

    /// Everything that breaks the contract.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        let Ok(violations) = self.try_violations();
        violations
    }

    /// The retry advice, for every kind that has one.
    #[must_use]
    pub fn retry(&self) -> Option<Advice> {
        let Ok(advice) = self.try_retry();
        advice
    }

    /// Everything at once, owned and serializable.
    #[must_use]
    pub fn report(&self) -> Report {
        let Ok(report) = self.try_report();
        report
    }
}

impl<N: Node> fmt::Debug for Classified<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Classified")
            .field("kind", &self.verdict.kind)
            .field("code", &self.verdict.code)
            .field("event", &self.verdict.event)
            .finish_non_exhaustive()
    }
}

/// Classifies a parsed value.
///
/// ```
/// use ackguard::payload::{Kind, classify};
/// use ackguard::{Dialect, ErrorCode};
/// use serde_json::json;
///
/// let ack = json!({"code": 4014, "message": "MCP Server not registered", "mcp_server": "docs"});
/// let payload = classify(&ack, Dialect::V0_2);
/// assert_eq!(payload.kind(), Kind::Error);
/// assert_eq!(payload.code(), Some(ErrorCode::MCP_SERVER_NOT_FOUND));
/// assert_eq!(payload.error().unwrap().server(), Some("docs"));
/// ```
#[must_use]
pub fn classify(value: &Value, dialect: Dialect) -> Classified<&Value> {
    if value.as_object().is_none() {
        let Ok(classified) = classify_node(value, dialect);
        return classified;
    }
    // As [`classify_node`] does it, but for where the members lie.
    let mut members = ValueMembers::NONE;
    members.find(value, &PAYLOAD);
    let Ok(verdict) = decide_object::<&Value>(&members, dialect);
    Classified::of(verdict, value, members)
}

/// Classifies JSON text, bytes that should be UTF-8, in one pass over them. What is not JSON is of kind
/// `invalid`.
///
/// ```
/// use ackguard::payload::{Kind, classify_json};
/// use ackguard::Dialect;
///
/// let payload = classify_json(br#"{"code": 4101, "message": "Room full"}"#, Dialect::V0_2);
/// assert_eq!(payload.kind(), Kind::Error);
/// assert_eq!(classify_json(b"{", Dialect::V0_2).kind(), Kind::Invalid);
/// ```
#[must_use]
pub fn classify_json(text: &[u8], dialect: Dialect) -> Classified<TextNode<'_>> {
    let mut members = TextMembers::default();
    match json::scan(text, &PAYLOAD, &mut members) {
        Err(_) => Classified::without_value(Verdict::bare(Kind::Invalid, dialect)),
        Ok(top) => of_top(top, &members, dialect),
    }
}

fn of_top<'a>(top: Top<'a>, members: &TextMembers<'a>, dialect: Dialect) -> Classified<TextNode<'a>> {
    let Ok(verdict) = match top {
        Top::Object(node) => {
            let Ok(verdict) = decide_object::<TextNode<'_>>(members, dialect);
            let object = if verdict.needs_value() { Some((node, *members)) } else { None };
            return Classified { verdict, object };
        }
        Top::Array(items) => decide_array(&items, dialect),
        Top::Scalar(node) => decide_scalar(&node, dialect),
    };
    Classified::without_value(verdict)
}

/// Classifies a host's own value.
///
/// # Errors
///
/// The host's own error, unchanged; classification itself has none.
pub fn classify_node<N: Node>(node: N, dialect: Dialect) -> Result<Classified<N>, N::Error> {
    if node.shape()? == Shape::Object {
        let members = node.members(&PAYLOAD)?;
        let verdict = decide_object::<N>(&members, dialect)?;
        return Ok(Classified::of(verdict, node, members));
    }
    decide(&node, dialect).map(Classified::without_value)
}

/// The verdict alone, for a host that keeps its value itself: no handle is kept.
///
/// ```
/// use ackguard::Dialect;
/// use ackguard::payload::{Kind, decide};
/// use serde_json::json;
///
/// let ack = json!({"code": 4101, "message": "Room full"});
/// let Ok(verdict) = decide(&&ack, Dialect::V0_2);
/// assert_eq!(verdict.kind(), Kind::Error);
/// assert!(verdict.needs_value());
/// let Ok(payload) = verdict.about(Some(&ack));
/// assert_eq!(payload.error().unwrap().message(), "Room full");
/// ```
///
/// # Errors
///
/// The host's own error, unchanged; classification itself has none.
pub fn decide<N: Node>(node: &N, dialect: Dialect) -> Result<Verdict, N::Error> {
    match node.shape()? {
        Shape::Object => decide_object::<N>(&node.members(&PAYLOAD)?, dialect),
        Shape::Array => decide_array(&first_items(node)?, dialect),
        _ => decide_scalar(node, dialect),
    }
}

/// Classifies the argument list with which some Socket.IO clients call an ack callback.
///
/// No argument is `none`; a first one that is a boolean makes an `event_result` of the list; otherwise the
/// first one is classified.
///
/// # Errors
///
/// The host's own error.
pub fn classify_ack_args<N: Node>(args: &[N], dialect: Dialect) -> Result<Classified<N>, N::Error> {
    let Some(first) = args.first() else {
        return Ok(Classified::without_value(Verdict::bare(Kind::None, dialect)));
    };
    if first.shape()? == Shape::Bool {
        return decide_array(args, dialect).map(Classified::without_value);
    }
    classify_node(first.clone(), dialect)
}

/// The first items of an array: enough to see whether it is exactly a pair.
fn first_items<N: Node>(node: &N) -> Result<Vec<N>, N::Error> {
    let mut items = Vec::with_capacity(2);
    node.items(&mut |item| {
        items.push(item);
        Ok(if items.len() < Top::ITEMS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    Ok(items)
}

fn decide_scalar<N: Node>(node: &N, dialect: Dialect) -> Result<Verdict, N::Error> {
    let kind = if node.shape()? == Shape::Null { Kind::None } else { Kind::Data };
    Ok(Verdict::bare(kind, dialect))
}

/// `items` are the first items of an array, at most [`Top::ITEMS`].
fn decide_array<N: Node>(items: &[N], dialect: Dialect) -> Result<Verdict, N::Error> {
    let event = match items {
        [only] if only.shape()? == Shape::Array => event::read(&first_items(only)?)?,
        _ => event::read(items)?,
    };
    let kind = if event.is_some() { Kind::EventResult } else { Kind::Data };
    Ok(Verdict { event: event.map(Box::new), ..Verdict::bare(kind, dialect) })
}

/// A top-level `code`, as far as the decision needs it.
#[derive(Clone, Copy, PartialEq)]
enum Code {
    Absent,
    /// An integer; `None` for one that is no `i64`. The flag: it was written as a float.
    Integer(Option<i64>, bool),
    /// A number with a fraction, or a string of digits; its integer part, if that is an `i64`.
    Almost(Option<i64>),
    Other,
}

impl Code {
    fn read<N: Node>(node: Option<N>) -> Result<Self, N::Error> {
        let Some(node) = node else { return Ok(Self::Absent) };
        let view = node.view()?;
        Ok(match view {
            View::Integer(integer) => Self::Integer(i64::try_from(integer).ok(), false),
            View::BigInteger(_) => Self::Integer(None, false),
            View::Float(float) => match read::integral(float) {
                Some(integer) => Self::Integer(integer, true),
                None => Self::Almost(read::truncated(float)),
            },
            View::String(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Self::Almost(crate::value::integer(&text).and_then(|code| i64::try_from(code).ok()))
            }
            _ => Self::Other,
        })
    }
}

fn is_text<N: Node>(node: Option<N>) -> Result<bool, N::Error> {
    Ok(match node {
        Some(node) => node.shape()? == Shape::String,
        None => false,
    })
}

/// The decision for an object. The rows are tried in the order of the page: `rpc_error`, `tool_result`,
/// `error`, `malformed_error`, `data`; each reads only the members it needs.
fn decide_object<N: Node>(members: &N::Members, dialect: Dialect) -> Result<Verdict, N::Error> {
    let jsonrpc = members.get(P_JSONRPC)?;
    let has_jsonrpc = jsonrpc.is_some();
    if let Some(version) = jsonrpc
        && acp::rpc::is_text(&version, "2.0")?
        && let Some(error) = members.get(P_ERROR)?
        && error.shape()? == Shape::Object
    {
        return Ok(Verdict::bare(Kind::RpcError, dialect));
    }

    if let Some(content) = members.get(P_CONTENT)?
        && content.shape()? == Shape::Array
    {
        return Ok(Verdict::bare(Kind::ToolResult, dialect));
    }
    let code = Code::read(members.get(P_CODE)?)?;
    if !matches!(code, Code::Integer(..)) && members.get(P_IS_ERROR)?.is_some() {
        return Ok(Verdict::bare(Kind::ToolResult, dialect));
    }

    let mut verdict = Verdict::bare(Kind::Data, dialect);
    match code {
        Code::Integer(Some(number), float) => {
            let code = ErrorCode::new(number);
            let is_error = if code.info().is_some() {
                members.get(P_MESSAGE)?.is_some() || members.get(P_REQ_ID)?.is_none()
            } else {
                is_in_reserved_range(number) && is_text(members.get(P_MESSAGE)?)?
            };
            if is_error {
                verdict.kind = Kind::Error;
                verdict.code = Some(code);
                verdict.code_float = float;
            } else if number == WS_CLOSE_CODE && is_text(members.get(P_MESSAGE)?)? {
                verdict.kind = Kind::MalformedError;
            }
        }
        Code::Integer(None, _) => {}
        Code::Absent | Code::Almost(_) | Code::Other => {
            if is_envelope::<N>(members, has_jsonrpc)? || is_almost_code::<N>(code, members)? {
                verdict.kind = Kind::MalformedError;
            }
        }
    }
    Ok(verdict)
}

/// The WebSocket close code of a refused handshake, which is no error code.
const WS_CLOSE_CODE: i64 = 4900;

/// `{"error": {"code": ...}}`, where there is no integer `code` beside it.
fn is_envelope<N: Node>(members: &N::Members, has_jsonrpc: bool) -> Result<bool, N::Error> {
    if has_jsonrpc {
        return Ok(false);
    }
    let Some(error) = members.get(P_ERROR)? else { return Ok(false) };
    if error.shape()? != Shape::Object {
        return Ok(false);
    }
    Ok(error.members(&ENVELOPE)?.get(ENV_CODE)?.is_some())
}

/// A registered code written as a string of digits or with a fraction, beside a message.
fn is_almost_code<N: Node>(code: Code, members: &N::Members) -> Result<bool, N::Error> {
    match code {
        Code::Almost(Some(number)) if ErrorCode::new(number).info().is_some() => {
            is_text(members.get(P_MESSAGE)?)
        }
        _ => Ok(false),
    }
}

impl<N: Node> Classified<N> {
    /// Everything that breaks the contract although it could be understood.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_violations(&self) -> Result<Vec<Violation>, N::Error> {
        let mut found = Vec::new();
        match self.verdict.kind {
            Kind::Error => self.error_violations(&mut found)?,
            Kind::ToolResult => self.tool_result_violations(&mut found)?,
            Kind::EventResult => {
                if self.event_result().is_some_and(|event| !event.exact) {
                    found.push(Violation::new(ViolationKind::EventShape));
                }
            }
            Kind::MalformedError => self.malformed_violations(&mut found)?,
            Kind::RpcError | Kind::None | Kind::Data | Kind::Invalid => {}
        }
        Ok(found)
    }

    fn malformed_violations(&self, found: &mut Vec<Violation>) -> Result<(), N::Error> {
        let Some(members) = self.members() else { return Ok(()) };
        let code = Code::read(members.get(P_CODE)?)?;
        if matches!(code, Code::Integer(..)) {
            found.push(Violation::new(ViolationKind::WsCloseCode));
            return Ok(());
        }
        if is_envelope::<N>(members, members.get(P_JSONRPC)?.is_some())? {
            found.push(Violation::new(ViolationKind::NestedEnvelope));
        }
        if is_almost_code::<N>(code, members)? {
            found.push(Violation::new(ViolationKind::CodeType));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
