"""Positions as the advisor may meet them: of any player, with unread cards, or taken off a table."""

from collections.abc import Iterator
from typing import Any

from assistant.games.yu.actions import CHANCE
from assistant.games.yu.mixes import UNREAD
from assistant.kit import Dice, Game

WAYS = ("random", "greedy", "thrifty")


def positions(game: Game[Any, Any], number: int) -> Iterator[Any]:
    """All positions of one game; in most some cards stay unread, and some are adopted from the table."""
    dice, state = Dice(f"strange/{number}"), game.initial()
    way, unread = WAYS[number % 3], (0.0, 0.1, 0.4)[number // 3 % 3]
    adopting = number // 9 % 2
    while game.outcome(state) is None:
        yield state
        if adopting and not game.chance(state):
            yield game.adopt(state, game.view(state))
        action = game.policies[way](state, dice)
        if action.verb in CHANCE and dice.choice(tuple(range(100))) < 100 * unread:
            hidden = action._replace(card=UNREAD)
            action = hidden if game.refusal(state, hidden) is None else action
        state = game.apply(state, action)
    yield state


def illegal_steps(game: Game[Any, Any], state: Any, lines: Iterator[tuple[Any, ...]]) -> list[str]:
    """The advised actions that the rules refuse, where they would be done."""
    wrong = []
    for actions in lines:
        here = state
        for action in actions:
            refusal = game.refusal(here, action)
            if refusal is not None:
                wrong.append(f"{game.format(action)}: {refusal.rule}")
                break
            here = game.apply(here, action)
    return wrong
