#!/bin/bash
# sdist.sh   the source distribution builds a wheel by itself: from its own files and the crates that cargo has.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$(../tests/tools/python-env.sh tests/requirements.txt)
work=${CARGO_TARGET_DIR:-../target}/python/sdist
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
"$tools/bin/maturin" sdist --out "$work" 2>"$work/sdist.log" || { cat "$work/sdist.log" >&2; exit 1; }
tar --extract --gzip --file "$work"/ackguard-*.tar.gz --directory "$work"
cd "$work"/ackguard-*/
# What is in the archive has one time for ever, and cargo goes by times: it would take what it built of other contents.
contents=$(find . -type f -print0 | sort --zero-terminated | xargs --null sha256sum | sha256sum)
built=$work/../sdist.built
[ "$contents" = "$(cat "$built" 2>/dev/null)" ] || find . -type f -exec touch {} +
rm -f "$built"
# Built for tests, since only whether it builds is the question; away from this folder's cargo configuration.
PATH=$tools/bin:$PATH CARGO_NET_OFFLINE=true "$tools/bin/maturin" build --quiet --profile dev --out "$work/wheels"
printf '%s\n' "$contents" >"$built"
"$tools/bin/python" -m venv "$work/clean"
"$work/clean/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "$work"/wheels/*.whl
cd "$work"
clean/bin/python -c 'import ackguard; assert ackguard.classify_json(b"[true, null]").event_result.ok'
echo "the source distribution builds and works"
