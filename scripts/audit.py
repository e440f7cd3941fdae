"""Looks up known holes of the locked packages with pip-audit, and says in one sentence what came of it."""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

LOCK: Final = Path(__file__).parent.parent / "requirements" / "run.txt"
SECONDS: Final = 300
UNREACHED: Final = 2


def asked(command: list[str]) -> tuple[list[dict[str, Any]] | None, str]:
    """What pip-audit found for each package, and why not; None where it found nothing out."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return None, str(problem)
    try:
        return list(json.loads(done.stdout)["dependencies"]), ""
    except (ValueError, KeyError, TypeError):
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        return None, lines[-1]


def told(packages: list[dict[str, Any]] | None, why: str) -> tuple[int, list[str]]:
    """The exit code, and what to say."""
    looked_up = [package for package in packages or () if "vulns" in package]
    if packages is None or not looked_up:
        why = why or str(packages[0].get("skip_reason", "") if packages else "")
        return UNREACHED, [
            f"The list of known holes cannot be reached from here, so nothing was looked up: {why[:200]}"
        ]
    found = [
        f"{package['name']} {package['version']}: {hole['id']}, mended in {_listed(hole['fix_versions'])}"
        for package in looked_up
        for hole in package["vulns"]
    ]
    left = len(packages) - len(looked_up)
    also = f"; {left} packages could not be looked up" if left else ""
    summary = f"{len(looked_up)} packages were looked up, {len(found)} known holes found{also}."
    return 1 if found else UNREACHED if left else 0, [*found, summary]


def _listed(versions: list[str]) -> str:
    return ", ".join(versions) or "no version yet"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="pip-audit", help="where pip-audit is")
    options = parser.parse_args()
    command = [options.program, "--require-hashes", "--disable-pip", "--progress-spinner", "off"]
    code, lines = told(*asked([*command, "--format", "json", "--requirement", str(LOCK)]))
    print("\n".join(lines))
    sys.exit(code)


if __name__ == "__main__":
    main()
