"""What a payload of A2C-SMCP or of an ACP agent is, whether an input is safe, and what went wrong.

>>> import ackguard
>>> ack = ackguard.classify({"code": 4014, "message": "MCP Server not registered", "mcp_server_name": "docs"})
>>> ack.kind, ack.error.name, ack.retry.action
('error', 'MCP_SERVER_NOT_FOUND', 'refresh_servers')

The rules are those of the Rust crate of the same name; `ackguard.acp` has the errors of ACP clients.
"""

from __future__ import annotations

from ackguard._errors import (
    AckguardError,
    BlobError,
    InternalError,
    MalformedErrorPayload,
    ProtocolError,
    SkillNameError,
    SkillResourceError,
    VersionError,
    VersionMismatch,
)
from ackguard._native import (
    PROTOCOL_VERSION,
    VERSION,
    Classified,
    CodeInfo,
    ErrorPayload,
    EventResult,
    Finding,
    HandshakeAnswer,
    ProtocolVersion,
    RetryAdvice,
    RpcErrorView,
    Scrubbed,
    SkillName,
    SkillRoot,
    Tally,
    ToolResult,
    auth_error_result,
    backoff,
    cancelled_result,
    check_auth_hint,
    check_blob_range,
    check_handshake,
    check_rel_path,
    clamp_chunk,
    classify,
    classify_ack_args,
    classify_json,
    classify_ws_close,
    code_info,
    codes,
    decide_authorization,
    decide_authorization_from_text,
    default_auth_hint,
    guard_tool_result,
    is_valid_skill_name,
    marketplace_skill_name,
    mcp_skill_name,
    parse_handshake_failure,
    parse_handshake_text,
    parse_skill_name,
    raise_for_error,
    retry_advice,
    scrub_auth_hint,
    scrub_details,
    suggest_skill_name,
    timeout_result,
    user_skill_name,
)

# Known to type checkers by its name; `typing` itself takes milliseconds to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ackguard import acp as acp
    from ackguard._codes import ErrorCode
    from ackguard._handshake import parse_handshake_exception

__version__ = VERSION


def __getattr__(name: str) -> object:
    # What needs `enum`, which takes as long to import as all the rest, or what few programs need, is loaded when it is
    # first asked for. An import puts a submodule among the names here; the others are put there.
    value: object
    if name == "acp":
        import ackguard.acp as value
    elif name == "ErrorCode":
        from ackguard._codes import ErrorCode as value
    elif name == "parse_handshake_exception":
        from ackguard._handshake import parse_handshake_exception as value
    else:
        raise AttributeError(f"module 'ackguard' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "acp"})


__all__ = [
    "PROTOCOL_VERSION",
    "VERSION",
    "AckguardError",
    "BlobError",
    "Classified",
    "CodeInfo",
    "ErrorCode",
    "ErrorPayload",
    "EventResult",
    "Finding",
    "HandshakeAnswer",
    "InternalError",
    "MalformedErrorPayload",
    "ProtocolError",
    "ProtocolVersion",
    "RetryAdvice",
    "RpcErrorView",
    "Scrubbed",
    "SkillName",
    "SkillNameError",
    "SkillResourceError",
    "SkillRoot",
    "Tally",
    "ToolResult",
    "VersionError",
    "VersionMismatch",
    "auth_error_result",
    "backoff",
    "cancelled_result",
    "check_auth_hint",
    "check_blob_range",
    "check_handshake",
    "check_rel_path",
    "clamp_chunk",
    "classify",
    "classify_ack_args",
    "classify_json",
    "classify_ws_close",
    "code_info",
    "codes",
    "decide_authorization",
    "decide_authorization_from_text",
    "default_auth_hint",
    "guard_tool_result",
    "is_valid_skill_name",
    "marketplace_skill_name",
    "mcp_skill_name",
    "parse_handshake_exception",
    "parse_handshake_failure",
    "parse_handshake_text",
    "parse_skill_name",
    "raise_for_error",
    "retry_advice",
    "scrub_auth_hint",
    "scrub_details",
    "suggest_skill_name",
    "timeout_result",
    "user_skill_name",
]
