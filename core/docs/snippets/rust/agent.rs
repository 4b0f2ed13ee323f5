// ANCHOR: ack
use ackguard::payload::{Kind, Outcome, classify_json};
use ackguard::retry::Automatic;
use ackguard::{Dialect, Locale};

/// What the agent does next, in words.
fn on_ack(ack: &[u8]) -> String {
    let payload = classify_json(ack, Dialect::default());
    if let Some(error) = payload.error() {
        let advice = error.advice();
        return match advice.automatic {
            Automatic::Once => format!("{}, then try once more", advice.action.as_str()),
            Automatic::Optional => format!("{}, if the call may be repeated", advice.action.as_str()),
            _ => error.public_message(Locale::En),
        };
    }
    if let Some(result) = payload.tool_result() {
        return match result.outcome {
            Outcome::Completed => "use the content".to_owned(),
            // The hint has been scrubbed on the way: there is no secret left to show.
            Outcome::AuthorizationRequired | Outcome::AuthorizationFailed => {
                result.auth_hint.map_or_else(|| "show the ready hint".to_owned(), |hint| hint.to_string())
            }
            _ => format!("tell the model: {}", result.outcome),
        };
    }
    match payload.kind() {
        Kind::RpcError | Kind::MalformedError | Kind::Invalid => {
            "report the peer, use nothing of it".to_owned()
        }
        _ => "use the answer".to_owned(),
    }
}
// ANCHOR_END: ack

#[test]
fn an_ack_says_what_to_do() {
    let on_ack = |ack: &str| on_ack(ack.as_bytes());
    let missing = r#"{"code":4014,"message":"no such server","mcp_server_name":"docs"}"#;
    assert_eq!(on_ack(missing), "refresh_servers, then try once more");
    assert_eq!(on_ack(r#"{"code":500,"message":"db at 10.0.0.7"}"#), "backoff, if the call may be repeated");
    let full = r#"{"code":4101,"message":"Room full: sk-internal"}"#;
    assert_eq!(on_ack(full), "Another agent is already in this room.");
    assert_eq!(on_ack(r#"{"content":[],"isError":false}"#), "use the content");
    let asks = r#"{"content":[],"isError":true,"meta":{"error_code":4006,"mcp_server":"mail",
        "auth_hint":{"message":"Sign in","access_token":"s3cr3t"}}}"#;
    assert_eq!(on_ack(asks), r#"{"message":"Sign in"}"#);
    let cancelled = r#"{"content":[],"isError":true,"meta":{"a2c_cancelled":true}}"#;
    assert_eq!(on_ack(cancelled), "tell the model: cancelled");
    assert_eq!(
        on_ack(r#"{"error":{"code":4014,"message":"wrapped"}}"#),
        "report the peer, use nothing of it"
    );
    assert_eq!(on_ack(r#"{"tools":[]}"#), "use the answer");
}

#[test]
fn a_log_gets_no_secret() {
    let ack = br#"{"code":403,"message":"denied","details":{"token":"s3cr3t","room":"r1"}}"#;
    let payload = classify_json(ack, Dialect::default());
    let error = payload.error().unwrap();
    // ANCHOR: log
    // For people: a fixed sentence, in their language, with nothing of the payload's.
    let shown = error.public_message(Locale::from_tag("zh-CN"));
    // For the log: everything, flat, without what is secret.
    let logged = error.log_fields();
    // ANCHOR_END: log
    assert!(!shown.is_empty() && !shown.is_ascii());
    let logged = serde_json::Value::Object(logged).to_string();
    assert!(logged.contains("403") && !logged.contains("s3cr3t"), "{logged}");
}
