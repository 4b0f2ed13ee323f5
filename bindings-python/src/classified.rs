//! `classify` and its siblings.

use std::sync::OnceLock;

use ackguard::Dialect;
use ackguard::json::TextNode;
use ackguard::payload::{Classified as Core, Kind, Verdict, classify_ack_args as core_ack_args};
use ackguard::payload::{classify_json as core_json, decide};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyTuple};
use self_cell::self_cell;

use crate::arguments::{Input, caught, dialect, without_python};
use crate::build::ToPython;
use crate::errors;
use crate::node::{Memo, PyNode};
use crate::payload::{ErrorPayload, ToolResult};
use crate::records::{EventResult, RetryAdvice, RpcErrorView};

type OfText<'a> = Core<TextNode<'a>>;

self_cell!(
    /// A classified text together with the text.
    struct TextCell {
        owner: Input,
        #[not_covariant]
        dependent: OfText,
    }
);

enum Source {
    /// A Python object: the verdict, the object where a view needs it, and what it has answered.
    Host(Verdict, Option<Py<PyAny>>, Memo),
    Text(TextCell),
}

/// Does the same with either source.
macro_rules! with_core {
    ($self:expr, $py:expr, $core:ident => $do:expr) => {
        match &$self.source {
            Source::Host(verdict, object, memo) => {
                let object =
                    object.as_ref().map(|object| PyNode::root(object.bind($py), memo)).transpose()?;
                let $core = &verdict.about(object)?;
                $do
            }
            Source::Text(cell) => cell.with_dependent(|_, $core| $do),
        }
    };
}

/// A core result that may fail, or cannot, as a Python one.
trait Fallible<T> {
    fn py(self) -> PyResult<T>;
}
impl<T> Fallible<T> for PyResult<T> {
    fn py(self) -> Self {
        self
    }
}
impl<T> Fallible<T> for Result<T, std::convert::Infallible> {
    fn py(self) -> PyResult<T> {
        let Ok(value) = self;
        Ok(value)
    }
}

/// A payload's verdict. The typed views are read when they are asked for, once.
#[pyclass(frozen, module = "ackguard")]
pub(crate) struct Classified {
    source: Source,
    /// Apart, because most verdicts are asked for nothing but their kind.
    views: OnceLock<Box<Views>>,
}

#[derive(Default)]
struct Views {
    error: OnceLock<Option<Py<ErrorPayload>>>,
    tool_result: OnceLock<Option<Py<ToolResult>>>,
    rpc_error: OnceLock<Option<Py<RpcErrorView>>>,
    violations: OnceLock<Py<PyTuple>>,
    retry: OnceLock<Option<Py<RetryAdvice>>>,
}

/// What is in the cell, or what is made for it. Of two threads that make it the first one's is kept: nobody waits
/// for a cell while Python code runs.
fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> PyResult<T>) -> PyResult<&T> {
    match cell.get() {
        Some(made) => Ok(made),
        None => {
            let made = make()?;
            Ok(cell.get_or_init(|| made))
        }
    }
}

impl Views {
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.error.get().and_then(Option::as_ref))?;
        visit.call(self.tool_result.get().and_then(Option::as_ref))?;
        visit.call(self.rpc_error.get().and_then(Option::as_ref))?;
        visit.call(self.violations.get())?;
        visit.call(self.retry.get().and_then(Option::as_ref))
    }
}

fn kind_text(py: Python<'_>, kind: Kind) -> &Bound<'_, PyString> {
    static NAMES: [PyOnceLock<Py<PyString>>; Kind::ALL.len()] =
        [const { PyOnceLock::new() }; Kind::ALL.len()];
    let index = Kind::ALL.iter().position(|it| *it == kind).unwrap_or_default();
    // The array has a place for each kind.
    #[allow(clippy::indexing_slicing)]
    NAMES[index].get_or_init(py, || PyString::intern(py, kind.as_str()).unbind()).bind(py)
}

impl Classified {
    fn new(source: Source) -> Self {
        Self { source, views: OnceLock::new() }
    }

    fn views(&self) -> &Views {
        self.views.get_or_init(Box::default)
    }

    /// Classifies a Python object.
    #[inline]
    fn of_object(value: &Bound<'_, PyAny>, dialect: Dialect) -> PyResult<Self> {
        let memo = Memo::default();
        let (verdict, object) = {
            let node = PyNode::root(value, &memo)?;
            let verdict = decide(&node, dialect)?;
            let object = verdict.needs_value().then(|| node.object().clone().unbind());
            (verdict, object)
        };
        Ok(Self::new(Source::Host(verdict, object, memo)))
    }

    pub(crate) fn of_text(py: Python<'_>, input: Input, dialect: Dialect) -> Self {
        let size = input.bytes().len();
        let cell =
            without_python(py, size, || TextCell::new(input, |input| core_json(input.bytes(), dialect)));
        Self::new(Source::Text(cell))
    }

    pub(crate) fn kind_of(&self) -> Kind {
        match &self.source {
            Source::Host(verdict, ..) => verdict.kind(),
            Source::Text(cell) => cell.with_dependent(|_, core| core.kind()),
        }
    }

    /// Counts this payload.
    pub(crate) fn count(&self, py: Python<'_>, tally: &mut ackguard::tally::Tally) -> PyResult<()> {
        with_core!(self, py, core => tally.try_add(core).py())
    }

    fn dialect_of(&self) -> Dialect {
        match &self.source {
            Source::Host(verdict, ..) => verdict.dialect(),
            Source::Text(cell) => cell.with_dependent(|_, core| core.dialect()),
        }
    }

    fn error_of(&self, py: Python<'_>) -> PyResult<&Option<Py<ErrorPayload>>> {
        once(&self.views().error, || {
            let mut build = ToPython::new(py);
            let dialect = self.dialect_of();
            let parts = with_core!(self, py, core => core.try_error_with(&mut build).py())?;
            let Some(parts) = build.finish(parts)? else { return Ok(None) };
            Py::new(py, ErrorPayload::from_parts(py, parts, dialect)?).map(Some)
        })
    }

    fn violations_of<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let found = once(&self.views().violations, || {
            let found = with_core!(self, py, core => core.try_violations().py())?;
            Ok::<_, PyErr>(PyTuple::new(py, found.iter().map(|it| it.text()))?.unbind())
        })?;
        Ok(found.bind(py).clone())
    }
}

#[pymethods]
impl Classified {
    /// What the payload is: `"error"`, `"tool_result"`, `"event_result"`, `"rpc_error"`, `"malformed_error"`,
    /// `"none"`, `"data"` or `"invalid"`.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        kind_text(py, self.kind_of()).clone()
    }

    /// For `"error"`: the typed error.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, ErrorPayload>>> {
        caught(|| Ok(self.error_of(py)?.as_ref().map(|it| it.bind(py).clone())))
    }

    /// For `"tool_result"`: how the call ended, with the hint already scrubbed.
    #[getter]
    fn tool_result<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, ToolResult>>> {
        caught(|| {
            let made = once(&self.views().tool_result, || {
                let mut build = ToPython::new(py);
                let result = with_core!(self, py, core => core.try_tool_result(&mut build).py())?;
                let Some(result) = build.finish(result)? else { return Ok(None) };
                Py::new(py, ToolResult::made(py, result)?).map(Some)
            })?;
            Ok(made.as_ref().map(|it| it.bind(py).clone()))
        })
    }

    /// For `"event_result"`: whether it succeeded, and the reason.
    #[getter]
    fn event_result(&self) -> Option<EventResult> {
        match &self.source {
            Source::Host(verdict, ..) => verdict.event_result().map(Into::into),
            Source::Text(cell) => cell.with_dependent(|_, core| core.event_result().map(Into::into)),
        }
    }

    /// For `"rpc_error"`: the JSON-RPC error.
    #[getter]
    fn rpc_error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, RpcErrorView>>> {
        caught(|| {
            let made = once(&self.views().rpc_error, || {
                let view = with_core!(self, py, core => core.try_rpc_error().py())?;
                view.map(|view| Py::new(py, RpcErrorView::new(py, &view)?)).transpose()
            })?;
            Ok(made.as_ref().map(|it| it.bind(py).clone()))
        })
    }

    /// What breaks the contract although it could be understood, such as `"message_missing"` or
    /// `"field_type:capability"`.
    #[getter]
    fn violations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        caught(|| Ok(self.violations_of(py)?.to_list()))
    }

    /// The retry advice, for every kind that has one.
    #[getter]
    fn retry<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, RetryAdvice>>> {
        caught(|| {
            let made = once(&self.views().retry, || {
                let advice = with_core!(self, py, core => core.try_retry().py())?;
                advice.map(|advice| Py::new(py, RetryAdvice::from(advice))).transpose()
            })?;
            Ok(made.as_ref().map(|it| it.bind(py).clone()))
        })
    }

    /// A payload may hold its own verdict: then the two go together.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Source::Host(_, object, memo) = &self.source {
            visit.call(object)?;
            memo.traverse(&visit)?;
        }
        if let Some(views) = self.views.get() {
            views.traverse(&visit)?;
        }
        Ok(())
    }

    fn __repr__(&self) -> String {
        let code = match &self.source {
            Source::Host(verdict, ..) => verdict.code(),
            Source::Text(cell) => cell.with_dependent(|_, core| core.code()),
        };
        match code {
            Some(code) => format!("Classified(kind='{}', code={code})", self.kind_of()),
            None => format!("Classified(kind='{}')", self.kind_of()),
        }
    }
}

/// Classifies any Python object, as a parser gave it. Never fails on content; an exception raised by the
/// object's own code passes through unchanged.
#[pyfunction]
#[pyo3(signature = (value, *, dialect=None), text_signature = "(value, *, dialect='0.2')")]
pub(crate) fn classify<'py>(
    value: &Bound<'py, PyAny>,
    dialect: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Classified>> {
    // The object is made in here: what leaves is a pointer.
    caught(|| Bound::new(value.py(), Classified::of_object(value, self::dialect(dialect)?)?))
}

/// Classifies JSON text: bytes, bytearray, memoryview or str. What is not JSON is of kind `"invalid"`.
#[pyfunction]
#[pyo3(signature = (text, *, dialect=None), text_signature = "(text, *, dialect='0.2')")]
pub(crate) fn classify_json(
    text: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
) -> PyResult<Classified> {
    caught(|| {
        let dialect = self::dialect(dialect)?;
        Ok(Classified::of_text(text.py(), Input::new(text, "text")?, dialect))
    })
}

/// Classifies the list of arguments with which some Socket.IO clients call an ack callback.
#[pyfunction]
#[pyo3(signature = (args, *, dialect=None), text_signature = "(args, *, dialect='0.2')")]
pub(crate) fn classify_ack_args(
    args: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
) -> PyResult<Classified> {
    caught(|| {
        let dialect = self::dialect(dialect)?;
        let memo = Memo::default();
        let nodes = crate::node::arguments(args, &memo)?;
        let (verdict, node) = core_ack_args(&nodes, dialect)?.into_parts();
        let object = node.map(|node| node.object().clone().unbind());
        drop(nodes);
        Ok(Classified::new(Source::Host(verdict, object, memo)))
    })
}

/// Raises the `ProtocolError` (or its subclass) of an `"error"`, and `MalformedErrorPayload` for a malformed
/// one. Returns None for everything else.
#[pyfunction]
#[pyo3(signature = (value, *, dialect=None), text_signature = "(value, *, dialect='0.2')")]
pub(crate) fn raise_for_error(value: &Bound<'_, PyAny>, dialect: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    caught(|| {
        let py = value.py();
        let given = value.cast::<Classified>().ok().map(|it| it.clone().unbind());
        let classified = match given {
            Some(classified) => classified,
            None => classify(value, dialect)?.unbind(),
        };
        let classified = classified.get();
        match classified.kind_of() {
            Kind::Error => match classified.error_of(py)? {
                Some(payload) => Err(errors::protocol(payload.bind(py).clone().into_any())),
                None => Ok(()),
            },
            Kind::MalformedError => Err(errors::malformed(&classified.violations_of(py)?)),
            _ => Ok(()),
        }
    })
}
