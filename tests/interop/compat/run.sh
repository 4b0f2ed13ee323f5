#!/bin/bash
# The drop-in for a2c-smcp beside the real a2c-smcp, in an environment of its own. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/../../.."
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    # Exception groups are part of what is tested.
    exec tests/tools/skip.sh "python 3.11 or later is needed for a2c-smcp"
venv=$(tests/tools/python-env.sh tests/interop/compat/requirements.txt)
wheel=$(tests/tools/python-wheel.sh)
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"
cd tests/interop/compat
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
