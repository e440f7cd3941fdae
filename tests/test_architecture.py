"""Who may know whom: the contracts of pyproject.toml hold, and each of them can be broken."""

import ast
import io
import re
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("assistant", "calibration", "vision")
GAMES = ROOT / "assistant" / "games"
NAMES_OF_GAMES = sorted(path.parent.name for path in GAMES.glob("*/__init__.py"))


@pytest.fixture
def copy_of_the_rooms(tmp_path: Path) -> Path:
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            target = tmp_path / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    for module in ("assistant/session.py", "assistant/web/__init__.py", "assistant/games/other/__init__.py"):
        if not (tmp_path / module).exists():
            write(tmp_path / module, "")
    return tmp_path


def write(path: Path, source: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")


def lint_imports(folder: Path) -> str:
    """What import-linter says about the rooms in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": "", "COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert not done.stderr, done.stderr
    return done.stdout


CRIMES = {
    "vision asks the assistant": ("vision/gossip.py", "import assistant.kit", "Rooms"),
    "vision asks calibration": ("vision/gossip.py", "import calibration", "Rooms"),
    "calibration asks the assistant": ("calibration/gossip.py", "import assistant.kit", "Rooms"),
    "the kit asks a game": ("assistant/kit.py", "import assistant.games", "Inside assistant"),
    "a record asks the session": (
        "assistant/record/crime.py",
        "import assistant.session",
        "Inside assistant",
    ),
    "a module without a place": ("assistant/helpers.py", "", "Inside assistant"),
    "a game counts with numpy": ("assistant/games/crime/__init__.py", "import numpy", "Games and their"),
    "a game looks at frames": ("assistant/games/crime/__init__.py", "import vision.frame", "Games and their"),
    "a game asks another": ("assistant/games/crime/__init__.py", "import assistant.games.other", "Games do"),
    "the assistant opens an image": ("assistant/web/page.py", "import cv2", "The assistant opens"),
}  # fmt: skip


def broken_contracts(folder: Path) -> list[str]:
    return re.findall(r"^(.*) BROKEN$", lint_imports(folder), re.MULTILINE)


def test_all_contracts_are_kept(copy_of_the_rooms: Path) -> None:
    assert broken_contracts(copy_of_the_rooms) == []


@pytest.mark.parametrize("crime", CRIMES)
def test_each_contract_catches_its_crime(crime: str, copy_of_the_rooms: Path) -> None:
    path, source, contract = CRIMES[crime]
    write(copy_of_the_rooms / path, source)
    broken = broken_contracts(copy_of_the_rooms)
    assert any(name.startswith(contract) for name in broken), broken


def machinery() -> Iterator[Path]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if not path.is_relative_to(GAMES):
                yield path


def spoken_words(source: str) -> Iterator[tuple[int, str]]:
    """The names and texts of a module, without the docstrings and comments that may give an example."""
    lines_of_prose = set[int]()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                lines_of_prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.NAME, tokenize.STRING) and token.start[0] not in lines_of_prose:
            for word in re.findall(r"[a-z]+", token.string.lower()):
                yield token.start[0], word


def test_a_name_is_found_in_code_but_not_in_prose() -> None:
    source = '"""Such as chess."""\n\nx = "play chess"  # chess\nfrom assistant.games import chess_kit\n'
    assert [line for line, word in spoken_words(source) if word == "chess"] == [3, 4]


def test_machinery_never_names_a_game() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{line} names {word!r}"
        for path in machinery()
        for line, word in spoken_words(path.read_text(encoding="utf-8"))
        if word in NAMES_OF_GAMES
    ]
    assert named == []


def test_networks_are_files_and_never_imported() -> None:
    for path in machinery():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    roots = {alias.name.partition(".")[0] for alias in names}
                case ast.ImportFrom(module=str() as module, level=0):
                    roots = {module.partition(".")[0]}
                case _:
                    continue
            assert "models" not in roots, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_every_module_says_in_its_first_line_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for room in (*ROOMS, "tests")
        for path in sorted((ROOT / room).rglob("*.py"))
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        and path.read_text(encoding="utf-8").strip()
    ]
    assert silent == []


NEVER_IMPORTED = {
    "aiohttp", "dill", "ftplib", "http.client", "httpx", "joblib", "marshal", "pickle", "requests", "shelve",
    "smtplib", "torch", "urllib.request", "xmlrpc",
}  # fmt: skip
"""What speaks to the internet by itself, or makes code out of data."""
NEVER_CALLED = {"eval", "exec", "compile", "__import__"}


def sins(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NEVER_CALLED:
            yield f"{path.relative_to(path.anchor)}: {node.func.id}()"
        for name in names:
            if any(name == never or name.startswith(f"{never}.") for never in NEVER_IMPORTED):
                yield f"{path.relative_to(path.anchor)}: {name}"


def test_no_room_speaks_to_the_internet_or_makes_code_of_data() -> None:
    assert [sin for room in ROOMS for path in (ROOT / room).rglob("*.py") for sin in sins(path)] == []


@pytest.mark.parametrize(
    "source", ["import pickle", "from urllib import request", "from http.client import X", "eval('1')"]
)
def test_each_of_these_sins_is_noticed(tmp_path: Path, source: str) -> None:
    write(tmp_path / "sinner.py", source)
    assert list(sins(tmp_path / "sinner.py"))
