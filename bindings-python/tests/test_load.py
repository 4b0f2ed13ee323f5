"""Many calls, many threads: the same answers, no memory kept, nothing heavy imported."""

from __future__ import annotations

import contextlib
import gc
import subprocess
import sys
import threading
from random import Random
from typing import Any

import ackguard
import pytest

ERROR = {"code": 4018, "message": "m", "details": {"reason": "gone", "n": [1, {"a": "b"}]}, "more": {"x": 1}}
RESULT = {"isError": True, "content": [], "meta": {"error_code": 4006, "auth_hint": {"message": "m", "token": "t"}}}
TEXT = b'{"code": 4101, "message": "Room full", "details": {"a": [1, 2, 3]}}'


def one_of_each(tally: ackguard.Tally) -> None:
    ack = ackguard.classify(ERROR)
    assert ack.error is not None
    assert ack.error.reason == "gone"
    assert ack.violations == []
    result = ackguard.classify(RESULT).tool_result
    assert result is not None
    assert result.auth_hint == {"message": "m"}
    text = ackguard.classify_json(TEXT)
    assert text.error is not None
    assert text.error.details == {"a": [1, 2, 3]}
    assert ackguard.classify_json(TEXT.decode() + "x").kind == "invalid"
    assert ackguard.parse_skill_name("plugin:audit").plugin == "plugin"
    assert not ackguard.is_valid_skill_name("Audit")
    with contextlib.suppress(ackguard.SkillResourceError):
        ackguard.check_rel_path("../x")
    assert ackguard.decide_authorization(http_status=401) == 4006
    tally.add(ack)


def resident() -> int:
    """The process's memory in KiB."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def test_eight_threads() -> None:
    tally, problems = ackguard.Tally(), list[BaseException]()

    # Shared by all: its views are made once, whoever comes first.
    shared = ackguard.classify(ERROR)
    views: set[int] = set()

    def work() -> None:
        try:
            for _ in range(100_000 // 10):
                one_of_each(tally)
            views.add(id(shared.error))
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert tally.total == 8 * 10_000
    assert len(views) == 1


def test_what_other_threads_change_meanwhile() -> None:
    """No answer is promised for a payload that changes while it is read, but that there is one."""
    payload = {"code": 4017, "message": "m", "details": {"reason": "gone", "token": "s3cr3t-value"}}
    hint = {"message": "m", "items": [{"k": "v"}]}
    tally, problems, done = ackguard.Tally(), list[BaseException](), threading.Event()

    def change(seed: int) -> None:
        random = Random(seed)
        while not done.is_set():
            details: Any = payload["details"]
            items: Any = hint["items"]
            key = f"k{random.randrange(200)}"
            match random.randrange(6):
                case 0:
                    details[key] = [random.random()] * random.randrange(50)
                case 1:
                    details.pop(key, None)
                case 2:
                    payload["details"] = dict(details) if len(details) < 100 else {"token": "s3cr3t-value"}
                case 3:
                    hint["items"] = [{"k": "v" * random.randrange(40)} for _ in range(random.randrange(60))]
                case 4:
                    items.append({"password": "hunter2hunter2"})
                case _:
                    items.clear()

    def read() -> None:
        try:
            for _ in range(60):
                ack = ackguard.classify(payload)
                assert ack.error is not None
                assert "details_sensitive" in ack.violations
                assert "s3cr3t" not in repr(ackguard.scrub_details(payload).value)
                assert "hunter2" not in repr(ackguard.scrub_auth_hint(hint).value)
                tally.add(payload)
        except BaseException as error:
            problems.append(error)

    changing = [threading.Thread(target=change, args=(seed,)) for seed in range(3)]
    reading = [threading.Thread(target=read) for _ in range(5)]
    for thread in changing + reading:
        thread.start()
    for thread in reading:
        thread.join()
    done.set()
    for thread in changing:
        thread.join()
    assert not problems
    assert tally.total == 5 * 60


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_million_calls_keep_no_memory() -> None:
    tally = ackguard.Tally()

    def calls(rounds: int) -> int:
        for _ in range(rounds):
            one_of_each(tally)
        gc.collect()
        return resident()

    before = calls(20_000)
    after = calls(80_000)  # ten calls each
    assert after - before < 1024, f"{after - before} KiB more"


def test_a_big_text_lets_other_threads_go_on() -> None:
    text = b'{"code": 4101, "message": "m", "more": [' + b"1," * 20_000_000 + b"1]}"
    ticks, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    assert ackguard.classify_json(text).kind == "error"
    during = ticks - before
    stop.set()
    thread.join()
    assert during >= 3


def test_the_import_is_light() -> None:
    code = """
import sys, time
before = set(sys.modules)
import ackguard
new = {name.partition(".")[0] for name in set(sys.modules) - before}
assert new <= {"ackguard", "__future__", "_abc", "_collections_abc", "abc"}, new
assert "ackguard.acp" not in sys.modules
assert {"ErrorCode", "acp", "classify", "parse_handshake_exception"} <= set(dir(ackguard))
assert ackguard.ErrorCode.ROOM_FULL == 4101
assert ackguard.ErrorCode is ackguard.ErrorCode
assert ackguard.acp.AcpErrorCode.SERVER_BUSY
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{code}"], check=False
    )
    assert done.returncode == 0


def test_a_tally_as_attributes() -> None:
    tally = ackguard.Tally()
    for payload in ({"code": 4018, "message": "m", "details": {"reason": "gone"}}, [False, None], [False, "no"], None):
        tally.add(payload)
    rows = {tuple(sorted(attributes.items())): count for attributes, count in tally.attributes()}
    assert rows == {
        (
            ("ackguard.code", 4018),
            ("ackguard.kind", "error"),
            ("ackguard.reason", "gone"),
            ("error.type", "BLOB_NOT_ACCESSIBLE"),
        ): 1,
        (("ackguard.kind", "event_result"), ("ackguard.outcome", "refused"), ("error.type", "event_result")): 2,
        (("ackguard.kind", "none"),): 1,
    }


def test_arrow_without_pyarrow_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    # None in the place of a module is an import that fails, whether or not it is installed.
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    from ackguard import arrow

    for function in (arrow.classify_batch, arrow.classify_batches, arrow.scrub_batch, arrow.scrub_batches):
        with pytest.raises(ModuleNotFoundError, match=r"pip install 'ackguard\[arrow\]'") as raised:
            function([])  # type: ignore[arg-type]
        assert raised.value.name == "pyarrow"


def test_the_drop_in_without_its_sdk_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "a2c_smcp", None)
    from ackguard.compat import a2c_smcp

    with pytest.raises(ModuleNotFoundError, match="pip install a2c-smcp"):
        a2c_smcp.install()
    assert not a2c_smcp.is_installed()
