//! What is made of a column of texts: parts of it by several threads, joined in order.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use ackguard::Dialect;
use ackguard::batch::{self, Reader, Scrub};
use ackguard::tally::{Entry, RowCode};
use arrow_array::builder::{GenericStringBuilder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, OffsetSizeTrait, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use super::texts::{Column, Texts};

/// What is done to each text.
#[derive(Clone, Copy)]
pub(super) enum Task {
    Classify { dialect: Dialect, records: bool },
    Scrub(Scrub),
}

/// Fewer rows than this are not worth another thread.
const FEW: usize = 4096;
/// A part has no more rows than this, whatever is left: parts that differ in what they cost even out.
const MANY: usize = 1 << 18;

type Made = Result<Vec<ArrayRef>, ArrowError>;

impl Task {
    pub(super) fn schema(self, column: &Column) -> SchemaRef {
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        Arc::new(Schema::new(match self {
            Self::Classify { .. } => vec![
                text("kind"),
                Field::new("code", DataType::Int64, true),
                text("reason"),
                text("outcome"),
                text("retry_action"),
                Field::new("findings", DataType::Int32, true),
            ],
            Self::Scrub(_) => {
                let text = if column.is_large() { DataType::LargeUtf8 } else { DataType::Utf8 };
                vec![Field::new("value", text, true), Field::new("findings", DataType::Int32, true)]
            }
        }))
    }

    /// The batch of all rows.
    pub(super) fn run(
        self,
        texts: &Texts,
        schema: SchemaRef,
        threads: usize,
    ) -> Result<RecordBatch, ArrowError> {
        let large = schema.fields().first().is_some_and(|it| *it.data_type() == DataType::LargeUtf8);
        let parts = match self {
            Self::Classify { dialect, records } => {
                let reader = || if records { Reader::of_records(dialect) } else { Reader::new(dialect) };
                in_parts(texts.len(), threads, reader, |reader, rows| Ok(classified(reader, texts, rows)))
            }
            Self::Scrub(what) if large => {
                in_parts(texts.len(), threads, || (), |(), rows| scrubbed::<i64>(what, texts, rows))
            }
            Self::Scrub(what) => {
                in_parts(texts.len(), threads, || (), |(), rows| scrubbed::<i32>(what, texts, rows))
            }
        };
        let batches: Result<Vec<_>, ArrowError> =
            parts.into_iter().map(|part| RecordBatch::try_new(schema.clone(), part?)).collect();
        join(batches?, schema)
    }
}

/// Has parts of the rows worked through by several threads, each of which has a state of its own, and gives what they
/// made in the order of the rows.
fn in_parts<S>(
    rows: usize,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, Range<usize>) -> Made + Sync,
) -> Vec<Made> {
    let threads = threads.min(rows.div_ceil(FEW)).max(1);
    let size = rows.div_ceil(threads * 4).clamp(FEW, MANY);
    let next = AtomicUsize::new(0);
    let made = Mutex::new(Vec::new());
    let run = || {
        let mut state = state();
        loop {
            let start = next.fetch_add(size, Ordering::Relaxed);
            if start >= rows {
                break;
            }
            let part = work(&mut state, start..rows.min(start.saturating_add(size)));
            made.lock().unwrap_or_else(PoisonError::into_inner).push((start, part));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_unstable_by_key(|(start, _)| *start);
    made.into_iter().map(|(_, part)| part).collect()
}

fn count(findings: usize) -> i32 {
    i32::try_from(findings).unwrap_or(i32::MAX)
}

struct Columns {
    kind: StringBuilder,
    code: Int64Builder,
    reason: StringBuilder,
    outcome: StringBuilder,
    action: StringBuilder,
    findings: Int32Builder,
}

impl Columns {
    fn new(rows: usize) -> Self {
        let text = |bytes| StringBuilder::with_capacity(rows, bytes);
        Self {
            kind: text(rows * 8),
            code: Int64Builder::with_capacity(rows),
            reason: text(0),
            outcome: text(0),
            action: text(0),
            findings: Int32Builder::with_capacity(rows),
        }
    }

    fn append(&mut self, entry: &Entry) {
        let row = entry.row();
        self.kind.append_value(row.kind().as_str());
        self.code.append_option(row.code().and_then(|code| match code {
            RowCode::Number(number) => Some(number),
            RowCode::Other => None,
        }));
        self.reason.append_option(row.reason());
        self.outcome.append_option(row.outcome().map(|outcome| outcome.as_str()));
        self.action.append_option(row.advice().map(|advice| advice.action.as_str()));
        self.findings.append_value(count(entry.findings()));
    }

    fn append_null(&mut self) {
        self.kind.append_null();
        self.code.append_null();
        self.reason.append_null();
        self.outcome.append_null();
        self.action.append_null();
        self.findings.append_null();
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        vec![
            Arc::new(self.kind.finish()),
            Arc::new(self.code.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.outcome.finish()),
            Arc::new(self.action.finish()),
            Arc::new(self.findings.finish()),
        ]
    }
}

fn classified(reader: &mut Reader, texts: &Texts, rows: Range<usize>) -> Vec<ArrayRef> {
    let mut columns = Columns::new(rows.len());
    for row in rows {
        let read = texts.get(row).and_then(|text| reader.read(text, |entry| columns.append(entry)));
        if read.is_none() {
            columns.append_null();
        }
    }
    columns.finish()
}

fn scrubbed<O: OffsetSizeTrait>(what: Scrub, texts: &Texts, rows: Range<usize>) -> Made {
    let mut value = GenericStringBuilder::<O>::with_capacity(rows.len(), 0);
    let mut findings = Int32Builder::with_capacity(rows.len());
    let mut bytes = 0_usize;
    for row in rows {
        let Some(text) = texts.get(row) else {
            value.append_null();
            findings.append_null();
            continue;
        };
        let (clean, found) = batch::scrub(text, what);
        bytes += clean.len();
        if O::from_usize(bytes).is_none() {
            return Err(too_large());
        }
        value.append_value(&clean);
        findings.append_value(count(found));
    }
    Ok(vec![Arc::new(value.finish()), Arc::new(findings.finish())])
}

fn too_large() -> ArrowError {
    let text =
        "one batch cannot hold more than 2 GiB of text: take the batches one by one, or cast to large_string";
    ArrowError::InvalidArgumentError(text.to_owned())
}

/// Several batches as one.
pub(super) fn join(mut batches: Vec<RecordBatch>, schema: SchemaRef) -> Result<RecordBatch, ArrowError> {
    if batches.len() == 1
        && let Some(only) = batches.pop()
    {
        return Ok(only);
    }
    let columns: Result<Vec<ArrayRef>, ArrowError> = schema
        .fields()
        .iter()
        .enumerate()
        .map(|(index, field)| {
            let parts = batches.iter().filter_map(|batch| batch.columns().get(index));
            match field.data_type() {
                DataType::Utf8 => join_texts::<i32>(parts),
                DataType::LargeUtf8 => join_texts::<i64>(parts),
                DataType::Int64 => {
                    let mut all = Int64Builder::new();
                    parts.for_each(|part| all.append_array(part.as_primitive::<Int64Type>()));
                    Ok(Arc::new(all.finish()) as ArrayRef)
                }
                _ => {
                    let mut all = Int32Builder::new();
                    parts.for_each(|part| all.append_array(part.as_primitive::<Int32Type>()));
                    Ok(Arc::new(all.finish()) as ArrayRef)
                }
            }
        })
        .collect();
    RecordBatch::try_new(schema, columns?)
}

fn join_texts<'a, O: OffsetSizeTrait>(
    parts: impl Iterator<Item = &'a ArrayRef> + Clone,
) -> Result<ArrayRef, ArrowError> {
    let bytes = parts.clone().map(|part| part.as_string::<O>().value_data().len()).sum();
    let rows = parts.clone().map(|part| part.len()).sum();
    if O::from_usize(bytes).is_none() {
        return Err(too_large());
    }
    let mut all = GenericStringBuilder::<O>::with_capacity(rows, bytes);
    for part in parts {
        all.append_array(part.as_string::<O>())?;
    }
    Ok(Arc::new(all.finish()))
}
