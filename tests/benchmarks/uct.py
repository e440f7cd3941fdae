"""Plain UCT, the player that the advisor is compared with: a tree of decisions, random play below it."""

import math
from collections.abc import Callable
from typing import Any

from assistant.advise.clock import ProcessorClock
from assistant.kit import Dice, Game, Policy

EXPLORE = 0.7
PROGRESS = 0.3
"""What a lost game counts for the rounds that it lasted: without it, random play gives no signal at all."""
LONG_GAME = 15
SETTLES_FROM = 0.3
"""The share of its time after which its pace is known."""


class _Node:
    __slots__ = ("children", "total", "untried", "visits")

    def __init__(self, actions: tuple[Any, ...]) -> None:
        self.untried = list(actions)
        self.children: dict[Any, tuple[list[float], dict[Any, _Node]]] = {}
        self.visits = 0
        self.total = 0.0


def uct_policy(game: Game[Any, Any], seconds: float, clock: Callable[[], float] | None = None) -> Policy:
    """Thinks at every decision; where a card is due it goes on as the advisor does."""
    clock = clock or ProcessorClock()
    fast = game.advising.policy if game.advising else "greedy"

    def play(state: Any, dice: Dice) -> Any:
        if game.chance(state):
            return game.policies[fast](state, dice)
        actions = game.legal_actions(state)
        if len(actions) == 1:
            return actions[0]
        root, luck, begun = _Node(actions), Dice("uct"), clock()
        while (gone := (clock() - begun) / seconds) < 1 and not _is_settled(root, gone):
            _descend(game, root, state, luck)
        return max(root.children, key=lambda action: root.children[action][0][0])

    return play


def _is_settled(root: _Node, gone: float) -> bool:
    """Whether the most visited action stays it even if all the time left went to the second."""
    if gone < SETTLES_FROM or root.untried or root.visits % 10:
        return False
    most, second = sorted((counts[0] for counts, _ in root.children.values()), reverse=True)[:2]
    return most - second > root.visits / gone * (1 - gone)


def _descend(game: Game[Any, Any], node: _Node, state: Any, luck: Dice) -> float:
    if node.untried:
        action = node.untried.pop(int(luck.choice(tuple(range(len(node.untried))))))
        node.children[action] = ([0.0, 0.0], {})
        reward = _random_play(game, game.apply(state, action), luck)
    else:
        scale = math.log(node.visits)
        action = max(node.children, key=lambda a: _bound(node.children[a][0], scale))
        after = game.apply(state, action)
        while game.outcome(after) is None and (chances := game.chance(after)):
            after = game.apply(after, luck.weighted(chances))
        if (outcome := game.outcome(after)) is not None:
            reward = _reward(game, after, bool(outcome.won))
        else:
            below = node.children[action][1]
            child = below.get(after)
            if child is None:
                child = below[after] = _Node(game.legal_actions(after))
            reward = _descend(game, child, after, luck)
    counts = node.children[action][0]
    counts[0] += 1
    counts[1] += reward
    node.visits += 1
    return reward


def _bound(counts: list[float], scale: float) -> float:
    return counts[1] / counts[0] + EXPLORE * math.sqrt(scale / counts[0])


def _random_play(game: Game[Any, Any], state: Any, luck: Dice) -> float:
    while (outcome := game.outcome(state)) is None:
        chances = game.chance(state)
        state = game.apply(
            state, luck.weighted(chances) if chances else luck.choice(game.legal_actions(state))
        )
    return _reward(game, state, bool(outcome.won))


def _reward(game: Game[Any, Any], state: Any, won: bool) -> float:
    return 1.0 if won else PROGRESS * min(1.0, game.round(state) / LONG_GAME)
