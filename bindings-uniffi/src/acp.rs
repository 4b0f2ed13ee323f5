//! The ACP client taxonomy.

use std::collections::HashMap;
use std::sync::Arc;

use ackguard::acp as core;
use ackguard::json::TextNode;
use serde_json::Value;

use crate::error::{AckguardError, Answer, guarded};
use crate::mirror::mirror;
use crate::text;

mirror! {
    /// The nine codes.
    AcpErrorCode = ackguard::acp::AcpErrorCode {
        /// The configuration is wrong.
        ConfigInvalid,
        /// No server of that name is declared.
        ServerNotFound,
        /// The process did not start.
        ProcessStartFail,
        /// The process started and failed in `initialize` or `session/new`.
        HandshakeFail,
        /// A request ran past its timeout.
        RequestTimeout,
        /// The process or its pipes are gone.
        TransportDisconnect,
        /// The agent asked for permission or input and nobody was there to answer.
        InteractionRequired,
        /// The agent broke the protocol, or answered with a JSON-RPC error.
        ProtocolError,
        /// A turn is running and the call does not wait.
        ServerBusy,
    }
}

#[uniffi::export]
impl AcpErrorCode {
    /// The usual cause, in one sentence.
    pub fn cause(&self) -> String {
        self.core().cause().to_owned()
    }

    /// Whether an error of this code becomes a server's last error.
    pub fn is_recorded(&self) -> bool {
        core::records_last_error(self.core())
    }
}

mirror! {
    /// What sort of failure it is.
    AcpFailureKind = ackguard::acp::AcpErrorKind {
        /// One of the nine codes.
        Client,
        /// No server of that name is declared.
        ServerNotFound,
        /// The agent answered with a JSON-RPC error.
        Rpc,
        /// The agent asked for something that nobody answered.
        InteractionRequired,
    }
}

mirror! {
    /// Whether a turn may be submitted.
    AcpReadiness = ackguard::acp::Readiness {
        /// Yes.
        Ready,
        /// Not while a turn is running.
        Busy,
        /// No, and not before somebody acts.
        Failed,
        /// Not now.
        NotReady,
    }
}

/// What to do about a failure.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
pub struct AcpRetryAdvice {
    /// May the program try again, once `action` has been done?
    pub retryable: bool,
    /// What has to happen first, by its stable name such as `backoff`; an open set.
    pub action: String,
    /// Trying again is safe only if the call may be repeated.
    pub needs_idempotent_call: bool,
}

/// A failure of an ACP client. Branch on the code, never on the message.
///
/// Shown as text it is its kind and its codes; `details_json` and the message are as the host and the agent gave
/// them, and go to a log through `log_fields` only.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Display)]
pub struct AcpFailure {
    /// What sort of failure it is.
    pub kind: AcpFailureKind,
    /// Which of the nine; `ProtocolError` for a JSON-RPC error.
    pub code: AcpErrorCode,
    /// A sentence.
    pub message: String,
    /// The JSON text of an object.
    pub details_json: String,
    /// The JSON-RPC integer in decimal digits.
    #[uniffi(default = None)]
    pub rpc_code_digits: Option<String>,
    /// The JSON-RPC error's message.
    #[uniffi(default = None)]
    pub rpc_message: Option<String>,
    /// The JSON-RPC error's data as JSON text.
    #[uniffi(default = None)]
    pub data_json: Option<String>,
    /// The server that asks.
    #[uniffi(default = None)]
    pub server: Option<String>,
    /// The method by which it asks.
    #[uniffi(default = None)]
    pub method: Option<String>,
    /// The question.
    #[uniffi(default = None)]
    pub prompt: Option<String>,
    /// The answers to choose from, as the JSON text of an array.
    #[uniffi(default = None)]
    pub options_json: Option<String>,
}

impl std::fmt::Display for AcpFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code.core().as_str())?;
        self.rpc_code_digits.as_ref().map_or(Ok(()), |digits| write!(f, " (JSON-RPC {digits})"))
    }
}

impl AcpFailure {
    pub(crate) fn of(error: &core::AcpError) -> Self {
        let rpc = error.as_rpc();
        let (server, asked) = error.as_interaction().unzip();
        Self {
            kind: error.kind().into(),
            code: error.code().into(),
            message: error.message().to_owned(),
            details_json: Value::Object(error.details().clone()).to_string(),
            rpc_code_digits: error.rpc_code().map(|code| code.to_string()),
            rpc_message: rpc.map(|rpc| rpc.rpc_message.clone()),
            data_json: rpc.and_then(|rpc| rpc.data.as_ref()).map(Value::to_string),
            server: server.map(str::to_owned),
            method: asked.map(|asked| asked.method.clone()),
            prompt: asked.map(|asked| asked.prompt.clone()),
            options_json: asked.map(|asked| Value::Array(asked.options.clone()).to_string()),
        }
    }

    fn core(&self) -> Answer<core::AcpError> {
        let error = match self.kind {
            AcpFailureKind::Client => core::AcpError::client(self.code.core(), ""),
            AcpFailureKind::ServerNotFound => {
                core::AcpError::server_not_found(self.server.as_deref().unwrap_or_default())
            }
            AcpFailureKind::Rpc => core::AcpError::rpc(
                digits(self.rpc_code_digits.as_deref().unwrap_or("0"))?,
                self.rpc_message.clone().unwrap_or_default(),
                self.data_json.as_deref().map(|data| text::value("data_json", data)).transpose()?,
            ),
            AcpFailureKind::InteractionRequired => core::AcpError::interaction_required(
                self.server.as_deref().unwrap_or_default(),
                asked(
                    self.method.clone().unwrap_or_default(),
                    self.prompt.clone().unwrap_or_default(),
                    self.options_json.as_deref(),
                )?,
            ),
        };
        let mut error = error.with_message(self.message.clone());
        *error.details_mut() = text::members("details_json", Some(&self.details_json))?;
        Ok(error)
    }
}

fn digits(digits: &str) -> Answer<i128> {
    digits.parse().map_err(|_| AckguardError::misuse("rpc_code_digits is no integer"))
}

fn asked(method: String, prompt: String, options_json: Option<&str>) -> Answer<core::Interaction> {
    let options = match options_json.map(|options| text::value("options_json", options)).transpose()? {
        Some(Value::Array(options)) => options,
        Some(_) => return Err(AckguardError::misuse("options_json is no JSON array")),
        None => Vec::new(),
    };
    Ok(core::Interaction { method, prompt, options })
}

/// With what a caller adds to `details`.
fn with(error: core::AcpError, details_json: Option<&str>) -> Answer<AcpFailure> {
    Ok(AcpFailure::of(&error.with_details(text::members("details_json", details_json)?)))
}

/// A failure with one of the nine codes.
#[uniffi::export(default(code = None, details_json = None))]
pub fn acp_client_failure(
    message: String,
    code: Option<AcpErrorCode>,
    details_json: Option<String>,
) -> Result<AcpFailure, AckguardError> {
    guarded(|| {
        let code = code.map_or(core::AcpErrorCode::ProtocolError, AcpErrorCode::core);
        with(core::AcpError::client(code, message), details_json.as_deref())
    })
}

/// No server of that name is declared.
#[uniffi::export(default(details_json = None))]
pub fn acp_server_not_found(name: String, details_json: Option<String>) -> Result<AcpFailure, AckguardError> {
    guarded(|| with(core::AcpError::server_not_found(&name), details_json.as_deref()))
}

/// The agent answered with a JSON-RPC error.
#[uniffi::export(default(data_json = None, details_json = None))]
pub fn acp_rpc_failure(
    rpc_code: i64,
    rpc_message: String,
    data_json: Option<String>,
    details_json: Option<String>,
) -> Result<AcpFailure, AckguardError> {
    guarded(|| {
        let data = data_json.map(|data| text::value("data_json", &data)).transpose()?;
        with(core::AcpError::rpc(rpc_code.into(), rpc_message, data), details_json.as_deref())
    })
}

/// The agent asked for something that nobody answered. `options_json` is the JSON text of an array.
#[uniffi::export(default(prompt = "", options_json = None, details_json = None))]
pub fn acp_interaction_required(
    server: String,
    method: String,
    prompt: String,
    options_json: Option<String>,
    details_json: Option<String>,
) -> Result<AcpFailure, AckguardError> {
    guarded(|| {
        let asked = asked(method, prompt, options_json.as_deref())?;
        with(core::AcpError::interaction_required(&server, asked), details_json.as_deref())
    })
}

/// A failure as it is after the handshake has been looked at.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Reclassified {
    /// The failure, changed where the rules say so.
    pub failure: AcpFailure,
    /// Whether it counts as a failure of the handshake.
    pub counts: bool,
}

/// Names a failure anew that came up during `initialize` or `session/new`. Twice changes nothing more.
#[uniffi::export]
pub fn reclassify_handshake(failure: AcpFailure, server: String) -> Result<Reclassified, AckguardError> {
    guarded(|| {
        let mut error = failure.core()?;
        let counts = error.reclassify_handshake(&server);
        Ok(Reclassified { failure: AcpFailure::of(&error), counts })
    })
}

#[uniffi::export]
impl AcpFailure {
    /// Whether it came up in the handshake.
    pub fn is_handshake_failure(&self) -> Result<bool, AckguardError> {
        guarded(|| Ok(self.core()?.is_handshake_failure()))
    }

    /// What to do about it.
    pub fn retry(&self) -> Result<AcpRetryAdvice, AckguardError> {
        guarded(|| {
            let advice = self.core()?.retry();
            Ok(AcpRetryAdvice {
                retryable: advice.retryable,
                action: advice.action.as_str().to_owned(),
                needs_idempotent_call: advice.needs_idempotent_call(),
            })
        })
    }

    /// Whether it becomes a server's last error.
    pub fn is_recorded(&self) -> Result<bool, AckguardError> {
        guarded(|| Ok(self.core()?.is_recorded()))
    }

    /// The keys that `details` should have with its code and lacks.
    pub fn missing_details(&self) -> Result<Vec<String>, AckguardError> {
        guarded(|| Ok(self.core()?.missing_details().into_iter().map(str::to_owned).collect()))
    }

    /// Everything, scrubbed and flat, for structured logging: the JSON text of an object.
    pub fn log_fields(&self) -> Result<String, AckguardError> {
        guarded(|| Ok(Value::Object(self.core()?.log_fields()).to_string()))
    }
}

/// Whether a turn may be submitted to a server in this state; a state that nobody knows is not ready.
#[uniffi::export(default(has_active_turn = false))]
pub fn readiness(state: String, has_active_turn: bool) -> Result<AcpReadiness, AckguardError> {
    guarded(|| Ok(core::readiness_of(&state, has_active_turn).into()))
}

/// The name of a JSON-RPC code.
#[uniffi::export]
pub fn rpc_code_name(code: i64) -> Result<Option<String>, AckguardError> {
    guarded(|| Ok(core::rpc_code_name(code.into()).map(str::to_owned)))
}

/// What the agent asked for. Shown as text it is the method.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Display)]
pub struct AcpInteraction {
    /// The method by which it asked.
    pub method: String,
    /// The question.
    #[uniffi(default = "")]
    pub prompt: String,
    /// The answers to choose from, as the JSON text of an array.
    #[uniffi(default = None)]
    pub options_json: Option<String>,
}

impl std::fmt::Display for AcpInteraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.method)
    }
}

/// What a host saw. Everything is optional.
#[derive(Clone, Default, uniffi::Record)]
#[uniffi::export(Display)]
pub struct AcpObservation {
    /// The line that the agent sent.
    #[uniffi(default = None)]
    pub line: Option<Vec<u8>>,
    /// The id of the request, as JSON text. Without it every id is taken for the right one.
    #[uniffi(default = None)]
    pub expected_id_json: Option<String>,
    /// The process has ended with this exit code.
    #[uniffi(default = None)]
    pub exit_code: Option<i64>,
    /// The request ran past so many seconds.
    #[uniffi(default = None)]
    pub timeout: Option<f64>,
    /// The name of an I/O error, such as `ENOENT` or `BrokenPipe`; `spawn` if the process could not be started.
    #[uniffi(default = None)]
    pub io_error: Option<String>,
    /// The agent asked for something that nobody answered.
    #[uniffi(default = None)]
    pub interaction: Option<AcpInteraction>,
    /// The name of the server.
    #[uniffi(default = None)]
    pub server: Option<String>,
    /// The method of the request.
    #[uniffi(default = None)]
    pub method: Option<String>,
}

// The line and what was asked may hold secrets.
impl std::fmt::Display for AcpObservation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AcpObservation")
    }
}

/// What went wrong with a request; absent if nothing did.
#[uniffi::export]
pub fn classify_failure(seen: AcpObservation) -> Result<Option<AcpFailure>, AckguardError> {
    guarded(|| {
        let expected_id = match &seen.expected_id_json {
            None => None,
            Some(id) => match core::RpcId::read(&text::parsed("expected_id_json", id.as_bytes())?) {
                Ok(Some(id)) => Some(id),
                Ok(None) => return Err(AckguardError::misuse("expected_id_json is no JSON-RPC id")),
            },
        };
        let interaction =
            seen.interaction.map(|it| asked(it.method, it.prompt, it.options_json.as_deref())).transpose()?;
        let raw = core::RawFailure {
            expected_id,
            exit_code: seen.exit_code,
            io_error: seen.io_error.as_deref().map(core::IoFailure::from_name),
            timeout: seen.timeout,
            interaction,
            server: seen.server.as_deref(),
            method: seen.method.as_deref(),
        };
        Ok(core::classify_failure(seen.line.as_deref(), raw).map(|error| AcpFailure::of(&error)))
    })
}

/// One declared server. Shown as text it is its name: `env` and `args` may hold secrets.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Display)]
pub struct AcpServerConfig {
    /// Its name.
    pub name: String,
    /// The program to start.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment, with all variables expanded.
    pub env: HashMap<String, String>,
    /// The directory it is started in.
    pub cwd: String,
    /// Whether it is started with the host.
    pub auto_start: Option<bool>,
    /// How long starting it and the handshake may take, in milliseconds.
    pub startup_timeout_ms: Option<u64>,
    /// How long a request may take, in milliseconds.
    pub request_timeout_ms: Option<u64>,
    /// What the client tells the agent it can do, as the JSON text of an object.
    pub capabilities_json: Option<String>,
    /// A text for people.
    pub description_text: Option<String>,
    /// Whether questions that nobody answers are answered with yes; absent if nothing is said.
    pub accepts_all: Option<bool>,
    /// How often it is restarted before it counts as failed.
    pub max_recoverable_restarts: Option<u64>,
}

impl std::fmt::Display for AcpServerConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ACP server {}", self.name)
    }
}

/// Reads a host's table of servers; `env` is what the variables in it are looked up in.
///
/// Throws `AcpFailed` with `config_invalid`; its `details` have every problem.
#[uniffi::export]
pub fn parse_acp_config(
    json: String,
    env: HashMap<String, String>,
) -> Result<Vec<AcpServerConfig>, AckguardError> {
    guarded(|| {
        let config = core::parse_acp_config(json, |name| env.get(name).cloned())
            .map_err(|errors| AckguardError::from(errors.to_acp_error()))?;
        Ok(config.servers.into_iter().map(declared).collect())
    })
}

fn declared(server: core::config::ServerConfig) -> AcpServerConfig {
    AcpServerConfig {
        name: server.name,
        command: server.command,
        args: server.args,
        env: server.env.into_iter().collect(),
        cwd: server.cwd,
        auto_start: server.auto_start,
        startup_timeout_ms: server.startup_timeout_ms,
        request_timeout_ms: server.request_timeout_ms,
        capabilities_json: server.capabilities.map(|it| Value::Object(it).to_string()),
        description_text: server.description,
        accepts_all: server
            .non_interactive_policy
            .map(|policy| policy.mode == core::config::NonInteractiveMode::AcceptAll),
        max_recoverable_restarts: server.max_recoverable_restarts,
    }
}

/// The protocol version of an `initialize` result. Throws `AcpFailed`.
#[uniffi::export]
pub fn check_initialize_result(json: String) -> Result<u16, AckguardError> {
    guarded(|| {
        let Ok(checked) = core::check_initialize_result(&text::parsed("json", json.as_bytes())?);
        Ok(checked?)
    })
}

/// The session's id of a `session/new` result. Throws `AcpFailed`.
#[uniffi::export]
pub fn check_session_result(json: String) -> Result<String, AckguardError> {
    guarded(|| {
        let Ok(checked) = core::check_session_result(&text::parsed("json", json.as_bytes())?);
        Ok(checked?)
    })
}

/// The line that answers a request for a method that the client does not have. `id_json` is the request's id.
#[uniffi::export]
pub fn method_not_found_reply(id_json: String, method: String) -> Result<String, AckguardError> {
    guarded(|| {
        let node: TextNode<'_> = text::parsed("id_json", id_json.as_bytes())?;
        let Ok(id) = core::RpcId::read(&node);
        Ok(core::method_not_found_reply(&id.unwrap_or(core::RpcId::Null), &method))
    })
}

/// The last error of a server, as it was when it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Display)]
pub struct LastAcpError {
    /// What sort of failure it was.
    pub kind: AcpFailureKind,
    /// What went wrong.
    pub code: AcpErrorCode,
    /// The JSON-RPC integer of an RPC error, in decimal digits.
    pub rpc_code_digits: Option<String>,
    /// Its message, cut at 2 KiB.
    pub message: String,
    /// Its details, cut at 4 KiB, as the JSON text of an object.
    pub details_json: String,
    /// Whether something was cut.
    pub truncated: bool,
    /// When it was recorded, in microseconds since 1970, UTC.
    pub at_micros: i64,
}

impl std::fmt::Display for LastAcpError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = core::Timestamp::from_unix_micros(self.at_micros);
        write!(f, "{} at {at}", self.code.core().as_str())
    }
}

/// What went wrong last, server by server. Safe to use from many threads.
#[derive(Debug, Default, uniffi::Object)]
pub struct ErrorLedger(core::ErrorLedger);

#[uniffi::export]
impl ErrorLedger {
    /// An empty ledger.
    #[uniffi::constructor]
    pub fn new() -> Arc<Self> {
        Arc::new(Self(core::ErrorLedger::new()))
    }

    /// Remembers a failure, at a time in microseconds since 1970 (now, if none is given). Whether it was one to
    /// remember.
    #[uniffi::method(default(at_micros = None))]
    pub fn record(
        &self,
        server: String,
        failure: AcpFailure,
        at_micros: Option<i64>,
    ) -> Result<bool, AckguardError> {
        guarded(|| {
            let error = failure.core()?;
            Ok(match at_micros {
                Some(at) => self.0.record(&server, &error, core::Timestamp::from_unix_micros(at)),
                None => self.0.record_now(&server, &error),
            })
        })
    }

    /// The last error of a server.
    pub fn last_error(&self, server: String) -> Result<Option<LastAcpError>, AckguardError> {
        guarded(|| {
            Ok(self.0.last_error(&server).map(|last| LastAcpError {
                kind: last.kind.into(),
                code: last.code.into(),
                rpc_code_digits: last.rpc_code.map(|code| code.to_string()),
                message: last.message,
                details_json: Value::Object(last.details).to_string(),
                truncated: last.truncated,
                at_micros: last.at.unix_micros(),
            }))
        })
    }

    /// Forgets a server's last error; whether there was one.
    pub fn reset(&self, server: String) -> Result<bool, AckguardError> {
        guarded(|| Ok(self.0.reset(&server)))
    }
}
