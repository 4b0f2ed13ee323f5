"""The page of the guide about columns does what it says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import polars
import pyarrow as pa
import pytest
from pyarrow import parquet

FILE = Path(__file__).parents[3] / "core" / "docs" / "snippets" / "arrow" / "frames.py"
ACKS = ['{"code": 4101, "message": "m"}', '{"code": 4101, "message": "n"}', '{"code": 404, "message": "m"}', "null"]


@pytest.fixture(scope="module")
def guide() -> ModuleType:
    spec = importlib.util.spec_from_file_location("frames", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "acks.parquet"
    parquet.write_table(pa.table({"at": [1, 2, 3, 4], "ack": ACKS}), path)
    return str(path)


def test_arrow(guide: ModuleType) -> None:
    rows = guide.failures(pa.chunked_array([ACKS])).to_pylist()
    counts = {(row["kind"], row["code"]): row["count_all"] for row in rows}
    assert counts == {("error", 4101): 2, ("error", 404): 1, ("none", None): 1}
    assert guide.without_secrets(pa.chunked_array([ACKS])).to_pylist() == ACKS


def test_stream(guide: ModuleType, file: str) -> None:
    assert guide.codes_of_a_file(file) == {4101, 404}


def test_polars(guide: ModuleType) -> None:
    frame = guide.failing(polars.DataFrame({"at": [1, 2, 3, 4], "ack": ACKS}))
    assert frame["at"].to_list() == [1, 2, 3]
    assert frame["code"].to_list() == [4101, 4101, 404]


def test_duckdb(guide: ModuleType, file: str) -> None:
    assert guide.most_frequent(file) == [(4101, 2), (404, 1)]
