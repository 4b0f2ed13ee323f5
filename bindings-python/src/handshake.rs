//! Versions and the handshake.

use ackguard::Dialect;
use ackguard::handshake::{self, HandshakeFailure, ProtocolVersion as Core, WsClose};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};

use crate::arguments::{self, Input, caught};
use crate::node::{Memo, PyNode};
use crate::payload::ErrorPayload;
use crate::{errors, text};

/// A protocol version: three numbers joined by dots.
#[pyclass(frozen, module = "ackguard")]
#[derive(Clone, Copy)]
pub(crate) struct ProtocolVersion(Core);

fn parsed(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Core> {
    if let Ok(version) = value.cast::<ProtocolVersion>() {
        return Ok(version.get().0);
    }
    Core::parse(&arguments::text(value, name)?).map_err(|error| errors::version(&error, name))
}

#[pymethods]
impl ProtocolVersion {
    #[new]
    #[pyo3(text_signature = "(version)")]
    fn new(version: &Bound<'_, PyAny>) -> PyResult<Self> {
        caught(|| parsed(version, "version").map(Self))
    }

    /// The first number.
    #[getter]
    fn major(&self) -> u32 {
        self.0.major
    }

    /// The second number.
    #[getter]
    fn minor(&self) -> u32 {
        self.0.minor
    }

    /// The third number, which never matters.
    #[getter]
    fn patch(&self) -> u32 {
        self.0.patch
    }

    /// Whether a client of this version may talk to a server of that one.
    fn is_compatible_with(&self, server: &Bound<'_, PyAny>) -> PyResult<bool> {
        caught(|| Ok(self.0.is_compatible_with(parsed(server, "server")?)))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("ProtocolVersion('{}')", self.0)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __richcmp__(&self, other: &Self, op: CompareOp) -> bool {
        op.matches(self.0.cmp(&other.0))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }
}

/// A ready HTTP answer to a handshake that is refused.
#[pyclass(frozen, get_all, module = "ackguard")]
pub(crate) struct HandshakeAnswer {
    /// The code in the body: 400 or 4008.
    code: i64,
    /// The HTTP status: 400.
    status: u16,
    /// The headers.
    headers: Py<PyDict>,
    /// The flat payload as JSON.
    body: String,
}

#[pymethods]
impl HandshakeAnswer {
    fn __repr__(&self) -> String {
        format!("HandshakeAnswer(status={}, code={})", self.status, self.code)
    }
}

/// Checks the raw query of a handshake against the server's version: None to go on, or the answer to send.
#[pyfunction]
pub(crate) fn check_handshake(
    query: &Bound<'_, PyAny>,
    server_version: &Bound<'_, PyAny>,
) -> PyResult<Option<HandshakeAnswer>> {
    caught(|| {
        let py = query.py();
        let server = parsed(server_version, "server_version")?;
        let text = match query.cast::<PyString>() {
            Ok(query) => text::lossy(query),
            // ASGI hands the query over as bytes.
            Err(_) => String::from_utf8_lossy(Input::new(query, "query")?.bytes()).into_owned(),
        };
        let Err(answer) = handshake::check_handshake(&text, server) else { return Ok(None) };
        let headers = PyDict::new(py);
        for (name, value) in &answer.headers {
            headers.set_item(name, value)?;
        }
        Ok(Some(HandshakeAnswer {
            code: answer.code.get(),
            status: answer.status,
            headers: headers.unbind(),
            body: answer.body,
        }))
    })
}

/// What a failed handshake was, as the exception `VersionMismatch` or the payload.
fn verdict<'py>(py: Python<'py>, failure: Option<HandshakeFailure>) -> PyResult<Bound<'py, PyAny>> {
    let Some(failure) = failure else { return Ok(py.None().into_bound(py)) };
    let payload = Bound::new(py, ErrorPayload::from_core(py, &failure.to_payload(), Dialect::V0_2)?)?;
    match failure {
        HandshakeFailure::VersionMismatch(mismatch) => {
            let error = errors::protocol(payload.into_any()).into_value(py).into_bound(py).into_any();
            error.setattr("message", mismatch.message)?;
            Ok(error)
        }
        _ => Ok(payload.into_any()),
    }
}

/// A header's name or value: str or bytes.
fn header(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(value) => Ok(text::lossy(value)),
        Err(_) => match Input::new(value, "headers") {
            Ok(bytes) => Ok(String::from_utf8_lossy(bytes.bytes()).into_owned()),
            // A client library's number or None.
            Err(_) => Ok(text::lossy(&value.str()?)),
        },
    }
}

/// Reads the answer to a handshake that failed: a `VersionMismatch` (not raised), the server's own 400, or None
/// for what is none of ours. `headers` is a mapping or pairs, a value may be a list of them; `body` is bytes, text,
/// None, or what a JSON parser made of it.
#[pyfunction]
pub(crate) fn parse_handshake_failure<'py>(
    status: &Bound<'py, PyAny>,
    headers: &Bound<'py, PyAny>,
    body: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    caught(|| {
        let py = body.py();
        let status = arguments::integer(status, "status")?.and_then(|it| u16::try_from(it).ok()).unwrap_or(0);
        let mut pairs = Vec::new();
        if !headers.is_none() {
            let items = match headers.getattr("items") {
                Ok(items) => items.call0()?,
                Err(_) => headers.clone(),
            };
            let wrong = || arguments::wrong_type("headers", "a mapping or pairs", headers);
            for pair in items.try_iter().map_err(|_| wrong())? {
                let pair = pair?;
                // ASGI's pairs may be lists.
                let pair = pair.cast::<PyList>().map_or(pair.clone(), |list| list.to_tuple().into_any());
                let (name, value) =
                    pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().map_err(|_| wrong())?;
                let name = header(&name)?;
                // Some libraries keep the values of a header that came more than once in a list.
                if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
                    for one in value.try_iter()? {
                        pairs.push((name.clone(), header(&one?)?));
                    }
                } else {
                    pairs.push((name, header(&value)?));
                }
            }
        }
        let text = match Input::new(body, "body") {
            Ok(input) => input.bytes().to_vec(),
            Err(_) if body.is_none() => Vec::new(),
            // Parsed already: written again, so that one rule judges both.
            Err(_) => {
                ackguard::host::copy(&PyNode::root(body, &Memo::default())?, &mut ackguard::host::ToJson, 8)?
                    .0
                    .to_string()
                    .into_bytes()
            }
        };
        verdict(py, handshake::parse_handshake_failure(status, pairs, &text))
    })
}

/// Finds the answer to a failed handshake in a text, such as the one of a client library's exception.
#[pyfunction]
pub(crate) fn parse_handshake_text<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    caught(|| verdict(text.py(), handshake::parse_handshake_text(&arguments::text(text, "text")?)))
}

/// Reads a body that an HTTP library has parsed.
#[pyfunction]
pub(crate) fn _parse_handshake_body<'py>(body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    caught(|| verdict(body.py(), handshake::parse_handshake_body(&PyNode::root(body, &Memo::default())?)?))
}

/// What the close code of a WebSocket means: `"version_handshake_rejected"` (do not reconnect; fetch the 4008 body
/// once, over polling) or `"ordinary"`.
#[pyfunction]
pub(crate) fn classify_ws_close(code: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    caught(|| {
        let code = arguments::integer(code, "code")?;
        Ok(code.map_or(WsClose::Ordinary, handshake::classify_ws_close).as_str())
    })
}
