"""Python's side of `make agree`: reads {"file", "input"} line by line, answers as the runner of the cases does."""

from __future__ import annotations

import json
import sys

import vectors


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        given = vectors.Fields(asked["input"])
        operation = vectors.OPERATIONS.get((asked["file"], given.pop("op", None)))
        try:
            if operation is None:
                raise vectors.Unknown("does not know the operation")
            answer: dict[str, object] = {"answer": operation(given)}
        except Exception as error:  # whatever a language answers with is compared
            answer = {"not_run": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
