//! The PyCapsule protocol of Arrow. This is the one place that takes a foreign structure at its word.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayReader, ArrayRef, RecordBatch, RecordBatchReader, StructArray, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::ptr;

use super::failed;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The arrays of an input: one, or a stream of them.
pub(super) enum Arrays {
    One(DataType, Option<ArrayRef>),
    Stream(Box<ArrayStreamReader>),
}

impl Arrays {
    /// Of any object that can be asked for Arrow data.
    pub(super) fn of(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        // An array gives itself at once; what has several gives a stream.
        if let Some(export) = method(source, "__arrow_c_array__")? {
            let pair = export.call0()?;
            let (schema, array) =
                pair.cast::<PyTuple>()?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
            let schema = taken::<FFI_ArrowSchema>(&schema, SCHEMA)?;
            let array = taken::<FFI_ArrowArray>(&array, ARRAY)?;
            // SAFETY: both come from capsules of the protocol's names, whose producer promises that they are a
            // valid pair.
            #[allow(unsafe_code)]
            let data = unsafe { from_ffi(array, &schema) }.map_err(|error| failed(&error))?;
            return Ok(Self::One(data.data_type().clone(), Some(make_array(data))));
        }
        if let Some(export) = method(source, "__arrow_c_stream__")? {
            let stream = taken::<FFI_ArrowArrayStream>(&export.call0()?, STREAM)?;
            let reader = ArrayStreamReader::try_new(stream).map_err(|error| failed(&error))?;
            return Ok(Self::Stream(Box::new(reader)));
        }
        let class = source.get_type().qualname()?;
        let expected =
            "an Arrow array, a chunked array, a column of a data frame, a table or a stream of batches";
        Err(PyTypeError::new_err(format!("argument 'values': expected {expected}, not {class}")))
    }

    pub(super) fn data_type(&self) -> &DataType {
        match self {
            Self::One(data_type, _) => data_type,
            Self::Stream(reader) => reader.field().data_type(),
        }
    }

    pub(super) fn next(&mut self) -> Option<Result<ArrayRef, ArrowError>> {
        match self {
            Self::One(_, array) => array.take().map(Ok),
            Self::Stream(reader) => reader.next(),
        }
    }
}

fn method<'py>(source: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    // A class has the method as well, but cannot give anything.
    if source.is_instance_of::<pyo3::types::PyType>() {
        return Ok(None);
    }
    source.getattr_opt(name)
}

/// A structure of the C data interface that can be moved out of a capsule.
trait Foreign: Sized {
    /// What is left behind: a structure that has been released.
    fn released() -> Self;
}
impl Foreign for FFI_ArrowSchema {
    fn released() -> Self {
        Self::empty()
    }
}
impl Foreign for FFI_ArrowArray {
    fn released() -> Self {
        Self::empty()
    }
}
impl Foreign for FFI_ArrowArrayStream {
    fn released() -> Self {
        Self::empty()
    }
}

fn taken<T: Foreign>(capsule: &Bound<'_, PyAny>, name: &'static CStr) -> PyResult<T> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    // SAFETY: by the protocol a capsule of this name points to such a structure, and whoever is given the capsule
    // may move the structure out of it and leave a released one; the interpreter is attached, so nobody else does.
    #[allow(unsafe_code)]
    Ok(unsafe { ptr::replace(pointer.as_ptr(), T::released()) })
}

/// The capsules of a batch: its schema and its data.
pub(super) fn of_batch(
    py: Python<'_>,
    batch: RecordBatch,
) -> PyResult<(Bound<'_, PyCapsule>, Bound<'_, PyCapsule>)> {
    let (array, schema) = to_ffi(&StructArray::from(batch).to_data()).map_err(|error| failed(&error))?;
    // What is not moved out of the capsules is released with them.
    Ok((PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}

/// The capsule of a stream.
pub(super) fn of_stream(
    py: Python<'_>,
    batches: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
}
