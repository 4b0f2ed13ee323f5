//! Counting classified payloads by kind, code, reason and outcome.
//!
//! A [`Tally`] is what `ackguard triage` shows. It can be kept for as long as a program runs: whatever comes
//! in, it holds a bounded number of rows, none of its words is longer than a registry's word, and nothing of
//! a payload gets into it that could be a secret or play tricks on a terminal.

mod memory;
mod otel;
mod render;
mod row;

use alloc::vec::Vec;
use core::convert::Infallible;

pub(crate) use memory::Memory;
pub use otel::AttributeValue;
pub use render::Tone;
pub use row::{OTHER, Row, RowCode, RowOutcome};

/// The names of the attributes of [`Row::attributes`].
pub mod attribute {
    pub use super::otel::{CODE, ERROR_TYPE, KIND, OUTCOME, REASON, RPC_STATUS};
}

use crate::acp::rpc::FrameProblem;
use crate::host::{Discard, Node};
use crate::payload::{Classified, Kind, Report, Violation, ViolationKind};
use crate::scrub::{self, Category, Finding, Rules};

/// Counts of payloads, of what breaks the contract in them, and of what must not be in them.
///
/// Rows made of words and numbers that ackguard knows are always counted apart. Of the others (an
/// unregistered code, a reason nobody listed) there are at most [`Tally::MAX_OPEN_ROWS`]; what comes after
/// them is counted under [`OTHER`], so a hostile peer can neither fill the memory nor crowd out a known row.
/// No count overflows: it stays at the largest number.
///
/// ```
/// use ackguard::payload::classify_json;
/// use ackguard::tally::Tally;
/// use ackguard::Dialect;
///
/// let mut tally = Tally::new();
/// for line in [r#"{"code":4101,"message":"Room full"}"#, "[true,null]", "oops"] {
///     tally.add(&classify_json(line.as_bytes(), Dialect::V0_2));
/// }
/// assert_eq!(tally.total(), 3);
/// assert!(tally.to_prometheus().contains(r#"ackguard_payloads_total{kind="error",code="4101",reason="",outcome=""} 1"#));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    total: u64,
    rows: Counts<Row>,
    /// How many of `rows` hold a word or a number that ackguard does not know.
    open: usize,
    faults: Counts<Fault>,
}

/// What must not be; in the order in which it is listed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Violation(Violation),
    Leak(Category),
    Frame(&'static str),
}

impl Tally {
    /// The most rows with an unregistered code or an unknown reason.
    pub const MAX_OPEN_ROWS: usize = 512;

    /// A tally of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one payload. No owned view of it is built.
    pub fn add<N: Node<Error = Infallible>>(&mut self, payload: &Classified<N>) {
        self.add_entry(&Entry::of(payload));
    }

    /// Counts one payload of a host whose reading may fail. One that fails is not counted.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_add<N: Node>(&mut self, payload: &Classified<N>) -> Result<(), N::Error> {
        let entry = Entry::try_of(payload)?;
        self.add_entry(&entry);
        Ok(())
    }

    /// Counts a payload whose report has been made.
    pub fn add_report(&mut self, report: &Report) {
        self.add_entry(&Entry::of_report(report));
    }

    /// Counts what one payload counts for.
    pub(crate) fn add_entry(&mut self, entry: &Entry) {
        self.bump(&entry.row, 1);
        for violation in &entry.violations {
            self.faults.add(&Fault::Violation(violation.clone()), 1);
        }
        for category in &entry.leaks {
            self.faults.add(&Fault::Leak(*category), 1);
        }
        if let Some(problem) = entry.frame {
            self.note_frame(problem);
        }
    }

    /// Counts a JSON-RPC frame that is broken, whatever kind of payload it was counted as.
    pub fn note_frame(&mut self, problem: FrameProblem) {
        self.faults.add(&Fault::Frame(problem.as_str()), 1);
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Self) {
        for (row, count) in &other.rows.0 {
            self.bump(row, *count);
        }
        for (fault, count) in &other.faults.0 {
            self.faults.add(fault, *count);
        }
    }

    fn bump(&mut self, row: &Row, count: u64) {
        self.total = self.total.saturating_add(count);
        if self.rows.place(row).is_ok() {
            self.rows.add(row, count);
            return;
        }
        let full = row.is_open() && self.open >= Self::MAX_OPEN_ROWS;
        let row = if full { row.clone().closed() } else { row.clone() };
        self.open += usize::from(row.is_open());
        self.rows.add(&row, count);
    }

    /// How many payloads were counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The rows with their counts, in the order of kind, code, reason and outcome.
    pub fn rows(&self) -> impl Iterator<Item = (&Row, u64)> {
        self.rows.iter()
    }

    /// How many payloads were of one kind.
    #[must_use]
    pub fn of_kind(&self, kind: Kind) -> u64 {
        let counts = self.rows.iter().filter(|(row, _)| row.kind() == kind).map(|(_, count)| count);
        counts.fold(0, u64::saturating_add)
    }

    /// What broke the contract, with counts.
    pub fn violations(&self) -> impl Iterator<Item = (&Violation, u64)> {
        self.faults.iter().filter_map(|(fault, count)| match fault {
            Fault::Violation(violation) => Some((violation, count)),
            _ => None,
        })
    }

    /// What was found in `details` and hints that must not be there, with counts. Never [`Category::OutOfBounds`].
    pub fn leaks(&self) -> impl Iterator<Item = (Category, u64)> {
        self.faults.iter().filter_map(|(fault, count)| match fault {
            Fault::Leak(category) => Some((*category, count)),
            _ => None,
        })
    }

    /// What was wrong with JSON-RPC frames, by the names of [`FrameProblem`], with counts.
    pub fn frames(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.faults.iter().filter_map(|(fault, count)| match fault {
            Fault::Frame(problem) => Some((*problem, count)),
            _ => None,
        })
    }
}

/// What one payload counts for. A function of the payload's text and the dialect alone.
#[derive(Debug, Clone)]
pub struct Entry {
    row: Row,
    violations: Vec<Violation>,
    leaks: Vec<Category>,
    frame: Option<FrameProblem>,
}

impl Entry {
    /// The row in which it is counted.
    #[must_use]
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// How many things were found in it that must not be there.
    #[must_use]
    pub fn findings(&self) -> usize {
        self.leaks.len()
    }

    pub(crate) fn of<N: Node<Error = Infallible>>(payload: &Classified<N>) -> Self {
        let Ok(entry) = Self::try_of(payload);
        entry
    }

    fn try_of<N: Node>(payload: &Classified<N>) -> Result<Self, N::Error> {
        let mut row = Row::new(payload.kind());
        let mut findings = Vec::new();
        let mut frame = None;
        match payload.kind() {
            Kind::Error => row = row.with_error(payload.code(), payload.try_reason()?.as_deref()),
            Kind::ToolResult => {
                if let Some((outcome, code)) = payload.try_outcome()? {
                    row = row.with_tool(outcome, code);
                }
            }
            Kind::EventResult => row = row.with_event(payload.event_result()),
            Kind::RpcError => {
                if let Some(view) = payload.try_rpc_error()? {
                    frame = view.problem;
                    row = row.with_code(view.rpc_code);
                }
            }
            Kind::MalformedError | Kind::None | Kind::Data | Kind::Invalid => {}
        }
        let violations = payload.try_violations()?;
        match payload.kind() {
            // Classification has run the scrubber over `details` already; once more only if it found something.
            Kind::Error if violations.iter().any(|it| it.kind() == ViolationKind::DetailsSensitive) => {
                if let Some(details) = payload.try_details_node()? {
                    findings = scrub::check_details(&details)?;
                }
            }
            Kind::ToolResult if row.asks_for_authorization() => {
                if let Some(result) = payload.try_tool_result(&mut Discard)? {
                    findings = result.findings;
                }
            }
            _ => {}
        }
        Ok(Self { row, violations, leaks: categories(&findings), frame })
    }

    fn of_report(report: &Report) -> Self {
        let mut row = Row::new(report.kind);
        let mut leaks = Vec::new();
        if let Some(error) = &report.error {
            row = row.with_error(Some(error.code()), error.reason());
            if let Some(details) = error.details() {
                let details = crate::value::Value::Object(details.clone());
                let Ok(findings) = scrub::check_details(&&details);
                leaks = categories(&findings);
            }
        }
        if let Some(result) = &report.tool_result {
            row = row.with_tool(result.outcome, result.error_code);
            leaks = categories(&result.findings);
        }
        row = row.with_event(report.event_result.as_ref());
        let mut frame = None;
        if let Some(rpc) = &report.rpc_error {
            row = row.with_code(rpc.rpc_code);
            frame = rpc.problem;
        }
        Self { row, violations: report.violations.clone(), leaks, frame }
    }
}

/// What lies beyond the bounds was cut and not found: it is no leak. Where it is too deep, that is a violation.
fn categories(findings: &[Finding]) -> Vec<Category> {
    let categories = findings.iter().map(|finding| finding.category);
    categories.filter(|category| *category != Category::OutOfBounds).collect()
}

/// What was counted, sorted. There are few enough of each for a list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Counts<K>(Vec<(K, u64)>);

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord + Clone> Counts<K> {
    fn place(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.cmp(key))
    }

    fn add(&mut self, key: &K, count: u64) {
        match self.place(key) {
            Ok(place) => {
                if let Some((_, sum)) = self.0.get_mut(place) {
                    *sum = sum.saturating_add(count);
                }
            }
            Err(place) => self.0.insert(place, (key.clone(), count)),
        }
    }

    fn iter(&self) -> impl Iterator<Item = (&K, u64)> {
        self.0.iter().map(|(key, count)| (key, *count))
    }
}

/// Whether a word that ackguard does not know may be shown: short, an identifier, and clean.
fn is_showable(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    word.len() <= 32
        && word.bytes().next().is_some_and(|first| first.is_ascii_lowercase())
        && word.bytes().all(plain)
        // A token is no reason: letters and digits in turn are not how anybody names one.
        && word.bytes().filter(u8::is_ascii_digit).count() <= 4
        && scrub::text(word, Rules::Details).1.is_empty()
}

#[cfg(test)]
mod tests;
