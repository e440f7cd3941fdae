"""The second game is one folder: nothing else in the program, its tools, tests or data names it."""

from pathlib import Path

ROOT = Path(__file__).parents[4]
PROGRAM = ("assistant", "calibration", "vision", "models", "scripts", "requirements", "tests")
FILES = ("pyproject.toml", "Makefile")
OWN = (ROOT / "assistant" / "games" / "yro", ROOT / "tests" / "assistant" / "games" / "yro")
STRANGERS = ROOT / "tests" / "browser" / "vendor"
"""Programs of others, in which three letters mean nothing."""
NOT_TEXT = {".onnx", ".pyc", ".png", ".jpg", ".npz"}


def files() -> list[Path]:
    found = [path for room in PROGRAM for path in (ROOT / room).rglob("*") if path.is_file()]
    found += [ROOT / name for name in FILES]
    elsewhere = (*OWN, STRANGERS)
    return [
        path
        for path in found
        if path.suffix not in NOT_TEXT and not any(path.is_relative_to(room) for room in elsewhere)
    ]


def test_no_file_outside_its_folder_names_the_game() -> None:
    looked_at = files()
    named = [
        str(path.relative_to(ROOT))
        for path in looked_at
        if "yro" in f"{path.name} {path.read_text(encoding='utf-8', errors='ignore')}".lower()
    ]
    assert len(looked_at) > 300, "the program was not found"
    assert named == []
