#!/bin/bash
# bench-triage.sh   how fast `ackguard triage` goes through typical lines, on all processors; and in how much memory
set -euo pipefail
cargo build --quiet --release --package ackguard --features cli
program=$CARGO_TARGET_DIR/release/ackguard
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Typical lines: the recorded acks, each made distinct, so that nothing can be remembered from line to line.
python3 - "$work" <<'END'
import json, pathlib, sys
lines = [json.loads(line) for line in pathlib.Path("tests/data/acks.jsonl").read_text(encoding="utf-8").splitlines()]
with open(sys.argv[1] + "/small.jsonl", "w", encoding="utf-8") as out:
    number, size = 0, 0
    while size < 100_000_000:
        for record in lines:
            number += 1
            size += out.write(json.dumps({"at": number, **record}, ensure_ascii=False) + "\n")
END
for _ in 1 2 3 4; do cat "$work/small.jsonl"; done > "$work/large.jsonl"
for size in small large; do
  python3 - "$program" "$work/$size.jsonl" <<'END'
import os, resource, subprocess, sys, time
program, file = sys.argv[1:]
times = []
for _ in range(5):
    start = time.perf_counter()
    subprocess.run([program, "triage", file], check=True, stdout=subprocess.DEVNULL)
    times.append(time.perf_counter() - start)
megabytes = os.path.getsize(file) / 1e6
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
best, median = min(times), sorted(times)[2]
print(f"triage of {megabytes:.0f} MB: {megabytes / best:.0f} MB/s at best, {megabytes / median:.0f} MB/s in the median (>= 500), peak {peak:.0f} MB (<= 64)")
END
done
