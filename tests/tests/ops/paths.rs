//! `rel_paths.json` and `blobs.json`.

use ackguard::blob::{BlobError, check_range, clamp_chunk};
use ackguard::rel_path::{Forbidden, check};
use ackguard_tests::vectors::Fields;
use serde_json::{Value, json};

use super::{Answer, needed, object};

pub(super) fn lexical(input: &mut Fields) -> Result<Answer, String> {
    let rel_path = match input.take("rel_path") {
        Some(Value::String(rel_path)) => Some(rel_path),
        None | Some(Value::Null) => None,
        Some(other) => return Err(format!("rel_path is {other}")),
    };
    let forbidden = forbidden(input)?;
    Ok(object(match check(rel_path.as_deref(), &forbidden) {
        Ok(normalized) => json!({ "ok": normalized }),
        Err(error) => json!({ "error": error.code().get(), "reason": error.reason().as_str() }),
    }))
}

/// What a case forbids beyond `.skillenv`.
pub(super) fn forbidden(input: &mut Fields) -> Result<Forbidden, String> {
    let mut forbidden = Forbidden::new();
    if let Some(names) = input.take("forbid") {
        let names: Vec<String> = serde_json::from_value(names).map_err(|error| format!("forbid: {error}"))?;
        forbidden = forbidden.with_names(names);
    }
    match input.take("credentials") {
        Some(Value::Bool(true)) => Ok(forbidden.with_credentials()),
        None | Some(Value::Bool(false)) => Ok(forbidden),
        Some(other) => Err(format!("credentials is {other}")),
    }
}

pub(super) fn blob_range(input: &mut Fields) -> Result<Answer, String> {
    let (offset, total) = (integer(input, "chunk_offset")?, size(input, "total_size")?);
    Ok(object(match check_range(offset, total) {
        Ok(range) => json!({ "ok": true, "eof": range.eof }),
        Err(error) => refused(&error),
    }))
}

pub(super) fn chunk(input: &mut Fields) -> Result<Answer, String> {
    let (offset, total) = (integer(input, "chunk_offset")?, size(input, "total_size")?);
    let (wanted, cap) = (size(input, "wanted")?, size(input, "cap")?);
    Ok(object(match clamp_chunk(offset, total, wanted, cap) {
        Ok(chunk) => json!({ "ok": true, "len": chunk.len, "eof": chunk.eof }),
        Err(error) => refused(&error),
    }))
}

fn refused(error: &BlobError) -> Value {
    json!({ "error": error.code().get(), "reason": error.reason().as_str() })
}

fn integer(input: &mut Fields, name: &str) -> Result<i64, String> {
    needed(name, input.take(name).as_ref().and_then(Value::as_i64))
}

fn size(input: &mut Fields, name: &str) -> Result<u64, String> {
    needed(name, input.take(name).as_ref().and_then(Value::as_u64))
}
