#!/bin/bash
# run.sh WHEEL   the wheel beside the real a2c-smcp and agentao, on loopback, bounded in time.
set -euo pipefail
cd "$(dirname "$0")"
peers=$(../../tools/python-env.sh requirements.txt)
"$peers/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --force-reinstall --no-deps "$1"
timeout 300 "$peers/bin/python" -m pytest -q -p no:cacheprovider --timeout 120 .
