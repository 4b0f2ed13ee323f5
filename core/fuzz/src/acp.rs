//! Any line from an agent, beside anything else that a host may have seen, and any configuration.

use ackguard::Dialect;
use ackguard::acp::error::{MAX_STDERR_BYTES, stderr_tail};
use ackguard::acp::failure::{classify_parsed_failure, classify_silent_failure, classify_unreadable_failure};
use ackguard::acp::rpc::{METHOD_NOT_FOUND, view};
use ackguard::acp::{
    AcpError, AcpErrorCode, ErrorLedger, Interaction, IoFailure, RawFailure, Readiness, RpcId, ServerState,
    Timestamp, check_initialize_result, check_session_result, classify_failure, method_not_found_reply,
    parse_acp_config, readiness_of, retry_advice,
};
use ackguard::json::TextNode;
use ackguard::payload::{Kind, classify_json};

/// No panic; the line and its parsed form give the same error; whatever is an error can be classified again, logged,
/// remembered and sent.
pub fn run(line: &[u8]) {
    let node = TextNode::parse(line).ok();
    let text = String::from_utf8_lossy(line);
    let mut errors = Vec::new();
    for seen in all_seen(&text) {
        let by_text = classify_failure(Some(line), seen.clone());
        let by_node = match &node {
            Some(node) => {
                let Ok(error) = classify_parsed_failure(node, seen.clone());
                error
            }
            None => classify_unreadable_failure(seen.clone()),
        };
        // A success is only what has no error, and a host that saw something else besides the line saw a failure.
        assert_eq!(by_text.as_ref().map(shown), by_node.as_ref().map(shown));
        assert!(by_text.is_some() || node.is_some());
        errors.extend([by_text, classify_silent_failure(seen)].into_iter().flatten());
    }
    errors.dedup_by_key(|error| shown(error));
    for error in errors {
        use_error(error, &text);
    }
    if let Some(node) = &node {
        check_results(node);
    }
    check_config(line);
    check_words(&text);
}

/// Nothing; then each thing that a host can see, by itself.
fn all_seen(text: &str) -> Vec<RawFailure<'_>> {
    let nothing = RawFailure::default();
    let interaction =
        Interaction { method: text.to_owned(), prompt: text.to_owned(), options: vec![text.into()] };
    vec![
        RawFailure { expected_id: Some(1.into()), ..nothing.clone() },
        RawFailure { server: Some("s"), ..nothing.clone() },
        RawFailure { exit_code: Some(-9), ..nothing.clone() },
        RawFailure {
            io_error: Some(IoFailure::from_name(text)),
            expected_id: Some(text.into()),
            ..nothing.clone()
        },
        RawFailure { timeout: Some(1.5), method: Some(text), ..nothing.clone() },
        RawFailure { interaction: Some(interaction), ..nothing },
    ]
}

fn shown(error: &AcpError) -> (AcpErrorCode, String, String, Option<i128>) {
    let details = serde_json::Value::Object(error.details().clone()).to_string();
    (error.code(), error.message().to_owned(), details, error.rpc_code())
}

fn use_error(mut error: AcpError, text: &str) {
    let _ = (format!("{error:?}"), error.to_string(), error.missing_details(), error.is_handshake_failure());
    let advice = retry_advice(error.kind(), error.code(), error.is_handshake_failure(), error.rpc_code());
    assert_eq!(error.retry(), advice);

    let ledger = ErrorLedger::with_clock(|| Timestamp::from_unix_micros(0));
    assert_eq!(ledger.record_now("s", &error), error.is_recorded());
    let last = ledger.last_error("s");
    assert_eq!(last.as_ref().map(|last| last.code), error.is_recorded().then_some(error.code()));
    assert!(last.is_none_or(|last| serde_json::to_string(&last).is_ok() && ledger.reset("s")));

    let logged = ackguard::acp::log::log_details(error.details());
    assert_eq!(ackguard::acp::log::log_details(&logged), logged, "a log that is cleaned again");
    let sent = error.to_payload();
    assert_eq!(sent.code().get(), 500);
    for dialect in [Dialect::V0_2, Dialect::V0_3] {
        assert_eq!(classify_json(sent.to_json(dialect).as_bytes(), dialect).kind(), Kind::Error);
    }

    let _ = error.log_fields();
    let counts = error.reclassify_handshake(text);
    let once = shown(&error);
    assert_eq!(error.reclassify_handshake(text), counts);
    assert_eq!(shown(&error), once);
    let _ = error.log_fields();
}

fn check_results(node: &TextNode<'_>) {
    let (Ok(version), Ok(session)) = (check_initialize_result(node), check_session_result(node));
    for error in [version.err(), session.err()].into_iter().flatten() {
        assert_eq!(error.code(), AcpErrorCode::HandshakeFail);
        assert!(error.is_handshake_failure());
    }
    // A request that nobody knows is answered under its own id.
    let Ok(seen) = view(node);
    let Some(id) = seen.id else { return };
    let reply = method_not_found_reply(&id, node.as_str());
    let Ok(reply) = TextNode::parse(reply.as_bytes()) else { panic!("the answer is no JSON") };
    let Ok(answer) = view(&reply);
    assert_eq!(answer.rpc_code, Some(METHOD_NOT_FOUND));
    assert_eq!(answer.problem, None);
    let Some(echo) = answer.id else { panic!("the answer has no id") };
    assert_eq!(echo, id);
    assert_eq!(echo.answers(&id), id != RpcId::Null);
}

fn check_config(text: &[u8]) {
    let (plain, with_env) =
        (parse_acp_config(text, |_| None), parse_acp_config(text, |name| Some(name.to_owned())));
    // A variable that is set is never worse than one that is not.
    assert!(plain.is_err() || with_env.is_ok());
    if let Some(errors) = plain.err().or(with_env.as_ref().err().cloned()) {
        assert!(!errors.problems().is_empty());
        for problem in errors.problems() {
            let (pointer, shown) = (problem.pointer(), problem.to_string());
            assert!(pointer.is_empty() || pointer.starts_with('/'));
            assert!(!shown.is_empty() && !problem.reason.as_str().is_empty());
        }
        let error = errors.to_acp_error();
        assert_eq!(error.code(), AcpErrorCode::ConfigInvalid);
        use_error(error, "s");
    }
    if let Ok(config) = with_env {
        let _ = format!("{config:?}");
        for server in &config.servers {
            assert!(config.server(&server.name).is_some());
        }
    }
}

fn check_words(text: &str) {
    let tail = stderr_tail(text);
    assert!(tail.len() <= MAX_STDERR_BYTES && text.ends_with(tail));
    use_error(AcpError::process_start_fail("s", text, [text], text), text);
    use_error(AcpError::rpc(1, text, Some(text.into())), text);
    if let Ok(code) = text.parse::<AcpErrorCode>() {
        assert_eq!(code.as_str(), text);
        use_error(AcpError::client(code, text), text);
    }
    match text.parse::<ServerState>() {
        Ok(state) => assert_eq!(state.as_str(), text),
        Err(_) => assert_eq!(readiness_of(text, false), Readiness::NotReady),
    }
    let at = text.as_bytes().first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
    for at in [Timestamp::from_unix_micros(at), Timestamp::from_unix_millis(at)] {
        assert!((Timestamp::MIN..=Timestamp::MAX).contains(&at));
        assert_eq!(at.to_string().len(), "1970-01-01T00:00:00.000000Z".len());
    }
}
