//! `ErrorPayload`: the core's, with `details` and further fields as Python's own values.

use ackguard::host;
use ackguard::payload::{
    ErrorParts, ErrorPayload as CorePayload, FieldPlace, MAX_DEPTH, MalformedErrorPayload, Outcome,
    ToolResult as CoreToolResult,
};
use ackguard::{Dialect, ErrorCode};
use pyo3::exceptions::PyKeyError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyString, PyTuple, PyType};

use crate::arguments::{self, caught};
use crate::build::{ToPython, from_json, to_json};
use crate::named;
use crate::node::{Memo, PyNode};
use crate::records::{RetryAdvice, findings};

/// A protocol error in the flat shape: `code`, `message`, the code's own fields, `details`.
///
/// `details` is for logs and debugging: show people `public_message()`, and log `log_fields()`. It is also a
/// read-only mapping of its wire shape in dialect 0.2, so that `dict(payload)` is what an ack carries.
#[pyclass(frozen, mapping, module = "ackguard")]
pub(crate) struct ErrorPayload {
    /// Without `details` and further fields.
    core: CorePayload,
    dialect: Dialect,
    details: Option<Py<PyDict>>,
    raw_details: Option<Py<PyAny>>,
    extra: Py<PyDict>,
}

/// A copy of a container and everything below it, scalars as they are.
fn copied<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let mut build = ToPython::new(value.py());
    let made = host::copy(&PyNode::root(value, &Memo::default())?, &mut build, MAX_DEPTH)?.0;
    Ok(build.finish(made)?.into_bound(value.py()))
}

impl ErrorPayload {
    pub(crate) fn from_parts(
        py: Python<'_>,
        (core, parts): (CorePayload, ErrorParts<Py<PyAny>>),
        dialect: Dialect,
    ) -> PyResult<Self> {
        let extra = PyDict::new(py);
        for (name, value) in parts.extra {
            extra.set_item(name, value)?;
        }
        let details = parts.details.map(|it| it.into_bound(py).cast_into::<PyDict>()).transpose()?;
        Ok(Self {
            core,
            dialect,
            details: details.map(Bound::unbind),
            raw_details: parts.raw_details,
            extra: extra.unbind(),
        })
    }

    pub(crate) fn from_core(py: Python<'_>, payload: &CorePayload, dialect: Dialect) -> PyResult<Self> {
        let details = payload.details().map(|it| serde_json::Value::Object(it.clone()));
        let parts = ErrorParts {
            details: details.map(|it| from_json(py, &it).map(Bound::unbind)).transpose()?,
            raw_details: payload.raw_details().map(|it| from_json(py, it).map(Bound::unbind)).transpose()?,
            extra: payload
                .extra()
                .iter()
                .map(|(name, value)| Ok((name.clone(), from_json(py, value)?.unbind())))
                .collect::<PyResult<_>>()?,
        };
        let mut core = CorePayload::new(payload.code(), payload.message());
        for (name, text) in payload.standard_fields(dialect) {
            core.set_standard(name, Some(text.to_owned()));
        }
        Self::from_parts(py, (core, parts), dialect)
    }

    /// The whole as the core has it.
    pub(crate) fn whole(&self, py: Python<'_>) -> PyResult<CorePayload> {
        let mut core = self.core.clone();
        if let Some(details) = &self.details {
            core = core.with_details(to_json(details.bind(py).as_any())?);
        } else if let Some(raw) = &self.raw_details {
            core = core.with_details(to_json(raw.bind(py))?);
        }
        for item in self.extra.bind(py).items() {
            let (name, value) = item.extract::<(String, Bound<'_, PyAny>)>()?;
            core = core.with_extra(name, to_json(&value)?);
        }
        Ok(core)
    }

    fn detail(&self, py: Python<'_>, name: &str) -> PyResult<Option<String>> {
        let Some(details) = &self.details else { return Ok(None) };
        let value = details.bind(py).get_item(name)?;
        Ok(value.and_then(|it| it.cast_into::<PyString>().ok()).map(|it| crate::text::lossy(&it)))
    }

    fn written<'py>(&self, py: Python<'py>, dialect: Dialect) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("code", self.core.code().get())?;
        dict.set_item("message", self.core.message())?;
        for (name, text) in self.core.standard_fields(dialect) {
            dict.set_item(name, text)?;
        }
        for item in self.extra.bind(py).items() {
            let (name, value) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
            let name = name.cast::<PyString>()?;
            // As the core writes it: a standard field that is null is absent.
            let is_absent = value.is_none() && self.core.is_standard_field(&crate::text::lossy(name));
            if !is_absent && !dict.contains(name)? {
                dict.set_item(name, copied(&value)?)?;
            }
        }
        if let Some(details) = self.details.as_ref().map(|it| it.bind(py)).filter(|it| !it.is_empty()) {
            let ordered = PyDict::new(py);
            let standard = self.core.code().info().map_or(&[][..], |info| info.details);
            for field in standard {
                if let Some(value) = details.get_item(field.name)? {
                    ordered.set_item(field.name, copied(&value)?)?;
                }
            }
            let rest = copied(details.as_any())?;
            if let Ok(rest) = rest.cast::<PyDict>() {
                ordered.update_if_missing(rest.as_mapping())?;
            }
            dict.set_item("details", ordered)?;
        } else if let Some(raw) = self.raw_details.as_ref().map(|it| it.bind(py)).filter(|it| !it.is_none()) {
            dict.set_item("details", copied(raw)?)?;
        }
        Ok(dict)
    }
}

#[pymethods]
impl ErrorPayload {
    #[new]
    #[pyo3(signature = (code, message, **fields), text_signature = "(code, message, **fields)")]
    fn new(
        py: Python<'_>,
        code: &Bound<'_, PyAny>,
        message: &Bound<'_, PyAny>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let Some(number) = arguments::integer(code, "code")? else {
            return Err(crate::build::unknown_word("code", "does not fit 64 bits"));
        };
        let mut core = CorePayload::new(ErrorCode::new(number), arguments::text(message, "message")?);
        let extra = PyDict::new(py);
        let mut details: Option<Bound<'_, PyDict>> = None;
        let mut raw_details = None;
        let items = fields.map(|it| it.items());
        for item in items.iter().flatten() {
            let (name, value) = item.extract::<(String, Bound<'_, PyAny>)>()?;
            if value.is_none() {
                continue;
            }
            match (core.place_of(&name), name.as_str()) {
                (FieldPlace::Standard, _) => {
                    core.set_standard(&name, Some(arguments::text(&value, &name)?));
                }
                (FieldPlace::Details, _) => {
                    // Typed, as the fields at the top level are; `details` takes whatever there is.
                    if name != "total_size" {
                        arguments::text(&value, &name)?;
                    } else if arguments::integer(&value, &name)?.is_some_and(|size| size < 0) {
                        return Err(crate::build::unknown_word("total_size", "is below 0"));
                    }
                    details.get_or_insert_with(|| PyDict::new(py)).set_item(&name, copied(&value)?)?;
                }
                (FieldPlace::Reserved, "details") | (FieldPlace::Extra, "extra") => {
                    let copy = copied(&value)?;
                    let Ok(copy) = copy.cast::<PyDict>() else {
                        return Err(arguments::wrong_type(&name, "a mapping", &value));
                    };
                    if name == "extra" {
                        for key in copy.keys() {
                            let place = core.place_of(&arguments::text(&key, "extra")?);
                            if matches!(place, FieldPlace::Reserved | FieldPlace::Standard) {
                                return Err(crate::build::unknown_word(
                                    "extra",
                                    format!("{} is not an extra field", key.repr()?),
                                ));
                            }
                        }
                        extra.update(copy.as_mapping())?;
                    } else {
                        let dict = details.get_or_insert_with(|| PyDict::new(py));
                        // Nulls are not written.
                        for (key, value) in copy.iter().filter(|(_, value)| !value.is_none()) {
                            dict.set_item(key, value)?;
                        }
                    }
                }
                (_, "raw_details") => raw_details = Some(copied(&value)?.unbind()),
                _ => extra.set_item(&name, copied(&value)?)?,
            }
        }
        Ok(Self {
            core,
            dialect: Dialect::default(),
            raw_details: if details.is_some() { None } else { raw_details },
            details: details.map(Bound::unbind),
            extra: extra.unbind(),
        })
    }

    /// 404: what was asked for is missing; `computer_name` where a Computer was looked for.
    #[staticmethod]
    #[pyo3(signature = (message, computer_name=None))]
    fn not_found(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text::message)] message: String,
        #[pyo3(from_py_with = named::maybe_text::computer_name)] computer_name: Option<String>,
    ) -> PyResult<Self> {
        Self::from_core(py, &CorePayload::not_found(message, computer_name.as_deref()), Dialect::default())
    }

    /// 4008, with the four versions that it has to carry.
    #[staticmethod]
    fn version_mismatch(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text::server_version)] server_version: String,
        #[pyo3(from_py_with = named::text::client_version)] client_version: String,
        #[pyo3(from_py_with = named::text::min_supported)] min_supported: String,
        #[pyo3(from_py_with = named::text::max_supported)] max_supported: String,
    ) -> PyResult<Self> {
        let core =
            CorePayload::version_mismatch(&server_version, &client_version, &min_supported, &max_supported);
        Self::from_core(py, &core, Dialect::default())
    }

    /// 4014: the MCP server is not registered.
    #[staticmethod]
    fn mcp_server_not_found(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text::server)] server: String,
    ) -> PyResult<Self> {
        Self::from_core(py, &CorePayload::mcp_server_not_found(&server), Dialect::default())
    }

    /// 4014 for a SKILL: the name is well formed but unknown, uninstalled or orphaned.
    #[staticmethod]
    fn skill_not_found(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text::name)] name: String,
    ) -> PyResult<Self> {
        Self::from_core(py, &CorePayload::skill_not_found(&name), Dialect::default())
    }

    /// 4015: the MCP server has not declared the capability.
    #[staticmethod]
    fn mcp_capability_not_supported(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text::server)] server: String,
        #[pyo3(from_py_with = named::text::capability)] capability: String,
    ) -> PyResult<Self> {
        let core = CorePayload::mcp_capability_not_supported(&server, &capability);
        Self::from_core(py, &core, Dialect::default())
    }

    /// 4016: the lexer refused the name.
    #[staticmethod]
    #[pyo3(signature = (name=None))]
    fn invalid_skill_name(py: Python<'_>, name: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let name = arguments::optional_text(name, "name")?;
        Self::from_core(py, &CorePayload::invalid_skill_name(name.as_deref()), Dialect::default())
    }

    /// 4017. `total_size` is in bytes and belongs to the reason `too_large`; with any other it is left out.
    #[staticmethod]
    #[pyo3(signature = (reason, rel_path=None, total_size=None))]
    fn skill_resource_not_accessible(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text::reason)] reason: String,
        rel_path: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = named::maybe_size::total_size)] total_size: Option<u64>,
    ) -> PyResult<Self> {
        let rel_path = arguments::optional_text(rel_path, "rel_path")?;
        let core = CorePayload::skill_resource_not_accessible(&reason, rel_path.as_deref(), total_size);
        Self::from_core(py, &core, Dialect::default())
    }

    /// 4018: the bytes behind a handle cannot be served.
    #[staticmethod]
    fn blob_not_accessible(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text::reason)] reason: String,
    ) -> PyResult<Self> {
        Self::from_core(py, &CorePayload::blob_not_accessible(&reason), Dialect::default())
    }

    /// 4019, dialect 0.3: an upload was refused or failed. `total_size` is in bytes.
    #[staticmethod]
    #[pyo3(signature = (reason, upload_id=None, total_size=None))]
    fn blob_write_failed(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text::reason)] reason: String,
        #[pyo3(from_py_with = named::maybe_text::upload_id)] upload_id: Option<String>,
        #[pyo3(from_py_with = named::maybe_size::total_size)] total_size: Option<u64>,
    ) -> PyResult<Self> {
        let core = CorePayload::blob_write_failed(&reason, upload_id.as_deref(), total_size);
        Self::from_core(py, &core, Dialect::V0_3)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.details)?;
        visit.call(&self.raw_details)?;
        visit.call(&self.extra)
    }

    /// The code's number.
    #[getter]
    fn code(&self) -> i64 {
        self.core.code().get()
    }

    /// The code's registered name, such as `"ROOM_FULL"`.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.core.name()
    }

    /// Whether the dialect in which it was read registers the code.
    #[getter]
    fn known(&self) -> bool {
        self.core.is_known(self.dialect)
    }

    /// The message as it came. For logs.
    #[getter]
    fn message(&self) -> &str {
        self.core.message()
    }

    /// `details`, where it is an object. For logs and debugging only, never for the end user.
    #[getter]
    fn details<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyDict>> {
        self.details.as_ref().map(|it| it.bind(py).clone())
    }

    /// What stood in the place of `details` although it is no object.
    #[getter]
    fn raw_details<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.raw_details.as_ref().map(|it| it.bind(py).clone())
    }

    /// `details.reason`, known or not.
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.detail(py, "reason")
    }

    /// `details.trace_id`.
    #[getter]
    fn trace_id(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.detail(py, "trace_id")
    }

    /// `details.total_size` in bytes. `7.0` is 7.
    #[getter]
    fn total_size(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        let size =
            self.details.as_ref().map(|details| details.bind(py).get_item("total_size")).transpose()?;
        let Some(size) = size.flatten() else { return Ok(None) };
        let size = host::Node::view(&PyNode::root(&size, &Memo::default())?)?.integer();
        Ok(size.and_then(|size| u64::try_from(size).ok()))
    }

    /// The MCP server's name, under whichever key it came.
    #[getter]
    fn server(&self) -> Option<&str> {
        self.core.server()
    }

    /// 4015's capability.
    #[getter]
    fn capability(&self) -> Option<&str> {
        self.core.capability()
    }

    /// 4008's server version, as it came.
    #[getter]
    fn server_version(&self) -> Option<&str> {
        self.core.server_version()
    }

    /// 4008's client version, as it came.
    #[getter]
    fn client_version(&self) -> Option<&str> {
        self.core.client_version()
    }

    /// 4008's lowest supported version, as it came.
    #[getter]
    fn min_supported(&self) -> Option<&str> {
        self.core.min_supported()
    }

    /// 4008's highest supported version, as it came.
    #[getter]
    fn max_supported(&self) -> Option<&str> {
        self.core.max_supported()
    }

    /// Top-level fields that are not the code's standard ones.
    #[getter]
    fn extra<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.extra.bind(py).clone()
    }

    /// The retry advice for the code and its reason.
    #[getter]
    fn retry(&self, py: Python<'_>) -> PyResult<RetryAdvice> {
        Ok(self.core.code().advice(self.detail(py, "reason")?.as_deref()).into())
    }

    /// A fixed sentence for people, English or Chinese by the BCP 47 tag.
    #[pyo3(signature = (locale=None), text_signature = "($self, locale='en')")]
    fn public_message(&self, py: Python<'_>, locale: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        caught(|| Ok(self.whole(py)?.public_message(arguments::locale(locale)?)))
    }

    /// Everything, scrubbed and flat, for structured logging.
    fn log_fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        caught(|| from_json(py, &serde_json::Value::Object(self.whole(py)?.log_fields())))
    }

    /// The flat shape as a new dict, by dialect.
    #[pyo3(signature = (dialect=None), text_signature = "($self, dialect='0.2')")]
    fn to_dict<'py>(
        &self,
        py: Python<'py>,
        dialect: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        caught(|| self.written(py, arguments::dialect(dialect)?))
    }

    /// The flat shape as JSON text, by dialect.
    #[pyo3(signature = (dialect=None), text_signature = "($self, dialect='0.2')")]
    fn to_json(&self, py: Python<'_>, dialect: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        caught(|| Ok(self.whole(py)?.to_json(arguments::dialect(dialect)?)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        // The core's own form: no details, the message scrubbed.
        let name = self.core.name().map_or("None".to_owned(), |name| format!("'{name}'"));
        let fields = self.whole(py)?.log_fields();
        let message = fields.get("error_message").and_then(|it| it.as_str()).unwrap_or_default();
        let message = PyString::new(py, message).repr()?;
        Ok(format!("ErrorPayload(code={}, name={name}, message={message})", self.core.code()))
    }

    fn __str__(&self) -> String {
        self.core.to_string()
    }

    fn __eq__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let own = self.written(py, Dialect::V0_2)?;
        if let Ok(other) = other.cast::<Self>() {
            return Ok(own
                .eq(other.get().written(py, Dialect::V0_2)?)?
                .into_pyobject(py)?
                .to_owned()
                .into_any());
        }
        if other.is_instance_of::<PyDict>() {
            return Ok(own.eq(other)?.into_pyobject(py)?.to_owned().into_any());
        }
        Ok(py.NotImplemented().into_bound(py))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.written(py, Dialect::V0_2)?.get_item(key)?;
        value.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.written(py, Dialect::V0_2)?.keys().try_iter()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.written(py, Dialect::V0_2)?.len())
    }

    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.written(py, Dialect::V0_2)?.contains(key)
    }

    /// The keys of the wire shape.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.written(py, Dialect::V0_2)?.keys())
    }

    /// The values of the wire shape.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.written(py, Dialect::V0_2)?.values())
    }

    /// The members of the wire shape.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.written(py, Dialect::V0_2)?.items())
    }

    /// A member of the wire shape, or the default.
    #[pyo3(signature = (key, default=None, /))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.written(py, Dialect::V0_2)?.get_item(key)?.or(default))
    }

    /// Pickles and copies with everything, mutable parts copied.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let fields = PyDict::new(py);
        for (name, text) in self.core.standard_fields(Dialect::V0_2) {
            fields.set_item(name, text)?;
        }
        fields.set_item("details", self.details.as_ref())?;
        fields.set_item("raw_details", self.raw_details.as_ref())?;
        let rebuild = py.import("ackguard._native")?.getattr("_error_payload")?;
        let arguments =
            (self.core.code().get(), self.core.message(), fields, self.extra.bind(py), self.dialect.as_str());
        Ok((rebuild, arguments.into_pyobject(py)?))
    }
}

/// Makes an `ErrorPayload` from what its `__reduce__` gave.
#[pyfunction]
pub(crate) fn _error_payload(
    code: i64,
    message: &str,
    fields: &Bound<'_, PyDict>,
    extra: &Bound<'_, PyDict>,
    dialect: &Bound<'_, PyAny>,
) -> PyResult<ErrorPayload> {
    let mut core = CorePayload::new(ErrorCode::new(code), message);
    let (mut details, mut raw_details) = (None, None);
    for item in fields.items() {
        let (name, value) = item.extract::<(String, Bound<'_, PyAny>)>()?;
        match name.as_str() {
            _ if value.is_none() => {}
            "details" => details = Some(copied(&value)?.cast_into::<PyDict>()?.unbind()),
            "raw_details" => raw_details = Some(copied(&value)?.unbind()),
            name => {
                core.set_standard(name, Some(value.extract()?));
            }
        }
    }
    Ok(ErrorPayload {
        core,
        dialect: arguments::dialect(Some(dialect))?,
        details,
        raw_details,
        extra: copied(extra.as_any())?.cast_into::<PyDict>()?.unbind(),
    })
}

/// The answer with which whoever got a malformed error payload tells others.
#[pyfunction]
pub(crate) fn _malformed_payload(py: Python<'_>, violations: Vec<String>) -> PyResult<ErrorPayload> {
    ErrorPayload::from_core(py, &MalformedErrorPayload::new(violations).to_payload(), Dialect::default())
}

/// What a tool result says, apart from its content.
#[pyclass(frozen, get_all, module = "ackguard")]
pub(crate) struct ToolResult {
    /// How the call ended, such as `"completed"` or `"authorization_required"`.
    outcome: String,
    /// The code, where the outcome has one.
    error_code: Option<i64>,
    /// The MCP server that asks for authorization.
    mcp_server: Option<String>,
    /// The hint for the user, already scrubbed.
    auth_hint: Option<Py<PyAny>>,
    /// What the scrubber found in the hint.
    findings: Py<PyList>,
    /// Why it was cancelled, as the peer said.
    cancel_reason: Option<String>,
}

impl ToolResult {
    pub(crate) fn made(py: Python<'_>, result: CoreToolResult<Py<PyAny>>) -> PyResult<Self> {
        Ok(Self {
            outcome: result.outcome.as_str().to_owned(),
            error_code: result.error_code.map(ErrorCode::get),
            mcp_server: result.mcp_server,
            auth_hint: result.auth_hint,
            findings: findings(py, &result.findings)?.unbind(),
            cancel_reason: result.cancel_reason,
        })
    }

    fn core(&self) -> CoreToolResult {
        let outcome = Outcome::ALL.iter().find(|it| it.as_str() == self.outcome);
        CoreToolResult::new(
            outcome.copied().unwrap_or(Outcome::Completed),
            self.error_code.map(ErrorCode::new),
        )
    }
}

#[pymethods]
impl ToolResult {
    #[new]
    #[pyo3(signature = (outcome, error_code=None, mcp_server=None, auth_hint=None, findings=None, cancel_reason=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text::outcome)] outcome: String,
        #[pyo3(from_py_with = named::maybe_integer::error_code)] error_code: Option<i64>,
        #[pyo3(from_py_with = named::maybe_text::mcp_server)] mcp_server: Option<String>,
        auth_hint: Option<Py<PyAny>>,
        #[pyo3(from_py_with = named::maybe_list::findings)] findings: Option<Py<PyList>>,
        #[pyo3(from_py_with = named::maybe_text::cancel_reason)] cancel_reason: Option<String>,
    ) -> Self {
        let findings = findings.unwrap_or_else(|| PyList::empty(py).unbind());
        Self { outcome, error_code, mcp_server, auth_hint, findings, cancel_reason }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.auth_hint)?;
        visit.call(&self.findings)
    }

    /// The retry advice; None for a completed call.
    #[getter]
    fn retry(&self) -> Option<RetryAdvice> {
        self.core().advice().map(Into::into)
    }

    /// The ready hint to show where an authorization outcome came without one.
    #[pyo3(signature = (locale=None), text_signature = "($self, locale='en')")]
    fn default_hint<'py>(
        &self,
        py: Python<'py>,
        locale: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let hint = self.core().default_hint(arguments::locale(locale)?);
        hint.map(|hint| from_json(py, &hint.to_value())).transpose()
    }

    fn __repr__(&self) -> String {
        let code = self.error_code.map_or("None".to_owned(), |code| code.to_string());
        format!("ToolResult(outcome='{}', error_code={code})", self.outcome)
    }

    fn __eq__<'py>(&self, py: Python<'py>, other: &Self) -> PyResult<bool> {
        self.arguments(py)?.eq(other.arguments(py)?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>(), self.arguments(py)?))
    }
}

impl ToolResult {
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (
            &self.outcome,
            self.error_code,
            self.mcp_server.as_deref(),
            self.auth_hint.as_ref(),
            &self.findings,
            self.cancel_reason.as_deref(),
        )
            .into_pyobject(py)
    }
}
