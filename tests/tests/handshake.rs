//! The handshake answers recorded from real servers, and what holds for any input of the handshake and of the
//! authorization decision.

use std::fs;
use std::path::Path;

use ackguard::authorization::{Decision, Failure, decide, decide_from_text};
use ackguard::handshake::{
    HandshakeFailure, ProtocolVersion, check_handshake, parse_handshake_body, parse_handshake_failure,
    parse_handshake_text,
};
use proptest::prelude::*;
use serde_json::{Value, json};

struct Recorded {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

fn recordings() -> Vec<Recorded> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/handshakes.jsonl");
    let lines = fs::read_to_string(path).unwrap();
    lines
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let headers = line["headers"].as_object().unwrap();
            Recorded {
                status: u16::try_from(line["status"].as_u64().unwrap()).unwrap(),
                headers: headers.iter().map(|(k, v)| (k.clone(), v.as_str().unwrap().to_owned())).collect(),
                body: line["body"].as_str().unwrap().to_owned(),
            }
        })
        .collect()
}

impl Recorded {
    fn failure(&self) -> Option<HandshakeFailure> {
        let headers = self.headers.iter().map(|(name, value)| (name, value));
        parse_handshake_failure(self.status, headers, self.body.as_bytes())
    }

    fn has_header(&self) -> bool {
        self.headers.iter().any(|(name, value)| name == "x-a2c-error-code" && value == "4008")
    }
}

#[test]
fn every_recorded_answer_is_read_rightly() {
    let recordings = recordings();
    assert_eq!(recordings.len(), 41);
    let (mut mismatches, mut refused, mut foreign) = (0, 0, 0);
    for recorded in &recordings {
        let body: Value = serde_json::from_str(&recorded.body).unwrap_or_default();
        match recorded.failure() {
            Some(HandshakeFailure::VersionMismatch(mismatch)) => {
                mismatches += 1;
                assert!(recorded.has_header(), "{}", recorded.body);
                let field = |name: &str| body[name].as_str().map(str::to_owned);
                assert_eq!(mismatch.server_version, field("server_version"));
                assert_eq!(mismatch.client_version, field("client_version"));
                assert_eq!(mismatch.min_supported, field("min_supported"));
                assert_eq!(mismatch.max_supported, field("max_supported"));
                assert_eq!(mismatch.message, field("message"));
            }
            Some(HandshakeFailure::Refused(error)) => {
                refused += 1;
                assert!(!recorded.has_header());
                assert_eq!(error.message.as_deref(), body["message"].as_str());
            }
            None => {
                foreign += 1;
                assert!(!recorded.has_header() && body.get("code").is_none(), "{}", recorded.body);
            }
            Some(other) => panic!("{other:?}"),
        }
    }
    assert_eq!((mismatches, refused, foreign), (15, 19, 7));
}

#[test]
fn a_recorded_body_is_found_in_the_text_of_an_exception() {
    for recorded in recordings().iter().filter(|recorded| !recorded.body.is_empty()) {
        let direct = recorded.failure();
        let quoted = serde_json::to_string(&recorded.body).unwrap();
        for text in [
            recorded.body.clone(),
            format!("Unexpected status code 400 in server response: {}", recorded.body),
            format!("ConnectionError({quoted})"),
            format!("{{\"error\":{quoted}}}"),
        ] {
            assert_eq!(parse_handshake_text(&text), direct, "{text}");
        }
    }
}

#[test]
fn a_server_here_answers_as_the_recorded_ones_do() {
    for recorded in recordings() {
        let Ok(theirs) = serde_json::from_str::<Value>(&recorded.body) else { continue };
        let Some(client) = theirs["client_version"].as_str() else { continue };
        let server: ProtocolVersion = theirs["server_version"].as_str().unwrap().parse().unwrap();
        let query = format!("EIO=4&transport=polling&a2c_version={client}");
        let answer = check_handshake(&query, server).unwrap_err();
        assert_eq!(answer.status, recorded.status);
        let mut ours: Value = serde_json::from_str(&answer.body).unwrap();
        if server.major > 0 {
            // From 1 on every older minor is accepted, so the page's range begins at X.0.0; theirs does not.
            assert_eq!(ours["min_supported"], "1.0.0");
            ours["min_supported"] = theirs["min_supported"].clone();
        }
        if client.parse::<ProtocolVersion>().is_ok() {
            assert_eq!(ours, theirs);
        } else {
            // The recorded server's parser takes "0.-4.0" and numbers without end; the page does not.
            assert_eq!(ours, json!({"code": 400, "message": format!("Invalid a2c_version: {client}")}));
        }
    }
}

fn any_query() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("a2c_version".to_owned()),
        Just("a2c%5Fversion".to_owned()),
        Just("=".to_owned()),
        Just("&".to_owned()),
        Just("0.2.0".to_owned()),
        Just("%".to_owned()),
        Just("+".to_owned()),
        "%[0-9a-fA-F]{2}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn any_wrapped() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just("\"code\": 4008".to_owned()),
        Just("'code': 4008".to_owned()),
        Just("\\".to_owned()),
        Just("\"".to_owned()),
        Just("'".to_owned()),
        Just("b'".to_owned()),
        Just(", ".to_owned()),
        Just("\\u12".to_owned()),
        Just("\\ud83d".to_owned()),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

fn any_words() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "401",
        "403",
        "503",
        " ",
        " ",
        ":",
        "/",
        "?",
        "=",
        "-",
        ".",
        "HTTP",
        "status",
        "code",
        "Forbidden",
        "token",
        "revoked",
        "not",
        "_",
        "https://",
        "refresh",
        "failed",
        "状态码",
        "未授权",
        "'t",
        "(",
        "\u{0}",
        "é",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_version_that_is_read_is_the_text(text in "\\PC{0,12}|[0-9.]{0,16}") {
        if let Ok(version) = ProtocolVersion::parse(&text) {
            prop_assert_eq!(version.to_string(), text);
        }
    }

    #[test]
    fn compatibility_is_what_the_page_says(c in any::<[u8; 3]>(), s in any::<[u8; 3]>()) {
        let version = |[a, b, c]: [u8; 3]| ProtocolVersion::new((a % 3).into(), (b % 3).into(), c.into());
        let (client, server) = (version(c), version(s));
        let expected = client.major == server.major
            && if client.major == 0 { client.minor == server.minor } else { client.minor <= server.minor };
        prop_assert_eq!(client.is_compatible_with(server), expected);
    }

    #[test]
    fn a_query_is_accepted_or_gets_a_clean_answer(query in any_query()) {
        let server = ProtocolVersion::new(0, 2, 0);
        match check_handshake(&query, server) {
            Ok(client) => prop_assert!(client.is_compatible_with(server)),
            Err(answer) => {
                prop_assert_eq!(answer.status, 400);
                let body: Value = serde_json::from_str(&answer.body).unwrap();
                let message = body["message"].as_str().unwrap();
                prop_assert!(message.chars().count() < 1200);
                prop_assert!(!message.chars().any(char::is_control));
                // The other side reads back what was answered.
                let headers = answer.headers.iter().map(|(name, value)| (*name, value));
                let read = parse_handshake_failure(answer.status, headers, answer.body.as_bytes()).unwrap();
                prop_assert_eq!(read.code(), answer.code);
            }
        }
    }

    #[test]
    fn the_order_of_keys_is_irrelevant(order in Just(vec![0, 1, 2, 3, 4, 5]).prop_shuffle()) {
        let members = [
            "\"code\":4008", "\"message\":\"m\"", "\"server_version\":\"1\"", "\"client_version\":\"2\"",
            "\"min_supported\":\"3\"", "\"max_supported\":\"4\"",
        ];
        let none: [(&str, &str); 0] = [];
        let body = |order: &[usize]| format!("{{{}}}", order.iter().map(|i| members[*i]).collect::<Vec<_>>().join(","));
        let straight = parse_handshake_failure(400, none, body(&[0, 1, 2, 3, 4, 5]).as_bytes());
        prop_assert!(straight.is_some());
        prop_assert_eq!(&parse_handshake_failure(400, none, body(&order).as_bytes()), &straight);
        let Ok(parsed) = parse_handshake_body(&&serde_json::from_str::<Value>(&body(&order)).unwrap());
        prop_assert_eq!(&parsed, &straight);
        prop_assert_eq!(&parse_handshake_text(&body(&order)), &straight);
    }

    #[test]
    fn no_answer_and_no_text_is_too_much(body in any::<Vec<u8>>(), status in any::<u16>(), text in any_wrapped()) {
        let _ = parse_handshake_failure(status, [("X-A2C-Error-Code", "4008")], &body);
        if let Some(failure) = parse_handshake_text(&text) {
            prop_assert!(text.contains("4008"), "{}: {:?}", text, failure);
        }
    }

    #[test]
    fn a_body_is_found_behind_anything_without_braces(before in "[^{\"'\\\\]{0,40}", after in "\\PC{0,40}") {
        let text = format!("{before}{{\"code\": 4008, \"server_version\": \"0.4.0\"}}{after}");
        prop_assert!(matches!(parse_handshake_text(&text), Some(HandshakeFailure::VersionMismatch(_))), "{}", text);
    }

    #[test]
    fn words_are_never_too_much(text in any_words(), other in any::<String>()) {
        let _ = decide_from_text(&text);
        let _ = decide_from_text(&other);
    }

    #[test]
    fn numbers_alone_decide_nothing(count in 100..600_u32, noun in "[a-df-z]{4,9}s") {
        prop_assume!(!["status", "access"].contains(&noun.as_str()));
        for text in [format!("{count} {noun} done"), format!("returned {count} {noun}"), format!("{noun} #{count}"), format!("at host:{count}")] {
            prop_assert_eq!(decide_from_text(&text), Decision::NotAuthorization, "{}", text);
        }
    }

    #[test]
    fn a_challenge_never_hides_the_status(header in any::<String>()) {
        let status = |status| Failure { http_status: Some(status), www_authenticate: Some(&header), ..Failure::default() };
        prop_assert_eq!(decide(&status(503)), Decision::ExecutionFailed);
        prop_assert_ne!(decide(&status(401)), Decision::NotAuthorization);
        // A quoted text is no parameter, whatever it holds.
        let quoted = format!("Bearer realm={}", Value::from(format!("error=\"insufficient_scope\" {header}")));
        prop_assume!(!quoted.contains("\\u") && !quoted.contains("\\n"));
        let failure = Failure { http_status: Some(401), www_authenticate: Some(&quoted), ..Failure::default() };
        prop_assert_eq!(decide(&failure), Decision::Required, "{}", quoted);
    }
}
