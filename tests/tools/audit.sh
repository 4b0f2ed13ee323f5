#!/bin/bash
# audit.sh   asks about what is known to be bad in our dependencies, and whether the API still holds:
#
#   deny     cargo deny: licences, bans, sources and the advisories of RustSec
#   semver   cargo semver-checks: the core against the last release
#   pip      pip-audit: what the tests of the Python package install (the package itself depends on nothing)
#   npm      npm audit: what the build of the npm package installs (the package itself depends on nothing)
#
# NOT ASKED: the tool or its data cannot be had here. Exit 1 if something was found; with CI=1 also if something
# could not be asked.
set -uo pipefail
cd "$(dirname "$0")/../.."
logs=${CARGO_TARGET_DIR:-$PWD/target}/audit
mkdir -p "$logs"

not_asked() { echo "$1" >"$logs/why"; return 3; }
has() { cargo "$1" --version >/dev/null 2>&1 || not_asked "cargo-$1 is not installed (cargo install --locked cargo-$1)"; }

ask_deny() {
    has deny || return
    cargo deny check bans licenses sources || return 1
    cargo deny fetch db || not_asked 'licences, bans and sources are fine; the advisories of RustSec cannot be fetched' || return
    cargo deny check advisories
}

ask_semver() {
    has semver-checks || return
    local last
    last=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null) || not_asked 'there is no release to compare with' || return
    cargo semver-checks --package ackguard --baseline-rev "$last"
}

ask_pip() {
    local venv=$logs/venv
    if ! [ -x "$venv/bin/pip-audit" ]; then
        python3 -m venv "$venv" && "$venv/bin/pip" install --quiet pip-audit || not_asked 'pip-audit cannot be installed' || return
    fi
    # A version with known holes has to be found, or the answer says nothing.
    echo 'jinja2==2.10' >"$logs/known.txt"
    "$venv/bin/pip-audit" --no-deps --disable-pip --requirement "$logs/known.txt" 2>/dev/null | grep -q '^jinja2 ' &&
        "$venv/bin/pip-audit" --no-deps --disable-pip --requirement "$logs/known.txt" 2>/dev/null | grep -qE 'CVE-|PYSEC-|GHSA-' ||
        not_asked 'the advisories cannot be reached: a version with known holes is not found' || return
    local python=${ACKGUARD_PYTHON_TESTS:-}
    [ -n "$python" ] || not_asked 'say where the tests of the Python package are installed: ACKGUARD_PYTHON_TESTS=VENV' || return
    "$venv/bin/pip-audit" --path "$("$python/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
}

ask_npm() {
    command -v npm >/dev/null || not_asked 'npm is not installed' || return
    (cd bindings-wasm && npm audit --audit-level=moderate) 2>&1 | tee "$logs/npm"
    local result=${PIPESTATUS[0]}
    ! grep -q 'audit endpoint returned an error' "$logs/npm" || not_asked 'the registry answers no audit' || return
    return "$result"
}

worst=0
table=''
for part in deny semver pip npm; do
    printf '\n=== %s ===\n' "$part"
    why=''
    "ask_$part" </dev/null
    case $? in
    0) result=FINE ;;
    3)
        result='NOT ASKED' why=$(cat "$logs/why")
        [ "${CI:-}" != 1 ] || worst=1
        ;;
    *) result=FOUND why='see above' worst=1 ;;
    esac
    table+=$(printf '%-8s %-10s %s' "$part" "$result" "$why")$'\n'
done
printf '\n%s' "$table"
exit $worst
