"""Python objects as they come: read in place, once, and never the worse for it."""

from __future__ import annotations

import collections
import dataclasses
import enum
import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import ackguard
import pydantic
import pytest
from ackguard import acp


class Counting(Mapping[str, Any]):
    """A mapping that remembers what it was asked for."""

    def __init__(self, members: dict[Any, Any]) -> None:
        self.members = members
        self.asked: collections.Counter[Any] = collections.Counter()
        self.walked = 0

    def __getitem__(self, key: str) -> Any:
        self.asked[key] += 1
        return self.members[key]

    def __iter__(self) -> Iterator[str]:
        self.walked += 1
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)


class Broken(Mapping[str, Any]):
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __getitem__(self, key: str) -> Any:
        raise self.error

    def __iter__(self) -> Iterator[str]:
        raise self.error

    def __len__(self) -> int:
        raise self.error


ERROR = {"code": 4014, "message": "MCP Server not registered", "mcp_server_name": "docs"}


def everything(value: object) -> ackguard.Classified:
    """A payload with every view of it asked for, twice."""
    ack = ackguard.classify(value)
    for _ in range(2):
        assert [ack.error, ack.tool_result, ack.event_result, ack.rpc_error, ack.violations, ack.retry]
    return ack


def test_a_mapping_is_asked_once_per_member() -> None:
    details = Counting({"reason": "gone", "n": 2**70})
    payload = Counting({"code": 4018, "message": "m", "details": details, "more": [1]})
    ack = everything(payload)
    assert ack.error is not None
    assert ack.error.reason == "gone"
    assert ack.error.details == {"reason": "gone", "n": 2**70}
    assert ack.error.extra == {"more": [1]}
    assert set(payload.asked.values()) == {1}
    assert set(details.asked.values()) == {1}
    assert (payload.walked, details.walked) == (1, 1)


def test_what_does_not_matter_is_not_looked_at() -> None:
    payload = Counting({"tools": object(), "req_id": "r"})
    assert ackguard.classify(payload).kind == "data"
    assert "tools" not in payload.asked
    assert payload.walked == 0


@pytest.mark.parametrize("error", [RuntimeError("mine"), ZeroDivisionError(), KeyboardInterrupt(), SystemExit(3)])
def test_an_exception_of_the_hosts_own_code_passes_through(error: BaseException) -> None:
    with pytest.raises(type(error)) as raised:
        ackguard.classify(Broken(error))
    assert raised.value is error
    nested = {"code": 4018, "message": "m", "details": Broken(error)}
    ack = ackguard.classify(nested)
    assert ack.kind == "error"
    with pytest.raises(type(error)) as raised:
        _ = ack.error
    assert raised.value is error
    with pytest.raises(type(error)):
        ackguard.scrub_details({"x": [Broken(error)]})


def test_a_missing_key_is_absent() -> None:
    assert ackguard.classify(Broken(KeyError("no"))).kind == "data"


class Keys(enum.IntEnum):
    ROOM_FULL = 4101


class Answer(NamedTuple):
    ok: bool
    message: str | None


class Text(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared")

    __hash__ = str.__hash__


class Number(int):
    def __index__(self) -> int:
        raise AssertionError("asked")

    __int__ = __index__
    __rshift__ = None  # type: ignore[assignment]


def test_subclasses_are_what_they_derive_from() -> None:
    assert ackguard.classify({"code": Keys.ROOM_FULL, "message": "m"}).kind == "error"
    assert ackguard.classify({"code": Number(4101), "message": Text("m")}).kind == "error"
    assert ackguard.classify({"code": Number(2**70), "message": "m"}).kind == "data"
    assert ackguard.classify({"code": True, "message": "m"}).kind == "data"
    assert ackguard.classify(collections.OrderedDict(ERROR)).kind == "error"
    assert ackguard.classify(collections.defaultdict(list, ERROR)).kind == "error"
    assert ackguard.classify(collections.ChainMap(ERROR)).kind == "error"
    assert ackguard.classify(collections.UserDict(ERROR)).kind == "error"
    assert ackguard.classify(collections.deque([False, "no"])).kind == "event_result"
    assert ackguard.classify(Answer(True, None)).kind == "event_result"

    class Loud(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            raise AssertionError(key)

        __iter__ = keys = items = get = None  # type: ignore[assignment]

    ack = everything(Loud(ERROR, details=Loud(name="x")))
    assert ack.kind == "error"
    assert ack.error is not None
    assert ack.error.details == {"name": "x"}


def test_a_float_code_is_seen_as_one() -> None:
    ack = ackguard.classify({"code": 4014.0, "message": "m", "mcp_server": "x"})
    assert (ack.kind, ack.violations) == ("error", ["code_float"])
    for wild in (math.nan, math.inf, -math.inf, 1e300, -0.0):
        assert ackguard.classify({"code": wild, "message": "m"}).kind == "data"


@dataclasses.dataclass
class Room:
    code: int
    message: str
    details: dict[str, Any] | None = None
    req_id: str | None = None
    seen: int = dataclasses.field(default=0, repr=False)


class Result(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")

    meta: dict[str, Any] | None = pydantic.Field(default=None, alias="_meta")
    content: list[dict[str, Any]] = []
    isError: bool = False


class Wrapped(pydantic.RootModel[dict[str, Any]]):
    pass


def test_dataclasses_and_models_are_read_by_their_wire_names() -> None:
    ack = everything(Room(404, "m"))
    assert (ack.kind, ack.violations) == ("error", [])
    assert ack.error is not None
    assert ack.error.extra == {"seen": 0}
    result = everything(Result(_meta={"a2c_timeout": True}, isError=True))
    assert result.tool_result is not None
    assert result.tool_result.outcome == "timed_out"
    extra = everything(Result.model_validate({"isError": True, "meta": {"a2c_cancelled": True}}))
    assert extra.tool_result is not None
    assert extra.tool_result.outcome == "cancelled"
    assert ackguard.classify(Wrapped(ERROR)).kind == "error"
    assert ackguard.classify(Room).kind == "data"
    assert ackguard.classify(Result).kind == "data"
    guarded = ackguard.guard_tool_result(Result(_meta={"a2c_timeout": True, "kept": 1}))
    assert guarded.value["_meta"] == {"kept": 1}


@pytest.mark.parametrize(
    "odd",
    [
        b"bytes",
        bytearray(b"x"),
        memoryview(b"x"),
        object(),
        {1, 2},
        range(3),
        1j,
        lambda: None,
        type,
        NotImplemented,
        ...,
    ],
)
def test_odd_values_are_data(odd: object) -> None:
    assert ackguard.classify(odd).kind == "data"
    assert everything({"code": odd, "message": odd, "content": odd, "isError": 1}).kind == "tool_result"
    assert everything({"code": 500, "message": odd, "details": odd, "x": odd}).kind == "error"
    ackguard.scrub_auth_hint({"x": odd})


def test_lone_surrogates_and_keys_that_are_no_text() -> None:
    ack = everything({"code": 500, "message": "a\ud800b", "\udfff": 1, 2: "two", None: 0, (1,): 2, True: "yes"})
    assert ack.error is not None
    assert ack.error.message == "a\ufffdb"
    assert ack.error.extra == {"\ufffd": 1, "2": "two", "null": 0, "true": "yes"}
    assert ackguard.classify_json('{"code": 500, "message": "\ud800"}').kind == "invalid"
    with pytest.raises(ackguard.SkillNameError) as raised:
        ackguard.parse_skill_name("ab\ud800")
    assert (raised.value.reason, raised.value.span) == ("bad_char", (2, 3))


def test_a_key_with_a_broken_comparison() -> None:
    class Evil:
        def __hash__(self) -> int:
            return hash("code")

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("compared")

    with pytest.raises(RuntimeError, match="compared"):
        ackguard.classify({Evil(): 1, "message": "m"})


def test_cycles_and_depth() -> None:
    loop: dict[str, Any] = {"code": 500, "message": "m"}
    loop.update(details=loop, a=[loop], b=[loop, loop])
    ack = everything(loop)
    assert "too_deep" in ack.violations
    assert ack.error is not None
    items: list[Any] = []
    items += [items, items]
    assert ackguard.classify(items).kind == "data"
    assert everything({"code": 500, "message": "m", "details": {"x": items}}).kind == "error"
    ackguard.scrub_auth_hint(items)
    deep: Any = "end"
    for level in range(100_000):
        deep = {"x": deep} if level % 2 else [deep]
    ack = everything({"code": 500, "message": "m", "details": {"deep": deep}})
    assert "too_deep" in ack.violations
    ackguard.scrub_auth_hint(deep)
    ackguard.guard_tool_result({"content": deep})
    while isinstance(deep, list | dict):
        deep = deep[0] if isinstance(deep, list) else deep["x"]


def test_parts_that_are_shared_a_billion_times() -> None:
    shared: list[Any] = ["x"]
    for _ in range(40):
        shared = [shared, shared]
    assert everything({"code": 500, "message": "m", "details": {"x": shared}}).kind == "error"


def test_a_dict_that_changes_while_it_is_read() -> None:
    payload: dict[str, Any] = {"code": 500, "message": "m"}

    class Meddler(Mapping[str, Any]):
        def __getitem__(self, key: str) -> Any:
            payload[f"more-{len(payload)}"] = 1
            payload.pop("message", None)
            raise KeyError(key)

        def __iter__(self) -> Iterator[str]:
            payload.clear()
            return iter(["a", "b"])

        def __len__(self) -> int:
            return 2

    payload["details"] = Meddler()
    payload["z"] = Meddler()
    assert everything(payload).kind == "error"


def test_a_sequence_without_end_is_not_walked() -> None:
    class Endless(Sequence[Any]):
        def __getitem__(self, index: Any) -> Any:
            return True

        def __len__(self) -> int:
            return 2**40

    assert ackguard.classify(Endless()).kind == "event_result"


def test_host_values_survive() -> None:
    big, marker = 10**400, object()
    details = {"n": big, "o": marker, "t": (1, 2), "s": "x"}
    error = ackguard.classify({"code": 500, "message": "m", "details": details, "more": big}).error
    assert error is not None
    assert error.details == {"n": big, "o": marker, "t": [1, 2], "s": "x"}
    assert error.details is not details
    assert error.extra == {"more": big}
    assert error.to_dict()["details"]["n"] == big
    text = ackguard.classify_json(f'{{"code": 500, "message": "m", "details": {{"n": {big}}}}}').error
    assert text is not None
    assert text.details == {"n": big}


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ackguard.classify_json(1), "text"),  # type: ignore[arg-type]
        (lambda: ackguard.classify({}, dialect=2), "dialect"),  # type: ignore[arg-type]
        (lambda: ackguard.classify_ack_args({}), "args"),  # type: ignore[arg-type]
        (lambda: ackguard.parse_skill_name(b"x"), "name"),  # type: ignore[arg-type]
        (lambda: ackguard.user_skill_name(None), "skill"),  # type: ignore[arg-type]
        (lambda: ackguard.check_rel_path(1), "rel_path"),  # type: ignore[arg-type]
        (lambda: ackguard.check_rel_path("x", forbid="x"), "forbid"),
        (lambda: ackguard.check_rel_path("x", forbid=[1]), "forbid"),  # type: ignore[list-item]
        (lambda: ackguard.SkillRoot(3), "path"),  # type: ignore[arg-type]
        (lambda: ackguard.check_blob_range("0", 1), "chunk_offset"),  # type: ignore[arg-type]
        (lambda: ackguard.check_blob_range(0, True), "total_size"),
        (lambda: ackguard.decide_authorization(http_status="401"), "http_status"),  # type: ignore[arg-type]
        (lambda: ackguard.decide_authorization(event=1), "event"),  # type: ignore[arg-type]
        (lambda: ackguard.ErrorPayload("1", "m"), "code"),  # type: ignore[arg-type]
        (lambda: ackguard.ErrorPayload(True, "m"), "code"),
        (lambda: ackguard.ErrorPayload(1, 2), "message"),  # type: ignore[arg-type]
        (lambda: ackguard.ErrorPayload(4014, "m", server=1), "server"),
        (lambda: ackguard.ProtocolVersion(2), "version"),  # type: ignore[arg-type]
        (lambda: ackguard.check_handshake(1, "0.2.0"), "query"),  # type: ignore[arg-type]
        (lambda: ackguard.parse_handshake_failure(400, 1, b""), "headers"),  # type: ignore[arg-type]
        (lambda: ackguard.parse_handshake_exception("x"), "exc"),  # type: ignore[arg-type]
        (lambda: ackguard.classify_ws_close("4900"), "code"),  # type: ignore[arg-type]
        (lambda: ackguard.code_info("4014"), "code"),  # type: ignore[arg-type]
        (lambda: ackguard.ErrorPayload(404, "m", details=5), "details"),
        (lambda: ackguard.Tally().merge(5), "other"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_type_is_a_type_error_that_names_the_argument(call: Any, argument: str) -> None:
    with pytest.raises(TypeError, match=f"'{argument}'"):
        call()


# A right value for each name of an argument, where a function needs one to come to the next.
RIGHT: dict[str, Any] = {
    "path": ".",
    "text": "{}",
    "headers": {},
    "body": b"",
    "status": 400,
    "server_version": "0.2.0",
    "payload": ackguard.ErrorPayload(404, "m"),
    "exc": ValueError(),
    "error": acp.AcpClientError("m"),
    "version": "0.2.0",
    "state": "ready",
    "findings": [],
    "args": [],
    "ok": True,
    "code": 4006,
    "env": {},
    "id": 1,
    "chunk_offset": 0,
    "total_size": 1,
    "offset": 0,
    "total": 1,
    "wanted": 1,
    "cap": 1,
}
# These take any value there is, or make one of theirs of it.
ANYTHING = {"value", "result", "body", "hint", "auth_hint", "response", "io_error", "data", "random", "cause", "clock"}
# Enums, records of this package's own making, and the base of all exceptions, which takes whatever an exception takes.
PLAIN = (ackguard.ErrorCode, ackguard.AckguardError, acp.AcpErrorCode, acp.LastError, acp.RetryAdvice)
# What an exception that somebody makes for himself does look at.
HELD = {"payload", "violations", "details", "options"}


def test_every_argument_of_every_function_is_named_by_its_type_error() -> None:
    odd, asked = object(), 0
    functions = [getattr(module, name) for module in (ackguard, acp) for name in module.__all__]
    for function in functions:
        if not callable(function) or function in PLAIN:
            continue
        is_exception = isinstance(function, type) and issubclass(function, BaseException)
        parameters = [it for it in inspect.signature(function).parameters.values() if it.kind is not it.VAR_KEYWORD]
        for wrong in parameters:
            if wrong.name in ANYTHING or (is_exception and wrong.name not in HELD):
                continue
            # These two say no to whatever is no error of an ACP client.
            if function in (acp.reclassify_handshake, acp.is_handshake_failure) and wrong.name == "error":
                continue
            given = {it.name: RIGHT.get(it.name, "x") for it in parameters if it.default is it.empty}
            with pytest.raises(TypeError, match=f"'{wrong.name}'"):
                function(**{**given, wrong.name: odd})
            asked += 1
    assert asked > 80


def test_a_bool_is_no_number_of_seconds() -> None:
    error = acp.AcpClientError("m")
    for call in (
        lambda: ackguard.backoff(cap=True),
        lambda: acp.classify_failure(timeout=False),
        lambda: acp.ErrorLedger().record("docs", error, True),
    ):
        with pytest.raises(TypeError, match=r"'(cap|timeout|now)'"):
            call()
    assert acp.ErrorLedger().record("docs", error, 1)


def test_a_wrong_word_is_a_value_error_that_names_the_argument() -> None:
    for call in (
        lambda: ackguard.classify({}, dialect="0.1"),
        lambda: ackguard.decide_authorization(event="lost"),
        lambda: ackguard.decide_authorization(credential="no"),
        lambda: ackguard.auth_error_result("x", 4003),
        lambda: ackguard.backoff(-1),
        lambda: ackguard.backoff(cap=math.nan),
    ):
        with pytest.raises(ValueError, match=r"'(dialect|event|credential|code|max_retries|cap)'"):
            call()


def test_a_panic_is_an_internal_error() -> None:
    from ackguard import _native

    with pytest.raises(ackguard.InternalError, match="on purpose"):
        _native._panic()
    with pytest.raises(ackguard.AckguardError):
        _native._panic()


class Renamed(dict[str, Any]):
    """A dict with code of its own where a copy might run it."""

    def keys(self) -> Any:
        raise AssertionError("asked for its keys")

    def copy(self) -> Any:
        raise AssertionError("copied")


def test_a_clean_dict_comes_back_as_another_one() -> None:
    inner = {"page": "https://example.com/login"}
    hint = {"message": "sign in", "more": inner, "list": [1, {"a": None}]}
    clean = ackguard.scrub_auth_hint(hint).value
    assert clean == hint
    assert list(clean) == list(hint)
    clean["more"]["page"] = clean["list"][1]["a"] = clean["message"] = "changed"
    assert (inner["page"], hint["message"], hint["list"]) == ("https://example.com/login", "sign in", [1, {"a": None}])


@pytest.mark.parametrize(
    ("hint", "clean"),
    [
        ({"a": "x", "token": "t-1234567890abcdef", "b": 1}, {"a": "x", "b": 1}),
        ({"a": "token=abc123def456", "b": "x"}, {"a": "token=[redacted]", "b": "x"}),
        ({"a": {"token": "t", "b": [1]}, "c": "x"}, {"a": {"b": [1]}, "c": "x"}),
        ({1: "x", None: "y", "b": "z"}, {"1": "x", "null": "y", "b": "z"}),
        ({("a",): "x", "b": "z"}, {"b": "z"}),
        ({"a\ud800": "x"}, {"a\ufffd": "x"}),
        (Renamed(a="x"), {"a": "x"}),
        ({"a": Renamed(b="x")}, {"a": {"b": "x"}}),
    ],
)
def test_what_a_dict_becomes(hint: dict[Any, Any], clean: dict[str, Any]) -> None:
    value = ackguard.scrub_auth_hint(hint).value
    assert value == clean
    assert type(value) is dict
    assert all(type(key) is str for key in value)


def test_a_dict_that_is_changed_while_it_is_walked_brings_no_secret_in() -> None:
    class Meddler(Mapping[str, Any]):
        def __init__(self, meddle: Callable[[], object]) -> None:
            self.meddle = meddle

        def __getitem__(self, key: str) -> str:
            return "x"

        def __len__(self) -> int:
            return 1

        def __iter__(self) -> Iterator[str]:
            self.meddle()
            yield "name"

    secret = "token=abc123def456ghi"

    def rename(hint: dict[Any, Any]) -> None:
        hint[secret] = hint.pop("a")

    changes: list[Callable[[dict[Any, Any]], object]] = [
        lambda hint: hint.update(a=secret),
        rename,
        lambda hint: hint.update({secret: "x"}),
        lambda hint: hint.clear(),
    ]
    for change in changes:
        hint: dict[Any, Any] = {"a": "harmless"}
        hint["meddler"] = Meddler(partial(change, hint))
        hint["last"] = "harmless too"
        assert "abc123" not in str(ackguard.scrub_auth_hint(hint).value)
