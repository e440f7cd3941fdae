"""What docs/calibration.md says is true: its commands and options exist, its table of the profile is ours."""

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from assistant.cli import app
from calibration.profile import Profile, format_profile
from calibration.steps import STEPS

TEXT = (Path(__file__).parents[2] / "docs" / "calibration.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"`floodwatch ([a-z][^`]*)`", TEXT)))


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_with_its_options_exists(line: str) -> None:
    words = [word for word in line.split() if re.fullmatch(r"[a-z]+", word)]
    names = words[:2] if words[0] == "pack" else words[:1]
    found = typer.main.get_command(app)
    for name in names:
        found = found.commands[name]  # type: ignore[attr-defined]
    options = {option for parameter in found.params for option in parameter.opts}
    assert set(re.findall(r"--[a-z-]+", line)) <= options


def test_the_commands_say_what_they_are_for() -> None:
    listed = CliRunner().invoke(app, ["--help"]).output
    assert all(name in listed for name in ("markers", "calibrate", "enrol"))


def test_every_key_of_the_profile_is_explained() -> None:
    keys = re.findall(r'^ "([a-z_]+)":', format_profile(Profile(table="t", game="g")), re.MULTILINE)
    assert len(keys) > 10
    assert [key for key in keys if f"`{key}`" not in TEXT] == []


def test_every_step_has_its_row() -> None:
    assert len(re.findall(r"^\| [A-Z][^|]+ \| [^|]+ \| [^|]*\|$", TEXT, re.MULTILINE)) >= len(STEPS)
