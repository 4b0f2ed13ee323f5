#!/bin/bash
# fuzz.sh SECONDS [TARGET...]   runs each fuzz target for that long; stops at the first finding.
#
# Does with a stable compiler what `cargo fuzz run --sanitizer none` does, which works here as well. A sanitizer needs a
# nightly one and has little to find where `unsafe` is forbidden: what is looked for are panics, hangs and memory
# that grows. What was found lies in core/fuzz/artifacts, what was learnt in the target folder; corpora.sh makes
# the committed corpora from that.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:?usage: fuzz.sh SECONDS [TARGET...]}
shift
target=${CARGO_TARGET_DIR:-$PWD/target}
tests/tools/need.sh c++=g++

coverage=(-Cpasses=sancov-module --cfg fuzzing -Ccodegen-units=1)
for option in -sanitizer-coverage-{level=4,inline-8bit-counters,pc-table,trace-compares} -simplifycfg-branch-fold-threshold=0; do
    coverage+=("-Cllvm-args=$option")
done
RUSTFLAGS="${coverage[*]}" CARGO_TARGET_DIR=$target/fuzz \
    cargo build --quiet --release --manifest-path core/fuzz/Cargo.toml --target "$(rustc --print host-tuple)"

if [ $# = 0 ]; then
    for file in core/fuzz/fuzz_targets/*.rs; do set -- "$@" "$(basename "$file" .rs)"; done
fi
for name in "$@"; do
    printf '\n=== %s, %s s ===\n' "$name" "$seconds"
    corpus=$target/fuzz/corpus/$name
    artifacts=core/fuzz/artifacts/$name
    mkdir -p "$corpus" "$artifacts"
    # It starts from the shared cases, the recordings, and the committed corpus, which it only reads.
    tests/tools/seeds.py "$corpus"
    "$target/fuzz/$(rustc --print host-tuple)/release/$name" "$corpus" "core/fuzz/corpus/$name" \
        -artifact_prefix="$artifacts/" -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1
done
