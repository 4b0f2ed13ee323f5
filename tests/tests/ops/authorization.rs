//! `authorization.json`.

use ackguard::authorization::{Decision, Failure, decide, decide_from_text};
use ackguard_tests::vectors::Fields;
use serde_json::{Value, json};

use super::{Answer, object};

pub(super) fn decision(input: &mut Fields) -> Result<Answer, String> {
    if let Some(text) = input.text("text") {
        return Ok(told(decide_from_text(&text)));
    }
    let (header, oauth_error) = (input.text("www_authenticate"), input.text("oauth_error"));
    let failure = Failure {
        http_status: input.take("http_status").and_then(|status| status.as_i64()),
        www_authenticate: header.as_deref(),
        oauth_error: oauth_error.as_deref(),
        credential: word(input, "credential")?,
        event: word(input, "event")?,
        provider_fault: input.take("provider_fault") == Some(Value::Bool(true)),
    };
    Ok(told(decide(&failure)))
}

fn told(decision: Decision) -> Answer {
    object(json!({ "code": decision.code().map(|code| code.get()), "decision": decision.as_str() }))
}

fn word<T: std::str::FromStr<Err: std::fmt::Display>>(
    input: &mut Fields,
    name: &str,
) -> Result<Option<T>, String> {
    input.text(name).map(|word| word.parse().map_err(|error| format!("{name}: {error}"))).transpose()
}
