"""The command line: one clear sentence when something is wrong, silence when it is asked for."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer

import assistant
from assistant import cli
from assistant.commands.terminal import open_terminal
from assistant.errors import FloodwatchError
from vision.errors import PackError, VisionError


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as exit_:
        cli.main(arguments)
    assert isinstance(exit_.value.code, int)
    return exit_.value.code


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"floodwatch {assistant.__version__}\n"


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (FloodwatchError("no game 'chess'"), "floodwatch: no game 'chess'\n"),
        (VisionError("no camera 3: plug one in"), "floodwatch: no camera 3: plug one in\n"),
        (FloodwatchError("expected [a-z], found [/b]"), "floodwatch: expected [a-z], found [/b]\n"),
        (PackError(("a.toml: x", "a.toml: y")), "floodwatch: a.toml: x\na.toml: y\n"),
        (FloodwatchError("long " * 60 + "end"), "floodwatch: " + "long " * 60 + "end\n"),
    ],
)
def test_a_problem_is_told_in_plain_words_on_stderr(
    problem: Exception,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_: list[str]) -> None:
        raise problem

    monkeypatch.setattr(cli, "app", fail)
    assert run("anything") == cli.PROBLEM
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", told)


def test_a_mistake_of_ours_is_not_dressed_up_as_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: list[str]) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(ZeroDivisionError):
        cli.main(["anything"])


def test_an_unknown_language_is_refused_with_those_we_speak(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--language", "tlh", "doctor") == cli.PROBLEM
    assert capsys.readouterr().err == "floodwatch: no language 'tlh': expected one of en, fr\n"


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("dance") == cli.PROBLEM
    assert "dance" in capsys.readouterr().err


def test_quiet_silences_remarks_but_not_results(capsys: pytest.CaptureFixture[str]) -> None:
    for quiet in (True, False):
        terminal = open_terminal(language="en", quiet=quiet)
        terminal.out.print("result")
        terminal.remarks.print("remark")
        captured = capsys.readouterr()
        assert captured.out == "result\n"
        assert captured.err == ("" if quiet else "remark\n")


def test_every_command_module_is_listed() -> None:
    listed = {*cli.COMMANDS, *cli.GROUPS}
    folder = Path(cli.__file__).parent / "commands"
    defined = {
        path.stem for path in folder.glob("*.py") if "typer.Context" in path.read_text(encoding="utf-8")
    }
    assert listed == defined - {"terminal"}


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    shown = capsys.readouterr().out
    assert isinstance(cli.app, typer.Typer)
    assert [name for name in (*cli.COMMANDS, *cli.GROUPS) if name not in shown] == []


def test_a_command_loads_no_other_command() -> None:
    """All of them together take more than a second to load."""
    asked = "import sys; from assistant import cli; cli.app(['read', '--help'], standalone_mode=False)"
    shown = "; print(*(name for name in sys.modules if name.startswith('assistant.commands.')))"
    done = subprocess.run([sys.executable, "-c", asked + shown], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.splitlines()[-1].split()}
    assert "read" in loaded
    assert loaded & {*cli.COMMANDS, *cli.GROUPS} == {"read"}


def test_reading_a_photograph_loads_neither_games_nor_networks_before_they_are_needed() -> None:
    """They take longer to load than a photograph of a game that we do not know takes to read."""
    asked = "import sys; from assistant import cli; cli.app(['read', '--help'], standalone_mode=False)"
    shown = "; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked + shown], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "vision.photo" in loaded
    assert loaded & {"onnxruntime", "fastapi", "sqlite3", "vision.draw", "vision.near"} == set()
    assert [name for name in loaded if name.startswith("assistant.games.")] == []


def test_a_misspelt_command_is_told_which_one_may_be_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("dcotor") == cli.PROBLEM
    assert "doctor" in capsys.readouterr().err


def test_numpy_is_not_loaded_before_it_can_be_told_how_many_threads_to_start() -> None:
    seen = "import sys; from assistant import cli; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
