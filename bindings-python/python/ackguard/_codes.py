"""The codes as an enum. `tests/test_codes.py` compares it with the core's registry and prints the replacement."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ErrorCode"]


class ErrorCode(IntEnum):
    """The registered codes of A2C-SMCP, both dialects.

    A code is an open set: a payload may carry a number that is none of these, so `ErrorPayload.code` is an int that
    compares with them. 4900 is a WebSocket close code and none of these either.
    """

    BAD_REQUEST = 400
    UNAUTHORIZED = 401
    FORBIDDEN = 403
    NOT_FOUND = 404
    TIMEOUT = 408
    INTERNAL_ERROR = 500
    TOOL_NOT_FOUND = 4001
    TOOL_DISABLED = 4002
    TOOL_EXECUTION_FAILED = 4003
    TOOL_TIMEOUT = 4004
    TOOL_REQUIRES_CONFIRMATION = 4005
    TOOL_AUTHORIZATION_REQUIRED = 4006
    TOOL_AUTHORIZATION_FAILED = 4007
    PROTOCOL_VERSION_MISMATCH = 4008
    MCP_SERVER_NOT_FOUND = 4014
    MCP_CAPABILITY_NOT_SUPPORTED = 4015
    INVALID_SKILL_NAME = 4016
    SKILL_RESOURCE_NOT_ACCESSIBLE = 4017
    BLOB_NOT_ACCESSIBLE = 4018
    BLOB_WRITE_FAILED = 4019
    ROOM_FULL = 4101
    ROOM_NOT_FOUND = 4102
    NOT_IN_ROOM = 4103
    CROSS_ROOM_ACCESS = 4104
