//! Authorization, scrubbing, tool results that are built or guarded.

use ackguard::ErrorCode;
use ackguard::authorization::{self, Credential, Event, Failure};
use ackguard::payload::{self as core, guard_tool_result as core_guard};
use ackguard::scrub::{self, HintPolicy};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arguments::{self, caught, locale};
use crate::build::{ToPython, from_json, to_json, unknown_word};
use crate::named;
use crate::node::{Memo, PyNode};
use crate::records::{Scrubbed, findings};

fn word<T: std::str::FromStr<Err = authorization::UnknownWord>>(
    value: Option<&Bound<'_, PyAny>>,
    name: &str,
) -> PyResult<Option<T>> {
    let Some(text) = arguments::optional_text(value, name)? else { return Ok(None) };
    text.parse().map(Some).map_err(|error| unknown_word(name, error))
}

/// Decides between 4006, 4007 and 4003 by what was observed when a tool's upstream refused; None where it is
/// not about authorization.
#[pyfunction]
#[pyo3(
    signature = (*, http_status=None, www_authenticate=None, oauth_error=None, credential=None, event=None, provider_fault=false),
    text_signature = "(*, http_status=None, www_authenticate=None, oauth_error=None, credential='unknown', event=None, provider_fault=False)"
)]
pub(crate) fn decide_authorization(
    http_status: Option<&Bound<'_, PyAny>>,
    www_authenticate: Option<&Bound<'_, PyAny>>,
    oauth_error: Option<&Bound<'_, PyAny>>,
    credential: Option<&Bound<'_, PyAny>>,
    event: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = named::flag::provider_fault)] provider_fault: bool,
) -> PyResult<Option<i64>> {
    caught(|| {
        let header = arguments::optional_text(www_authenticate, "www_authenticate")?;
        let oauth_error = arguments::optional_text(oauth_error, "oauth_error")?;
        let http_status = match http_status.filter(|it| !it.is_none()) {
            Some(status) => arguments::integer(status, "http_status")?,
            None => None,
        };
        let failure = Failure {
            http_status,
            www_authenticate: header.as_deref(),
            oauth_error: oauth_error.as_deref(),
            credential: word::<Credential>(credential, "credential")?,
            event: word::<Event>(event, "event")?,
            provider_fault,
        };
        Ok(authorization::decide(&failure).code().map(ErrorCode::get))
    })
}

/// The same, read from words alone, for client libraries that swallow the status.
#[pyfunction]
pub(crate) fn decide_authorization_from_text(text: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    caught(|| {
        let text = arguments::text(text, "text")?;
        Ok(authorization::decide_from_text(&text).code().map(ErrorCode::get))
    })
}

fn policy(strict: bool) -> HintPolicy {
    if strict { HintPolicy::Strict } else { HintPolicy::Standard }
}

/// Lists what must not be in a hint, at any depth.
#[pyfunction]
pub(crate) fn check_auth_hint<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    caught(|| {
        let found = scrub::auth_hint(
            &PyNode::root(value, &Memo::default())?,
            HintPolicy::Standard,
            &mut ackguard::host::Discard,
        )?;
        findings(value.py(), &found.findings)
    })
}

/// The hint without what must not be in it, and what was found.
#[pyfunction]
#[pyo3(signature = (value, *, strict=false))]
pub(crate) fn scrub_auth_hint(
    value: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = named::flag::strict)] strict: bool,
) -> PyResult<Scrubbed> {
    caught(|| {
        let py = value.py();
        let mut build = ToPython::new(py);
        let scrubbed = scrub::auth_hint(&PyNode::root(value, &Memo::default())?, policy(strict), &mut build)?;
        let clean = build.finish(scrubbed.value)?;
        Scrubbed::made(py, clean, &scrubbed.findings)
    })
}

/// `details` without what must not be in them, and what was found.
#[pyfunction]
pub(crate) fn scrub_details(value: &Bound<'_, PyAny>) -> PyResult<Scrubbed> {
    caught(|| {
        let py = value.py();
        let mut build = ToPython::new(py);
        let scrubbed = scrub::details(&PyNode::root(value, &Memo::default())?, &mut build)?;
        let clean = build.finish(scrubbed.value)?;
        Scrubbed::made(py, clean, &scrubbed.findings)
    })
}

/// The CallToolResult for 4006 or 4007, its hint scrubbed.
#[pyfunction]
#[pyo3(signature = (mcp_server, code, hint=None, *, locale=None), text_signature = "(mcp_server, code, hint=None, *, locale='en')")]
pub(crate) fn auth_error_result<'py>(
    mcp_server: &Bound<'py, PyAny>,
    code: &Bound<'py, PyAny>,
    hint: Option<&Bound<'py, PyAny>>,
    locale: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    caught(|| {
        let server = arguments::text(mcp_server, "mcp_server")?;
        // A number that no i64 holds is no authorization code either.
        let code = ErrorCode::new(arguments::integer(code, "code")?.unwrap_or_default());
        let hint = hint.filter(|hint| !hint.is_none()).map(to_json).transpose()?;
        let result = core::auth_error_result(&server, code, hint.as_ref(), self::locale(locale)?)
            .map_err(|error| unknown_word("code", error))?;
        from_json(mcp_server.py(), &result.value)
    })
}

/// The CallToolResult of a cancelled call.
#[pyfunction]
#[pyo3(signature = (reason=None, *, locale=None), text_signature = "(reason=None, *, locale='en')")]
pub(crate) fn cancelled_result<'py>(
    py: Python<'py>,
    reason: Option<&Bound<'py, PyAny>>,
    locale: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    caught(|| {
        let reason = arguments::optional_text(reason, "reason")?;
        from_json(py, &core::cancelled_result(reason.as_deref(), self::locale(locale)?))
    })
}

/// The CallToolResult of a call that ran past its time.
#[pyfunction]
#[pyo3(signature = (*, locale=None), text_signature = "(*, locale='en')")]
pub(crate) fn timeout_result<'py>(
    py: Python<'py>,
    locale: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    caught(|| from_json(py, &core::timeout_result(self::locale(locale)?)))
}

/// A tool's own result without the keys that only the Computer may write.
#[pyfunction]
pub(crate) fn guard_tool_result(result: &Bound<'_, PyAny>) -> PyResult<Scrubbed> {
    caught(|| {
        let py = result.py();
        let mut build = ToPython::new(py);
        let guarded = core_guard(&PyNode::root(result, &Memo::default())?, &mut build)?;
        let clean = build.finish(guarded.value)?;
        Scrubbed::made(py, clean, &guarded.findings)
    })
}

/// The ready hint for 4006 or 4007; None for every other code.
#[pyfunction]
#[pyo3(signature = (code, *, locale=None), text_signature = "(code, *, locale='en')")]
pub(crate) fn default_auth_hint<'py>(
    code: &Bound<'py, PyAny>,
    locale: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    caught(|| {
        let locale = self::locale(locale)?;
        let number = arguments::integer(code, "code")?;
        let hint = number.and_then(|number| authorization::default_hint(ErrorCode::new(number), locale));
        hint.map(|hint| from_json(code.py(), &hint.to_value())).transpose()
    })
}
