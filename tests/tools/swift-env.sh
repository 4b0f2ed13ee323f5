#!/bin/bash
# A Swift toolchain for Linux machines that have none.
#
#   swift-env.sh ensure           sets the toolchain up if it is not there; prints its version
#   swift-env.sh run DIR CMD...   runs CMD in DIR, with the toolchain
#
# Where `swift` is on PATH, that one is used and nothing else happens. Otherwise Debian's own package is
# installed into a folder below the user's cache, from the mirror this machine's apt already uses. The folder is
# entered by chroot, with /proc (the compiler finds its libraries through it), /dev, the repository, DIR and cargo's
# target folder mounted at the paths they have outside, so that file names in messages and link lines
# mean the same on both sides.
#
# All mounts live in a mount namespace of their own: they are gone when the command ends, however it ends,
# and two runs at once cannot meet.
#
# CMD sees a small environment: HOME, LANG, CI, CARGO_TARGET_DIR and whatever begins with ACKGUARD_. It runs on trixie's
# glibc, so a library built outside works as long as the machine is not newer than that.
#
# Exit 3: the toolchain cannot be set up here; one line says why.
set -euo pipefail

release=trixie
packages='swiftlang swiftlang-dev libstdc++-14-dev libc6-dev'
cache=${ACKGUARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ackguard}
root=$cache/swift
# A change of what is installed has to reach those who have the folder already.
stamp="$release $packages"
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)

PATH=$PATH:/usr/sbin:/sbin

cannot() {
    exec "$here/skip.sh" "missing: swift ($1)"
}

on_path() { command -v swift >/dev/null 2>&1; }

ready() { [ "$(cat "$root/.ackguard-ready" 2>/dev/null)" = "$stamp" ]; }

mirror() {
    if [ -n "${ACKGUARD_DEBIAN_MIRROR:-}" ]; then
        echo "$ACKGUARD_DEBIAN_MIRROR"
        return
    fi
    # The security archive is another tree and has no base system.
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        grep -E '^(https?|file|copy):' | grep -E '/debian/?$' | head -n 1
}

# Runs as root in a mount namespace that ends with the command.
unmounted_on_exit() {
    unshare --mount --propagation private -- "$@"
}

install() {
    local from=$1 building=$root.new
    # --one-file-system: should something be mounted there after all, it survives.
    rm -rf --one-file-system "$building" "$root"
    mkdir -p "$building"
    # debootstrap asks the environment for the proxy that apt has in its configuration.
    local proxy=''
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    if [ -n "$proxy" ]; then export http_proxy="$proxy"; fi
    debootstrap --variant=minbase "$release" "$building" "$from"
    # How this machine reaches its mirror holds inside as well.
    apt-config dump 'Acquire' | grep -iE '^Acquire::(https?|Check-|Retries)' \
        >"$building/etc/apt/apt.conf.d/90outside" || true
    # It can be made again: no need to wait for the disk after every file.
    echo force-unsafe-io >"$building/etc/dpkg/dpkg.cfg.d/ackguard"
    mount -t proc proc "$building/proc"
    chroot "$building" apt-get update
    # shellcheck disable=SC2086 # one word per package
    DEBIAN_FRONTEND=noninteractive chroot "$building" \
        apt-get install -y --no-install-recommends $packages
    chroot "$building" apt-get clean
    umount "$building/proc"
    printf '%s\n' "$stamp" >"$building/.ackguard-ready"
    mv "$building" "$root"
}

ensure() {
    on_path && return
    ready && [ "$(id -u)" = 0 ] && return
    [ "$(uname -s)" = Linux ] || cannot 'put it on PATH'
    [ "$(id -u)" = 0 ] || cannot 'only root can set it up here (chroot)'
    "$here/need.sh" debootstrap unshare=util-linux || exit 3
    unshare --mount true 2>/dev/null || cannot 'nothing may be mounted here (container without SYS_ADMIN)'
    local from
    from=$(mirror) || true
    [ -n "$from" ] || cannot "apt knows no Debian mirror to take it from (set ACKGUARD_DEBIAN_MIRROR)"
    mkdir -p "$cache"
    exec 9>"$root.lock"
    flock 9
    # Whoever installs inherits the lock: it is held until the last process of an interrupted run is gone.
    # Another run may have done it while this one waited.
    if ! ready; then
        echo "swift: setting up the toolchain in $root (about two minutes, 3 GB, once)" >&2
        unmounted_on_exit "$0" install-into-namespace "$from" >"$root.log" 2>&1 ||
            cannot "cannot be installed: $(grep -m 1 -E '^(E|W):' "$root.log" || tail -n 1 "$root.log")"
    fi
    exec 9>&-
}

enter() {
    local directory=$1
    shift
    local target=${CARGO_TARGET_DIR:-$repository/target}
    mkdir -p "$target"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    # What is left there ends with the command.
    mount -t tmpfs tmpfs "$root/tmp"
    local path
    for path in "$repository" "$target" "$directory"; do
        # A folder inside one that is there already needs no mount of its own.
        [ "$path" -ef "$root$path" ] && continue
        mkdir -p "$root$path"
        mount --rbind "$path" "$root$path"
    done
    local environment=(HOME=/root LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin "CARGO_TARGET_DIR=$target")
    if [ -n "${CI:-}" ]; then environment+=("CI=$CI"); fi
    local name
    for name in $(compgen -e | grep '^ACKGUARD_' || true); do
        environment+=("$name=${!name}")
    done
    # shellcheck disable=SC2016 # the inner shell expands them
    exec chroot "$root" /usr/bin/env -i "${environment[@]}" \
        /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$directory" "$@"
}

case ${1:-} in
ensure)
    ensure
    if on_path; then exec swift --version; fi
    "$0" run "$repository" swift --version
    ;;
run)
    [ $# -ge 3 ] || { echo 'usage: swift-env.sh run DIR CMD...' >&2; exit 2; }
    directory=$(cd "$2" && pwd -P)
    shift 2
    ensure
    if on_path; then cd "$directory" && exec "$@"; fi
    export HOME CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$repository/target}"
    ACKGUARD_CACHE=$cache exec unshare --mount --propagation private -- \
        "$0" enter-namespace "$directory" "$@"
    ;;
install-into-namespace) install "$2" ;;
enter-namespace)
    shift
    enter "$@"
    ;;
*)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0" >&2
    exit 2
    ;;
esac
