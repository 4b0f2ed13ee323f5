//! Python objects made from what the core read.

use std::convert::Infallible;

use ackguard::host::{self, Build, Node, View};
use ackguard::json::TextNode;
use ackguard::payload::MAX_DEPTH;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};
use serde_json::Value;

use crate::node::{Memo, PyNode};

/// Makes dicts, lists and Python's own scalars. A scalar of a Python object stays the object that it is.
pub(crate) struct ToPython<'py> {
    py: Python<'py>,
    /// What went wrong where the host's own reading cannot.
    failed: Option<PyErr>,
}

impl<'py> ToPython<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self { py, failed: None }
    }

    /// What was made, or what went wrong on the way.
    pub(crate) fn finish<T>(self, made: T) -> PyResult<T> {
        match self.failed {
            None => Ok(made),
            Some(error) => Err(error),
        }
    }

    fn list(&self, items: Vec<Py<PyAny>>) -> PyResult<Py<PyAny>> {
        Ok(PyList::new(self.py, items)?.into_any().unbind())
    }

    fn dict(&self, members: Vec<(String, Py<PyAny>)>) -> PyResult<Py<PyAny>> {
        let dict = PyDict::new(self.py);
        for (name, value) in members {
            dict.set_item(name, value)?;
        }
        Ok(dict.into_any().unbind())
    }

    fn number(&self, view: &View<'_>, digits: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        Ok(match view {
            View::Bool(it) => it.into_pyobject(py)?.to_owned().into_any(),
            View::Integer(it) => it.into_pyobject(py)?.into_any(),
            View::BigInteger(float) => {
                // Python refuses to read more than some thousand digits, to save time; then the double has to do.
                let whole = digits.and_then(|digits| py.get_type::<PyInt>().call1((digits,)).ok());
                whole.unwrap_or_else(|| PyFloat::new(py, *float).into_any())
            }
            View::Float(float) => PyFloat::new(py, *float).into_any(),
            View::String(text) => PyString::new(py, text).into_any(),
            View::Null | View::Array | View::Object | View::Opaque => py.None().into_bound(py),
        })
    }

    fn kept(&mut self, made: PyResult<Py<PyAny>>) -> Result<Py<PyAny>, Infallible> {
        Ok(made.unwrap_or_else(|error| {
            self.failed.get_or_insert(error);
            self.py.None()
        }))
    }
}

impl Build<PyNode<'_>> for ToPython<'_> {
    type Value = Py<PyAny>;

    fn scalar(&mut self, node: &PyNode<'_>) -> PyResult<Self::Value> {
        if node.is_cut() {
            return Ok(PyString::new(self.py, host::CUT).into_any().unbind());
        }
        Ok(node.object().clone().unbind())
    }
    fn string(&mut self, text: &str) -> PyResult<Self::Value> {
        Ok(PyString::new(self.py, text).into_any().unbind())
    }
    fn array(&mut self, items: Vec<Self::Value>) -> PyResult<Self::Value> {
        self.list(items)
    }
    fn object(&mut self, members: Vec<(String, Self::Value)>) -> PyResult<Self::Value> {
        self.dict(members)
    }

    fn object_for(
        &mut self,
        node: &PyNode<'_>,
        members: Vec<(String, Self::Value)>,
    ) -> PyResult<Self::Value> {
        match changed(node.object(), &members)? {
            Some(copy) => Ok(copy.into_any().unbind()),
            None => self.dict(members),
        }
    }
}

/// A copy of a dict with these members, if it has the same names in the same order. That is three times as fast as a new
/// one, since the names are there, and their hashes.
fn changed<'py>(
    object: &Bound<'py, PyAny>,
    members: &[(String, Py<PyAny>)],
) -> PyResult<Option<Bound<'py, PyDict>>> {
    // What derives from dict may have code of its own for this.
    let Ok(dict) = object.cast_exact::<PyDict>() else { return Ok(None) };
    // What we look at is ours: the dict itself may have been changed since it was read.
    let copy = dict.copy()?;
    if copy.len() != members.len() {
        return Ok(None);
    }
    let mut others = Vec::new();
    for ((key, value), (name, made)) in copy.iter().zip(members) {
        match key.cast_exact::<PyString>().map(|key| key.to_str()) {
            Ok(Ok(text)) if text == name => {}
            _ => return Ok(None),
        }
        if !value.is(made) {
            others.push((key, made));
        }
    }
    for (key, made) in others {
        copy.set_item(key, made)?;
    }
    Ok(Some(copy))
}

fn digits_of<'t>(node: &TextNode<'t>) -> Option<&'t str> {
    Some(node.as_str())
}

fn no_digits(_: &&Value) -> Option<&'static str> {
    None
}

macro_rules! build_from_plain {
    ($node:ty, $digits:expr) => {
        impl Build<$node> for ToPython<'_> {
            type Value = Py<PyAny>;

            fn scalar(&mut self, node: &$node) -> Result<Self::Value, Infallible> {
                let view = node.view()?;
                let made = self.number(&view, $digits(node)).map(Bound::unbind);
                self.kept(made)
            }
            fn string(&mut self, text: &str) -> Result<Self::Value, Infallible> {
                Ok(PyString::new(self.py, text).into_any().unbind())
            }
            fn array(&mut self, items: Vec<Self::Value>) -> Result<Self::Value, Infallible> {
                let made = self.list(items);
                self.kept(made)
            }
            fn object(&mut self, members: Vec<(String, Self::Value)>) -> Result<Self::Value, Infallible> {
                let made = self.dict(members);
                self.kept(made)
            }
        }
    };
}
build_from_plain!(TextNode<'_>, digits_of);
build_from_plain!(&Value, no_digits);

/// A JSON value as Python objects.
pub(crate) fn from_json<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let mut build = ToPython::new(py);
    // Two levels more than anything that the core hands out has.
    let Ok((made, _)) = host::copy(&value, &mut build, MAX_DEPTH + 2);
    Ok(build.finish(made)?.into_bound(py))
}

/// A Python object as a JSON value, for what the core makes of it.
pub(crate) fn to_json(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let memo = Memo::default();
    Ok(host::copy(&PyNode::root(value, &memo)?, &mut host::ToJson, MAX_DEPTH)?.0)
}

/// A word of a closed set, by an argument's name.
pub(crate) fn unknown_word(name: &str, problem: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("argument '{name}': {problem}"))
}
