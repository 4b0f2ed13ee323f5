//! The error of an ACP client, and one builder per code.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::error::Error as StdError;
use core::fmt;

use crate::value::{Map, Value, decimal};
use serde::Serialize;

use super::advice::{RetryAdvice, retry_advice};
use super::code::AcpErrorCode;
use super::reclassify::{HANDSHAKE, PHASE, SERVER, UNDERLYING_CODE, is_set};
use super::rpc::{integer_value, rpc_code_name};

/// The most bytes of a process's standard error that an error keeps.
pub const MAX_STDERR_BYTES: usize = 8 * 1024;

/// What sort of error it is. In languages with exception classes each is a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AcpErrorKind {
    /// A client error with one of the nine codes.
    Client,
    /// No server of that name is declared.
    ServerNotFound,
    /// The agent answered with a JSON-RPC error. Its code is always `protocol_error`; what matters is its
    /// number.
    Rpc,
    /// The agent asked for permission or input and nobody was there to answer.
    InteractionRequired,
}

impl AcpErrorKind {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::ServerNotFound => "server_not_found",
            Self::Rpc => "rpc",
            Self::InteractionRequired => "interaction_required",
        }
    }
}

/// What a JSON-RPC error said.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct RpcError {
    /// The JSON-RPC integer, whatever it is.
    pub rpc_code: i128,
    /// `error.message`; empty where there was none.
    pub rpc_message: String,
    /// `error.data`.
    pub data: Option<Value>,
}

/// What the agent wanted to know.
#[derive(Clone, PartialEq, Default)]
pub struct Interaction {
    /// The method by which it asked, such as `session/request_permission`.
    pub method: String,
    /// The question.
    pub prompt: String,
    /// The answers to choose from.
    pub options: Vec<Value>,
}

#[derive(Clone)]
enum Kind {
    Client,
    ServerNotFound,
    // Boxed, so that the common errors stay small.
    Rpc(Box<RpcError>),
    InteractionRequired(Box<(String, Interaction)>),
}

/// A failure of an ACP client. Branch on [`AcpError::code`], never on the message.
///
/// What a host gave is kept as it was: nothing in `details` is scrubbed, because whoever handles the error may
/// need it. What goes to a log is [`AcpError::log_fields`], which is scrubbed. `Display` is the message;
/// `Debug` shows neither the message nor the values of `details`.
#[derive(Clone, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct AcpError {
    kind: Kind,
    code: AcpErrorCode,
    message: String,
    details: Map<String, Value>,
    #[source]
    cause: Option<Arc<dyn StdError + Send + Sync>>,
}

impl AcpError {
    /// A client error.
    #[must_use]
    pub fn client(code: AcpErrorCode, message: impl Into<String>) -> Self {
        Self::new(Kind::Client, code, message.into())
    }

    /// The configuration is wrong at `field`, of `server` if the problem lies within one.
    #[must_use]
    pub fn config_invalid(server: Option<&str>, field: &str, message: impl Into<String>) -> Self {
        let error = Self::client(AcpErrorCode::ConfigInvalid, message);
        let error = match server {
            Some(server) => error.with_detail(SERVER, server),
            None => error,
        };
        error.with_detail("field", field)
    }

    /// No server of that name is declared.
    #[must_use]
    pub fn server_not_found(server: &str) -> Self {
        let message = format!("no ACP server named '{server}'");
        Self::new(Kind::ServerNotFound, AcpErrorCode::ServerNotFound, message).with_detail(SERVER, server)
    }

    /// The process did not start, or died while starting.
    ///
    /// Of `stderr` the tail is kept, at most [`MAX_STDERR_BYTES`], from the start of a line where there is one:
    /// half a line may be half a secret that nothing recognizes any more.
    #[must_use]
    pub fn process_start_fail<A>(server: &str, command: &str, args: A, stderr: &str) -> Self
    where
        A: IntoIterator<Item: Into<String>>,
    {
        let args = args.into_iter().map(|arg| Value::String(arg.into())).collect::<Vec<_>>();
        Self::client(AcpErrorCode::ProcessStartFail, format!("failed to start ACP server '{server}'"))
            .with_detail(SERVER, server)
            .with_detail("command", command)
            .with_detail("args", args)
            .with_detail("stderr", stderr_tail(stderr))
    }

    /// The handshake failed in a way that no other error stands for, such as a protocol version that is not
    /// supported. Everything else becomes one by [`AcpError::reclassify_handshake`].
    ///
    /// `underlying` is what it would have been outside the handshake.
    #[must_use]
    pub fn handshake_fail(server: &str, protocol_version: Option<i64>, underlying: AcpErrorCode) -> Self {
        let message = format!("the handshake with ACP server '{server}' failed");
        let error = Self::client(AcpErrorCode::HandshakeFail, message)
            .with_detail(SERVER, server)
            .with_detail(PHASE, HANDSHAKE)
            .with_detail(UNDERLYING_CODE, underlying.as_str());
        match protocol_version {
            Some(version) => error.with_detail("protocol_version", version),
            None => error,
        }
    }

    /// The request `method` ran past its timeout of so many seconds.
    ///
    /// A timeout that is no number or infinite is not written down.
    #[must_use]
    pub fn request_timeout(server: &str, method: &str, seconds: f64) -> Self {
        Self::client(AcpErrorCode::RequestTimeout, timeout_message(Some(method)))
            .with_detail(SERVER, server)
            .with_detail("method", method)
            .with_seconds(seconds)
    }

    /// The process is gone, a pipe was closed or a frame was damaged. The exit code, if it is known.
    #[must_use]
    pub fn transport_disconnect(server: &str, exit_code: Option<i64>) -> Self {
        let error = Self::client(AcpErrorCode::TransportDisconnect, disconnect_message(exit_code))
            .with_detail(SERVER, server);
        match exit_code {
            Some(code) => error.with_detail("exit_code", code),
            None => error,
        }
    }

    /// The agent asked for permission or input in a call that is not interactive.
    #[must_use]
    pub fn interaction_required(server: &str, interaction: Interaction) -> Self {
        let message = format!("ACP server '{server}' requires interaction");
        let mut details = Map::new();
        details.insert(SERVER.to_owned(), server.into());
        details.insert("method".to_owned(), interaction.method.as_str().into());
        details.insert("prompt".to_owned(), interaction.prompt.as_str().into());
        details.insert("options".to_owned(), interaction.options.clone().into());
        let kind = Kind::InteractionRequired(Box::new((server.to_owned(), interaction)));
        Self::new(kind, AcpErrorCode::InteractionRequired, message).with_details(details)
    }

    /// The agent broke the protocol.
    #[must_use]
    pub fn protocol_error(message: impl Into<String>) -> Self {
        Self::client(AcpErrorCode::ProtocolError, message)
    }

    /// A turn is running on this server; there is no queue.
    #[must_use]
    pub fn server_busy(server: &str) -> Self {
        let message = format!("ACP server '{server}' has an active turn");
        Self::client(AcpErrorCode::ServerBusy, message).with_detail(SERVER, server)
    }

    /// The agent answered with a JSON-RPC error.
    #[must_use]
    pub fn rpc(rpc_code: i128, rpc_message: impl Into<String>, data: Option<Value>) -> Self {
        let rpc_message = rpc_message.into();
        let message = rpc_error_message(rpc_code, &rpc_message);
        let kind = Kind::Rpc(Box::new(RpcError { rpc_code, rpc_message, data }));
        Self::new(kind, AcpErrorCode::ProtocolError, message)
    }

    fn new(kind: Kind, code: AcpErrorCode, message: String) -> Self {
        Self { kind, code, message, details: Map::new(), cause: None }
    }

    /// With another message.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// With one more key in `details`.
    #[must_use]
    pub fn with_detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.add_detail(key, value.into());
        self
    }

    #[inline(never)]
    fn add_detail(&mut self, key: &str, value: Value) {
        self.details.insert(key.to_owned(), value);
    }

    /// With these keys in `details`, over what is there.
    #[must_use]
    pub fn with_details(mut self, details: Map<String, Value>) -> Self {
        self.details.extend(details);
        self
    }

    /// With what led to it.
    #[must_use]
    pub fn with_cause(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.cause = Some(Arc::from(cause.into()));
        self
    }

    pub(crate) fn with_seconds(self, seconds: f64) -> Self {
        // 30 seconds are written as 30, as every host would write them.
        let whole = seconds as i64;
        if whole as f64 == seconds {
            self.with_detail("timeout", whole)
        } else if seconds.is_finite() {
            self.with_detail("timeout", seconds)
        } else {
            self
        }
    }

    /// What sort of error it is.
    #[must_use]
    pub const fn kind(&self) -> AcpErrorKind {
        match self.kind {
            Kind::Client => AcpErrorKind::Client,
            Kind::ServerNotFound => AcpErrorKind::ServerNotFound,
            Kind::Rpc(_) => AcpErrorKind::Rpc,
            Kind::InteractionRequired(_) => AcpErrorKind::InteractionRequired,
        }
    }

    /// What went wrong. For an RPC error always `protocol_error`.
    #[must_use]
    pub const fn code(&self) -> AcpErrorCode {
        self.code
    }

    pub(crate) fn set_code(&mut self, code: AcpErrorCode) {
        self.code = code;
    }

    /// The text for people. It is not stable, and it may hold what an agent said.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What else is known, as it was given.
    #[must_use]
    pub const fn details(&self) -> &Map<String, Value> {
        &self.details
    }

    /// What else is known, to add to.
    pub const fn details_mut(&mut self) -> &mut Map<String, Value> {
        &mut self.details
    }

    /// What led to it.
    #[must_use]
    pub fn cause(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        self.cause.as_deref()
    }

    /// The parts of a JSON-RPC error.
    #[must_use]
    pub fn as_rpc(&self) -> Option<&RpcError> {
        match &self.kind {
            Kind::Rpc(rpc) => Some(rpc),
            _ => None,
        }
    }

    /// The JSON-RPC integer of an RPC error.
    #[must_use]
    pub fn rpc_code(&self) -> Option<i128> {
        self.as_rpc().map(|rpc| rpc.rpc_code)
    }

    /// Which server asked, and what, where the agent asked.
    #[must_use]
    pub fn as_interaction(&self) -> Option<(&str, &Interaction)> {
        match &self.kind {
            Kind::InteractionRequired(asked) => Some((&asked.0, &asked.1)),
            _ => None,
        }
    }

    /// May the call be tried again, and what has to happen first.
    #[must_use]
    pub fn retry(&self) -> RetryAdvice {
        retry_advice(self.kind(), self.code, self.is_handshake_failure(), self.rpc_code())
    }

    /// Whether this error becomes its server's last error.
    #[must_use]
    pub const fn is_recorded(&self) -> bool {
        self.code.is_recorded()
    }

    /// The keys that `details` should have with this code and that are absent or null.
    #[must_use]
    pub fn missing_details(&self) -> Vec<&'static str> {
        missing_details(self.code, |key| is_set(&self.details, key))
    }
}

/// The keys that `details` should have with `code` and for which `is_set` is false.
#[must_use]
pub fn missing_details(code: AcpErrorCode, is_set: impl Fn(&str) -> bool) -> Vec<&'static str> {
    code.detail_keys().iter().copied().filter(|key| !is_set(key)).collect()
}

/// The message of a JSON-RPC error.
#[must_use]
pub fn rpc_error_message(rpc_code: i128, rpc_message: &str) -> String {
    format!("JSON-RPC error {}: {rpc_message}", decimal(rpc_code))
}

pub(crate) fn disconnect_message(exit_code: Option<i64>) -> String {
    match exit_code {
        Some(code) => format!("the ACP server's process ended with exit code {code}"),
        None => "the connection to the ACP server was lost".to_owned(),
    }
}

pub(crate) fn timeout_message(method: Option<&str>) -> String {
    match method {
        Some(method) => format!("timeout waiting for response to '{method}'"),
        None => "timeout waiting for a response".to_owned(),
    }
}

/// The tail of a process's standard error, at most [`MAX_STDERR_BYTES`], never within a character, and from the
/// start of a line where there is one.
#[must_use]
pub fn stderr_tail(stderr: &str) -> &str {
    let Some(surplus) = stderr.len().checked_sub(MAX_STDERR_BYTES).filter(|&n| n > 0) else {
        return stderr;
    };
    let start = (surplus..stderr.len()).find(|&at| stderr.is_char_boundary(at)).unwrap_or(stderr.len());
    let (head, tail) = stderr.split_at_checked(start).unwrap_or_default();
    if head.ends_with('\n') {
        return tail;
    }
    match tail.split_once('\n') {
        Some((_, lines)) if !lines.is_empty() => lines,
        _ => tail,
    }
}

impl fmt::Debug for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RpcError")
            .field("rpc_code", &self.rpc_code)
            .field("name", &rpc_code_name(self.rpc_code))
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Interaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interaction")
            .field("method", &self.method)
            .field("options", &self.options.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for AcpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("AcpError");
        out.field("kind", &self.kind()).field("code", &self.code.as_str());
        if let Some(rpc_code) = self.rpc_code() {
            out.field("rpc_code", &rpc_code);
        }
        out.field("details", &self.details.iter().map(|(key, _)| key).collect::<Vec<_>>());
        out.field("has_cause", &self.cause.is_some()).finish_non_exhaustive()
    }
}

/// The JSON-RPC integer as a JSON value; the nearest double where JSON's usual integers end.
#[must_use]
pub fn rpc_code_value(rpc_code: i128) -> Value {
    integer_value(rpc_code)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn builders_bring_what_their_code_should_have() {
        for error in [
            AcpError::config_invalid(Some("x"), "command", "m"),
            AcpError::server_not_found("x"),
            AcpError::process_start_fail("x", "agent", ["--stdio"], "boom"),
            AcpError::handshake_fail("x", Some(99), AcpErrorCode::ProtocolError),
            AcpError::request_timeout("x", "session/prompt", 1.5),
            AcpError::transport_disconnect("x", Some(0)),
            AcpError::interaction_required("x", Interaction::default()),
            AcpError::protocol_error("m"),
            AcpError::server_busy("x"),
            AcpError::rpc(-32603, "m", None),
        ] {
            assert_eq!(error.missing_details(), [""; 0], "{}", error.code());
            for key in error.details().keys() {
                assert!(error.code().detail_keys().contains(&key.as_str()), "{}: {key}", error.code());
            }
        }
        assert_eq!(AcpError::transport_disconnect("x", None).missing_details(), ["exit_code"]);
        assert_eq!(AcpError::client(AcpErrorCode::ServerBusy, "m").missing_details(), ["server"]);
        assert!(AcpError::handshake_fail("x", None, AcpErrorCode::ProtocolError).is_handshake_failure());
    }

    #[test]
    fn an_rpc_error_is_always_a_protocol_error() {
        for code in [-32603, -32000, 0, i128::MAX] {
            let mut error = AcpError::rpc(code, "m", None);
            error.reclassify_handshake("x");
            assert_eq!((error.code(), error.rpc_code()), (AcpErrorCode::ProtocolError, Some(code)));
        }
    }

    #[test]
    fn seconds_are_written_as_they_were_meant() {
        let timeout = |s| AcpError::request_timeout("x", "m", s).details().get("timeout").cloned();
        assert_eq!(timeout(30.0), Some(json!(30)));
        assert_eq!(timeout(1.5), Some(json!(1.5)));
        assert_eq!(timeout(0.0), Some(json!(0)));
        assert_eq!(timeout(1e300), Some(json!(1e300)));
        for none in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(timeout(none), None);
        }
    }

    #[test]
    fn standard_error_is_cut_between_characters_and_lines() {
        for text in ["", "short", "é"] {
            assert_eq!(stderr_tail(text), text);
        }
        let exact = "x".repeat(MAX_STDERR_BYTES);
        assert_eq!(stderr_tail(&exact), exact);
        // One long line: nothing to start from but a character.
        for shift in 0..4 {
            let long = format!("{}{}", "a".repeat(shift), "🦀".repeat(MAX_STDERR_BYTES));
            let tail = stderr_tail(&long);
            assert!(tail.len() <= MAX_STDERR_BYTES && tail.len() > MAX_STDERR_BYTES - 4);
            assert!(long.ends_with(tail));
        }
        // A line that would be cut in half goes as a whole.
        let lines = format!("{}\nfirst\nlast\n", "secret".repeat(MAX_STDERR_BYTES));
        assert_eq!(stderr_tail(&lines), "first\nlast\n");
        // A tail that begins with a line keeps it.
        let whole =
            format!("head\n{}\n{}", "b".repeat(MAX_STDERR_BYTES / 2), "c".repeat(MAX_STDERR_BYTES / 2 - 1));
        assert_eq!(stderr_tail(&whole).len(), MAX_STDERR_BYTES);
    }

    #[test]
    fn debug_shows_no_values() {
        let error = AcpError::rpc(-32603, "hunter2", Some(json!("hunter2")))
            .with_message("hunter2")
            .with_detail("stderr", "hunter2")
            .with_detail("env", json!({"KEY": "hunter2"}))
            .with_cause("hunter2");
        let asked = Interaction {
            method: "m".to_owned(),
            prompt: "hunter2".to_owned(),
            options: vec![json!("hunter2")],
        };
        let other = AcpError::interaction_required("x", asked.clone());
        let ledger = super::super::ErrorLedger::new();
        ledger.record("x", &error, super::super::Timestamp::from_unix_micros(0));
        for shown in [
            format!("{error:?} {:?} {error:#?}", error.as_rpc()),
            format!("{other:?} {asked:?}"),
            format!("{ledger:?} {:?}", ledger.last_error("x")),
        ] {
            assert!(!shown.contains("hunter2"), "{shown}");
        }
        assert!(format!("{error:?}").contains("-32603"));
        assert!(format!("{error:?}").contains("stderr"));
    }

    #[test]
    fn the_cause_can_be_followed() {
        let error = AcpError::protocol_error("m").with_cause(std::io::Error::other("gone"));
        assert_eq!(error.to_string(), "m");
        assert_eq!(error.source().unwrap().to_string(), "gone");
        assert!(error.cause().unwrap().is::<std::io::Error>());
        assert_eq!(error.clone().source().unwrap().to_string(), "gone");
    }

    #[test]
    fn an_error_is_small() {
        assert!(size_of::<AcpError>() <= 96);
    }
}
