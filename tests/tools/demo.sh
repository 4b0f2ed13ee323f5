#!/bin/sh
# What ackguard does, on recordings of real peers: a log sorted, and one payload of it explained.
set -e
cd "$(dirname "$0")/../.."
command -v cargo >/dev/null 2>&1 || { echo 'missing: a Rust toolchain (rustup.rs)' >&2; exit 1; }
cargo build --quiet --package ackguard --features cli
ackguard=${CARGO_TARGET_DIR:-target}/debug/ackguard

say() { printf '\n$ %s\n' "$*"; }

say ackguard triage tests/data/acks.jsonl tests/data/acks-0.2.jsonl
"$ackguard" triage tests/data/acks.jsonl tests/data/acks-0.2.jsonl

payload='{"code":4017,"message":"Skill resource not accessible","details":{"reason":"too_large","rel_path":"models/big.bin","total_size":734003200}}'
say "echo '$payload' | ackguard explain"
echo "$payload" | "$ackguard" explain -

printf '\n%s\n' 'The same in a page of your own, from which nothing leaves: make playground, then'
echo '  python3 -m http.server --bind 127.0.0.1 -d bindings-wasm/playground/dist'
echo 'and http://127.0.0.1:8000 in a browser.'
