"""Every public function, called with anything: it answers, or raises what its signature or a host object explains.

    surface.py [CORPUS] [libFuzzer's options]

A panic (`InternalError`), a hang, memory that grows or an exception of any other kind ends the run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import ackguard
import atheris
from ackguard import acp

WORDS = (
    "code message details error jsonrpc content isError meta _meta error_code a2c_cancelled a2c_timeout "
    "timeout auth_hint mcp_server mcp_server_name reason rel_path total_size trace_id server_version "
    "client_version id data 2.0 0.2.0 mcp:a:b a-b A--B ../x .skillenv https://a.example/?token=x "
    "password=hunter2 Bearer 127.0.0.1:8080 a2c_version=0.2.0 %41 {} [] servers command env ${X} gone "
    "too_large"
).split()
NUMBERS = (
    *(0, -1, 404, 4006, 4014, 4017, 4900, -32000, 2**31, 2**53, 2**63, 2**64, -(2**63), 10**400),
    *(0.5, 1e308, float("nan"), float("inf")),
)


class HostError(Exception):
    """What a host object raises: it has to come out as it is."""


class Hostile(dict[str, Any]):
    """A mapping that fails when it is read."""

    def __getitem__(self, key: str) -> Any:
        raise HostError(key)


class Source:
    """Values from the fuzzer's bytes."""

    def __init__(self, data: bytes) -> None:
        self.provider = atheris.FuzzedDataProvider(data)

    def below(self, limit: int) -> int:
        return int(self.provider.ConsumeIntInRange(0, limit - 1))

    def text(self) -> str:
        if self.below(2):
            return WORDS[self.below(len(WORDS))]
        return str(self.provider.ConsumeUnicode(self.below(40)))

    def value(self, depth: int = 3) -> Any:
        match self.below(12 if depth else 7):
            case 0:
                return None
            case 1:
                return bool(self.below(2))
            case 2:
                return NUMBERS[self.below(len(NUMBERS))]
            case 3 | 4:
                return self.text()
            case 5:
                return self.provider.ConsumeBytes(self.below(20))
            case 6:
                return (object(), Hostile(code=4014), ackguard, {1}, b"", ...)[self.below(6)]
            case 7:
                return [self.value(depth - 1) for _ in range(self.below(4))]
            case 8:
                return tuple(self.value(depth - 1) for _ in range(self.below(3)))
            case 9:
                return {self.below(9) or self.text(): self.value(depth - 1) for _ in range(self.below(4))}
            case _:
                return {self.text(): self.value(depth - 1) for _ in range(self.below(5))}

    def error(self) -> BaseException:
        details = {self.text(): self.value(1) for _ in range(self.below(4))}
        match self.below(4):
            case 0:
                codes = list(acp.AcpErrorCode)
                return acp.AcpClientError(self.text(), code=codes[self.below(len(codes))], details=details)
            case 1:
                return acp.AcpRpcError(self.below(2**17) - 2**16, self.text(), self.value(1))
            case 2:
                return acp.AcpServerNotFound(self.text())
            case _:
                return ValueError(self.text())


def read_all(classified: ackguard.Classified) -> None:
    """The views are worked out when they are asked for."""
    for view in (classified.error, classified.tool_result, classified.event_result, classified.rpc_error):
        if view is not None:
            repr(view)
            str(view)
    repr(classified)
    _ = classified.violations, classified.retry, classified.kind
    ackguard.Tally().add(classified)
    if classified.error is not None:
        classified.error.public_message("zh")
        json.dumps(classified.error.log_fields())


def text_of(it: Source) -> Any:
    """Mostly text, as the signature says; sometimes anything."""
    return it.text() if it.below(8) else it.value()


CALLS: list[Callable[[Source], object]] = [
    lambda it: read_all(ackguard.classify(it.value(), dialect="0.3" if it.below(2) else "0.2")),
    lambda it: read_all(ackguard.classify_json(it.provider.ConsumeBytes(it.below(300)))),
    lambda it: read_all(ackguard.classify_json(json.dumps({it.text(): it.text() for _ in range(it.below(6))}))),
    lambda it: read_all(ackguard.classify_ack_args([it.value() for _ in range(it.below(3))])),
    lambda it: ackguard.raise_for_error(it.value()),
    lambda it: ackguard.ErrorPayload(it.below(5000), it.text(), details={it.text(): it.value(1)}).to_dict(),
    lambda it: ackguard.guard_tool_result(it.value()),
    lambda it: ackguard.auth_error_result(it.text(), 4006 + it.below(3), it.value()),
    lambda it: ackguard.scrub_auth_hint(it.value(), strict=bool(it.below(2))),
    lambda it: ackguard.check_auth_hint(it.value()),
    lambda it: ackguard.scrub_details(it.value()),
    lambda it: ackguard.parse_skill_name(text_of(it), dialect="0.3" if it.below(2) else "0.2"),
    lambda it: ackguard.suggest_skill_name(text_of(it)),
    lambda it: ackguard.mcp_skill_name(text_of(it), text_of(it)),
    lambda it: ackguard.check_rel_path(text_of(it), forbid=[it.text()], credentials=bool(it.below(2))),
    lambda it: ackguard.check_blob_range(it.value(0), it.value(0)),
    lambda it: ackguard.clamp_chunk(it.below(99), it.below(99), it.below(99), it.below(99)),
    lambda it: ackguard.decide_authorization(
        http_status=it.below(700), www_authenticate=it.text(), oauth_error=it.text()
    ),
    lambda it: ackguard.decide_authorization_from_text(text_of(it)),
    lambda it: ackguard.ProtocolVersion(text_of(it)),
    lambda it: ackguard.check_handshake(text_of(it), "0.2.0"),
    lambda it: ackguard.parse_handshake_failure(it.below(700), {it.text(): it.value(1)}, text_of(it)),
    lambda it: ackguard.parse_handshake_text(text_of(it)),
    lambda it: ackguard.classify_ws_close(it.value(0)),
    lambda it: ackguard.retry_advice(it.below(6000), it.text()),
    lambda it: acp.retry_advice(it.error()),
    lambda it: acp.reclassify_handshake(it.error(), it.text()),
    lambda it: acp.missing_details(it.error()),
    lambda it: acp.parse_config(
        it.text() if it.below(2) else json.dumps({"servers": {it.text(): {it.text(): it.text()}}}), {}
    ),
    lambda it: acp.check_initialize_result(it.value()),
    lambda it: acp.check_session_result(it.value()),
]
# What a caller's mistake, a refusal or a host object explains. A panic is a RuntimeError of its own class.
EXPECTED = (ackguard.AckguardError, acp.AcpClientError, HostError, TypeError, ValueError, OverflowError)


def one(data: bytes) -> None:
    it = Source(data)
    call = CALLS[it.below(len(CALLS))]
    try:
        call(it)
    except ackguard.InternalError:
        raise
    except EXPECTED:
        pass


def main() -> None:
    # The Python half and the calls above: that is what tells one input from another here. The core has fuzz targets
    # of its own, with all of its branches counted.
    atheris.instrument_all()
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
