#!/bin/bash
# python-wheel.sh   builds the wheel and prints its path. Cargo sees by itself what has changed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tools=$("$here/python-env.sh" "$here/../../bindings-python/tests/requirements.txt")
out=${CARGO_TARGET_DIR:-$here/../../target}/python/wheels
mkdir -p "$out"
rm -f "$out"/ackguard-*.whl
cd "$here/../../bindings-python"
"$tools/bin/maturin" build --quiet --interpreter "$tools/bin/python" --out "$out" >&2
cd "$out" && printf '%s/%s\n' "$PWD" ackguard-*.whl
