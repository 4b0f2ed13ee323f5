"""The constants and the stub's words against the core."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import ackguard
from ackguard import _native, acp


def test_the_enum_is_the_registry() -> None:
    registry = {info.name: info.code for info in ackguard.codes()}
    here = {member.name: member.value for member in ackguard.ErrorCode}
    replacement = "\n".join(f"    {name} = {code}" for name, code in registry.items())
    assert here == registry, f"put this into _codes.py:\n{replacement}"
    assert ackguard.ErrorCode(4014) is ackguard.ErrorCode.MCP_SERVER_NOT_FOUND
    assert ackguard.code_info(4900) is None
    assert ackguard.code_info(2**80) is None


def test_the_words_of_the_stub_are_the_cores() -> None:
    words = _native._words()
    assert [code.value for code in acp.AcpErrorCode] == words["acp_code"]
    stub = (Path(ackguard.__file__).parent / "_native.pyi").read_text(encoding="utf-8")
    for name in ("kind", "outcome", "action"):
        start = stub.index(f"_{name.capitalize()}: TypeAlias")
        text = stub[stub.index("[", start) + 1 : stub.index("]", start)]
        assert [word.strip().strip('"') for word in text.split(",") if word.strip()] == words[name]


def test_the_file_in_the_wheel_is_the_registry() -> None:
    file = json.loads((resources.files("ackguard") / "codes.json").read_text(encoding="utf-8"))
    assert [(it["code"], it["name"], it["title"]["zh"]) for it in file] == [
        (it.code, it.name, it.title_zh) for it in ackguard.codes()
    ]
    for entry in file:
        info = ackguard.code_info(entry["code"])
        assert info is not None
        assert ackguard.RetryAdvice(**entry["retry"]) == info.retry
        assert {reason["name"]: ackguard.RetryAdvice(**reason["retry"]) for reason in entry["reasons"]} == {
            reason: info.retry_for(reason) for reason in info.reasons
        }
        assert entry["user_message"]["zh"] == info.user_message("zh")


def test_versions() -> None:
    assert ackguard.PROTOCOL_VERSION == "0.2.0"
    assert ackguard.__version__ == ackguard.VERSION


def test_backoff() -> None:
    assert list(ackguard.backoff(4, 5.0, random=lambda: 0.5)) == [1.5, 2.5, 4.5, 5.0]
    assert len(list(ackguard.backoff())) == 3
    assert all(low <= wait < low + 1 for low, wait in zip((1, 2, 4), ackguard.backoff(), strict=True))
    assert list(ackguard.backoff(0)) == []
    assert len(list(ackguard.backoff(3, float("inf")))) == 3
