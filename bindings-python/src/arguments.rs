//! What callers may give: dialects, locales, bytes or text.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ackguard::{Dialect, Locale};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyList, PyMemoryView, PyString};

use crate::errors;

/// Runs an entry of the module: a panic becomes an `InternalError`.
pub(crate) fn caught<T>(run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    // What a panic leaves behind is dropped with the call; nothing of it is looked at again.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<&str>().copied().map(str::to_owned);
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(errors::internal(said.as_deref().unwrap_or("unknown panic")))
    })
}

pub(crate) fn wrong_type(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let class = value.get_type().qualname().map_or_else(|_| "?".to_owned(), |it| it.to_string());
    PyTypeError::new_err(format!("argument '{name}': expected {expected}, not {class}"))
}

/// The argument `dialect`, such as `"0.2"`.
pub(crate) fn dialect(value: Option<&Bound<'_, PyAny>>) -> PyResult<Dialect> {
    let Some(value) = value else { return Ok(Dialect::default()) };
    let text = text(value, "dialect")?;
    text.parse().map_err(|error| PyValueError::new_err(format!("argument 'dialect': {error}")))
}

/// The argument `locale`, a BCP 47 tag.
pub(crate) fn locale(value: Option<&Bound<'_, PyAny>>) -> PyResult<Locale> {
    let Some(value) = value else { return Ok(Locale::default()) };
    Ok(Locale::from_tag(&text(value, "locale")?))
}

/// A str, with each lone surrogate as U+FFFD.
pub(crate) fn text(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(crate::text::lossy(text)),
        Err(_) => Err(wrong_type(name, "str", value)),
    }
}

/// A str or None.
pub(crate) fn optional_text(value: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<String>> {
    match value {
        Some(value) if !value.is_none() => text(value, name).map(Some),
        _ => Ok(None),
    }
}

/// A bool.
pub(crate) fn flag(value: &Bound<'_, PyAny>, name: &str) -> PyResult<bool> {
    value.extract().map_err(|_| wrong_type(name, "bool", value))
}

/// An int from 0 on.
pub(crate) fn size(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u64> {
    u64::try_from(whole(value, name)?).map_err(|_| {
        PyValueError::new_err(format!("argument '{name}': expected an integer from 0 to 2^64-1"))
    })
}

/// An int that counts something.
pub(crate) fn count(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u32> {
    u32::try_from(whole(value, name)?).map_err(|_| {
        PyValueError::new_err(format!("argument '{name}': expected an integer from 0 to 2^32-1"))
    })
}

/// Seconds, as an int or a float. A bool is no number here either.
pub(crate) fn seconds(value: &Bound<'_, PyAny>, name: &str) -> PyResult<f64> {
    let number = if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() };
    number.ok_or_else(|| wrong_type(name, "a number of seconds", value))
}

/// A list.
pub(crate) fn list(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Py<PyList>> {
    let list = value.cast::<PyList>().map_err(|_| wrong_type(name, "list", value))?;
    Ok(list.clone().unbind())
}

/// What a reader makes of a value, or None of None.
fn maybe<'py, T>(
    value: &Bound<'py, PyAny>,
    name: &str,
    read: impl FnOnce(&Bound<'py, PyAny>, &str) -> PyResult<T>,
) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { read(value, name).map(Some) }
}

/// A str or None.
pub(crate) fn maybe_text(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<String>> {
    maybe(value, name, text)
}

/// An int from 0 on, or None.
pub(crate) fn maybe_size(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<u64>> {
    maybe(value, name, size)
}

/// Seconds or None.
pub(crate) fn maybe_seconds(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<f64>> {
    maybe(value, name, seconds)
}

/// A list or None.
pub(crate) fn maybe_list(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Py<PyList>>> {
    maybe(value, name, list)
}

/// An int that fits 64 bits, or None.
pub(crate) fn maybe_integer(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<i64>> {
    maybe(value, name, |value, name| {
        integer(value, name)?
            .ok_or_else(|| PyValueError::new_err(format!("argument '{name}': does not fit 64 bits")))
    })
}

/// An int of any size that is not a bool.
pub(crate) fn whole(value: &Bound<'_, PyAny>, name: &str) -> PyResult<i128> {
    use ackguard::host::{Node, View};
    match crate::node::PyNode::root(value, &crate::node::Memo::default())?.view()? {
        View::Integer(integer) => Ok(integer),
        // Beyond every size there is, on its own side.
        View::BigInteger(float) => Ok(if float < 0.0 { i128::MIN } else { i128::MAX }),
        _ => Err(wrong_type(name, "int", value)),
    }
}

/// An int, not a bool; `None` for one that no `i64` holds.
pub(crate) fn integer(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<i64>> {
    use ackguard::host::{Node, View};
    match crate::node::PyNode::root(value, &crate::node::Memo::default())?.view()? {
        View::Integer(integer) => Ok(i64::try_from(integer).ok()),
        View::BigInteger(_) => Ok(None),
        _ => Err(wrong_type(name, "int", value)),
    }
}

/// Bytes or text, borrowed from the object where it cannot change.
pub(crate) enum Input {
    Bytes(PyBackedBytes),
    Text(PyBackedStr),
    Copied(Vec<u8>),
}

impl Input {
    pub(crate) fn new(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone().into()));
        }
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(match PyBackedStr::try_from(text.clone()) {
                Ok(text) => Self::Text(text),
                // A lone surrogate is no text: 0xFF is in no UTF-8, so that this is not JSON either.
                Err(_) => Self::Copied(vec![0xFF]),
            });
        }
        if let Ok(array) = value.cast::<PyByteArray>() {
            return Ok(Self::Copied(array.to_vec()));
        }
        if value.is_instance_of::<PyMemoryView>() {
            let bytes = value.py().get_type::<PyBytes>().call1((value,))?;
            if let Ok(bytes) = bytes.cast::<PyBytes>() {
                return Ok(Self::Bytes(bytes.clone().into()));
            }
        }
        Err(wrong_type(name, "bytes, bytearray, memoryview or str", value))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Text(text) => text.as_bytes(),
            Self::Copied(bytes) => bytes,
        }
    }
}

/// Inputs of more bytes than this are read without holding the interpreter up.
pub(crate) const BIG: usize = 16 * 1024;

/// Runs what needs no Python, and lets other threads go on meanwhile if it is much.
pub(crate) fn without_python<T: Send>(py: Python<'_>, size: usize, run: impl Send + FnOnce() -> T) -> T {
    if size > BIG { py.detach(run) } else { run() }
}
