//! `payloads.json`.

use ackguard::payload::{Report, classify, classify_json};
use ackguard_tests::vectors::Fields;
use serde_json::{Value, json};

use super::{Answer, dialect, needed, object};

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

/// The report flattened: what a case asks about stands under one name, whatever the kind.
pub(super) fn told(report: &Report) -> Answer {
    let shown = serde_json::to_value(report).unwrap();
    let mut answer = object(json!({ "kind": shown["kind"], "retry": shown["retry"] }));
    answer.insert("violations".to_owned(), shown["violations"].clone());
    for part in ["error", "tool_result", "event_result", "rpc_error"] {
        answer.extend(shown[part].as_object().cloned().unwrap_or_default());
    }
    answer
}
