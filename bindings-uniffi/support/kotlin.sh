#!/bin/bash
# kotlin.sh COMMAND   everything of Kotlin that needs more than one line:
#
#   test            builds the library and the jars, and runs all tests of both modules
#   package         the jars only, in target/uniffi/maven
#   run CLASS ...   runs a class of the tests or of the jar, on standard input and output
#
# What is delivered is compiled as a whole; the tests compile what has changed.
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
    local log=$out/maven.log
    # Our own words are few; Maven's are kept for when something is wrong.
    if ! mvn --batch-mode --no-transfer-progress --file "$repository/bindings-uniffi/kotlin/pom.xml" \
        "-Dackguard.out=$out" "-Dackguard.census=${ACKGUARD_CENSUS:-$target/census}" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        if grep -qE 'Could not (transfer|resolve|find) artifact|UnresolvableModelException' "$log"; then
            "$tools/skip.sh" "missing: what Maven has to fetch ($(grep -oE -m 1 'Could not [a-z]+ artifact [^ ]+' "$log"))"
        fi
        return 1
    fi
    grep -E '^\[INFO\] (Tests run: |Building jar: )' "$log" || true
}

case ${1:-} in
test)
    maven -Dkotlin.compiler.incremental=true verify
    ;;
package)
    maven -DskipTests package
    ;;
run)
    shift
    maven -Dkotlin.compiler.incremental=true -DskipTests package >&2
    made=$out/maven/ackguard
    exec java -cp "$made/test-classes:$made/classes:$(cat "$made/test.libraries")" "$@"
    ;;
*)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0" >&2
    exit 2
    ;;
esac
