"""What docs/recording.md says is true: its programs run, its commands exist, its tables are ours."""

import re
import shlex
from pathlib import Path

import pytest

from assistant import cli
from assistant.record import schema
from assistant.record.database import FILE_NAME
from assistant.record.export import as_json
from assistant.record.store import open_store
from tests.assistant.record.recorded import record_simulated, simulated

TEXT = (Path(__file__).parents[3] / "docs" / "recording.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    return [re.split(r"\s{2,}", line)[0] for line in blocks("")[0].splitlines()]


@pytest.mark.parametrize("command", commands())
def test_every_command_of_the_page_works(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if "mp4" in command:
        pytest.skip("the film has a test of its own")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FLOODWATCH_DATA", str(tmp_path))
    with open_store(tmp_path) as store:
        record_simulated(store, 2, "random")
    program, *arguments = shlex.split(command.replace(" 7", " 1"))
    assert program == "floodwatch"
    with pytest.raises(SystemExit) as exit_:
        cli.main(arguments)
    assert exit_.value.code == 0, capsys.readouterr().err


def test_a_game_can_be_read_without_floodwatch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store(tmp_path) as store:
        record_simulated(store, 2, "random")
    without, _, _ = blocks("python")
    exec(compile(without + "\nconnection.close()", "recording.md", "exec"), {})
    assert capsys.readouterr().out.startswith(f"{len(simulated(2, 'random').actions)} reveal 1 ")


def test_a_game_can_be_written_and_read_with_floodwatch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _, reading, writing = blocks("python")
    names: dict[str, object] = {}
    exec(compile(writing, "recording.md", "exec"), names)
    assert names["unfinished"] == 1
    exec(compile(reading, "recording.md", "exec"), {})
    assert capsys.readouterr().out == "Mine ['end']\n"


def test_every_table_and_column_that_the_page_names_is_there() -> None:
    lines = re.findall(r"^\| `(\w+)` \| (.*) \|$", TEXT, re.MULTILINE)
    tables = {table.name: table for table in schema.META.sorted_tables}
    assert {name for name, _ in lines} == set(tables)
    for name, words in lines:
        for column in re.findall(r"`(\w+)`", words):
            assert column in tables[name].columns, f"{name}.{column}"


def test_the_json_export_has_the_keys_that_the_page_names(tmp_path: Path) -> None:
    section = TEXT.partition("### The JSON export")[2].partition(".")[0]
    with open_store(tmp_path) as store:
        text = as_json(store.load(record_simulated(store, 2, "random")))
    named = re.findall(r"`(\w+)`", section)
    assert re.findall(r'^ "(\w+)":', text, re.MULTILINE) == named


def test_the_page_names_the_file_and_the_settings() -> None:
    for word in (FILE_NAME, "--data", "FLOODWATCH_DATA"):
        assert word in TEXT
