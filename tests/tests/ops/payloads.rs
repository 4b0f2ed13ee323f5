//! `payloads.json`.

use ackguard::host::ToJson;
use ackguard::payload::{
    ErrorPayload, Report, auth_error_result, cancelled_result, classify, classify_ack_args, classify_json,
    guard_tool_result, timeout_result,
};
use ackguard::{Dialect, ErrorCode, Locale};
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

const FIELDS: [&str; 26] = [
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
    "total_size",
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

/// The argument list of an ack callback.
pub(super) fn ack_args(input: &mut Fields) -> Result<Answer, String> {
    let dialect = dialect(input)?;
    let args = needed("args", input.take("args"))?;
    let args: Vec<&Value> = args.as_array().into_iter().flatten().collect();
    let Ok(classified) = classify_ack_args(&args, dialect);
    Ok(told(&classified.report()))
}

/// An error built from its parts, and written.
pub(super) fn build(input: &mut Fields) -> Result<Answer, String> {
    let dialect = dialect(input)?;
    let code = needed("code", input.take("code").and_then(|code| code.as_i64()))?;
    let message = needed("message", input.text("message"))?;
    let mut fields = Fields::new(members(input, "fields")?);
    let mut versions = Vec::new();
    for name in ["server_version", "client_version", "min_supported", "max_supported"] {
        versions.extend(fields.text(name));
    }
    let mut error = match (code, fields.text("server")) {
        (4014, Some(server)) => ErrorPayload::mcp_server_not_found(server),
        _ => ErrorPayload::new(code, ""),
    };
    if let [server, client, min, max] = versions.as_slice() {
        error = ErrorPayload::version_mismatch(server, client, min, max);
    }
    error = error.with_message(message);
    if let Some(trace_id) = fields.text("trace_id") {
        error = error.with_trace_id(trace_id);
    }
    if !fields.rest().is_empty() {
        return Err(format!("unknown fields {:?}", fields.rest()));
    }
    for (key, value) in members(input, "details")? {
        error = error.with_detail(key, value);
    }
    Ok(object(json!({ "payload": error.to_value(dialect) })))
}

/// An object's members; none where it is left out or null.
fn members(input: &mut Fields, name: &str) -> Result<Answer, String> {
    match input.take(name).unwrap_or_default() {
        Value::Null => Ok(Answer::new()),
        Value::Object(members) => Ok(members),
        _ => Err(format!("{name} is no object")),
    }
}

/// What a person may be told.
pub(super) fn public_message(input: &mut Fields) -> Result<Answer, String> {
    let text = needed("json", input.text("json"))?;
    let locale = Locale::from_tag(&needed("locale", input.text("locale"))?);
    let error = needed("an error", classify_json(text.as_bytes(), Dialect::default()).error())?;
    Ok(object(json!({ "message": error.public_message(locale) })))
}

/// An upstream result without what only the Computer may say.
pub(super) fn guard(input: &mut Fields) -> Result<Answer, String> {
    let result = needed("result", input.take("result"))?;
    let Ok(guarded) = guard_tool_result(&&result, &mut ToJson);
    let mut paths: Vec<&str> = guarded.findings.iter().map(|finding| finding.path.as_str()).collect();
    paths.sort_unstable();
    Ok(object(json!({ "value": guarded.value, "paths": paths })))
}

/// The results that a Computer makes itself, classified again.
pub(super) fn made(op: &str, input: &mut Fields) -> Result<Answer, String> {
    let result = match op {
        "cancelled_result" => cancelled_result(input.text("reason").as_deref(), Locale::En),
        "timeout_result" => timeout_result(Locale::En),
        _ => {
            let server = needed("mcp_server", input.text("mcp_server"))?;
            let code = needed("code", input.take("code").and_then(|code| code.as_i64()))?;
            let hint = input.take("hint").filter(|hint| !hint.is_null());
            match auth_error_result(&server, ErrorCode::new(code), hint.as_ref(), Locale::En) {
                Ok(made) => made.value,
                Err(_) => return Ok(object(json!({ "error": "not_an_authorization_code" }))),
            }
        }
    };
    Ok(told(&classify(&result, Dialect::default()).report()))
}
