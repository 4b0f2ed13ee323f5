"""The extension module behind `ackguard`. Private: what is public is exported there."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Final, Literal, TypeAlias, final

from ackguard._errors import VersionMismatch

_Kind: TypeAlias = Literal[
    "error", "tool_result", "event_result", "rpc_error", "malformed_error", "none", "data", "invalid"
]
_Outcome: TypeAlias = Literal[
    "cancelled", "timed_out", "authorization_required", "authorization_failed", "failed", "completed"
]
_Automatic: TypeAlias = Literal["no", "once", "optional"]
_Action: TypeAlias = Literal[
    "none",
    "fix_request",
    "reauthenticate",
    "backoff",
    "refresh_tools",
    "confirm",
    "authorize",
    "review_authorization",
    "upgrade",
    "refresh_servers",
    "skip_server",
    "use_listed_name",
    "use_skill_body",
    "report_size",
    "remint_handle",
    "fix_range",
    "join_room",
    "authenticate",
    "report_bug",
    "operator",
]
_Readiness: TypeAlias = Literal["ready", "busy", "failed", "not_ready"]

VERSION: Final[str]
PROTOCOL_VERSION: Final[str]

# --- payloads ----------------------------------------------------------------------------------------------

@final
class Classified:
    """A payload's verdict. The typed views are read when they are asked for, once.

    Those of a Python object are read from the object as it is then: do not change it in between.
    """

    @property
    def kind(self) -> _Kind:
        """What the payload is."""
    @property
    def error(self) -> ErrorPayload | None:
        """For `"error"`: the typed error."""
    @property
    def tool_result(self) -> ToolResult | None:
        """For `"tool_result"`: how the call ended, with the hint already scrubbed."""
    @property
    def event_result(self) -> EventResult | None:
        """For `"event_result"`: whether it succeeded, and the reason."""
    @property
    def rpc_error(self) -> RpcErrorView | None:
        """For `"rpc_error"`: the JSON-RPC error."""
    @property
    def violations(self) -> list[str]:
        """What breaks the contract although it could be understood, such as `"field_type:capability"`."""
    @property
    def retry(self) -> RetryAdvice | None:
        """The retry advice, for every kind that has one."""

def classify(value: object, *, dialect: str = "0.2") -> Classified:
    """Classifies any Python object, as a parser gave it.

    Dicts, lists, tuples, Mappings, Sequences, pydantic models and dataclasses are read where they lie, and only what
    matters of them. Never fails on content; an exception raised by the object's own code passes through unchanged.
    """

def classify_json(text: bytes | bytearray | memoryview | str, *, dialect: str = "0.2") -> Classified:
    """Classifies JSON text. What is not JSON (RFC 8259, in UTF-8) is of kind `"invalid"`."""

def classify_ack_args(args: Sequence[object], *, dialect: str = "0.2") -> Classified:
    """Classifies the list of arguments with which some Socket.IO clients call an ack callback."""

def raise_for_error(value: object, *, dialect: str = "0.2") -> None:
    """Raises the `ProtocolError` (or its subclass) of an `"error"`, and `MalformedErrorPayload` for a malformed one.

    `value` may be a `Classified` as well. Returns None for everything else.
    """

@final
class ErrorPayload(Mapping[str, Any]):
    """A protocol error in the flat shape: `code`, `message`, the code's own fields, `details`.

    `details` is for logs and debugging: show people `public_message()`, and log `log_fields()`. It is also a read-only
    mapping of its wire shape in dialect 0.2, so that `dict(payload)` is what an ack carries.

    A keyword is one of the code's standard fields (`server` stands for either dialect's key), a standard key of
    `details`, `trace_id`, `details` as a whole, or any further field at the top level. None is left out.
    """

    def __new__(cls, code: int, message: str, **fields: Any) -> ErrorPayload: ...
    @staticmethod
    def not_found(message: str, computer_name: str | None = None) -> ErrorPayload:
        """404: what was asked for is missing; `computer_name` where a Computer was looked for."""
    @staticmethod
    def version_mismatch(
        server_version: str, client_version: str, min_supported: str, max_supported: str
    ) -> ErrorPayload:
        """4008, with the four versions that it has to carry."""
    @staticmethod
    def mcp_server_not_found(server: str) -> ErrorPayload:
        """4014: the MCP server is not registered."""
    @staticmethod
    def skill_not_found(name: str) -> ErrorPayload:
        """4014 for a SKILL: the name is well formed but unknown, uninstalled or orphaned."""
    @staticmethod
    def mcp_capability_not_supported(server: str, capability: str) -> ErrorPayload:
        """4015: the MCP server has not declared the capability."""
    @staticmethod
    def invalid_skill_name(name: str | None = None) -> ErrorPayload:
        """4016: the lexer refused the name."""
    @staticmethod
    def skill_resource_not_accessible(
        reason: str, rel_path: str | None = None, total_size: int | None = None
    ) -> ErrorPayload:
        """4017. `total_size` is in bytes and belongs to the reason `too_large`; with any other it is left out."""
    @staticmethod
    def blob_not_accessible(reason: str) -> ErrorPayload:
        """4018: the bytes behind a handle cannot be served."""
    @staticmethod
    def blob_write_failed(reason: str, upload_id: str | None = None, total_size: int | None = None) -> ErrorPayload:
        """4019, dialect 0.3: an upload was refused or failed. `total_size` is in bytes."""
    @property
    def code(self) -> int:
        """The code's number."""
    @property
    def name(self) -> str | None:
        """The code's registered name, such as `"ROOM_FULL"`."""
    @property
    def known(self) -> bool:
        """Whether the dialect in which it was read registers the code."""
    @property
    def message(self) -> str:
        """The message as it came. For logs."""
    @property
    def details(self) -> dict[str, Any] | None:
        """`details`, where it is an object. For logs and debugging only, never for the end user."""
    @property
    def raw_details(self) -> Any | None:
        """What stood in the place of `details` although it is no object."""
    @property
    def reason(self) -> str | None:
        """`details.reason`, known or not."""
    @property
    def trace_id(self) -> str | None:
        """`details.trace_id`."""
    @property
    def total_size(self) -> int | None:
        """`details.total_size` in bytes. `7.0` is 7."""
    @property
    def server(self) -> str | None:
        """The MCP server's name, under whichever key it came."""
    @property
    def capability(self) -> str | None:
        """4015's capability."""
    @property
    def server_version(self) -> str | None:
        """4008's server version, as it came."""
    @property
    def client_version(self) -> str | None:
        """4008's client version, as it came."""
    @property
    def min_supported(self) -> str | None:
        """4008's lowest supported version, as it came."""
    @property
    def max_supported(self) -> str | None:
        """4008's highest supported version, as it came."""
    @property
    def extra(self) -> dict[str, Any]:
        """Top-level fields that are not the code's standard ones."""
    @property
    def retry(self) -> RetryAdvice:
        """The retry advice for the code and its reason."""
    def public_message(self, locale: str = "en") -> str:
        """A fixed sentence for people, English or Chinese by the BCP 47 tag. Nothing secret gets into it."""
    def log_fields(self) -> dict[str, Any]:
        """Everything, scrubbed and flat, for structured logging."""
    def to_dict(self, dialect: str = "0.2") -> dict[str, Any]:
        """The flat shape as a new dict, by dialect."""
    def to_json(self, dialect: str = "0.2") -> str:
        """The flat shape as JSON text, by dialect."""
    def __eq__(self, other: object, /) -> bool: ...
    def __getitem__(self, key: str, /) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    def keys(self) -> list[str]:  # type: ignore[override]
        """The keys of the wire shape."""
    def values(self) -> list[Any]:  # type: ignore[override]
        """The values of the wire shape."""
    def items(self) -> list[tuple[str, Any]]:  # type: ignore[override]
        """The members of the wire shape."""
    def get(self, key: str, default: Any = None, /) -> Any:
        """A member of the wire shape, or the default."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class ToolResult:
    """What a tool result says, apart from its content."""

    def __new__(
        cls,
        outcome: str,
        error_code: int | None = None,
        mcp_server: str | None = None,
        auth_hint: Any | None = None,
        findings: list[Finding] | None = None,
        cancel_reason: str | None = None,
    ) -> ToolResult: ...
    @property
    def outcome(self) -> _Outcome:
        """How the call ended."""
    @property
    def error_code(self) -> int | None:
        """The code, where the outcome has one."""
    @property
    def mcp_server(self) -> str | None:
        """The MCP server that asks for authorization."""
    @property
    def auth_hint(self) -> Any | None:
        """The hint for the user, already scrubbed."""
    @property
    def findings(self) -> list[Finding]:
        """What the scrubber found in the hint."""
    @property
    def cancel_reason(self) -> str | None:
        """Why it was cancelled, as the peer said."""
    @property
    def retry(self) -> RetryAdvice | None:
        """The retry advice; None for a completed call."""
    def default_hint(self, locale: str = "en") -> dict[str, str] | None:
        """The ready hint to show where an authorization outcome came without one."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class EventResult:
    """What `server:join_office` and the like answered."""

    def __new__(cls, ok: bool, message: str | None) -> EventResult: ...
    @property
    def ok(self) -> bool:
        """Whether it succeeded."""
    @property
    def message(self) -> str | None:
        """The reason, where it is a text."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class RpcErrorView:
    """The view of a JSON-RPC error."""

    @property
    def error_code(self) -> Literal["protocol_error"]:
        """Always `"protocol_error"`."""
    @property
    def rpc_code(self) -> int | None:
        """The JSON-RPC number, where it is an integer."""
    @property
    def name(self) -> str | None:
        """The number's name, such as `"authentication_required"`."""
    @property
    def message(self) -> str | None:
        """The peer's message, where it is a text."""
    @property
    def id(self) -> int | float | str | None:
        """The id of the request."""
    @property
    def problem(self) -> str | None:
        """What is wrong with the frame, if it breaks JSON-RPC."""

@final
class RetryAdvice:
    """What a program may do about a failure: whether it may try again by itself, and what has to happen first."""

    def __new__(cls, automatic: str, action: str) -> RetryAdvice: ...
    @property
    def automatic(self) -> _Automatic:
        """Whether the program may try again by itself."""
    @property
    def action(self) -> _Action:
        """What has to happen before another try."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Finding:
    """What a scrubber found. Never any part of the secret."""

    def __new__(cls, path: str, category: str, action: str) -> Finding: ...
    @property
    def path(self) -> str:
        """Where, as a JSON Pointer."""
    @property
    def category(self) -> str:
        """What it is, such as `"access_credential"`."""
    @property
    def action(self) -> str:
        """What was done: `"removed"`, `"redacted"` or `"truncated"`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Scrubbed:
    """A clean value and what was found in the one that it was made from."""

    def __new__(cls, value: Any, findings: list[Finding]) -> Scrubbed: ...
    @property
    def value(self) -> Any:
        """The clean value: a copy, its containers plain dicts and lists."""
    @property
    def findings(self) -> list[Finding]:
        """What was found."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

def auth_error_result(
    mcp_server: str, code: int, hint: Mapping[str, Any] | None = None, *, locale: str = "en"
) -> dict[str, Any]:
    """The whole CallToolResult for 4006 or 4007. The hint passes the scrubber; without one the ready hint is used.

    Raises `ValueError` for any other code.
    """

def cancelled_result(reason: str | None = None, *, locale: str = "en") -> dict[str, Any]:
    """The CallToolResult of a cancelled call. Cancelled is not an error code, so it carries none."""

def timeout_result(*, locale: str = "en") -> dict[str, Any]:
    """The CallToolResult of a call that ran past its time."""

def guard_tool_result(result: object) -> Scrubbed:
    """A tool's own result without the keys that only the Computer may write, and which those were."""

# --- the registry ------------------------------------------------------------------------------------------

@final
class CodeInfo:
    """The registry's entry for one code."""

    @property
    def code(self) -> int:
        """The number."""
    @property
    def name(self) -> str:
        """The name, in SCREAMING_SNAKE."""
    @property
    def title(self) -> str:
        """The English title."""
    @property
    def title_zh(self) -> str:
        """The Chinese title."""
    @property
    def category(self) -> str:
        """The group, such as `"routing"`."""
    @property
    def carrier(self) -> str:
        """What carries it: `"ack"`, `"tool_result"` or `"http_handshake"`."""
    @property
    def since(self) -> str:
        """The first dialect that registers it."""
    @property
    def meaning(self) -> str:
        """What it says, in a sentence."""
    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the standard fields at the top level."""
    @property
    def details(self) -> tuple[str, ...]:
        """The names of the standard keys of `details`."""
    @property
    def required(self) -> tuple[str, ...]:
        """Those of `fields` and `details` that the code requires."""
    @property
    def reasons(self) -> tuple[str, ...]:
        """The known values of `details.reason`; an open set."""
    @property
    def retry(self) -> RetryAdvice:
        """The advice where no reason says otherwise."""
    def retry_for(self, reason: str) -> RetryAdvice:
        """The advice for a reason, known or not."""
    def user_message(self, locale: str = "en") -> str:
        """What the user may be told."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def code_info(code: int) -> CodeInfo | None:
    """The registry's entry for a number; None for one that no dialect registers."""

def codes() -> list[CodeInfo]:
    """Every registered code of both dialects, in the order of the numbers."""

def retry_advice(code: int, reason: str | None = None) -> RetryAdvice:
    """The advice for a code and a `details.reason`. An unknown one of either gives "do not retry"."""

@final
class Backoff(Iterator[float]):
    """The waits of one series of retries."""

    def __iter__(self) -> Backoff: ...
    def __next__(self) -> float: ...
    def __length_hint__(self) -> int: ...

def backoff(max_retries: int = 3, cap: float = 60.0, *, random: Callable[[], float] | None = None) -> Backoff:
    """The waits in seconds before retry 0, 1, 2 and so on: 2^i plus a random part below 1, capped.

    The caller sleeps. After `max_retries` waits the iterator ends, and the caller returns its last failure. `random`
    gives numbers in [0, 1).
    """

@final
class Tally:
    """Counts classified payloads by kind, code, reason and outcome. Safe to use from many threads."""

    def __new__(cls) -> Tally: ...
    def add(self, payload: object, *, dialect: str = "0.2") -> None:
        """Counts one payload: a `Classified`, or a value to classify."""
    def merge(self, other: Tally) -> None:
        """Adds everything that another tally has counted."""
    @property
    def total(self) -> int:
        """How many payloads were counted."""
    @property
    def kinds(self) -> dict[_Kind, int]:
        """How many there were of each kind."""
    def attributes(self) -> list[tuple[dict[str, str | int], int]]:
        """The rows as OpenTelemetry has them: attributes of a measurement, named by its semantic conventions where they
        have a name, and the count.

        >>> import ackguard
        >>> tally = ackguard.Tally()
        >>> tally.add({"code": 4101, "message": "Room full"})
        >>> tally.attributes()
        [({'error.type': 'ROOM_FULL', 'ackguard.kind': 'error', 'ackguard.code': 4101}, 1)]
        """
    def to_json(self) -> str:
        """Everything as JSON."""
    def to_prometheus(self) -> str:
        """Everything in the Prometheus text format."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

# --- SKILL names and packages ------------------------------------------------------------------------------

@final
class SkillName:
    """A SKILL name that the lexer let pass. `str()` is the name; equal to that str, hashed and ordered like it."""

    @property
    def raw(self) -> str:
        """The name as it was given."""
    @property
    def source(self) -> Literal["user", "marketplace", "mcp"]:
        """Where the SKILL comes from, by the number of segments."""
    @property
    def skill(self) -> str:
        """The last segment."""
    @property
    def plugin(self) -> str | None:
        """The plugin of a marketplace name."""
    @property
    def server(self) -> str | None:
        """The server of an mcp name."""
    @property
    def hint(self) -> str | None:
        """Something worth telling whoever wrote the name, such as `"mcp_plugin"`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, other: SkillName | str, /) -> bool: ...
    def __le__(self, other: SkillName | str, /) -> bool: ...
    def __gt__(self, other: SkillName | str, /) -> bool: ...
    def __ge__(self, other: SkillName | str, /) -> bool: ...

def parse_skill_name(name: str, *, dialect: str = "0.2") -> SkillName:
    """Reads a SKILL name; nothing is trimmed, folded or normalized first. Raises `SkillNameError` (4016)."""

def is_valid_skill_name(name: str, *, dialect: str = "0.2") -> bool:
    """Whether the lexer lets a name pass."""

def user_skill_name(skill: str) -> str:
    """The name of a SKILL of the user's own. Raises `SkillNameError` for what the lexer would refuse."""

def marketplace_skill_name(plugin: str, skill: str) -> str:
    """The name of a SKILL of a marketplace plugin. Raises `SkillNameError` for what the lexer would refuse."""

def mcp_skill_name(server: str, skill: str, *, dialect: str = "0.2") -> str:
    """The name of a SKILL of an MCP server. Raises `SkillNameError` for what the lexer would refuse."""

def suggest_skill_name(text: str, *, dialect: str = "0.2") -> str | None:
    """The nearest legal name for a near miss (`My Skill!` gives `my-skill`), or None."""

def check_rel_path(rel_path: str | None = None, *, forbid: Iterable[str] = (), credentials: bool = False) -> str:
    """Checks the text of a `rel_path` and gives it back without its `.` and empty components.

    Missing or empty stands for `SKILL.md`. Raises `SkillResourceError` (4017) with the reason `traversal` or
    `forbidden`. `.skillenv` is always forbidden; `forbid` adds names, `credentials` the files that hold credentials by
    convention.
    """

@final
class SkillRoot:
    """The directory of a SKILL package, held open. What was checked is what is opened, whatever happens meanwhile.

    Raises `FileNotFoundError`, `NotADirectoryError`, `PermissionError` or `OSError` where it cannot be opened, with the
    path as `filename`. Files larger than `max_size` bytes are refused. A context manager; may be used from many
    threads.
    """

    def __new__(
        cls,
        path: str | os.PathLike[str],
        *,
        max_size: int = 104857600,
        forbid: Iterable[str] = (),
        credentials: bool = False,
    ) -> SkillRoot: ...
    @property
    def path(self) -> Path:
        """The real path of the package's directory when it was opened."""
    @property
    def closed(self) -> bool:
        """Whether the directory is held no more."""
    def open(self, rel_path: str | None = None) -> BinaryIO:
        """Opens a file: a binary file object over the descriptor that was checked. It outlives the root, and gives no
        byte beyond the first `max_size`, also if the file grows; the descriptor itself (`fileno()`) knows no bound.

        Raises `SkillResourceError` (4017) with the reason `traversal`, `forbidden`, `not_found` or `too_large`, as all
        methods here do.
        """
    def read(self, rel_path: str | None = None) -> bytes:
        """The bytes of a file."""
    def resolve(self, rel_path: str | None = None) -> Path:
        """The real path of a file, also if the package was moved. What is behind a path can change: prefer `open` and
        `read`."""
    def size(self, rel_path: str | None = None) -> int:
        """The size of a file in bytes."""
    def close(self) -> None:
        """Lets go of the directory. Files that are open stay open."""
    def __enter__(self) -> SkillRoot: ...
    def __exit__(self, *_exc: object) -> None: ...

def check_blob_range(chunk_offset: int, total_size: int) -> bool:
    """Checks an offset against a size; raises `BlobError` (4018) with the reason `range`.

    Equal is the empty last chunk: the answer says whether the offset is at the end.
    """

def clamp_chunk(offset: int, total: int, wanted: int, cap: int) -> tuple[int, bool]:
    """How many bytes to send, and whether they end the resource. Raises `BlobError` as `check_blob_range` does."""

# --- authorization and scrubbing ---------------------------------------------------------------------------

def decide_authorization(
    *,
    http_status: int | None = None,
    www_authenticate: str | None = None,
    oauth_error: str | None = None,
    credential: str | None = "unknown",
    event: str | None = None,
    provider_fault: bool = False,
) -> int | None:
    """4006, 4007 or 4003 by what was observed when a tool's upstream refused; None if not about authorization.

    `credential` is `never_configured`, `present` or `unknown`; `event` is `refresh_failed`, `revoked`,
    `scope_insufficient`, `flow_incomplete` or `registration_failed`.
    """

def decide_authorization_from_text(text: str) -> int | None:
    """The same, read from words alone, for client libraries that swallow the status."""

def default_auth_hint(code: int, *, locale: str = "en") -> dict[str, str] | None:
    """The ready hint for 4006 or 4007; None for every other code."""

def check_auth_hint(value: object) -> list[Finding]:
    """Lists what must not be in a hint, at any depth."""

def scrub_auth_hint(value: object, *, strict: bool = False) -> Scrubbed:
    """The hint without what must not be in it, and what was found.

    `strict` keeps only `action`, `message`, `mcp_server`, `tool` and a landing page.
    """

def scrub_details(value: object) -> Scrubbed:
    """`details` without what must not be in them, and what was found."""

# --- the handshake -----------------------------------------------------------------------------------------

@final
class ProtocolVersion:
    """A protocol version: exactly three numbers joined by dots. Raises `VersionError` for anything else."""

    def __new__(cls, version: str | ProtocolVersion) -> ProtocolVersion: ...
    @property
    def major(self) -> int:
        """The first number."""
    @property
    def minor(self) -> int:
        """The second number."""
    @property
    def patch(self) -> int:
        """The third number, which never matters."""
    def is_compatible_with(self, server: str | ProtocolVersion) -> bool:
        """Whether a client of this version may talk to a server of that one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, other: ProtocolVersion, /) -> bool: ...
    def __le__(self, other: ProtocolVersion, /) -> bool: ...
    def __gt__(self, other: ProtocolVersion, /) -> bool: ...
    def __ge__(self, other: ProtocolVersion, /) -> bool: ...

@final
class HandshakeAnswer:
    """A ready HTTP answer to a handshake that is refused."""

    @property
    def code(self) -> int:
        """The code in the body: 400 or 4008."""
    @property
    def status(self) -> int:
        """The HTTP status: 400."""
    @property
    def headers(self) -> dict[str, str]:
        """The headers."""
    @property
    def body(self) -> str:
        """The flat payload as JSON."""

def check_handshake(query: str | bytes, server_version: str | ProtocolVersion) -> HandshakeAnswer | None:
    """Checks the raw query of a handshake against the server's version: None to go on, or the answer to send."""

def parse_handshake_failure(
    status: int, headers: Mapping[Any, Any] | Iterable[tuple[Any, Any] | list[Any]] | None, body: object
) -> VersionMismatch | ErrorPayload | None:
    """Reads the answer to a handshake that failed. Returns, never raises, what the server said.

    A `VersionMismatch`, the server's own 400 as an `ErrorPayload`, or None for what is none of ours. `body` is bytes,
    text, None, or what a JSON parser made of it. A header's value may be a list of them.
    """

def parse_handshake_text(text: str) -> VersionMismatch | ErrorPayload | None:
    """Finds the answer to a failed handshake in a text, such as the one of a client library's exception."""

def classify_ws_close(code: int) -> Literal["version_handshake_rejected", "ordinary"]:
    """What the close code of a WebSocket means.

    `"version_handshake_rejected"`: do not reconnect; fetch the 4008 body once, over polling.
    """

# --- ACP: the faces of these are in `ackguard.acp` ----------------------------------------------------------

@final
class Ledger:
    """What is remembered of each server; `ackguard.acp.ErrorLedger` is its face."""

    def __new__(cls) -> Ledger: ...
    def record(
        self,
        server: str,
        kind: str,
        code: str,
        message: str,
        details: Mapping[str, Any],
        rpc_code: int | None,
        micros: int | None,
    ) -> bool: ...
    def last_error(self, server: str) -> tuple[str, str, int | None, str, dict[str, Any], bool, int] | None: ...
    def reset(self, server: str) -> bool: ...

def readiness(state: str, has_active_turn: bool = False) -> _Readiness:
    """Whether a turn may be submitted to a server in this state."""

def rpc_code_name(code: int) -> str | None:
    """The name of a JSON-RPC number, where it has one."""

def method_not_found_reply(id: float | str | None, method: str) -> str:
    """The answer to a request whose method the host does not have, as one line of JSON."""

def _acp_plan(
    kind: str,
    code: str,
    rpc_code: int | None,
    server: str,
    has_server: bool,
    has_underlying: bool,
) -> tuple[str | None, bool, dict[str, Any]]: ...
def _acp_advice(kind: str, code: str, in_handshake: bool, rpc_code: int | None) -> tuple[bool, str]: ...
def _acp_phase() -> tuple[str, str]: ...
def _acp_payload(code: str, rpc_code: int | None, message: object, details: object) -> ErrorPayload: ...
def _acp_is_recorded(code: str) -> bool: ...
def _acp_missing(code: str, there: Sequence[str]) -> list[str]: ...
def _acp_message(kind: str, name: object, rpc_message: object) -> str: ...
def _acp_classify(
    response: object = None,
    *,
    expected_id: object = None,
    exit_code: int | None = None,
    timeout: float | None = None,
    io_error: object = None,
    interaction: Mapping[str, Any] | None = None,
    server: str | None = None,
    method: str | None = None,
) -> dict[str, Any] | None: ...
def _acp_config(text: bytes | bytearray | memoryview | str, env: Mapping[str, str]) -> tuple[bool, Any]: ...
def _acp_initialize(result: object) -> tuple[bool, Any]: ...
def _acp_session(result: object) -> tuple[bool, Any]: ...

# --- ackguard.arrow ----------------------------------------------------------------------------------------

@final
class ArrowResult:
    """What is asked of an input, to be taken once: as a stream of batches or as one batch."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """All rows in one batch: a capsule of its schema and one of its data."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The batches of the input, one after another, in a capsule."""

def _arrow_classify(
    source: object,
    *,
    column: str | None = None,
    dialect: str | None = None,
    records: bool = False,
    threads: int | None = None,
) -> ArrowResult: ...
def _arrow_scrub(
    source: object, *, column: str | None = None, rules: str | None = None, threads: int | None = None
) -> ArrowResult: ...

# --- inside ------------------------------------------------------------------------------------------------

def _malformed_payload(violations: Sequence[str]) -> ErrorPayload: ...
def _error_payload(
    code: int, message: str, fields: dict[str, Any], extra: dict[str, Any], dialect: str
) -> ErrorPayload: ...
def _main(arguments: Sequence[str]) -> int: ...
def _panic() -> None: ...
def _parse_handshake_body(body: object) -> VersionMismatch | ErrorPayload | None: ...
def _skill_name(name: str) -> SkillName: ...
def _words() -> dict[str, list[str]]: ...
