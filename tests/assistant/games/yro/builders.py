"""Positions of YRO made readable: who holds what, and what happens then."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from assistant.games.yro import rules
from assistant.games.yro.actions import Action
from assistant.games.yro.board import shipped_board
from assistant.games.yro.codec import decode, encode
from assistant.games.yro.copy import Copy, copy_of, settings_of
from assistant.games.yro.notation import parse_action
from assistant.games.yro.pack import demo_pack
from assistant.games.yro.phases import settle, start
from assistant.games.yro.sound import problems
from assistant.games.yro.state import NO_GRID, Grid, Phase, Player, State, changed
from vision.cards import CardId

Test = TypeVar("Test", bound=Callable[..., object])


def holds(*_rules: str) -> Callable[[Test], Test]:
    """The test shows that these rules hold."""
    return lambda test: test


def refuses(*_rules: str) -> Callable[[Test], Test]:
    """The test shows that these rules refuse an action."""
    return lambda test: test


@cache
def copy_for(players: int = 2, **options: str) -> Copy:
    confirmed = {"players": str(players), **options}
    return copy_of(demo_pack(), shipped_board(), settings_of(confirmed))


def grid(*rows: str) -> Grid:
    """Three rows of cards, `.` for none: `grid("otter-scout . .", ". . .", ". . .")`."""
    if not rows:
        return NO_GRID
    names = " ".join(rows).split()
    return tuple(None if name == "." else CardId(name) for name in names)


def cards(text: str) -> tuple[CardId, ...]:
    return tuple(sorted(CardId(name) for name in text.split()))


def position(copy: Copy, phase: Phase, *players: dict[str, Any], **fields: Any) -> State:
    """A position in a phase in which everybody has still to act; unnamed players have nothing.

    Nobody's cards are in the deck as well: the mix is what is left.
    """
    seats = [Player(coins=(5, 0, 0), **given) for given in players]
    seats += [Player(coins=(5, 0, 0))] * (copy.settings.players - len(seats))
    left = list(copy.deck)
    for player in seats:
        for card in (*player.hand, *player.chosen, *player.placing, *player.grid):
            if card is not None:
                left.remove(card)
    everybody = tuple(range(1, len(seats) + 1))
    spent = sum(player.coins[0] for player in seats)
    return State(
        round=fields.pop("round", 2),
        phase=phase,
        players=tuple(seats),
        mixes=(tuple(left),),
        deck=((0, len(left)),),
        todo=fields.pop("todo", everybody),
        bank=(copy.box[0] - spent, copy.box[1], copy.box[2]),
        **fields,
    )


def play(copy: Copy, state: State, *notations: str) -> State:
    """Plays legal actions; each position on the way holds together and survives JSON."""
    for notation in notations:
        action: Action = parse_action(notation)
        refusal = rules.refusal(copy, state, action)
        assert refusal is None, (notation, refusal)
        state = rules.apply(copy, state, action)
        assert list(problems(copy, state)) == []
        assert decode(copy, encode(copy, state)) == state
    return state


def refused(copy: Copy, state: State, notation: str) -> str:
    """The rule that refuses an action."""
    action = parse_action(notation)
    assert action not in rules.legal_actions(copy, state)
    refusal = rules.refusal(copy, state, action)
    assert refusal is not None, notation
    return refusal.rule


def begun(copy: Copy) -> State:
    return settle(copy, start(copy))


def with_coins(state: State, number: int, coins: tuple[int, int, int]) -> State:
    player = state.players[number - 1]
    bank = tuple(have + old - new for have, old, new in zip(state.bank, player.coins, coins, strict=True))
    return state.with_player(number, changed(player, coins=coins), bank=bank)
