#!/bin/bash
# agree.sh kotlin|swift   builds the language's side of tests/tools/agree.py and prints the command that runs it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
case ${1:-} in
kotlin) exec "$here/kotlin.sh" command io.ackguard.Agree ;;
swift) exec "$here/swift.sh" command AckguardAgree ;;
*)
    echo 'usage: agree.sh kotlin|swift' >&2
    exit 2
    ;;
esac
