"""Finding the server's answer to a handshake in whatever a client library raised."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

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
        held = _first(current, "exceptions")
        follow = [current.__cause__, current.__context__, *(held if isinstance(held, list | tuple) else ())]
        waiting.extend(it for it in follow if isinstance(it, BaseException))


def _first(holder: object, *names: str) -> Any:
    """The first of these attributes that has something. One may be a property that fails: httpx and requests do so
    for the body of an answer that was streamed."""
    for name in names:
        try:
            value = getattr(holder, name, None)
        except Exception:
            continue
        # By itself an answer of requests is false where it is a refusal.
        if value is not None and (not isinstance(value, bytes | str) or value):
            return value
    return None


def _read(reader: Callable[[Any], Any], value: object) -> Any:
    """What a reader makes of a value that may run code of its own."""
    try:
        return reader(value)
    except Exception:
        return None


def _answer(status: int, headers: Any, body: Any) -> VersionMismatch | ErrorPayload | None:
    # The header alone, or the body alone, where the other is nothing that can be read.
    for parts in ((headers, body), (headers, None), (None, body)):
        try:
            return parse_handshake_failure(status, *parts)
        except Exception:
            continue
    return None


def _candidates(error: BaseException) -> Iterator[VersionMismatch | ErrorPayload | None]:
    # requests, httpx, websockets: the answer itself; aiohttp, websocket-client: its parts on the exception.
    for holder in (_first(error, "response"), error):
        status = _first(holder, "status_code", "status")
        if isinstance(status, int):
            headers = _first(holder, "headers", "resp_headers")
            body = _first(holder, "content", "body", "resp_body")
            if not isinstance(body, bytes | bytearray | memoryview | str | Mapping):
                body = None
            yield _answer(status, headers, body)
    for arg in error.args:
        if isinstance(arg, Mapping):
            yield _read(_parse_handshake_body, arg)
        elif isinstance(arg, bytes | bytearray):
            yield parse_handshake_text(bytes(arg).decode("utf-8", "replace"))
        elif isinstance(arg, str):
            yield parse_handshake_text(arg)
    text = _read(str, error)
    if text:
        yield parse_handshake_text(text)


def parse_handshake_exception(exc: BaseException) -> VersionMismatch | ErrorPayload | None:
    """The server's answer to a handshake, looked for in an exception, its causes and their `args`.

    A version mismatch anywhere wins over the server's 400. Nothing is raised: the result is a `VersionMismatch` to
    raise or show, an `ErrorPayload` with the code 400, or None for what is none of ours. python-engineio keeps the
    parsed body in `exc.__cause__.args[1]`; requests, httpx, aiohttp, websockets and websocket-client keep the answer
    on the exception.
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
