#!/usr/bin/env python3
"""android.py OUT [LIBRARIES]   puts ackguard-android-VERSION.aar and its pom into OUT.

LIBRARIES is a folder as Android has it: arm64-v8a/libackguard_uniffi.so and so on. Without it the libraries are built by
`cargo ndk` (`cargo install cargo-ndk`, and the NDK in ANDROID_NDK_HOME) for every architecture below, with segments that lie
on pages of 16 KB. The classes are those of the jar: see kotlin.sh.

Nothing of it has been run on Android. What can be seen from outside is looked at: the architecture of each library, its pages,
and that its functions are there. Exit 3: there is no cargo-ndk, or no NDK.
"""

import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
KOTLIN = ROOT / "bindings-uniffi/kotlin"
LIBRARY = "libackguard_uniffi.so"
# Android's name of an architecture, Rust's target, and the number in an ELF file.
ARCHITECTURES = {
    "arm64-v8a": ("aarch64-linux-android", 183),
    "armeabi-v7a": ("armv7-linux-androideabi", 40),
    "x86_64": ("x86_64-linux-android", 62),
}
PAGE = 16384


def build() -> Path:
    if shutil.which("cargo-ndk") is None or not os.environ.get("ANDROID_NDK_HOME"):
        print("missing: cargo-ndk and the NDK in ANDROID_NDK_HOME", file=sys.stderr)
        sys.exit(3)
    folder = TARGET / "uniffi/android"
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET), "CARGO_PROFILE_FOREIGN_STRIP": "symbols"}
    command = ["cargo", "ndk", "--platform", "26", "--output-dir", str(folder)]
    for name, (target, _) in ARCHITECTURES.items():
        command += ["--target", name]
        variable = f"CARGO_TARGET_{target.upper().replace('-', '_')}_RUSTFLAGS"
        environment[variable] = f"-C link-arg=-Wl,-z,max-page-size={PAGE}"
    command += ["build", "--profile", "foreign", "--package", "ackguard-uniffi", "--lib"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return folder


def look(library: Path, machine: int) -> None:
    """The architecture, the pages and the functions of a library."""
    elf = library.read_bytes()
    assert elf.startswith(b"\x7fELF") and elf[5] == 1, f"{library} is no library"
    wide = elf[4] == 2
    assert struct.unpack_from("<H", elf, 18)[0] == machine, f"{library} is for another architecture"
    start = struct.unpack_from("<Q" if wide else "<I", elf, 32 if wide else 28)[0]
    size, count = struct.unpack_from("<HH", elf, 54 if wide else 42)
    for at in range(start, start + size * count, size):
        alignment = struct.unpack_from("<Q", elf, at + 48)[0] if wide else struct.unpack_from("<I", elf, at + 28)[0]
        # 1: a segment that is loaded. Only what has 64 bits runs on pages of 16 KB.
        if wide and struct.unpack_from("<I", elf, at)[0] == 1:
            assert alignment % PAGE == 0, f"{library} has a segment on pages of {alignment}"
    assert b"uniffi_ackguard_uniffi_fn_func_kind_of_json\0" in elf, f"{library} does not have the functions"


def versions() -> dict[str, str]:
    pom = (KOTLIN / "pom.xml").read_text(encoding="utf-8")
    said = {name.upper(): re.search(rf"<{name}.version>(.*?)<", pom) for name in ("kotlin", "jna")}
    own = re.search(r"<artifactId>ackguard-parent</artifactId>\s*<version>(.*?)<", pom)
    return {name: found.group(1) for name, found in {**said, "VERSION": own}.items() if found}


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    out = Path(sys.argv[1])
    libraries = Path(sys.argv[2]) if len(sys.argv) > 2 else build()
    present = {name: libraries / name / LIBRARY for name in ARCHITECTURES if (libraries / name / LIBRARY).exists()}
    assert present, f"{libraries} has no libraries"
    for name, library in present.items():
        look(library, ARCHITECTURES[name][1])
    subprocess.run([ROOT / "bindings-uniffi/support/kotlin.sh", "package"], check=True)
    said = versions()
    out.mkdir(parents=True, exist_ok=True)
    name = f"ackguard-android-{said['VERSION']}"

    # The classes alone: the libraries have their own place, and JNA comes with its own.
    jar = TARGET / "uniffi/maven/ackguard" / f"ackguard-{said['VERSION']}.jar"
    classes = TARGET / "uniffi/classes.jar"
    with zipfile.ZipFile(jar) as whole, zipfile.ZipFile(classes, "w", zipfile.ZIP_DEFLATED) as few:
        for entry in whole.infolist():
            if entry.filename.endswith((".class", ".kotlin_module")):
                few.writestr(zipfile.ZipInfo(entry.filename), whole.read(entry), zipfile.ZIP_DEFLATED)

    members = {
        "AndroidManifest.xml": KOTLIN / "android/AndroidManifest.xml",
        "proguard.txt": KOTLIN / "android/consumer-rules.pro",
        "classes.jar": classes,
        **{f"jni/{architecture}/{LIBRARY}": library for architecture, library in present.items()},
    }
    with zipfile.ZipFile(out / f"{name}.aar", "w", zipfile.ZIP_DEFLATED) as archive:
        for member, file in members.items():
            archive.writestr(zipfile.ZipInfo(member), file.read_bytes(), zipfile.ZIP_DEFLATED)
        archive.writestr(zipfile.ZipInfo("R.txt"), "")
    pom = (KOTLIN / "android/pom.xml.in").read_text(encoding="utf-8")
    for key, value in said.items():
        pom = pom.replace(f"@{key}@", value)
    (out / f"{name}.pom").write_text(pom, encoding="utf-8")
    print(f"{out / name}.aar: {', '.join(present)}")
    return 0


sys.exit(main())
