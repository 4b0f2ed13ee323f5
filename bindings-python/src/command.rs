//! Counting, and the command line.

use std::ffi::OsString;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ackguard::payload::Kind;
use ackguard::tally::{AttributeValue, Tally as Core};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arguments::{self, caught};
use crate::classified::{Classified, classify};

/// Counts classified payloads by kind, code, reason and outcome. Safe to use from many threads.
#[pyclass(frozen, module = "ackguard")]
pub(crate) struct Tally(Mutex<Core>);

impl Tally {
    fn lock(&self) -> MutexGuard<'_, Core> {
        // A count that a panic kept from being made is missing; nothing is half made.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Tally {
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }

    /// Counts one payload: a `Classified`, or a value to classify.
    #[pyo3(signature = (payload, *, dialect=None), text_signature = "($self, payload, *, dialect='0.2')")]
    fn add(&self, payload: &Bound<'_, PyAny>, dialect: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        caught(|| {
            // The lock is taken when nothing of the host's runs any more.
            let mut one = Core::new();
            match payload.cast::<Classified>() {
                Ok(classified) => classified.get().count(payload.py(), &mut one)?,
                Err(_) => classify(payload, dialect)?.get().count(payload.py(), &mut one)?,
            }
            self.lock().merge(&one);
            Ok(())
        })
    }

    /// Adds everything that another tally has counted.
    fn merge(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let tally = other.cast::<Self>().map_err(|_| arguments::wrong_type("other", "Tally", other))?;
        let counted = tally.get().lock().clone();
        self.lock().merge(&counted);
        Ok(())
    }

    /// How many payloads were counted.
    #[getter]
    fn total(&self) -> u64 {
        self.lock().total()
    }

    /// How many there were of each kind.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let kinds = PyDict::new(py);
        let tally = self.lock().clone();
        for kind in Kind::ALL.iter().filter(|kind| tally.of_kind(**kind) > 0) {
            kinds.set_item(kind.as_str(), tally.of_kind(*kind))?;
        }
        Ok(kinds)
    }

    /// The rows as OpenTelemetry has them: attributes of a measurement, named by its semantic conventions where they
    /// have a name, and the count.
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let tally = self.lock().clone();
        let rows = PyList::empty(py);
        for (row, count) in tally.rows() {
            let attributes = PyDict::new(py);
            for (name, value) in row.attributes() {
                match value {
                    AttributeValue::Text(text) => attributes.set_item(name, text)?,
                    AttributeValue::Number(number) => attributes.set_item(name, number)?,
                    _ => {}
                }
            }
            rows.append((attributes, count))?;
        }
        Ok(rows)
    }

    /// Everything as JSON.
    fn to_json(&self) -> String {
        self.lock().to_json()
    }

    /// Everything in the Prometheus text format.
    fn to_prometheus(&self) -> String {
        self.lock().to_prometheus()
    }

    fn __str__(&self) -> String {
        self.lock().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Tally of {} payloads>", self.total())
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        let other = other.get().lock().clone();
        *self.lock() == other
    }
}

/// Runs the command `ackguard` on the process's own streams and gives its exit code.
#[pyfunction]
pub(crate) fn _main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<i32> {
    caught(|| Ok(py.detach(|| ackguard::cli::main(arguments))))
}
