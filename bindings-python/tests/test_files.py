"""The package's files as real file objects."""

from __future__ import annotations

import io
import mmap
import os
import shutil
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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
