"""The command line: one clear sentence when something is wrong, silence when it is asked for."""

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
    listed = {command.__module__.rpartition(".")[2] for command in cli.COMMANDS}
    listed |= {str(group.info.name) for group in cli.GROUPS}
    folder = Path(cli.__file__).parent / "commands"
    defined = {
        path.stem for path in folder.glob("*.py") if "typer.Context" in path.read_text(encoding="utf-8")
    }
    assert listed == defined - {"terminal"}


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    shown = capsys.readouterr().out
    assert isinstance(cli.app, typer.Typer)
    assert [c.__name__ for c in cli.COMMANDS if c.__name__ not in shown] == []
    assert [group.info.name for group in cli.GROUPS if str(group.info.name) not in shown] == []
