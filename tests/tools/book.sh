#!/bin/bash
# book.sh   builds the guide of core/docs into target/docs, with mdBook
#
# An mdbook on PATH is used; otherwise one is built, once, into the user's cache (some minutes). What the pages include and
# show is checked without it, by tests/tests/guide.rs.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
version=0.5.4
home=${ACKGUARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ackguard}/mdbook-$version

program=$(command -v mdbook || true)
if [ -z "$program" ]; then
    program=$home/bin/mdbook
    if ! [ -x "$program" ]; then
        echo 'building mdbook (once)' >&2
        CARGO_TARGET_DIR=$target/mdbook cargo install mdbook --version "=$version" --locked --quiet --no-default-features \
            --features search --root "$home" || exec tests/tools/skip.sh 'missing: mdbook (it cannot be built here)'
        rm -rf "$target/mdbook"
    fi
fi
"$program" build core/docs --dest-dir "$target/docs"
echo "$target/docs/index.html"
