// ANCHOR: failure
use ackguard::acp::{AcpError, RawFailure, classify_failure};

/// What came of a request to the agent: a line, a timeout, an exit, or several of them.
fn outcome(line: Option<&[u8]>, seen: RawFailure<'_>) -> Result<(), AcpError> {
    // `None` from classify_failure is a success.
    classify_failure(line, seen).map_or(Ok(()), Err)
}

/// What the host does next, in words.
fn next_step(error: &AcpError) -> String {
    let advice = error.retry();
    if advice.retryable {
        format!("{}: {}, then try again", error.code(), advice.action.as_str())
    } else {
        format!("{}: {}", error.code(), advice.action.as_str())
    }
}
// ANCHOR_END: failure

#[test]
fn a_failure_has_one_of_nine_codes() {
    let answer = br#"{"jsonrpc":"2.0","id":7,"result":{"stopReason":"end_turn"}}"#;
    let asked = RawFailure { expected_id: Some(7.into()), server: Some("helper"), ..RawFailure::default() };
    assert!(outcome(Some(answer), asked.clone()).is_ok());

    let late = RawFailure { timeout: Some(30.0), method: Some("session/prompt"), ..asked.clone() };
    let error = outcome(None, late).unwrap_err();
    assert_eq!(next_step(&error), "request_timeout: backoff, then try again");

    let gone = RawFailure { exit_code: Some(137), ..asked.clone() };
    assert!(next_step(&outcome(None, gone).unwrap_err()).starts_with("transport_disconnect: "));

    let refused = br#"{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Authentication required"}}"#;
    let error = outcome(Some(refused), asked).unwrap_err();
    assert_eq!(next_step(&error), "protocol_error: authenticate");
}

// ANCHOR: ledger
use ackguard::acp::{ErrorLedger, Readiness, readiness_of};

/// A failure during `initialize` or `session/new`: named anew, and remembered.
fn on_handshake_failure(ledger: &ErrorLedger, server: &str, mut error: AcpError) -> AcpError {
    error.reclassify_handshake(server);
    ledger.record_now(server, &error);
    error
}

/// Whether a turn may be submitted.
fn may_submit(state: &str, has_active_turn: bool) -> bool {
    readiness_of(state, has_active_turn) == Readiness::Ready
}
// ANCHOR_END: ledger

#[test]
fn the_last_error_is_remembered() {
    let ledger = ErrorLedger::new();
    let late = RawFailure { timeout: Some(10.0), method: Some("initialize"), ..RawFailure::default() };
    let error = on_handshake_failure(&ledger, "helper", outcome(None, late).unwrap_err());
    assert_eq!(error.code().as_str(), "handshake_fail");
    assert_eq!(ledger.last_error("helper").unwrap().code.as_str(), "handshake_fail");
    assert!(ledger.last_error("other").is_none());
    assert!(may_submit("ready", false) && !may_submit("ready", true) && !may_submit("failed", false));
}
