#!/bin/bash
# The drop-in for a2c-smcp beside the real a2c-smcp, in an environment of its own. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/../../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
venv=$target/interop-compat
list=tests/interop/compat/requirements.txt

# Exception groups are part of what is tested.
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    exec tests/tools/skip.sh "python 3.11 or later is needed for a2c-smcp"
if ! cmp -s "$list" "$venv/requirements.txt"; then
    rm -rf "$venv"
    { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet 'maturin>=1.9,<2' -r "$list"; } ||
        { rm -rf "$venv" && exec tests/tools/skip.sh "a2c-smcp cannot be installed from the package index"; }
    cp "$list" "$venv/requirements.txt"
fi

rm -rf "$venv/wheels"
PATH="$venv/bin:$PATH" maturin build --quiet --profile dev --manifest-path bindings-python/Cargo.toml \
    --interpreter "$venv/bin/python" --out "$venv/wheels"
"$venv/bin/pip" install --quiet --no-deps --force-reinstall "$venv"/wheels/*.whl
cd tests/interop/compat
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
