"""The Python of the guide in core/docs does what its pages say: its own tests are run as ours."""

from __future__ import annotations

import inspect
import runpy
from pathlib import Path

import pytest

SNIPPETS = Path(__file__).resolve().parents[2] / "core" / "docs" / "snippets" / "python"
FILES = sorted(SNIPPETS.glob("*.py"))
TESTS = [
    pytest.param(test, id=f"{file.stem}-{name}")
    for file in FILES
    for name, test in runpy.run_path(str(file)).items()
    if name.startswith("test_")
]


def test_there_are_some() -> None:
    assert len(FILES) >= 3
    assert len(TESTS) >= len(FILES)


@pytest.mark.parametrize("test", TESTS)
def test_snippet(test: object, tmp_path: Path) -> None:
    assert callable(test)
    test(*([tmp_path] if inspect.signature(test).parameters else []))
