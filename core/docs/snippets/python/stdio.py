# ANCHOR: failure
from typing import Any

from ackguard.acp import AcpClientError, AcpRpcError, classify_failure, retry_advice


def check(line: bytes | None, **seen: Any) -> None:
    """What came of a request to the agent: a line, a timeout, an exit, or several of them."""
    # None from classify_failure is a success.
    if error := classify_failure(line, **seen):
        raise error


def next_step(error: AcpClientError) -> str:
    """What the host does next, in words."""
    advice = retry_advice(error)
    # An RPC error's `code` is the agent's integer; its place among the nine is `error_code`.
    code = error.error_code if isinstance(error, AcpRpcError) else error.code
    return f"{code.value}: {advice.action}" + (", then try again" if advice.retryable else "")
    # ANCHOR_END: failure


def failed(line: bytes | None, **seen: Any) -> AcpClientError:
    try:
        check(line, **seen)
    except AcpClientError as error:
        return error
    raise AssertionError("a success")


def test_a_failure_has_one_of_nine_codes() -> None:
    asked = {"expected_id": 7, "server": "helper"}
    check(b'{"jsonrpc":"2.0","id":7,"result":{"stopReason":"end_turn"}}', **asked)

    late = failed(None, timeout=30.0, method="session/prompt", **asked)
    assert next_step(late) == "request_timeout: backoff, then try again"
    assert next_step(failed(None, exit_code=137, **asked)).startswith("transport_disconnect: ")

    refused = b'{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Authentication required"}}'
    assert next_step(failed(refused, **asked)) == "protocol_error: authenticate"


# ANCHOR: ledger
from ackguard.acp import ErrorLedger, readiness, reclassify_handshake


def on_handshake_failure(ledger: ErrorLedger, server: str, error: AcpClientError) -> None:
    """A failure during `initialize` or `session/new`: named anew, in place, and remembered."""
    reclassify_handshake(error, server)
    ledger.record(server, error)


def may_submit(state: str, has_active_turn: bool) -> bool:
    """Whether a turn may be submitted."""
    return readiness(state, has_active_turn) == "ready"
    # ANCHOR_END: ledger


def test_the_last_error_is_remembered() -> None:
    ledger = ErrorLedger()
    error = failed(None, timeout=10.0, method="initialize")
    on_handshake_failure(ledger, "helper", error)
    assert error.code == "handshake_fail"
    last = ledger.last_error("helper")
    assert last is not None
    assert last.code == "handshake_fail"
    assert ledger.last_error("other") is None
    assert may_submit("ready", False)
    assert not may_submit("ready", True)
    assert not may_submit("failed", False)
