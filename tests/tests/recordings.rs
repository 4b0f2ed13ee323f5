//! Acks recorded from real peers get the kind that their shape gives them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ackguard::Dialect;
use ackguard::handshake::parse_handshake_failure;
use ackguard::payload::{Kind, classify, classify_json};
use serde_json::Value;

fn lines(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The acks of one file with their events.
fn acks(name: &str) -> Vec<(String, Value)> {
    let of_line = |mut line: Value| (line["event"].as_str().unwrap().to_owned(), line["ack"].take());
    lines(name).into_iter().map(of_line).collect()
}

/// What well-behaved peers mean, read off in the plainest way: they send no borderline shapes.
fn plainly(ack: &Value) -> Kind {
    match ack {
        Value::Null => Kind::None,
        Value::Array(_) => Kind::EventResult,
        _ if ack["content"].is_array() => Kind::ToolResult,
        _ if ack["code"].is_i64() && ack["message"].is_string() => Kind::Error,
        _ => Kind::Data,
    }
}

#[test]
fn every_ack_gets_the_right_kind() {
    for (name, dialect, many) in [("acks.jsonl", Dialect::V0_3, 218), ("acks-0.2.jsonl", Dialect::V0_2, 52)] {
        let acks = acks(name);
        assert_eq!(acks.len(), many, "{name}");
        for (event, ack) in acks {
            let classified = classify(&ack, dialect);
            assert_eq!(classified.kind(), plainly(&ack), "{event}: {ack}");
            assert_eq!(classified.code().map(|code| code.get()), code_of(&ack), "{event}: {ack}");
            let text = ack.to_string();
            assert_eq!(
                classify_json(text.as_bytes(), dialect).report(),
                classified.report(),
                "{event}: {ack}"
            );
        }
    }
}

fn code_of(ack: &Value) -> Option<i64> {
    (plainly(ack) == Kind::Error).then(|| ack["code"].as_i64().unwrap())
}

#[test]
fn every_tool_result_gets_the_right_outcome() {
    let mut outcomes = BTreeMap::new();
    for name in ["acks.jsonl", "acks-0.2.jsonl"] {
        for (_, ack) in acks(name) {
            if let Some(result) = classify(&ack, Dialect::V0_2).tool_result() {
                *outcomes.entry(result.outcome.as_str()).or_insert(0) += 1;
            }
        }
    }
    // Counted in the recordings by their markers and codes; forged ones are among them.
    let expected = [
        ("authorization_failed", 2),
        ("authorization_required", 5),
        ("cancelled", 2),
        ("completed", 19),
        ("failed", 28),
        ("timed_out", 2),
    ];
    assert_eq!(outcomes, BTreeMap::from(expected));
}

#[test]
fn every_refused_handshake_is_told_apart() {
    let mut codes = BTreeMap::new();
    for line in lines("handshakes.jsonl") {
        let headers = line["headers"].as_object().unwrap();
        let headers = headers.iter().map(|(name, value)| (name, value.as_str().unwrap()));
        let status = u16::try_from(line["status"].as_u64().unwrap()).unwrap();
        let body = line["body"].as_str().unwrap();
        let code =
            parse_handshake_failure(status, headers, body.as_bytes()).map(|failure| failure.code().get());
        // The protocol's own answers name their code in the body, after HEAD in the header, and nobody else's do.
        let stated = match body {
            "" => line["headers"]["x-a2c-error-code"].as_str().and_then(|code| code.parse().ok()),
            body => serde_json::from_str::<Value>(body).ok().and_then(|body| body["code"].as_i64()),
        };
        assert_eq!(code, stated.filter(|code| [400, 4008].contains(code)), "{line}");
        *codes.entry(code).or_insert(0) += 1;
    }
    assert_eq!(codes.values().sum::<i32>(), 41, "{codes:?}");
    assert!(codes.len() == 3, "both codes, and none: {codes:?}");
}

/// Real peers keep the contract, except for the tools in the recording that forge markers.
#[test]
fn what_well_behaved_peers_send_breaks_no_contract() {
    let mut violations = BTreeMap::new();
    for (name, dialect) in [("acks.jsonl", Dialect::V0_3), ("acks-0.2.jsonl", Dialect::V0_2)] {
        for (_, ack) in acks(name) {
            for violation in classify(&ack, dialect).violations() {
                *violations.entry(violation.text().into_owned()).or_insert(0) += 1;
            }
        }
    }
    let expected = [("legacy_timeout", 1), ("marker_type", 1), ("marker_without_is_error", 1)];
    assert_eq!(violations, BTreeMap::from(expected.map(|(text, many)| (text.to_owned(), many))));
}
