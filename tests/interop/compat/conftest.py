"""Every test starts and ends with a2c-smcp as it came."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ackguard.compat import a2c_smcp as compat


@pytest.fixture(autouse=True)
def _as_it_came() -> Iterator[None]:
    compat.uninstall()
    yield
    compat.uninstall()
    assert not compat.is_installed()
