"""What refers to itself is let go of."""

from __future__ import annotations

import gc
import weakref
from collections import UserDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ackguard
import pytest


class Marked:
    """Something that shows whether it has been let go of."""


def make_payload_with_its_verdict(marked: Marked) -> None:
    payload: dict[str, Any] = {"code": 404, "message": "m", "details": {"marked": marked}}
    payload["verdict"] = ackguard.classify(payload)


def make_views_in_circles(marked: Marked) -> None:
    details: dict[str, Any] = {"reason": "not_found", "marked": marked}
    verdict = ackguard.classify({"code": 4017, "message": "m", "details": details})
    error = verdict.error
    assert error is not None
    assert error.details is not None
    assert verdict.violations == []
    error.details["verdict"] = verdict
    error.extra["error"] = error


def make_host_object_with_its_verdict(marked: Marked) -> None:
    class Host(UserDict[str, Any]):
        pass

    host = Host(code=404, message="m", marked=marked)
    host["verdict"] = ackguard.classify(host)
    assert host["verdict"].violations == []


def make_fields_in_circles(marked: Marked) -> None:
    @dataclass
    class Ack:
        code: int
        message: str
        details: dict[str, Any]

    details: dict[str, Any] = {"marked": marked}
    verdict = ackguard.classify(Ack(404, "m", details))
    assert verdict.error is not None
    details["verdict"] = verdict


def make_scrubbed_in_circles(marked: Marked) -> None:
    scrubbed = ackguard.scrub_details({"marked": marked})
    scrubbed.value["scrubbed"] = scrubbed
    scrubbed.value["marked"] = marked


def make_tool_result_in_circles(marked: Marked) -> None:
    meta = {"error_code": 4006, "mcp_server": "s", "auth_hint": {"action": "x"}}
    verdict = ackguard.classify({"content": [], "isError": True, "meta": meta})
    result = verdict.tool_result
    assert result is not None
    assert isinstance(result.auth_hint, dict)
    result.auth_hint["marked"] = marked
    result.findings.append(verdict)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        make_payload_with_its_verdict,
        make_views_in_circles,
        make_host_object_with_its_verdict,
        make_fields_in_circles,
        make_scrubbed_in_circles,
        make_tool_result_in_circles,
    ],
)
def test_circles_are_collected(make: Callable[[Marked], None]) -> None:
    marked = Marked()
    gone = weakref.ref(marked)
    make(marked)
    del marked
    gc.collect()
    assert gone() is None
