#!/bin/bash
# free-threaded.sh PYTHON   builds the wheel for an interpreter without the GIL (3.14t or later), which abi3 does not serve,
# and runs all tests on it.
set -euo pipefail
python=$(command -v "${1:?usage: free-threaded.sh PYTHON}")
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-../target}
mkdir -p "$target/python/free"
target=$(cd "$target" && pwd)
"$python" -c 'import sys, sysconfig; sys.exit(not sysconfig.get_config_var("Py_GIL_DISABLED"))' ||
    { echo "$python has a GIL" >&2; exit 1; }

environment=$target/python/free/environment
[ -x "$environment/bin/pytest" ] || {
    rm -rf "$environment"
    "$python" -m venv "$environment"
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
        $(grep -E '^(maturin|pydantic|pytest)=' tests/requirements.txt)
}
rm -f "$target"/python/free/*.whl
"$environment/bin/maturin" build --quiet --interpreter "$environment/bin/python" --out "$target/python/free"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --force-reinstall --no-deps \
    "$target"/python/free/*.whl
# Whatever is imported that does need the GIL would bring it back: it stays away.
PYTHON_GIL=0 "$environment/bin/python" -m pytest tests
