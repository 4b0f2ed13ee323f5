//! A tally as JSON, as a table for people, and in the Prometheus text format.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};

use super::{Fault, Row, RowCode, Tally};
use crate::payload::Kind;
use crate::value::join;

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut tally = out.serialize_struct("Tally", 6)?;
        tally.serialize_field("total", &self.total)?;
        let kinds = self.kinds().map(|(kind, count)| (Cow::Borrowed(kind.as_str()), count));
        tally.serialize_field("kinds", &Pairs(kinds.collect()))?;
        tally.serialize_field("rows", &Rows(self))?;
        let [violations, leaks, frames] = self.faults();
        tally.serialize_field("violations", &Pairs(violations))?;
        tally.serialize_field("leaks", &Pairs(leaks))?;
        tally.serialize_field("frames", &Pairs(frames))?;
        tally.end()
    }
}

/// Names with counts, as an object.
struct Pairs<'a>(Named<'a>);

type Named<'a> = Vec<(Cow<'a, str>, u64)>;

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        for (name, count) in &self.0 {
            map.serialize_entry(&**name, count)?;
        }
        map.end()
    }
}

struct Rows<'a>(&'a Tally);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut rows = out.serialize_seq(None)?;
        for (row, count) in self.0.rows() {
            rows.serialize_element(&Counted(row, count))?;
        }
        rows.end()
    }
}

struct Counted<'a>(&'a Row, u64);

impl Serialize for Counted<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let Self(row, count) = *self;
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("kind", row.kind().as_str())?;
        match row.code() {
            Some(RowCode::Number(number)) => map.serialize_entry("code", &number)?,
            Some(RowCode::Other) => map.serialize_entry("code", super::OTHER)?,
            None => {}
        }
        if let Some(name) = row.name() {
            map.serialize_entry("name", name)?;
        }
        if let Some(reason) = row.reason() {
            map.serialize_entry("reason", reason)?;
        }
        if let Some(outcome) = row.outcome() {
            map.serialize_entry("outcome", outcome.as_str())?;
        }
        map.serialize_entry("count", &count)?;
        map.end()
    }
}

/// What a part of the table is, so that a terminal can colour it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tone {
    /// A heading.
    Heading,
    /// Something that went well, or says nothing either way.
    Plain,
    /// Something that went wrong, as it may.
    Failure,
    /// Something that must not be: a broken contract, a leak, a line that is not JSON.
    Fault,
    /// What explains the rest.
    Faint,
}

impl Tally {
    /// Everything as JSON: `total`, `kinds`, `rows`, `violations`, `leaks`, `frames`.
    #[must_use]
    pub fn to_json(&self) -> String {
        crate::value::to_string(self).unwrap_or_default()
    }

    fn kinds(&self) -> impl Iterator<Item = (Kind, u64)> {
        Kind::ALL.iter().map(|kind| (*kind, self.of_kind(*kind))).filter(|(_, count)| *count > 0)
    }

    /// The Prometheus text format, version 0.0.4: the counters `ackguard_payloads_total` (labels `kind`,
    /// `code`, `reason`, `outcome`; an empty one where a payload has no such thing),
    /// `ackguard_violations_total` (`violation`, `field`), `ackguard_leaks_total` (`category`) and
    /// `ackguard_broken_frames_total` (`problem`).
    #[must_use]
    pub fn to_prometheus(&self) -> String {
        let mut out = String::new();
        family(&mut out, "ackguard_payloads_total", "Payloads by kind, code, reason and outcome.");
        for (row, count) in self.rows() {
            let code = row.code().map(|code| code.to_string()).unwrap_or_default();
            let labels = [
                ("kind", row.kind().as_str()),
                ("code", &code),
                ("reason", row.reason().unwrap_or_default()),
                ("outcome", row.outcome().map_or("", super::RowOutcome::as_str)),
            ];
            sample(&mut out, "ackguard_payloads_total", &labels, count);
        }
        family(&mut out, "ackguard_violations_total", "Breaches of the contract in payloads.");
        for (violation, count) in self.violations() {
            let labels = [
                ("violation", violation.kind().as_str()),
                ("field", violation.field_name().unwrap_or_default()),
            ];
            sample(&mut out, "ackguard_violations_total", &labels, count);
        }
        family(&mut out, "ackguard_leaks_total", "Secrets found in details and authorization hints.");
        for (category, count) in self.leaks() {
            sample(&mut out, "ackguard_leaks_total", &[("category", category.as_str())], count);
        }
        family(&mut out, "ackguard_broken_frames_total", "JSON-RPC frames that break JSON-RPC.");
        for (problem, count) in self.frames() {
            sample(&mut out, "ackguard_broken_frames_total", &[("problem", problem)], count);
        }
        out
    }

    /// Writes the table for people; `paint` may put colour around each part of it.
    ///
    /// # Errors
    ///
    /// That of `out`.
    pub fn write_table(&self, out: &mut dyn fmt::Write, paint: &dyn Fn(Tone, &str) -> String) -> fmt::Result {
        let mut rows = vec![(Tone::Heading, "count\tkind\tcode\tname\treason or outcome".to_owned())];
        for (row, count) in self.rows() {
            let code = row.code().map(|code| code.to_string()).unwrap_or_default();
            // An error has a reason, the kinds with an outcome have none.
            let end = row.outcome().map(super::RowOutcome::as_str).or(row.reason()).unwrap_or_default();
            let name = row.name().unwrap_or_default();
            let cells = [&*count.to_string(), row.kind().as_str(), &code, name, end];
            rows.push((row.tone(), join(cells.into_iter(), "\t")));
        }
        rows.push((Tone::Faint, format!("{}\tin all", self.total)));
        columns(out, &rows, paint)?;
        let [violations, leaks, frames] = self.faults();
        section(out, paint, "violations", &violations)?;
        section(out, paint, "leaks", &leaks)?;
        if frames.is_empty() { Ok(()) } else { section(out, paint, "broken frames", &frames) }
    }

    /// What must not be, by name: what broke the contract, leaks, and broken frames.
    fn faults(&self) -> [Named<'_>; 3] {
        let mut lists = [const { Vec::new() }; 3];
        let [violations, leaks, frames] = &mut lists;
        for (fault, count) in self.faults.iter() {
            match fault {
                Fault::Violation(violation) => violations.push((violation.text(), count)),
                Fault::Leak(category) => leaks.push((category.as_str().into(), count)),
                Fault::Frame(problem) => frames.push(((*problem).into(), count)),
            }
        }
        lists
    }
}

/// The table, without colour.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_table(f, &|_, text| text.to_owned())
    }
}

impl Row {
    fn tone(&self) -> Tone {
        use super::RowOutcome as O;
        use crate::payload::Outcome;
        match self.kind() {
            Kind::Error | Kind::RpcError => Tone::Failure,
            Kind::MalformedError | Kind::Invalid => Tone::Fault,
            Kind::None | Kind::Data => Tone::Plain,
            Kind::ToolResult | Kind::EventResult => match self.outcome() {
                None | Some(O::Ok | O::Tool(Outcome::Completed)) => Tone::Plain,
                Some(O::Refused | O::Tool(_)) => Tone::Failure,
            },
        }
    }
}

type Paint<'a> = &'a dyn Fn(Tone, &str) -> String;

fn line(out: &mut dyn fmt::Write, paint: Paint<'_>, tone: Tone, text: &str) -> fmt::Result {
    out.write_str(&paint(tone, text))?;
    out.write_str("\n")
}

/// Adds a cell to a line: numbers to the right, words to the left. Every cell is ASCII, so bytes are columns.
fn add_cell(line: &mut String, cell: &str, width: usize, is_number: bool) {
    let end = line.len() + width;
    if !is_number {
        line.push_str(cell);
    }
    let last = if is_number { end.saturating_sub(cell.len()) } else { end };
    while line.len() < last {
        line.push(' ');
    }
    if is_number {
        line.push_str(cell);
    }
    line.push_str("  ");
}

/// Rows of at most five cells, with a tab between two.
fn columns(out: &mut dyn fmt::Write, rows: &[(Tone, String)], paint: Paint<'_>) -> fmt::Result {
    let mut widths = [0_usize; 5];
    for (_, cells) in rows {
        for (width, cell) in widths.iter_mut().zip(cells.split('\t')) {
            *width = (*width).max(cell.len());
        }
    }
    for (tone, cells) in rows {
        let mut text = String::new();
        for (index, (width, cell)) in widths.iter().zip(cells.split('\t')).enumerate() {
            // A column that nothing is in takes no room.
            if *width > 0 {
                add_cell(&mut text, cell, *width, matches!(index, 0 | 2));
            }
        }
        line(out, paint, *tone, text.trim_end())?;
    }
    Ok(())
}

fn section(
    out: &mut dyn fmt::Write,
    paint: Paint<'_>,
    title: &str,
    counts: &[(Cow<'_, str>, u64)],
) -> fmt::Result {
    out.write_str("\n")?;
    if counts.is_empty() {
        return line(out, paint, Tone::Faint, &format!("no {title}"));
    }
    line(out, paint, Tone::Heading, title)?;
    let width = counts.iter().map(|(_, count)| count.to_string().len()).max().unwrap_or(0).max(5);
    for (name, count) in counts {
        let mut text = String::new();
        add_cell(&mut text, &count.to_string(), width, true);
        text.push_str(name);
        line(out, paint, Tone::Fault, &text)?;
    }
    Ok(())
}

fn family(out: &mut String, name: &str, help: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} counter");
}

pub(super) fn sample(out: &mut String, name: &str, labels: &[(&str, &str)], count: u64) {
    out.push_str(name);
    for (index, (label, value)) in labels.iter().enumerate() {
        out.push(if index == 0 { '{' } else { ',' });
        out.push_str(label);
        out.push_str("=\"");
        for c in value.chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                '"' => out.push_str("\\\""),
                '\n' => out.push_str("\\n"),
                _ => out.push(c),
            }
        }
        out.push('"');
    }
    let _ = writeln!(out, "}} {count}");
}
