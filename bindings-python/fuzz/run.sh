#!/bin/bash
# run.sh SECONDS WHEEL   fuzzes the wheel's public functions for that long; stops at the first finding.
set -euo pipefail
cd "$(dirname "$0")"
seconds=$1 wheel=$2
target=$(cd .. && mkdir -p "${CARGO_TARGET_DIR:-../target}/python/fuzz" && cd "${CARGO_TARGET_DIR:-../target}/python/fuzz" && pwd)
tools=$(../../tests/tools/python-env.sh requirements.txt)
# Not into the environment that is kept: beside it.
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --upgrade \
    --target "$target/package" "$wheel"
mkdir -p "$target/corpus"
PYTHONPATH=$target/package exec "$tools/bin/python" surface.py "$target/corpus" -artifact_prefix="$target/" \
    -max_total_time="$seconds" -max_len=600 -len_control=0 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1
