#!/usr/bin/env python3
"""sbom.py FILE   writes a CycloneDX bill of materials of everything that is delivered.

What goes into the packages: the Rust crates that the core, the bindings and the command are built of (not those that only
tests, benches and generators need), and what the Kotlin packages depend on at run time. The Python and the npm package depend on
nothing. The same sources give the same bytes: no time, no random number; both are left to whoever signs.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as Xml
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAVEN = {"m": "http://maven.apache.org/POM/4.0.0"}


def cargo():
    """The components and what each depends on, from the lock file."""
    # The targets that are delivered for; without the filter every platform's crates would be listed.
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--features", "ackguard/cli"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    packages = {it["id"]: it for it in metadata["packages"]}
    checksums = dict(
        ((name, version), checksum)
        for name, version, checksum in re.findall(
            r'\[\[package\]\]\nname = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"',
            (ROOT / "Cargo.lock").read_text(encoding="utf-8"),
        )
    )
    edges = {}
    for node in metadata["resolve"]["nodes"]:
        edges[node["id"]] = [
            it["pkg"] for it in node["deps"] if any(kind["kind"] in (None, "build") for kind in it["dep_kinds"])
        ]
    members = set(metadata["workspace_members"])
    roots = [it for it in members if packages[it]["name"] != "ackguard-tests"]
    # What only a generator needs is behind a feature that no package is built with.
    optional = {
        (own, name)
        for own in roots
        for dependency in packages[own]["dependencies"]
        if dependency["optional"] and packages[own]["name"] != "ackguard"
        for name in [dependency["name"]]
    }
    seen, waiting = set(), list(roots)
    while waiting:
        own = waiting.pop()
        if own in seen:
            continue
        seen.add(own)
        waiting += [it for it in edges[own] if (own, packages[it]["name"]) not in optional]

    def purl(own):
        return f"pkg:cargo/{packages[own]['name']}@{packages[own]['version']}"

    components, depends = [], []
    for own in sorted(seen, key=purl):
        package = packages[own]
        component = {
            "type": "library",
            "bom-ref": purl(own),
            "name": package["name"],
            "version": package["version"],
            "purl": purl(own),
        }
        if package["license"]:
            # Cargo's old way of writing "or".
            component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        if checksum := checksums.get((package["name"], package["version"])):
            component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        components.append(component)
        below = sorted({purl(it) for it in edges[own] if it in seen and it != own})
        depends.append({"ref": purl(own), "dependsOn": below})
    return components, depends, [purl(it) for it in roots]


def maven():
    """What the Kotlin packages need at run time."""
    parent = ROOT / "bindings-uniffi/kotlin/pom.xml"
    if not parent.exists():
        return []
    properties, versions, wanted = {}, {}, {}
    for pom in [parent, *sorted(parent.parent.glob("*/pom.xml"))]:
        project = Xml.parse(pom).getroot()
        for it in project.findall("m:properties/*", MAVEN):
            properties[it.tag.rpartition("}")[2]] = (it.text or "").strip()

        def key(it):
            return it.findtext("m:groupId", "", MAVEN), it.findtext("m:artifactId", "", MAVEN)

        for it in project.findall("m:dependencyManagement/m:dependencies/m:dependency", MAVEN):
            versions[key(it)] = it.findtext("m:version", "", MAVEN)
        for it in project.findall("m:dependencies/m:dependency", MAVEN):
            if it.findtext("m:scope", "compile", MAVEN) in ("compile", "runtime") and key(it)[0] != "io.ackguard":
                wanted[key(it)] = it.findtext("m:version", "", MAVEN)
    components = []
    for (group, name), version in sorted(wanted.items()):
        version = re.sub(r"\$\{([^}]+)\}", lambda it: properties[it.group(1)], version or versions[group, name])
        purl = f"pkg:maven/{group}/{name}@{version}"
        components.append(
            {"type": "library", "bom-ref": purl, "group": group, "name": name, "version": version, "purl": purl}
        )
    return components


def main(path):
    crates, depends, roots = cargo()
    own = next(it for it in crates if it["name"] == "ackguard")
    jars = maven()
    product = {
        "type": "library",
        "bom-ref": "ackguard",
        "name": "ackguard",
        "version": own["version"],
        "licenses": own["licenses"],
    }
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": product},
        "components": crates + jars,
        "dependencies": [{"ref": "ackguard", "dependsOn": sorted(roots + [it["purl"] for it in jars])}, *depends],
    }
    # The number of a bill is a UUID; this one is made of what the bill says.
    digest = sha256(json.dumps(bill, sort_keys=True).encode()).hexdigest()
    number = f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"
    bill["serialNumber"] = f"urn:uuid:{number}"

    # A reference to nothing, or a crate without a checksum or a licence, would make the bill useless.
    references = {it["bom-ref"] for it in bill["components"]} | {"ackguard"}
    for it in bill["dependencies"]:
        assert it["ref"] in references, it
        assert references.issuperset(it["dependsOn"]), it
    for it in crates:
        assert "licenses" in it and ("hashes" in it or it["name"].startswith("ackguard")), it["purl"]
    assert len(crates) > 10, "too few to be true"
    Path(path).write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")
    print(f"{len(crates)} crates, {len(jars)} jars")


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
