"""The shared cases as this runner reads them, and what each operation answers through the public API."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ackguard
from ackguard import acp

Answer = dict[str, Any]
FOLDER = Path(__file__).resolve().parents[2] / "tests" / "vectors"


class Unknown(Exception):
    """The runner does not know what a case asks of it: the case does not count as run."""


class Fields(dict[str, Any]):
    """Named fields that have to be used up: what a runner does not know must not pass unseen."""

    def needed(self, name: str) -> Any:
        if name not in self:
            raise Unknown(f"needs the input {name}")
        return self.pop(name)


class Case:
    """One case: what goes in, and what has to come out."""

    def __init__(self, case: Answer) -> None:
        self.id: str = case.pop("id")
        self.expect: Any = case.pop("expect")
        case.pop("why", None)
        case.pop("note", None)
        # The cases of rel_paths_fs.json keep what goes in beside the id.
        self.input = Fields(case.pop("input") if "input" in case else case)


def put_in(value: Any, tokens: dict[str, str]) -> Any:
    """A value with the tokens put in wherever `{{name}}` stands, keys included."""
    if isinstance(value, str):
        for mark, token in tokens.items():
            value = value.replace(mark, token)
        return value
    if isinstance(value, list):
        return [put_in(item, tokens) for item in value]
    if isinstance(value, dict):
        return {put_in(key, tokens): put_in(item, tokens) for key, item in value.items()}
    return value


def load() -> Iterator[tuple[str, Answer, list[Case]]]:
    """Every file: its name, the whole of it, its cases."""
    for path in sorted(FOLDER.glob("*.json")):
        if path.name == "schema.json":
            continue
        file = json.loads(path.read_text(encoding="utf-8"))
        tokens = {"{{" + name + "}}": "".join(parts) for name, parts in file.get("tokens", {}).items()}
        yield path.stem, file, [Case(put_in(case, tokens)) for case in file["cases"]]


def census(ids: list[str]) -> None:
    """Leaves word which cases were run, for tests/tools/census.py to compare with what there is."""
    root = Path(__file__).resolve().parents[2]
    target = Path(os.environ.get("CARGO_TARGET_DIR") or root / "target")
    folder = Path(os.environ.get("ACKGUARD_CENSUS") or target / "census")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "python.json").write_text(json.dumps({"language": "python", "ids": ids}), encoding="utf-8")


def advice(retry: ackguard.RetryAdvice | None) -> Any:
    return None if retry is None else {"automatic": retry.automatic, "action": retry.action}


def findings(found: list[ackguard.Finding]) -> list[Answer]:
    return [{"path": it.path, "category": it.category, "action": it.action} for it in found]


ERROR = (
    "code known name message reason server capability server_version client_version min_supported max_supported "
    "total_size trace_id details raw_details extra"
).split()
TOOL_RESULT = "outcome error_code mcp_server auth_hint cancel_reason".split()
EVENT = "ok message".split()
RPC = "error_code rpc_code name message id problem".split()


def told(classified: ackguard.Classified) -> Answer:
    """Everything that a case may ask about, under one name each whatever the kind."""
    answer: Answer = dict.fromkeys([*ERROR, *TOOL_RESULT, *EVENT, *RPC, "findings"])
    answer.update(kind=classified.kind, violations=classified.violations, retry=advice(classified.retry))
    if (error := classified.error) is not None:
        answer.update((name, getattr(error, name)) for name in ERROR)
        answer["extra"] = error.extra or None
    if (result := classified.tool_result) is not None:
        answer.update((name, getattr(result, name)) for name in TOOL_RESULT)
        answer["findings"] = findings(result.findings)
    if (event := classified.event_result) is not None:
        answer.update((name, getattr(event, name)) for name in EVENT)
    if (rpc := classified.rpc_error) is not None:
        answer.update((name, getattr(rpc, name)) for name in RPC)
    return answer


def payload(case: Fields) -> Answer:
    text, dialect = case.needed("json"), case.pop("dialect", "0.2")
    answer = told(ackguard.classify_json(text, dialect=dialect))
    for form in (text.encode("utf-8", "surrogatepass"), bytearray(text, "utf-8"), memoryview(text.encode())):
        same("as bytes", told(ackguard.classify_json(form, dialect=dialect)), answer)
    if answer["kind"] != "invalid":
        # Both doors have to agree.
        try:
            value = strictly(text)
        except RecursionError:
            return answer  # deeper than Python's own parser goes
        same("as a value", told(ackguard.classify(value, dialect=dialect)), answer)
    return answer


def strictly(text: str) -> Any:
    """What a JSON parser makes of a text that is JSON; numbers of any length, no NaN."""

    def refuse(name: str) -> Any:
        raise ValueError(name)

    # 3.10 has no such limit before its last releases.
    limit = getattr(sys, "get_int_max_str_digits", lambda: None)()
    if limit is not None:
        sys.set_int_max_str_digits(0)
    try:
        return json.loads(text, parse_constant=refuse)
    finally:
        if limit is not None:
            sys.set_int_max_str_digits(limit)


def same(what: str, one: Any, other: Any) -> None:
    # repr: NaN is not equal to itself, and 1 is to True.
    if one != other and repr(one) != repr(other):
        raise AssertionError(f"{what} {one}, not {other}")


def ack_args(case: Fields) -> Answer:
    return told(ackguard.classify_ack_args(case.needed("args"), dialect=case.pop("dialect", "0.2")))


def build(case: Fields) -> Answer:
    dialect, fields, details = case.pop("dialect", "0.2"), case.pop("fields", {}), case.pop("details", None)
    error = ackguard.ErrorPayload(case.needed("code"), case.needed("message"), details=details, **fields)
    same("to_json", json.loads(error.to_json(dialect)), error.to_dict(dialect))
    return {"payload": error.to_dict(dialect)}


def public_message(case: Fields) -> Answer:
    error = ackguard.classify_json(case.needed("json")).error
    assert error is not None
    return {"message": error.public_message(case.needed("locale"))}


def guard(case: Fields) -> Answer:
    guarded = ackguard.guard_tool_result(case.needed("result"))
    return {"value": guarded.value, "paths": sorted(it.path for it in guarded.findings)}


def cancelled_result(case: Fields) -> Answer:
    return told(ackguard.classify(ackguard.cancelled_result(case.pop("reason", None))))


def timeout_result(_: Fields) -> Answer:
    return told(ackguard.classify(ackguard.timeout_result()))


def auth_error_result(case: Fields) -> Answer:
    try:
        made = ackguard.auth_error_result(case.needed("mcp_server"), case.needed("code"), case.pop("hint", None))
    except ValueError:
        return {"error": "not_an_authorization_code"}
    return told(ackguard.classify(made))


def skill_name(case: Fields) -> Answer:
    name = case.needed("name")

    def parsed(dialect: str) -> Answer:
        try:
            it = ackguard.parse_skill_name(name, dialect=dialect)
        except ackguard.SkillNameError as error:
            assert not ackguard.is_valid_skill_name(name, dialect=dialect)
            start, end = error.span
            return {
                "error": error.code,
                "reason": error.reason,
                "segment": error.segment,
                "underlined": name[start:end],
            }
        assert str(it) == it.raw == name
        assert ackguard.is_valid_skill_name(name, dialect=dialect)
        return {"source": it.source, "skill": it.skill, "plugin": it.plugin, "server": it.server, "hint": it.hint}

    return {"0.2": parsed("0.2"), "0.3": parsed("0.3")}


def skill_name_build(case: Fields) -> Answer:
    skill, plugin, server = case.needed("skill"), case.pop("plugin", None), case.pop("server", None)
    dialect = case.pop("dialect", "0.2")
    try:
        if server is not None:
            return {"ok": ackguard.mcp_skill_name(server, skill, dialect=dialect)}
        if plugin is not None:
            return {"ok": ackguard.marketplace_skill_name(plugin, skill)}
        return {"ok": ackguard.user_skill_name(skill)}
    except ackguard.SkillNameError as error:
        return {"error": error.code, "reason": error.reason, "segment": error.segment}


def suggest(case: Fields) -> Answer:
    return {
        "suggestion": ackguard.suggest_skill_name(case.needed("text"), dialect=case.pop("dialect", "0.2")),
    }


def rel_path(case: Fields) -> Answer:
    forbid, credentials = case.pop("forbid", ()), case.pop("credentials", False)
    try:
        path = ackguard.check_rel_path(case.needed("rel_path"), forbid=forbid, credentials=credentials)
        return {"ok": path}
    except ackguard.SkillResourceError as error:
        return {"error": error.code, "reason": error.reason}


def blob_check(case: Fields) -> Answer:
    try:
        eof = ackguard.check_blob_range(case.needed("chunk_offset"), case.needed("total_size"))
        return {"ok": True, "eof": eof}
    except ackguard.BlobError as error:
        return {"error": error.code, "reason": error.reason}


def blob_clamp(case: Fields) -> Answer:
    numbers = [case.needed(name) for name in ("chunk_offset", "total_size", "wanted", "cap")]
    try:
        length, eof = ackguard.clamp_chunk(*numbers)
        return {"ok": True, "len": length, "eof": eof}
    except ackguard.BlobError as error:
        return {"error": error.code, "reason": error.reason}


DECISIONS = {4006: "required", 4007: "failed", 4003: "execution_failed", None: "not_authorization"}


def authorization(case: Fields) -> Answer:
    if "text" in case:
        code = ackguard.decide_authorization_from_text(case.pop("text"))
    else:
        names = "http_status www_authenticate oauth_error credential event provider_fault".split()
        code = ackguard.decide_authorization(**{name: case.pop(name) for name in names if name in case})
    return {"code": code, "decision": DECISIONS[code]}


def scrubbed(given: Any, scrub: Callable[[Any], ackguard.Scrubbed]) -> Answer:
    before = json.dumps(given)
    it = scrub(given)
    again = scrub(it.value)
    assert json.dumps(given) == before, "what was given has been changed"
    return {
        "text": json.dumps(it.value, ensure_ascii=False, separators=(",", ":")),
        "reported": str(findings(it.findings)),
        "value": it.value,
        "findings": findings(it.findings),
        "clean": not it.findings,
        "idempotent": again.value == it.value and not again.findings,
    }


def auth_hint(case: Fields) -> Answer:
    hint, strict = case.needed("hint"), case.pop("strict", False)
    answer = scrubbed(hint, lambda value: ackguard.scrub_auth_hint(value, strict=strict))
    if not strict:
        same("check_auth_hint", findings(ackguard.check_auth_hint(hint)), answer["findings"])
    return answer


def details(case: Fields) -> Answer:
    return scrubbed(case.needed("details"), ackguard.scrub_details)


def version(case: Fields) -> Answer:
    if "version" not in case:
        client = ackguard.ProtocolVersion(case.needed("client"))
        server = ackguard.ProtocolVersion(case.needed("server"))
        return {"compatible": client.is_compatible_with(server)}
    try:
        return {"ok": True, "text": str(ackguard.ProtocolVersion(case.needed("version")))}
    except ackguard.VersionError as error:
        return {"ok": False, "reason": error.reason}


def handshake_told(found: ackguard.VersionMismatch | ackguard.ErrorPayload | None) -> Answer:
    if found is None:
        return {"version_mismatch": False, "code": None}
    if not isinstance(found, ackguard.VersionMismatch):
        return {"version_mismatch": False, "code": found.code, "message": found.message}
    names = "server_version client_version min_supported max_supported".split()
    answer: Answer = {name: getattr(found, name) for name in names}
    return {"version_mismatch": True, "code": found.code, "message": found.message, **answer}


def handshake(case: Fields) -> Answer:
    status, headers, body = case.needed("status"), case.needed("headers"), case.needed("body")
    answer = handshake_told(ackguard.parse_handshake_failure(status, headers, body))
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    again = handshake_told(ackguard.parse_handshake_failure(status, pairs, body.encode()))
    same("as bytes", again, answer)
    return answer


def handshake_text(case: Fields) -> Answer:
    text = case.needed("text")
    answer = handshake_told(ackguard.parse_handshake_text(text))
    same("in an exception", handshake_told(ackguard.parse_handshake_exception(OSError(text))), answer)
    return answer


def handshake_check(case: Fields) -> Answer:
    it = ackguard.check_handshake(case.needed("query"), case.needed("server"))
    if it is None:
        return {"accepted": True}
    return {"accepted": False, "status": it.status, "headers": it.headers, "body": json.loads(it.body)}


def ws_close(case: Fields) -> Answer:
    return {"close": ackguard.classify_ws_close(case.needed("code"))}


def acp_error(case: Fields) -> acp.AcpClientError:
    given = Fields(case.needed("error"))
    kind, details = given.needed("kind"), given.pop("details", {})
    error: acp.AcpClientError
    if kind == "client":
        error = acp.AcpClientError("m", code=acp.AcpErrorCode(given.needed("code")), details=details)
    elif kind == "rpc":
        numbers = given.needed("rpc_code"), given.needed("rpc_message"), given.pop("data", None)
        error = acp.AcpRpcError(*numbers, details=details)
    elif kind == "server_not_found":
        error = acp.AcpServerNotFound(given.needed("name"))
        error.details.update(details)
    elif kind == "interaction":
        error = acp.AcpInteractionRequiredError(**given, details=details)
        given.clear()
    else:
        raise Unknown(f"does not know the error {kind}")
    if given:
        raise Unknown(f"does not know the error's {', '.join(given)}")
    return error


def acp_told(error: acp.AcpClientError) -> Answer:
    kinds = {
        acp.AcpClientError: "client",
        acp.AcpRpcError: "rpc",
        acp.AcpServerNotFound: "server_not_found",
        acp.AcpInteractionRequiredError: "interaction_required",
    }
    code = error.error_code if isinstance(error, acp.AcpRpcError) else error.code
    return {
        "ok": False,
        "kind": kinds[type(error)],
        "code": code.value,
        # A code among the details is the member itself, which is its text in JSON.
        "details": {key: it.value if type(it) is acp.AcpErrorCode else it for key, it in error.details.items()},
        "message": str(error),
        "rpc_code": getattr(error, "rpc_code", None),
        "rpc_message": getattr(error, "rpc_message", None),
        "data": getattr(error, "data", None),
    }


def acp_reclassify(case: Fields) -> Answer:
    error, server = acp_error(case), case.needed("server")
    counts = acp.reclassify_handshake(error, server)
    first = repr(acp_told(error))
    assert acp.reclassify_handshake(error, server) == counts
    assert repr(acp_told(error)) == first, "applied twice, it changed something"
    return {**acp_told(error), "counts": counts, "handshake": acp.is_handshake_failure(error)}


def acp_retry(case: Fields) -> Answer:
    it = acp.retry_advice(acp_error(case))
    return {"retryable": it.retryable, "action": it.action}


def acp_response(case: Fields) -> Answer:
    names = "expected_id exit_code io_error timeout interaction server method".split()
    line, seen = case.pop("line", None), {name: case.pop(name) for name in names if name in case}
    error = acp.classify_failure(line, **seen)
    answer: Answer = {"ok": True} if error is None else acp_told(error)
    # What the core refuses, Python's parser may take: an escaped lone surrogate.
    if isinstance(line, str) and answer.get("details", {}).get("problem") != "not_json":
        try:
            parsed = strictly(line)
        except ValueError:
            return answer
        of_value = acp.classify_failure(parsed, **seen)
        if parsed is not None and not isinstance(parsed, str):
            same("as a value", {"ok": True} if of_value is None else acp_told(of_value), answer)
    return answer


def acp_config(case: Fields) -> Answer:
    try:
        acp.parse_config(case.needed("json"), case.pop("env", {}))
    except acp.AcpClientError as error:
        problems = [[it.get("server"), it["field"]] for it in error.details["problems"]]
        return {"ok": False, "code": error.code.value, "problems": problems}
    return {"ok": True}


def acp_initialize(case: Fields) -> Answer:
    try:
        return {"ok": True, "protocol_version": acp.check_initialize_result(case.needed("result"))}
    except acp.AcpClientError as error:
        return acp_told(error)


def acp_session(case: Fields) -> Answer:
    try:
        return {"ok": True, "session_id": acp.check_session_result(case.needed("result"))}
    except acp.AcpClientError as error:
        return acp_told(error)


def acp_ledger(case: Fields) -> Answer:
    ledger, recorded, last = acp.ErrorLedger(), [], dict[str, Any]()
    for step in map(Fields, case.needed("steps")):
        server, do = step.needed("server"), step.needed("do")
        last[server] = None
        if do == "record":
            recorded.append(ledger.record(server, acp_error(step), step.needed("now_ms") / 1000))
        elif do == "reset":
            ledger.reset(server)
        elif do != "success":
            raise Unknown(f"does not know the step {do}")
        if step:
            raise Unknown(f"does not know the step's {', '.join(step)}")
    for server in last:
        if (error := ledger.last_error(server)) is not None:
            last[server] = {"code": error.code.value, "at_ms": round(error.at.timestamp() * 1000)}
    return {"recorded": recorded, "last": last}


OPERATIONS: dict[tuple[str, str | None], Callable[[Fields], Answer]] = {
    ("payloads", None): payload,
    ("payloads", "ack_args"): ack_args,
    ("payloads", "build"): build,
    ("payloads", "public_message"): public_message,
    ("payloads", "guard"): guard,
    ("payloads", "cancelled_result"): cancelled_result,
    ("payloads", "timeout_result"): timeout_result,
    ("payloads", "auth_error_result"): auth_error_result,
    ("skill_names", None): skill_name,
    ("skill_names", "build"): skill_name_build,
    ("skill_names", "suggest"): suggest,
    ("rel_paths", None): rel_path,
    ("blobs", "check"): blob_check,
    ("blobs", "clamp"): blob_clamp,
    ("authorization", None): authorization,
    ("auth_hints", None): auth_hint,
    ("details", None): details,
    ("versions", None): version,
    ("handshake", None): handshake,
    ("handshake", "text"): handshake_text,
    ("handshake", "check"): handshake_check,
    ("handshake", "ws_close"): ws_close,
    ("acp", "reclassify"): acp_reclassify,
    ("acp", "retry"): acp_retry,
    ("acp", "records_last_error"): lambda case: {"recorded": acp.records_last_error(acp_error(case))},
    ("acp", "readiness"): lambda case: {
        "readiness": acp.readiness(case.needed("state"), case.needed("has_active_turn")),
    },
    ("acp", "rpc_code_name"): lambda case: {"name": acp.rpc_code_name(case.needed("code"))},
    ("acp", "response"): acp_response,
    ("acp", "config"): acp_config,
    ("acp", "initialize_result"): acp_initialize,
    ("acp", "session_result"): acp_session,
    ("acp", "missing_details"): lambda case: {"missing": acp.missing_details(acp_error(case))},
    ("acp", "method_not_found_reply"): lambda case: {
        "reply": json.loads(acp.method_not_found_reply(case.needed("id"), case.needed("method"))),
    },
    ("acp", "ledger"): acp_ledger,
}


class Tree:
    """The folder of rel_paths_fs.json: every way to ask for a file has to agree."""

    def __init__(self, folder: Path, steps: list[Answer]) -> None:
        self.folder = folder
        self.pairs: dict[str, list[str]] = {}
        for step in steps:
            path, target = folder / step["path"], step.get("target", "")
            match step["op"]:
                case "dir":
                    path.mkdir()
                case "file":
                    path.write_text(step.get("content", ""), encoding="utf-8")
                case "symlink":
                    path.symlink_to(target)
                case "abs_symlink":
                    path.symlink_to(folder / target)
                case "hardlink":
                    path.hardlink_to(folder / target)
                case "fifo":
                    os.mkfifo(path)
                case other:
                    raise Unknown(f"does not know the step {other}")

    def read(self, case: Fields) -> Answer:
        rel, file = case.pop("rel_path", None), case.pop("file", None)
        pair, leak = case.pop("pair", None), case.pop("leak", None)
        options = {name: case.pop(name) for name in ("forbid", "credentials", "max_size") if name in case}
        outcomes = {}
        with ackguard.SkillRoot(self.folder / "pkg", **options) as root:
            for name in ("read", "open", "size", "resolve"):
                try:
                    got = getattr(root, name)(rel)
                except ackguard.SkillResourceError as error:
                    outcomes[name] = error.reason
                    continue
                outcomes[name] = "ok"
                if name == "open":
                    with got:
                        got = got.read()
                if name in ("read", "open"):
                    if leak is not None and leak.encode() in got:
                        outcomes[name] = "leak"
                    elif file is not None and got != (self.folder / file).read_bytes():
                        outcomes[name] = f"ok, but not {file}"
        outcome = outcomes["read"]
        if set(outcomes.values()) != {outcome}:
            return {"outcome": outcomes}
        if pair is not None:
            self.pairs.setdefault(pair, []).append(outcome)
        return {"outcome": outcome}


def compare(answer: Answer, expect: Any) -> list[str]:
    """What is expected and does not hold."""
    if isinstance(expect, list):
        # Several outcomes are right.
        outcome = answer.get("outcome")
        return [] if outcome in expect else [f"{outcome}, not {expect}"]
    problems = []
    for field, expected in expect.items():
        if field in ("0.2", "0.3") and isinstance(answer.get(field), dict):
            problems += [f"in {field} {it}" for it in compare(answer[field], expected)]
        elif field in ("must_contain", "must_not_contain") and field not in answer:
            contain = field == "must_contain"
            problems += [f"{field} {it!r}: {answer['text']}" for it in expected if (it in answer["text"]) != contain]
            if not contain:
                problems += [f"a finding holds {it!r}" for it in expected if it in answer["reported"]]
        elif field not in answer:
            problems.append(f"does not know the expectation {field}")
        elif not equal(answer[field], expected):
            problems.append(f"{field} is {answer[field]!r}, not {expected!r}")
    if answer.get("idempotent") is False:
        problems.append(f"scrubbing again changed something: {answer['text']}")
    return problems


def equal(one: Any, other: Any) -> bool:
    """Equal as JSON values: a boolean is no number, a float no integer."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return type(one) is type(other) and bool(one == other)


def run(name: str, case: Case, tree: Tree | None) -> list[str]:
    """The problems of one case."""
    given = Fields(case.input)
    op = given.pop("op", None)
    if name == "rel_paths_fs" and tree is not None:
        answer = tree.read(given)
    elif (operation := OPERATIONS.get((name, op))) is not None:
        answer = operation(given)
    else:
        raise Unknown(f"does not know the operation {op}")
    if given:
        raise Unknown(f"does not know the input {', '.join(given)}")
    return compare(answer, case.expect)
