//! The operations of the vector files, one module per file or two.

mod acp;
mod authorization;
mod handshake;
mod names;
mod paths;
mod payloads;
mod sandbox;
mod scrub;

use ackguard::Dialect;
use ackguard_tests::vectors::{Fields, File};
use serde_json::{Map, Value};

/// Everything that a case may ask about.
pub(crate) type Answer = Map<String, Value>;

/// What the cases of one file share.
pub(crate) struct Together {
    tree: Option<sandbox::Tree>,
}

impl Together {
    pub(crate) fn new(file: &File) -> Self {
        let steps = file.json.get("tree").and_then(Value::as_array);
        Self { tree: steps.map(|steps| sandbox::Tree::build(steps)) }
    }

    /// What only shows once all cases have been run.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.tree.as_ref().map(sandbox::Tree::problems).unwrap_or_default()
    }
}

pub(crate) fn answer(file: &File, input: &mut Fields, together: &mut Together) -> Result<Answer, String> {
    let op = input.text("op");
    match (file.name.as_str(), op.as_deref()) {
        ("payloads", None) => payloads::classified(input),
        ("payloads", Some("ack_args")) => payloads::ack_args(input),
        ("payloads", Some("build")) => payloads::build(input),
        ("payloads", Some("public_message")) => payloads::public_message(input),
        ("payloads", Some("guard")) => payloads::guard(input),
        ("payloads", Some(op @ ("cancelled_result" | "timeout_result" | "auth_error_result"))) => {
            payloads::made(op, input)
        }
        ("acp", Some(op)) => acp::answer(op, input),
        ("versions", None) => handshake::version(input),
        ("handshake", None) => handshake::failure(input),
        ("handshake", Some("text")) => handshake::text(input),
        ("handshake", Some("check")) => handshake::check(input),
        ("handshake", Some("ws_close")) => handshake::ws_close(input),
        ("authorization", None) => authorization::decision(input),
        ("skill_names", None) => names::parse(input),
        ("skill_names", Some("build")) => names::build(input),
        ("skill_names", Some("suggest")) => names::suggestion(input),
        ("auth_hints", None) => scrub::hint(input),
        ("details", None) => scrub::of_details(input),
        ("rel_paths", None) => paths::lexical(input),
        ("rel_paths_fs", None) => needed("tree", together.tree.as_mut())?.read(input),
        ("blobs", Some("check")) => paths::blob_range(input),
        ("blobs", Some("clamp")) => paths::chunk(input),
        (file, op) => Err(format!("{file}: does not know the operation {}", op.unwrap_or("(none)"))),
    }
}

/// An answer from `serde_json::json!({...})`.
fn object(value: Value) -> Answer {
    match value {
        Value::Object(answer) => answer,
        other => unreachable!("{other} is no object"),
    }
}

/// An input that has to be there.
fn needed<T>(name: &str, value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| format!("needs the input {name}"))
}

/// The dialect that a case asks for, or the default.
fn dialect(input: &mut Fields) -> Result<Dialect, String> {
    match input.text("dialect") {
        Some(name) => name.parse().map_err(|error| format!("{name}: {error}")),
        None => Ok(Dialect::default()),
    }
}
