"""The errors of an ACP client: what went wrong with an agent process that a host drives over stdio.

Branch on `code`, never on a message. The classes take the place of agentao's `acp_client.errors`: same names, same
constructors, same attributes.

>>> from ackguard import acp
>>> error = acp.AcpClientError("timed out", code=acp.AcpErrorCode.REQUEST_TIMEOUT)
>>> acp.retry_advice(error).action
'backoff'
>>> acp.reclassify_handshake(error, "helper")
True
>>> error.code is acp.AcpErrorCode.HANDSHAKE_FAIL, error.details["underlying_code"] is acp.AcpErrorCode.REQUEST_TIMEOUT
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from ackguard._errors import AckguardError
from ackguard._native import (
    Ledger,
    _acp_advice,
    _acp_classify,
    _acp_config,
    _acp_initialize,
    _acp_is_recorded,
    _acp_message,
    _acp_missing,
    _acp_payload,
    _acp_phase,
    _acp_plan,
    _acp_session,
    method_not_found_reply,
    readiness,
    rpc_code_name,
)

# Known to type checkers by its name; `typing` itself takes milliseconds to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from ackguard._native import ErrorPayload

__all__ = [
    "AcpClientError",
    "AcpErrorCode",
    "AcpInteractionRequiredError",
    "AcpRpcError",
    "AcpServerNotFound",
    "ErrorLedger",
    "LastError",
    "RetryAdvice",
    "check_initialize_result",
    "check_session_result",
    "classify_failure",
    "is_handshake_failure",
    "method_not_found_reply",
    "missing_details",
    "parse_config",
    "readiness",
    "reclassify_handshake",
    "records_last_error",
    "retry_advice",
    "rpc_code_name",
]


class AcpErrorCode(str, Enum):
    """What went wrong, as the string on the wire says it. Exactly nine."""

    CONFIG_INVALID = "config_invalid"
    SERVER_NOT_FOUND = "server_not_found"
    PROCESS_START_FAIL = "process_start_fail"
    HANDSHAKE_FAIL = "handshake_fail"
    REQUEST_TIMEOUT = "request_timeout"
    TRANSPORT_DISCONNECT = "transport_disconnect"
    INTERACTION_REQUIRED = "interaction_required"
    PROTOCOL_ERROR = "protocol_error"
    SERVER_BUSY = "server_busy"


def _copied(given: Any, argument: str, make: Callable[..., Any], expected: str) -> Any:
    """A copy of what was given, for which nothing stands as well."""
    if not given:
        return make()
    try:
        return make(given)
    except (TypeError, ValueError):
        raise TypeError(f"argument '{argument}': expected {expected}, not {type(given).__name__}") from None


class AcpClientError(AckguardError):
    """A failure of an ACP client. `code` and `details` can be assigned; `str()` is the message."""

    code: AcpErrorCode | Any

    def __init__(
        self,
        message: str,
        *,
        code: AcpErrorCode = AcpErrorCode.PROTOCOL_ERROR,
        details: Mapping[str, Any] | None = None,
        cause: BaseException | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        """One of the nine; for an `AcpRpcError` the JSON-RPC integer."""
        self.details: dict[str, Any] = _copied(details, "details", dict, "a mapping")
        """What else is known: a copy of what was given."""
        self.cause = cause
        """What led to it."""

    def to_payload(self) -> ErrorPayload:
        """The error as an answer for the A2C-SMCP wire: code 500, with its own code as `details.error_code`.

        Message and details are scrubbed; how the process was started and what it wrote are left out.
        """
        _, code, number, details = _read(self)
        return _acp_payload(code, number, str(self), details)

    def __str__(self) -> str:
        # Not KeyError's, which would quote it.
        return str(self.args[0]) if self.args else ""

    def __repr__(self) -> str:
        # Neither the message nor the values of the details: an agent may have put anything there.
        code = self.code.value if isinstance(self.code, AcpErrorCode) else self.code
        return f"{type(self).__name__}(code={code!r}, details={sorted(map(str, self.details or ()))})"


class AcpServerNotFound(AcpClientError, KeyError):
    """No server of that name is declared. Also a `KeyError`."""

    def __init__(self, name: str) -> None:
        super().__init__(
            _acp_message("server_not_found", name, ""), code=AcpErrorCode.SERVER_NOT_FOUND, details={"server": name}
        )
        self.server_name = name


class AcpRpcError(AcpClientError):
    """The agent answered with a JSON-RPC error. Its `error_code` is always `PROTOCOL_ERROR`; `code` is the integer."""

    def __init__(
        self,
        rpc_code: int | None = None,
        rpc_message: str | None = None,
        data: Any = None,
        *,
        code: int | None = None,
        message: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        if rpc_code is None:
            rpc_code = -1 if code is None else code
        if rpc_message is None:
            rpc_message = "" if message is None else message
        super().__init__(_acp_message("rpc", rpc_code, rpc_message), details=details)
        self.code = rpc_code
        self.error_code = AcpErrorCode.PROTOCOL_ERROR
        self.rpc_code = rpc_code
        self.rpc_message = rpc_message
        self.data = data


class AcpInteractionRequiredError(AcpClientError):
    """The agent asked for permission or input in a call that is not interactive. The method is in `details` only."""

    def __init__(
        self,
        *,
        server: str,
        method: str,
        prompt: str = "",
        options: Sequence[Any] | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        self.options: list[Any] = _copied(options, "options", list, "a list")
        asked: dict[str, Any] = {
            "server": server,
            "method": method,
            "prompt": prompt,
            # A list of its own: handlers may change either.
            "options": list(self.options),
        }
        asked.update(_copied(details, "details", dict, "a mapping"))
        super().__init__(
            _acp_message("interaction_required", server, ""), code=AcpErrorCode.INTERACTION_REQUIRED, details=asked
        )
        self.server = server
        self.prompt = prompt


class RetryAdvice:
    """May the call be tried again (`retryable`), and what has to happen first (`action`)."""

    __slots__ = ("action", "retryable")

    def __init__(self, retryable: bool, action: str) -> None:
        self.retryable = retryable
        self.action = action

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RetryAdvice):
            return NotImplemented
        return (self.retryable, self.action) == (other.retryable, other.action)

    def __hash__(self) -> int:
        return hash((self.retryable, self.action))

    def __repr__(self) -> str:
        return f"RetryAdvice(retryable={self.retryable!r}, action={self.action!r})"


class LastError:
    """The last error of a server, as it was when it was recorded."""

    __slots__ = ("at", "code", "details", "kind", "message", "rpc_code", "truncated")

    def __init__(
        self,
        *,
        kind: str,
        code: AcpErrorCode,
        rpc_code: int | None,
        message: str,
        details: dict[str, Any],
        truncated: bool,
        at: datetime,
    ) -> None:
        self.kind = kind
        self.code = code
        self.rpc_code = rpc_code
        self.message = message
        self.details = details
        self.truncated = truncated
        self.at = at

    def __repr__(self) -> str:
        return f"LastError(code={self.code.value!r}, at={self.at.isoformat()!r})"


# The classes whose rules differ, by name: agentao's are read as well as these.
_KINDS = {
    "AcpRpcError": "rpc",
    "AcpServerNotFound": "server_not_found",
    "AcpInteractionRequiredError": "interaction_required",
    "AcpClientError": "client",
}


def _kind(error: BaseException) -> str | None:
    return next((_KINDS[it.__name__] for it in type(error).__mro__ if it.__name__ in _KINDS), None)


def _read(error: BaseException, argument: str = "error") -> tuple[str, str, int | None, Mapping[str, Any]]:
    """An error's kind, its code, its JSON-RPC number and its details."""
    kind = _kind(error)
    if kind is None:
        raise TypeError(f"argument '{argument}': expected an AcpClientError, not {type(error).__name__}")
    code: Any = AcpErrorCode.PROTOCOL_ERROR if kind == "rpc" else getattr(error, "code", None)
    try:
        code = AcpErrorCode(getattr(code, "value", code))
    except ValueError:
        # A code that is none of the nine says no more than that something is wrong.
        code = AcpErrorCode.PROTOCOL_ERROR
    number = getattr(error, "rpc_code", None)
    if not isinstance(number, int) or isinstance(number, bool) or number.bit_length() > 126:
        number = None
    details = getattr(error, "details", None)
    return kind, code.value, number, details if isinstance(details, Mapping) else {}


def reclassify_handshake(error: BaseException, server: str) -> bool:
    """Marks an error that was raised during `initialize` or `session/new`, in place.

    Says whether it counts as a failure of the handshake. Applying it twice changes nothing; an exception that is no
    ACP client error is left as it is and does not count.
    """
    if _kind(error) is None:
        return False
    kind, code, number, details = _read(error)
    has = [details.get(key) is not None for key in ("server", "underlying_code")]
    new_code, counts, writes = _acp_plan(kind, code, number, server, *has)
    if new_code is not None:
        if "underlying_code" in writes:
            # The member itself, which handlers compare by identity; it is a str, and JSON, as well.
            writes["underlying_code"] = _own_code(error, writes["underlying_code"])
        error.code = _own_code(error, new_code)  # type: ignore[attr-defined]
    if writes:
        if not isinstance(getattr(error, "details", None), dict):
            error.details = dict(details)  # type: ignore[attr-defined]
        error.details.update(writes)  # type: ignore[attr-defined]
    return counts


def _own_code(error: BaseException, text: str) -> Any:
    """The code of this text, of the enum that the error uses."""
    current = getattr(error, "code", None)
    enum = type(current) if isinstance(current, Enum) and isinstance(current, str) else AcpErrorCode
    try:
        return enum(text)
    except ValueError:
        return AcpErrorCode(text)


def is_handshake_failure(error: BaseException) -> bool:
    """Whether an error was raised in the handshake: `details["phase"]` is `"handshake"`, for every class."""
    key, phase = _acp_phase()
    details = getattr(error, "details", None)
    return isinstance(details, Mapping) and details.get(key) == phase


def retry_advice(error: BaseException) -> RetryAdvice:
    """Whether the call may be tried again, and what has to happen first."""
    kind, code, number, _ = _read(error)
    return RetryAdvice(*_acp_advice(kind, code, is_handshake_failure(error), number))


def records_last_error(error: BaseException) -> bool:
    """Whether an error becomes its server's last error: a busy server and an undeclared name do not."""
    kind, code, _, _ = _read(error)
    return _acp_is_recorded("protocol_error" if kind == "rpc" else code)


def missing_details(error: BaseException) -> list[str]:
    """The keys that `details` should have with the error's code and that are absent or None."""
    _, code, _, details = _read(error)
    return _acp_missing(code, [key for key, value in details.items() if isinstance(key, str) and value is not None])


def _made(told: Mapping[str, Any]) -> AcpClientError:
    """The exception for what the core tells of an error."""
    error: AcpClientError
    if told["kind"] == "rpc":
        error = AcpRpcError(told["rpc_code"], told["rpc_message"], told["data"])
    elif told["kind"] == "interaction_required":
        error = AcpInteractionRequiredError(
            server=told["server"], method=told["method"], prompt=told["prompt"], options=told["options"]
        )
    elif told["kind"] == "server_not_found":
        error = AcpServerNotFound(told["details"].get("server", ""))
    else:
        error = AcpClientError(told["message"], code=AcpErrorCode(told["code"]))
    error.args = (told["message"],)
    error.details = dict(told["details"])
    underlying = error.details.get("underlying_code")
    if underlying is not None:
        error.details["underlying_code"] = AcpErrorCode(underlying)
    return error


def classify_failure(
    response: Any = None,
    *,
    expected_id: float | str | None = None,
    exit_code: int | None = None,
    timeout: float | None = None,
    io_error: BaseException | type[BaseException] | str | int | None = None,
    interaction: Mapping[str, Any] | None = None,
    server: str | None = None,
    method: str | None = None,
) -> AcpClientError | None:
    """The error for what a host saw, or None where the response is a success. Returned, not raised.

    `response` is a line (bytes or str) or what a JSON parser made of it; `io_error` an exception, an errno or the name
    of one; `timeout` in seconds; `interaction` has `method`, `prompt` and `options`.
    """
    told = _acp_classify(
        response,
        expected_id=expected_id,
        exit_code=exit_code,
        timeout=timeout,
        io_error=io_error,
        interaction=interaction,
        server=server,
        method=method,
    )
    return None if told is None else _made(told)


def parse_config(text: str | bytes | bytearray | memoryview, env: Mapping[str, str]) -> dict[str, Any]:
    """Reads a host's table of servers, `{"servers": {name: {...}}}`, with the variables in `env` values expanded.

    Raises one `AcpClientError` with the code `CONFIG_INVALID`; `details["problems"]` lists everything that is wrong.
    Variables are looked up in `env` and nowhere else.
    """
    if not isinstance(env, Mapping):
        raise TypeError(f"argument 'env': expected a mapping, not {type(env).__name__}")
    ok, value = _acp_config(text, env)
    if not ok:
        raise _made(value)
    config: dict[str, Any] = value
    return config


def check_initialize_result(result: Any) -> int:
    """The protocol version that the agent chose; raises `HANDSHAKE_FAIL` where the result has none."""
    ok, value = _acp_initialize(result)
    if not ok:
        raise _made(value)
    version: int = value
    return version


def check_session_result(result: Any) -> str:
    """The session's id; raises `HANDSHAKE_FAIL` where the result has none."""
    ok, value = _acp_session(result)
    if not ok:
        raise _made(value)
    session: str = value
    return session


class ErrorLedger:
    """What went wrong last, server by server. Safe to use from many threads.

    A success does not clear an entry; a newer error replaces it; `reset` clears it. Memory is bounded: long messages
    and details are cut, and of more than 1024 servers the oldest errors are forgotten.
    """

    __slots__ = ("_clock", "_ledger")

    def __init__(self, clock: Callable[[], datetime | float] | None = None) -> None:
        self._ledger = Ledger()
        self._clock = clock

    def record(self, server: str, error: BaseException, now: datetime | float | None = None) -> bool:
        """Remembers an error as the last one of `server`, and says whether it did.

        `now` is a datetime (a naive one is UTC) or seconds since 1970; without it the ledger's clock is asked.
        """
        kind, code, number, details = _read(error)
        if now is None and self._clock is not None:
            now = self._clock()
        micros = None if now is None else _micros(now)
        return self._ledger.record(server, kind, code, str(error), details, number, micros)

    def last_error(self, server: str) -> LastError | None:
        """The last error of `server`, if there was one since the last reset."""
        last = self._ledger.last_error(server)
        if last is None:
            return None
        from datetime import datetime, timedelta, timezone

        kind, code, number, message, details, truncated, micros = last
        at = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=micros)
        return LastError(
            kind=kind,
            code=AcpErrorCode(code),
            rpc_code=number,
            message=message,
            details=details,
            truncated=truncated,
            at=at,
        )

    def reset(self, server: str) -> bool:
        """Forgets the last error of `server`, and says whether there was one."""
        return self._ledger.reset(server)


def _micros(now: datetime | float) -> int:
    if isinstance(now, int | float) and not isinstance(now, bool):
        micros = now * 1_000_000
        if micros != micros:
            raise ValueError("argument 'now': not a number")
        return int(max(min(micros, 2**62), -(2**62)))
    from datetime import datetime, timedelta, timezone

    if not isinstance(now, datetime):
        raise TypeError(f"argument 'now': expected a datetime or seconds, not {type(now).__name__}")
    if now.tzinfo is None:
        now = now.replace(tzinfo=timezone.utc)
    return (now - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)
