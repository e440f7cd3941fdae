"""Writes what a release is made of, as CycloneDX JSON: the packages of the lock file, and our networks."""

import argparse
import importlib.metadata
import json
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
_PINNED = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def components(lock: Path) -> list[dict[str, Any]]:
    """One for each pinned package, with the hashes under which it may be installed."""
    found: list[dict[str, Any]] = []
    for line in lock.read_text(encoding="utf-8").splitlines():
        if pinned := _PINNED.match(line):
            name, version = pinned.groups()
            found.append(
                {
                    "type": "library",
                    "name": name,
                    "version": version,
                    "purl": f"pkg:pypi/{name}@{version}",
                    "bom-ref": f"{name}@{version}",
                    **_licence(name),
                    "properties": [],
                }
            )
        elif (sha256 := _HASH.search(line)) and found:
            found[-1]["properties"].append({"name": "floodwatch:sha256", "value": sha256[1]})
    return found


def _licence(name: str) -> dict[str, Any]:
    """As the installed package says; nothing where it is not installed here."""
    try:
        told = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return {}
    expression = told.get("License-Expression")
    if expression:
        return {"licenses": [{"expression": expression}]}
    classified = [
        line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if "License" in line
    ]
    return {"licenses": [{"license": {"name": one}} for one in classified]} if classified else {}


def weights() -> list[dict[str, Any]]:
    """The trained networks that are shipped: those for every game, and those that a game brings along."""
    own = sorted((ROOT / "assistant" / "games").glob("*/eyes/manifest.toml"))
    named = [("", ROOT / "models" / "manifest.toml"), *((f"{path.parts[-3]}/", path) for path in own)]
    return [
        {
            "type": "machine-learning-model",
            "name": f"{prefix}{name}",
            "bom-ref": f"model:{prefix}{name}",
            "hashes": [{"alg": "SHA-256", "content": entry["sha256"]}],
        }
        for prefix, manifest in named
        for name, entry in tomllib.loads(manifest.read_text(encoding="utf-8")).items()
        if isinstance(entry, dict) and "sha256" in entry
    ]


def bill(lock: Path) -> dict[str, Any]:
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": "floodwatch",
                "licenses": [{"expression": "Apache-2.0"}],
            }
        },
        "components": components(lock) + weights(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lock", type=Path, default=ROOT / "requirements" / "run.txt")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "floodwatch.cdx.json")
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    made = bill(options.lock)
    options.out.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(made['components'])} components: {options.out}")


if __name__ == "__main__":
    main()
