//! The attributes of a row for OpenTelemetry.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Row, RowCode, RowOutcome};
use crate::payload::{Kind, Outcome};

/// What kind of error it was. Of the semantic conventions (general attributes, stable).
pub const ERROR_TYPE: &str = "error.type";
/// The number of a JSON-RPC error, as text. Of the semantic conventions (RPC).
pub const RPC_STATUS: &str = "rpc.response.status_code";
/// The kind of payload. The conventions have no name for it.
pub const KIND: &str = "ackguard.kind";
/// The code, a number: an A2C-SMCP code, or for an `rpc_error` a JSON-RPC number. The conventions have no name for it.
pub const CODE: &str = "ackguard.code";
/// `details.reason`. The conventions have no name for it.
pub const REASON: &str = "ackguard.reason";
/// How a tool call or an event ended. The conventions have no name for it.
pub const OUTCOME: &str = "ackguard.outcome";

/// The conventions' `error.type` for a tool result that reports a failure.
const TOOL_ERROR: &str = "tool_error";
/// The conventions' word for an error of none of the known types.
const UNNAMED: &str = "_OTHER";

/// The value of an attribute, in the two types that are needed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeValue<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// A number.
    Number(i64),
}

impl Row {
    /// The row as attributes of an OpenTelemetry measurement, those of the semantic conventions first.
    ///
    /// Names that the conventions have are used as they say: [`ERROR_TYPE`] is there if and only if something
    /// went wrong (the code's name, else its number; `tool_error` for a tool result; `_OTHER` where there is
    /// no name for it), [`RPC_STATUS`] for a JSON-RPC error with a number. The rest is ackguard's own. As
    /// there are a bounded number of rows, there are a bounded number of sets of attributes, and nothing of a
    /// payload that could be a secret is in one.
    ///
    /// ```
    /// use ackguard::tally::{AttributeValue, Tally, attribute};
    /// use ackguard::{Dialect, payload::classify_json};
    ///
    /// let mut tally = Tally::new();
    /// tally.add(&classify_json(br#"{"code":4101,"message":"Room full"}"#, Dialect::V0_2));
    /// for (row, count) in tally.rows() {
    ///     // counter.add(count, &row.attributes().map(...));
    ///     assert_eq!(count, 1);
    ///     let error = row.attributes().into_iter().find(|(name, _)| *name == attribute::ERROR_TYPE);
    ///     assert_eq!(error.unwrap().1, AttributeValue::Text("ROOM_FULL".into()));
    /// }
    /// ```
    #[must_use]
    pub fn attributes(&self) -> Vec<(&'static str, AttributeValue<'_>)> {
        let mut attributes = Vec::with_capacity(6);
        if let Some(error) = self.error_type() {
            attributes.push((ERROR_TYPE, AttributeValue::Text(error)));
        }
        let number = match self.code() {
            Some(RowCode::Number(number)) => Some(number),
            Some(RowCode::Other) | None => None,
        };
        if let (Kind::RpcError, Some(number)) = (self.kind(), number) {
            attributes.push((RPC_STATUS, AttributeValue::Text(number.to_string().into())));
        }
        attributes.push((KIND, AttributeValue::Text(self.kind().as_str().into())));
        attributes.extend(number.map(|number| (CODE, AttributeValue::Number(number))));
        attributes.extend(self.reason().map(|reason| (REASON, AttributeValue::Text(reason.into()))));
        attributes
            .extend(self.outcome().map(|outcome| (OUTCOME, AttributeValue::Text(outcome.as_str().into()))));
        attributes
    }

    fn error_type(&self) -> Option<Cow<'_, str>> {
        match self.kind() {
            Kind::Error => Some(match (self.name(), self.code()) {
                (Some(name), _) => name.into(),
                (None, Some(RowCode::Number(number))) => number.to_string().into(),
                (None, Some(RowCode::Other) | None) => UNNAMED.into(),
            }),
            // The conventions ask for the number here, not for its name.
            Kind::RpcError => Some(match self.code() {
                Some(RowCode::Number(number)) => number.to_string().into(),
                Some(RowCode::Other) | None => UNNAMED.into(),
            }),
            Kind::ToolResult | Kind::EventResult => match self.outcome()? {
                RowOutcome::Ok | RowOutcome::Tool(Outcome::Completed) => None,
                RowOutcome::Tool(_) => Some(TOOL_ERROR.into()),
                RowOutcome::Refused => Some(self.kind().as_str().into()),
            },
            Kind::MalformedError | Kind::Invalid => Some(self.kind().as_str().into()),
            Kind::None | Kind::Data => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::Dialect;
    use crate::payload::classify;
    use crate::tally::Tally;

    fn attributes(payload: &Value) -> String {
        let mut tally = Tally::new();
        tally.add(&classify(payload, Dialect::V0_2));
        let (row, _) = tally.rows().next().unwrap();
        let shown = row.attributes().into_iter().map(|(name, value)| match value {
            AttributeValue::Text(text) => format!("{name}={text}"),
            AttributeValue::Number(number) => format!("{name}={number}"),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn one_of_each() {
        let cases = [
            (
                json!({"code": 4017, "message": "m", "details": {"reason": "too_large"}}),
                "error.type=SKILL_RESOURCE_NOT_ACCESSIBLE ackguard.kind=error ackguard.code=4017 ackguard.reason=too_large",
            ),
            (json!({"code": 4010, "message": "m"}), "error.type=4010 ackguard.kind=error ackguard.code=4010"),
            (
                json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "m"}}),
                "error.type=-32601 rpc.response.status_code=-32601 ackguard.kind=rpc_error ackguard.code=-32601",
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "x"}}),
                "error.type=_OTHER ackguard.kind=rpc_error",
            ),
            (
                json!({"content": [], "isError": true, "meta": {"error_code": 4006, "mcp_server": "s"}}),
                "error.type=tool_error ackguard.kind=tool_result ackguard.code=4006 ackguard.outcome=authorization_required",
            ),
            (
                json!({"content": [], "isError": true}),
                "error.type=tool_error ackguard.kind=tool_result ackguard.outcome=failed",
            ),
            (json!({"content": []}), "ackguard.kind=tool_result ackguard.outcome=completed"),
            (
                json!([false, "full"]),
                "error.type=event_result ackguard.kind=event_result ackguard.outcome=refused",
            ),
            (json!([true, null]), "ackguard.kind=event_result ackguard.outcome=ok"),
            (json!({"error": {"code": 4014}}), "error.type=malformed_error ackguard.kind=malformed_error"),
            (json!({"tools": []}), "ackguard.kind=data"),
            (json!(null), "ackguard.kind=none"),
        ];
        for (payload, expected) in cases {
            assert_eq!(attributes(&payload), expected, "{payload}");
        }
    }

    /// What a hostile peer invents does not become a value of its own for ever.
    #[test]
    fn the_sets_of_attributes_are_bounded() {
        let mut tally = Tally::new();
        for number in 0..2_000 {
            let reason =
                format!("reason_{}", ["a", "b", "c"].concat().repeat(number % 7)) + &number.to_string();
            let payload = json!({"code": 4017, "message": "m", "details": {"reason": reason}});
            tally.add(&classify(&payload, Dialect::V0_2));
        }
        let sets: BTreeSet<String> = tally.rows().map(|(row, _)| format!("{:?}", row.attributes())).collect();
        assert!(sets.len() <= Tally::MAX_OPEN_ROWS + 2, "{}", sets.len());
    }

    /// The dashboard asks for nothing that is not printed, in the files' own words.
    #[test]
    fn the_dashboard_uses_the_printed_names() {
        let dashboard: Value =
            serde_json::from_str(include_str!("../../docs/grafana-dashboard.json")).unwrap();
        let mut tally = Tally::new();
        tally.add(&classify(
            &json!({"code": 4101, "message": "m", "details": {"api_key": "k"}}),
            Dialect::V0_2,
        ));
        let printed = tally.to_prometheus();
        let words = |text: &str| -> BTreeSet<String> {
            let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
            text.split(word).filter(|it| it.starts_with("ackguard_")).map(str::to_owned).collect()
        };
        let mut asked = BTreeSet::new();
        let mut queries = 0;
        for panel in dashboard["panels"].as_array().unwrap() {
            for target in panel["targets"].as_array().into_iter().flatten() {
                let query = target["expr"].as_str().unwrap();
                queries += 1;
                asked.extend(words(query));
                // Labels, too: each that a query groups by or selects is one of the counters' labels.
                for labels in query.split("by (").skip(1).filter_map(|it| it.split_once(')')) {
                    for label in labels.0.split(", ") {
                        assert!(LABELS.contains(&label), "{label} in {query}");
                    }
                }
            }
        }
        assert!(queries >= 8);
        assert_eq!(asked, words(&printed));
    }

    const LABELS: [&str; 9] =
        ["kind", "code", "reason", "outcome", "violation", "field", "category", "problem", "job"];
}
