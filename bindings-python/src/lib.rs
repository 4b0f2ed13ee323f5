//! The extension module behind the Python package `ackguard`.
//!
//! Conversions and Python's manners, no rule: the rules are the core's, read through [`node`].

mod arguments;
mod build;
mod classified;
mod errors;
mod node;
mod payload;
mod records;
mod text;

use pyo3::prelude::*;

/// Panics, so that a test can see what becomes of it.
#[pyfunction]
#[allow(clippy::panic)]
fn _panic() -> PyResult<()> {
    arguments::caught(|| panic!("on purpose"))
}

/// The extension module: private, use `ackguard`.
#[pymodule(gil_used = false)]
mod _native {
    use super::*;

    #[pymodule_export]
    use super::_panic;
    #[pymodule_export]
    use super::classified::{Classified, classify, classify_ack_args, classify_json, raise_for_error};
    #[pymodule_export]
    use super::payload::{_error_payload, ErrorPayload, ToolResult};
    #[pymodule_export]
    use super::records::{EventResult, Finding, RetryAdvice, RpcErrorView, Scrubbed};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("VERSION", ackguard::VERSION)?;
        module.add("PROTOCOL_VERSION", ackguard::PROTOCOL_VERSION)
    }
}
