//! Columns of texts, read and made over the Arrow C data interface: no object per row, no lock of the interpreter.

mod capsule;
mod columns;
mod texts;

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use ackguard::batch::Scrub;
use ackguard::scrub::HintPolicy;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arguments::{self, caught, dialect};
use crate::named;
use capsule::Arrays;
use columns::Task;
use texts::{Column, Texts};

/// A failure of an input or of Arrow, as a `ValueError`.
fn failed(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The batches of an input, each worked through when it is asked for.
struct Batches {
    arrays: Arrays,
    column: Column,
    task: Task,
    schema: SchemaRef,
    threads: usize,
}

impl Batches {
    fn of(
        source: &Bound<'_, PyAny>,
        column: Option<String>,
        task: Task,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let arrays = Arrays::of(source)?;
        let column = Column::find(arrays.data_type(), column.as_deref()).map_err(PyTypeError::new_err)?;
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let schema = task.schema(&column);
        Ok(Self { arrays, column, task, schema, threads: threads.unwrap_or_else(cores).max(1) })
    }

    fn step(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let array = match self.arrays.next()? {
            Ok(array) => array,
            Err(error) => return Some(Err(error)),
        };
        let texts = Texts::of(&array, &self.column);
        Some(self.task.run(&texts, self.schema.clone(), self.threads))
    }

    /// Everything in one batch.
    fn whole(mut self) -> Result<RecordBatch, ArrowError> {
        let mut batches = Vec::new();
        for batch in self.by_ref() {
            batches.push(batch?);
        }
        columns::join(batches, self.schema)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // Whoever asks may be no Rust code, where a panic must not go.
        catch_unwind(AssertUnwindSafe(|| self.step()))
            .unwrap_or_else(|_| Some(Err(ArrowError::ComputeError("ackguard panicked".to_owned()))))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// What is asked of an input, to be taken once: as a stream of batches or as one batch.
#[pyclass(frozen, module = "ackguard._native")]
pub(crate) struct ArrowResult(Mutex<Option<Batches>>);

impl ArrowResult {
    fn take(&self) -> PyResult<Batches> {
        let mut batches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        batches.take().ok_or_else(|| PyValueError::new_err("the result has been taken already"))
    }
}

#[pymethods]
impl ArrowResult {
    /// All rows in one batch: a capsule of its schema and one of its data.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A producer that cannot convert may leave the request be.
        let _ = requested_schema;
        caught(|| {
            let batches = self.take()?;
            let batch = py.detach(|| batches.whole()).map_err(|error| failed(&error))?;
            capsule::of_batch(py, batch)
        })
    }

    /// The batches of the input, one after another, in a capsule.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        caught(|| capsule::of_stream(py, self.take()?))
    }
}

fn result(
    source: &Bound<'_, PyAny>,
    column: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    task: Task,
) -> PyResult<ArrowResult> {
    let column = arguments::optional_text(column, "column")?;
    let threads = match threads.filter(|it| !it.is_none()) {
        Some(given) => {
            let count = arguments::integer(given, "threads")?.filter(|count| *count > 0);
            let count =
                count.ok_or_else(|| PyValueError::new_err("argument 'threads': at least 1 is needed"))?;
            Some(usize::try_from(count).unwrap_or(usize::MAX))
        }
        None => None,
    };
    Ok(ArrowResult(Mutex::new(Some(Batches::of(source, column, task, threads)?))))
}

/// Classifies each row of an Arrow input.
#[pyfunction]
#[pyo3(signature = (source, *, column=None, dialect=None, records=false, threads=None))]
pub(crate) fn _arrow_classify(
    source: &Bound<'_, PyAny>,
    column: Option<&Bound<'_, PyAny>>,
    dialect: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = named::flag::records)] records: bool,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<ArrowResult> {
    caught(|| {
        let dialect = self::dialect(dialect)?;
        result(source, column, threads, Task::Classify { dialect, records })
    })
}

/// Scrubs each row of an Arrow input.
#[pyfunction]
#[pyo3(signature = (source, *, column=None, rules=None, threads=None))]
pub(crate) fn _arrow_scrub(
    source: &Bound<'_, PyAny>,
    column: Option<&Bound<'_, PyAny>>,
    rules: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<ArrowResult> {
    caught(|| {
        let scrub = match arguments::optional_text(rules, "rules")?.as_deref() {
            None | Some("details") => Scrub::Details,
            Some("auth_hint") => Scrub::Hint(HintPolicy::Standard),
            Some("strict_auth_hint") => Scrub::Hint(HintPolicy::Strict),
            Some(_) => {
                let known = "one of 'details', 'auth_hint', 'strict_auth_hint' is needed";
                return Err(crate::build::unknown_word("rules", known));
            }
        };
        result(source, column, threads, Task::Scrub(scrub))
    })
}
