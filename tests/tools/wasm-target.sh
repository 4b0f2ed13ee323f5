#!/bin/sh
# Makes sure that the Rust toolchain can compile for WebAssembly.
here=$(dirname "$0")
target=wasm32-unknown-unknown
[ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ] && exit 0
command -v rustup >/dev/null 2>&1 || exec "$here/skip.sh" "missing: Rust's $target target, and there is no rustup to add it"
rustup target add "$target" || exec "$here/skip.sh" "missing: Rust's $target target (rustup target add $target failed)"
