//! The registry.

use ackguard::code::{self, CodeInfo as Core};
use ackguard::{ErrorCode, Locale};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arguments::{self, caught};
use crate::named;
use crate::records::RetryAdvice;

/// The registry's entry for one code.
#[pyclass(frozen, module = "ackguard")]
pub(crate) struct CodeInfo(&'static Core);

fn names<'py>(py: Python<'py>, names: impl Iterator<Item = &'static str>) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, names.collect::<Vec<_>>())
}

#[pymethods]
impl CodeInfo {
    /// The number.
    #[getter]
    fn code(&self) -> i64 {
        self.0.code.get()
    }

    /// The name, in SCREAMING_SNAKE.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// The English title.
    #[getter]
    fn title(&self) -> &'static str {
        self.0.title.en
    }

    /// The Chinese title.
    #[getter]
    fn title_zh(&self) -> &'static str {
        self.0.title.zh
    }

    /// The group, such as `"routing"`.
    #[getter]
    fn category(&self) -> &'static str {
        self.0.category.as_str()
    }

    /// What carries it: `"ack"`, `"tool_result"` or `"http_handshake"`.
    #[getter]
    fn carrier(&self) -> &'static str {
        self.0.carrier.as_str()
    }

    /// The first dialect that registers it.
    #[getter]
    fn since(&self) -> &'static str {
        self.0.since.as_str()
    }

    /// What it says, in a sentence.
    #[getter]
    fn meaning(&self) -> &'static str {
        self.0.meaning
    }

    /// The names of the standard fields at the top level.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        names(py, self.0.fields.iter().map(|field| field.name))
    }

    /// The names of the standard keys of `details`.
    #[getter]
    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        names(py, self.0.details.iter().map(|field| field.name))
    }

    /// Those of `fields` and `details` that the code requires.
    #[getter]
    fn required<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let all = self.0.fields.iter().chain(self.0.details);
        names(py, all.filter(|field| field.required).map(|field| field.name))
    }

    /// The known values of `details.reason`; an open set.
    #[getter]
    fn reasons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        names(py, self.0.reasons.iter().map(|reason| reason.name))
    }

    /// The advice where no reason says otherwise.
    #[getter]
    fn retry(&self) -> RetryAdvice {
        self.0.advice.into()
    }

    /// The advice for a reason, known or not.
    fn retry_for(&self, #[pyo3(from_py_with = named::text::reason)] reason: String) -> RetryAdvice {
        self.0.code.advice(Some(&reason)).into()
    }

    /// What the user may be told.
    #[pyo3(signature = (locale=None), text_signature = "($self, locale='en')")]
    fn user_message(&self, locale: Option<&Bound<'_, PyAny>>) -> PyResult<&'static str> {
        Ok(self.0.user_message.get(arguments::locale(locale)?))
    }

    fn __repr__(&self) -> String {
        format!(
            "CodeInfo(code={}, name='{}', title='{}')",
            self.0.code,
            self.0.name,
            self.0.title.get(Locale::En)
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.code == other.0.code
    }

    fn __hash__(&self) -> u64 {
        self.0.code.get().unsigned_abs()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (i64,))> {
        Ok((py.import("ackguard._native")?.getattr("code_info")?, (self.0.code.get(),)))
    }
}

/// The registry's entry for a number; None for one that no dialect registers.
#[pyfunction]
pub(crate) fn code_info(code: &Bound<'_, PyAny>) -> PyResult<Option<CodeInfo>> {
    caught(|| Ok(arguments::integer(code, "code")?.and_then(|it| ErrorCode::new(it).info()).map(CodeInfo)))
}

/// Every registered code of both dialects, in the order of the numbers.
#[pyfunction]
pub(crate) fn codes() -> Vec<CodeInfo> {
    code::ALL.iter().map(CodeInfo).collect()
}

/// The advice for a code and a reason.
#[pyfunction]
#[pyo3(signature = (code, reason=None))]
pub(crate) fn retry_advice(
    code: &Bound<'_, PyAny>,
    reason: Option<&Bound<'_, PyAny>>,
) -> PyResult<RetryAdvice> {
    caught(|| {
        let reason = arguments::optional_text(reason, "reason")?;
        let code = arguments::integer(code, "code")?.map(ErrorCode::new);
        Ok(code.map_or(ackguard::retry::Advice::NONE, |code| code.advice(reason.as_deref())).into())
    })
}

/// The waits of one series of retries.
#[pyclass(module = "ackguard")]
pub(crate) struct Backoff {
    waits: Waits,
    /// What the caller's source of randomness raised.
    raised: std::sync::Arc<std::sync::Mutex<Option<PyErr>>>,
}

enum Waits {
    Own(ackguard::retry::Backoff<fn() -> f64>),
    Given(ackguard::retry::Backoff<Box<dyn FnMut() -> f64 + Send + Sync>>),
}

#[pymethods]
impl Backoff {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> PyResult<Option<f64>> {
        let wait = match &mut self.waits {
            Waits::Own(waits) => waits.next(),
            Waits::Given(waits) => waits.next(),
        };
        match self.raised.lock().ok().and_then(|mut raised| raised.take()) {
            Some(error) => Err(error),
            None => Ok(wait.map(|wait| wait.as_secs_f64())),
        }
    }

    fn __length_hint__(&self) -> usize {
        match &self.waits {
            Waits::Own(waits) => waits.len(),
            Waits::Given(waits) => waits.len(),
        }
    }
}

/// The waits in seconds before retry 0, 1, 2 and so on: 2^i plus a random part below 1, capped, `max_retries` of
/// them. The caller sleeps. `random` gives numbers in [0, 1).
#[pyfunction]
#[pyo3(signature = (max_retries=3, cap=60.0, *, random=None))]
pub(crate) fn backoff(
    #[pyo3(from_py_with = named::count::max_retries)] max_retries: u32,
    #[pyo3(from_py_with = named::seconds::cap)] cap: f64,
    random: Option<Py<PyAny>>,
) -> PyResult<Backoff> {
    caught(|| {
        if cap.is_nan() || cap < 0.0 {
            return Err(crate::build::unknown_word("cap", "expected seconds, 0 or more"));
        }
        // More than a Duration holds, infinity too, is no cap.
        let cap = std::time::Duration::try_from_secs_f64(cap).unwrap_or(std::time::Duration::MAX);
        let schedule = ackguard::retry::Schedule { max_retries, cap };
        let raised = std::sync::Arc::new(std::sync::Mutex::new(None));
        let waits = match random {
            None => Waits::Own(schedule.waits()),
            Some(random) => {
                let raised = std::sync::Arc::clone(&raised);
                Waits::Given(schedule.waits_with(Box::new(move || {
                    let drawn = Python::attach(|py| random.call0(py).and_then(|it| it.extract::<f64>(py)));
                    drawn.unwrap_or_else(|error| {
                        if let Ok(mut raised) = raised.lock() {
                            *raised = Some(error);
                        }
                        0.0
                    })
                })))
            }
        };
        Ok(Backoff { waits, raised })
    })
}

/// The words of each closed or open set, for the test that compares the stubs with the core.
#[pyfunction]
pub(crate) fn _words(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    use ackguard::acp;
    use ackguard::payload::{Kind, Outcome, ViolationKind};
    let words = PyDict::new(py);
    words.set_item("kind", Kind::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>())?;
    words.set_item("outcome", Outcome::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>())?;
    words.set_item("violation", ViolationKind::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>())?;
    words
        .set_item("action", ackguard::retry::Action::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>())?;
    words.set_item("acp_code", acp::AcpErrorCode::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>())?;
    words.set_item("acp_action", acp::Action::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>())?;
    words.set_item(
        "server_state",
        acp::state::ServerState::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>(),
    )?;
    Ok(words)
}
