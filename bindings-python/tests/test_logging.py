"""The logging filter: what a handler writes holds no secret, and a clean record is left as it is."""

from __future__ import annotations

import io
import logging
import logging.config
import pickle
import sys
from typing import Any

import ackguard
import pytest
from ackguard.logging import ScrubFilter

SECRET = "s3cr3tV4lue99"


@pytest.fixture
def written() -> tuple[logging.Logger, io.StringIO]:
    """A logger, and what a handler with the filter writes for it."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.addFilter(ScrubFilter())
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    logger = logging.Logger("scrubbed")
    logger.addHandler(handler)
    return logger, out


def record(message: object, *args: object, **extra: object) -> logging.LogRecord:
    return logging.Logger("x").makeRecord("x", logging.INFO, "f.py", 1, message, args, None, extra=extra)


MESSAGES: list[tuple[object, tuple[object, ...]]] = [
    (f"token={SECRET}", ()),
    ("token=%s", (SECRET,)),
    ("password is %r", (SECRET,)),
    ("ack %s", ({"code": 401, "details": {"api_key": SECRET}},)),
    ("ack %(ack)s", ({"ack": {"password": SECRET}},)),
    ("%(token)s", ({"token": SECRET},)),
    ("headers %s and %d more", ({"Authorization": f"Bearer {SECRET}"}, 3)),
    ("list %s", ([{"client_secret": SECRET}],)),
    ("failed: %s", (ValueError(f"refresh_token={SECRET}"),)),
    (ValueError(f"refresh_token={SECRET}"), ()),
    (f"100% sure that password={SECRET}", ()),
    ("go to https://user:%s@id.example/login", (SECRET,)),
    ("raw %s", (b"token=" + SECRET.encode(),)),
]


@pytest.mark.parametrize(("message", "args"), MESSAGES)
def test_messages(written: tuple[logging.Logger, io.StringIO], message: object, args: tuple[object, ...]) -> None:
    logger, out = written
    logger.error(message, *args)
    assert out.getvalue().startswith("ERROR ")
    assert SECRET not in out.getvalue()


def test_what_stands_around_a_secret_stays(written: tuple[logging.Logger, io.StringIO]) -> None:
    logger, out = written
    logger.error("login of %s failed, token=%s, try %d", "alice", SECRET, 3)
    text = out.getvalue()
    assert "login of alice failed" in text
    assert "try 3" in text


@pytest.mark.parametrize(
    ("message", "args"),
    [
        ("started", ()),
        ("%d rows in %s", (4, "tables")),
        ("code %s state=%s", (4014, "ready")),
        ("ack %s", ({"code": 404, "details": {"computer_name": "c"}},)),
        ("token expired, please sign in again", ()),
        ("100% done", ()),
        (object(), ()),
    ],
)
def test_a_clean_record_is_left_alone(message: object, args: tuple[object, ...]) -> None:
    clean = record(message, *args, req_id="r-1", count=3, holder=object(), details={"reason": "gone"})
    before = dict(vars(clean))
    assert ScrubFilter().filter(clean) is True
    assert vars(clean).keys() == before.keys()
    for name, value in before.items():
        assert vars(clean)[name] is value, name


def test_fields() -> None:
    dirty = record(
        "ack",
        details={"host": "db.internal:5432", "api_key": SECRET, "reason": "gone"},
        auth_hint={"message": f"open https://id.example/login?code={SECRET}", "state": SECRET},
        password=SECRET,
        note=f"the api key is {SECRET}",
        error=ackguard.ErrorPayload(4018, "m", reason="gone", details={"secret": SECRET}),
        cause=ValueError(f"token={SECRET}"),
        raw=b"token=" + SECRET.encode(),
        req_id="r-1",
    )
    untouched = dirty.__dict__["req_id"]
    assert ScrubFilter().filter(dirty)
    fields: dict[str, Any] = vars(dirty)
    assert SECRET not in repr(fields)
    assert fields["details"]["reason"] == "gone"
    assert "db.internal" not in fields["details"].get("host", "")
    assert "https://id.example/login" in fields["auth_hint"]["message"]
    # A formatter that names the field still finds it.
    assert logging.Formatter("%(password)s").format(dirty)
    assert fields["req_id"] is untouched


def test_state_is_a_secret_in_hints_only() -> None:
    both = record("x", details={"state": "ready-42"}, auth_hint={"state": "ready-42"}, login={"state": "ready-42"})
    ScrubFilter().filter(both)
    assert vars(both)["details"] == {"state": "ready-42"}
    assert "ready-42" not in repr(vars(both)["auth_hint"])
    assert vars(both)["login"] == {"state": "ready-42"}
    named = record("x", login={"state": "ready-42"})
    ScrubFilter(hint_fields=["login"]).filter(named)
    assert "ready-42" not in repr(vars(named)["login"])


def test_an_exception_keeps_its_trace(written: tuple[logging.Logger, io.StringIO]) -> None:
    logger, out = written
    try:
        try:
            raise KeyError(f"refresh_token={SECRET}")
        except KeyError as error:
            raise ConnectionError(f"password: {SECRET}") from error
    except ConnectionError:
        logger.exception("call failed")
    text = out.getvalue()
    assert SECRET not in text
    assert "Traceback (most recent call last)" in text
    assert "test_an_exception_keeps_its_trace" in text
    assert "ConnectionError: password: " in text


def test_a_clean_exception_stays_an_object() -> None:
    try:
        raise ConnectionError("no route")
    except ConnectionError:
        clean = logging.Logger("x").makeRecord("x", 40, "f.py", 1, "m", (), sys.exc_info())
    kept = clean.exc_info
    ScrubFilter().filter(clean)
    assert clean.exc_info is kept
    assert clean.exc_text is None


def test_texts_that_another_formatter_left(written: tuple[logging.Logger, io.StringIO]) -> None:
    late = record("m")
    late.exc_text = f"Traceback: token={SECRET}"
    late.stack_info = f"Stack: password={SECRET}"
    ScrubFilter().filter(late)
    assert SECRET not in f"{late.exc_text}{late.stack_info}"


def test_twice_is_once() -> None:
    for message, args in MESSAGES:
        dirty = record(message, *args, details={"token": SECRET}, note=f"pwd={SECRET}")
        ScrubFilter().filter(dirty)
        once = dict(vars(dirty))
        ScrubFilter().filter(dirty)
        assert dict(vars(dirty)) == once


class Hostile:
    """Raises wherever it is looked at."""

    def __str__(self) -> str:
        raise RuntimeError(SECRET)

    __repr__ = __str__

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(SECRET)


@pytest.mark.parametrize(
    ("message", "args"),
    [("%d rows, token=%s", ("x", SECRET)), ("no place", (SECRET,)), ("%s", (Hostile(),)), (Hostile(), ())],
    ids=["type", "count", "argument", "message"],
)
def test_what_cannot_be_written_is_left_out(message: object, args: tuple[object, ...]) -> None:
    bad = record(message, *args)
    assert ScrubFilter().filter(bad) is True
    assert bad.getMessage()
    assert SECRET not in bad.getMessage()


def test_hostile_fields_and_exceptions() -> None:
    cyclic: dict[str, Any] = {"token": SECRET}
    cyclic["self"] = cyclic
    bad = record("m", hostile=Hostile(), cyclic=cyclic, deep=[[[[{"password": SECRET}]]]])
    bad.exc_info = (ValueError, ValueError(Hostile()), None)
    assert ScrubFilter().filter(bad) is True
    assert SECRET not in repr({name: value for name, value in vars(bad).items() if name != "exc_info"})


def test_by_configuration() -> None:
    out = io.StringIO()
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "filters": {"scrub": {"()": "ackguard.logging.ScrubFilter", "hint_fields": ["advice"]}},
            "handlers": {"h": {"class": "logging.StreamHandler", "stream": out, "filters": ["scrub"]}},
            "loggers": {"ackguard-test": {"handlers": ["h"], "level": "INFO", "propagate": False}},
        }
    )
    logging.getLogger("ackguard-test.child").warning("api_key=%s", SECRET)
    assert out.getvalue()
    assert SECRET not in out.getvalue()


def test_a_scrubbed_record_can_be_sent_on() -> None:
    dirty = record("token=%s", SECRET, details={"token": SECRET})
    ScrubFilter().filter(dirty)
    assert SECRET.encode() not in pickle.dumps(dirty)


def test_a_large_message_does_not_pass_unseen(written: tuple[logging.Logger, io.StringIO]) -> None:
    logger, out = written
    logger.error("x " * 300_000 + f"token={SECRET}")
    assert SECRET not in out.getvalue()
