#!/bin/sh
# npm-ci.sh DIR   installs what DIR's package-lock.json names, unless that has been done already.
#
# Kept once per content of the two package files in $ACKGUARD_CACHE, or else in the user's cache, and copied from there.
set -u
here=$(dirname "$0")
cd "$1" || exit 1
stamp=node_modules/.ackguard-ready
key=$(cat package.json package-lock.json | sha256sum | cut -c1-16)
[ "$(cat "$stamp" 2>/dev/null)" = "$key" ] && exit 0
kept=${ACKGUARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ackguard}/npm/$key
if [ "$(cat "$kept/$stamp" 2>/dev/null)" = "$key" ]; then
    rm -rf node_modules
    cp -a "$kept/node_modules" . && exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if npm ci --prefer-offline --no-audit --no-fund >"$log" 2>&1; then
    printf '%s\n' "$key" >"$stamp"
    # The stamp comes last, so that half a copy is never taken for a whole one. A full disk is no failure of this part.
    mkdir -p "$kept" && cp -a node_modules "$kept/.part-$$" && rm -rf "$kept/node_modules" &&
        mv "$kept/.part-$$" "$kept/node_modules" || rm -rf "$kept"
    exit 0
fi
cat "$log" >&2
cd - >/dev/null || exit 1
exec "$here/skip.sh" "missing: npm packages ($(grep -m 1 -E '^npm (error|ERR!)' "$log" || echo 'npm ci failed'))"
