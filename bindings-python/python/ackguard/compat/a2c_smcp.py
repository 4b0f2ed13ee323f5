"""ackguard inside a2c-smcp: `install()` puts ackguard's rules in the place of the SDK's own.

    from ackguard.compat import a2c_smcp

    a2c_smcp.install()      # before or after a2c_smcp is imported
    ...
    a2c_smcp.uninstall()    # every function is again the object that it was

What a program sees of a2c-smcp stays: names, signatures, the types of results and exceptions and their attributes.
What goes is its faults. The five that hurt most, each of which `tests/interop/compat/test_compat.py` shows first
without and then with `install()`:

=============================================== ============================== =================================
what happens                                    a2c-smcp alone                 with `install()`
=============================================== ============================== =================================
`parse_skill_name("audit\\n")`                  accepted, reaches the registry `SkillNameError` (4016)
`resolve_skill_resource(root, "a\\0b")`         bare `ValueError`: no ack      `SkillSandboxError("traversal")`
an ack `{"code": [4014], ...}`                  `TypeError: unhashable`        it is data, nothing is raised
an ack with the code 400, 401 or 4101           taken for a success            `SMCPProtocolError` with the code
an ack with an error for `client:get_config`    `{"servers": {}}`, no servers  `SMCPProtocolError` with the code
=============================================== ============================== =================================

A function is replaced in the module that defines it and in every module of a2c-smcp that has imported it. A reference
that a program took for itself before `install()` is not seen; modules that are imported later get the replacement.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
import threading
import warnings
from contextlib import contextmanager
from functools import wraps
from importlib import metadata
from typing import TYPE_CHECKING

import ackguard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import ModuleType
    from typing import Any

    _Function = Callable[..., Any]

__all__ = ["KNOWN_VERSIONS", "CompatWarning", "applied", "install", "is_installed", "uninstall"]

KNOWN_VERSIONS = ("0.4.2",)
"""The versions of a2c-smcp beside which this module is tested. Others are tried, with a `CompatWarning`."""

# The SDK speaks protocol 0.4: its names of servers have no upper bound, and 4019 is registered.
_DIALECT = "0.3"


class CompatWarning(UserWarning):
    """The installed a2c-smcp is not one that was tested, or a function of it is not what was expected."""


# --- the functions ----------------------------------------------------------------------------------------------
#
# Each takes the original and returns what stands in its place. Where ackguard refuses, the original is asked first for
# its own words, so that what a program matches on stays; ackguard's words stand in where the original saw no fault.


def _sdk(module: str) -> Any:
    # By name and not by an import statement: whoever type-checks ackguard need not have the SDK.
    return importlib.import_module(f"a2c_smcp.{module}")


def _is_protocol_error_payload(original: _Function) -> _Function:
    def is_protocol_error_payload(data: object) -> bool:
        return isinstance(data, dict) and ackguard.classify(data, dialect=_DIALECT).kind == "error"

    return is_protocol_error_payload


def _raise_for_error_payload(original: _Function) -> _Function:
    protocol_error = _sdk("agent.errors").SMCPProtocolError

    def raise_for_error_payload(response: Any) -> None:
        if not isinstance(response, dict):
            return
        error = ackguard.classify(response, dialect=_DIALECT).error
        if error is None:
            return
        # The exception's constructor takes its fields as they come, and a `details` that is a text breaks it.
        fields: dict[str, Any] = {"code": error.code, "message": error.message, "details": error.details}
        fields.update(mcp_server=error.server, capability=error.capability)
        raised: Any = protocol_error({key: value for key, value in fields.items() if value is not None})
        raised.payload = response
        raised.reason = error.reason
        raise raised

    return raise_for_error_payload


def _raise_for_blob_error(exception: str, code: int) -> Callable[[_Function], _Function]:
    def make(original: _Function) -> _Function:
        raising: Any = getattr(_sdk("utils.blob"), exception)

        def raise_for_blob_error(payload: Any) -> None:
            error = ackguard.classify(payload, dialect=_DIALECT).error if isinstance(payload, dict) else None
            if error is None or error.code != code:
                original(payload)
                return
            unnamed = "invalid_handle" if code == 4018 else "invalid_upload"
            raise raising(reason=error.reason or unnamed, message=error.message)

        return raise_for_blob_error

    return make


def _checked_answers(method: str) -> Callable[[_Function], _Function]:
    """A client's method that reads an ack without asking first whether it is an error."""

    def make(original: _Function) -> _Function:
        errors = _sdk("agent.errors")

        class Checked:
            """The client, but for `call`: an error among its answers is raised."""

            def __init__(self, client: Any) -> None:
                object.__setattr__(self, "_client", client)

            @property  # type: ignore[misc]
            def __class__(self) -> Any:
                # isinstance and super() inside the method see the client's own class.
                return type(self._client)

            def __getattr__(self, name: str) -> Any:
                return getattr(self._client, name)

            def __setattr__(self, name: str, value: object) -> None:
                setattr(self._client, name, value)

        class CheckedAsync(Checked):
            async def call(self, *args: Any, **kwargs: Any) -> Any:
                answer = await self._client.call(*args, **kwargs)
                errors.raise_for_error_payload(answer)
                return answer

        class CheckedSync(Checked):
            def call(self, *args: Any, **kwargs: Any) -> Any:
                answer = self._client.call(*args, **kwargs)
                errors.raise_for_error_payload(answer)
                return answer

        if inspect.iscoroutinefunction(original):

            async def get_async(self: Any, *args: Any, **kwargs: Any) -> Any:
                return await original(CheckedAsync(self), *args, **kwargs)

            return get_async

        def get(self: Any, *args: Any, **kwargs: Any) -> Any:
            return original(CheckedSync(self), *args, **kwargs)

        return get

    return make


def _is_strict_kebab(original: _Function) -> _Function:
    def is_strict_kebab(segment: str) -> bool:
        return isinstance(segment, str) and ":" not in segment and ackguard.is_valid_skill_name(segment)

    return is_strict_kebab


def _is_valid_bundle_id(original: _Function) -> _Function:
    def is_valid_bundle_id(bundle_id: str) -> bool:
        # The `<server>` of a SKILL's name is the server's bundle_id: one rule for both.
        return isinstance(bundle_id, str) and ackguard.is_valid_skill_name(f"mcp:{bundle_id}:x", dialect=_DIALECT)

    return is_valid_bundle_id


def _validate_explicit_bundle_id(original: _Function) -> _Function:
    def validate_explicit_bundle_id(bundle_id: str) -> str:
        result: str = original(bundle_id)
        if not ackguard.is_valid_skill_name(f"mcp:{result}:x", dialect=_DIALECT):
            raise ValueError(f"bundle_id charset MUST be [A-Za-z0-9_-]: {_shown(result)}")
        return result

    return validate_explicit_bundle_id


def _parse_skill_name(original: _Function) -> _Function:
    naming = _sdk("computer.skills.naming")

    def parse_skill_name(name: str) -> Any:
        if not isinstance(name, str):
            raise naming.SkillNameError(name, "not a text")
        try:
            parsed = ackguard.parse_skill_name(name, dialect=_DIALECT)
        except ackguard.SkillNameError as refusal:
            original(name)
            raise naming.SkillNameError(name, str(refusal)) from None
        return naming.ParsedSkillName(
            raw=name, kind=parsed.source, skill=parsed.skill, plugin=parsed.plugin, server=parsed.server
        )

    return parse_skill_name


def _is_valid_skill_name(original: _Function) -> _Function:
    def is_valid_skill_name(name: str) -> bool:
        return isinstance(name, str) and ackguard.is_valid_skill_name(name, dialect=_DIALECT)

    return is_valid_skill_name


def _synthesize(build: _Function) -> Callable[[_Function], _Function]:
    def make(original: _Function) -> _Function:
        naming = _sdk("computer.skills.naming")

        def synthesize(*segments: str) -> str:
            try:
                name: str = build(*segments)
            except ackguard.SkillNameError as refusal:
                original(*segments)
                raise naming.SkillNameError(":".join(segments), str(refusal)) from None
            return name

        return synthesize

    return make


def _resolve_skill_resource(original: _Function) -> _Function:
    sandbox = _sdk("computer.skills.sandbox")
    refusing = sandbox.SkillSandboxError

    def resolve_skill_resource(
        root: Path, rel_path: str | None = None, *, forbidden_names: Any = sandbox.FORBIDDEN_SKILL_FILES
    ) -> Path:
        shown = rel_path or sandbox.DEFAULT_SKILL_FILE
        try:
            # The text first: a root that is not there must not tell more about a path than one that is.
            ackguard.check_rel_path(rel_path, forbid=forbidden_names)
            # How large a file may be is the caller's to say, with `ensure_within_size_cap`.
            with ackguard.SkillRoot(root, max_size=2**63 - 1, forbid=forbidden_names) as package:
                return package.resolve(rel_path)
        except ackguard.SkillResourceError as refusal:
            raise refusing(refusal.reason, rel_path=shown) from None
        except (OSError, ValueError):
            raise refusing("not_found", rel_path=shown) from None

    return resolve_skill_resource


def _parse_version(original: _Function) -> _Function:
    def parse(cls: type, s: str) -> Any:
        try:
            version = ackguard.ProtocolVersion(s)
        except ackguard.VersionError as refusal:
            raise ValueError(f"Invalid version: {_shown(s)}") from refusal
        return cls(version.major, version.minor, version.patch)

    return parse


def _check_a2c_version(original: _Function) -> _Function:
    def check_a2c_version(query_string: str, server: Any) -> tuple[int, dict[str, Any]] | None:
        answer = ackguard.check_handshake(query_string, str(server))
        if answer is None:
            return None
        body: dict[str, Any] = json.loads(answer.body)
        return answer.status, body

    return check_a2c_version


def _extract_4008_payload(original: _Function) -> _Function:
    def extract_4008_payload(exc: BaseException) -> dict[str, Any] | None:
        found = ackguard.parse_handshake_exception(exc)
        if not isinstance(found, ackguard.VersionMismatch):
            return None
        # Where the SDK finds the parsed body by itself, programs get that very object.
        own: dict[str, Any] | None = original(exc)
        return found.payload.to_dict(_DIALECT) if own is None else own

    return extract_4008_payload


def _build_protocol_version_error(original: _Function) -> _Function:
    versions = ("client_version", "server_version", "min_supported", "max_supported")

    def build_protocol_version_error(payload: dict[str, Any]) -> Any:
        # The exception promises text or None, and a default where the message is missing.
        wanted = {**dict.fromkeys(versions), "message": "Protocol version mismatch"}
        given = {key: payload[key] for key in wanted if isinstance(payload.get(key), str)}
        return original({**payload, **wanted, **given})

    return build_protocol_version_error


# A provider's status stands before its body in the texts of the library's OAuth errors.
_PROVIDER_FAULT = re.compile(r"[( ]5[0-9]{2}(?![0-9])")


def _classify_auth_error(original: _Function) -> _Function:
    own = _sdk("computer.mcp_clients.auth_error")
    codes = _sdk("smcp").ErrorCode
    httpx: Any = importlib.import_module("httpx")
    oauth: Any = importlib.import_module("mcp.client.auth")
    # Looked up now: what an unknown version lacks must not be missed in the middle of a tool call.
    chain, upstream_error, status_error = own._iter_exception_chain, own.UpstreamAuthError, httpx.HTTPStatusError
    flow, registration, token = oauth.OAuthFlowError, oauth.OAuthRegistrationError, oauth.OAuthTokenError

    def classify_auth_error(exc: BaseException) -> Any:
        statuses: list[int] = []
        challenge: str | None = None
        event: str | None = None
        provider_fault = False
        for error in chain(exc):
            if isinstance(error, upstream_error):
                # That it is about authorization was decided where it was raised.
                statuses.append(error.status_code if error.status_code in (401, 403) else 401)
                challenge = challenge or error.www_authenticate_header
            elif isinstance(error, status_error):
                statuses.append(error.response.status_code)
                if error.response.status_code in (401, 403):
                    challenge = challenge or error.response.headers.get("www-authenticate")
            elif isinstance(error, flow):
                text = str(error)[:64]
                provider_fault = provider_fault or _PROVIDER_FAULT.search(text.partition("{")[0]) is not None
                if isinstance(error, token):
                    event = event or "refresh_failed"
                elif isinstance(error, registration):
                    event = event or "registration_failed"
                else:
                    event = event or "flow_incomplete"
        # Of several statuses, the one about authorization: what was once judged to be that stays it.
        status = next((it for it in statuses if it in (401, 403)), next(iter(statuses), None))
        code = ackguard.decide_authorization(
            http_status=status, www_authenticate=challenge, event=event, provider_fault=provider_fault
        )
        # 4003 is what the SDK's ordinary path says of a tool that failed.
        return codes(code) if code in (4006, 4007) else None

    return classify_auth_error


def _build_auth_error_result(original: _Function) -> _Function:
    def build_auth_error_result(bundle_id: str, error_code: Any) -> Any:
        result = original(bundle_id, error_code)
        hint = result.meta["auth_hint"]
        scrubbed = ackguard.scrub_auth_hint(hint)
        if scrubbed.findings:
            result.meta["auth_hint"] = scrubbed.value
            for item in result.content:
                if getattr(item, "text", None) is not None:
                    item.text = ackguard.scrub_auth_hint(item.text).value
        return result

    return build_auth_error_result


class _Swap:
    """One function of the SDK: where it is, how it has to look, and what makes its replacement."""

    def __init__(self, module: str, name: str, parameters: str, make: Callable[[_Function], _Function]) -> None:
        self.module = f"a2c_smcp.{module}"
        self.owner, _, self.name = name.rpartition(".")
        self.parameters = parameters.split()
        self.make = make

    def __str__(self) -> str:
        return ".".join(filter(None, (self.module, self.owner, self.name)))


def _clients() -> Iterator[_Swap]:
    for module, client in (("agent.client", "AsyncSMCPAgentClient"), ("agent.sync_client", "SMCPAgentClient")):
        for method, parameters in (
            ("get_config_from_computer", "self computer timeout"),
            ("get_tools_from_computer", "self computer timeout"),
            ("get_desktop_from_computer", "self computer size window timeout"),
            ("get_computers_in_office", "self office_id timeout"),
        ):
            yield _Swap(module, f"{client}.{method}", parameters, _checked_answers(method))


_NAMING = "computer.skills.naming"
_AUTH = "computer.mcp_clients.auth_error"

# The modules that others import from come first.
_SWAPS = (
    _Swap("smcp", "is_protocol_error_payload", "data", _is_protocol_error_payload),
    _Swap("version", "ProtocolVersion.parse", "cls s", _parse_version),
    _Swap("utils.bundle_id", "is_valid_bundle_id", "bundle_id", _is_valid_bundle_id),
    _Swap("utils.bundle_id", "validate_explicit_bundle_id", "bundle_id", _validate_explicit_bundle_id),
    _Swap("utils.handshake", "extract_4008_payload", "exc", _extract_4008_payload),
    _Swap("utils.handshake", "build_protocol_version_error", "payload", _build_protocol_version_error),
    _Swap("utils.blob", "_raise_for_blob_error", "payload", _raise_for_blob_error("BlobTransferError", 4018)),
    _Swap("utils.blob", "_raise_for_put_blob_error", "payload", _raise_for_blob_error("BlobUploadError", 4019)),
    _Swap("agent.errors", "raise_for_error_payload", "response", _raise_for_error_payload),
    *_clients(),
    _Swap("server.middleware", "check_a2c_version", "query_string server", _check_a2c_version),
    _Swap(_NAMING, "_is_strict_kebab", "segment", _is_strict_kebab),
    _Swap(_NAMING, "parse_skill_name", "name", _parse_skill_name),
    _Swap(_NAMING, "is_valid_skill_name", "name", _is_valid_skill_name),
    _Swap(_NAMING, "synthesize_user_name", "skill", _synthesize(ackguard.user_skill_name)),
    _Swap(_NAMING, "synthesize_marketplace_name", "plugin skill", _synthesize(ackguard.marketplace_skill_name)),
    _Swap(
        _NAMING,
        "synthesize_mcp_name",
        "bundle_id skill",
        _synthesize(lambda server, skill: ackguard.mcp_skill_name(server, skill, dialect=_DIALECT)),
    ),
    _Swap(
        "computer.skills.sandbox",
        "resolve_skill_resource",
        "root rel_path forbidden_names",
        _resolve_skill_resource,
    ),
    _Swap(_AUTH, "classify_auth_error", "exc", _classify_auth_error),
    _Swap(_AUTH, "build_auth_error_result", "bundle_id error_code", _build_auth_error_result),
)


# --- putting in and taking out ----------------------------------------------------------------------------------


def _shown(text: object) -> str:
    shown = ascii(str(text)[:80])
    return shown[1:-1] if "\\" not in shown else shown


class _Site:
    """What one swap has done: the two objects, and where the first was found."""

    def __init__(self, swap: _Swap, original: object, replacement: object) -> None:
        self.swap = swap
        self.original = original
        self.replacement = replacement
        self.owners: list[tuple[Any, str]] = []

    def put(self, owner: Any, name: str) -> None:
        setattr(owner, name, self.replacement)
        self.owners.append((owner, name))

    def take_out(self) -> None:
        # What has been patched over ours meanwhile is left to whoever did that.
        for owner, name in self.owners:
            if vars(owner).get(name) is self.replacement:
                setattr(owner, name, self.original)
        for module, name in _holders(self.replacement):
            setattr(module, name, self.original)


_lock = threading.RLock()
_sites: list[_Site] = []
_asked = False
_contexts = 0


def _holders(value: object) -> Iterator[tuple[ModuleType, str]]:
    """Every module of the SDK that has `value`, and under which name."""
    for key, module in list(sys.modules.items()):
        if module is not None and (key == "a2c_smcp" or key.startswith("a2c_smcp.")):
            for name, held in list(vars(module).items()):
                if held is value:
                    yield module, name


def _prepared() -> tuple[list[tuple[_Swap, Any]], list[str]]:
    """The owner of each function that is as expected, and what to warn of.

    Imports happen here, outside the lock: a module that calls `install` while it is imported must not wait for one
    that holds the lock and waits for that module.
    """
    try:
        importlib.import_module("a2c_smcp")
    except ModuleNotFoundError as error:
        if error.name != "a2c_smcp":
            raise
        raise ModuleNotFoundError(
            "ackguard.compat.a2c_smcp needs the SDK that it is for: pip install a2c-smcp", name="a2c_smcp"
        ) from None
    found: list[tuple[_Swap, Any]] = []
    odd: list[str] = []
    try:
        version = metadata.version("a2c-smcp")
    except metadata.PackageNotFoundError:
        version = str(getattr(sys.modules["a2c_smcp"], "__version__", "of unknown version"))
    if version not in KNOWN_VERSIONS:
        odd.append(f"a2c-smcp {version} was not tested with this ackguard (known: {', '.join(KNOWN_VERSIONS)})")
    for swap in _SWAPS:
        try:
            owner: Any = importlib.import_module(swap.module)
        except ImportError as error:
            # A part whose own dependencies are not installed is not in use either.
            if (error.name or "").startswith("a2c_smcp"):
                odd.append(f"{swap} is not there")
            continue
        if swap.owner:
            owner = getattr(owner, swap.owner, None)
        function = _function(vars(owner).get(swap.name)) if owner is not None else None
        if not callable(function):
            odd.append(f"{swap} is not there")
        elif list(inspect.signature(function).parameters) != swap.parameters:
            odd.append(f"{swap} has other parameters than expected and is left alone")
        else:
            found.append((swap, owner))
    return found, odd


def _function(held: object) -> Any:
    return held.__func__ if isinstance(held, classmethod) else held


def _put_in(found: list[tuple[_Swap, Any]], odd: list[str]) -> None:
    try:
        for swap, owner in found:
            original = vars(owner)[swap.name]
            function = _function(original)
            try:
                replacement: Any = wraps(function)(swap.make(function))
            except (ImportError, AttributeError):
                odd.append(f"{swap} cannot be replaced: what it works with is not there")
                continue
            if isinstance(original, classmethod):
                replacement = classmethod(replacement)
            site = _Site(swap, original, replacement)
            _sites.append(site)
            if swap.owner:
                site.put(owner, swap.name)
            else:
                for module, name in _holders(original):
                    site.put(module, name)
    except BaseException:
        # All or nothing: half of the rules would be worse than either.
        _take_out()
        raise


def _take_out() -> None:
    while _sites:
        _sites.pop().take_out()


def _enter(context: bool) -> tuple[str, ...]:
    global _asked, _contexts
    found, odd = _prepared() if not _sites else ([], [])
    with _lock:
        if not _sites:
            if not found:
                found, odd = _prepared()
            _put_in(found, odd)
        else:
            odd = []
        if context:
            _contexts += 1
        else:
            _asked = True
        names = tuple(str(site.swap) for site in _sites)
    for text in odd:
        warnings.warn(text, CompatWarning, stacklevel=3)
    return names


def install() -> tuple[str, ...]:
    """Puts ackguard's functions in the place of a2c-smcp's, and returns the names of those that were replaced.

    Installing twice is installing once. Raises `ModuleNotFoundError` where there is no a2c-smcp. For a version that is
    not in `KNOWN_VERSIONS` a `CompatWarning` says so, and only functions with the expected parameters are replaced.
    Imports all of a2c-smcp whose dependencies are there.
    """
    return _enter(context=False)


def uninstall() -> None:
    """Puts every function back: the very objects that were there. Does nothing where nothing is installed.

    While an `applied` block of any thread is open, it is left as that block needs it and put back when it ends.
    """
    global _asked
    with _lock:
        _asked = False
        if not _contexts:
            _take_out()


@contextmanager
def applied() -> Iterator[tuple[str, ...]]:
    """Installs for the length of a `with` block. Blocks nest, also across threads; afterwards all is as before."""
    global _contexts
    names = _enter(context=True)
    try:
        yield names
    finally:
        with _lock:
            _contexts -= 1
            if not _contexts and not _asked:
                _take_out()


def is_installed() -> bool:
    """Whether ackguard's functions are in place now."""
    with _lock:
        return bool(_sites)
