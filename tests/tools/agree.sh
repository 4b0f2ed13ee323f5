#!/bin/bash
# agree.sh SECONDS [SEED]   builds every language's side of agree.py and runs it.
#
# LANGUAGES="rust python" leaves others out; without it, a language that cannot be set up here fails the run.
set -euo pipefail
shopt -s inherit_errexit
tools=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$tools/../.." && pwd)
cd "$root"
export CI=1 # nothing is skipped: what is missing is an error
target=${CARGO_TARGET_DIR:-$root/target}
languages=${LANGUAGES:-rust python node kotlin swift}

side() {
    case $1 in
        rust)
            cargo build --quiet --release --package ackguard-tests --example agree >&2
            echo "$target/release/examples/agree"
            ;;
        python)
            local wheel environment
            wheel=$("$tools/python-wheel.sh")
            environment=$("$tools/python-env.sh" bindings-python/tests/requirements.txt)
            # Not into the environment that the tests share: beside it.
            "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps \
                --upgrade --target "$target/agree/python" "$wheel" >&2
            echo "env PYTHONPATH=$target/agree/python:bindings-python/tests $environment/bin/python bindings-python/tests/agree.py"
            ;;
        node)
            make --no-print-directory build-wasm >&2
            echo "node bindings-wasm/test/agree.mjs"
            ;;
        kotlin | swift)
            bindings-uniffi/support/agree.sh "$1"
            ;;
        *)
            echo "agree.sh knows no language $1" >&2
            return 1
            ;;
    esac
}

ACKGUARD_AGREE=
for language in $languages; do
    command=$(side "$language")
    ACKGUARD_AGREE+="$language=$command"$'\n'
done
export ACKGUARD_AGREE
exec python3 "$tools/agree.py" "$@"
