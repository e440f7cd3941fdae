"""Golden playthroughs: whole games as text that a person can follow, replayed line by line.

an action                    must be allowed
! an action -> R-B1          must be refused by that rule
# options players=2          how the game is played; on the second line
# expect round 2, vp-1 12    facts that must be true at this point
# anything else              a comment for the reader
"""

import re
from pathlib import Path

import pytest

from assistant.games.yro import rules
from assistant.games.yro.board import shipped_board
from assistant.games.yro.copy import copy_of, settings_of
from assistant.games.yro.notation import format_action, parse_action
from assistant.games.yro.pack import demo_pack
from assistant.games.yro.purse import worth
from assistant.games.yro.state import State
from tests.assistant.games.yro.builders import begun, play

GAMES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


def fact(state: State, name: str) -> str:
    if name in ("round", "phase", "result"):
        value = getattr(state, name)
        return str(value if isinstance(value, int) else value.value)
    kind, _, number = name.partition("-")
    player = state.players[int(number) - 1]
    return str(worth(player.coins) if kind == "coins" else getattr(player, kind))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_is_played_as_written(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    options = dict(part.split("=") for part in lines[1].removeprefix("# options ").split())
    copy = copy_of(demo_pack(), shipped_board(), settings_of(options))
    state = begun(copy)
    for number, line in enumerate(lines, 1):
        where = f"{path.name}:{number}: {line}"
        if line.startswith("# expect "):
            for part in line.removeprefix("# expect ").split(", "):
                name, value = part.split()
                assert fact(state, name) == value, f"{where}: {name}"
        elif line.startswith("!"):
            wrong, _, rule = line[1:].partition("->")
            refusal = rules.refusal(copy, state, parse_action(wrong))
            assert refusal is not None, where
            assert refusal.rule == rule.strip(), where
        elif line and not line.startswith("#"):
            assert format_action(parse_action(line)) == line, where
            state = play(copy, state, line)
    assert state.result is not None, f"{path.name} does not end"
    assert path.stem.startswith(state.result.value)


def test_every_kind_of_end_has_a_golden_game() -> None:
    ends = {re.sub(r"-\d.*", "", path.stem).split("-")[0] for path in GAMES}
    assert {"win", "solo", "overrun"} <= ends
