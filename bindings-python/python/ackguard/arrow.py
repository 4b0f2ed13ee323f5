"""Columns of payloads, over the Arrow C data interface: what each row is, and each row without its secrets.

An input is whatever can be asked for Arrow data: an array, a chunked array or a table of pyarrow, a column or a frame
of Polars, a relation of DuckDB, a reader of batches. No row becomes a Python object, other threads of the interpreter
go on meanwhile, and all processors are used. Needs pyarrow: `pip install 'ackguard[arrow]'`.

>>> import pyarrow
>>> from ackguard.arrow import classify_batch
>>> batch = classify_batch(pyarrow.array(['{"code": 4101, "message": "Room full"}', "[true, null]", None]))
>>> batch.to_pydict()["kind"], batch.to_pydict()["code"]
(['error', 'event_result', None], [4101, None, None])
"""

from __future__ import annotations

from ackguard._native import _arrow_classify, _arrow_scrub

# Known to type checkers by its name; `typing` itself takes milliseconds to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Protocol

    import pyarrow

    class _ArrayExportable(Protocol):
        """What gives one Arrow array, such as `pyarrow.Array` or `pyarrow.RecordBatch`."""

        def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

    class _StreamExportable(Protocol):
        """What gives several, such as `pyarrow.ChunkedArray`, `pyarrow.Table` or a frame of Polars."""

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

    _Values = _ArrayExportable | _StreamExportable
    _Dialect = Literal["0.2", "0.3", "0.4"]
    _Rules = Literal["details", "auth_hint", "strict_auth_hint"]

__all__ = ["classify_batch", "classify_batches", "scrub_batch", "scrub_batches"]


def _pyarrow() -> Any:
    """pyarrow, which only this module needs: the package itself is installed without it."""
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise ModuleNotFoundError(
            "ackguard.arrow needs pyarrow: pip install 'ackguard[arrow]'", name="pyarrow"
        ) from None
    return pyarrow


def classify_batch(
    values: _Values,
    *,
    column: str | None = None,
    dialect: _Dialect = "0.2",
    records: bool = False,
    threads: int | None = None,
) -> pyarrow.RecordBatch:
    """What each row is: `kind`, `code`, `reason`, `outcome`, `retry_action` and the number of `findings`.

    Rows are JSON texts, as strings or binary. A null stays null in every column; what is not JSON is of kind
    `"invalid"`. `code` is the error's code or the JSON-RPC number, `reason` one of the known reasons or another plain
    word (`"other"` for what is none), `findings` how many things were found that must not be there.

    `column` names the column of a table. With `records` a row is read as `ackguard triage` reads a line of a log: a
    payload, or a record of an event and its ack; a blank line is null. `threads` is the most threads that are used,
    by default one for each processor.
    """
    return _pyarrow().record_batch(
        _arrow_classify(values, column=column, dialect=dialect, records=records, threads=threads)
    )


def classify_batches(
    values: _Values,
    *,
    column: str | None = None,
    dialect: _Dialect = "0.2",
    records: bool = False,
    threads: int | None = None,
) -> pyarrow.RecordBatchReader:
    """The same, one batch for each of the input, when it is asked for: memory holds no more than one of each."""
    return _pyarrow().RecordBatchReader.from_stream(
        _arrow_classify(values, column=column, dialect=dialect, records=records, threads=threads)
    )


def scrub_batch(
    values: _Values, *, column: str | None = None, rules: _Rules = "details", threads: int | None = None
) -> pyarrow.RecordBatch:
    """Each row without what must not be in it: `value`, and the number of `findings`.

    A row in which nothing was found comes back as it is, byte for byte. What is not JSON is scrubbed as the text that
    it is. `rules` are those for `"details"`, which suit any part of a log, for an `"auth_hint"`, or for an
    `"strict_auth_hint"`, of which only the known members stay.
    """
    return _pyarrow().record_batch(_arrow_scrub(values, column=column, rules=rules, threads=threads))


def scrub_batches(
    values: _Values, *, column: str | None = None, rules: _Rules = "details", threads: int | None = None
) -> pyarrow.RecordBatchReader:
    """The same, one batch for each of the input, when it is asked for: memory holds no more than one of each."""
    return _pyarrow().RecordBatchReader.from_stream(_arrow_scrub(values, column=column, rules=rules, threads=threads))
