"""The file objects that `SkillRoot.open` gives."""

from __future__ import annotations

import io
import os

# Known to type checkers by its name; `typing` itself takes milliseconds to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _BoundedFile(io.FileIO):
    """A file of which nothing behind its first `bound` bytes is read, however long it grows."""

    def __init__(self, descriptor: int, bound: int) -> None:
        super().__init__(descriptor, "rb")
        self._bound = bound

    def _left(self, wanted: int) -> int:
        return max(min(wanted, self._bound - self.tell()), 0)

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            return self.readall()
        return super().read(self._left(size))

    def readinto(self, buffer: Any, /) -> int:
        view = memoryview(buffer).cast("B")
        return super().readinto(view[: self._left(len(view))])

    def readall(self) -> bytes:
        parts: list[bytes] = []
        # A block more than is expected, for what was added meanwhile; there are also files that claim to be empty.
        while size := self._left(max(os.fstat(self.fileno()).st_size - self.tell(), 0) + io.DEFAULT_BUFFER_SIZE):
            part = super().read(size)
            if not part:
                break
            parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def bounded(descriptor: int, bound: int) -> io.BufferedReader:
    """A binary file object over a descriptor, which it closes."""
    return io.BufferedReader(_BoundedFile(descriptor, bound))
