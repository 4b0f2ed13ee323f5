#!/bin/sh
# need.sh PROGRAM[=PACKAGE]...   makes sure that programs are there; installs what is missing with apt.
#
# Exit 0: all are there. Exit 3: something is missing and cannot be installed here, said in one line.
# Nothing is asked of the network while nothing is missing.
set -u

missing=''
packages=''
for want in "$@"; do
    program=${want%%=*}
    command -v "$program" >/dev/null 2>&1 && continue
    # Debian keeps some of them where only root's PATH looks.
    [ -x "/usr/sbin/$program" ] && continue
    missing="$missing $program"
    packages="$packages ${want##*=}"
done
[ -n "$missing" ] || exit 0

cannot() {
    exec "$(dirname "$0")/skip.sh" "missing:$missing ($1)"
}

command -v apt-get >/dev/null 2>&1 || cannot "install them by hand: there is no apt-get here"
as_root=''
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || cannot "install$packages as root"
    as_root='sudo -n'
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $packages
}
echo "installing$packages" >&2
{ $as_root apt-get -o DPkg::Lock::Timeout=300 update && install; } >"$log" 2>&1 ||
    cannot "apt-get cannot install$packages: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log")"
