#!/usr/bin/env python3
"""census.py [--check] LANGUAGE:PART...   counts the shared cases, and who ran them.

Counts by itself, from tests/vectors, and compares with what each language's runner left in target/census/<language>.json:
{"language": ..., "ids": [the id of every case that was run]}.

Without --check: one line per language, from the last `make test`. With it: fails if any language left a case out, ran one
that is not there, or if an id stands for two cases or for one that was taken out earlier.
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
# They run where there is no file system; everything else holds there as well.
NO_FILE_SYSTEM = {"language": {"node", "chromium"}, "files": {"rel_paths_fs.json"}}


def load() -> tuple[dict[str, list[str]], list[str]]:
    """The ids by file, and what is wrong with them."""
    problems = []
    ids = {}
    for path in sorted((TESTS / "vectors").glob("*.json")):
        if path.name != "schema.json":
            cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
            ids[path.name] = [case["id"] for case in cases]
    every = [identity for file in ids.values() for identity in file]
    problems += [f"the id {i} stands for {n} cases" for i, n in Counter(every).items() if n > 1]
    retired = set((TESTS / "vectors" / "retired.txt").read_text(encoding="utf-8").splitlines())
    problems += [f"the id {i} is retired and may not come back" for i in sorted(set(every) & retired)]
    return ids, problems


def owed(ids: dict[str, list[str]], language: str) -> set[str]:
    """The cases that a language has to run."""
    spared = NO_FILE_SYSTEM["files"] if language in NO_FILE_SYSTEM["language"] else set()
    return {identity for file, of_file in ids.items() if file not in spared for identity in of_file}


def shown(ids: set[str]) -> str:
    some = ", ".join(sorted(ids)[:5])
    return some + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    check = len(arguments) < len(sys.argv) - 1
    target = Path(os.environ.get("CARGO_TARGET_DIR") or TESTS.parent / "target")
    census = Path(os.environ.get("ACKGUARD_CENSUS") or target / "census")
    summary = Path(os.environ.get("ACKGUARD_SUMMARY") or target / "summary")

    ids, problems = load()
    total = sum(map(len, ids.values()))
    for argument in arguments:
        language, part = argument.split(":")
        due = owed(ids, language)
        file = census / f"{language}.json"
        ran = set(json.loads(file.read_text(encoding="utf-8"))["ids"]) if file.exists() else set()
        done = len(ran & due)
        note = f" ({total - len(due)} need a file system)" if len(due) < total else ""
        print(f"{language:<9} {done:>5} of {len(due)} cases{note}")
        # A part that could not be set up says so in the table; it is not for the census to say it again.
        if (summary / f"{part}.skip").exists():
            continue
        if due - ran:
            problems.append(f"{language} left out {len(due - ran)}: {shown(due - ran)}")
        if ran - due:
            problems.append(f"{language} ran cases that are not there: {shown(ran - due)}")
    print(f"{'total':<9} {total:>5} cases in {len(ids)} files")
    for problem in problems if check else ():
        print(f"census: {problem}")
    return 1 if check and problems else 0


if __name__ == "__main__":
    sys.exit(main())
