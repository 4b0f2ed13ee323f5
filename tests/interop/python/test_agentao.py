"""agentao's ACP client against agents that misbehave: ackguard.acp names what it raises."""

import inspect
import sys
import textwrap

import pytest
from ackguard import acp
from agentao.acp_client import errors as theirs
from agentao.acp_client.client import ACPClient
from agentao.acp_client.models import AcpServerConfig
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
