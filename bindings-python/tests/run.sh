#!/bin/bash
# run.sh WHEEL   everything about the wheel: installed by pip into a clean environment, it is tested, its types are
# checked, it is used by the command's name, and the source distribution builds one like it.
set -euo pipefail
cd "$(dirname "$0")/.."
wheel=$1
target=${CARGO_TARGET_DIR:-../target}
tools=$(../tests/tools/python-env.sh tests/requirements.txt)

bytes=$(stat --format %s "$wheel")
echo "wheel: $((bytes / 1024)) KiB"
[ "$bytes" -lt $((2 * 1024 * 1024)) ] || { echo "the wheel is larger than 2 MiB" >&2; exit 1; }

# As a user would: nothing but the wheel, and the source folder out of reach.
clean=$target/python/clean
rm -rf "$clean"
"$tools/bin/python" -m venv "$clean"
"$clean/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "$wheel"
(
    cd "$clean"
    bin/python -c 'import ackguard; assert ackguard.classify({"code": 4014}).kind == "error"'
    bin/ackguard --version
    bin/python -m ackguard name audit
    ! bin/ackguard name Audit
)

"$tools/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --force-reinstall --no-deps "$wheel"
"$tools/bin/python" -m pytest tests
# ackguard.arrow has a part of its own, with pyarrow.
"$tools/bin/python" -m pytest --doctest-modules -k 'not arrow' --pyargs ackguard
"$tools/bin/ruff" check .
"$tools/bin/ruff" format --check .
"$tools/bin/mypy"
"$tools/bin/python" -m mypy.stubtest ackguard --mypy-config-file pyproject.toml --allowlist tests/stubtest-allow.txt
"$tools/bin/pyright" --pythonpath "$tools/bin/python"
# Where there is an interpreter without the GIL, all of it there as well.
if command -v python3.14t >/dev/null; then tests/free-threaded.sh python3.14t; fi
