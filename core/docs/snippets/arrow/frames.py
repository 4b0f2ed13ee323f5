"""Acks by the million: pyarrow, Polars, DuckDB, Spark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

# ANCHOR: arrow
from ackguard.arrow import classify_batch, classify_batches, scrub_batch


def failures(acks: pyarrow.ChunkedArray) -> pyarrow.Table:
    """How often each failure is in a column of JSON texts."""
    import pyarrow

    verdicts = pyarrow.table(classify_batch(acks))
    return verdicts.group_by(["kind", "code", "reason", "outcome"]).aggregate([([], "count_all")])


def without_secrets(lines: pyarrow.ChunkedArray) -> pyarrow.Array:
    """The same lines, fit to be shown around."""
    return scrub_batch(lines).column("value")


# ANCHOR_END: arrow


# ANCHOR: stream
def codes_of_a_file(path: str) -> set[int]:
    """The codes in a file that does not fit the memory, batch by batch."""
    from pyarrow import dataset

    acks = dataset.dataset(path).scanner(columns=["ack"]).to_reader()
    found: set[int] = set()
    for batch in classify_batches(acks):
        found.update(batch.column("code").drop_null().to_pylist())
    return found


# ANCHOR_END: stream


# ANCHOR: polars
def failing(frame: polars.DataFrame) -> polars.DataFrame:
    """The rows of a frame whose `ack` is an error, with what it is."""
    import polars

    verdicts = polars.from_arrow(classify_batch(frame["ack"]))
    return frame.hstack(verdicts).filter(polars.col("kind") == "error")


# ANCHOR_END: polars


# ANCHOR: duckdb
def most_frequent(path: str) -> list[tuple[int, int]]:
    """The codes in a Parquet file with how often they are there, the most frequent first."""
    import duckdb

    # All at once: a connection cannot read from one of its queries while it works at another.
    verdicts = classify_batch(duckdb.read_parquet(path).select("ack"))
    errors = duckdb.from_arrow(verdicts).filter("kind = 'error'")
    return errors.aggregate("code, count(*) as many", "code").order("many desc").fetchall()


# ANCHOR_END: duckdb


# ANCHOR: spark
def triage(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    for batch in batches:
        # One thread: Spark has given this task one processor.
        yield classify_batch(batch, records=True, threads=1)


def table_of_a_log(spark: SparkSession, path: str) -> DataFrame:
    """What `ackguard triage` prints of a log, from as many machines as there are."""
    columns = "kind string, code long, reason string, outcome string, retry_action string, findings int"
    verdicts = spark.read.text(path).mapInArrow(triage, columns)
    return verdicts.where("kind is not null").groupBy("kind", "code", "reason", "outcome").count()


# ANCHOR_END: spark
