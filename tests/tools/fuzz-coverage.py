#!/usr/bin/env python3
"""fuzz-coverage.py COVERAGE.json SOURCES   what `llvm-cov export` says, by module; and the public functions without a run."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

# Not for the fuzzer: the command, and what reads files.
LEFT_OUT = {"cli", "bin", "sandbox"}
PUBLIC = re.compile(r"^\s*pub (?:const )?fn (\w+)")


def main() -> None:
    exported = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["data"][0]
    sources = Path(sys.argv[2])
    totals: dict[str, Counter[str]] = {}
    for file in exported["files"]:
        module = Path(file["filename"]).relative_to(sources).parts[0].removesuffix(".rs")
        if module not in LEFT_OUT:
            for what in ("regions", "functions"):
                for part in ("count", "covered"):
                    for name in (module, "in all"):
                        totals.setdefault(name, Counter())[f"{what} {part}"] += file["summary"][what][part]
    print(f"{'module':16}{'regions':>16}{'functions':>16}")
    for name in sorted(totals, key=lambda name: (name == "in all", name)):
        cells = []
        for what in ("regions", "functions"):
            covered, count = totals[name][f"{what} covered"], totals[name][f"{what} count"]
            cells.append(f"{covered:>5}/{count:<5}{100 * covered / count if count else 100:4.0f}%")
        print(f"{name:16}{cells[0]:>16}{cells[1]:>16}")

    # A function is there once for each type it was made for; one that was never called is there without a run.
    reached: set[tuple[str, int]] = set()
    for function in exported["functions"]:
        if function["count"]:
            reached.add((function["filenames"][0], function["regions"][0][0]))
    print("\npublic functions that no corpus reaches:")
    # A file that is not compiled here is not in the report.
    for path in sorted(Path(file["filename"]) for file in exported["files"]):
        if path.relative_to(sources).parts[0].removesuffix(".rs") in LEFT_OUT:
            continue
        text = path.read_text(encoding="utf-8").split("#[cfg(test)]\nmod tests", 1)[0]
        for number, line in enumerate(text.splitlines(), 1):
            if (found := PUBLIC.match(line)) and (str(path), number) not in reached:
                print(f"  {path.relative_to(sources)}:{number} {found[1]}")


if __name__ == "__main__":
    main()
