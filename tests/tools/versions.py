#!/usr/bin/env python3
"""versions.py            checks that every package has the workspace's version, and prints it
versions.py --set X.Y.Z   writes it into all of them
versions.py --released    checks as well that the changelog has a dated section for it: before a release

The version is said in Cargo.toml, once. Cargo, maturin and the npm package's own code take it from there; what cannot is
compared here. Swift has none: its version is the tag.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SEMVER = r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?"

# A file, and where in it the version stands: text before, text after. All of them are there or none (a part that is not
# there yet), but for the first.
PLACES = [
    ("Cargo.toml", r'(\[workspace\.package\]\nversion = ")', r'(")', 1),
    ("Cargo.toml", r'(\nackguard = \{ path = "core", version = ")', r'(")', 1),
    ("bindings-wasm/package.json", r'(\n  "version": ")', r'(")', 1),
    ("bindings-wasm/package-lock.json", r'(^\{\n  "name": "ackguard",\n  "version": ")', r'(")', 1),
    ("bindings-wasm/package-lock.json", r'("packages": \{\n    "": \{\n      "name": "ackguard",\n      "version": ")', r'(")', 1),
    ("bindings-uniffi/kotlin/pom.xml", r"(<artifactId>ackguard-parent</artifactId>\s*<version>)", r"(</version>)", 1),
]


# Our own packages in a lock file: those without a source. The fuzz targets and the like have a version of no meaning.
LOCKED = r'(\[\[package\]\]\nname = "ackguard(?:-python|-wasm|-uniffi|-tests)?"\nversion = ")'


def places():
    yield from PLACES
    for lock in sorted([*ROOT.glob("Cargo.lock"), *ROOT.glob("core/*/Cargo.lock"), *ROOT.glob("tests/*/*/Cargo.lock")]):
        yield str(lock.relative_to(ROOT)), LOCKED, r'(")', None
    for pom in sorted(ROOT.glob("bindings-uniffi/kotlin/*/pom.xml")):
        own = str(pom.relative_to(ROOT))
        yield own, r"(<artifactId>ackguard-parent</artifactId>\s*<version>)", r"(</version>)", 1
        # A module that needs another one says its version, unless by Maven's own word for it.
        yield own, r"(<groupId>io\.ackguard</groupId>\s*<artifactId>ackguard</artifactId>\s*<version>)", r"(</version>)", None


def found():
    for name, before, after, count in places():
        file = ROOT / name
        if not file.exists():
            continue
        text = file.read_text(encoding="utf-8")
        versions = [it.group(2) for it in re.finditer(f"{before}({SEMVER}){after}", text)]
        if count is not None and len(versions) != count:
            yield name, f"{len(versions)} places where {count} should be"
        for version in versions:
            yield name, version


def other_problems():
    """What would say a version a second time."""
    for manifest in sorted(ROOT.glob("*/Cargo.toml")):
        if not re.search(r"^version\.workspace = true$", manifest.read_text(encoding="utf-8"), re.M):
            yield f"{manifest.relative_to(ROOT)}: the version is not the workspace's"
    pyproject = ROOT / "bindings-python/pyproject.toml"
    if pyproject.exists() and not re.search(r'^dynamic = \["version"\]$', pyproject.read_text(encoding="utf-8"), re.M):
        yield "bindings-python/pyproject.toml: the version has to be dynamic"
    package = ROOT / "bindings-wasm/package.json"
    if package.exists() and "dependencies" in json.loads(package.read_text(encoding="utf-8")):
        yield "bindings-wasm/package.json: the package has no dependencies; its bill of materials says so"


def write(version):
    for name, before, after, _ in places():
        file = ROOT / name
        if file.exists():
            text = file.read_text(encoding="utf-8")
            file.write_text(re.sub(f"{before}{SEMVER}{after}", rf"\g<1>{version}\g<2>", text), encoding="utf-8")


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--set":
        if not re.fullmatch(SEMVER, arguments[1]):
            sys.exit(f"{arguments[1]} is no version")
        write(arguments[1])
    elif arguments not in ([], ["--released"]):
        sys.exit(__doc__)
    said = list(found())
    version = said[0][1]
    problems = [f"{name}: {what}, and the workspace has {version}" for name, what in said if what != version]
    problems += other_problems()
    if arguments == ["--released"]:
        changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d{{2}}-\d{{2}}$", changelog, re.M):
            problems.append(f"CHANGELOG.md: no dated section [{version}]")
    if problems:
        sys.exit("\n".join(problems))
    print(version)


main(sys.argv[1:])
