//! The ACP rules over plain values; the exceptions that carry them are in `ackguard.acp`.

use ackguard::Dialect;
use ackguard::acp::reclassify::{self, PlanValue};
use ackguard::acp::{
    self, AcpError, AcpErrorCode, AcpErrorKind, ErrorLedger as Core, Interaction, IoFailure, RawFailure,
    RpcId, Timestamp,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};
use serde_json::Value;

use crate::arguments::{self, Input, caught};
use crate::build::{from_json, to_json};
use crate::named;
use crate::node::{Memo, PyNode};
use crate::payload::ErrorPayload;
use crate::text::lossy;

fn code(text: &str) -> PyResult<AcpErrorCode> {
    text.parse().map_err(|error| PyValueError::new_err(format!("{text:?}: {error}")))
}

fn kind(text: &str) -> AcpErrorKind {
    match text {
        "rpc" => AcpErrorKind::Rpc,
        "server_not_found" => AcpErrorKind::ServerNotFound,
        "interaction_required" => AcpErrorKind::InteractionRequired,
        _ => AcpErrorKind::Client,
    }
}

/// What has to be done to an error that was raised in the handshake: the new code, whether it counts, and what to
/// write into `details`.
#[pyfunction]
#[allow(clippy::type_complexity)] // a triple, once
pub(crate) fn _acp_plan<'py>(
    py: Python<'py>,
    kind: &str,
    code: &str,
    rpc_code: Option<i128>,
    #[pyo3(from_py_with = named::text::server)] server: String,
    has_server: bool,
    has_underlying: bool,
) -> PyResult<(Option<&'static str>, bool, Bound<'py, PyDict>)> {
    let plan = reclassify::plan(self::kind(kind), self::code(code)?, rpc_code, has_server, has_underlying);
    let writes = PyDict::new(py);
    for (key, value) in plan.set() {
        match value {
            PlanValue::Server => writes.set_item(key, &server)?,
            other => writes.set_item(key, from_json(py, &other.to_value(&server))?)?,
        }
    }
    Ok((plan.new_code.map(AcpErrorCode::as_str), plan.counts, writes))
}

/// Whether an error may be tried again, and what has to happen first.
#[pyfunction]
pub(crate) fn _acp_advice(
    kind: &str,
    code: &str,
    in_handshake: bool,
    rpc_code: Option<i128>,
) -> PyResult<(bool, &'static str)> {
    let advice = acp::retry_advice(self::kind(kind), self::code(code)?, in_handshake, rpc_code);
    Ok((advice.retryable, advice.action.as_str()))
}

/// The text of `details.phase` that marks a failure of the handshake, and its key.
#[pyfunction]
pub(crate) fn _acp_phase() -> (&'static str, &'static str) {
    (reclassify::PHASE, reclassify::HANDSHAKE)
}

/// The error as an answer for the A2C-SMCP wire.
#[pyfunction]
pub(crate) fn _acp_payload(
    py: Python<'_>,
    code: &str,
    rpc_code: Option<i128>,
    message: &Bound<'_, PyAny>,
    details: &Bound<'_, PyAny>,
) -> PyResult<ErrorPayload> {
    caught(|| {
        let details = match to_json(details)? {
            Value::Object(details) => details,
            _ => serde_json::Map::new(),
        };
        let message = arguments::text(message, "message")?;
        let payload = acp::payload::payload_of(self::code(code)?, rpc_code, &message, &details);
        ErrorPayload::from_core(py, &payload, Dialect::default())
    })
}

/// Whether an error of this code becomes its server's last error.
#[pyfunction]
pub(crate) fn _acp_is_recorded(code: &str) -> PyResult<bool> {
    Ok(acp::records_last_error(self::code(code)?))
}

/// The keys that `details` should have with a code, less those that are there.
#[pyfunction]
pub(crate) fn _acp_missing(code: &str, there: Vec<Bound<'_, PyString>>) -> PyResult<Vec<&'static str>> {
    let there: Vec<String> = there.iter().map(lossy).collect();
    Ok(acp::missing_details(self::code(code)?, |key| there.iter().any(|it| it == key)))
}

/// The message of a JSON-RPC error, of a server that is not declared, of one that asks.
///
/// Takes whatever there is: an agent may send anything as its `message`, and the error about it must not fail.
#[pyfunction]
pub(crate) fn _acp_message(
    kind: &str,
    name: &Bound<'_, PyAny>,
    rpc_message: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let name = lossy(&name.str()?);
    Ok(match self::kind(kind) {
        AcpErrorKind::ServerNotFound => AcpError::server_not_found(&name).to_string(),
        AcpErrorKind::InteractionRequired => {
            AcpError::interaction_required(&name, Interaction::default()).to_string()
        }
        _ => format!("JSON-RPC error {name}: {}", lossy(&rpc_message.str()?)),
    })
}

/// Whether a turn may be submitted: `"ready"`, `"busy"`, `"failed"` or `"not_ready"`.
#[pyfunction]
#[pyo3(signature = (state, has_active_turn=false))]
pub(crate) fn readiness(
    state: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = named::flag::has_active_turn)] has_active_turn: bool,
) -> PyResult<&'static str> {
    caught(|| Ok(acp::readiness_of(&arguments::text(state, "state")?, has_active_turn).as_str()))
}

/// The name of a JSON-RPC number, where it has one.
#[pyfunction]
pub(crate) fn rpc_code_name(code: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    caught(|| Ok(arguments::integer(code, "code")?.and_then(|code| acp::rpc_code_name(code.into()))))
}

/// An error as plain values, for `ackguard.acp` to raise.
fn told<'py>(py: Python<'py>, error: &AcpError) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("kind", error.kind().as_str())?;
    told.set_item("code", error.code().as_str())?;
    told.set_item("message", error.message())?;
    told.set_item("details", from_json(py, &Value::Object(error.details().clone()))?)?;
    if let Some(rpc) = error.as_rpc() {
        told.set_item("rpc_code", rpc.rpc_code)?;
        told.set_item("rpc_message", &rpc.rpc_message)?;
        told.set_item("data", rpc.data.as_ref().map(|data| from_json(py, data)).transpose()?)?;
    }
    if let Some((server, interaction)) = error.as_interaction() {
        told.set_item("server", server)?;
        told.set_item("method", &interaction.method)?;
        told.set_item("prompt", &interaction.prompt)?;
        told.set_item("options", from_json(py, &Value::Array(interaction.options.clone()))?)?;
    }
    Ok(told)
}

fn interaction(value: &Bound<'_, PyAny>) -> PyResult<Interaction> {
    let Value::Object(mut given) = to_json(value)? else {
        return Err(arguments::wrong_type("interaction", "a mapping", value));
    };
    let mut text = |name: &str| match given.remove(name) {
        Some(Value::String(text)) => Ok(text),
        None | Some(Value::Null) => Ok(String::new()),
        Some(_) => Err(PyTypeError::new_err(format!("argument 'interaction': {name} is no str"))),
    };
    let (method, prompt) = (text("method")?, text("prompt")?);
    let options = match given.remove("options") {
        Some(Value::Array(options)) => options,
        None | Some(Value::Null) => Vec::new(),
        Some(_) => return Err(PyTypeError::new_err("argument 'interaction': options is no list")),
    };
    Ok(Interaction { method, prompt, options })
}

fn rpc_id(value: &Bound<'_, PyAny>, name: &str) -> PyResult<RpcId> {
    RpcId::read(&PyNode::root(value, &Memo::default())?)?
        .ok_or_else(|| arguments::wrong_type(name, "int, float, str or None", value))
}

/// The names by which the core knows an I/O error: an exception's class and its number's name.
fn io_failure(value: &Bound<'_, PyAny>) -> PyResult<IoFailure> {
    if let Ok(name) = value.cast::<PyString>() {
        return Ok(IoFailure::from_name(&crate::text::lossy(name)));
    }
    let py = value.py();
    let number = match value.getattr("errno") {
        Ok(number) => Some(number),
        // True is no number of an error.
        Err(_) => {
            (value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>()).then(|| value.clone())
        }
    };
    if let Some(number) = number.filter(|it| !it.is_none())
        && let Ok(name) = py.import("errno")?.getattr("errorcode")?.get_item(number)
    {
        return Ok(IoFailure::from_name(&name.extract::<String>()?));
    }
    let class = match value.cast::<pyo3::types::PyType>() {
        Ok(class) => class.clone(),
        Err(_) => value.get_type(),
    };
    // A host's own class tells by what it is derived from.
    for class in class.mro() {
        let name = class.cast::<pyo3::types::PyType>()?.name()?;
        match IoFailure::from_name(&name.to_string()) {
            IoFailure::Transport => {}
            known => return Ok(known),
        }
    }
    Ok(IoFailure::Transport)
}

/// The error for what a host saw, or None where nothing failed.
#[pyfunction]
#[pyo3(signature = (response=None, *, expected_id=None, exit_code=None, timeout=None, io_error=None, interaction=None, server=None, method=None))]
#[allow(clippy::too_many_arguments)] // named, all of them optional
pub(crate) fn _acp_classify<'py>(
    py: Python<'py>,
    response: Option<&Bound<'py, PyAny>>,
    expected_id: Option<&Bound<'py, PyAny>>,
    exit_code: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = named::maybe_seconds::timeout)] timeout: Option<f64>,
    io_error: Option<&Bound<'py, PyAny>>,
    interaction: Option<&Bound<'py, PyAny>>,
    server: Option<&Bound<'py, PyAny>>,
    method: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    caught(|| {
        let given = |value: Option<&Bound<'py, PyAny>>| value.filter(|it| !it.is_none()).cloned();
        let (server, method) =
            (arguments::optional_text(server, "server")?, arguments::optional_text(method, "method")?);
        let exit_code = given(exit_code).map(|code| arguments::integer(&code, "exit_code")).transpose()?;
        let seen = RawFailure {
            expected_id: given(expected_id).map(|id| rpc_id(&id, "expected_id")).transpose()?,
            // One beyond 64 bits is no exit code, yet the process is gone.
            exit_code: exit_code.map(|code| code.unwrap_or(-1)),
            io_error: given(io_error).map(|error| io_failure(&error)).transpose()?,
            timeout,
            interaction: given(interaction).map(|asked| self::interaction(&asked)).transpose()?,
            server: server.as_deref(),
            method: method.as_deref(),
        };
        let error = match given(response) {
            None => acp::classify_failure(None, seen),
            Some(response) => match Input::new(&response, "response") {
                Ok(line) => acp::classify_failure(Some(line.bytes()), seen),
                Err(_) => acp::classify_parsed_failure(&PyNode::root(&response, &Memo::default())?, seen)?,
            },
        };
        error.map(|error| told(py, &error)).transpose()
    })
}

/// The table of servers, or the error with all problems.
#[pyfunction]
pub(crate) fn _acp_config<'py>(
    text: &Bound<'py, PyAny>,
    env: &Bound<'py, PyAny>,
) -> PyResult<(bool, Bound<'py, PyAny>)> {
    caught(|| {
        let py = text.py();
        let input = Input::new(text, "text")?;
        let mut raised = None;
        let raised_in = std::cell::RefCell::new(&mut raised);
        let parsed = acp::parse_acp_config(input.bytes(), |name| match env.get_item(name) {
            Ok(value) => {
                value.extract::<String>().map_err(|error| **raised_in.borrow_mut() = Some(error)).ok()
            }
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyKeyError>(py) => None,
            Err(error) => {
                **raised_in.borrow_mut() = Some(error);
                None
            }
        });
        if let Some(error) = raised {
            return Err(error);
        }
        match parsed {
            Ok(config) => {
                let value = serde_json::to_value(&config).unwrap_or_default();
                Ok((true, from_json(py, &value)?))
            }
            Err(errors) => Ok((false, told(py, &errors.to_acp_error())?.into_any())),
        }
    })
}

/// The protocol version of an `initialize` result, or the error.
#[pyfunction]
pub(crate) fn _acp_initialize<'py>(result: &Bound<'py, PyAny>) -> PyResult<(bool, Bound<'py, PyAny>)> {
    caught(|| {
        let py = result.py();
        Ok(match acp::check_initialize_result(&PyNode::root(result, &Memo::default())?)? {
            Ok(version) => (true, version.into_pyobject(py)?.into_any()),
            Err(error) => (false, told(py, &error)?.into_any()),
        })
    })
}

/// The session id of a `session/new` result, or the error.
#[pyfunction]
pub(crate) fn _acp_session<'py>(result: &Bound<'py, PyAny>) -> PyResult<(bool, Bound<'py, PyAny>)> {
    caught(|| {
        let py = result.py();
        Ok(match acp::check_session_result(&PyNode::root(result, &Memo::default())?)? {
            Ok(id) => (true, id.into_pyobject(py)?.into_any()),
            Err(error) => (false, told(py, &error)?.into_any()),
        })
    })
}

/// The answer to a request whose method the host does not have, as one line of JSON.
#[pyfunction]
pub(crate) fn method_not_found_reply(id: &Bound<'_, PyAny>, method: &Bound<'_, PyAny>) -> PyResult<String> {
    caught(|| Ok(acp::method_not_found_reply(&rpc_id(id, "id")?, &arguments::text(method, "method")?)))
}

/// What is remembered of each server; `ackguard.acp.ErrorLedger` is its face.
#[pyclass(frozen, module = "ackguard._native")]
pub(crate) struct Ledger(Core);

/// A remembered error: its kind, its code, the JSON-RPC number, the message, the details, whether something was
/// cut, and when it was recorded, in microseconds since 1970.
type Last<'py> = (&'static str, &'static str, Option<i128>, String, Bound<'py, PyAny>, bool, i64);

#[pymethods]
impl Ledger {
    #[new]
    fn new() -> Self {
        Self(Core::new())
    }

    #[allow(clippy::too_many_arguments)] // an error, taken apart
    fn record(
        &self,
        server: &Bound<'_, PyAny>,
        kind: &str,
        code: &str,
        message: &Bound<'_, PyAny>,
        details: &Bound<'_, PyAny>,
        rpc_code: Option<i128>,
        micros: Option<i64>,
    ) -> PyResult<bool> {
        caught(|| {
            let server = arguments::text(server, "server")?;
            let message = arguments::text(message, "message")?;
            let error = match self::kind(kind) {
                AcpErrorKind::Rpc => AcpError::rpc(rpc_code.unwrap_or(-1), "", None),
                AcpErrorKind::ServerNotFound => AcpError::server_not_found(&server),
                AcpErrorKind::InteractionRequired => {
                    AcpError::interaction_required(&server, Interaction::default())
                }
                AcpErrorKind::Client => AcpError::client(self::code(code)?, ""),
            };
            let details = match to_json(details)? {
                Value::Object(details) => details,
                _ => serde_json::Map::new(),
            };
            let error = error.with_message(message).with_details(details);
            Ok(match micros {
                Some(micros) => self.0.record(&server, &error, Timestamp::from_unix_micros(micros)),
                None => self.0.record_now(&server, &error),
            })
        })
    }

    fn last_error<'py>(&self, py: Python<'py>, server: &Bound<'py, PyAny>) -> PyResult<Option<Last<'py>>> {
        caught(|| {
            let Some(last) = self.0.last_error(&arguments::text(server, "server")?) else { return Ok(None) };
            let details = from_json(py, &Value::Object(last.details))?;
            Ok(Some((
                last.kind.as_str(),
                last.code.as_str(),
                last.rpc_code,
                last.message,
                details,
                last.truncated,
                last.at.unix_micros(),
            )))
        })
    }

    fn reset(&self, server: &Bound<'_, PyAny>) -> PyResult<bool> {
        caught(|| Ok(self.0.reset(&arguments::text(server, "server")?)))
    }
}
