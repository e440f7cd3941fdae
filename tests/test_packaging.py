"""The wheel holds all that the program reads, and works far away from any checkout."""

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest

import assistant

ROOT = Path(__file__).parent.parent
PACKAGED = ("assistant", "calibration", "models", "vision")


def run(*command: str | Path, cwd: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="the build tool is not in this environment: use make test")
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing of ours but the wheel; the other packages are borrowed, not fetched."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        wheel,
        cwd=folder,
    )
    where = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    # Last on the path, and .pth files inside it are not followed: the checkout stays out of sight.
    (Path(where) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def test_every_data_file_of_the_checkout_is_in_the_wheel(wheel: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", *PACKAGED, cwd=ROOT)
    files = {line for line in listed.splitlines() if (ROOT / line).is_file()}
    training = {file for file in files if file.startswith("models/") and file.endswith(".py")}
    inside = set(ZipFile(wheel).namelist())
    assert files - training - inside == set()
    assert training & inside == set()
    assert "assistant/messages/fr.toml" in inside


def test_nothing_but_the_program_is_in_the_wheel(wheel: Path) -> None:
    roots = {name.partition("/")[0] for name in ZipFile(wheel).namelist()}
    assert roots <= {*PACKAGED, f"floodwatch-{assistant.__version__}.dist-info"}


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        info = f"floodwatch-{assistant.__version__}.dist-info"
        metadata = message_from_string(archive.read(f"{info}/METADATA").decode())
        assert f"{info}/licenses/LICENSE" in archive.namelist()
    assert metadata["Version"] == assistant.__version__
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"


def test_the_wheel_works_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    command = installed / "bin" / "floodwatch"
    assert run(command, "--version", cwd=tmp_path) == f"floodwatch {assistant.__version__}\n"
    assert "onnxruntime" in run(command, "doctor", cwd=tmp_path)
    where = run(
        installed / "bin" / "python", "-c", "import assistant; print(assistant.__file__)", cwd=tmp_path
    )
    assert Path(where.strip()).is_relative_to(installed)


def test_every_lock_file_has_hashes_and_names_no_host() -> None:
    for lock in (ROOT / "requirements").glob("*.txt"):
        text = lock.read_text(encoding="utf-8")
        pins = [block for block in text.replace("\\\n", "").splitlines() if not block.startswith("#")]
        assert pins, lock.name
        assert all("==" in pin and "--hash=sha256:" in pin for pin in pins), lock.name
        assert "://" not in text, lock.name


def test_the_locks_hold_every_dependency_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for lock, wanted in {
        "run": project["dependencies"],
        "dev": project["dependencies"] + project["optional-dependencies"]["dev"],
    }.items():
        locked = {line.partition("==")[0].partition("[")[0] for line in lock_lines(lock)}
        missing = {name(requirement) for requirement in wanted} - locked
        assert missing == set(), f"make lock: requirements/{lock}.txt"
    assert set(lock_lines("run")) <= set(lock_lines("dev")), "one package, two versions"


def lock_lines(lock: str) -> list[str]:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    return [line.split()[0] for line in text.splitlines() if line and line[0] not in " #"]


def name(requirement: str) -> str:
    return requirement.partition(">")[0].partition("=")[0].partition("[")[0]
