#!/bin/bash
# summary.sh PART... -- LANGUAGE:PART...
#
# Runs `make test-PART` for each part, goes on when one fails, counts the shared cases at the end, and prints the
# table. Leaves in target/summary, per part: PART (PASSED, SKIPPED or FAILED; seconds; a reason) and PART.log.
set -uo pipefail
cd "$(dirname "$0")/../.."
summary=${ACKGUARD_SUMMARY:?run this by make test}
rm -rf "$summary" "${ACKGUARD_CENSUS:?}"
mkdir -p "$summary"
# What cargo keeps to build the next change in steps is gigabytes that a build server never asks for again.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0

run() { # PART CMD...
    local part=$1 start=$SECONDS result=PASSED why=''
    shift
    printf '\n=== %s ===\n' "$part"
    if ! ACKGUARD_PART=$part "$@" 2>&1 </dev/null | tee "$summary/$part.log"; then
        result=FAILED
        if [ -f "$summary/$part.skip" ]; then
            result=SKIPPED
            why=$(head -n 1 "$summary/$part.skip")
        fi
    fi
    printf '%s\t%s\t%s\n' "$result" "$((SECONDS - start))" "$why" >"$summary/$part"
}

parts=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    parts+=("$1")
    run "$1" make "test-$1"
    shift
done
shift
parts+=(census)
run census tests/tools/census.py --check "$@"

exec tests/tools/table.py "${parts[@]}"
