"""Two simple players for simulations: one that does anything legal, one that wants to win at once."""

from collections.abc import Callable
from typing import Any, NamedTuple

from assistant.games.yu import rules
from assistant.games.yu.actions import CHANCE, Action, Verb
from assistant.games.yu.copy import Copy
from assistant.games.yu.payment import FREE, Group, missing_workers
from assistant.games.yu.pieces import CLAY, COLOURED, COWRIE, PROVISION, WHITE, WOOD, WORKERS, Workers
from assistant.games.yu.resolve import barbarians_in_row, barbarians_to_add, colour_group, sections_built
from assistant.games.yu.state import ROW, SECTIONS, Result, State, StepKind, count
from assistant.kit import Dice

Policy = Callable[[State, tuple[Action, ...], Dice], Action]


def random_policy(_copy: Copy) -> Policy:
    return lambda _state, actions, dice: dice.choice(actions)


class Weights(NamedTuple):
    """What a position is worth to the greedy player; found by a small search over simulated games."""

    section: float = 30.0
    farm: float = 6.0
    outpost: float = 5.0
    hut: float = 5.0
    tucked: float = 2.0
    card: float = 0.9
    in_hand: float = 0.55
    white: float = 0.9
    coloured: float = 0.5
    cowrie: float = 0.7
    provision: float = 0.6
    material: float = 0.8
    canal_gap: float = 1.6
    foe: float = 5.0
    attack_gap: float = 0.9
    hurry: float = 6.0
    seated: float = 0.6
    due: float = 0.65
    trade: float = 0.02


def greedy_policy(copy: Copy, weights: Weights = Weights()) -> Policy:  # noqa: B008 - immutable
    """Looks one action ahead and takes what it values most; luck breaks ties."""

    def choose(state: State, actions: tuple[Action, ...], dice: Dice) -> Action:
        best: list[Action] = []
        best_value = float("-inf")
        for action in actions:
            value = _value_of(copy, state, action, weights)
            if value > best_value + 1e-9:
                best, best_value = [action], value
            elif value > best_value - 1e-9:
                best.append(action)
        return dice.choice(tuple(best))

    return choose


def _value_of(copy: Copy, state: State, action: Action, weights: Weights) -> float:
    if action.verb is Verb.END:
        return _worth(copy, state, weights) + 0.01
    after = rules.apply(copy, state, action)
    return _worth(copy, after, weights) - weights.trade * (action.verb is Verb.TRADE)


def _worth(copy: Copy, state: State, w: Weights) -> float:
    """How good a position feels: sections first, then what brings the next section and keeps us alive."""
    if state.result is not None:
        return 1000.0 if state.result is Result.WIN else -1000.0
    value = w.section * sections_built(state)
    value += w.farm * sum(state.farms) + w.outpost * sum(state.outposts) + w.hut * state.huts
    value += w.tucked * sum(card is not None for card in state.tucked)
    cycle = count(state.ready) + len(state.exhausted) + len(state.hand)
    value += w.card * min(cycle, 16) + w.in_hand * len(state.hand)
    return value + _purse(copy, state, w) + _due(state, w) - _threat(copy, state, w)


def _purse(copy: Copy, state: State, w: Weights) -> float:
    """Pieces, worth more while they are still missing for the next section."""
    supply = state.supply
    value = w.coloured * sum(min(supply[worker], 3) for worker in COLOURED) + w.white * min(supply[WHITE], 5)
    value += w.cowrie * min(supply[COWRIE], 6) + w.provision * min(supply[PROVISION], 5)
    value += w.material * (min(supply[CLAY], 3) + min(supply[WOOD], 3))
    value += w.seated * sum(worker is not None for worker in state.circles)
    built = sections_built(state)
    if built < SECTIONS and (card := state.canal[built]) is not None:
        cost = copy.canal_of(card).cost or FREE
        gap = sum(missing_workers(cost, supply[: len(WORKERS)], colour_group(copy, state)))
        value -= w.canal_gap * (gap + max(0, cost.resources[COWRIE] - supply[COWRIE]))
    return value


def _threat(copy: Copy, state: State, w: Weights) -> float:
    """Barbarians weigh more the more they are; so does the one we could almost attack."""
    foes = barbarians_in_row(copy, state.row)
    after = len(foes) + barbarians_to_add(copy, state)
    behind = state.flood + 1 > sections_built(state)
    threat = w.foe * len(foes) + (40.0 if after >= ROW else 0.0)
    threat += w.hurry / (1 + count(state.ready)) if behind else 0.0
    if foes:
        workers, group = state.supply[: len(WORKERS)], colour_group(copy, state)
        threat += w.attack_gap * min(_distance(copy, state, space, workers, group) for space in foes)
    return threat


def _distance(copy: Copy, state: State, space: int, workers: Workers, group: Group) -> float:
    """How many pieces are missing for an attack on this space."""
    card = state.row[space - 1]
    assert card is not None
    short = max(0, copy.board.row_costs[space - 1] - state.supply[PROVISION])
    return short + sum(missing_workers(copy.barbarian_of(card).cost or FREE, workers, group))


def _due(state: State, w: Weights) -> float:
    """What is promised but still to come counts almost as if it were there."""
    signs = {
        StepKind.GAIN: w.due,
        StepKind.CHOOSE: w.due,
        StepKind.DRAW: w.in_hand,
        StepKind.DESTROY: -w.card,
    }
    return sum(signs.get(step.kind, 0.0) for step in (*state.pending, *state.harvest))


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
