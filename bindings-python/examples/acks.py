"""What an agent does with the acks it gets: `python examples/acks.py`."""

from __future__ import annotations

import ackguard

ACKS: list[object] = [
    {"tools": [], "req_id": "r1"},
    {"code": 4014, "message": "MCP Server not registered", "mcp_server_name": "docs"},
    {"content": [], "isError": True, "meta": {"error_code": 4006, "mcp_server": "github", "auth_hint": {"token": "t"}}},
    [False, "Room already has an agent"],
    None,
]


def said(ack: ackguard.Classified) -> str:
    """One line about an ack, fit for a person to read."""
    if ack.error is not None:
        return f"{ack.error.name}: {ack.error.public_message('en')}"
    if ack.tool_result is not None:
        return f"the tool call ended as {ack.tool_result.outcome}, hint {ack.tool_result.auth_hint}"
    if ack.event_result is not None:
        return "done" if ack.event_result.ok else f"refused: {ack.event_result.message}"
    return ack.kind


def main() -> None:
    for value in ACKS:
        ack = ackguard.classify(value)
        advice = f" ({ack.retry.automatic}, {ack.retry.action})" if ack.retry else ""
        print(f"{ack.kind:<13} {said(ack)}{advice}")
    try:
        ackguard.raise_for_error(ACKS[1])
    except ackguard.ProtocolError as error:
        print(f"raised        {error}")


if __name__ == "__main__":
    main()
