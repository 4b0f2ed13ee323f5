#!/bin/bash
# bench.sh WHEEL   how many bytes a second are classified, for one processor and for two.
set -euo pipefail
cd "$(dirname "$0")"
peers=$(../../tools/python-env.sh requirements.txt)
"$peers/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --force-reinstall --no-deps "$1"
exec "$peers/bin/python" bench.py
