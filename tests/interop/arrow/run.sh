#!/bin/bash
# run.sh WHEEL   columns of payloads: pyarrow, Polars, DuckDB, and Spark on this machine.
set -euo pipefail
cd "$(dirname "$0")"
peers=$(../../tools/python-env.sh requirements.txt)
"$peers/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --force-reinstall --no-deps "$1"
export PATH=$peers/bin:$PATH PYTHONDONTWRITEBYTECODE=1
timeout 600 "$peers/bin/python" -m pytest -q -p no:cacheprovider .
"$peers/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs ackguard.arrow
