#!/bin/bash
# library.sh   builds the library and writes the sources that UniFFI generates, below target/uniffi:
#
#   native/linux-x86-64/libackguard_uniffi.so   stripped, at JNA's resource path
#   kotlin/io/ackguard/ackguard_uniffi.kt       generated
#   swift/Ackguard.swift, swift/include/        generated; the header and the module map
#   lib/libackguard_uniffi.a                    the static library, for Swift
#
# One build for both languages. The second time it only looks whether something changed.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
crate=$(dirname "$here")
repository=$(dirname "$crate")
target=${CARGO_TARGET_DIR:-$repository/target}
out=$target/uniffi

cd "$repository"
cargo build --quiet --profile foreign --package ackguard-uniffi --lib
# The generator takes longer to build than the library, and changes seldom: it is kept in $ACKGUARD_CACHE, or else in the
# user's cache, by what it is made of. It is of no use to anyone at run time: a quick build will do.
made_of=$( (
    rustc -vV
    cat "$crate/src/bin/uniffi-bindgen.rs"
    grep -A 2 '^name = "uniffi' Cargo.lock
) | sha256sum | cut -c1-16)
generator=${ACKGUARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ackguard}/uniffi-bindgen/$made_of
if [ ! -x "$generator" ]; then
    cargo build --quiet --package ackguard-uniffi --features bindgen --bin uniffi-bindgen
    # A full disk is no failure: then it is taken from where it was built.
    mkdir -p "$(dirname "$generator")" && strip -o "$generator.$$" "$target/debug/uniffi-bindgen" && mv "$generator.$$" "$generator" ||
        generator=$target/debug/uniffi-bindgen
fi

# One at a time: both languages may be built at once.
mkdir -p "$out"
exec 9>"$out/.lock"
flock 9

static=$target/foreign/libackguard_uniffi.a
sum=$(sha256sum "$static" "$generator" "$crate/uniffi.toml" "$here/library.sh" | cut -d ' ' -f 1 | tr '\n' ' ')
if [ "$(cat "$out/.made-of" 2>/dev/null)" = "$sum" ]; then exit 0; fi

rm -rf "$out/native" "$out/kotlin" "$out/swift" "$out/lib" "$out/.made-of"
mkdir -p "$out/native/linux-x86-64" "$out/kotlin" "$out/swift/include" "$out/lib"

strip --strip-unneeded -o "$out/native/linux-x86-64/libackguard_uniffi.so" "$target/foreign/libackguard_uniffi.so"
cp "$static" "$out/lib/"

# From the static library: stripping and linking may take the description out of the other one.
"$generator" kotlin "$static" "$out/kotlin" "$crate"
"$generator" swift "$static" "$out/swift" "$crate"
mv "$out/swift/AckguardFFI.h" "$out/swift/include/"
# Ours, since the generated one asks for Apple's modules.
rm "$out/swift/AckguardFFI.modulemap"
cp "$crate/swift/Sources/AckguardFFI/module.modulemap" "$out/swift/include/"

echo "$sum" >"$out/.made-of"
