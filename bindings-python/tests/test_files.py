"""The package's files as real file objects."""

from __future__ import annotations

import errno
import io
import mmap
import os
import shutil
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import ackguard
import pytest


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "SKILL.md").write_bytes(b"# skill\n" * 1000)
    (folder / ".skillenv").write_text("secret")
    with tarfile.open(folder / "a.tar", "w") as archive:
        archive.add(folder / "SKILL.md", "inside.md")
    return folder


def test_a_file_is_one(package: Path) -> None:
    with ackguard.SkillRoot(package) as root:
        assert root.path == package.resolve()
        with root.open() as file:
            assert isinstance(file, io.BufferedReader)
            assert not os.get_inheritable(file.fileno())
            copy = io.BytesIO()
            shutil.copyfileobj(file, copy)
            assert copy.getvalue() == root.read() == (package / "SKILL.md").read_bytes()
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                assert mapped[:7] == b"# skill"
        with root.open("a.tar") as file, tarfile.open(fileobj=file) as archive:
            assert archive.getnames() == ["inside.md"]
        assert root.size("SKILL.md") == 8000
        assert root.resolve() == (package / "SKILL.md").resolve()
        kept = root.open()
    assert kept.read(1) == b"#"
    kept.close()
    assert root.closed
    with pytest.raises(ValueError, match="closed"):
        root.read()


def test_a_file_that_grows_gives_no_more_than_the_bound(package: Path) -> None:
    grows = package / "grows.txt"
    line = b"0123456789\n"
    grows.write_bytes(line)
    root = ackguard.SkillRoot(package, max_size=3 * len(line))

    def grown(size: int) -> BinaryIO:
        grows.write_bytes(line)
        file = root.open("grows.txt")
        with grows.open("ab") as more:
            more.write(line * (size - 1))
        return file

    for size in (1, 2, 3, 4, 100_000):
        expected = line * min(size, 3)
        with grown(size) as file:
            assert file.read() == expected
            assert file.read() == b""
            assert file.seek(5) == 5
            assert file.read() == expected[5:]
            assert file.seek(0) == 0
            assert file.read(10**6) == expected
            assert file.seek(4 * len(line)) == 4 * len(line)
            assert (file.read(), file.read(1)) == (b"", b"")
        with grown(size) as file:
            assert list(file) == [line] * min(size, 3)
        file = grown(size)
        assert isinstance(file, io.BufferedReader)
        room = bytearray(1000)
        assert file.readinto(room) == len(expected)
        assert room.startswith(expected + b"\0")
        with file.detach() as raw:
            assert raw.seek(0) == 0
            assert (raw.read(5), raw.read()) == (expected[:5], expected[5:])
    # What is too large by now is refused, and without a bound there is no end but the file's.
    with pytest.raises(ackguard.SkillResourceError, match="are more than allowed"):
        root.open("grows.txt")
    with ackguard.SkillRoot(package, max_size=2**64 - 1).open("grows.txt") as file:
        assert len(file.read()) == 100_000 * len(line)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_file_that_claims_to_be_empty() -> None:
    with ackguard.SkillRoot("/proc/self") as root, root.open("limits") as file:
        assert root.size("limits") == 0
        assert file.read() == root.read("limits")
        assert file.seek(0) == 0
        assert file.read().startswith(b"Limit")


@pytest.mark.skipif(os.name == "nt", reason="nobody can move a directory that is held")
def test_a_package_that_is_moved(package: Path) -> None:
    root = ackguard.SkillRoot(package)
    moved = package.rename(package.with_name("moved"))
    package.mkdir()
    (package / "SKILL.md").write_text("of another")
    assert root.read().startswith(b"# skill")
    if sys.platform == "linux":
        assert root.resolve() == moved.resolve() / "SKILL.md"
    else:
        # There a system does not say where a directory is that is held.
        with pytest.raises(ackguard.SkillResourceError, match="no such readable file"):
            root.resolve()


def test_a_package_that_cannot_be_opened(package: Path) -> None:
    for path, kind, number in (
        (package / "missing", FileNotFoundError, errno.ENOENT),
        (package / "SKILL.md", NotADirectoryError, errno.ENOTDIR),
    ):
        with pytest.raises(kind) as raised:
            ackguard.SkillRoot(path)
        assert (raised.value.errno, raised.value.filename) == (number, str(path))
        assert "SKILL package" in str(raised.value)
    if os.name != "nt":
        (package / "loop").symlink_to("loop")
        with pytest.raises(OSError, match="cannot be opened") as raised:
            ackguard.SkillRoot(package / "loop")
        assert raised.value.errno == errno.ELOOP

    class Fails:
        def __fspath__(self) -> str:
            raise ZeroDivisionError("the object's own")

    with pytest.raises(ZeroDivisionError):
        ackguard.SkillRoot(Fails())
    for wrong in (os.fsencode(package), 3, None):
        with pytest.raises(TypeError, match=r"argument 'path': expected str or os\.PathLike\[str\], not"):
            ackguard.SkillRoot(wrong)  # type: ignore[arg-type]


def test_nothing_stays_open(package: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for _ in range(200):
        with ackguard.SkillRoot(package) as root, root.open():
            pass
        with pytest.raises(ackguard.SkillResourceError):
            ackguard.SkillRoot(package).read(".skillenv")
        ackguard.SkillRoot(package).read()
    if before:
        assert len(os.listdir("/proc/self/fd")) == before


def test_refusals(package: Path, tmp_path: Path) -> None:
    root = ackguard.SkillRoot(package, max_size=10, forbid=["a.*"])
    for rel, reason in {".skillenv": "forbidden", "a.tar": "forbidden", "../x": "traversal", "no": "not_found"}.items():
        with pytest.raises(ackguard.SkillResourceError) as raised:
            root.open(rel)
        assert (raised.value.reason, raised.value.rel_path) == (reason, rel)
    with pytest.raises(ackguard.SkillResourceError) as raised:
        root.read()
    assert (raised.value.reason, raised.value.total_size) == ("too_large", 8000)
    assert raised.value.to_payload().details == {"reason": "too_large", "total_size": 8000}
    with pytest.raises(FileNotFoundError):
        ackguard.SkillRoot(tmp_path / "missing")
    with pytest.raises(NotADirectoryError):
        ackguard.SkillRoot(package / "SKILL.md")


def test_threads_and_fork(package: Path) -> None:
    root = ackguard.SkillRoot(os.fspath(package))
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: len(root.read()), range(400))) == {8000}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_process_may_go_on(package: Path) -> None:
    root = ackguard.SkillRoot(package)
    child = os.fork()
    if child == 0:
        good = len(root.read()) == 8000 and ackguard.classify({"code": 4101}).kind == "error"
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
