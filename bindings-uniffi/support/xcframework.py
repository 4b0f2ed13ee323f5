#!/usr/bin/env python3
"""xcframework.py OUT   builds the static library for Apple's systems and puts AckguardFFI.xcframework into OUT.

For iOS on arm64, its simulator and macOS. It needs no Mac: a static library is not linked, and the bundle is a folder with a
list. What is in each library is looked at (the architecture of its objects, and that the functions are there), but nothing of it
has been run on Apple's hardware.

Every platform has to be there; `--some` takes those whose Rust target can be had. Exit 3: none can be had here.
"""

import os
import plistlib
import shutil
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
LIBRARY = "libackguard_uniffi.a"
# Rust's target, and what the list says of it.
PLATFORMS = [
    ("aarch64-apple-ios", "ios-arm64", "ios", None),
    ("aarch64-apple-ios-sim", "ios-arm64-simulator", "ios", "simulator"),
    ("aarch64-apple-darwin", "macos-arm64", "macos", None),
]
ARM64 = 0x0100000C
MACH_O_64 = 0xFEEDFACF
EXPORTED = b"_uniffi_ackguard_uniffi_fn_func_kind_of_json\0"


def have(target: str) -> bool:
    """Whether Rust can compile for the target, which is added where rustup is there to do it."""
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], cwd=ROOT, check=True, capture_output=True, text=True)
    if (Path(sysroot.stdout.strip()) / "lib/rustlib" / target / "lib").is_dir():
        return True
    try:
        return subprocess.run(["rustup", "target", "add", target], cwd=ROOT, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def build(target: str) -> Path:
    command = ["cargo", "rustc", "--quiet", "--profile", "foreign", "--package", "ackguard-uniffi", "--lib"]
    command += ["--crate-type", "staticlib", "--target", target]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "CARGO_TARGET_DIR": str(TARGET)})
    return TARGET / target / "foreign" / LIBRARY


def objects(archive: bytes):
    """The members of an archive, without its index."""
    assert archive.startswith(b"!<arch>\n"), "no archive"
    at = 8
    while at + 60 <= len(archive):
        name, size = archive[at : at + 16].rstrip(), int(archive[at + 48 : at + 58])
        body = archive[at + 60 : at + 60 + size]
        # The BSD way to write a long name: it stands before the content.
        if name.startswith(b"#1/"):
            length = int(name[3:])
            name, body = body[:length].rstrip(b"\0"), body[length:]
        if not name.startswith((b"__.SYMDEF", b"/")):
            yield name, body
        at += 60 + size + size % 2


def look(library: Path) -> None:
    """Every object is for arm64, and what the header declares is defined."""
    archive = library.read_bytes()
    found = 0
    for name, body in objects(archive):
        magic, architecture = struct.unpack_from("<II", body)
        # Rust's own description of the crate is a member as well.
        if magic == MACH_O_64:
            assert architecture == ARM64, f"{library}: {name!r} is for {architecture:#x}"
            found += 1
    assert found > 0, f"{library} has no objects"
    assert EXPORTED in archive, f"{library} does not have the functions"


def main() -> int:
    arguments = [it for it in sys.argv[1:] if it != "--some"]
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    missing = [target for target, *_ in PLATFORMS if not have(target)]
    if missing:
        print(f"missing: Rust's target {', '.join(missing)}", file=sys.stderr)
        if "--some" not in sys.argv or len(missing) == len(PLATFORMS):
            return 3
    # The header is made of the library for this machine: the interface is the same.
    subprocess.run([ROOT / "bindings-uniffi/support/library.sh"], check=True)
    bundle = Path(arguments[0]) / "AckguardFFI.xcframework"
    if bundle.exists():
        shutil.rmtree(bundle)
    listed = []
    for target, name, platform, variant in PLATFORMS:
        if target in missing:
            continue
        library = build(target)
        look(library)
        headers = bundle / name / "Headers" / "AckguardFFI"
        headers.mkdir(parents=True)
        shutil.copy(library, bundle / name / LIBRARY)
        shutil.copy(TARGET / "uniffi/swift/include/AckguardFFI.h", headers)
        # The bundle says itself what is linked. In a folder of its own: two module maps beside each other are one.
        (headers / "module.modulemap").write_text('module AckguardFFI {\n    header "AckguardFFI.h"\n    export *\n}\n')
        entry = {
            "BinaryPath": LIBRARY,
            "HeadersPath": "Headers",
            "LibraryIdentifier": name,
            "LibraryPath": LIBRARY,
            "SupportedArchitectures": ["arm64"],
            "SupportedPlatform": platform,
        }
        listed.append(entry if variant is None else entry | {"SupportedPlatformVariant": variant})
    (bundle / "Info.plist").write_bytes(
        plistlib.dumps(
            {"AvailableLibraries": listed, "CFBundlePackageType": "XFWK", "XCFrameworkFormatVersion": "1.0"}
        )
    )
    print(f"{bundle}: {', '.join(it['LibraryIdentifier'] for it in listed)}")
    return 0


sys.exit(main())
