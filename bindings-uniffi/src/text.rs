//! JSON as text, in and out.

use std::convert::Infallible;

use ackguard::host::Build;
use ackguard::json::TextNode;
use serde_json::Value;

use crate::error::{AckguardError, Answer};

/// Builds JSON text. A scalar stays as it stood on the wire, so a number of any length keeps its digits.
pub(crate) struct ToText;

pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

impl<'a> Build<TextNode<'a>> for ToText {
    type Value = String;

    fn scalar(&mut self, node: &TextNode<'a>) -> Result<String, Infallible> {
        Ok(node.as_str().to_owned())
    }
    fn string(&mut self, text: &str) -> Result<String, Infallible> {
        Ok(quoted(text))
    }
    fn array(&mut self, items: Vec<String>) -> Result<String, Infallible> {
        Ok(format!("[{}]", items.join(",")))
    }
    fn object(&mut self, members: Vec<(String, String)>) -> Result<String, Infallible> {
        Ok(object(&members))
    }
}

/// The text of an object from the texts of its members.
pub(crate) fn object(members: &[(String, String)]) -> String {
    let mut text = String::from("{");
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&quoted(name));
        text.push(':');
        text.push_str(value);
    }
    text.push('}');
    text
}

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
