"""The drop-in for a2c-smcp: five real faults, without it and with it, and that it can be taken out again."""

from __future__ import annotations

import asyncio
import pickle
import sys
import threading
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import ackguard
import httpx
import pytest
from a2c_smcp import smcp
from a2c_smcp.agent import AsyncSMCPAgentClient, SMCPAgentClient, SMCPProtocolError
from a2c_smcp.agent import errors as agent_errors
from a2c_smcp.agent.auth import DefaultAgentAuthProvider
from a2c_smcp.computer.mcp_clients import auth_error
from a2c_smcp.computer.skills import naming, resource, sandbox
from a2c_smcp.exceptions import ProtocolVersionError
from a2c_smcp.server import middleware
from a2c_smcp.utils import blob, bundle_id, handshake
from a2c_smcp.version import ProtocolVersion
from ackguard.compat import a2c_smcp as compat
from mcp.client.auth import OAuthRegistrationError, OAuthTokenError
from pydantic import TypeAdapter


def package(root: Path) -> Path:
    root.mkdir(exist_ok=True)
    (root / "SKILL.md").write_text("# here\n")
    (root / "docs").mkdir()
    (root / "docs" / "a.txt").write_text("a")
    return root


def asynchronous(answer: Any) -> AsyncSMCPAgentClient:
    client = AsyncSMCPAgentClient(DefaultAgentAuthProvider(agent_id="a", office_id="o"))
    client.call = AsyncMock(return_value=answer)  # type: ignore[method-assign]
    return client


def synchronous(answer: Any) -> SMCPAgentClient:
    client = SMCPAgentClient(DefaultAgentAuthProvider(agent_id="a", office_id="o"))
    client.call = Mock(return_value=answer)  # type: ignore[method-assign]
    return client


# --- fault 1: a name that ends in a newline ---------------------------------------------------------------------

NEWLINES = ["audit\n", "plugin\n:audit", "plugin:audit\n", "mcp:Docs\n:audit", "mcp:Docs:audit\n"]


@pytest.mark.parametrize("name", NEWLINES)
def test_newline_without(name: str) -> None:
    assert naming.parse_skill_name(name).raw == name
    assert naming.is_valid_skill_name(name)


@pytest.mark.parametrize("name", NEWLINES)
def test_newline_with(name: str) -> None:
    compat.install()
    with pytest.raises(naming.SkillNameError) as refused:
        naming.parse_skill_name(name)
    assert refused.value.name == name
    assert refused.value.reason
    assert not naming.is_valid_skill_name(name)


def test_newline_in_what_names_are_made_of() -> None:
    assert naming.synthesize_user_name("audit\n") == "audit\n"
    assert bundle_id.is_valid_bundle_id("docs\n")
    assert bundle_id.validate_explicit_bundle_id("docs\n") == "docs\n"
    compat.install()
    for make, segments in (
        (naming.synthesize_user_name, ("audit\n",)),
        (naming.synthesize_marketplace_name, ("plugin", "audit\n")),
        (naming.synthesize_mcp_name, ("docs\n", "audit")),
    ):
        with pytest.raises(naming.SkillNameError):
            make(*segments)
    assert not bundle_id.is_valid_bundle_id("docs\n")
    with pytest.raises(ValueError, match="bundle_id"):
        bundle_id.validate_explicit_bundle_id("docs\n")


# --- fault 2: a NUL in rel_path ---------------------------------------------------------------------------------


def test_nul_without(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="null byte"):
        sandbox.resolve_skill_resource(package(tmp_path), "a\0b")


@pytest.mark.parametrize("rel_path", ["a\0b", "\0", "SKILL.md\0.txt", ".skillenv\0"])
def test_nul_with(tmp_path: Path, rel_path: str) -> None:
    compat.install()
    with pytest.raises(sandbox.SkillSandboxError) as refused:
        sandbox.resolve_skill_resource(package(tmp_path), rel_path)
    assert (refused.value.reason, refused.value.rel_path) == ("traversal", rel_path)


# --- fault 3: `code` as a list ----------------------------------------------------------------------------------


def test_list_as_code_without() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        smcp.is_protocol_error_payload({"code": [4014], "message": "no"})


@pytest.mark.parametrize("code", [[4014], {"a": 1}, [], set()])
def test_list_as_code_with(code: object) -> None:
    compat.install()
    assert smcp.is_protocol_error_payload({"code": code, "message": "no"}) is False
    agent_errors.raise_for_error_payload({"code": code, "message": "no"})


# --- fault 4: 400, 401 and 4101 are swallowed -------------------------------------------------------------------


@pytest.mark.parametrize("code", [400, 401, 403, 408, 500, 4001, 4101, 4104])
def test_swallowed_codes(code: int) -> None:
    ack = {"code": code, "message": "refused", "details": {"trace_id": "t"}}
    assert not smcp.is_protocol_error_payload(ack)
    agent_errors.raise_for_error_payload(ack)
    compat.install()
    assert smcp.is_protocol_error_payload(ack)
    with pytest.raises(SMCPProtocolError) as raised:
        agent_errors.raise_for_error_payload(ack)
    assert (raised.value.code, raised.value.error_message) == (code, "refused")
    assert raised.value.details == {"trace_id": "t"}
    assert raised.value.payload is ack
    assert str(raised.value) == f"[{code}] refused"


# --- fault 5: get_config answers an error with an empty list ----------------------------------------------------

NOT_FOUND = {"code": 404, "message": "Computer with name 'c' not found", "details": {"computer_name": "c"}}


def test_get_config_without() -> None:
    assert asyncio.run(asynchronous(NOT_FOUND).get_config_from_computer("c")) == {"servers": {}}
    assert synchronous(NOT_FOUND).get_config_from_computer("c") == {"servers": {}}


@pytest.mark.parametrize("ack", [NOT_FOUND, {"code": 401, "message": "token expired"}])
def test_get_config_with(ack: dict[str, Any]) -> None:
    compat.install()
    client = asynchronous(ack)
    with pytest.raises(SMCPProtocolError) as raised:
        asyncio.run(client.get_config_from_computer("c"))
    assert raised.value.code == ack["code"]
    with pytest.raises(SMCPProtocolError) as raised:
        synchronous(ack).get_config_from_computer("c", timeout=3)
    assert raised.value.code == ack["code"]


def test_get_config_of_a_success() -> None:
    ack = {"servers": {"docs": {"type": "stdio"}}, "inputs": []}
    compat.install()
    client = asynchronous(ack)
    assert asyncio.run(client.get_config_from_computer("c", timeout=7)) == ack
    # The client's own `call` was used, with what the method passes on.
    assert client.call.await_args.kwargs["timeout"] == 7  # type: ignore[attr-defined]
    assert synchronous(ack).get_config_from_computer("c") == ack


@pytest.mark.parametrize("method", ["get_tools_from_computer", "get_desktop_from_computer", "get_computers_in_office"])
def test_the_other_answers_that_nobody_checked(method: str) -> None:
    with pytest.raises(ValueError, match="req_id"):
        getattr(synchronous(NOT_FOUND), method)("c")
    compat.install()
    with pytest.raises(SMCPProtocolError):
        getattr(synchronous(NOT_FOUND), method)("c")
    with pytest.raises(SMCPProtocolError):
        asyncio.run(getattr(asynchronous(NOT_FOUND), method)("c"))


# --- errors whose fields are bad are errors all the same --------------------------------------------------------


@pytest.mark.parametrize("details", ["a text", ["a"], 7, {"reason": 5}])
def test_bad_details_do_not_break_raising(details: object) -> None:
    ack = {"code": 4017, "message": "no", "details": details}
    compat.install()
    with pytest.raises(SMCPProtocolError) as raised:
        agent_errors.raise_for_error_payload(ack)
    assert raised.value.code == 4017
    assert raised.value.reason is None
    with pytest.raises(blob.BlobTransferError) as transfer:
        blob._raise_for_blob_error({"code": 4018, "message": "no", "details": details})
    assert transfer.value.reason == "invalid_handle"


def test_either_key_names_the_server() -> None:
    compat.install()
    for key in ("mcp_server", "mcp_server_name"):
        with pytest.raises(SMCPProtocolError) as raised:
            agent_errors.raise_for_error_payload(
                {"code": 4015, "message": "no", key: "docs", "capability": "resources"}
            )
        assert (raised.value.mcp_server, raised.value.capability) == ("docs", "resources")


def test_blob_errors_keep_their_reasons() -> None:
    compat.install()
    with pytest.raises(blob.BlobTransferError) as transfer:
        blob._raise_for_blob_error({"code": 4018, "message": "m", "details": {"reason": "gone"}})
    assert (transfer.value.reason, str(transfer.value)) == ("gone", "m")
    with pytest.raises(blob.BlobUploadError) as upload:
        blob._raise_for_put_blob_error({"code": 4019, "message": "m", "details": {"reason": "busy"}})
    assert upload.value.reason == "busy"
    with pytest.raises(blob.BlobTransferError, match="m"):
        blob._raise_for_blob_error({"code": 403, "message": "m"})
    blob._raise_for_blob_error({"blob": "", "eof": True})


def test_successes_stay_successes() -> None:
    compat.install()
    for ack in ({"tools": [], "req_id": "r"}, {"code": 404, "tools": [], "req_id": "r"}, {"code": 0}, None, [], "x"):
        assert not smcp.is_protocol_error_payload(ack)
        agent_errors.raise_for_error_payload(ack)
    result = {"content": [], "isError": True, "code": 404, "message": "the tool's own"}
    assert not smcp.is_protocol_error_payload(result)


# --- names, paths, versions: what was right stays right ---------------------------------------------------------


def test_names_parse_as_before() -> None:
    names = ["audit", "mcp:docs", "plugin:audit", "mcp:My_Server-1:audit", f"mcp:{'s' * 200}:audit"]
    before = [naming.parse_skill_name(name) for name in names]
    compat.install()
    assert [naming.parse_skill_name(name) for name in names] == before


@pytest.mark.parametrize("name", ["", "A", "a:b:c", "a:b:c:d", "mcp:a__b:c", "-a", "a--b", "x" * 65, "mcp::a"])
def test_refusals_keep_their_words(name: str) -> None:
    with pytest.raises(naming.SkillNameError) as before:
        naming.parse_skill_name(name)
    compat.install()
    with pytest.raises(naming.SkillNameError) as after:
        naming.parse_skill_name(name)
    assert str(after.value) == str(before.value)


def test_a_name_that_is_no_text_is_a_refusal() -> None:
    compat.install()
    for name in (5, None, ["audit"]):
        with pytest.raises(naming.SkillNameError):
            naming.parse_skill_name(name)  # type: ignore[arg-type]
        assert not naming.is_valid_skill_name(name)  # type: ignore[arg-type]


def test_paths_resolve_as_before(tmp_path: Path) -> None:
    root = package(tmp_path)
    asked = [None, "", "SKILL.md", "./docs/a.txt", "docs//a.txt"]
    before = [sandbox.resolve_skill_resource(root, it) for it in asked]
    compat.install()
    assert [sandbox.resolve_skill_resource(root, it) for it in asked] == before


def test_paths_that_the_sdk_let_through(tmp_path: Path) -> None:
    root = package(tmp_path)
    (root / ".skillenv").write_text("SECRET=1")
    (root / "box").mkdir()
    (root / "box" / ".skillenv").mkdir()
    (root / "box" / ".skillenv" / "x").write_text("SECRET=1")
    (root / "plain.txt").hardlink_to(root / ".skillenv")
    assert sandbox.resolve_skill_resource(root, "plain.txt").read_text() == "SECRET=1"
    assert sandbox.resolve_skill_resource(root, "box/.skillenv/x").read_text() == "SECRET=1"
    compat.install()
    for rel_path in ("plain.txt", "box/.skillenv/x", "box/.skillenv", ".\u017fkillenv", ".skillenv. "):
        with pytest.raises(sandbox.SkillSandboxError) as refused:
            sandbox.resolve_skill_resource(root, rel_path)
        assert refused.value.reason == "forbidden", rel_path
    with pytest.raises(sandbox.SkillSandboxError) as refused:
        sandbox.resolve_skill_resource(root, "docs/a.txt", forbidden_names={"a.txt"})
    assert refused.value.reason == "forbidden"


def test_a_package_that_is_gone(tmp_path: Path) -> None:
    compat.install()
    for rel_path, reason in ((None, "not_found"), ("..", "traversal"), (".skillenv", "forbidden")):
        with pytest.raises(sandbox.SkillSandboxError) as refused:
            sandbox.resolve_skill_resource(tmp_path / "gone", rel_path)
        assert refused.value.reason == reason


def test_versions_that_the_sdk_let_through() -> None:
    odd = [" 0.4.0", "0.4.0\n", "+0.4.0", "0.04.0", "٠.4.0", "0.4_0.0", "-0.4.0"]
    for text in odd[:6]:
        assert ProtocolVersion.parse(text)
    compat.install()
    for text in odd:
        with pytest.raises(ValueError, match="Invalid version"):
            ProtocolVersion.parse(text)
    version = ProtocolVersion.parse("0.4.12")
    assert version == ProtocolVersion(0, 4, 12)
    assert type(version) is ProtocolVersion


def test_the_handshake_of_the_server() -> None:
    server = ProtocolVersion(0, 4, 0)
    queries = ["a2c_version=0.4.7&EIO=4", "a2c_version=0.3.0", "EIO=4", "a2c_version=", "a2c_version=x"]
    before = [middleware.check_a2c_version(query, server) for query in queries]
    twice = "a2c_version=0.4.0&a2c_version=0.3.0"
    assert middleware.check_a2c_version(twice, server) is None
    compat.install()
    after = [middleware.check_a2c_version(query, server) for query in queries]
    assert after[:3] == before[:3]
    assert [answer and answer[1]["code"] for answer in after] == [None, 4008, 400, 400, 400]
    refused = middleware.check_a2c_version(twice, server)
    assert refused is not None
    assert refused[0] == 400


def test_the_handshake_of_the_client() -> None:
    body = {"code": 4008, "message": "m", "server_version": "0.4.0", "client_version": 3}
    plain = ConnectionError("refused")
    plain.__cause__ = OSError("Unexpected status code 400 in server response", body)
    deep = ConnectionError("refused")
    deep.__cause__ = RuntimeError("wrapped")
    deep.__cause__.__cause__ = OSError("status 400", body)
    assert handshake.extract_4008_payload(plain) is body
    assert handshake.extract_4008_payload(deep) is None
    compat.install()
    assert handshake.extract_4008_payload(plain) is body
    found = handshake.extract_4008_payload(deep)
    assert found is not None
    assert handshake.extract_4008_payload(ConnectionError("no route")) is None
    error = handshake.build_protocol_version_error(body)
    assert isinstance(error, ProtocolVersionError)
    assert (error.server_version, error.client_version, error.message) == ("0.4.0", None, "m")


# --- authorization ----------------------------------------------------------------------------------------------


def http_error(status: int, challenge: str | None = None) -> httpx.HTTPStatusError:
    request = httpx.Request("POST", "https://tools.example/mcp")
    headers = {} if challenge is None else {"WWW-Authenticate": challenge}
    return httpx.HTTPStatusError("failed", request=request, response=httpx.Response(status, headers=headers))


def test_authorization_as_before() -> None:
    cases = [http_error(401), http_error(403), http_error(404), http_error(500), OAuthTokenError("no"),
             OAuthRegistrationError("no"), RuntimeError("401"), auth_error.UpstreamAuthError(401),
             ExceptionGroup("g", [RuntimeError("x"), http_error(403)])]  # fmt: skip
    before = [auth_error.classify_auth_error(case) for case in cases]
    compat.install()
    assert [auth_error.classify_auth_error(case) for case in cases] == before


def test_authorization_that_the_sdk_judged_wrong() -> None:
    scope = http_error(401, 'Bearer error="insufficient_scope", scope="write"')
    outage = OAuthTokenError('Token exchange failed (503): {"error": "busy"}')
    assert auth_error.classify_auth_error(scope) == 4006
    assert auth_error.classify_auth_error(outage) == 4007
    compat.install()
    assert auth_error.classify_auth_error(scope) == 4007
    assert auth_error.classify_auth_error(outage) is None


def test_hints_pass_the_scrubber(monkeypatch: pytest.MonkeyPatch) -> None:
    code = smcp.ErrorCode.TOOL_AUTHORIZATION_REQUIRED
    ready = auth_error.build_auth_error_result("docs", code)
    leaking = {"action": "login", "message": "open https://id.example/login?code=abc123456&state=xyz98765"}
    compat.install()
    assert auth_error.build_auth_error_result("docs", code) == ready
    monkeypatch.setitem(auth_error._AUTH_HINT_BY_CODE, code, leaking)
    result = auth_error.build_auth_error_result("docs", code)
    assert "abc123456" not in result.model_dump_json()
    assert "https://id.example/login" in result.meta["auth_hint"]["message"]


# --- what the drop-in leaves: `../DIFFERENCES.md` says why ------------------------------------------------------


def test_the_relay_still_drops_unknown_fields() -> None:
    ack = {"code": 4014, "message": "m", "mcp_server_name": "docs", "details": {}}
    compat.install()
    assert TypeAdapter(smcp.ErrorPayload).validate_python(ack) == {"code": 4014, "message": "m", "details": {}}


def test_a_file_that_is_swapped_after_the_check(tmp_path: Path) -> None:
    root = package(tmp_path / "skill")
    (tmp_path / "outside").write_text("secret")
    compat.install()
    view = resource.resolve_skill_view(root, "docs/a.txt")
    (root / "docs" / "a.txt").unlink()
    (root / "docs" / "a.txt").symlink_to(tmp_path / "outside")
    # The SDK holds a path and opens it again for each chunk. `ackguard.SkillRoot.open` holds the file.
    assert view.slice(0, 1) == b"s"


# --- in and out -------------------------------------------------------------------------------------------------


def snapshot() -> dict[tuple[str, str], int]:
    modules = [(key, it) for key, it in sys.modules.items() if key == "a2c_smcp" or key.startswith("a2c_smcp.")]
    held = {(key, name): id(value) for key, module in modules for name, value in vars(module).items()}
    for client in (AsyncSMCPAgentClient, SMCPAgentClient, ProtocolVersion):
        held.update({(client.__qualname__, name): id(value) for name, value in vars(client).items()})
    return held


def test_out_is_exactly_as_before() -> None:
    compat.install()
    compat.uninstall()
    before = snapshot()
    names = compat.install()
    changed = {key for key, value in snapshot().items() if before[key] != value}
    assert len(changed) > len(names) > 20
    # Where it was imported it is replaced as well.
    assert ("a2c_smcp.agent.client", "raise_for_error_payload") in changed
    assert ("a2c_smcp.server.namespace", "is_protocol_error_payload") in changed
    assert ("a2c_smcp.computer.socketio.client", "parse_skill_name") in changed
    assert compat.install() == names
    compat.uninstall()
    assert snapshot() == before
    compat.uninstall()
    assert snapshot() == before


def test_a_later_import_gets_the_replacement_and_gives_it_back() -> None:
    original = smcp.is_protocol_error_payload
    compat.install()
    module = type(sys)("a2c_smcp.later")
    exec("from a2c_smcp.smcp import is_protocol_error_payload as asks", vars(module))
    sys.modules["a2c_smcp.later"] = module
    try:
        assert module.asks is not original
        compat.uninstall()
        assert module.asks is original
    finally:
        del sys.modules["a2c_smcp.later"]


def test_a_patch_over_ours_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    compat.install()
    mine = Mock()
    monkeypatch.setattr(naming, "is_valid_skill_name", mine)
    compat.uninstall()
    assert naming.is_valid_skill_name is mine


def test_blocks_nest() -> None:
    original = smcp.is_protocol_error_payload
    with compat.applied() as names:
        assert "a2c_smcp.smcp.is_protocol_error_payload" in names
        with compat.applied():
            compat.uninstall()
            assert smcp.is_protocol_error_payload is not original
        assert smcp.is_protocol_error_payload is not original
    assert smcp.is_protocol_error_payload is original
    compat.install()
    with compat.applied():
        pass
    assert smcp.is_protocol_error_payload is not original


def test_many_threads_at_once() -> None:
    before = snapshot()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(20):
                with compat.applied():
                    assert smcp.is_protocol_error_payload({"code": 4101, "message": "full"})
                    assert not naming.is_valid_skill_name("audit\n")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert snapshot() == before


def test_functions_look_like_those_they_replace() -> None:
    import inspect

    before = inspect.signature(sandbox.resolve_skill_resource)
    compat.install()
    assert inspect.signature(sandbox.resolve_skill_resource) == before
    assert sandbox.resolve_skill_resource.__doc__
    assert pickle.loads(pickle.dumps(sandbox.resolve_skill_resource)) is sandbox.resolve_skill_resource
    assert asyncio.iscoroutinefunction(AsyncSMCPAgentClient.get_config_from_computer)


def test_an_unknown_version_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compat.metadata, "version", lambda _: "9.9.9")
    with pytest.warns(compat.CompatWarning, match="9.9.9"):
        compat.install()


def test_other_parameters_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_valid_skill_name(name: str, policy: object) -> bool:
        return True

    monkeypatch.setattr(naming, "is_valid_skill_name", is_valid_skill_name)
    with pytest.warns(compat.CompatWarning, match="is_valid_skill_name has other parameters"):
        names = compat.install()
    assert naming.is_valid_skill_name is is_valid_skill_name
    assert "a2c_smcp.computer.skills.naming.parse_skill_name" in names
    compat.uninstall()


def test_a_known_version_is_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compat.install()
    assert ackguard.classify({"code": 4101, "message": "x"}).kind == "error"
