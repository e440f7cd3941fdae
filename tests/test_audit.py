"""The audit says in one sentence what came of it, where it could look nothing up too."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "audit.py"
GOOD = {"name": "good", "version": "1.0", "vulns": []}
BAD = {"name": "bad", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}]}
UNKNOWN = {"name": "unknown", "skip_reason": "Dependency not found on PyPI"}


def audited(folder: Path, said: str) -> tuple[int, list[str]]:
    """With a pip-audit that says this."""
    program = folder / "pip-audit"
    program.write_text(f"#!{sys.executable}\nimport sys\n{said}\n", encoding="utf-8")
    program.chmod(0o700)
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--program", str(program)], capture_output=True, text=True, check=False
    )
    assert not done.stderr
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize(
    ("packages", "code", "lines"),
    [
        ([GOOD], 0, ["1 packages were looked up, 0 known holes found."]),
        (
            [GOOD, BAD],
            1,
            ["bad 2.0: PYSEC-1, mended in 2.1", "2 packages were looked up, 1 known holes found."],
        ),
        (
            [GOOD, UNKNOWN],
            2,
            ["1 packages were looked up, 0 known holes found; 1 packages could not be looked up."],
        ),
    ],
)
def test_what_was_found_is_told(tmp_path: Path, packages: object, code: int, lines: list[str]) -> None:
    said = f"print({json.dumps({'dependencies': packages})!r})"
    assert audited(tmp_path, said) == (code, lines)


@pytest.mark.parametrize(
    "said",
    [
        f"print({json.dumps({'dependencies': [UNKNOWN]})!r})",
        "sys.exit('Traceback\\nConnectionError: no route')",
        "print('not JSON')",
    ],
)
def test_where_nothing_can_be_looked_up_one_sentence_says_so(tmp_path: Path, said: str) -> None:
    code, lines = audited(tmp_path, said)
    assert code == 2
    assert len(lines) == 1
    assert lines[0].startswith("The list of known holes cannot be reached from here")


def test_a_missing_program_is_no_crash(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--program", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "")
