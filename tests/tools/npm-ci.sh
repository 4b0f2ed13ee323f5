#!/bin/sh
# npm-ci.sh DIR   installs what DIR's package-lock.json names, unless that has been done already.
set -u
here=$(dirname "$0")
cd "$1" || exit 1
stamp=node_modules/.ackguard-ready
key=$(cat package.json package-lock.json | cksum)
[ "$(cat "$stamp" 2>/dev/null)" = "$key" ] && exit 0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if npm ci --no-audit --no-fund >"$log" 2>&1; then
    printf '%s\n' "$key" >"$stamp"
    exit 0
fi
cat "$log" >&2
cd - >/dev/null || exit 1
exec "$here/skip.sh" "missing: npm packages ($(grep -m 1 -E '^npm (error|ERR!)' "$log" || echo 'npm ci failed'))"
