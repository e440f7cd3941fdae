"""Simulations and the two commands that run them."""

import json
from pathlib import Path

import pytest

from assistant import cli
from assistant.discover import kit_named
from assistant.simulate import SimulationError, play_game, policy_named, simulate
from vision.pack import save_pack


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        cli.main(arguments)
    out, err = capsys.readouterr()
    assert isinstance(exit_.value.code, int)
    return exit_.value.code, out, err


def test_the_same_seed_gives_the_same_results() -> None:
    kit = kit_named("yu")
    game = kit.bind(kit.demo_pack())
    policy = policy_named(game, "random")
    counted: list[int] = []
    first = simulate(game, policy, 6, 5, lambda: counted.append(1))
    second = simulate(game, policy, 6, 5, lambda: None)
    assert (first.results, first.steps) == (second.results, second.steps)
    assert len(counted) == 6


def test_a_played_game_replays_to_its_end_from_its_notation() -> None:
    kit = kit_named("yu")
    game = kit.bind(kit.demo_pack())
    ended = play_game(game, policy_named(game, "greedy"), 11)
    state = game.initial()
    for text in [game.format(action) for action in ended.actions]:
        action = game.parse(text)
        assert game.refusal(state, action) is None
        state = game.apply(state, action)
    assert state == ended.last


def test_an_unknown_policy_is_named_together_with_the_known_ones() -> None:
    kit = kit_named("yu")
    with pytest.raises(SimulationError, match="'nobody'; choose one of random, greedy"):
        policy_named(kit.bind(kit.demo_pack()), "nobody")


def test_simulate_prints_one_json_object_with_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", "--games", "3", "--policy", "random", "--seed", "1", "--json")
    data = json.loads(out)
    assert code == 0
    assert set(data) == {"games", "results", "rounds_mean", "steps_per_second"}
    assert set(data["results"]) == {"win", "flood", "barbarians", "damage"}
    assert sum(data["results"].values()) == data["games"] == 3


def test_simulate_speaks_french(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--language", "fr", "simulate", "--games", "1")
    assert code == 0
    assert "La Crue" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("simulate", "--policy", "nobody"), "no policy 'nobody'"),
        (("simulate", "--game", "chess"), "no game 'chess'"),
    ],
)
def test_a_wrong_word_is_one_sentence_and_no_traceback(
    arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert told in err
    assert "Traceback" not in err


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    answers = iter(lines)

    def answer(_prompt: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)


def test_playing_takes_numbers_notation_and_undo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    saved = tmp_path / "state.json"
    typed(monkeypatch, "collect", "undo", "4", f"save {saved}", "quit")
    code, out, _ = run(capsys, "play", "--seed", "1")
    assert code == 0
    assert "Taken back: collect" in out
    game = kit_named("yu").bind(kit_named("yu").demo_pack())
    state = game.decode(json.loads(saved.read_text(encoding="utf-8")))
    assert (state.supply[0], state.supply[7], state.supply[8]) == (1, 1, 1)


def test_an_illegal_action_is_refused_with_its_rule_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "attack 7 with red red black", "rubbish", "undo", "undo", "undo")
    code, out, _ = run(capsys, "play")
    assert code == 0
    assert "Y-A6: This belongs to the phase Take Actions; now it is Harvest." in out
    assert "'rubbish' is not an action" in out


def own_pack(folder: Path, confirmed: str = "") -> Path:
    """A player's folder: the demo's cards as their own, and perhaps what they confirmed."""
    save_pack(kit_named("yu").demo_pack(), folder)
    if confirmed:
        (folder / "confirmed.toml").write_text(confirmed, encoding="utf-8")
    return folder


def test_a_players_own_cards_and_board_are_played_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = own_pack(tmp_path, '"harvest.line" = "draw+4 white white cowrie"\n"row.2" = 2\n')
    saved = tmp_path / "state.json"
    typed(monkeypatch, "collect", f"save {saved}")
    code, _, _ = run(capsys, "play", "--pack", str(folder))
    assert code == 0
    assert json.loads(saved.read_text(encoding="utf-8"))["supply"]["white"] == 2


def test_a_saved_position_is_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "state.json"
    typed(monkeypatch, "collect", f"save {saved}")
    run(capsys, "play")
    typed(monkeypatch, "collect")
    code, out, _ = run(capsys, "play", "--state", str(saved))
    assert code == 0
    assert "There is nothing left to collect" in out


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("confirmed.toml", '"farm.9" = "white"', "no fact 'farm.9'"),
        ("confirmed.toml", "farm = [", "not valid TOML"),
        ("confirmed.toml", '"farm.1" = true', "expected lines such as"),
        ("pack.toml", "format = 1", "game"),
    ],
)
def test_a_broken_file_of_the_player_is_named(
    name: str, content: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own_pack(tmp_path) / name).write_text(content, encoding="utf-8")
    code, _, err = run(capsys, "simulate", "--games", "1", "--pack", str(tmp_path))
    assert code == 2
    assert told in err
    assert name in err or "farm.9" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("damage", ["", "{", "[1, 2]", '{"format": 1}', "[" * 5000])
def test_a_damaged_position_is_one_sentence(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "state.json"
    saved.write_text(damage, encoding="utf-8")
    code, _, err = run(capsys, "play", "--state", str(saved))
    assert code == 2
    assert "Traceback" not in err
    assert len(err.splitlines()) == 1
