#!/usr/bin/env python3
"""seeds.py FOLDER   writes the inputs of the shared cases there, one file each, for the fuzzer to start from."""

import hashlib
import json
import sys
from pathlib import Path


def main() -> None:
    folder = Path(sys.argv[1])
    for path in (Path(__file__).resolve().parent.parent / "vectors").glob("*.json"):
        for case in json.loads(path.read_text(encoding="utf-8")).get("cases", []):
            given = case.get("input", {})
            values = [given, *given.values()] if isinstance(given, dict) else [given]
            for value in values:
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                seed = text.encode("utf-8", "surrogatepass")
                (folder / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)


if __name__ == "__main__":
    main()
