"""Times ackguard against its peers: medians of pairs taken in turns, so that what slows one slows both."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ackguard
import msgspec
import orjson
from a2c_smcp.computer.skills import naming, sandbox
from a2c_smcp.smcp import is_protocol_error_payload
from ackguard import classify

ERROR = {"code": 4014, "message": "MCP Server not registered", "mcp_server_name": "com.example.docs"}
SMALL = {"tools": [{"name": "search", "description": "x" * 120}], "req_id": "r"}
BIG = {"tools": [{"name": f"tool-{i}", "description": "x" * 60} for i in range(700)], "req_id": "r"}
HINT = {
    "action": "user_authorization_required",
    "message": "Please open https://example.com/login and sign in, then try again. An administrator can help with it.",
    "mcp_server": "github",
    "tool": "create_issue",
    "note": "The permission ended yesterday. The documentation says which scopes the tool needs, and why.",
}


class Flat(msgspec.Struct):
    code: int
    message: str


def payload(size: int) -> bytes:
    """An error of about so many bytes, most of them in `details`."""
    items: list[Any] = []
    value = {
        "code": 4017,
        "message": "Skill resource not accessible",
        "details": {"reason": "not_found", "seen": items},
    }
    while len(json.dumps(value)) < size:
        items.append({"path": f"references/part-{len(items)}.md", "size": 1234, "ok": True, "note": "read before"})
    return json.dumps(value).encode()


def pair(ours: Callable[[], Any], peer: Callable[[], Any]) -> tuple[float, float, float]:
    """The medians in nanoseconds of both, and of their ratio."""
    # Of the process's own time: who else is busy on this machine is no matter of ours.
    timers = timeit.Timer(ours, timer=time.process_time), timeit.Timer(peer, timer=time.process_time)
    once = max(timer.timeit(20) / 20 for timer in timers)
    rounds = max(3, int(0.004 / once))
    pairs = [[timer.timeit(rounds) / rounds * 1e9 for timer in timers] for _ in range(101)]
    first, second = (statistics.median(column) for column in zip(*pairs, strict=True))
    return first, second, statistics.median(one / other for one, other in pairs)


def import_time(code: str) -> float:
    """Nanoseconds of a fresh interpreter that runs this."""
    start = timeit.default_timer()
    subprocess.run([sys.executable, "-c", code], check=True)
    return (timeit.default_timer() - start) * 1e9


def shown(nanoseconds: float) -> str:
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.2f} {unit}"
    return f"{nanoseconds:.0f} ns"


def main() -> int:
    rows: list[tuple[str, str, str, str, str, bool]] = []

    def row(name: str, ours: Callable[[], Any], peer_name: str, peer: Callable[[], Any], most: float) -> None:
        first, second, ratio = pair(ours, peer)
        bound = f"<= {most:.2f}"
        rows.append((name, shown(first), f"{peer_name} {shown(second)}", f"{ratio:.2f}", bound, ratio <= most))

    row(
        "classify(dict), an error",
        lambda: classify(ERROR),
        "a2c-smcp, yes or no",
        lambda: is_protocol_error_payload(ERROR),
        2.5,
    )
    row(
        "classify(dict), 64 KB of success",
        lambda: classify(BIG),
        "200 B of it",
        lambda: classify(SMALL),
        1.15,
    )
    decoder = msgspec.json.Decoder(Flat)
    for size in (200, 2_000, 64_000):
        text = payload(size)
        row(
            f"classify_json, {size:,} B",
            lambda text=text: ackguard.classify_json(text),
            "orjson.loads",
            lambda text=text: orjson.loads(text),
            1.0,
        )
    text = payload(64_000)
    row(
        "classify_json, 64,000 B",
        lambda: ackguard.classify_json(text),
        "msgspec Struct",
        lambda: decoder.decode(text),
        1.2,
    )
    name = "mcp:com-example:audit-report"
    row(
        "parse_skill_name",
        lambda: ackguard.parse_skill_name(name),
        "a2c-smcp",
        lambda: naming.parse_skill_name(name),
        1 / 6,
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "SKILL.md").write_text("# skill\n" * 40)
        root = ackguard.SkillRoot(folder)

        def resolve_and_read() -> bytes:
            return sandbox.resolve_skill_resource(Path(folder), "SKILL.md").read_bytes()

        row("SkillRoot.read", lambda: root.read("SKILL.md"), "a2c-smcp, resolve and read", resolve_and_read, 1 / 8)

    first, _, _ = pair(lambda: ackguard.scrub_auth_hint(HINT), lambda: None)
    rows.append((f"scrub_auth_hint, {len(json.dumps(HINT))} B", shown(first), "", "", "< 3 us", first < 3000))

    bare, ours = [], []
    for _ in range(25):
        bare.append(import_time("pass"))
        ours.append(import_time("import ackguard"))
    over = statistics.median(one - other for one, other in zip(ours, bare, strict=True))
    rows.append(("import ackguard, over bare Python", shown(over), "", "", "< 10 ms", over < 10e6))
    size = os.path.getsize(sys.argv[1])
    rows.append(("the wheel", f"{size / 1e6:.2f} MB", "", "", "< 2 MB", size < 2e6))

    heads = ("python", "ackguard", "peer", "ratio", "bound")
    widths = [max(len(line[column]) for line in (heads, *rows)) for column in range(5)]
    print("  ".join(head.ljust(width) for head, width in zip(heads, widths, strict=True)))
    for line in rows:
        cells = "  ".join(str(cell).ljust(width) for cell, width in zip(line[:5], widths, strict=True))
        print(f"{cells}  {'' if line[5] else 'BROKEN'}".rstrip())
    return 0 if all(line[5] for line in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
