"""Columns of payloads: the same verdicts as one by one, for every type of column, without a Python object per row."""

from __future__ import annotations

import gc
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ackguard
import pyarrow as pa
import pytest
from ackguard.arrow import classify_batch, classify_batches, scrub_batch, scrub_batches

VECTORS = Path(__file__).parents[2] / "vectors" / "payloads.json"
TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
SECRET = "hunter2xyz"
ROWS = [
    '{"code": 4101, "message": "Room full"}',
    None,
    '{"code": 4017, "message": "m", "details": {"reason": "not_found", "password": "' + SECRET + '"}}',
    "[false, null]",
    '{"content": [], "isError": true, "meta": {"error_code": 4006, "auth_hint": {"token": "' + SECRET + '"}}}',
    '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "m"}}',
    '{"error": {"code": 404}}',
    "null",
    "{",
    '{"tools": []}',
    '{"code": 4018, "message": "m", "details": {"reason": "' + "x" * 40 + '"}}',
    '{"code": 4018, "message": "m", "details": {"reason": "brand_new"}}',
]
EXPECTED = {
    "kind": [
        "error",
        None,
        "error",
        "event_result",
        "tool_result",
        "rpc_error",
        "malformed_error",
        "none",
        "invalid",
        "data",
        "error",
        "error",
    ],
    "code": [4101, None, 4017, None, 4006, -32000, None, None, None, None, 4018, 4018],
    "reason": [None, None, "not_found", None, None, None, None, None, None, None, "other", "brand_new"],
    "outcome": [None, None, None, "refused", "authorization_required", *[None] * 7],
    "retry_action": [
        "none",
        None,
        "use_skill_body",
        None,
        "authorize",
        "authenticate",
        *[None] * 4,
        "none",
        "none",
    ],
    "findings": [0, None, 1, 0, 1, *[0] * 7],
}


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_every_type_of_column(type_: pa.DataType) -> None:
    array = pa.array(ROWS, pa.string()).cast(type_)
    batch = classify_batch(array)
    assert batch.to_pydict() == EXPECTED
    assert batch.schema.names == ["kind", "code", "reason", "outcome", "retry_action", "findings"]
    batch.validate(full=True)
    # A slice begins in the middle of its buffers.
    assert classify_batch(array[3:9]).to_pydict() == {name: column[3:9] for name, column in EXPECTED.items()}
    chunks = pa.chunked_array([array[:2], array[2:2], array[2:]])
    assert classify_batch(chunks).to_pydict() == EXPECTED
    assert classify_batch(array[:0]).num_rows == 0
    clean = scrub_batch(array)
    clean.validate(full=True)
    assert clean.column("findings").to_pylist() == [None if row is None else int(SECRET in row) for row in ROWS]


def test_nothing_but_nulls() -> None:
    assert classify_batch(pa.nulls(3)).to_pydict() == {name: [None] * 3 for name in EXPECTED}
    assert classify_batch(pa.chunked_array([], pa.string())).num_rows == 0


@pytest.mark.parametrize("dialect", ["0.2", "0.3"])
def test_the_verdicts_are_those_of_one_by_one(dialect: Any) -> None:
    texts = [case["input"]["json"] for case in json.loads(VECTORS.read_text())["cases"] if "json" in case["input"]]
    assert len(texts) > 300
    batch = classify_batch(pa.array(texts), dialect=dialect)
    for text, row in zip(texts, batch.to_pylist(), strict=True):
        one = ackguard.classify_json(text, dialect=dialect)
        assert row["kind"] == one.kind
        assert row["retry_action"] == (one.retry and one.retry.action), text
        holder: Any = one.error or one.tool_result
        number = one.rpc_error.rpc_code if one.rpc_error else holder and getattr(holder, "code", None)
        if one.tool_result:
            assert row["outcome"] == one.tool_result.outcome
            number = one.tool_result.error_code
        if number is None or abs(number) < 2**63:
            assert row["code"] == number, text
        if one.error and row["reason"] != "other":
            assert row["reason"] == one.error.reason
        found = []
        if one.error and one.error.details:
            found = ackguard.scrub_details(one.error.details).findings
        elif one.tool_result and one.tool_result.outcome.startswith("authorization"):
            found = one.tool_result.findings
        # What lies beyond the bounds is cut, not found.
        assert row["findings"] == sum(it.category != "out_of_bounds" for it in found), text


def test_a_line_of_a_log() -> None:
    rows = ['{"event": "server:join_office", "ack": [true, null]}', " ", "oops"]
    assert classify_batch(pa.array(rows), records=True).column("kind").to_pylist() == ["event_result", None, "invalid"]
    assert classify_batch(pa.array(rows)).column("kind").to_pylist() == ["data", "invalid", "invalid"]


def test_a_column_of_a_table() -> None:
    table = pa.table({"at": list(range(len(ROWS))), "ack": ROWS})
    assert classify_batch(table, column="ack").to_pydict() == EXPECTED
    assert classify_batch(table.to_batches()[0], column="ack").to_pydict() == EXPECTED
    assert classify_batch(table.select(["ack"])).to_pydict() == EXPECTED
    assert classify_batch(table.to_reader(), column="ack").to_pydict() == EXPECTED


def test_mistakes_of_the_caller() -> None:
    table = pa.table({"at": [1], "ack": ["{}"]})
    for wrong in (["{}"], "{}", None, pa.Array):
        with pytest.raises(TypeError, match="argument 'values': expected an Arrow array"):
            classify_batch(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="argument 'values': expected a column of strings or binary, not Int64"):
        scrub_batch(pa.array([1]))
    with pytest.raises(TypeError, match="argument 'column': the table has 'at', 'ack'; name one"):
        classify_batch(table)
    with pytest.raises(TypeError, match="argument 'column': the table has only 'at', 'ack'"):
        classify_batch(table, column="x")
    with pytest.raises(TypeError, match="argument 'column': the values are no table"):
        classify_batch(table.column("ack"), column="ack")
    with pytest.raises(ValueError, match="argument 'threads'"):
        classify_batch(table, column="ack", threads=0)
    with pytest.raises(ValueError, match="argument 'rules'"):
        scrub_batch(table, column="ack", rules="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="argument 'dialect'"):
        classify_batch(table, column="ack", dialect="9")  # type: ignore[arg-type]


def test_any_number_of_threads_keeps_the_order() -> None:
    rows = [f'{{"code": {4014 + i % 5}, "message": "{i}"}}' if i % 7 else None for i in range(60_000)]
    expected = [4014 + i % 5 if i % 7 else None for i in range(60_000)]
    for threads in (1, 2, 7):
        assert classify_batch(pa.array(rows), threads=threads).column("code").to_pylist() == expected
    assert classify_batch(pa.array(rows)).column("code").to_pylist() == expected


def test_scrubbing_is_that_of_one_by_one() -> None:
    texts = [case["input"]["json"] for case in json.loads(VECTORS.read_text())["cases"] if "json" in case["input"]]
    clean = scrub_batch(pa.array([*texts, f"token={SECRET}", "plain", None]))
    values, counts = clean.column("value").to_pylist(), clean.column("findings").to_pylist()
    for text, value, count in zip(texts, values, counts, strict=False):
        # Python's parser takes no integer of 5,000 digits.
        if ackguard.classify_json(text).kind == "invalid" or len(text) > 4000:
            continue
        one = ackguard.scrub_details(json.loads(text))
        assert count == len(one.findings), text
        assert json.loads(value) == one.value if count else value == text
    assert SECRET not in values[-3]
    assert (values[-2:], counts[-3:]) == (["plain", None], [1, 0, None])
    hint = '{"action": "x", "token": "' + SECRET + '", "more": 1}'
    assert scrub_batch(pa.array([hint]), rules="auth_hint").to_pylist() == [
        {"value": '{"action":"x","more":1}', "findings": 1}
    ]
    strict = scrub_batch(pa.array([hint]), rules="strict_auth_hint").to_pylist()[0]["value"]
    assert json.loads(strict) == ackguard.scrub_auth_hint(json.loads(hint), strict=True).value
    assert scrub_batch(pa.array([b"a\xff"])).column("value").to_pylist() == ["a\N{REPLACEMENT CHARACTER}"]


def test_a_string_that_lies_about_its_bytes() -> None:
    # Nothing has looked whether the bytes are UTF-8.
    lying = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\3\0\0\0"), pa.py_buffer(b'"\xff"')])
    assert classify_batch(lying).column("kind").to_pylist() == ["invalid"]
    assert scrub_batch(lying).column("value").to_pylist() == ['"\N{REPLACEMENT CHARACTER}"']


def produced(count: int, done: list[int], rows: int = 20_000) -> pa.RecordBatchReader:
    def batches() -> Iterator[pa.RecordBatch]:
        for index in range(count):
            done.append(index)
            yield pa.record_batch({"ack": ['{"code": 4101, "message": "Room full"}' + " " * 150] * rows})

    return pa.RecordBatchReader.from_batches(pa.schema({"ack": pa.string()}), batches())


def resident() -> int:
    """The process's memory in MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not tell its memory")
@pytest.mark.parametrize("stream", [classify_batches, scrub_batches])
def test_a_stream_is_read_as_it_is_asked_for(stream: Any) -> None:
    done: list[int] = []
    reader = stream(produced(60, done))
    assert len(done) <= 1
    assert reader.read_next_batch().num_rows == 20_000
    assert len(done) <= 2
    before, rows = resident(), 20_000
    for batch in reader:
        rows += batch.num_rows
    assert rows == 60 * 20_000
    # More than 200 MiB have gone through.
    assert resident() - before < 60


def test_no_memory_is_kept() -> None:
    array = pa.array(ROWS * 2000)
    for _ in range(5):
        classify_batch(array)
        scrub_batch(array[:200])
    gc.collect()
    before = pa.total_allocated_bytes(), resident()
    for _ in range(60):
        classify_batch(array)
        scrub_batch(array[:200])
        # Asked and never taken.
        classify_batches(array)
    gc.collect()
    assert pa.total_allocated_bytes() == before[0]
    assert resident() - before[1] < 20


def test_what_an_input_raises_is_told() -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"ack": ["null"]})
        raise LookupError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"ack": pa.string()}), batches())
    with pytest.raises(ValueError, match="the disk is gone"):
        classify_batch(reader)
    reader = pa.RecordBatchReader.from_batches(pa.schema({"ack": pa.string()}), batches())
    results = classify_batches(reader)
    assert results.read_next_batch().num_rows == 1
    with pytest.raises(Exception, match="the disk is gone"):
        results.read_next_batch()


def test_a_result_is_taken_once() -> None:
    result = ackguard._native._arrow_classify(pa.array(["null"]))
    assert pa.record_batch(result).num_rows == 1
    with pytest.raises(ValueError, match="taken already"):
        pa.record_batch(result)


def test_others_go_on_meanwhile() -> None:
    array = pa.array([json.dumps({"code": 4017, "message": str(i), "details": {"n": i}}) for i in range(50_000)])
    ticks, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    classify_batch(array)
    during = ticks - before
    stop.set()
    thread.join()
    assert during >= 3
