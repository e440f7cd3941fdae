"""Golden playthroughs: whole games as text that a person can follow, replayed line by line.

an action                    must be allowed
! an action -> Y-A6          must be refused by that rule
# expect flood 1, row 7 clan facts that must be true at this point
# anything else              a comment for the reader
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.facedown import count
from assistant.games.yu import rules
from assistant.games.yu.codec import decode, encode
from assistant.games.yu.notation import format_action, parse_action
from assistant.games.yu.pieces import PIECES
from assistant.games.yu.resolve import barbarians_in_row, sections_built, settle
from assistant.games.yu.setup import start, starting_decks
from assistant.games.yu.state import Result, State
from tests.assistant.games.yu.builders import check_sound
from tests.assistant.games.yu.cards import COPY

GAMES = sorted((Path(__file__).parent / "golden").glob("*.txt"))

FACTS: dict[str, Callable[[State], object]] = {
    "round": lambda state: state.round,
    "phase": lambda state: state.phase.value,
    "result": lambda state: state.result.value if state.result else "none",
    "flood": lambda state: state.flood,
    "built": sections_built,
    "barge": lambda state: state.barge or "away",
    "ready": lambda state: count(state.ready),
    "exhausted": lambda state: len(state.exhausted),
    "hand": lambda state: len(state.hand),
    "draw": lambda state: count(state.draw),
    "discard": lambda state: len(state.discard),
    "barbarians": lambda state: len(barbarians_in_row(COPY, state.row)),
    "huts": lambda state: state.huts,
    "farms": lambda state: sum(state.farms),
    "outposts": lambda state: sum(state.outposts),
}


def facts_hold(state: State, text: str) -> None:
    """`flood 1, built 2, supply white 3 cowrie 2`: each must be true, and a supply complete."""
    for fact in (part.split() for part in text.split(",")):
        if fact[0] == "supply":
            wanted = dict(zip(fact[1::2], map(int, fact[2::2]), strict=True))
            found = {name: n for name, n in zip(PIECES, state.supply, strict=True) if n}
            assert found == wanted
        else:
            name, value = fact
            assert str(FACTS[name](state)) == value, name


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_is_played_as_written(path: Path) -> None:
    state = settle(COPY, start(COPY, starting_decks(COPY)))
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        where = f"{path.name}:{number}: {line}"
        text = line.split("#")[0].strip() if "turtle#" not in line else line.strip()
        if line.startswith("# expect "):
            try:
                facts_hold(state, line.removeprefix("# expect "))
            except AssertionError as problem:
                raise AssertionError(f"{where}\n{problem}") from None
        elif text.startswith("!"):
            wrong, _, rule = text[1:].partition("->")
            refusal = rules.refusal(COPY, state, parse_action(wrong))
            assert refusal is not None, where
            assert refusal.rule == rule.strip(), where
        elif text:
            action = parse_action(text)
            assert format_action(action) == text, where
            assert rules.refusal(COPY, state, action) is None, where
            state = rules.apply(COPY, state, action)
            check_sound(state)
            assert decode(encode(state)) == state
    assert state.result is not None, f"{path.name} does not end"
    assert state.result.value == path.stem.split("-")[0]


def test_there_is_a_golden_game_for_every_end() -> None:
    assert {path.stem.split("-")[0] for path in GAMES} == {result.value for result in Result}
