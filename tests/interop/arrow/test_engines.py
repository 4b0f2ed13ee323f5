"""Polars, DuckDB and Spark: the same log gives the same table as `ackguard triage`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pytest
from ackguard.arrow import classify_batch, scrub_batch

DATA = Path(__file__).parents[2] / "data"
FRAMES = Path(__file__).parents[3] / "core" / "docs" / "snippets" / "arrow" / "frames.py"
KEYS = ("kind", "code", "reason", "outcome")
Row = tuple[object, ...]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What real peers sent, several times over, and what no peer should send."""
    lines = [line for name in ("acks.jsonl", "acks-0.2.jsonl") for line in (DATA / name).read_text().splitlines()]
    lines *= 40
    lines += ["", "oops", '{"error": {"code": 404}}', '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601}}']
    lines += [json.dumps({"code": 4018, "message": "m", "details": {"reason": "gone", "n": i}}) for i in range(500)]
    path = tmp_path_factory.mktemp("log") / "acks.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def table(log: Path) -> Counter[Row]:
    """What the command counts."""
    done = subprocess.run(
        [sys.executable, "-m", "ackguard", "triage", "--json", str(log)], capture_output=True, check=False
    )
    rows = json.loads(done.stdout)["rows"]
    counts = Counter({tuple(row.get(key) for key in KEYS): row["count"] for row in rows})
    assert counts.total() > 10_000
    return counts


def guide() -> Any:
    """The guide's own way, with which Spark's workers need no file of ours."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(FRAMES.read_text(), FRAMES, "exec"), scope)
    return SimpleNamespace(**scope)


def counted(batch: Any) -> Counter[Row]:
    return Counter(tuple(row[key] for key in KEYS) for row in batch.to_pylist() if row["kind"] is not None)


def test_pyarrow(log: Path, table: Counter[Row]) -> None:
    lines = pa.array(log.read_text().splitlines())
    assert counted(classify_batch(lines, records=True)) == table


def test_polars(log: Path, table: Counter[Row]) -> None:
    frame = polars.DataFrame({"line": log.read_text().splitlines()})
    verdicts = polars.from_arrow(classify_batch(frame["line"], records=True))
    assert isinstance(verdicts, polars.DataFrame)
    assert classify_batch(frame, records=True).to_pylist() == verdicts.to_dicts()
    groups = verdicts.drop_nulls("kind").group_by(KEYS).len().to_dicts()
    assert {tuple(row[key] for key in KEYS): row["len"] for row in groups} == table
    wide = frame.with_columns(number=1)
    assert counted(classify_batch(wide, column="line", records=True)) == table
    assert polars.Series(scrub_batch(frame["line"]).column("value")).len() == frame.height


def test_duckdb(log: Path, table: Counter[Row]) -> None:
    connection = duckdb.connect()
    source = connection.sql(
        f"select line from read_csv('{log}', columns={{'line': 'varchar'}}, delim='\\0', quote='', escape='', "
        "header=false, auto_detect=false, null_padding=true)"
    )
    # Not classify_batches: a connection cannot work at two queries at once, one of which reads the other's rows.
    verdicts = classify_batch(source, records=True)
    groups = connection.sql(
        "select kind, code, reason, outcome, count(*) as many from verdicts where kind is not null group by all"
    ).fetchall()
    assert {row[:4]: row[4] for row in groups} == table
    assert verdicts is not None


def test_spark(log: Path, table: Counter[Row], monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.sql import SparkSession

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
        .config("spark.sql.warehouse.dir", str(log.parent / "warehouse"))
        .getOrCreate()
    )
    try:
        groups = guide().table_of_a_log(spark, str(log)).collect()
        assert {tuple(row[key] for key in KEYS): row["count"] for row in groups} == table
    finally:
        spark.stop()
