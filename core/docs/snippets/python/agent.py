# ANCHOR: ack
import json

from ackguard import classify


def on_ack(ack: object) -> str:
    """What the agent does next, in words."""
    payload = classify(ack)
    if error := payload.error:
        if error.retry.automatic == "once":
            return f"{error.retry.action}, then try once more"
        if error.retry.automatic == "optional":
            return f"{error.retry.action}, if the call may be repeated"
        return error.public_message()
    if result := payload.tool_result:
        if result.outcome == "completed":
            return "use the content"
        if result.outcome in ("authorization_required", "authorization_failed"):
            # The hint has been scrubbed on the way: there is no secret left to show.
            return json.dumps(result.auth_hint or result.default_hint())
        return f"tell the model: {result.outcome}"
    if payload.kind in ("rpc_error", "malformed_error", "invalid"):
        return "report the peer, use nothing of it"
    return "use the answer"
    # ANCHOR_END: ack


def test_an_ack_says_what_to_do() -> None:
    missing = {"code": 4014, "message": "no such server", "mcp_server_name": "docs"}
    assert on_ack(missing) == "refresh_servers, then try once more"
    assert on_ack({"code": 500, "message": "db at 10.0.0.7"}) == "backoff, if the call may be repeated"
    assert on_ack({"code": 4101, "message": "Room full: sk-internal"}) == "Another agent is already in this room."
    assert on_ack({"content": [], "isError": False}) == "use the content"
    meta = {"error_code": 4006, "mcp_server": "mail", "auth_hint": {"message": "Sign in", "access_token": "s3cr3t"}}
    assert on_ack({"content": [], "isError": True, "meta": meta}) == '{"message": "Sign in"}'
    cancelled = {"content": [], "isError": True, "meta": {"a2c_cancelled": True}}
    assert on_ack(cancelled) == "tell the model: cancelled"
    assert on_ack({"error": {"code": 4014, "message": "wrapped"}}) == "report the peer, use nothing of it"
    assert on_ack({"tools": []}) == "use the answer"


def test_a_log_gets_no_secret() -> None:
    error = classify({"code": 403, "message": "denied", "details": {"token": "s3cr3t", "room": "r1"}}).error
    assert error is not None
    # ANCHOR: log
    # For people: a fixed sentence, in their language, with nothing of the payload's.
    shown = error.public_message("zh-CN")
    # For the log: everything, flat, without what is secret.
    logged = error.log_fields()
    # ANCHOR_END: log
    assert shown
    assert not shown.isascii()
    assert logged["error_code"] == 403
    assert "s3cr3t" not in json.dumps(logged)
