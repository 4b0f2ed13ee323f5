"""agentao's ACP client against agents that misbehave: ackguard.acp names what it raises."""

import inspect
import json
import sys
import textwrap
import threading
import time

import pytest
from ackguard import acp
from agentao.acp_client import errors as theirs
from agentao.acp_client.client import ACPClient
from agentao.acp_client.config import load_acp_client_config
from agentao.acp_client.manager import ACPManager
from agentao.acp_client.models import AcpClientConfig, AcpConfigError, AcpServerConfig
from agentao.acp_client.process import ACPProcessHandle

CLASSES = ["AcpClientError", "AcpServerNotFound", "AcpRpcError", "AcpInteractionRequiredError"]
AGENT = """
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    def answer(**body):
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **body}), flush=True)
    BEHAVIOUR
"""


@pytest.mark.parametrize("name", CLASSES)
def test_the_signatures_are_agentaos(name):
    def shape(cls):
        parameters = inspect.signature(cls).parameters.values()
        return [(it.name, it.kind, getattr(it.default, "value", it.default)) for it in parameters]

    assert shape(getattr(acp, name)) == shape(getattr(theirs, name))


MADE = [
    ("AcpClientError", ("m",), {}),
    ("AcpClientError", ("m",), {"details": {"a": 1}, "cause": None}),
    ("AcpServerNotFound", ("x",), {}),
    ("AcpRpcError", (-32603, "boom", {"d": 1}), {"details": {"a": 1}}),
    ("AcpRpcError", (), {"code": 7, "message": "old"}),
    ("AcpRpcError", (), {}),
    ("AcpInteractionRequiredError", (), {"server": "s", "method": "m", "prompt": "p", "options": [{"a": 1}]}),
]


@pytest.mark.parametrize(("name", "args", "kwargs"), MADE)
def test_the_attributes_are_agentaos(name, args, kwargs):
    def told(module):
        error = getattr(module, name)(*args, **kwargs)
        fields = {key: getattr(value, "value", value) for key, value in vars(error).items()}
        return fields, error.args, [it.__name__ for it in type(error).__mro__ if it.__name__ in (*CLASSES, "KeyError")]

    ours, ours_args, ours_mro = told(acp)
    their, their_args, their_mro = told(theirs)
    assert ours == their
    assert ours_mro == their_mro
    if name != "AcpServerNotFound" and name != "AcpInteractionRequiredError":
        assert ours_args == their_args


def test_the_codes_are_agentaos():
    assert [(it.name, it.value) for it in acp.AcpErrorCode] == [(it.name, it.value) for it in theirs.AcpErrorCode]


def raised(tmp_path, behaviour, method="initialize", timeout=2.0):
    """What agentao raises when an agent behaves so."""
    script = tmp_path / "agent.py"
    script.write_text(AGENT.replace("BEHAVIOUR", textwrap.indent(behaviour, "    ").strip()))
    config = AcpServerConfig(command=sys.executable, args=[str(script)], env={}, cwd=str(tmp_path))
    handle = ACPProcessHandle("helper", config)
    handle.start()
    client = ACPClient(handle)
    client.start_reader()
    try:
        with pytest.raises(theirs.AcpClientError) as caught:
            client.call(method, {}, timeout=timeout)
        return caught.value
    finally:
        client.close()
        handle.stop()


def test_an_rpc_error(tmp_path):
    error = raised(tmp_path, 'answer(error={"code": -32000, "message": "log in"})')
    assert acp.retry_advice(error).action == "authenticate"
    assert acp.reclassify_handshake(error, "helper") is False
    assert acp.is_handshake_failure(error)
    assert (error.code, error.error_code.value, error.details["auth_required"]) == (-32000, "protocol_error", True)


def test_a_timeout(tmp_path):
    error = raised(tmp_path, "time.sleep(30)", timeout=0.5)
    assert acp.retry_advice(error) == acp.RetryAdvice(True, "backoff")
    assert acp.reclassify_handshake(error, "helper") is True
    assert error.code is theirs.AcpErrorCode.HANDSHAKE_FAIL
    # agentao's own tests, and its handlers, compare it by identity.
    assert error.details["underlying_code"] is theirs.AcpErrorCode.REQUEST_TIMEOUT
    assert acp.retry_advice(error).action == "operator"


def test_a_disconnect(tmp_path):
    error = raised(tmp_path, "sys.exit(3)")
    assert acp.retry_advice(error).action == "restart_server"
    ledger = acp.ErrorLedger()
    assert ledger.record("helper", error)
    assert ledger.last_error("helper").code is acp.AcpErrorCode.TRANSPORT_DISCONNECT


# --- the manager, which is what a host uses: all nine codes ---------------------------------------------------

TALKS = """
import json, sys, time
turn = 0
for line in sys.stdin:
    request = json.loads(line)
    def answer(**body):
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **body}), flush=True)
    method = request.get("method")
    if method == "initialize":
        answer(result={"protocolVersion": 1, "agentCapabilities": {}})
    elif method == "session/new":
        answer(result={"sessionId": "s1"})
    elif method == "session/prompt":
        prompt = request
        BEHAVIOUR
    elif "id" in request and method is None:
        # What was asked has been answered; so the turn ends.
        request = prompt
        answer(result={"stopReason": "end_turn"})
"""
ASKS = """
print(json.dumps({"jsonrpc": "2.0", "id": 900, "method": "session/request_permission", "params": {
    "sessionId": "s1", "toolCall": {"toolCallId": "t1", "title": "delete everything"},
    "options": [{"optionId": "yes", "name": "Allow", "kind": "allow_once"},
                {"optionId": "no", "name": "Reject", "kind": "reject_once"}]}}), flush=True)
"""


@pytest.fixture
def managed(tmp_path):
    """Makes managers of one server, `helper`, that is the given program; they are stopped afterwards."""
    managers = []

    def manage(program, command=sys.executable):
        script = tmp_path / "agent.py"
        script.write_text(program)
        config = AcpServerConfig(
            command=command, args=[str(script)], env={}, cwd=str(tmp_path), max_recoverable_restarts=0
        )
        managers.append(ACPManager(AcpClientConfig(servers={"helper": config})))
        return managers[-1]

    manage.managers = managers
    yield manage
    for manager in managers:
        manager.stop_all()


def behaving(behaviour):
    return TALKS.replace("BEHAVIOUR", textwrap.indent(textwrap.dedent(behaviour), " " * 8).strip())


def prompted(manager, server="helper", timeout=5.0):
    with pytest.raises(theirs.AcpClientError) as caught:
        manager.send_prompt(server, "hello", timeout=timeout, interactive=False)
    return caught.value


def busy(manager):
    """What the second of two turns at a time gets."""
    first = threading.Thread(target=lambda: manager.send_prompt("helper", "hello", timeout=10, interactive=False))
    manager.connect_server("helper", timeout=10)
    first.start()
    try:
        for _ in range(200):
            if any(status.has_active_turn for status in manager.get_status()):
                break
            time.sleep(0.02)
        return prompted(manager)
    finally:
        first.join()


# What is done, the code of what agentao raises, what ackguard says is to be done, whether it is remembered.
NINE = {
    "server_not_found": (lambda manage: prompted(manage(behaving("pass")), "nobody"), "fix_call", False),
    "process_start_fail": (lambda manage: prompted(manage("", "/no/such/program")), "operator", True),
    "handshake_fail": (lambda manage: prompted(manage("import sys; sys.stdin.readline()")), "operator", True),
    "request_timeout": (lambda manage: prompted(manage(behaving("time.sleep(30)")), timeout=1.0), "backoff", True),
    "transport_disconnect": (lambda manage: prompted(manage(behaving("sys.exit(3)"))), "restart_server", True),
    "interaction_required": (lambda manage: prompted(manage(behaving(ASKS))), "use_interactive_session", True),
    "protocol_error": (
        lambda manage: prompted(manage(behaving('answer(error={"code": -32603, "message": "boom"})'))),
        "report_bug",
        True,
    ),
    "server_busy": (
        lambda manage: busy(manage(behaving('time.sleep(3); answer(result={"stopReason": "end_turn"})'))),
        "wait_for_turn",
        False,
    ),
}


@pytest.mark.parametrize("code", NINE)
def test_each_code_as_the_manager_raises_it(managed, code):
    raise_it, action, remembered = NINE[code]
    error = raise_it(managed)
    theirs_code = getattr(error, "error_code", error.code)
    assert theirs_code is theirs.AcpErrorCode(code), error
    assert acp.retry_advice(error).action == action
    assert acp.records_last_error(error) is remembered
    (status,) = managed.managers[-1].get_status()
    assert (status.last_error is not None) is remembered, status
    ledger = acp.ErrorLedger()
    assert ledger.record("helper", error) is remembered
    last = ledger.last_error("helper")
    assert (last.code if last else None) == (acp.AcpErrorCode(code) if remembered else None)
    assert acp.missing_details(error) == {
        # What agentao does not say of them, and the pages ask for.
        "process_start_fail": ["command", "args", "stderr"],
        "handshake_fail": ["protocol_version"],
        "transport_disconnect": ["server", "exit_code"],
    }.get(code, [])
    # agentao marks the handshake itself: once more changes nothing.
    before = (error.code, dict(error.details))
    if code == "handshake_fail":
        assert acp.is_handshake_failure(error)
        assert acp.reclassify_handshake(error, "helper") is True
        assert (error.code, error.details) == before


def test_a_configuration_that_is_wrong(tmp_path):
    """The ninth code: agentao refuses it with an error of its own, which has no code and says the first problem."""
    text = json.dumps({"servers": {"helper": {"command": "", "args": "x", "env": {}, "cwd": "."}}})
    (tmp_path / ".agentao").mkdir()
    (tmp_path / ".agentao" / "acp.json").write_text(text)
    with pytest.raises(AcpConfigError):
        load_acp_client_config(project_root=tmp_path)
    with pytest.raises(acp.AcpClientError) as caught:
        acp.parse_config(text, {})
    assert caught.value.code is acp.AcpErrorCode.CONFIG_INVALID
    assert [(it["server"], it["field"]) for it in caught.value.details["problems"]] == [
        ("helper", "command"),
        ("helper", "args"),
    ]
    assert acp.retry_advice(caught.value).action == "fix_configuration"
    assert {*NINE, "config_invalid"} == {code.value for code in theirs.AcpErrorCode}
