#!/bin/bash
# kotlin.sh COMMAND   everything of Kotlin that needs more than one line:
#
#   test            builds the library and the jars, and runs all tests of both modules
#   package         the jars only, in target/uniffi/maven
#   run CLASS       runs a class of the tests or of the jar, on standard input and output
#   command CLASS   prints the command that does
#
# Nothing is compiled if nothing has changed since the last time that all went well.
# Installs the JDK and Maven with apt where they are missing; what Maven needs it keeps in the user's own repository.
# Where either cannot be had, the part is skipped (exit 3).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$repository/target}
out=$target/uniffi
tools=$repository/tests/tools

"$tools/need.sh" javac=default-jdk-headless mvn=maven strip=binutils
"$here/library.sh"

maven() {
    local log=$out/maven.log made_of options=()
    made_of=$( (
        javac -version 2>&1
        cd "$repository"
        find bindings-uniffi/kotlin core/docs/snippets/kotlin "$out/kotlin" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
    ) | sha256sum)
    if [ "$(cat "$out/maven/.compiled" 2>/dev/null)" = "$made_of" ]; then
        options=(-Dackguard.compile=none -Dackguard.testCompile=none)
    fi
    # The same sources give the same jars: see tests/tools/dist.sh.
    if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then options+=("-Dproject.build.outputTimestamp=$SOURCE_DATE_EPOCH"); fi
    mkdir -p "$out/maven" && rm -f "$out/maven/.compiled"
    # Our own words are few; Maven's are kept for when something is wrong.
    if ! mvn --batch-mode --no-transfer-progress --file "$repository/bindings-uniffi/kotlin/pom.xml" \
        "-Dackguard.out=$out" "-Dackguard.census=${ACKGUARD_CENSUS:-$target/census}" "${options[@]}" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        if grep -qE 'Could not (transfer|resolve|find) artifact|UnresolvableModelException' "$log"; then
            "$tools/skip.sh" "missing: what Maven has to fetch ($(grep -oE -m 1 'Could not [a-z]+ artifact [^ ]+' "$log"))"
        fi
        return 1
    fi
    echo "$made_of" >"$out/maven/.compiled"
    grep -E '^\[INFO\] (Tests run: |Building jar: )' "$log" || true
}

case ${1:-} in
test)
    maven verify
    ;;
package)
    maven -DskipTests package
    ;;
run | command)
    maven -DskipTests package >&2
    made=$out/maven/ackguard
    command=(java -cp "$made/test-classes:$made/classes:$(cat "$made/test.libraries")" "$2")
    if [ "$1" = run ]; then exec "${command[@]}"; fi
    echo "${command[*]}"
    ;;
*)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0" >&2
    exit 2
    ;;
esac
