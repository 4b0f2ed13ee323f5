"""Finding the server's answer to a handshake in whatever a client library raised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ackguard._errors import VersionMismatch
from ackguard._native import ErrorPayload, _parse_handshake_body, parse_handshake_failure, parse_handshake_text

# Known to type checkers by its name; `typing` itself takes milliseconds to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A chain or a group of exceptions may be longer; what matters is near the top.
_MOST = 100


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception, then what it was raised from, what it holds, and what was being handled."""
    seen: set[int] = set()
    waiting: list[BaseException] = [error]
    while waiting and len(seen) < _MOST:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        follow = [current.__cause__, current.__context__, *getattr(current, "exceptions", ())]
        waiting.extend(it for it in follow if isinstance(it, BaseException))


def _candidates(error: BaseException) -> Iterator[VersionMismatch | ErrorPayload | None]:
    # requests, httpx, websockets: the answer itself; aiohttp: its parts on the exception.
    response = getattr(error, "response", None)
    for holder in (response, error):
        status = next((it for it in (getattr(holder, n, None) for n in ("status_code", "status")) if it), None)
        if isinstance(status, int):
            body = next((it for it in (getattr(holder, n, None) for n in ("content", "body")) if it), None)
            if not isinstance(body, bytes | bytearray | str):
                body = None
            yield parse_handshake_failure(status, getattr(holder, "headers", None), body)
    for arg in error.args:
        if isinstance(arg, Mapping):
            yield _parse_handshake_body(arg)
        elif isinstance(arg, bytes | bytearray):
            yield parse_handshake_text(bytes(arg).decode("utf-8", "replace"))
        elif isinstance(arg, str):
            yield parse_handshake_text(arg)
    try:
        text: Any = str(error)
    except Exception:
        return
    yield parse_handshake_text(text)


def parse_handshake_exception(exc: BaseException) -> VersionMismatch | ErrorPayload | None:
    """The server's answer to a handshake, looked for in an exception, its causes and their `args`.

    A version mismatch anywhere wins over the server's 400. Nothing is raised: the result is a `VersionMismatch` to
    raise or show, an `ErrorPayload` with the code 400, or None for what is none of ours. python-engineio keeps the
    parsed body in `exc.__cause__.args[1]`; requests, httpx, aiohttp and websockets keep the answer on the exception.
    """
    if not isinstance(exc, BaseException):
        raise TypeError(f"argument 'exc': expected an exception, not {type(exc).__name__}")
    refused: ErrorPayload | None = None
    for error in _chain(exc):
        if isinstance(error, VersionMismatch):
            return error
        for found in _candidates(error):
            if isinstance(found, VersionMismatch):
                return found
            refused = refused or found
    return refused
