#!/usr/bin/env python3
"""seeds.py FOLDER   writes what the shared cases and the recordings give there, one file each, for the fuzzer to start from."""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent


def of_cases() -> Iterator[object]:
    """The input of each case: the whole, and each part of it."""
    for path in (TESTS / "vectors").glob("*.json"):
        for case in json.loads(path.read_text(encoding="utf-8")).get("cases", []):
            given = case.get("input", {})
            yield given
            if isinstance(given, dict):
                yield from given.values()


def of_recordings() -> Iterator[object]:
    """Each line, and what in it came over a wire by itself."""
    for path in (TESTS / "data").glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            yield line
            yield from (record[part] for part in ("ack", "body", "raised") if part in record)
            yield from record.get("headers", {}).values()
            yield from (step["line"] for step in record.get("wire", []) if "line" in step)
    yield from (TESTS / "data" / "benign.txt").read_text(encoding="utf-8").splitlines()


def main() -> None:
    folder = Path(sys.argv[1])
    for given in (*of_cases(), *of_recordings()):
        text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        seed = text.encode("utf-8", "surrogatepass")
        (folder / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)


if __name__ == "__main__":
    main()
