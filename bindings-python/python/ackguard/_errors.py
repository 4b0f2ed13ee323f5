"""The exceptions. They are defined here and raised from the extension.

Each survives pickling, copying and deep-copying with its attributes, its notes and its cause; a cause that does not
survive pickling itself is left out of a pickle. None shows `details`, a token or a peer's message in `str()` or
`repr()`.
"""

from __future__ import annotations

from ackguard._native import ErrorPayload, _malformed_payload

# Known to type checkers by its name; `typing` itself takes milliseconds to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    _E = TypeVar("_E", bound=BaseException)

__all__ = [
    "AckguardError",
    "BlobError",
    "InternalError",
    "MalformedErrorPayload",
    "ProtocolError",
    "SkillNameError",
    "SkillResourceError",
    "VersionError",
    "VersionMismatch",
]


def _restore(cls: type[_E], args: tuple[Any, ...]) -> _E:
    """Makes an exception without its `__init__`; the attributes follow."""
    error = cls.__new__(cls, *args)
    error.args = args
    return error


def _state(error: BaseException) -> dict[str, Any]:
    state = dict(error.__dict__)
    # BaseException's own reduction leaves the cause out.
    if error.__cause__ is not None:
        state["__cause__"] = error.__cause__
    state["__suppress_context__"] = error.__suppress_context__
    return state


def _survives(value: object) -> bool:
    """Whether pickling keeps a value. Of what exceptions hold, other libraries' exceptions often do not: they hold a
    lock or a socket, or cannot be made again from their `args`."""
    # Ours see to themselves.
    if not isinstance(value, BaseException) or isinstance(value, AckguardError):
        return True
    import pickle

    try:
        pickle.loads(pickle.dumps(value))
    except Exception:
        return False
    return True


def _deep(value: Any, memo: dict[int, Any]) -> Any:
    """A deep copy, but of an exception that cannot be copied, the exception itself."""
    from copy import deepcopy

    try:
        return deepcopy(value, memo)
    except Exception:
        if isinstance(value, BaseException):
            return value
        raise


class AckguardError(Exception):
    """The base of everything that ackguard raises about what it was given to judge."""

    code: int | Any = 500
    """The code with which a Server or a Computer would answer."""

    def to_payload(self) -> ErrorPayload:
        """The error as an answer for the wire."""
        return ErrorPayload(500, "Internal Error")

    def __reduce__(self) -> tuple[Callable[..., BaseException], tuple[Any, ...], dict[str, Any]]:
        state = {name: value if _survives(value) else None for name, value in _state(self).items()}
        return _restore, (type(self), self.args), state

    def __copy__(self) -> AckguardError:
        twin = _restore(type(self), self.args)
        twin.__setstate__(_state(self))
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> AckguardError:
        twin = _restore(type(self), _deep(self.args, memo))
        memo[id(self)] = twin
        twin.__setstate__({name: _deep(value, memo) for name, value in _state(self).items()})
        return twin


class InternalError(AckguardError):
    """A defect of ackguard itself: the extension panicked. Please report it."""

    def __init__(self, message: str = "ackguard panicked") -> None:
        super().__init__(message)


class SkillNameError(AckguardError, ValueError):
    """The lexer refused a SKILL name (4016)."""

    code: int = 4016

    def __init__(
        self,
        message: str,
        *,
        reason: str = "bad_char",
        segment: int | None = None,
        span: tuple[int, int] = (0, 0),
        name: str = "",
    ) -> None:
        super().__init__(message)
        self.reason = reason
        """Why, such as `"empty_segment"` or `"bad_char"`."""
        self.segment = segment
        """Which segment is wrong, from 0; None if it is the text as a whole."""
        self.span = span
        """Where to underline: start and end in characters of the str that was read."""
        self.name = name
        """The refused text; of one that is longer than 1024 bytes the first 256 and an ellipsis."""

    def to_payload(self) -> ErrorPayload:
        return ErrorPayload.invalid_skill_name(self.name)


class SkillResourceError(AckguardError):
    """A file of a SKILL package is not accessible (4017)."""

    code: int = 4017

    def __init__(
        self, message: str, *, reason: str = "not_found", rel_path: str | None = None, total_size: int | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        """`"traversal"`, `"forbidden"`, `"not_found"` or `"too_large"`."""
        self.rel_path = rel_path
        """The path as it was given; one of more than 4096 bytes is cut and ends with an ellipsis."""
        self.total_size = total_size
        """The size in bytes, for `"too_large"`."""

    def to_payload(self) -> ErrorPayload:
        return ErrorPayload.skill_resource_not_accessible(self.reason, self.rel_path, self.total_size)


class BlobError(AckguardError):
    """The bytes behind a handle cannot be served (4018)."""

    code: int = 4018

    def __init__(self, message: str, *, reason: str = "range") -> None:
        super().__init__(message)
        self.reason = reason
        """`"range"`, or what the host decided: `"invalid_handle"`, `"forbidden"`, `"gone"`."""

    def to_payload(self) -> ErrorPayload:
        return ErrorPayload.blob_not_accessible(self.reason)


class VersionError(AckguardError, ValueError):
    """A text is no protocol version. Says why and where, never what stood there."""

    code: int = 400

    def __init__(self, message: str, *, reason: str = "expected_digit", position: int = 0) -> None:
        super().__init__(message)
        self.reason = reason
        """Why, such as `"leading_zero"`."""
        self.position = position
        """Where, in characters from 0."""

    def to_payload(self) -> ErrorPayload:
        return ErrorPayload(self.code, str(self))


class ProtocolError(AckguardError):
    """A peer answered with a protocol error. `str()` shows its code and the code's title, nothing of the peer's."""

    def __init__(self, payload: ErrorPayload) -> None:
        if not isinstance(payload, ErrorPayload):
            raise TypeError(f"argument 'payload': expected an ErrorPayload, not {type(payload).__name__}")
        super().__init__(payload)
        self.code: int = payload.code
        """The payload's code."""
        self.payload = payload
        """What the peer sent."""

    @property
    def reason(self) -> str | None:
        """The payload's `details.reason`."""
        return self.payload.reason

    def to_payload(self) -> ErrorPayload:
        return self.payload

    def __str__(self) -> str:
        return str(self.payload)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


class VersionMismatch(ProtocolError):
    """The two sides speak protocol versions that do not go together (4008). Disconnect; never retry silently."""

    def __init__(self, payload: ErrorPayload) -> None:
        super().__init__(payload)
        self.message: str | None = payload.message
        """The server's text, for logs; None where the answer had none."""

    @property
    def server_version(self) -> str | None:
        """The server's version, as it came."""
        return self.payload.server_version

    @property
    def client_version(self) -> str | None:
        """The client's version, as the server read it."""
        return self.payload.client_version

    @property
    def min_supported(self) -> str | None:
        """The lowest version that the server supports, as it came."""
        return self.payload.min_supported

    @property
    def max_supported(self) -> str | None:
        """The highest version that the server supports, as it came."""
        return self.payload.max_supported

    def __str__(self) -> str:
        return self.payload.public_message("en")


class MalformedErrorPayload(AckguardError):
    """A peer's answer plainly tries to be an error and breaks the contract. It is never unwrapped."""

    code: int = 500

    def __init__(self, message: str = "malformed error payload", *, violations: Sequence[str] = ()) -> None:
        super().__init__(message)
        if isinstance(violations, str) or not hasattr(violations, "__iter__"):
            raise TypeError(f"argument 'violations': expected a list of str, not {type(violations).__name__}")
        violations = list(violations)
        for violation in violations:
            if not isinstance(violation, str):
                raise TypeError(f"argument 'violations': expected str, not {type(violation).__name__}")
        self.violations = violations
        """How it breaks the contract, such as `["nested_envelope"]`."""

    def to_payload(self) -> ErrorPayload:
        return _malformed_payload(self.violations)

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text}: {', '.join(self.violations)}" if self.violations else text


for _name in __all__:
    # Where a traceback, a log and a pickle say that they are from.
    globals()[_name].__module__ = "ackguard"


def _protocol_error(payload: ErrorPayload) -> ProtocolError:
    """The exception for a payload's code."""
    return VersionMismatch(payload) if payload.code == 4008 else ProtocolError(payload)
