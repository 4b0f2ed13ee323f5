#!/bin/sh
# skip.sh WHY   ends a part that cannot be run on this machine; WHY is one line that says what is missing.
#
# The part fails; `make test` finds the reason that is left here and calls the part SKIPPED instead.
echo "$1" >&2
[ -z "${ACKGUARD_PART:-}" ] || printf '%s\n' "$1" >"$ACKGUARD_SUMMARY/$ACKGUARD_PART.skip"
exit 3
