//! The same inputs through the functions of the crate `smcp` and through ackguard's.
//!
//! Where the two differ, the difference has to belong to one of the classes of `CLASSES`, each of which
//! `DIFFERENCES.md` explains. A difference of no class fails, and so does a class of which nothing was seen.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ackguard::Dialect;
use ackguard::blob::check_range;
use ackguard::handshake::{HandshakeFailure, ProtocolVersion, check_handshake, parse_handshake_failure};
use ackguard::payload::{Kind, Outcome, classify};
use ackguard::skill_name::SkillName;
use serde_json::{Value, json};

/// Every kind of difference, by its name in `DIFFERENCES.md`.
const CLASSES: [&str; 15] = [
    "rust/code-of-the-general-kind",
    "rust/code-unregistered",
    "rust/code-as-float",
    "rust/answer-with-a-code",
    "rust/tool-result-with-a-code",
    "rust/rpc-error-with-a-code",
    "rust/timeout-of-old",
    "rust/marker-in-the-other-meta",
    "rust/result-not-readable",
    "rust/version-plus-sign",
    "rust/version-leading-zero",
    "rust/version-too-large",
    "rust/handshake-body-incomplete",
    "rust/handshake-body-deep",
    "rust/query-twice",
];

/// The differences by class; those of no class under an empty name.
#[derive(Default)]
struct Seen(BTreeMap<&'static str, Vec<String>>);

impl Seen {
    fn note(&mut self, class: Option<&'static str>, what: &str, theirs: &str, ours: &str) {
        let line = format!("{what}: smcp says {theirs}, ackguard {ours}");
        self.0.entry(class.unwrap_or_default()).or_default().push(line);
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn vectors(file: &str, input: &str) -> Vec<Value> {
    let path = repository().join("tests/vectors").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let all: Value = serde_json::from_str(&text).unwrap();
    let cases: Vec<Value> = all["cases"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|case| case["input"].get(input).cloned())
        .collect();
    assert!(!cases.is_empty(), "{file} has no input {input}");
    cases
}

#[test]
fn differences_are_those_that_are_listed() {
    let mut seen = Seen::default();
    names();
    payloads(&mut seen);
    tool_results(&mut seen);
    versions(&mut seen);
    handshakes(&mut seen);
    ranges();

    let unexplained = seen.0.remove("").unwrap_or_default();
    assert!(unexplained.is_empty(), "of no class:\n{}", unexplained.join("\n"));
    let document = fs::read_to_string(repository().join("tests/interop/DIFFERENCES.md")).unwrap();
    for class in CLASSES {
        assert!(seen.0.contains_key(class), "nothing of {class} was seen: take it out of DIFFERENCES.md");
        assert!(document.contains(&format!("`{class}`")), "DIFFERENCES.md does not explain {class}");
    }
    for (class, lines) in &seen.0 {
        println!("{class}: {} times, such as {}", lines.len(), lines[0]);
    }
}

/// Names: no difference at all in the dialect that `smcp` speaks.
fn names() {
    let extra = ["audit\n", "a b", "mcp:a__b:c", "mcp:docs:audit\n", "plugin\u{0}:x", "mcp::x", "ＡＢ", "٣"];
    let mut names: Vec<String> = extra.map(str::to_owned).into();
    for name in vectors("skill_names.json", "name") {
        names.extend(name.as_str().map(str::to_owned));
    }
    for name in names {
        let theirs = smcp::skill_name::parse_skill_name(&name);
        let ours = SkillName::parse(&name, Dialect::V0_3);
        match (&theirs, &ours) {
            (Ok(theirs), Ok(ours)) => {
                assert_eq!(theirs.kind.to_string(), ours.source().as_str(), "{name:?}");
                assert_eq!(theirs.skill, ours.skill(), "{name:?}");
                assert_eq!(theirs.plugin.as_deref(), ours.plugin(), "{name:?}");
                assert_eq!(theirs.server.as_deref(), ours.server(), "{name:?}");
            }
            (Err(_), Err(_)) => {}
            _ => panic!("{name:?}: smcp says {:?}, ackguard {:?}", theirs.is_ok(), ours.is_ok()),
        }
    }
}

fn payload_values() -> Vec<Value> {
    let mut values: Vec<Value> = vectors("payloads.json", "json")
        .iter()
        .filter_map(|text| serde_json::from_str(text.as_str()?).ok())
        .collect();
    for code in [400, 401, 403, 404, 408, 500, 4001, 4006, 4014, 4019, 4101, 4104] {
        values.push(json!({"code": code, "message": "m"}));
        values.push(json!({"code": code, "content": []}));
        values.push(json!({"code": code, "tools": [], "req_id": "r"}));
        values.push(json!({"code": f64::from(code), "message": "m"}));
        values.push(json!({"code": [code], "message": "m"}));
        values.push(json!({"code": code.to_string(), "message": "m"}));
    }
    values.extend([
        json!({"code": 4050, "message": "m"}),
        json!({"code": 4014_i64 + (1_i64 << 32), "message": "m"}),
        json!({"error": {"code": 4014, "message": "m"}}),
        json!({"code": 4900, "message": "m"}),
    ]);
    values
}

/// Is it a protocol error?
fn payloads(seen: &mut Seen) {
    for value in payload_values() {
        let theirs = smcp::is_protocol_error_payload(&value);
        let classified = classify(&value, Dialect::V0_3);
        let ours = classified.kind() == Kind::Error;
        if theirs == ours {
            continue;
        }
        let class = match (ours, classified.kind()) {
            (true, _) if value["code"].is_f64() => Some("rust/code-as-float"),
            (true, _) => classified.code().map(|code| {
                if code.is_known(Dialect::V0_3) {
                    "rust/code-of-the-general-kind"
                } else {
                    "rust/code-unregistered"
                }
            }),
            (false, Kind::RpcError) => Some("rust/rpc-error-with-a-code"),
            (false, Kind::ToolResult) => Some("rust/tool-result-with-a-code"),
            (false, Kind::Data) if value.get("req_id").is_some() => Some("rust/answer-with-a-code"),
            _ => None,
        };
        let (theirs, ours) = (if theirs { "error" } else { "no error" }, classified.kind().as_str());
        seen.note(class, &value.to_string(), theirs, ours);
    }
}

/// Was a tool call cancelled, or did it run past its time?
fn tool_results(seen: &mut Seen) {
    let mut values = payload_values();
    for key in ["meta", "_meta"] {
        for marker in ["a2c_cancelled", "a2c_timeout", "timeout"] {
            for mark in [json!(true), json!(1), json!("true"), json!(false)] {
                values.push(json!({"content": [], "isError": true, key: {marker: mark}}));
            }
        }
    }
    for value in values {
        let classified = classify(&value, Dialect::V0_3);
        let Some(result) = classified.tool_result() else { continue };
        let ours = match result.outcome {
            Outcome::Cancelled => "cancelled",
            Outcome::TimedOut => "timed out",
            _ => "neither",
        };
        let read: Result<smcp::ToolCallRet, _> = serde_json::from_value(value.clone());
        let theirs = match &read {
            Err(_) => "not readable",
            Ok(read) if read.is_cancelled() => "cancelled",
            Ok(read) if read.is_timeout() => "timed out",
            Ok(_) => "neither",
        };
        if theirs == ours {
            continue;
        }
        let marked = |meta: &str, marker: &str| value[meta][marker] == json!(true);
        let class = if read.is_err() {
            Some("rust/result-not-readable")
        } else if ours == "timed out" && (marked("meta", "timeout") || marked("_meta", "timeout")) {
            Some("rust/timeout-of-old")
        } else if ["a2c_cancelled", "a2c_timeout"].iter().any(|it| marked("meta", it) != marked("_meta", it))
        {
            Some("rust/marker-in-the-other-meta")
        } else {
            None
        };
        seen.note(class, &value.to_string(), theirs, ours);
    }
}

fn versions(seen: &mut Seen) {
    let mut texts: Vec<String> = [
        "+0.4.0",
        "0.+4.0",
        "0.04.0",
        "00.4.0",
        "0.4.4294967296",
        "0.4.18446744073709551616",
        " 0.4.0",
        "0.4.0\n",
    ]
    .map(str::to_owned)
    .into();
    for text in vectors("versions.json", "version") {
        texts.extend(text.as_str().map(str::to_owned));
    }
    let mut good = Vec::new();
    for text in texts {
        let theirs = smcp::ProtocolVersion::parse(&text).ok();
        let ours = ProtocolVersion::parse(&text).ok();
        match (theirs, ours) {
            (Some(theirs), Some(ours)) => {
                assert_eq!(theirs.to_string(), ours.to_string());
                good.push((theirs, ours));
            }
            (None, None) => {}
            (Some(_), None) => {
                let class = if text.contains('+') {
                    Some("rust/version-plus-sign")
                } else if text.split('.').any(|it| it.len() > 1 && it.starts_with('0')) {
                    Some("rust/version-leading-zero")
                } else if text.split('.').any(|it| it.parse::<u64>().is_ok_and(|it| it > u64::from(u32::MAX)))
                {
                    Some("rust/version-too-large")
                } else {
                    None
                };
                seen.note(class, &format!("{text:?}"), "a version", "no version");
            }
            (None, Some(_)) => seen.note(None, &format!("{text:?}"), "no version", "a version"),
        }
    }
    for text in ["0.0.0", "0.3.9", "0.4.1", "1.0.0", "1.2.3", "1.3.0", "2.0.0"] {
        good.push((smcp::ProtocolVersion::parse(text).unwrap(), ProtocolVersion::parse(text).unwrap()));
    }
    for (their_client, our_client) in &good {
        for (their_server, our_server) in &good {
            let theirs = smcp::version::is_compatible(their_client, their_server);
            assert_eq!(theirs, our_client.is_compatible_with(*our_server), "{our_client} with {our_server}");
        }
    }
}

fn handshakes(seen: &mut Seen) {
    let mut bodies: Vec<String> = [
        r#"{"code":4008,"message":"m","server_version":"0.4.0","client_version":"0.3.0"}"#,
        r#"{"code":4008}"#,
        r#"{"code":4008,"message":"m","server_version":4}"#,
        r#"{"code":400,"message":"Missing a2c_version query parameter"}"#,
        r#"{"code":4900,"message":"m"}"#,
        "not JSON",
    ]
    .map(str::to_owned)
    .into();
    for body in vectors("handshake.json", "body") {
        bodies.extend(body.as_str().map(str::to_owned));
    }
    let no_headers: [(&str, &str); 0] = [];
    for body in bodies {
        let theirs = smcp::utils::handshake::extract_4008_payload(&body).is_some();
        let ours = matches!(
            parse_handshake_failure(400, no_headers, body.as_bytes()),
            Some(HandshakeFailure::VersionMismatch(_))
        );
        if theirs == ours {
            continue;
        }
        let read: Value = serde_json::from_str(&body).unwrap_or_default();
        let class = match (ours, &read["code"]) {
            (true, code) if code.is_f64() => Some("rust/code-as-float"),
            (true, code) if *code == json!(4008) => Some("rust/handshake-body-incomplete"),
            // Whatever lies beside the code: the failure stands, however deep the rest is.
            (true, _) if body.contains("[[[[[[[[") && read.is_null() => Some("rust/handshake-body-deep"),
            _ => None,
        };
        seen.note(
            class,
            &body,
            if theirs { "4008" } else { "nothing" },
            if ours { "4008" } else { "nothing" },
        );
    }

    let server = ProtocolVersion::new(0, 4, 0);
    for query in [
        "",
        "a2c_version=",
        "a2c_version=0.4.0",
        "a2c_version=0.4.0&a2c_version=0.3.0",
        "EIO=4",
        "a2c_version=0.3.0",
    ] {
        // What a server makes of it with the functions of `smcp`.
        let theirs = smcp::utils::handshake::extract_a2c_version(query)
            .and_then(|text| smcp::ProtocolVersion::parse(&text).ok())
            .is_some_and(|client| {
                smcp::version::is_compatible(&client, &smcp::ProtocolVersion::new(0, 4, 0))
            });
        let ours = check_handshake(query, server).is_ok();
        if theirs != ours {
            let class = (query.matches("a2c_version").count() > 1).then_some("rust/query-twice");
            seen.note(
                class,
                query,
                if theirs { "go on" } else { "refuse" },
                if ours { "go on" } else { "refuse" },
            );
        }
    }
}

/// Ranges: the same bounds.
fn ranges() {
    use smcp::utils::slice::{SlicePlan, plan_slice};
    for total in [0, 1, 10, u64::MAX] {
        for offset in [0, 1, 9, 10, 11, u64::MAX - 1, u64::MAX] {
            let theirs = plan_slice(offset, 4, total);
            match check_range(i128::from(offset), total) {
                Err(_) => assert_eq!(theirs, SlicePlan::OutOfRange),
                Ok(range) if range.eof => assert_eq!(theirs, SlicePlan::Empty),
                Ok(_) => assert!(matches!(theirs, SlicePlan::Read { .. })),
            }
        }
    }
}
