#!/bin/bash
# python-env.sh REQUIREMENTS   prints the folder of a virtual environment that holds what the file lists.
#
# Made once per content of the file and per Python, in $ACKGUARD_CACHE or else the user's cache; a second call only prints. Without a Python of 3.10 or later, or a package index, the part is skipped.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
requirements=$1
skip() {
    exec "$here/skip.sh" "$1"
}

python=${PYTHON:-python3}
version=$("$python" -c 'import sys; print(*sys.version_info[:3], sys.abiflags, sep=".")' 2>/dev/null) || skip "missing: $python"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "$python is older than 3.10"

cache=${ACKGUARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ackguard}
key=$(printf '%s\n%s' "$version" "$(cat "$requirements")" | sha256sum | cut -c1-16)
folder=$cache/python/$(basename "$(dirname "$(realpath "$requirements")")")-$key
if [ ! -f "$folder/.complete" ]; then
    rm -rf "$folder"
    mkdir -p "$(dirname "$folder")"
    "$python" -m venv "$folder" >&2 || skip "$python cannot make a virtual environment (package python3-venv)"
    # Twice: a package index may hiccup.
    install() {
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements" >&2
    }
    install || install || skip "pip cannot install $(basename "$requirements")"
    touch "$folder/.complete"
fi
cd "$folder" && pwd
