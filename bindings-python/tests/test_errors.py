"""The exceptions: caught, copied, pickled, shown."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import ackguard
import pytest
from ackguard import acp

SECRET = "zzSECRETzz"


def skill_name() -> None:
    ackguard.parse_skill_name("技能:Bad")


def resource() -> None:
    ackguard.check_rel_path("../x")


def blob() -> None:
    ackguard.check_blob_range(2, 1)


def version() -> None:
    ackguard.ProtocolVersion("0.02.0")


def protocol() -> None:
    ackguard.raise_for_error(
        {"code": 4017, "message": SECRET, "details": {"reason": "too_large", "total_size": 2**70, "password": SECRET}}
    )


def mismatch() -> None:
    ackguard.raise_for_error({"code": 4008, "message": SECRET, "server_version": "0.4.0", "client_version": "0.2.0"})


def malformed() -> None:
    ackguard.raise_for_error({"error": {"code": 4014, "message": SECRET}})


def panic() -> None:
    from ackguard import _native

    _native._panic()


RAISERS = [skill_name, resource, blob, version, protocol, mismatch, malformed, panic]


def caught(call: Callable[[], None]) -> ackguard.AckguardError:
    """What a call raises, with a cause and an attribute of the caller's own."""
    with pytest.raises(ackguard.AckguardError) as raised:
        call()
    error = raised.value
    error.__cause__ = OSError(5, "cause")
    error.extra_attribute = ["kept"]  # type: ignore[attr-defined]
    return error


@pytest.mark.parametrize("call", RAISERS)
def test_each_survives_copying_and_pickling(call: Callable[[], None]) -> None:
    error = caught(call)
    copies = [copy.copy(error), copy.deepcopy(error)]
    copies += [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for twin in copies:
        assert type(twin) is type(error)
        assert twin is not error
        assert (str(twin), repr(twin)) == (str(error), repr(error))
        assert twin.__dict__.keys() == error.__dict__.keys()
        for name, value in error.__dict__.items():
            assert getattr(twin, name) == value
        assert isinstance(twin.__cause__, OSError)
        assert twin.__cause__.errno == 5
        assert twin.__suppress_context__ is True
        assert twin.to_payload() == error.to_payload()
        assert twin.code == error.code


class NotMadeAgain(Exception):
    """As httpx's `HTTPStatusError`: `args` are not what its `__init__` takes."""

    def __init__(self, message: str, *, request: object) -> None:
        super().__init__(message)
        self.request = request


@pytest.mark.parametrize("cause", [NotMadeAgain("m", request=1), ValueError(threading.Lock()), OSError(5, "kept")])
@pytest.mark.parametrize("call", RAISERS)
def test_a_cause_that_is_not_pickled_takes_nobody_with_it(call: Callable[[], None], cause: Exception) -> None:
    first, error = caught(call), caught(call)
    first.__cause__, error.__cause__ = cause, first
    kept = isinstance(cause, OSError)
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert isinstance(twin.__cause__, type(first))
    assert type(twin.__cause__.__cause__) is (OSError if kept else type(None))
    assert copy.copy(error).__cause__ is first
    deep = copy.deepcopy(error).__cause__
    assert deep is not first
    assert deep is not None
    assert type(deep.__cause__) is type(cause)
    assert (deep.__cause__ is cause) is not kept
    agents = acp.AcpClientError("m", code=acp.AcpErrorCode.SERVER_BUSY, cause=cause)
    twin = pickle.loads(pickle.dumps(agents))
    assert twin.code is acp.AcpErrorCode.SERVER_BUSY
    assert (twin.cause is not None) is kept


def test_a_copy_of_what_goes_round() -> None:
    error = caught(protocol)
    error.around = [error]  # type: ignore[attr-defined]
    twins: list[Any] = [copy.deepcopy(error), pickle.loads(pickle.dumps(error))]
    for twin in twins:
        assert twin is not error
        assert twin.around[0] is twin
    # What cannot be copied and is no exception is told, as by the standard library.
    error.lock = threading.Lock()  # type: ignore[attr-defined]
    for doing in (copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot pickle"):
            doing(error)


def test_violations_are_texts() -> None:
    assert ackguard.MalformedErrorPayload(violations=("a", "b")).violations == ["a", "b"]
    for wrong in ("abc", 5, [1], [b"a"], ["a", None]):
        with pytest.raises(TypeError, match="argument 'violations': expected"):
            ackguard.MalformedErrorPayload(violations=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", RAISERS)
def test_each_has_a_code_and_a_payload(call: Callable[[], None]) -> None:
    error = caught(call)
    assert error.to_payload().code == error.code
    assert json.loads(error.to_payload().to_json())["code"] == error.code
    shown = "".join(traceback.format_exception(error)) + repr(error) + str(error)
    assert SECRET not in shown
    assert str(error)


def test_the_hierarchy() -> None:
    assert issubclass(ackguard.SkillNameError, ValueError)
    assert issubclass(ackguard.VersionMismatch, ackguard.ProtocolError)
    for name in ("SkillNameError", "SkillResourceError", "BlobError", "ProtocolError", "MalformedErrorPayload"):
        assert issubclass(getattr(ackguard, name), ackguard.AckguardError)
    with pytest.raises(ValueError, match="SKILL name"):
        ackguard.parse_skill_name("")


def test_the_attributes() -> None:
    name = caught(skill_name)
    assert isinstance(name, ackguard.SkillNameError)
    assert (name.code, name.reason, name.segment, name.span) == (4016, "bad_char", 0, (0, 1))
    assert name.name == "技能:Bad"
    assert name.to_payload().details == {"name": "技能:Bad"}
    path = caught(resource)
    assert isinstance(path, ackguard.SkillResourceError)
    assert (path.code, path.reason, path.rel_path, path.total_size) == (4017, "traversal", "../x", None)
    peers = caught(protocol)
    assert isinstance(peers, ackguard.ProtocolError)
    assert (peers.code, peers.reason) == (4017, "too_large")
    assert peers.payload.details is not None
    assert peers.payload.details["total_size"] == 2**70
    versions = caught(mismatch)
    assert isinstance(versions, ackguard.VersionMismatch)
    assert (versions.server_version, versions.client_version, versions.min_supported) == ("0.4.0", "0.2.0", None)
    wrong = caught(malformed)
    assert isinstance(wrong, ackguard.MalformedErrorPayload)
    assert wrong.violations == ["nested_envelope"]
    assert (wrong.code, str(wrong)) == (500, "malformed error payload: nested_envelope")
    assert wrong.to_payload() == {"code": 500, "message": str(wrong)}


def test_raise_for_error_lets_everything_else_pass() -> None:
    values: list[object] = [None, {}, [], {"tools": []}, [False, "no"], {"content": [], "isError": True}, "text"]
    for value in values:
        ackguard.raise_for_error(value)
    with pytest.raises(ackguard.ProtocolError):
        ackguard.raise_for_error(ackguard.classify({"code": 4101, "message": "m"}))


def test_an_error_payload_built_written_and_read() -> None:
    error = ackguard.ErrorPayload(4014, "m", server="docs", trace_id="t", details={"n": 2**70}, more=[1], none=None)
    assert error.to_dict() == {
        "code": 4014,
        "message": "m",
        "mcp_server_name": "docs",
        "more": [1],
        "details": {"n": 2**70, "trace_id": "t"},
    }
    assert error.to_dict("0.3")["mcp_server"] == "docs"
    assert list(error) == ["code", "message", "mcp_server_name", "more", "details"]
    assert dict(error) == error.to_dict()
    assert error == error.to_dict()
    assert error != ackguard.ErrorPayload(4014, "m")
    assert ackguard.classify(error).error == error
    assert (error.name, error.known, error.server, error.trace_id) == ("MCP_SERVER_NOT_FOUND", True, "docs", "t")
    with pytest.raises(KeyError):
        error["nothing"]
    assert ackguard.ErrorPayload(4017, "m", reason="gone", rel_path="x").details == {"reason": "gone", "rel_path": "x"}
    wrong: tuple[dict[str, Any], ...] = ({"trace_id": 5}, {"computer_name": []})
    for fields in wrong:
        with pytest.raises(TypeError):
            ackguard.ErrorPayload(404, "m", **fields)
    for size in (-1, 2.5, "5", True):
        with pytest.raises((TypeError, ValueError), match="total_size"):
            ackguard.ErrorPayload(4017, "m", reason="too_large", total_size=size)
    assert ackguard.ErrorPayload(4017, "m", reason="too_large", total_size=2**64 - 1).total_size == 2**64 - 1
    assert ackguard.ErrorPayload(404, "m", details={"trace_id": 5}).trace_id is None
    for twin in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert twin == error
        assert twin.details is not error.details


@pytest.mark.parametrize(
    ("came", "written"),
    [
        ({"code": 4015, "message": "m", "mcp_server": None, "capability": None}, {"code": 4015, "message": "m"}),
        ({"code": 4008, "message": "m", "server_version": None}, {"code": 4008, "message": "m"}),
        ({"code": 404, "message": None, "details": None}, {"code": 404, "message": "Not Found"}),
        # Of another type it stays as it came, and what is the peer's own stays in any case.
        ({"code": 4015, "message": "m", "capability": 7},) * 2,
        ({"code": 404, "message": "m", "capability": None},) * 2,
        ({"code": 4014, "message": "m", "server": None},) * 2,
        ({"code": 404, "message": "m", "details": {"x": None}},) * 2,
    ],
)
def test_what_is_null_is_not_written_again(came: dict[str, Any], written: dict[str, Any]) -> None:
    for ack in (ackguard.classify(came), ackguard.classify_json(json.dumps(came))):
        error = ack.error
        assert error is not None
        assert error.to_dict() == json.loads(error.to_json()) == dict(error) == written
        assert ("capability" in error.extra) == ("capability" in came)
        assert "details.raw" not in error.log_fields()


def test_small_values_compare_hash_copy_and_pickle() -> None:
    advice = ackguard.retry_advice(4018, "gone")
    finding = ackguard.Finding("/a", "access_credential", "removed")
    version = ackguard.ProtocolVersion("0.2.0")
    name = ackguard.parse_skill_name("mcp:Srv:audit")
    info = ackguard.code_info(4014)
    assert info is not None
    values: list[object] = [advice, finding, version, name, info]
    for value in values:
        for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert twin == value
            assert hash(twin) == hash(value)
            assert repr(twin) == repr(value)
    assert str(name) == "mcp:Srv:audit"
    assert {name: 1}["mcp:Srv:audit"] == 1  # type: ignore[index]
    assert sorted([name, ackguard.parse_skill_name("audit")])[0].raw == "audit"
    assert ackguard.ProtocolVersion("0.2.0") < ackguard.ProtocolVersion("0.10.0")
    assert advice != ackguard.retry_advice(400)


def test_the_handshake_is_found_wherever_a_client_library_left_it() -> None:
    body = {"code": 4008, "message": "m", "server_version": "0.4.0", "client_version": "0.2.0"}
    for error in (
        OSError(json.dumps(body)),
        OSError("x", body),
        OSError(repr(body)),
        ValueError(json.dumps(body).encode()),
    ):
        outer = ConnectionError("One or more namespaces failed to connect")
        outer.__cause__ = error
        error.__context__ = outer  # a circle
        found = ackguard.parse_handshake_exception(outer)
        assert isinstance(found, ackguard.VersionMismatch)
        assert found.server_version == "0.4.0"

    class Response:
        status_code = 400
        headers = {"X-A2C-Error-Code": "4008"}  # noqa: RUF012
        content = b""

    refused = OSError("no")
    refused.response = Response  # type: ignore[attr-defined]
    assert isinstance(ackguard.parse_handshake_exception(refused), ackguard.VersionMismatch)

    # What websocket-client raises.
    class HandshakeStatus(Exception):
        status_code = 400
        resp_headers = {"x-a2c-error-code": "4008"}  # noqa: RUF012
        resp_body = None

    assert isinstance(ackguard.parse_handshake_exception(HandshakeStatus("no")), ackguard.VersionMismatch)
    assert ackguard.parse_handshake_exception(OSError("Connection refused")) is None
    bad = ackguard.parse_handshake_exception(OSError({"code": 400, "message": "Missing a2c_version query parameter"}))
    assert isinstance(bad, ackguard.ErrorPayload)
    assert bad.code == 400


def test_nothing_that_an_exception_carries_makes_the_search_raise() -> None:
    body = json.dumps({"code": 4008, "server_version": "0.4.0"})

    class Streamed:
        """An answer whose body was not read, or was read already; false, as one of requests is."""

        status_code = 400
        headers = {"X-A2C-Error-Code": "4008"}  # noqa: RUF012

        def __bool__(self) -> bool:
            return False

        @property
        def content(self) -> bytes:
            raise RuntimeError("the content was consumed")

    class Carrier(Exception):
        pass

    class Failing(Exception):
        def __getattr__(self, name: str) -> object:
            raise RuntimeError(name)

        def __str__(self) -> str:
            raise RuntimeError

    class Broken(Mapping[str, object]):
        def __getitem__(self, key: str) -> object:
            raise RuntimeError(key)

        def __iter__(self) -> Iterator[str]:
            raise RuntimeError

        def __len__(self) -> int:
            return 1

    streamed = Carrier("no")
    streamed.response = Streamed()  # type: ignore[attr-defined]
    assert isinstance(ackguard.parse_handshake_exception(streamed), ackguard.VersionMismatch)
    for carried in (
        {"status": 400, "headers": 5},
        {"status": 400, "headers": ["x"]},
        {"status": 400, "headers": Broken()},
        {"status": 400, "headers": {}, "body": Broken()},
        {"status": True, "headers": {"X-A2C-Error-Code": "4008"}},
        {"response": 5, "exceptions": 5},
    ):
        for text, expected in ((body, "0.4.0"), ("no", None)):
            error = Carrier(text)
            for name, value in carried.items():
                setattr(error, name, value)
            found = ackguard.parse_handshake_exception(error)
            assert getattr(found, "server_version", None) == expected, carried
    for failing in (Failing(body), Carrier(Broken(), body)):
        found = ackguard.parse_handshake_exception(failing)
        assert getattr(found, "server_version", None) == "0.4.0"
    for parsed in ({"code": 4008, "server_version": "0.4.0"}, memoryview(body.encode())):
        error = Carrier("no")
        error.status, error.body = 400, parsed  # type: ignore[attr-defined]
        found = ackguard.parse_handshake_exception(error)
        assert getattr(found, "server_version", None) == "0.4.0"
    # The body is the truth, whatever the header says.
    error = Carrier("no")
    error.status, error.headers = 400, {"X-A2C-Error-Code": "4008"}  # type: ignore[attr-defined]
    error.body = b'{"code":400,"message":"m"}'  # type: ignore[attr-defined]
    assert isinstance(ackguard.parse_handshake_exception(error), ackguard.ErrorPayload)


@pytest.mark.parametrize(
    "headers",
    [
        {"x-a2c-error-code": "4008"},
        {"X-A2C-Error-Code": ["4008"]},
        {"X-A2C-Error-Code": ("400", "4008")},
        {b"x-a2c-error-code": [b"4008"]},
        [(b"x-a2c-error-code", b"4008")],
        [["Server", "nginx"], ["x-a2c-error-code", "4008"]],
        (("x-a2c-error-code", "4008"),),
        {"X-A2C-Error-Code": 4008},
    ],
)
def test_headers_in_the_shapes_that_libraries_have(headers: Any) -> None:
    assert isinstance(ackguard.parse_handshake_failure(400, headers, b""), ackguard.VersionMismatch)


@pytest.mark.parametrize("headers", [{"X-A2C-Error-Code": []}, {"X-A2C-Error-Code": [["4008"]]}, {"X": ["4008"]}, []])
def test_headers_that_say_nothing(headers: Any) -> None:
    assert ackguard.parse_handshake_failure(400, headers, b"") is None


def test_a_traceback_names_the_module_that_is_public() -> None:
    with pytest.raises(ackguard.SkillNameError) as refused:
        skill_name()
    assert traceback.format_exception_only(refused.value)[0].startswith("ackguard.SkillNameError: ")
    classes = [it for it in vars(ackguard).values() if isinstance(it, type) and issubclass(it, Exception)]
    assert len(classes) >= 9
    assert {it.__module__ for it in classes} == {"ackguard"}


def test_acp_errors_take_the_place_of_agentaos() -> None:
    cause = OSError()
    given = {"server": "s"}
    error = acp.AcpClientError("m", code=acp.AcpErrorCode.SERVER_BUSY, details=given, cause=cause)
    assert (str(error), error.code, error.details, error.cause) == ("m", "server_busy", given, cause)
    assert error.details is not given
    assert acp.AcpClientError("m").code is acp.AcpErrorCode.PROTOCOL_ERROR
    missing = acp.AcpServerNotFound("x")
    assert isinstance(missing, KeyError)
    assert str(missing) == "no ACP server named 'x'"
    assert (missing.server_name, missing.details) == ("x", {"server": "x"})
    rpc = acp.AcpRpcError(-32603, "boom", {"d": 1}, details={"a": 1})
    assert (rpc.code, rpc.rpc_code, rpc.rpc_message, rpc.data) == (-32603, -32603, "boom", {"d": 1})
    assert rpc.error_code is acp.AcpErrorCode.PROTOCOL_ERROR
    assert str(rpc) == "JSON-RPC error -32603: boom"
    old = acp.AcpRpcError(code=7, message="old")
    assert (old.code, old.rpc_message) == (7, "old")
    assert (acp.AcpRpcError().code, acp.AcpRpcError().rpc_message) == (-1, "")
    asked = acp.AcpInteractionRequiredError(server="s", method="m", prompt="p", options=[{"a": 1}], details={"x": 1})
    assert (asked.server, asked.prompt, asked.options) == ("s", "p", [{"a": 1}])
    assert asked.details == {"server": "s", "method": "m", "prompt": "p", "options": [{"a": 1}], "x": 1}
    assert not hasattr(asked, "method")
    error.code = acp.AcpErrorCode.HANDSHAKE_FAIL
    error.details = {"phase": "handshake"}
    assert acp.is_handshake_failure(error)
    for it in (error, missing, rpc, asked):
        for twin in (copy.copy(it), copy.deepcopy(it), pickle.loads(pickle.dumps(it))):
            assert type(twin) is type(it)
            assert (str(twin), twin.code, twin.details) == (str(it), it.code, it.details)
            if isinstance(it.code, acp.AcpErrorCode):
                assert twin.code is it.code
            assert twin.__dict__.keys() == it.__dict__.keys()


@pytest.mark.parametrize("said", [["a"], {"text": "a"}, 5, 1.5, True, b"a", "\ud800"])
def test_an_error_about_anything_that_an_agent_may_say(said: Any) -> None:
    # agentao passes on what the agent sent, whatever its type.
    rpc = acp.AcpRpcError(rpc_code=said, rpc_message=said)
    assert (rpc.code, rpc.rpc_message) == (said, said)
    assert rpc.error_code is acp.AcpErrorCode.PROTOCOL_ERROR
    assert str(rpc).startswith("JSON-RPC error ")
    assert acp.AcpServerNotFound(said).server_name is said
    assert acp.AcpInteractionRequiredError(server=said, method=said, prompt=said).details["server"] is said
    assert acp.ErrorLedger().record("s", rpc)


def test_the_code_from_before_is_the_member_itself() -> None:
    for code in (acp.AcpErrorCode.PROTOCOL_ERROR, acp.AcpErrorCode.REQUEST_TIMEOUT):
        error = acp.AcpClientError("m", code=code)
        for _ in range(2):
            assert acp.reclassify_handshake(error, "helper")
            assert error.details["underlying_code"] is code
        # It is text as well: in JSON, in a ledger, on the wire.
        assert json.loads(json.dumps(error.details))["underlying_code"] == code.value
        ledger = acp.ErrorLedger()
        assert ledger.record("helper", error)
        last = ledger.last_error("helper")
        assert last is not None
        assert last.details["underlying_code"] == code.value
        assert (error.to_payload().details or {})["underlying_code"] == code.value
    with pytest.raises(acp.AcpClientError) as raised:
        acp.check_session_result({})
    assert raised.value.details["underlying_code"] is acp.AcpErrorCode.PROTOCOL_ERROR
    # One that was given as text equals that text still.
    error = acp.AcpClientError("m", code="request_timeout")  # type: ignore[arg-type]
    assert acp.reclassify_handshake(error, "helper")
    assert error.details["underlying_code"] == "request_timeout"


def test_the_ledger_is_bounded_and_keeps_time() -> None:
    from datetime import datetime, timezone

    noon = datetime(2026, 1, 2, 12, tzinfo=timezone.utc)
    ledger = acp.ErrorLedger(clock=lambda: noon)
    assert ledger.record("s", acp.AcpClientError("x" * 10_000, details={"server": "s"}))
    last = ledger.last_error("s")
    assert last is not None
    assert (last.at, last.code, last.truncated) == (noon, acp.AcpErrorCode.PROTOCOL_ERROR, True)
    assert not ledger.record("s", acp.AcpServerNotFound("s"))
    assert ledger.reset("s")
    assert ledger.last_error("s") is None
    with pytest.raises(TypeError, match="'error'"):
        ledger.record("s", OSError())


def test_failures_are_named() -> None:
    named = acp.classify_failure(io_error=FileNotFoundError(2, "no"), server="s")
    assert named is not None
    assert named.code is acp.AcpErrorCode.PROCESS_START_FAIL
    broken = acp.classify_failure(io_error=BrokenPipeError())
    assert broken is not None
    assert broken.code is acp.AcpErrorCode.TRANSPORT_DISCONNECT
    late = acp.classify_failure(io_error=subprocess.TimeoutExpired(["agent"], 5))
    assert late is not None
    assert late.code is acp.AcpErrorCode.REQUEST_TIMEOUT

    class AgentMissing(FileNotFoundError):
        """A host's own."""

    for own in (AgentMissing, AgentMissing("no agent")):
        missing = acp.classify_failure(io_error=own)
        assert missing is not None
        assert missing.code is acp.AcpErrorCode.PROCESS_START_FAIL
    # True is 1 to Python, and 1 is EPERM.
    odd = acp.classify_failure(io_error=True)
    assert odd is not None
    assert odd.code is acp.AcpErrorCode.TRANSPORT_DISCONNECT
    assert acp.classify_failure({"jsonrpc": "2.0", "id": 1, "result": {}}, expected_id=1) is None
    with pytest.raises(acp.AcpClientError) as raised:
        acp.parse_config('{"servers": {"a": {"command": ""}}}', {})
    assert raised.value.code is acp.AcpErrorCode.CONFIG_INVALID
    assert raised.value.details["server"] == "a"


def test_what_an_acp_error_says_on_the_wire() -> None:
    details = {"server": "helper", "stderr": "no such file", "env": {"API_KEY": SECRET}, 7: None}
    error = acp.AcpClientError(f"password={SECRET}", code=acp.AcpErrorCode.PROCESS_START_FAIL, details=details)  # type: ignore[arg-type]
    wire = error.to_payload().to_dict()
    assert wire["code"] == 500
    assert wire["details"]["error_code"] == "process_start_fail"
    assert wire["details"]["server"] == "helper"
    assert "stderr" not in wire["details"]
    assert SECRET not in json.dumps(wire)
    assert error.details["stderr"] == "no such file"
    rpc = acp.AcpRpcError(-32000, "log in").to_payload()
    assert rpc.details == {"error_code": "protocol_error", "rpc_code": -32000}
    error.code = "something else"
    assert error.to_payload().details == {**wire["details"], "error_code": "protocol_error"}
