//! Payloads: classification, the views, building.

use std::ops::ControlFlow;

use ackguard::host::{Node, Shape};
use ackguard::json::{TextNode, ToText, object_text};
use ackguard::payload::{self as core, Classified, ErrorParts, FieldPlace, Kind};
use serde_json::Value;

use crate::code::{ErrorCode, RetryAdvice};
use crate::error::{AckguardError, Answer, guarded};
use crate::handshake::VersionMismatch;
use crate::mirror::mirror;
use crate::scrub::{Finding, ScrubbedJson, findings};
use crate::text;
use crate::{Dialect, MessageLocale};

mirror! {
    /// What a payload is.
    PayloadKind = ackguard::payload::Kind, else Invalid {
        /// A protocol error.
        Error,
        /// An MCP CallToolResult.
        ToolResult,
        /// The answer of `server:join_office` and the like: a boolean and a text or null.
        EventResult,
        /// A JSON-RPC 2.0 error.
        RpcError,
        /// It tries to be a protocol error and breaks the contract; never unwrapped.
        MalformedError,
        /// JSON null.
        None,
        /// A successful answer, whatever it holds.
        Data,
        /// Not JSON.
        Invalid,
    }
}

mirror! {
    /// How a tool call ended.
    ToolOutcome = ackguard::payload::Outcome, else Failed {
        /// It was cancelled.
        Cancelled,
        /// It ran past its time.
        TimedOut,
        /// The user has to authorize (4006).
        AuthorizationRequired,
        /// An authorization is gone or does not suffice (4007).
        AuthorizationFailed,
        /// It failed.
        Failed,
        /// It went well.
        Completed,
    }
}

/// A protocol error.
///
/// Shown as text it is its code and title; `details_json` and `extra_json` are what the peer wrote, for logs
/// and debugging only.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Display)]
pub struct ErrorPayload {
    /// The code.
    pub code: ErrorCode,
    /// What the peer says, for logs.
    pub message: String,
    /// The registry's name, in SCREAMING_SNAKE.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// Whether the dialect registers the code.
    #[uniffi(default = false)]
    pub known: bool,
    /// `details.reason`.
    #[uniffi(default = None)]
    pub reason: Option<String>,
    /// The MCP server's name.
    #[uniffi(default = None)]
    pub server: Option<String>,
    /// 4015's capability.
    #[uniffi(default = None)]
    pub capability: Option<String>,
    /// 4008's server version, as it came.
    #[uniffi(default = None)]
    pub server_version: Option<String>,
    /// 4008's client version, as it came.
    #[uniffi(default = None)]
    pub client_version: Option<String>,
    /// 4008's lowest supported version, as it came.
    #[uniffi(default = None)]
    pub min_supported: Option<String>,
    /// 4008's highest supported version, as it came.
    #[uniffi(default = None)]
    pub max_supported: Option<String>,
    /// `details.total_size` in bytes. `7.0` is 7.
    #[uniffi(default = None)]
    pub total_size: Option<u64>,
    /// `details.trace_id`.
    #[uniffi(default = None)]
    pub trace_id: Option<String>,
    /// `details` as JSON text, where it is an object. Never for the end user.
    #[uniffi(default = None)]
    pub details_json: Option<String>,
    /// What stood in the place of `details` although it is no object, as JSON text.
    #[uniffi(default = None)]
    pub raw_details_json: Option<String>,
    /// The other fields at the top level as the JSON text of an object.
    #[uniffi(default = None)]
    pub extra_json: Option<String>,
}

impl std::fmt::Display for ErrorPayload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        core::ErrorPayload::new(self.code, "").fmt(f)
    }
}

/// What is read of `details`, which themselves are handed out as text.
struct ReadDetails {
    reason: Option<String>,
    total_size: Option<u64>,
    trace_id: Option<String>,
}

impl ErrorPayload {
    /// An error of the core, in the default dialect.
    pub(crate) fn of(error: &core::ErrorPayload) -> Self {
        let parts = ErrorParts {
            details: error.details().map(|details| Value::Object(details.clone()).to_string()),
            raw_details: error.raw_details().map(Value::to_string),
            extra: error.extra().iter().map(|(key, value)| (key.clone(), value.to_string())).collect(),
        };
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let read = ReadDetails {
            reason: owned(error.reason()),
            total_size: error.total_size(),
            trace_id: owned(error.trace_id()),
        };
        Self::with(error, parts, read, Dialect::V02)
    }

    fn with(
        error: &core::ErrorPayload,
        parts: ErrorParts<String>,
        read: ReadDetails,
        dialect: Dialect,
    ) -> Self {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            code: error.code().into(),
            message: error.message().to_owned(),
            name: owned(error.name()),
            known: error.is_known(dialect.core()),
            reason: read.reason,
            server: owned(error.server()),
            capability: owned(error.capability()),
            server_version: owned(error.server_version()),
            client_version: owned(error.client_version()),
            min_supported: owned(error.min_supported()),
            max_supported: owned(error.max_supported()),
            total_size: read.total_size,
            trace_id: read.trace_id,
            details_json: parts.details,
            raw_details_json: parts.raw_details,
            extra_json: (!parts.extra.is_empty()).then(|| object_text(&parts.extra)),
        }
    }

    /// The same as the core has it.
    pub(crate) fn core(&self) -> Answer<core::ErrorPayload> {
        let mut error = core::ErrorPayload::new(self.code, self.message.clone());
        let fields = [
            ("server", &self.server),
            ("capability", &self.capability),
            ("server_version", &self.server_version),
            ("client_version", &self.client_version),
            ("min_supported", &self.min_supported),
            ("max_supported", &self.max_supported),
        ];
        for (name, text) in fields {
            error = placed(error, name, text.clone());
        }
        if let Some(raw) = &self.raw_details_json {
            error = error.with_details(text::value("raw_details_json", raw)?);
        }
        if self.details_json.is_some() {
            error = error.with_details(text::members("details_json", self.details_json.as_deref())?);
        }
        for (key, value) in text::members("extra_json", self.extra_json.as_deref())? {
            error = error.with_extra(key, value);
        }
        for (key, text) in [("reason", &self.reason), ("trace_id", &self.trace_id)] {
            if let Some(text) = text {
                error = error.with_detail(key, text.as_str());
            }
        }
        Ok(error)
    }
}

/// Puts a field where the registry has it for the error's code.
fn placed(mut error: core::ErrorPayload, name: &str, text: Option<String>) -> core::ErrorPayload {
    let Some(text) = text else { return error };
    match error.place_of(name) {
        FieldPlace::Standard => {
            error.set_standard(name, Some(text));
            error
        }
        FieldPlace::Details => error.with_detail(name, text),
        _ => error.with_extra(name, text),
    }
}

#[uniffi::export]
impl ErrorPayload {
    /// A fixed sentence for people, without anything of `details`.
    #[uniffi::method(default(locale = None))]
    pub fn public_message(&self, locale: Option<MessageLocale>) -> Result<String, AckguardError> {
        guarded(|| Ok(self.core()?.public_message(MessageLocale::core_of(locale))))
    }

    /// Everything, scrubbed and flat, for structured logging: the JSON text of an object.
    pub fn log_fields(&self) -> Result<String, AckguardError> {
        guarded(|| Ok(Value::Object(self.core()?.log_fields()).to_string()))
    }

    /// The payload as it is sent.
    #[uniffi::method(default(dialect = None))]
    pub fn to_json(&self, dialect: Option<Dialect>) -> Result<String, AckguardError> {
        guarded(|| Ok(self.core()?.to_json(Dialect::core_of(dialect))))
    }

    /// The retry advice for the code and its reason.
    pub fn retry(&self) -> Result<RetryAdvice, AckguardError> {
        guarded(|| Ok(self.core()?.advice().into()))
    }
}

/// What goes into a new error besides code and message. A field that the code does not have goes where the
/// registry puts it: into `details`, or beside the code's own.
#[derive(Clone, Default, uniffi::Record)]
#[uniffi::export(Display)]
pub struct ErrorFields {
    /// The MCP server's name.
    #[uniffi(default = None)]
    pub server: Option<String>,
    /// 4015's capability.
    #[uniffi(default = None)]
    pub capability: Option<String>,
    /// 4008's server version.
    #[uniffi(default = None)]
    pub server_version: Option<String>,
    /// 4008's client version.
    #[uniffi(default = None)]
    pub client_version: Option<String>,
    /// 4008's lowest supported version.
    #[uniffi(default = None)]
    pub min_supported: Option<String>,
    /// 4008's highest supported version.
    #[uniffi(default = None)]
    pub max_supported: Option<String>,
    /// `details.reason`.
    #[uniffi(default = None)]
    pub reason: Option<String>,
    /// `details.trace_id`.
    #[uniffi(default = None)]
    pub trace_id: Option<String>,
    /// Further keys of `details`, as the JSON text of an object.
    #[uniffi(default = None)]
    pub details_json: Option<String>,
    /// Further fields at the top level, as the JSON text of an object.
    #[uniffi(default = None)]
    pub extra_json: Option<String>,
}

// What they hold may be secret.
impl std::fmt::Display for ErrorFields {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ErrorFields")
    }
}

/// Makes an error payload. Throws `Misuse` where a text that has to be a JSON object is none.
#[uniffi::export(default(fields = None, dialect = None))]
pub fn build_error_payload(
    code: ErrorCode,
    message: String,
    fields: Option<ErrorFields>,
    dialect: Option<Dialect>,
) -> Result<ErrorPayload, AckguardError> {
    guarded(|| {
        let given = fields.unwrap_or_default();
        let mut error = core::ErrorPayload::new(code, message);
        let standard = [
            ("server", given.server),
            ("capability", given.capability),
            ("server_version", given.server_version),
            ("client_version", given.client_version),
            ("min_supported", given.min_supported),
            ("max_supported", given.max_supported),
        ];
        for (name, text) in standard {
            error = placed(error, name, text);
        }
        for (key, value) in text::members("extra_json", given.extra_json.as_deref())? {
            error = error.with_extra(key, value);
        }
        for (key, text) in [("reason", given.reason), ("trace_id", given.trace_id)] {
            if let Some(text) = text {
                error = error.with_detail(key, text);
            }
        }
        for (key, value) in text::members("details_json", given.details_json.as_deref())? {
            error = error.with_detail(key, value);
        }
        let mut made = ErrorPayload::of(&error);
        made.known = error.is_known(Dialect::core_of(dialect));
        Ok(made)
    })
}

/// What a tool result says, apart from its content. Shown as text it is the outcome and the code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Display)]
pub struct ToolResult {
    /// How the call ended.
    pub outcome: ToolOutcome,
    /// The code of a failed call.
    pub error_code: Option<ErrorCode>,
    /// The MCP server that asks for authorization.
    pub mcp_server: Option<String>,
    /// The hint for the user as JSON text, already scrubbed.
    pub auth_hint_json: Option<String>,
    /// What the scrubber found in the hint.
    pub findings: Vec<Finding>,
    /// Why it was cancelled, as the peer says.
    pub cancel_reason: Option<String>,
}

impl std::fmt::Display for ToolResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.outcome.core().as_str())?;
        self.error_code.map_or(Ok(()), |code| write!(f, " ({})", code.0))
    }
}

/// What `server:join_office` and the like answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Display)]
pub struct EventResult {
    /// Whether it succeeded.
    pub ok: bool,
    /// The reason, where it is a text.
    pub message: Option<String>,
}

impl std::fmt::Display for EventResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.ok { "ok" } else { "not ok" })
    }
}

/// What a JSON-RPC error says.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Display)]
pub struct RpcErrorView {
    /// The ACP code: always `protocol_error`.
    pub error_code: String,
    /// The JSON-RPC integer in decimal digits.
    pub rpc_code_digits: Option<String>,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// `error.message`, if it is a text. A peer wrote it: scrub it before it is logged.
    pub message: Option<String>,
    /// The id of the request that failed, as JSON text; `null` where there is none.
    pub id_json: String,
    /// The first breach of JSON-RPC in the frame.
    pub problem: Option<String>,
}

impl std::fmt::Display for RpcErrorView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON-RPC error")?;
        self.rpc_code_digits.as_ref().map_or(Ok(()), |digits| write!(f, " {digits}"))?;
        self.name.as_ref().map_or(Ok(()), |name| write!(f, " ({name})"))
    }
}

/// A payload, with the view that goes with its kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Enum)]
pub enum Content {
    /// A protocol error.
    ProtocolFailure {
        /// What it says.
        error: ErrorPayload,
    },
    /// An MCP CallToolResult.
    ToolCall {
        /// What it says.
        result: ToolResult,
    },
    /// The answer of an event.
    EventAnswer {
        /// What it says.
        result: EventResult,
    },
    /// A JSON-RPC error.
    RpcFailure {
        /// What it says.
        error: RpcErrorView,
    },
    /// It tries to be a protocol error and breaks the contract: see the violations. Never unwrapped.
    MalformedFailure,
    /// JSON null: by itself no failure.
    Empty,
    /// A successful answer, whatever it holds.
    PlainData,
    /// Not JSON.
    NotJson,
}

/// Runs `work` on the classified text. `arguments`: the text is the argument list of an ack callback.
pub(crate) fn with_classified<T>(
    json: &[u8],
    arguments: bool,
    dialect: Dialect,
    work: impl FnOnce(&Classified<TextNode<'_>>) -> T,
) -> T {
    let dialect = dialect.core();
    if !arguments {
        return work(&core::classify_json(json, dialect));
    }
    let items = TextNode::parse(json).ok().and_then(|list| items(&list));
    match items {
        Some(items) => {
            let Ok(classified) = core::classify_ack_args(&items, dialect);
            work(&classified)
        }
        // No list: then it is the one thing that came.
        None => work(&core::classify_json(json, dialect)),
    }
}

fn items<'a>(list: &TextNode<'a>) -> Option<Vec<TextNode<'a>>> {
    let Ok(shape) = list.shape();
    let mut items = Vec::new();
    let Ok(()) = list.items(&mut |item| {
        items.push(item);
        Ok(ControlFlow::Continue(()))
    });
    (shape == Shape::Array).then_some(items)
}

/// The kind of a payload as JSON. Never fails on content: what is not JSON is `Invalid`.
#[uniffi::export]
pub fn kind_of_json(json: &[u8], arguments: bool, v03: bool) -> Result<u8, AckguardError> {
    guarded(|| {
        Ok(with_classified(json, arguments, Dialect::of(v03), |classified| {
            let kind = classified.kind();
            Kind::ALL.iter().zip(0..).find(|(of, _)| **of == kind).map_or(u8::MAX, |(_, number)| number)
        }))
    })
}

/// The view that goes with a payload's kind.
#[uniffi::export]
pub fn content_of_json(json: &[u8], arguments: bool, v03: bool) -> Result<Content, AckguardError> {
    let dialect = Dialect::of(v03);
    guarded(|| Ok(with_classified(json, arguments, dialect, |classified| content(classified, dialect))))
}

fn content(classified: &Classified<TextNode<'_>>, dialect: Dialect) -> Content {
    match classified.kind() {
        Kind::Error => {
            let Ok(error) = classified.try_error_with(&mut ToText);
            let Ok(reason) = classified.try_reason();
            let Ok(total_size) = classified.try_total_size();
            let Ok(trace_id) = classified.try_trace_id();
            error.map_or(Content::MalformedFailure, |(error, parts)| Content::ProtocolFailure {
                error: ErrorPayload::with(
                    &error,
                    parts,
                    ReadDetails { reason, total_size, trace_id },
                    dialect,
                ),
            })
        }
        Kind::ToolResult => {
            let Ok(result) = classified.try_tool_result(&mut ToText);
            result.map_or(Content::PlainData, |result| Content::ToolCall {
                result: ToolResult {
                    outcome: result.outcome.into(),
                    error_code: result.error_code.map(Into::into),
                    mcp_server: result.mcp_server,
                    auth_hint_json: result.auth_hint,
                    findings: findings(&result.findings),
                    cancel_reason: result.cancel_reason,
                },
            })
        }
        Kind::EventResult => classified.event_result().map_or(Content::PlainData, |event| {
            Content::EventAnswer { result: EventResult { ok: event.ok, message: event.message.clone() } }
        }),
        Kind::RpcError => classified.rpc_error().map_or(Content::PlainData, |rpc| Content::RpcFailure {
            error: RpcErrorView {
                error_code: ackguard::acp::AcpErrorCode::ProtocolError.as_str().to_owned(),
                rpc_code_digits: rpc.rpc_code.map(|code| code.to_string()),
                name: rpc.name.map(str::to_owned),
                message: rpc.message,
                id_json: rpc.id.map_or(Value::Null, |id| id.to_value()).to_string(),
                problem: rpc.problem.map(|problem| problem.as_str().to_owned()),
            },
        }),
        Kind::MalformedError => Content::MalformedFailure,
        Kind::None => Content::Empty,
        Kind::Invalid => Content::NotJson,
        _ => Content::PlainData,
    }
}

/// Everything in a payload that breaks the contract although it could be understood, such as
/// `field_missing:mcp_server_name`.
#[uniffi::export]
pub fn violations_of_json(json: &[u8], arguments: bool, v03: bool) -> Result<Vec<String>, AckguardError> {
    guarded(|| {
        Ok(with_classified(json, arguments, Dialect::of(v03), |classified| {
            classified.violations().iter().map(|violation| violation.text().into_owned()).collect()
        }))
    })
}

/// The retry advice for a payload; absent for a kind that has none.
#[uniffi::export]
pub fn retry_of_json(json: &[u8], arguments: bool, v03: bool) -> Result<Option<RetryAdvice>, AckguardError> {
    guarded(|| {
        Ok(with_classified(json, arguments, Dialect::of(v03), |classified| {
            classified.retry().map(Into::into)
        }))
    })
}

/// Throws what a payload says, if it is a protocol error or tries to be one; 4008 as `ProtocolFailed` too.
#[uniffi::export]
pub fn throw_for_error_in_json(json: &[u8], arguments: bool, v03: bool) -> Result<(), AckguardError> {
    let dialect = Dialect::of(v03);
    guarded(|| {
        with_classified(json, arguments, dialect, |classified| match classified.malformed() {
            Some(malformed) => Err(malformed.into()),
            None => match content(classified, dialect) {
                Content::ProtocolFailure { error } => {
                    Err(AckguardError::ProtocolFailed { text: error.to_string(), payload: error })
                }
                _ => Ok(()),
            },
        })
    })
}

/// A hint that is null is none, as in the other languages.
fn hint(hint_json: Option<&str>) -> Answer<Option<Value>> {
    let hint = hint_json.map(|hint| text::value("hint_json", hint)).transpose()?;
    Ok(hint.filter(|hint| !hint.is_null()))
}

/// The whole CallToolResult for 4006 or 4007, as JSON text. The hint passes the scrubber, always; without one
/// the ready hint is used. Throws `Misuse` for any other code.
#[uniffi::export(default(hint_json = None, locale = None))]
pub fn auth_error_result(
    mcp_server: String,
    code: ErrorCode,
    hint_json: Option<String>,
    locale: Option<MessageLocale>,
) -> Result<ScrubbedJson, AckguardError> {
    guarded(|| {
        let hint = hint(hint_json.as_deref())?;
        let locale = MessageLocale::core_of(locale);
        let made = core::auth_error_result(&mcp_server, code.into(), hint.as_ref(), locale)
            .map_err(AckguardError::misuse)?;
        Ok(ScrubbedJson { json: made.value.to_string(), findings: findings(&made.findings) })
    })
}

/// The CallToolResult of a cancelled call, as JSON text.
#[uniffi::export(default(reason = None, locale = None))]
pub fn cancelled_result(
    reason: Option<String>,
    locale: Option<MessageLocale>,
) -> Result<String, AckguardError> {
    guarded(|| Ok(core::cancelled_result(reason.as_deref(), MessageLocale::core_of(locale)).to_string()))
}

/// The CallToolResult of a call that ran past its time, as JSON text.
#[uniffi::export(default(locale = None))]
pub fn timeout_result(locale: Option<MessageLocale>) -> Result<String, AckguardError> {
    guarded(|| Ok(core::timeout_result(MessageLocale::core_of(locale)).to_string()))
}

/// Takes out of an upstream tool's result what only the Computer may say.
#[uniffi::export]
pub fn guard_tool_result(result_json: String) -> Result<ScrubbedJson, AckguardError> {
    guarded(|| {
        let result = text::parsed("result_json", result_json.as_bytes())?;
        let Ok(guarded) = core::guard_tool_result(&result, &mut ToText);
        Ok(ScrubbedJson { json: guarded.value, findings: findings(&guarded.findings) })
    })
}

/// A version mismatch that came as a payload, if the error is one.
#[uniffi::export]
pub fn version_mismatch_of(error: ErrorPayload) -> Result<Option<VersionMismatch>, AckguardError> {
    guarded(|| {
        let is_one = ackguard::ErrorCode::from(error.code) == ackguard::ErrorCode::PROTOCOL_VERSION_MISMATCH;
        Ok(is_one.then_some(VersionMismatch {
            message: Some(error.message),
            server_version: error.server_version,
            client_version: error.client_version,
            min_supported: error.min_supported,
            max_supported: error.max_supported,
        }))
    })
}
