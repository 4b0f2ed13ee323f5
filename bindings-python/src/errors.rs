//! The exceptions, which are defined in Python, raised from here.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use ackguard::blob::BlobError;
use ackguard::handshake::VersionError;
use ackguard::rel_path::SkillResourceError;
use ackguard::skill_name::SkillNameError;

/// The module that defines the exceptions.
fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static MODULE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let module =
        MODULE.get_or_try_init(py, || Ok::<_, PyErr>(py.import("ackguard._errors")?.into_any().unbind()))?;
    Ok(module.bind(py))
}

/// An exception of a class in `ackguard._errors`.
fn made(py: Python<'_>, class: &str, message: &str, fields: &Bound<'_, PyDict>) -> PyResult<PyErr> {
    let class = module(py)?.getattr(class)?;
    Ok(PyErr::from_value(class.call((message,), Some(fields))?))
}

fn raised(make: impl for<'py> FnOnce(Python<'py>) -> PyResult<PyErr>) -> PyErr {
    Python::attach(|py| make(py).unwrap_or_else(|error| error))
}

/// A defect of ackguard itself.
pub(crate) fn internal(said: &str) -> PyErr {
    Python::attach(|py| match module(py).and_then(|it| it.getattr("InternalError")?.call1((said,))) {
        Ok(error) => PyErr::from_value(error),
        Err(_) => PyRuntimeError::new_err(said.to_owned()),
    })
}

/// `given` is the text that was refused.
pub(crate) fn skill_name(error: &SkillNameError, given: &str) -> PyErr {
    raised(|py| {
        let span = error.char_span(given);
        let fields = PyDict::new(py);
        fields.set_item("reason", error.reason().as_str())?;
        fields.set_item("segment", error.segment())?;
        fields.set_item("span", (span.start, span.end))?;
        fields.set_item("name", error.name())?;
        made(py, "SkillNameError", &error.to_string(), &fields)
    })
}

pub(crate) fn resource(error: &SkillResourceError) -> PyErr {
    raised(|py| {
        let fields = PyDict::new(py);
        fields.set_item("reason", error.reason().as_str())?;
        fields.set_item("rel_path", error.rel_path())?;
        fields.set_item("total_size", error.total_size())?;
        made(py, "SkillResourceError", &error.to_string(), &fields)
    })
}

/// `argument` is the name of what held the text.
pub(crate) fn version(error: &VersionError, argument: &str) -> PyErr {
    raised(|py| {
        let fields = PyDict::new(py);
        fields.set_item("reason", error.reason.as_str())?;
        fields.set_item("position", error.position)?;
        made(py, "VersionError", &format!("argument '{argument}': {error}"), &fields)
    })
}

pub(crate) fn blob(error: &BlobError) -> PyErr {
    raised(|py| {
        let fields = PyDict::new(py);
        fields.set_item("reason", error.reason().as_str())?;
        made(py, "BlobError", &error.to_string(), &fields)
    })
}

/// The error of a peer, as the exception for its code.
pub(crate) fn protocol(payload: Bound<'_, PyAny>) -> PyErr {
    let py = payload.py();
    let raise = || module(py)?.getattr("_protocol_error")?.call1((payload,));
    raise().map_or_else(|error| error, PyErr::from_value)
}

pub(crate) fn malformed(violations: &Bound<'_, PyTuple>) -> PyErr {
    raised(|py| {
        let fields = PyDict::new(py);
        fields.set_item("violations", violations)?;
        let class = module(py)?.getattr("MalformedErrorPayload")?;
        Ok(PyErr::from_value(class.call((), Some(&fields))?))
    })
}
