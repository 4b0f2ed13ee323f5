#!/bin/bash
# fuzz-coverage.sh   how much of the core the committed corpora reach: regions and functions by module, and the public
# functions that no corpus reaches. The report line by line is in coverage.html below the target folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}/fuzz-coverage
tools=$(rustc --print sysroot)/lib/rustlib/$(rustc --print host-tuple)/bin
[ -x "$tools/llvm-cov" ] || rustup component add llvm-tools

rm -f "$target"/*.profraw
mkdir -p "$target"
export CARGO_TARGET_DIR=$target RUSTFLAGS=-Cinstrument-coverage LLVM_PROFILE_FILE=$target/%p-%m.profraw
# The dependencies' build scripts leave profiles as well.
cargo test --quiet --package ackguard-tests --test corpora --no-run
rm -f "$target"/*.profraw
program=$(cargo test --quiet --package ackguard-tests --test corpora --no-run --message-format json |
    sed -n 's/.*"executable":"\([^"]*corpora[^"]*\)".*/\1/p')
rm -f "$target"/*.profraw
"$program" --quiet
"$tools/llvm-profdata" merge --sparse "$target"/*.profraw -o "$target/corpora.profdata"
sources=$PWD/core/src
report=(--instr-profile "$target/corpora.profdata" "$sources")
"$tools/llvm-cov" show "$program" --format html --output-dir "$target/coverage.html" "${report[@]}" >"$target/show.log"
"$tools/llvm-cov" export "$program" "${report[@]}" >"$target/coverage.json"
tests/tools/fuzz-coverage.py "$target/coverage.json" "$sources"
