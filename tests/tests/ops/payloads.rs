//! `payloads.json`.

use ackguard::payload::{Report, classify, classify_json};
use ackguard_tests::vectors::Fields;
use serde_json::Value;

use super::{Answer, dialect, needed};

/// Both doors, which have to agree: the text, and what `serde_json` makes of it.
pub(super) fn classified(input: &mut Fields) -> Result<Answer, String> {
    let dialect = dialect(input)?;
    let text = needed("json", input.text("json"))?;
    let answer = told(&classify_json(text.as_bytes(), dialect).report());
    if let Ok(value) = serde_json::from_str::<Value>(&text) {
        let of_value = told(&classify(&value, dialect).report());
        if of_value != answer {
            return Err(format!("as text {answer:?}, as a value {of_value:?}"));
        }
    }
    Ok(answer)
}

const FIELDS: [&str; 25] = [
    "auth_hint",
    "cancel_reason",
    "capability",
    "client_version",
    "code",
    "details",
    "error_code",
    "extra",
    "findings",
    "id",
    "known",
    "max_supported",
    "mcp_server",
    "message",
    "min_supported",
    "name",
    "ok",
    "outcome",
    "problem",
    "raw_details",
    "reason",
    "rpc_code",
    "server",
    "server_version",
    "trace_id",
];

/// The report flattened: what a case asks about stands under one name, whatever the kind.
pub(super) fn told(report: &Report) -> Answer {
    let shown = serde_json::to_value(report).unwrap();
    // What a report leaves out is expected as null.
    let mut answer: Answer = FIELDS.iter().map(|field| ((*field).to_owned(), Value::Null)).collect();
    for field in ["kind", "retry", "violations"] {
        answer.insert(field.to_owned(), shown[field].clone());
    }
    for part in ["error", "tool_result", "event_result", "rpc_error"] {
        answer.extend(shown[part].as_object().cloned().unwrap_or_default());
    }
    answer
}
