#!/bin/bash
# swift.sh COMMAND   everything of Swift that needs more than one line:
#
#   test             builds the library and the package, and runs all tests
#   run PROGRAM      runs one of the package's programs (optimized), on standard input and output
#   command PROGRAM  prints the command that does
#   assemble DIR     puts the package together in DIR: what is written by hand, what is generated, and the guide's files
#
# The toolchain is the one on PATH, or else that of tests/tools/swift-env.sh; where neither can be had, the part
# is skipped (exit 3).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$repository/target}
out=$target/uniffi
package=$out/swiftpm
tools=$repository/tests/tools

# Copies what is new, so that the compiler sees no change where there is none, and removes what is no longer there.
assemble() {
    local to=$1 file
    local -A wanted=()
    put() { # FROM, and where it belongs
        wanted[$2]=1
        cmp -s "$1" "$to/$2" && return
        mkdir -p "$(dirname "$to/$2")"
        cp "$1" "$to/$2"
    }
    while IFS= read -r file; do put "$repository/bindings-uniffi/swift/$file" "$file"; done \
        < <(cd "$repository/bindings-uniffi/swift" && find . -type f -not -path './.build/*' -printf '%P\n')
    put "$out/swift/Ackguard.swift" Sources/Ackguard/Ackguard.swift
    put "$out/swift/include/AckguardFFI.h" Sources/AckguardFFI/AckguardFFI.h
    put "$repository/core/codes.json" codes.json
    for file in "$repository"/core/docs/snippets/swift/*.swift; do
        put "$file" "Tests/GuideTests/$(basename "$file")"
    done
    while IFS= read -r file; do
        if [ -z "${wanted[$file]:-}" ]; then rm "$to/$file"; fi
    done < <(cd "$to" && find . -type f -not -path './.build/*' -not -name Package.resolved -printf '%P\n')
}

swift() {
    "$tools/swift-env.sh" run "$package" swift "$@" -Xswiftc -warnings-as-errors -Xlinker "-L$out/lib"
}

ready() {
    "$tools/need.sh" strip=binutils
    "$here/library.sh"
    mkdir -p "$package"
    assemble "$package"
    # The package manager does not look whether the library has changed: what was linked before is linked again.
    if [ -d "$package/.build" ]; then
        find "$package/.build/" -type f '(' -name '*.xctest' -o -name 'Ackguard[AB]*' ')' -perm -u+x \
            -not -newer "$out/lib/libackguard_uniffi.a" -delete
    fi
}

case ${1:-} in
test)
    # First what can be skipped: nothing is built for a toolchain that is not there.
    "$tools/swift-env.sh" ensure >&2
    ready
    export ACKGUARD_VECTORS=$repository/tests/vectors ACKGUARD_CENSUS=${ACKGUARD_CENSUS:-$target/census}
    swift test --disable-swift-testing 2>&1 | grep -vE "^\[[0-9]+/[0-9]+\]|^Test Case .*(started|passed)"
    ;;
run | command)
    ready
    swift build --configuration release --product "$2" >&2
    command=("$tools/swift-env.sh" run "$package" "$package/.build/release/$2")
    if [ "$1" = run ]; then exec "${command[@]}"; fi
    echo "${command[*]}"
    ;;
assemble)
    mkdir -p "$2"
    "$here/library.sh"
    assemble "$2"
    ;;
*)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0" >&2
    exit 2
    ;;
esac
