#!/bin/bash
# corpora.sh [TARGET...]   makes the committed corpora anew from what fuzz.sh has learnt: the smallest set of inputs of
# at most 4 KB that goes through every edge of the core that any of them goes through.
#
# What once failed, by libFuzzer's name for it, stays whatever it goes through.
# How often an edge is gone through is not looked at, or there would be ten times as many files.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
host=$(rustc --print host-tuple)

[ $# != 0 ] || for file in core/fuzz/fuzz_targets/*.rs; do set -- "$@" "$(basename "$file" .rs)"; done
for name in "$@"; do
    learnt=$target/fuzz/corpus/$name kept=core/fuzz/corpus/$name new=$target/fuzz/minimal/$name
    mkdir -p "$kept" "$learnt" "$new"
    find "$new" -type f -delete
    "$target/fuzz/$host/release/$name" -set_cover_merge=1 -use_counters=0 -max_len=4096 "$new" "$kept" "$learnt" 2>/dev/null
    find "$kept" -type f ! -name 'crash-*' -delete
    cp "$new"/* "$kept"
    printf '%-8s %5d files %8d bytes\n' "$name" "$(find "$kept" -type f | wc -l)" "$(cat "$kept"/* | wc -c)"
done
