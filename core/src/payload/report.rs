//! A classified payload, owned: what a binding hands over, and what `explain --json` prints.

use crate::value::{Map, Value};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use serde::{Serialize, Serializer};

use super::{Classified, ErrorPayload, EventResult, Kind, RpcView, ToolResult, Violation};
use crate::Dialect;
use crate::host::{Node, ToJson};
use crate::retry::Advice;

/// The verdict and everything that goes with it, owned.
///
/// Serialized, it is the canonical answer that every language gives for a payload.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// What the payload is.
    pub kind: Kind,
    /// The dialect in which it was read.
    pub dialect: Dialect,
    /// For `error`.
    pub error: Option<ErrorPayload>,
    /// For `tool_result`.
    pub tool_result: Option<ToolResult>,
    /// For `event_result`.
    pub event_result: Option<EventResult>,
    /// For `rpc_error`.
    pub rpc_error: Option<RpcView>,
    /// What breaks the contract.
    pub violations: Vec<Violation>,
    /// The advice, for every kind that has one.
    pub retry: Option<Advice>,
}

impl<N: Node> Classified<N> {
    /// Everything at once, owned.
    ///
    /// # Errors
    ///
    /// The host's own error.
    pub fn try_report(&self) -> Result<Report, N::Error> {
        Ok(Report {
            kind: self.kind(),
            dialect: self.dialect(),
            error: self.try_error()?,
            tool_result: self.try_tool_result(&mut ToJson)?,
            event_result: self.event_result().cloned(),
            rpc_error: self.try_rpc_error()?,
            violations: self.try_violations()?,
            retry: self.try_retry()?,
        })
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| {
            map.insert(key.to_owned(), value);
        };
        put("kind", self.kind.as_str().into());
        if let Some(error) = &self.error {
            put("error", error_value(error, self.dialect));
        }
        if let Some(result) = &self.tool_result {
            put("tool_result", crate::value::to_value(result).unwrap_or_default());
        }
        if let Some(event) = &self.event_result {
            put("event_result", crate::value::to_value(event).unwrap_or_default());
        }
        if let Some(rpc) = &self.rpc_error {
            put("rpc_error", rpc_value(rpc));
        }
        put("violations", self.violations.iter().map(|it| Value::from(it.text().as_ref())).collect());
        put("retry", self.retry.map_or(Value::Null, |it| crate::value::to_value(it).unwrap_or_default()));
        map.serialize(out)
    }
}

/// An error with each of its views by name, as the bindings show it.
fn error_value(error: &ErrorPayload, dialect: Dialect) -> Value {
    let mut map = Map::new();
    map.insert("code".to_owned(), error.code().get().into());
    map.insert("known".to_owned(), error.is_known(dialect).into());
    map.insert("message".to_owned(), error.message().into());
    let texts = [
        ("name", error.name()),
        ("reason", error.reason()),
        ("server", error.server()),
        ("capability", error.capability()),
        ("server_version", error.server_version()),
        ("client_version", error.client_version()),
        ("min_supported", error.min_supported()),
        ("max_supported", error.max_supported()),
        ("trace_id", error.trace_id()),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            map.insert(key.to_owned(), text.into());
        }
    }
    if let Some(size) = error.total_size() {
        map.insert("total_size".to_owned(), size.into());
    }
    if let Some(details) = error.details() {
        map.insert("details".to_owned(), Value::Object(details.clone()));
    }
    if let Some(raw) = error.raw_details() {
        map.insert("raw_details".to_owned(), raw.clone());
    }
    if !error.extra().is_empty() {
        map.insert("extra".to_owned(), Value::Object(error.extra().clone()));
    }
    Value::Object(map)
}

fn rpc_value(rpc: &RpcView) -> Value {
    let mut map = Map::new();
    map.insert("error_code".to_owned(), "protocol_error".into());
    map.insert("rpc_code".to_owned(), rpc.rpc_code.map_or(Value::Null, crate::acp::rpc::integer_value));
    map.insert("name".to_owned(), rpc.name.map_or(Value::Null, Value::from));
    map.insert("message".to_owned(), rpc.message.as_deref().map_or(Value::Null, Value::from));
    map.insert("id".to_owned(), rpc.id.as_ref().map_or(Value::Null, crate::acp::rpc::RpcId::to_value));
    if let Some(problem) = rpc.problem {
        map.insert("problem".to_owned(), problem.as_str().into());
    }
    Value::Object(map)
}
