#!/bin/bash
# run.sh WHEEL   times the wheel against named peers, in pairs, and fails if a bound is broken.
set -euo pipefail
cd "$(dirname "$0")"
peers=$(../../tests/tools/python-env.sh ../../tests/interop/python/requirements.txt)
"$peers/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --force-reinstall --no-deps "$1"
exec ../../tests/tools/pinned.sh "$peers/bin/python" ratios.py "$1"
