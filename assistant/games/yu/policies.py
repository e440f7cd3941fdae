"""Simple players for simulations: one does anything legal, the others want the best at once."""

from collections.abc import Callable
from typing import Any

from assistant.games.yu import rules
from assistant.games.yu.actions import CHANCE, Action, Verb
from assistant.games.yu.copy import Copy
from assistant.games.yu.state import State
from assistant.games.yu.trade import in_circles
from assistant.games.yu.worth import Weights, worth_of
from assistant.kit import Dice

Policy = Callable[[State, tuple[Action, ...], Dice], Action]

_SAME = 1e-9


def random_policy(_copy: Copy) -> Policy:
    return lambda _state, actions, dice: dice.choice(actions)


def greedy_policy(copy: Copy, weights: Weights = Weights()) -> Policy:  # noqa: B008 - immutable
    """Looks one action ahead and takes what it values most; luck breaks ties."""
    worth = worth_of(copy, weights)

    def value_of(state: State, action: Action) -> float:
        if action.verb is Verb.END:
            return worth(state) + 0.01
        after = worth(rules.apply(copy, state, action))
        return after - weights.trade if action.verb is Verb.TRADE else after

    def choose(state: State, actions: tuple[Action, ...], dice: Dice) -> Action:
        if len(actions) == 1:
            return actions[0]
        best: list[Action] = []
        best_value = float("-inf")
        for action in actions:
            if in_circles(action):
                continue
            value = value_of(state, action)
            if value > best_value + _SAME:
                best, best_value = [action], value
            elif value > best_value - _SAME:
                best.append(action)
        return dice.choice(tuple(best))

    return choose


def thrifty_policy(copy: Copy, weights: Weights = Weights()) -> Policy:  # noqa: B008 - immutable
    """As greedy, but it trades only when it would otherwise end the round.

    Who trades sooner has spent what the next card may need: greedy wins one game of four, this one most.
    """
    greedy = greedy_policy(copy, weights)

    def choose(state: State, actions: tuple[Action, ...], dice: Dice) -> Action:
        others = tuple([action for action in actions if action.verb is not Verb.TRADE])
        best = greedy(state, others or actions, dice)
        if best.verb is not Verb.END or len(others) == len(actions):
            return best
        return greedy(state, (best, *(action for action in actions if action.verb is Verb.TRADE)), dice)

    return choose


def playable(copy: Copy, policy: Policy) -> Callable[[Any, Dice], Any]:
    """A policy of decisions, completed by luck: chance decides where nobody chooses."""

    def play(state: State, dice: Dice) -> Action:
        chances = rules.chance(copy, state)
        actions = rules.legal_actions(copy, state)
        if not chances:
            return policy(state, actions, dice)
        if len(actions) == len(chances):
            return dice.weighted(chances)
        told = {action for action, _ in chances}
        decisions = tuple([action for action in actions if action.verb not in CHANCE and action not in told])
        proceed = chances[0][0]
        chosen = policy(state, (proceed, *decisions), dice) if decisions else proceed
        return dice.weighted(chances) if chosen == proceed else chosen

    return play
