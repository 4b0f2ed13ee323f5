"""A real server, computer and agent of a2c-smcp on loopback: what kind every ack is, good and bad."""

import asyncio
import sys
from pathlib import Path

import ackguard
import pytest
import socketio
from a2c_smcp.agent import AsyncSMCPAgentClient, DefaultAgentAuthProvider
from a2c_smcp.computer.computer import Computer
from a2c_smcp.computer.mcp_clients.model import StdioServerConfig, StdioServerParameters
from a2c_smcp.computer.socketio.client import SMCPComputerClient
from a2c_smcp.server import A2CProtocolVersionASGIMiddleware
from a2c_smcp.smcp import SMCP_NAMESPACE, is_protocol_error_payload
from a2c_smcp.testing import UvicornTestServer, create_local_async_server, pick_free_port

COMPUTER, OFFICE = "computer-1", "office-1"


def request(**fields):
    return {"agent": "agent-1", "req_id": "r1", "computer": COMPUTER, **fields}


# The event, what is sent, the kind of the ack, and its code or outcome.
ACKS = [
    ("client:get_tools", request(), "data", None),
    ("client:get_config", request(), "data", None),
    ("client:get_skills", request(), "data", None),
    ("client:get_tools", request(computer="nobody"), "error", 404),
    ("client:get_skill", request(name="Not A Name"), "error", 4016),
    ("client:get_skill", request(name="unknown-skill"), "error", 4014),
    ("client:get_blob", request(blob_handle="nonsense", chunk_offset=0, max_chunk_bytes=10), "error", 4018),
    ("client:get_resources", request(mcp_server="no-such-server"), "error", 4014),
    ("client:tool_call", request(tool_name="hello", params={"name": "you"}, timeout=20), "tool_result", "completed"),
    ("client:tool_call", request(tool_name="fail", params={}, timeout=20), "tool_result", "failed"),
    ("client:tool_call", request(tool_name="no_such_tool", params={}, timeout=20), "tool_result", "failed"),
    ("server:list_room", request(office_id=OFFICE), "data", None),
]


async def call(client, event, data):
    """An event and its ack, raw: without what the peer's own client makes of it."""
    return await socketio.AsyncClient.call(client, event, data, namespace=SMCP_NAMESPACE, timeout=30)


async def live(tmp_path: Path) -> list[tuple[str, object]]:
    port = pick_free_port()
    made = create_local_async_server()
    app = made[0] if isinstance(made, tuple) else made
    if isinstance(app, socketio.AsyncServer):
        app = socketio.ASGIApp(app, socketio_path="/socket.io")
    server = UvicornTestServer(A2CProtocolVersionASGIMiddleware(app), port=port)
    await server.up()
    url = f"http://127.0.0.1:{port}"
    tools = StdioServerConfig(
        name="tools",
        server_parameters=StdioServerParameters(
            command=sys.executable, args=[str(Path(__file__).with_name("tool_server.py"))]
        ),
    )
    computer = Computer(
        name=COMPUTER,
        mcp_servers={tools},
        confirm_callback=lambda *_: True,
        blob_cache_root=tmp_path,
        skill_home=tmp_path / "skills",
    )
    got = []
    try:
        await computer.boot_up()
        names = {}
        for _ in range(200):
            names = {tool["name"].split("__")[-1]: tool["name"] for tool in await computer.aget_available_tools()}
            if {"hello", "fail"} <= names.keys():
                break
            await asyncio.sleep(0.1)
        client = SMCPComputerClient(computer=computer)
        await client.connect(f"{url}?a2c_version=0.4.0", socketio_path="/socket.io", namespaces=[SMCP_NAMESPACE])
        joined = {"role": "computer", "office_id": OFFICE, "name": COMPUTER}
        got.append(("join", await call(client, "server:join_office", joined)))
        agent = AsyncSMCPAgentClient(auth_provider=DefaultAgentAuthProvider(agent_id="agent-1", office_id=OFFICE))
        await agent.connect_to_server(url, namespace=SMCP_NAMESPACE, socketio_path="/socket.io")
        joined = {"role": "agent", "office_id": OFFICE, "name": "agent-1"}
        got.append(("join", await call(agent, "server:join_office", joined)))
        second = AsyncSMCPAgentClient(auth_provider=DefaultAgentAuthProvider(agent_id="agent-2", office_id=OFFICE))
        await second.connect_to_server(url, namespace=SMCP_NAMESPACE, socketio_path="/socket.io")
        refused = {**joined, "name": "agent-2"}
        got.append(("refused", await call(second, "server:join_office", refused)))
        await second.disconnect()
        for event, data, *_ in ACKS:
            if "tool_name" in data:
                # Under the name by which the computer shows the tool.
                data = {**data, "tool_name": names.get(data["tool_name"], data["tool_name"])}
            got.append((event, await call(agent, event, data)))
        # An old client: the handshake is refused, and the exception says why.
        old = socketio.AsyncClient(reconnection=False)
        with pytest.raises(socketio.exceptions.ConnectionError) as raised:
            await old.connect(f"{url}?a2c_version=9.0.0", socketio_path="/socket.io", namespaces=[SMCP_NAMESPACE])
        got.append(("handshake", raised.value))
        await agent.disconnect()
        await client.disconnect()
    finally:
        await computer.shutdown()
        await server.down(force=True)
    return got


def test_every_ack_of_a_live_office(tmp_path):
    got = asyncio.run(asyncio.wait_for(live(tmp_path), 110))
    for name, value in got:
        print(name, value if name == "handshake" else repr(value)[:160])
    joins = [ackguard.classify(value) for name, value in got if name in ("join", "refused")]
    assert [ack.kind for ack in joins[:2]] == ["event_result", "event_result"]
    assert joins[0].event_result.ok
    assert joins[1].event_result.ok
    assert (joins[2].kind == "event_result" and not joins[2].event_result.ok) or joins[2].error.code in (4101, 403)
    acks = [value for name, value in got if ":" in name]
    assert len(acks) == len(ACKS)
    for (event, data, kind, expected), value in zip(ACKS, acks, strict=True):
        ack = ackguard.classify(value)
        assert ack.kind == kind, (event, data, value)
        assert (ack.kind == "error") == is_protocol_error_payload(value)
        if kind == "error":
            assert ack.error.code == expected, (event, data, value)
        elif kind == "tool_result":
            assert ack.tool_result.outcome == expected, (event, data, value)
    mismatch = ackguard.parse_handshake_exception(next(value for name, value in got if name == "handshake"))
    assert isinstance(mismatch, ackguard.VersionMismatch)
    assert mismatch.client_version == "9.0.0"
