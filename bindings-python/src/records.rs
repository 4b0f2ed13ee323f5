//! Small values that a caller looks at: frozen, comparable, hashable, picklable.

use ackguard::payload::{EventResult as CoreEvent, RpcView};
use ackguard::retry::Advice;
use ackguard::scrub::Finding as CoreFinding;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};

use crate::build::from_json;
use crate::named;

/// `Class(field=value, ...)`.
pub(crate) fn shown(class: &str, fields: &[(&str, Bound<'_, PyAny>)]) -> PyResult<String> {
    let mut text = format!("{class}(");
    for (index, (name, value)) in fields.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        text.push_str(&format!("{separator}{name}={}", value.repr()?));
    }
    text.push(')');
    Ok(text)
}

macro_rules! record {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty as $kind:ident,)+ }) => {
        $(#[$doc])*
        #[pyclass(frozen, eq, hash, get_all, module = "ackguard")]
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub(crate) struct $name { $($(#[$field_doc])* pub(crate) $field: $type,)+ }

        #[pymethods]
        impl $name {
            #[new]
            fn new($(#[pyo3(from_py_with = named::$kind::$field)] $field: $type),+) -> Self {
                Self { $($field),+ }
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                shown(stringify!($name), &[$(
                    (stringify!($field), self.$field.clone().into_pyobject(py)?.to_owned().into_any()),
                )+])
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
                let arguments = [$(self.$field.clone().into_pyobject(py)?.to_owned().into_any()),+];
                Ok((py.get_type::<Self>(), PyTuple::new(py, arguments)?))
            }
        }
    };
}

record! {
    /// What a program may do about a failure: whether it may try again by itself, and what has to happen first.
    RetryAdvice {
        /// `"no"`, `"once"` or `"optional"`.
        automatic: String as text,
        /// What has to happen before another try, such as `"backoff"` or `"fix_request"`.
        action: String as text,
    }
}

impl From<Advice> for RetryAdvice {
    fn from(advice: Advice) -> Self {
        Self { automatic: advice.automatic.as_str().to_owned(), action: advice.action.as_str().to_owned() }
    }
}

record! {
    /// What a scrubber found. Never any part of the secret.
    Finding {
        /// Where, as a JSON Pointer.
        path: String as text,
        /// What it is, such as `"access_credential"`.
        category: String as text,
        /// What was done: `"removed"`, `"redacted"` or `"truncated"`.
        action: String as text,
    }
}

impl From<&CoreFinding> for Finding {
    fn from(finding: &CoreFinding) -> Self {
        Self {
            path: finding.path.clone(),
            category: finding.category.as_str().to_owned(),
            action: finding.action.as_str().to_owned(),
        }
    }
}

/// A list of findings.
pub(crate) fn findings<'py>(py: Python<'py>, found: &[CoreFinding]) -> PyResult<Bound<'py, PyList>> {
    let found: PyResult<Vec<_>> = found.iter().map(|it| Bound::new(py, Finding::from(it))).collect();
    PyList::new(py, found?)
}

record! {
    /// What `server:join_office` and the like answered.
    EventResult {
        /// Whether it succeeded.
        ok: bool as flag,
        /// The reason, where it is a text.
        message: Option<String> as maybe_text,
    }
}

impl From<&CoreEvent> for EventResult {
    fn from(event: &CoreEvent) -> Self {
        Self { ok: event.ok, message: event.message.clone() }
    }
}

/// The view of a JSON-RPC error.
#[pyclass(frozen, get_all, module = "ackguard")]
pub(crate) struct RpcErrorView {
    /// Always `"protocol_error"`.
    error_code: String,
    /// The JSON-RPC number, where it is an integer.
    rpc_code: Option<i128>,
    /// The number's name, such as `"authentication_required"`.
    name: Option<String>,
    /// The peer's message, where it is a text.
    message: Option<String>,
    /// The id of the request.
    id: Py<PyAny>,
    /// What is wrong with the frame, if it breaks JSON-RPC.
    problem: Option<String>,
}

#[pymethods]
impl RpcErrorView {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.id)
    }

    fn __repr__(&self) -> String {
        // The message is the peer's and may hold anything.
        let code = self.rpc_code.map_or("None".to_owned(), |code| code.to_string());
        let name = self.name.as_deref().map_or("None".to_owned(), |name| format!("'{name}'"));
        format!("RpcErrorView(rpc_code={code}, name={name})")
    }
}

impl RpcErrorView {
    pub(crate) fn new(py: Python<'_>, view: &RpcView) -> PyResult<Self> {
        let id = match &view.id {
            Some(ackguard::acp::RpcId::Integer(integer)) => integer.into_pyobject(py)?.into_any().unbind(),
            Some(id) => from_json(py, &id.to_value())?.unbind(),
            None => py.None(),
        };
        Ok(Self {
            error_code: "protocol_error".to_owned(),
            rpc_code: view.rpc_code,
            name: view.name.map(str::to_owned),
            message: view.message.clone(),
            id,
            problem: view.problem.map(|it| it.as_str().to_owned()),
        })
    }
}

/// A clean value and what was found in the one that it was made from.
#[pyclass(frozen, get_all, module = "ackguard")]
pub(crate) struct Scrubbed {
    /// The clean value.
    pub(crate) value: Py<PyAny>,
    /// What was found, as a list of `Finding`.
    pub(crate) findings: Py<PyList>,
}

#[pymethods]
impl Scrubbed {
    #[new]
    fn new(value: Py<PyAny>, #[pyo3(from_py_with = named::list::findings)] findings: Py<PyList>) -> Self {
        Self { value, findings }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.value)?;
        visit.call(&self.findings)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.value.bind(py).clone();
        shown("Scrubbed", &[("value", value), ("findings", self.findings.bind(py).clone().into_any())])
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.value.bind(py).eq(&other.value)? && self.findings.bind(py).eq(&other.findings)?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Py<PyAny>, Py<PyList>)) {
        (py.get_type::<Self>(), (self.value.clone_ref(py), self.findings.clone_ref(py)))
    }
}

impl Scrubbed {
    pub(crate) fn made(py: Python<'_>, value: Py<PyAny>, found: &[CoreFinding]) -> PyResult<Self> {
        Ok(Self { value, findings: findings(py, found)?.unbind() })
    }
}
