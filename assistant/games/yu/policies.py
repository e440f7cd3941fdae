"""Two simple players for simulations: one that does anything legal, one that wants to win at once."""

from collections.abc import Callable
from typing import Any

from assistant.games.yu import rules
from assistant.games.yu.actions import CHANCE, Action, Verb
from assistant.games.yu.copy import Copy
from assistant.games.yu.payment import FREE, Group, missing_workers
from assistant.games.yu.pieces import CLAY, COWRIE, PROVISION, WHITE, WOOD, WORKERS, Workers
from assistant.games.yu.resolve import barbarians_in_row, barbarians_to_add, colour_group, sections_built
from assistant.games.yu.state import ROW, SECTIONS, State, StepKind, count
from assistant.kit import Dice

Policy = Callable[[State, tuple[Action, ...], Dice], Action]


def random_policy(_copy: Copy) -> Policy:
    return lambda _state, actions, dice: dice.choice(actions)


def greedy_policy(copy: Copy) -> Policy:
    """Looks one action ahead and takes what it values most; luck breaks ties."""

    def choose(state: State, actions: tuple[Action, ...], dice: Dice) -> Action:
        best: list[Action] = []
        best_value = float("-inf")
        for action in actions:
            value = _value_of(copy, state, action)
            if value > best_value + 1e-9:
                best, best_value = [action], value
            elif value > best_value - 1e-9:
                best.append(action)
        return dice.choice(tuple(best))

    return choose


def _value_of(copy: Copy, state: State, action: Action) -> float:
    if action.verb is Verb.END:
        return _worth(copy, state) + 0.01
    after = rules.apply(copy, state, action)
    return _worth(copy, after) - 0.02 * (action.verb is Verb.TRADE)


def _worth(copy: Copy, state: State) -> float:
    """How good a position feels: sections first, then what brings the next section and keeps us alive."""
    if state.result is not None:
        return 1000.0 if state.result.value == "win" else -1000.0
    built = sections_built(state)
    value = 30.0 * built + 6 * sum(state.farms) + 5 * sum(state.outposts) + 5 * state.huts
    value += 2.0 * sum(card is not None for card in state.tucked)
    value += _purse(copy, state) - _threat(copy, state)
    cycle = count(state.ready) + len(state.exhausted) + len(state.hand)
    return value + 0.9 * min(cycle, 16) + 0.55 * len(state.hand) + _expected(state)


def _purse(copy: Copy, state: State) -> float:
    """Pieces, worth more while they are still missing for the next section."""
    supply = state.supply
    value = 0.5 * sum(min(supply[worker], 3) for worker in range(1, 5)) + 0.9 * min(supply[WHITE], 5)
    value += 0.7 * min(supply[COWRIE], 6) + 0.6 * min(supply[PROVISION], 4)
    value += 0.8 * min(supply[CLAY], 3) + 0.8 * min(supply[WOOD], 3)
    value += 0.6 * sum(worker is not None for worker in state.circles)
    built = sections_built(state)
    if built < SECTIONS and (card := state.canal[built]) is not None:
        cost = copy.canal_of(card).cost or FREE
        value -= 1.6 * sum(missing_workers(cost, supply[: len(WORKERS)], colour_group(copy, state)))
        value -= 1.2 * max(0, cost.resources[COWRIE] - supply[COWRIE])
    return value


def _threat(copy: Copy, state: State) -> float:
    """Barbarians weigh more the more they are; so does the one we could almost attack."""
    foes = barbarians_in_row(copy, state.row)
    after = len(foes) + barbarians_to_add(copy, state)
    behind = state.flood + 1 > sections_built(state)
    hurry = 6.0 / (1 + count(state.ready)) if behind else 0.0
    workers, group = state.supply[: len(WORKERS)], colour_group(copy, state)
    nearest = 0.0
    if foes:
        nearest = min(_distance(copy, state, space, workers, group) for space in foes)
    return 5.0 * len(foes) + 0.9 * nearest + (40.0 if after >= ROW else 0.0) + hurry


def _distance(copy: Copy, state: State, space: int, workers: Workers, group: Group) -> float:
    """How many pieces are missing for an attack on this space."""
    card = state.row[space - 1]
    assert card is not None
    short = max(0, copy.board.row_costs[space - 1] - state.supply[PROVISION])
    return short + sum(missing_workers(copy.barbarian_of(card).cost or FREE, workers, group))


def _expected(state: State) -> float:
    """What is promised but still to come counts almost as if it were there."""
    worth = {StepKind.GAIN: 0.7, StepKind.CHOOSE: 0.6, StepKind.DRAW: 0.5, StepKind.DESTROY: -1.0}
    return sum(worth.get(step.kind, 0.0) for step in (*state.pending, *state.harvest))


def playable(copy: Copy, policy: Policy) -> Callable[[Any, Dice], Any]:
    """A policy of decisions, completed by luck: chance decides where nobody chooses."""

    def play(state: State, dice: Dice) -> Action:
        actions = rules.legal_actions(copy, state)
        chances = rules.chance(copy, state)
        if not chances:
            return policy(state, actions, dice)
        told = {action for action, _ in chances}
        decisions = tuple(action for action in actions if action.verb not in CHANCE and action not in told)
        proceed = chances[0][0]
        chosen = policy(state, (proceed, *decisions), dice) if decisions else proceed
        return dice.weighted(chances) if chosen == proceed else chosen

    return play
