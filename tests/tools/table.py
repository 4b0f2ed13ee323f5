#!/usr/bin/env python3
"""table.py PART...   the end of `make test`: what each part gave, and one closing line.

Reads what summary.sh left in target/summary. The closing line counts tests as the runners reported them; a part whose
runner reports none counts as one. Fails if a part failed, and with CI=1 also if one was skipped.
"""

import os
import re
import sys
from pathlib import Path

# How the runners say how many tests passed and failed. All lines of one kind are added up.
RUNNERS = [
    # cargo test
    (re.compile(r"^test result: \S+ (?P<passed>\d+) passed; (?P<failed>\d+) failed"), sum),
    # pytest, with failures first if there are any
    (re.compile(r"^=*\s*(?:(?P<failed>\d+) failed, )?(?P<passed>\d+) passed\b.* in [\d.]+s"), sum),
    (re.compile(r"^=*\s*(?P<failed>\d+) failed(?P<passed>)\b(?!.* passed).* in [\d.]+s"), sum),
    # node --test
    (re.compile(r"^(?:#|ℹ) pass (?P<passed>\d+)(?P<failed>)$"), sum),
    (re.compile(r"^(?:#|ℹ) fail (?P<failed>\d+)(?P<passed>)$"), sum),
    # Surefire prints one line per class, indented by a time, and the total without
    (re.compile(r"^\[\w+\] Tests run: (?P<run>\d+), Failures: (?P<f>\d+), Errors: (?P<e>\d+), Skipped: \d+$"), sum),
    # XCTest repeats its count for each enclosing suite: the largest is the whole
    (re.compile(r"^\s+Executed (?P<run>\d+) tests?, with (?P<f>\d+) failures?"), max),
]


def counted(log: str) -> tuple[int, int]:
    """The tests that passed and failed in one part, as far as its runners say."""
    passed = failed = 0
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line.rstrip()) for line in log.splitlines()]
    for pattern, total in RUNNERS:
        found = []
        for match in filter(None, map(pattern.match, lines)):
            groups = {name: int(value or 0) for name, value in match.groupdict().items()}
            bad = groups.get("failed", 0) + groups.get("f", 0) + groups.get("e", 0)
            found.append((groups["passed"] if "passed" in groups else groups["run"] - bad, bad))
        if found:
            passed += total(good for good, _ in found)
            failed += total(bad for _, bad in found)
    return passed, failed


def main() -> int:
    summary = Path(os.environ["ACKGUARD_SUMMARY"])
    strict = os.environ.get("CI", "") not in ("", "0", "false")
    coloured = (sys.stdout.isatty() or strict) and "NO_COLOR" not in os.environ
    colours = {"PASSED": "32", "SKIPPED": "31", "FAILED": "31;1"}
    passed = failed = 0
    parts = sys.argv[1:]
    width = max(map(len, parts))
    print(f"\n{'part':<{width}}  result   seconds")
    for part in parts:
        result, seconds, why = (summary / part).read_text(encoding="utf-8").rstrip("\n").split("\t")
        shown = f"{result:<7}"
        if coloured:
            shown = f"\x1b[{colours[result]}m{shown}\x1b[0m"
        print(f"{part:<{width}}  {shown}  {seconds:>7}  {why}".rstrip())
        good, bad = counted((summary / f"{part}.log").read_text(encoding="utf-8", errors="replace"))
        if result == "PASSED":
            # A runner that reports failures and exits with 0 is not believed.
            passed, failed = passed + max(good, 1 - bad), failed + bad
        elif result == "FAILED":
            passed, failed = passed + good, failed + max(bad, 1)
        elif strict:
            failed += 1
    print(f"\n{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
