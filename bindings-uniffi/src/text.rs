//! JSON as text, in and out.

use ackguard::json::TextNode;
use serde_json::Value;

use crate::error::{AckguardError, Answer};

/// An argument that has to be JSON.
pub(crate) fn parsed<'a>(name: &str, text: &'a [u8]) -> Answer<TextNode<'a>> {
    TextNode::parse(text).map_err(|error| not_json(name, error.offset))
}

/// An argument that has to be JSON, as a value.
pub(crate) fn value(name: &str, text: &str) -> Answer<Value> {
    let node = parsed(name, text.as_bytes())?;
    let Ok((value, _)) =
        ackguard::host::copy(&node, &mut ackguard::host::ToJson, ackguard::payload::MAX_DEPTH);
    Ok(value)
}

/// An argument that has to be a JSON object.
pub(crate) fn members(name: &str, text: Option<&str>) -> Answer<serde_json::Map<String, Value>> {
    match text.map(|text| value(name, text)).transpose()? {
        Some(Value::Object(members)) => Ok(members),
        Some(_) => Err(AckguardError::misuse(format!("{name} is no JSON object"))),
        None => Ok(serde_json::Map::new()),
    }
}

// The text itself may be a secret, so only the place is told.
fn not_json(name: &str, offset: usize) -> AckguardError {
    AckguardError::misuse(format!("{name} is not JSON (at byte {offset})"))
}
