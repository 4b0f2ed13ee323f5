#!/bin/bash
# dist.sh [PART...]   builds what is delivered into target/dist; all of it, unless parts are named:
#
#   crate   the crate, packed and built from the package alone
#   wheel   the wheel for this machine, and the sdist from which any other is built
#   npm     the tarball, with the optimized module
#   jar     the jars for the JVM, with this machine's library inside
#   swift   the Swift package's sources, with the generated ones
#   sbom    a CycloneDX bill of materials
#
# ... and SHA256SUMS over everything there. What cannot be built here is MISSING in the table at the end, and then
# the exit code is 1: half a delivery is none. Other platforms' wheels and libraries are the release workflow's.
#
# Refuses a tree with changes that are not committed; DIRTY=1 allows them, for trying it out.
set -uo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
tools=$root/tests/tools
target=${CARGO_TARGET_DIR:-$root/target}
export CARGO_TARGET_DIR=$target
dist=$target/dist
work=$target/delivery

version=$("$tools/versions.py") || exit 1
dirty=()
if [ -n "$(git status --porcelain)" ]; then
    [ -n "${DIRTY:-}" ] || { echo 'there are changes that are not committed (DIRTY=1 to try it out)' >&2; exit 1; }
    dirty=(--allow-dirty)
fi
# The same sources give the same archives.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

mkdir -p "$dist" "$work"

missing() { echo "$1" >"$work/why"; return 3; }

build_crate() {
    cargo package --package ackguard --locked "${dirty[@]}" || return 1
    cp "$target/package/ackguard-$version.crate" "$dist/"
}

build_wheel() {
    [ -f bindings-python/pyproject.toml ] || missing 'bindings-python is not there' || return
    local venv=$work/venv
    if ! [ -x "$venv/bin/maturin" ]; then
        python3 -m venv "$venv" && "$venv/bin/pip" install --quiet 'maturin>=1.9,<2' ||
            missing 'maturin cannot be installed' || return
    fi
    rm -rf "$work/wheel"
    "$venv/bin/maturin" build --release --sdist --manifest-path bindings-python/Cargo.toml --out "$work/wheel" || return 1
    # What is delivered is what is installed and asked.
    rm -rf "$work/wheel-venv"
    python3 -m venv "$work/wheel-venv"
    "$work/wheel-venv/bin/pip" install --quiet --no-index "$work"/wheel/*.whl || return 1
    (cd / && "$work/wheel-venv/bin/python" -c "
import ackguard
assert ackguard.VERSION == '$version', ackguard.VERSION
assert ackguard.classify({'code': 4101, 'message': 'x'}).error.name == 'ROOM_FULL'
") || return 1
    cp "$work"/wheel/* "$dist/"
}

build_npm() {
    [ -f bindings-wasm/package.json ] || missing 'bindings-wasm is not there' || return
    "$tools/wasm-target.sh" || missing 'the target wasm32-unknown-unknown' || return
    (cd bindings-wasm && { [ -x node_modules/.bin/wasm-opt ] || npm ci --silent; }) ||
        missing 'npm ci does not get what the build needs' || return
    rm -rf "$work/npm" && mkdir -p "$work/npm/node_modules"
    (cd bindings-wasm && npm pack --silent --pack-destination "$work/npm") || return 1
    # What is delivered is what is unpacked and asked.
    tar -xzf "$work/npm/ackguard-$version.tgz" -C "$work/npm/node_modules" || return 1
    mv "$work/npm/node_modules/package" "$work/npm/node_modules/ackguard"
    (cd "$work/npm" && node --input-type=module -e "
import { VERSION, classify } from 'ackguard';
if (VERSION !== '$version' || classify({ code: 4101, message: 'x' }).error.name !== 'ROOM_FULL') process.exit(1);
") || return 1
    cp "$work/npm/ackguard-$version.tgz" "$dist/"
}

build_jar() {
    [ -f bindings-uniffi/kotlin/pom.xml ] || missing 'bindings-uniffi is not there' || return
    "$tools/need.sh" javac=default-jdk-headless mvn=maven strip=binutils || missing 'a JDK and Maven' || return
    bindings-uniffi/support/kotlin.sh package || return 1
    local made=$target/uniffi/maven jars
    jars=$(find "$made" -maxdepth 2 -name "ackguard*-$version*.jar")
    [ -n "$jars" ] || return 1
    # What is delivered is what is asked, with what it depends on and nothing else.
    local beside
    beside=$(tr ':' '\n' <"$made/ackguard/test.libraries" | grep -E '/(jna|kotlin-stdlib)-[^/]*[.]jar$' | paste -sd:)
    rm -rf "$work/jar" && mkdir -p "$work/jar"
    cat >"$work/jar/Ask.java" <<'JAVA'
import io.ackguard.Ackguard;

public class Ask {
    public static void main(String[] arguments) {
        boolean right = Ackguard.ackguardVersion().equals(arguments[0])
                && Ackguard.classifyJson("{\"code\": 4101, \"message\": \"x\"}").getError().getName().equals("ROOM_FULL");
        System.exit(right ? 0 : 1);
    }
}
JAVA
    (cd "$work/jar" && java -cp "$made/ackguard/ackguard-$version.jar:$beside" Ask.java "$version") || return 1
    # shellcheck disable=SC2086 # one word per jar; the paths are ours
    cp $jars "$dist/"
}

build_swift() {
    [ -f bindings-uniffi/swift/Package.swift ] || missing 'bindings-uniffi/swift has no Package.swift' || return
    "$tools/swift-env.sh" ensure >/dev/null || missing 'a Swift toolchain to try the package with' || return
    local name=ackguard-swift-$version
    rm -rf "$work/swift" && mkdir -p "$work/swift/try"
    bindings-uniffi/support/swift.sh assemble "$work/swift/$name" && cp LICENSE "$work/swift/$name/" || return 1
    tar -C "$work/swift" --sort=name --owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w "--mtime=@$SOURCE_DATE_EPOCH" -c "$name" |
        gzip -n >"$work/swift/$name.tar.gz" || return 1
    # What is delivered is what is unpacked and asked.
    tar -xzf "$work/swift/$name.tar.gz" -C "$work/swift/try" || return 1
    local tree=$work/swift/try/$name asked='{"file": "skill_names", "input": {"op": "build", "skill": "audit"}}'
    "$tools/swift-env.sh" run "$tree" swift build --quiet --product AckguardAgree -Xlinker "-L$target/uniffi/lib" || return 1
    [ "$(echo "$asked" | "$tools/swift-env.sh" run "$tree" .build/debug/AckguardAgree)" = '{"answer":{"ok":"audit"}}' ] || return 1
    cp "$work/swift/$name.tar.gz" "$dist/"
}

build_sbom() {
    "$tools/sbom.py" "$dist/ackguard-$version.cdx.json"
}

parts=("$@")
if [ ${#parts[@]} = 0 ]; then
    parts=(crate wheel npm jar swift sbom)
    # Nothing of another version or of an earlier try.
    rm -rf "$dist" && mkdir -p "$dist"
fi

failed=0
table=''
for part in "${parts[@]}"; do
    printf '\n=== %s ===\n' "$part"
    rm -f "$work/why"
    if ! declare -F "build_$part" >/dev/null; then
        result=MISSING why="there is no part of this name"
    elif "build_$part" </dev/null; then
        result=MADE why=''
    else
        result=MISSING why=$(cat "$work/why" 2>/dev/null || echo 'it does not build: see above')
    fi
    [ "$result" = MADE ] || failed=1
    table+=$(printf '%-8s %-8s %s' "$part" "$result" "$why")$'\n'
done

(cd "$dist" && rm -f SHA256SUMS && find . -type f -printf '%P\n' | LC_ALL=C sort | xargs -r sha256sum >"$work/sums" &&
    mv "$work/sums" SHA256SUMS && sha256sum --quiet --check SHA256SUMS) || failed=1

printf '\n%s\n' "$table"
cat "$dist/SHA256SUMS"
[ $failed = 0 ] || echo 'NOT COMPLETE: something above is MISSING' >&2
exit $failed
