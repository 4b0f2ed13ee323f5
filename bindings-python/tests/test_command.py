"""The command, by its module."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest


def command(*arguments: str, given: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "ackguard", *arguments],
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_exit_codes_and_streams(tmp_path: Path) -> None:
    code, out, _ = command("explain", "-", given='{"code": 4014, "message": "m"}')
    assert code in (0, 1)
    assert "MCP_SERVER_NOT_FOUND" in out
    assert command("codes")[0] == 0
    assert command("version-check", "0.2.0", "0.3.0")[0] == 1
    code, out, err = command("no-such-command")
    assert (code, out) == (2, "")
    assert err.startswith("ackguard: ") or err
    lines = tmp_path / "acks.jsonl"
    lines.write_text('{"code":4101,"message":"m"}\nnull\n', encoding="utf-8")
    code, out, _ = command("triage", str(lines))
    assert code in (0, 1)
    assert "4101" in out


def test_a_closed_pipe_is_no_traceback() -> None:
    done = subprocess.run(
        f"'{sys.executable}' -m ackguard codes | head -n 1", shell=True, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("busy", [False, True], ids=["waiting", "busy"])
def test_ctrl_c_ends_a_triage(busy: bool) -> None:
    command = subprocess.Popen(
        [sys.executable, "-m", "ackguard", "triage", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert command.stdin is not None
    assert command.stderr is not None
    lines = b'{"code": 4101, "message": "Room full"}\n' * 50_000
    # More than a pipe holds: when it has been written, the command is at work.
    command.stdin.write(lines)
    command.stdin.flush()

    def feed(pipe: IO[bytes]) -> None:
        with contextlib.suppress(BrokenPipeError):
            while True:
                pipe.write(lines)

    feeder = threading.Thread(target=feed, args=(command.stdin,))
    if busy:
        feeder.start()
    command.send_signal(signal.SIGINT)
    # A shell calls this 130.
    assert command.wait(10) == -signal.SIGINT
    assert command.stderr.read() == b""
    if busy:
        feeder.join()
    with contextlib.suppress(BrokenPipeError):
        command.stdin.close()
    for pipe in (command.stdout, command.stderr):
        assert pipe is not None
        pipe.close()
