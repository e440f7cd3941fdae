"""The commands about recorded games, as a player types them."""

import json
from pathlib import Path

import pytest

from assistant import cli
from assistant.record.database import FILE_NAME
from assistant.record.store import open_store
from tests.assistant.record.recorded import action, header, record_simulated, simulated


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games on record: two that ended, one that did not."""
    folder = tmp_path_factory.mktemp("record")
    with open_store(folder) as store:
        record_simulated(store, 2, "random")
        record_simulated(store, 3, "random")
        recorder = store.begin(header(), {})
        recorder.action(action(1))
        recorder.leave()
    return folder


@pytest.fixture
def data(filled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FLOODWATCH_DATA", str(filled))
    monkeypatch.setenv("COLUMNS", "160")
    return filled


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        cli.main(arguments)
    out, err = capsys.readouterr()
    assert isinstance(exit_.value.code, int)
    return exit_.value.code, out, err


@pytest.mark.usefixtures("data")
def test_games_are_listed_with_result_and_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "games")
    assert code == 0
    lines = out.splitlines()
    assert len(lines) == 4
    assert lines[1].split()[0] == "3"
    assert "Not finished." in lines[1]
    assert lines[2].endswith("!"), "findings have their sign, also where there are no colours"
    assert "The Flood has reached you" in lines[3]
    assert FILE_NAME in err.replace("\n", "")


@pytest.mark.usefixtures("data")
def test_games_are_listed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    games = json.loads(run(capsys, "games", "--json")[1])["games"]
    assert [game["id"] for game in games] == [3, 2, 1]
    assert games[0]["result"] is None
    assert games[2]["result"] == simulated(2, "random").cause
    assert games[2]["actions"] == len(simulated(2, "random").actions)
    assert set(games[2]["findings"]) == {"note", "warning", "violation"}


@pytest.mark.usefixtures("data")
def test_statistics_are_shown_and_given_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(capsys, "games", "--statistics", "--json")[1])["games"] == 2
    assert "2 parties terminées, 0" in run(capsys, "--language", "fr", "games", "--statistics")[1]


def test_a_place_without_games_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "games", "--data", str(tmp_path))[:2] == (0, "No game has been recorded yet.\n")


def test_statistics_without_a_finished_game_say_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = run(capsys, "games", "--statistics", "--data", str(tmp_path))[:2]
    assert said == (0, "No game has been played to its end yet.\n")


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("form", ["text", "csv", "json"])
def test_texts_go_to_the_terminal_or_to_a_file(
    form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game"
    shown = run(capsys, "export", "1", "--as", form)[1]
    code, out, err = run(capsys, "export", "1", "--as", form, "--out", str(file))
    assert (code, out) == (0, "")
    assert f"Saved in {file}." in err
    assert file.read_text(encoding="utf-8") == shown
    assert "reveal 1 " in shown


@pytest.mark.usefixtures("data")
def test_the_page_gets_a_name_of_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "export", "1", "--as", "html")[0] == 0
    assert (tmp_path / "game-1.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.usefixtures("data")
def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "export", "1", "--as", "html", "--out", str(tmp_path / "no" / "x.html"))
    assert code == cli.PROBLEM
    assert "Expected a file that can be written" in err


@pytest.mark.usefixtures("data")
def test_a_game_that_is_not_there_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("export", "replay"):
        code, out, err = run(capsys, command, "77")
        assert (code, out) == (cli.PROBLEM, "")
        assert err.startswith("floodwatch: Expected the number of a recorded game or `last`, found '77'")


@pytest.mark.usefixtures("data")
def test_replay_says_that_nothing_differs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "replay", "1")
    assert code == 0
    assert (
        out
        == f"Today’s program plays this game the same: all {len(simulated(2, 'random').actions)} actions.\n"
    )
    assert json.loads(run(capsys, "replay", "1", "--json")[1])["same"] is True


@pytest.mark.usefixtures("data")
def test_replay_ends_with_1_where_something_differs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "replay", "3")
    assert code == 1
    assert "Action 1, end: today’s program cannot read it." in out


def test_simulated_games_can_be_recorded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "simulate", "--games", "2", "--record", "--data", str(tmp_path))
    assert (code, out) == (0, "1\n2\n")
    with open_store(tmp_path) as store:
        assert [game.header.seed for game in store.games()] == ["0/1", "0/0"]
        assert all(game.ending is not None for game in store.games())


def test_a_damaged_record_is_told_and_the_rest_is_listed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all" * 500)
    code, out, err = run(capsys, "games", "--data", str(tmp_path))
    assert (code, out) == (0, "No game has been recorded yet.\n")
    assert "The record was damaged. It was kept as" in err


def test_a_campaign_goes_from_game_to_card_to_note(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    place = ("--data", str(tmp_path))
    run(capsys, "simulate", "--games", "2", "--record", *place)
    code, _, err = run(capsys, "campaign", *place)
    assert code == 0
    assert "A new campaign has begun." in err
    lost = json.loads(run(capsys, "campaign", "--add", "1", "--json", *place)[1])
    assert (lost["wins"], lost["losses"], lost["games"]) == (0, 1, [1])
    code, _, err = run(capsys, "campaign", "--add", "2", *place)
    assert (code, "First turn over the card" in err) == (cli.PROBLEM, True)
    code, _, err = run(capsys, "campaign", "--turn", "nothing-like-it", *place)
    card = err.partition("there is ")[2].partition(",")[0]
    assert code == cli.PROBLEM
    code, _, err = run(capsys, "campaign", "--turn", card, *place)
    assert (code, f"{card} was turned over: read entry" in err) == (0, True)
    run(capsys, "campaign", "--note", "42", "an [odd] stone", *place)
    assert "entry 42: an [odd] stone" in run(capsys, "campaign", *place)[1]
    code, _, err = run(capsys, "campaign", "--add", "1", *place)
    assert (code, "counts in this campaign already" in err) == (cli.PROBLEM, True)


def test_the_campaign_page_names_cards_of_the_story_by_their_stones_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    place = ("--data", str(tmp_path))
    run(capsys, "simulate", "--games", "3", "--policy", "greedy", "--seed", "3", "--record", *place)
    run(capsys, "campaign", "--add", "1", *place)
    data = json.loads(run(capsys, "campaign", "--json", *place)[1])
    assert data["added"]
    assert all(card.startswith("#") for card in data["added"])
    assert "stone " in run(capsys, "campaign", *place)[1]
