"""A filter for the standard library's `logging` that keeps secrets out of log records.

    import logging
    from ackguard.logging import ScrubFilter

    for handler in logging.getLogger().handlers:
        handler.addFilter(ScrubFilter())

On a handler it sees the records of every logger below; on a logger only that logger's own.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ackguard._native import scrub_auth_hint, scrub_details

if TYPE_CHECKING:
    from typing import Any

    from ackguard._native import Scrubbed

__all__ = ["ScrubFilter"]

# What every record has. The rest was given as `extra`.
_STANDARD = frozenset(vars(logging.LogRecord("", 0, "", 0, "", (), None))) | {"message", "asctime", "taskName"}

# Parts whose text a formatter writes as it is.
_PLAIN = (int, float, type(None))
_READABLE = (str, dict, list, tuple, Mapping)

_REMOVED = "[removed]"
_UNREADABLE = "[a log record that could not be read was left out]"


class ScrubFilter(logging.Filter):
    """Takes secrets out of a record: its message and arguments, its `extra` fields, its exception's text and stack.

    Lets every record pass, raises nothing, and changes only records in which something was found: those are changed in
    place, so handlers that come later see them clean as well. Twice is the same as once.

    Messages, arguments and fields follow the rules of `ackguard.scrub_details`: what has no business in `details` has
    none there, internal addresses and stack traces of peers included. Fields named in `hint_fields` follow those of
    `ackguard.scrub_auth_hint`. The text of a record's own exception keeps its trace and loses the secrets in it; the
    exception object, which a formatter could print anew, is then taken off the record.
    """

    def __init__(self, *, hint_fields: Iterable[str] = ("auth_hint", "hint")) -> None:
        super().__init__()
        self.hint_fields = frozenset(hint_fields)

    def filter(self, record: logging.LogRecord) -> bool:
        """Scrubs the record. Always True."""
        try:
            self._message(record)
        except Exception:
            # Arguments that do not fit: logging itself would print them with the complaint.
            record.msg, record.args = _text_of(record.msg), None
        try:
            self._exception(record)
        except Exception:
            record.exc_info, record.exc_text, record.stack_info = None, _UNREADABLE, None
        try:
            self._fields(record)
        except Exception:
            for name in _extra(record):
                setattr(record, name, _UNREADABLE)
        return True

    def _message(self, record: logging.LogRecord) -> None:
        args: Any = record.args
        if args:
            # Structures first: a key says more about its value than the text that is made of both.
            if isinstance(args, Mapping):
                scrubbed = _scrub(args)
                if scrubbed is not None:
                    record.args = {key: scrubbed.value.get(key, _REMOVED) for key in args}
            elif any(isinstance(arg, _READABLE) and not isinstance(arg, str) for arg in args):
                record.args = tuple(_scrubbed_or_same(arg) for arg in args)
        text = record.getMessage()
        found = scrub_details(text)
        if found.findings:
            record.msg, record.args = found.value, None

    def _exception(self, record: logging.LogRecord) -> None:
        if record.exc_info and not record.exc_text:
            found = scrub_auth_hint(_FORMATTER.formatException(_triple(record.exc_info)))
            if found.findings:
                record.exc_info, record.exc_text = None, found.value
        elif record.exc_text:
            found = scrub_auth_hint(record.exc_text)
            if found.findings:
                record.exc_info, record.exc_text = None, found.value
        if record.stack_info:
            found = scrub_auth_hint(record.stack_info)
            if found.findings:
                record.stack_info = found.value

    def _fields(self, record: logging.LogRecord) -> None:
        for name in _extra(record):
            value = getattr(record, name)
            scrub = scrub_auth_hint if name in self.hint_fields else scrub_details
            if isinstance(value, (*_READABLE, *_PLAIN)):
                # With its name around it, which may be what makes a secret of it.
                found = scrub({name: value})
                if found.findings:
                    setattr(record, name, found.value.get(name, _REMOVED))
            else:
                # Any other object is written as its text; it stays an object if that is clean.
                found = scrub({name: str(value)})
                if found.findings:
                    setattr(record, name, found.value.get(name, _REMOVED))


_FORMATTER = logging.Formatter()


def _extra(record: logging.LogRecord) -> list[str]:
    return [name for name in vars(record) if name not in _STANDARD]


def _triple(exc_info: Any) -> Any:
    return exc_info if isinstance(exc_info, tuple) else (type(exc_info), exc_info, exc_info.__traceback__)


def _scrub(value: object) -> Scrubbed | None:
    found = scrub_details(value)
    return found if found.findings else None


def _scrubbed_or_same(arg: object) -> object:
    if isinstance(arg, _READABLE) and not isinstance(arg, str):
        found = _scrub(arg)
        if found is not None:
            return found.value
    return arg


def _text_of(message: object) -> str:
    try:
        text: str = scrub_details(str(message)).value
    except Exception:
        return _UNREADABLE
    return f"{text} [with arguments that do not fit]"
