"""Every shared case through the public API, and the census."""

from __future__ import annotations

from pathlib import Path

import vectors


def test_every_case_of_every_file(tmp_path: Path) -> None:
    ran: list[str] = []
    problems: list[str] = []
    for name, file, cases in vectors.load():
        tree = None
        if "tree" in file:
            folder = tmp_path / name
            folder.mkdir()
            tree = vectors.Tree(folder, file["tree"])
        for case in cases:
            try:
                found = vectors.run(name, case, tree)
            except vectors.Unknown as unknown:
                problems.append(f"{case.id}: {unknown}")
                continue
            except Exception as error:  # one case's problem must not hide the others
                found = [f"{type(error).__name__}: {error}"]
            ran.append(case.id)
            problems += [f"{case.id}: {it}" for it in found]
        for pair, outcomes in (tree.pairs if tree else {}).items():
            if len(set(outcomes)) > 1:
                problems.append(f"{pair}: {outcomes}")
    vectors.census(ran)
    assert len(ran) > 500
    assert not problems, f"{len(problems)} problems, {len(ran)} cases run:\n" + "\n".join(problems)


def test_a_wrong_answer_would_be_seen() -> None:
    case = vectors.Case({"id": "x", "input": {"json": "null"}, "expect": {"kind": "data"}})
    assert vectors.run("payloads", case, None) == ["kind is 'none', not 'data'"]
    assert vectors.compare({"a": 1}, {"a": True}) == ["a is 1, not True"]
    assert vectors.compare({"a": 1}, {"b": 1}) == ["does not know the expectation b"]
