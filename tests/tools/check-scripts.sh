#!/bin/sh
# The scripts are read by the shell they name before anyone has to run them.
set -e
cd "$(dirname "$0")"
for script in *.sh ../../.ci/run ../../bindings-uniffi/support/*.sh; do
    "$(sed -n '1s/^#!//p' "$script")" -n "$script"
    [ -x "$script" ] || { echo "$script is not executable" >&2; exit 1; }
done
for script in *.py ../../bindings-uniffi/support/*.py; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1], encoding="utf-8").read(), sys.argv[1])' "$script"
done
