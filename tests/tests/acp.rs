//! The ACP taxonomy: the recordings of a real client, properties, and the ledger under threads.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::thread;

use ackguard::acp::error::rpc_code_value;
use ackguard::acp::{
    AcpError, AcpErrorCode, AcpErrorKind, ErrorLedger, Interaction, IoFailure, RawFailure, RpcId, Timestamp,
    check_session_result, classify_failure, classify_parsed_failure, parse_acp_config,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// What the recordings show beside what the core says of the same material, and why they differ.
const DIFFERENCES: &[(&str, Verdict)] = &[
    // The recorded client crashes on these, or carries what is no integer as a number. `error.code` has to be
    // one, so they are broken frames, and in the handshake a failure of it.
    ("init:err_string", Verdict::Client("handshake_fail")),
    ("init:code_string", Verdict::Client("handshake_fail")),
    ("init:code_bool", Verdict::Client("handshake_fail")),
    ("init:neither", Verdict::Client("handshake_fail")),
    ("prompt:code_named", Verdict::Client("protocol_error")),
    ("prompt:code_null", Verdict::Client("protocol_error")),
    ("prompt:code_list", Verdict::Client("protocol_error")),
    ("prompt:err_empty", Verdict::Client("protocol_error")),
    // The recorded client crashes on a null `error`. It is a success.
    ("init:error_null", Verdict::Success),
    // The recorded client takes a member of the agent's error for its own mark of a closed pipe. An agent has
    // no say in that.
    ("init:spoof", Verdict::Rpc(-32603)),
    // The recorded client notices only with the next call that there is no session.
    ("new:no_session", Verdict::Client("handshake_fail")),
    // The recorded client takes the id "0" for 0. JSON-RPC does not.
    ("init:string_id", Verdict::Client("handshake_fail")),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Success,
    Client(&'static str),
    Rpc(i128),
}

/// What is not decided by material from the process: the host refuses by itself, from what it knows.
const WITHOUT_MATERIAL: &[(&str, &str)] = &[
    ("unknown server", "server_not_found"),
    ("busy", "server_busy"),
    ("init:silent #3", "transport_disconnect"),
];

#[test]
fn every_recording_is_named_as_the_client_named_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/acp.jsonl");
    let (mut named, mut differing, mut silent) = (0, 0, 0);
    for line in fs::read_to_string(path).unwrap().lines() {
        let recording: Value = serde_json::from_str(line).unwrap();
        let scenario = recording["scenario"].as_str().unwrap();
        let raised = &recording["raised"];
        if scenario.starts_with("config:") {
            continue;
        }
        if let Some((_, code)) = WITHOUT_MATERIAL.iter().find(|(name, _)| *name == scenario) {
            assert_eq!(raised["code"], *code, "{scenario}");
            assert!(code.parse::<AcpErrorCode>().is_ok());
            silent += 1;
            continue;
        }
        let error = from_recording(&recording);
        if let Some((_, verdict)) = DIFFERENCES.iter().find(|(name, _)| *name == scenario) {
            let got = match &error {
                None => Verdict::Success,
                Some(error) => match error.rpc_code() {
                    Some(code) => Verdict::Rpc(code),
                    None => Verdict::Client(error.code().as_str()),
                },
            };
            assert_eq!(got, *verdict, "{scenario}");
            differing += 1;
            continue;
        }
        named += 1;
        let Some(error) = error else {
            assert!(raised.is_null(), "{scenario}: nothing, but {raised} was raised");
            continue;
        };
        let kind = kind_of_class(raised["type"].as_str().unwrap_or_default());
        assert_eq!(Some(error.kind()), kind, "{scenario}: {error} for {raised}");
        match error.as_rpc() {
            Some(rpc) => {
                assert_eq!(raised["error_code"], error.code().as_str(), "{scenario}");
                // As numbers: the recorded client keeps -32000.0 as a double.
                let (ours, theirs) = (rpc_code_value(rpc.rpc_code).as_f64(), raised["rpc_code"].as_f64());
                assert_eq!(ours, theirs, "{scenario}");
                assert_eq!(raised["rpc_message"], rpc.rpc_message, "{scenario}");
                assert_eq!(raised["data"], rpc.data.clone().unwrap_or_default(), "{scenario}");
                assert_eq!(raised["message"].as_str().unwrap().replace(".0:", ":"), error.message());
            }
            None => assert_eq!(raised["code"], error.code().as_str(), "{scenario}"),
        }
        for key in
            ["server", "phase", "underlying_code", "method", "timeout", "auth_required", "prompt", "options"]
        {
            // The recorded client does not always say where; the core says it whenever it is told.
            if let Some(recorded) = raised["details"].get(key) {
                assert_eq!(error.details().get(key), Some(recorded), "{scenario}: {key}");
            }
        }
    }
    assert_eq!((named, differing, silent), (39, DIFFERENCES.len(), 4));
}

/// Names what happened from the material alone: the lines, the events, the time that ran out.
fn from_recording(recording: &Value) -> Option<AcpError> {
    let parse = |line: &Value| serde_json::from_str::<Value>(line["line"].as_str()?).ok();
    let wire = recording["wire"].as_array().unwrap();
    let raised = &recording["raised"];
    let is_request = |line: &Value| {
        line["from"] == "client"
            && parse(line).is_some_and(|frame| frame.get("id").is_some() && frame.get("method").is_some())
    };
    // Each request of the client, and what came until the next.
    let starts: Vec<_> = (0..wire.len()).filter(|&at| is_request(&wire[at])).collect();
    for (n, &start) in starts.iter().enumerate() {
        let request = parse(&wire[start]).unwrap();
        let method = request["method"].as_str().unwrap().to_owned();
        let end = starts.get(n + 1).copied().unwrap_or(wire.len());
        let mut seen = RawFailure {
            expected_id: RpcId::read(&&request["id"]).unwrap_or(None),
            server: Some("helper"),
            method: Some(&method),
            ..RawFailure::default()
        };
        let mut answer = None;
        for line in wire[start..end].iter().filter(|line| line["from"] == "agent") {
            match (&line["line"], line["event"].as_str()) {
                (Value::String(line), _) => {
                    let frame = serde_json::from_str::<Value>(line).unwrap_or_default();
                    if frame["method"] == "session/request_permission"
                        && recording["scenario"] == "prompt:permission"
                    {
                        let asked = classify_failure(Some(line.as_bytes()), RawFailure::default()).unwrap();
                        seen.interaction =
                            asked.as_interaction().map(|(_, asked): (_, &Interaction)| asked.clone());
                    } else if frame.get("method").is_none() {
                        answer = Some(line.as_bytes());
                    }
                }
                (_, Some("SIGKILL")) => seen.exit_code = Some(-9),
                (_, Some(event)) if event.starts_with("exit ") => seen.exit_code = event[5..].parse().ok(),
                _ => {}
            }
        }
        if end == wire.len() {
            seen.timeout = raised["details"]["timeout"].as_f64();
        }
        let mut error = classify_failure(answer, seen.clone());
        if error.is_none() && method == "session/new" {
            let frame: Value = serde_json::from_slice(answer.unwrap()).unwrap();
            let Ok(session) = check_session_result(&&frame["result"]);
            error = session.err();
        }
        if let Some(mut error) = error {
            if method == "initialize" || method == "session/new" {
                error.reclassify_handshake("helper");
            }
            return Some(error);
        }
    }
    if starts.is_empty() && !raised.is_null() {
        // No request was ever sent: it did not start.
        let message = raised["message"].as_str().unwrap();
        let exit_code = message.rsplit_once("with code ").and_then(|(_, code)| code.parse().ok());
        let io_error = if message.contains("Errno 2") { "ENOENT" } else { "ENOEXEC" };
        let seen = RawFailure {
            io_error: Some(IoFailure::from_name(if exit_code.is_some() { "spawn" } else { io_error })),
            exit_code,
            server: Some("helper"),
            ..RawFailure::default()
        };
        return classify_failure(None, seen);
    }
    None
}

fn kind_of_class(name: &str) -> Option<AcpErrorKind> {
    Some(match name {
        "AcpClientError" => AcpErrorKind::Client,
        "AcpServerNotFound" => AcpErrorKind::ServerNotFound,
        "AcpRpcError" => AcpErrorKind::Rpc,
        "AcpInteractionRequiredError" => AcpErrorKind::InteractionRequired,
        _ => return None,
    })
}

fn kinds() -> impl Strategy<Value = AcpErrorKind> {
    prop_oneof![
        Just(AcpErrorKind::Client),
        Just(AcpErrorKind::ServerNotFound),
        Just(AcpErrorKind::Rpc),
        Just(AcpErrorKind::InteractionRequired),
    ]
}

fn codes() -> impl Strategy<Value = AcpErrorCode> {
    prop::sample::select(AcpErrorCode::ALL)
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!("handshake")),
        Just(json!("request_timeout")),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ]
}

fn errors() -> impl Strategy<Value = AcpError> {
    let keys =
        prop::sample::select(vec!["server", "phase", "underlying_code", "auth_required", "method", "x"]);
    let details = prop::collection::btree_map(keys, values(), 0..5);
    let rpc_codes = prop_oneof![Just(-32000_i128), Just(-32603), any::<i128>()];
    (kinds(), codes(), rpc_codes, details).prop_map(|(kind, code, rpc_code, details)| {
        let error = match kind {
            AcpErrorKind::Client => AcpError::client(code, "m"),
            AcpErrorKind::ServerNotFound => AcpError::server_not_found("y"),
            AcpErrorKind::Rpc => AcpError::rpc(rpc_code, "m", None),
            AcpErrorKind::InteractionRequired => AcpError::interaction_required("y", Interaction::default()),
        };
        error.with_details(details.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
    })
}

fn parts(error: &AcpError) -> (AcpErrorCode, Map<String, Value>, Option<i128>, String) {
    (error.code(), error.details().clone(), error.rpc_code(), error.message().to_owned())
}

proptest! {
    #[test]
    fn reclassifying_is_idempotent_and_loses_nothing(before in errors(), server in "[a-z]{0,4}", other in "[a-z]{0,4}") {
        let mut error = before.clone();
        let counts = error.reclassify_handshake(&server);
        let once = parts(&error);
        prop_assert_eq!(error.reclassify_handshake(&other), counts);
        prop_assert_eq!(parts(&error), once);

        // The original code is still there, as the code or under its key.
        if error.code() != before.code() {
            prop_assert_eq!(error.code(), AcpErrorCode::HandshakeFail);
            let kept = before.details().get("underlying_code").filter(|v| !v.is_null()).cloned();
            let expected = kept.unwrap_or_else(|| before.code().as_str().into());
            prop_assert_eq!(&error.details()["underlying_code"], &expected);
        } else {
            prop_assert_eq!(error.details().get("underlying_code"), before.details().get("underlying_code"));
        }
        // Nothing else is touched.
        for (key, value) in before.details() {
            if !value.is_null() && key != "phase" && key != "auth_required" {
                prop_assert_eq!(error.details().get(key), Some(value));
            }
        }
        prop_assert_eq!(error.rpc_code(), before.rpc_code());
        prop_assert_eq!(error.kind(), before.kind());
        if counts {
            prop_assert!(error.is_handshake_failure());
        }
        if error.kind() == AcpErrorKind::Rpc {
            prop_assert_eq!(error.code(), AcpErrorCode::ProtocolError);
            prop_assert_eq!(counts, error.rpc_code() != Some(-32000));
            prop_assert_eq!(error.details().contains_key("auth_required"),
                !counts || before.details().contains_key("auth_required"));
        }
    }

    #[test]
    fn advice_is_total_and_looks_at_the_phase_first(error in errors()) {
        let advice = error.retry();
        if error.rpc_code() == Some(-32000) {
            prop_assert_eq!(advice.action.as_str(), "authenticate");
        } else if error.details().get("phase") == Some(&json!("handshake")) {
            prop_assert_eq!(advice.action.as_str(), "operator");
        } else {
            prop_assert_eq!(advice, error.code().retry());
        }
        prop_assert!(!advice.retryable || ["backoff", "restart_server", "wait_for_turn"].contains(&advice.action.as_str()));
    }

    #[test]
    fn any_line_gets_a_verdict_and_none_is_repeated(line in prop::collection::vec(any::<u8>(), 0..200)) {
        let seen = RawFailure { expected_id: Some(1.into()), ..RawFailure::default() };
        let error = classify_failure(Some(&line), seen).unwrap();
        prop_assert_eq!(error.code(), AcpErrorCode::ProtocolError);
    }

    #[test]
    fn only_the_answer_is_a_success(id in values(), expected in -3_i64..3, with_version in any::<bool>()) {
        let mut frame = json!({"id": id, "result": {}});
        if with_version {
            frame["jsonrpc"] = "2.0".into();
        }
        let seen = RawFailure { expected_id: Some(expected.into()), ..RawFailure::default() };
        let error = classify_failure(Some(frame.to_string().as_bytes()), seen.clone());
        let Ok(again) = classify_parsed_failure(&&frame, seen);
        prop_assert_eq!(error.as_ref().map(parts), again.as_ref().map(parts));
        prop_assert_eq!(error.is_none(), with_version && id.as_i64() == Some(expected));
    }

    #[test]
    fn an_error_is_the_same_as_text_and_as_a_value(
        code in values(), message in values(), data in values(), result in values(), id in values(),
        absent in prop::sample::subsequence(vec!["code", "message", "data", "result"], 0..4),
    ) {
        let mut error = json!({"code": code, "message": message, "data": data});
        let mut frame = json!({"jsonrpc": "2.0", "id": id, "result": result});
        for name in absent {
            error.as_object_mut().unwrap().remove(name);
            frame.as_object_mut().unwrap().remove(name);
        }
        let is_integer = error["code"].is_i64();
        frame["error"] = error;
        let id = RpcId::read(&&id).unwrap();
        let answers = id.as_ref().is_some_and(|id| *id != RpcId::Null);
        let seen = RawFailure { expected_id: id, ..RawFailure::default() };
        let text = classify_failure(Some(frame.to_string().as_bytes()), seen.clone()).unwrap();
        let Ok(value) = classify_parsed_failure(&&frame, seen.clone());
        prop_assert_eq!(parts(&text), parts(&value.unwrap()));
        prop_assert_eq!(text.code(), AcpErrorCode::ProtocolError);
        // A null id answers nothing, and a boolean is no id.
        prop_assert_eq!(text.kind() == AcpErrorKind::Rpc, is_integer && answers);
        if let Some(rpc) = text.as_rpc() {
            prop_assert_eq!(Value::from(rpc.rpc_message.as_str()), frame["error"]["message"].as_str().unwrap_or(""));
            prop_assert_eq!(rpc.data.as_ref(), frame["error"].get("data"));
        }
    }

    #[test]
    fn every_planted_problem_is_reported(
        planted in prop::collection::btree_set(0..PLANTS.len(), 0..PLANTS.len()),
        servers in 1..4_usize,
    ) {
        let mut entries = Vec::new();
        let mut expected = Vec::new();
        for n in 0..servers {
            // Not every server has every problem.
            let own: Vec<_> = planted.iter().filter(|&&plant| plant % servers == n || plant % 3 == 0).collect();
            let name = format!("s{n}");
            let mut fields: Vec<(&str, String)> = vec![
                ("command", "\"agent\"".to_owned()), ("args", "[\"--x\"]".to_owned()),
                ("cwd", "\".\"".to_owned()), ("env", "{\"A\": \"${SET}\"}".to_owned()),
                ("unknown", "{\"a\": [1, null]}".to_owned()),
            ];
            let mut taken = std::collections::HashSet::new();
            for &&plant in &own {
                let (field, text, problems) = PLANTS[plant];
                if !taken.insert(field) {
                    continue;
                }
                fields.retain(|(name, _)| *name != field);
                if !text.is_empty() {
                    fields.push((field, text.to_owned()));
                }
                expected.extend(problems.iter().map(|(at, reason)| (name.clone(), (*at).to_owned(), *reason)));
            }
            let fields: Vec<_> = fields.iter().map(|(name, text)| format!("\"{name}\": {text}")).collect();
            entries.push(format!("\"{name}\": {{{}}}", fields.join(", ")));
        }
        let text = format!("{{\"servers\": {{{}}}}}", entries.join(", "));
        match parse_acp_config(&text, |name| (name == "SET").then(|| "v".to_owned())) {
            Ok(config) => {
                prop_assert!(expected.is_empty(), "{}", text);
                prop_assert_eq!(config.servers.len(), servers);
            }
            Err(errors) => {
                let mut found: Vec<_> = errors.problems().iter()
                    .map(|p| (p.server.clone().unwrap(), p.field(), p.reason.as_str())).collect();
                found.sort();
                expected.sort();
                prop_assert_eq!(found, expected, "{}", text);
                prop_assert!(!errors.to_string().contains("hunter2"));
            }
        }
    }
}

/// A field, what to write there (nothing: leave it out), and the problems that makes.
type Plant = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const PLANTS: &[Plant] = &[
    ("command", "", &[("command", "missing")]),
    ("command", "\"\"", &[("command", "empty")]),
    ("command", "\" \\t\"", &[("command", "empty")]),
    ("command", "[\"hunter2\"]", &[("command", "type")]),
    ("args", "", &[("args", "missing")]),
    ("args", "\"--key hunter2\"", &[("args", "type")]),
    ("args", "[\"a\", 1, null]", &[("args.1", "type"), ("args.2", "type")]),
    ("args", "[\"a\\u0000\"]", &[("args.0", "unusable")]),
    ("env", "", &[("env", "missing")]),
    ("env", "[]", &[("env", "type")]),
    ("env", "{\"K\": 5, \"L\": true}", &[("env.K", "type"), ("env.L", "type")]),
    ("env", "{\"K\": \"$NOPE ${NOPE2}\"}", &[("env.K", "unset_variable"), ("env.K", "unset_variable")]),
    ("env", "{\"K\": \"x${hunter2\"}", &[("env.K", "expansion")]),
    ("env", "{\"K\": \"pa$hunter2\"}", &[("env.K", "unset_variable")]),
    ("env", "{\"K\": \"a\", \"K\": \"b\"}", &[("env.K", "duplicate")]),
    ("env", "{\"A=B\": \"a\", \"\": \"b\"}", &[("env.A=B", "unusable"), ("env.", "empty")]),
    ("cwd", "", &[("cwd", "missing")]),
    ("cwd", "null", &[("cwd", "type")]),
    ("autoStart", "\"true\"", &[("autoStart", "type")]),
    ("autoStart", "1", &[("autoStart", "type")]),
    ("startupTimeoutMs", "true", &[("startupTimeoutMs", "type")]),
    ("startupTimeoutMs", "0", &[("startupTimeoutMs", "range")]),
    ("startupTimeoutMs", "1000.0", &[("startupTimeoutMs", "type")]),
    ("requestTimeoutMs", "-5", &[("requestTimeoutMs", "range")]),
    ("requestTimeoutMs", "\"5\"", &[("requestTimeoutMs", "type")]),
    ("requestTimeoutMs", "9007199254740992", &[("requestTimeoutMs", "range")]),
    ("requestTimeoutMs", "false", &[("requestTimeoutMs", "type")]),
    ("maxRecoverableRestarts", "-1", &[("maxRecoverableRestarts", "range")]),
    ("maxRecoverableRestarts", "true", &[("maxRecoverableRestarts", "type")]),
    ("capabilities", "[]", &[("capabilities", "type")]),
    ("capabilities", "{\"a\": {\"b\": 1, \"b\": 2}}", &[("capabilities.a.b", "duplicate")]),
    ("description", "5", &[("description", "type")]),
    ("nonInteractivePolicy", "\"reject_all\"", &[("nonInteractivePolicy", "type")]),
    ("nonInteractivePolicy", "{}", &[("nonInteractivePolicy.mode", "missing")]),
    ("nonInteractivePolicy", "{\"mode\": \"REJECT_ALL\"}", &[("nonInteractivePolicy.mode", "choice")]),
    ("nonInteractivePolicy", "{\"mode\": null}", &[("nonInteractivePolicy.mode", "type")]),
];

#[test]
fn the_ledger_keeps_whole_entries_under_many_threads() {
    const THREADS: usize = 16;
    const ROUNDS: usize = 2000;
    const SERVERS: usize = 7;
    let ledger = Arc::new(ErrorLedger::with_clock({
        let ticks = AtomicI64::new(0);
        move || Timestamp::from_unix_micros(ticks.fetch_add(1, Ordering::Relaxed))
    }));
    let seen = Arc::new(AtomicUsize::new(0));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (ledger, seen) = (Arc::clone(&ledger), Arc::clone(&seen));
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let server = format!("s{}", (thread + round) % SERVERS);
                    let mark = format!("{thread}-{round}");
                    let error = AcpError::transport_disconnect(&server, Some(1))
                        .with_message(mark.as_str())
                        .with_detail("mark", mark.as_str());
                    assert!(ledger.record_now(&server, &error));
                    assert!(!ledger.record_now(&server, &AcpError::server_busy(&server)));
                    if round % 97 == 0 {
                        ledger.reset(&server);
                    }
                    if let Some(last) = ledger.last_error(&server) {
                        // Never a mixture of two errors, never another server's.
                        assert_eq!(last.details["mark"], last.message);
                        assert_eq!(last.details["server"], server);
                        assert_eq!(last.code, AcpErrorCode::TransportDisconnect);
                        seen.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert!(seen.load(Ordering::Relaxed) > THREADS * ROUNDS / 2);
    // After the last of them, one more has the last word.
    let last = AcpError::protocol_error("the end");
    for server in 0..SERVERS {
        let server = format!("s{server}");
        ledger.record_now(&server, &last);
        assert_eq!(ledger.last_error(&server).unwrap().message, "the end");
    }
}
