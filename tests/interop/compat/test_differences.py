"""The shared cases through a2c-smcp's functions and through ackguard's.

Alone, the SDK differs, and each difference belongs to a class that `../DIFFERENCES.md` explains. With `install()` there
is none left: that is what the drop-in is for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ackguard
import httpx
import pytest
from a2c_smcp import smcp
from a2c_smcp.computer.mcp_clients import auth_error
from a2c_smcp.computer.skills import naming, sandbox
from a2c_smcp.server import middleware
from a2c_smcp.utils import handshake
from a2c_smcp.version import ProtocolVersion
from ackguard.compat import a2c_smcp as compat

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parents[1] / "vectors"
DIFFERENCES = (HERE.parent / "DIFFERENCES.md").read_text(encoding="utf-8")

# What was answered, as something that can be compared and shown.
Answer = str
Row = tuple[str, Answer, Answer, str | None]


def inputs(file: str, *names: str) -> Iterator[dict[str, Any]]:
    """The inputs of a file's cases that have no other names than these."""
    for case in json.loads((VECTORS / file).read_text(encoding="utf-8"))["cases"]:
        given = case.get("input")
        if isinstance(given, dict) and given and given.keys() <= set(names):
            yield given


def attempt(call: Callable[[], Any]) -> Answer:
    """What a call answers; an exception by its name."""
    try:
        return str(call())
    except Exception as error:
        return f"raises {type(error).__name__}"


# --- the areas: for each input, both answers and the class of a difference --------------------------------------


def names() -> Iterator[Row]:
    texts = [it["name"] for it in inputs("skill_names.json", "name") if isinstance(it["name"], str)]
    texts += ["audit\n", "plugin:audit\n", "plugin\n:audit", "mcp:docs\n:audit", "mcp:docs:audit\n", "\n", "a\r\n"]

    def ours(name: str) -> Answer:
        parsed = ackguard.parse_skill_name(name, dialect="0.3")
        return str((parsed.source, parsed.skill, parsed.plugin, parsed.server))

    def theirs(name: str) -> Answer:
        parsed = naming.parse_skill_name(name)
        return str((parsed.kind, parsed.skill, parsed.plugin, parsed.server))

    for name in texts:
        yield (
            ascii(name),
            attempt(lambda name=name: theirs(name)),
            attempt(lambda name=name: ours(name)),
            "python/name-newline" if "\n" in name else None,
        )


def payloads() -> Iterator[Row]:
    values: list[Any] = []
    for given in inputs("payloads.json", "json"):
        try:
            values.append(json.loads(given["json"]))
        except (ValueError, RecursionError):
            continue
    for code in (400, 401, 404, 4001, 4014, 4019, 4101):
        values += [
            {"code": code, "message": "m"},
            {"code": float(code), "message": "m"},
            {"code": [code], "message": "m"},
            {"code": code, "tools": [], "req_id": "r"},
            {"code": code, "content": []},
        ]
    for value in values:
        verdict = ackguard.classify(value, dialect="0.3")
        is_error = verdict.kind == "error"
        code = value.get("code") if isinstance(value, dict) else None
        if isinstance(code, list | dict):
            known: str | None = "python/code-unhashable"
        elif is_error:
            registered = ackguard.code_info(int(verdict.error.code)) is not None if verdict.error else False
            known = "python/code-of-the-general-kind" if registered else "python/code-unregistered"
        elif verdict.kind == "tool_result":
            known = "python/tool-result-with-a-code"
        elif verdict.kind == "data" and isinstance(value, dict) and "req_id" in value:
            known = "python/answer-with-a-code"
        elif verdict.kind == "rpc_error":
            known = "python/rpc-error-with-a-code"
        else:
            known = None
        shown = ascii(value)[:200]
        yield shown, attempt(lambda value=value: smcp.is_protocol_error_payload(value)), str(is_error), known


def paths() -> Iterator[Row]:
    texts = [it["rel_path"] for it in inputs("rel_paths.json", "rel_path")]
    texts += ["a\0b", "\0", "x/.skillenv/y", ".skillenv/.", ".\u017fkillenv", "SKILLE~1", "docs/"]
    for text in texts:
        if not isinstance(text, str | None):
            continue

        def theirs(text: str | None = text) -> Answer:
            # A root that is not there: what is refused by its text is, everything else is not found.
            try:
                return str(sandbox.resolve_skill_resource(Path("/nowhere/at/all"), text))
            except sandbox.SkillSandboxError as refusal:
                return refusal.reason

        def ours(text: str | None = text) -> Answer:
            try:
                ackguard.check_rel_path(text)
            except ackguard.SkillResourceError as refusal:
                return refusal.reason
            return "not_found"

        mine = attempt(ours)
        if text is not None and "\0" in text:
            known: str | None = "python/path-nul"
        else:
            known = "python/path-forbidden-in-disguise" if mine == "forbidden" else None
        yield ascii(text), attempt(theirs), mine, known


def versions() -> Iterator[Row]:
    texts = [it["version"] for it in inputs("versions.json", "version") if isinstance(it["version"], str)]
    texts += [" 0.4.0", "0.4.0\n", "+0.4.0", "0.04.0", "0.4_0.0", "-0.4.0", "٠.4.0", "0.4.99999999999"]
    for text in texts:
        yield (
            ascii(text),
            attempt(lambda text=text: ProtocolVersion.parse(text)),
            # Of what is no version, both sides raise a ValueError; its subclass is ackguard's own business.
            attempt(lambda text=text: ackguard.ProtocolVersion(text)).replace("VersionError", "ValueError"),
            "python/version-not-exact",
        )


def queries() -> Iterator[Row]:
    server = ProtocolVersion(0, 4, 0)
    texts = [it["query"] for it in inputs("handshake.json", "op", "query", "server") if it.get("op") == "check"]
    texts += ["", "a2c_version=", "a2c_version=0.4.0", "a2c_version=0.4.0&a2c_version=0.3.0", "a2c_version=0.4.0%0A"]
    for text in texts:
        answer = ackguard.check_handshake(text, "0.4.0")
        mine = "go on" if answer is None else str(answer.code)

        def theirs(text: str = text) -> Answer:
            refused = middleware.check_a2c_version(text, server)
            return "go on" if refused is None else str(refused[1]["code"])

        twice = text.count("a2c_version") > 1
        yield ascii(text), attempt(theirs), mine, "python/query-twice" if twice else "python/query-not-exact"


def handshakes() -> Iterator[Row]:
    for given in inputs("handshake.json", "body", "headers", "status"):
        body = given["body"]
        if given["status"] != 400 or given["headers"] or not isinstance(body, str):
            continue
        try:
            parsed: object = json.loads(body)
        except (ValueError, RecursionError):
            continue
        failed = ConnectionError("Unexpected status code 400 in server response")
        failed.__cause__ = OSError(failed.args[0], parsed)
        found = ackguard.parse_handshake_exception(failed)
        mine = str(isinstance(found, ackguard.VersionMismatch))
        theirs = attempt(lambda failed=failed: handshake.extract_4008_payload(failed) is not None)
        yield ascii(body)[:200], theirs, mine, "python/handshake-body-wrapped"


def authorizations() -> Iterator[Row]:
    for given in inputs("authorization.json", "http_status", "www_authenticate"):
        status = given.get("http_status")
        if not isinstance(status, int) or not 400 <= status < 600:
            continue
        challenge = given.get("www_authenticate")
        request = httpx.Request("POST", "https://tools.example/mcp")
        headers = {} if challenge is None else {"WWW-Authenticate": challenge.encode("utf-8", "replace")}
        error = httpx.HTTPStatusError("x", request=request, response=httpx.Response(status, headers=headers))
        decided = ackguard.decide_authorization(
            http_status=status, www_authenticate=challenge if status in (401, 403) else None
        )
        mine = str(decided) if decided in (4006, 4007) else "None"

        def theirs(error: Exception = error) -> Answer:
            code = auth_error.classify_auth_error(error)
            return "None" if code is None else str(int(code))

        yield f"{status} {challenge}", attempt(theirs), mine, "python/scope-in-a-401"


AREAS = [names, payloads, paths, versions, queries, handshakes, authorizations]


@pytest.mark.parametrize("area", AREAS)
def test_each_difference_is_explained(area: Callable[[], Iterator[Row]]) -> None:
    rows = list(area())
    assert rows
    for shown, theirs, ours, known in rows:
        if theirs != ours:
            what = f"{area.__name__} {shown}: a2c-smcp {theirs}, ackguard {ours}"
            assert known is not None, f"of no class: {what}"
            assert f"`{known}`" in DIFFERENCES, f"{known} is not in DIFFERENCES.md: {what}"


def test_nothing_is_explained_that_is_not_there() -> None:
    seen = {known for area in AREAS for _, theirs, ours, known in area() if theirs != ours}
    told = {word for word in DIFFERENCES.split("`") if word.startswith("python/")}
    by_hand = {"python/config-empty", "python/answers-unchecked", "python/details-no-object", "python/hard-link"}
    by_hand |= {"python/cause-deeper", "python/provider-fault", "python/relay-drops-fields", "python/file-swapped"}
    assert told - by_hand == seen


@pytest.mark.parametrize("area", AREAS)
def test_none_is_left_with_the_drop_in(area: Callable[[], Iterator[Row]]) -> None:
    compat.install()
    words = {"raises SkillNameError": "refused", "raises ValueError": "refused"}
    left = [row for row in area() if words.get(row[1], row[1]) != words.get(row[2], row[2])]
    assert left == []
