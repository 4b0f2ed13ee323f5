//! `auth_hints.json` and `details.json`.

use ackguard::host::ToJson;
use ackguard::scrub::{HintPolicy, Scrubbed, auth_hint, details};
use ackguard_tests::vectors::Fields;
use serde_json::{Value, json};

use super::{Answer, needed, object};

pub(super) fn hint(input: &mut Fields) -> Result<Answer, String> {
    let hint = needed("hint", input.take("hint"))?;
    let policy = match input.take("strict") {
        Some(Value::Bool(true)) => HintPolicy::Strict,
        None | Some(Value::Bool(false)) => HintPolicy::Standard,
        Some(other) => return Err(format!("strict is {other}")),
    };
    Ok(told(&hint, |value| {
        let Ok(scrubbed) = auth_hint(&value, policy, &mut ToJson);
        scrubbed
    }))
}

pub(super) fn of_details(input: &mut Fields) -> Result<Answer, String> {
    let given = needed("details", input.take("details"))?;
    Ok(told(&given, |value| {
        let Ok(scrubbed) = details(&value, &mut ToJson);
        scrubbed
    }))
}

/// Scrubs, and scrubs what came out: nothing may be left to find.
fn told(given: &Value, scrub: impl Fn(&Value) -> Scrubbed<Value>) -> Answer {
    let scrubbed = scrub(given);
    let again = scrub(&scrubbed.value);
    object(json!({
        "text": scrubbed.value.to_string(),
        "value": scrubbed.value,
        "findings": scrubbed.findings,
        "clean": scrubbed.findings.is_empty(),
        "idempotent": again.value == scrubbed.value && again.findings.is_empty(),
    }))
}
