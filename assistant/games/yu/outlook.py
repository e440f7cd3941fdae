"""The chance to win a game of Legacy of Yu at the beginning of a round, learned from simulated games.

The weights are in outlook.toml, what is told for a chance in told.toml; models/value finds both.
"""

import math
import tomllib
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Final

from assistant.games.yu.copy import Copy
from assistant.games.yu.payment import FREE, missing_workers
from assistant.games.yu.pieces import COLOURED, COWRIE, PROVISION, RED, WHITE, WORKERS
from assistant.games.yu.resolve import colour_group, next_harvest
from assistant.games.yu.state import ROW, SECTIONS, Result, State, StepKind
from assistant.games.yu.worth import Weights, worth_of

NAMES: Final = (
    "one", "sections", "section 5", "section 6",
    "worth", "foes", "foes squared", "nearest foe", "safe steps", "flood next", "ready", "cycle", "outposts",
    "huts", "farms", "harvest white", "harvest coloured", "harvest cowrie", "harvest provision",
    "harvest draw", "white", "coloured", "cowrie", "provision", "round", "canal gap", "flood in two",
    "flood in two and gap", "few cards", "few cards and foes", "crowd next", "attacks due",
    "foes and sections",
)  # fmt: skip

SURE: Final = 0.002
"""No chance is told to be nearer to none or to certainty."""
_GAIN_OF: Final = {WHITE: 0, **dict.fromkeys(COLOURED, 1), COWRIE: 2, PROVISION: 3}


def features_of(copy: Copy) -> Callable[[State], list[float]]:
    """The numbers named in NAMES, each about as large as 1."""
    worth = worth_of(copy, Weights())
    row_costs = copy.board.row_costs
    arrivals = [sum(copy.board.barbarian_tags[: built + 1]) for built in range(SECTIONS + 1)]

    def features(state: State) -> list[float]:
        built = state.canal.count(None)
        ready = sum([n for _, n in state.ready])
        supply = state.supply
        workers, group = supply[: len(WORKERS)], colour_group(copy, state)
        distances = [
            max(0, cost - supply[PROVISION])
            + sum(missing_workers(copy.barbarian_of(card).cost or FREE, workers, group))
            for card, cost in zip(state.row, row_costs, strict=True)
            if card is not None and copy.is_barbarian(card)
        ]
        foes = len(distances)
        gains = [0] * 5
        for kind, argument in next_harvest(copy, state):
            if kind is StepKind.GAIN:
                if argument in _GAIN_OF:
                    gains[_GAIN_OF[argument]] += 1
            elif kind is StepKind.CHOOSE and RED in argument:
                gains[1] += 1
            elif kind is StepKind.DRAW:
                gains[4] += 1
        safe = built - state.flood
        gap = _canal_gap(copy, state, built)
        cycle = ready + len(state.exhausted) + len(state.hand)
        few = max(0, 10 - cycle) / 5
        # Barbarians that come while the missing sections are built, one a round; the last round brings none.
        coming = sum(arrivals[built + 1 : SECTIONS])
        # Two Harvests empty Ready, and the next section is not there to stop the Flood.
        drowning = float(safe == 0 and ready < 2 * gains[4])
        return [
            1.0, built / 3, float(built == SECTIONS - 1), float(built == SECTIONS),
            worth(state) / 50, foes / 3, foes * foes / 9, min(distances, default=0) / 2, min(safe, 3) / 2,
            float(safe == 0) / (1 + ready / 3), ready / 10,
            cycle / 10,
            state.outposts.count(True) / 2, state.huts / 2, state.farms.count(True) / 2,
            gains[0] / 2, gains[1] / 2, gains[2] / 2, gains[3] / 2, gains[4] / 5,
            supply[WHITE] / 3, sum(workers[1:]) / 3, supply[COWRIE] / 4, supply[PROVISION] / 3,
            state.round / 8,
            gap / 3, drowning, drowning * gap / 3,
            few, few * foes / 3, max(0, foes + arrivals[built] + 2 - ROW) / 2,
            max(0, foes + coming + 1 - ROW) / 4, foes * built / 9,
        ]  # fmt: skip

    return features


def _canal_gap(copy: Copy, state: State, built: int) -> int:
    """How many pieces the next section still lacks."""
    card = state.canal[built] if built < SECTIONS else None
    if card is None:
        return 0
    cost = copy.canal_of(card).cost or FREE
    workers = state.supply[: len(WORKERS)]
    missing = sum(missing_workers(cost, workers, colour_group(copy, state)))
    return missing + max(0, cost.resources[COWRIE] - state.supply[COWRIE])


@cache
def learned_weights() -> tuple[float, ...]:
    """In the order of NAMES; what was not learned yet says nothing."""
    table = tomllib.loads((resources.files(__package__) / "outlook.toml").read_text("utf-8"))
    return tuple(float(table["weights"].get(name, 0.0)) for name in NAMES)


@cache
def _told_line() -> tuple[float, float]:
    table = tomllib.loads((resources.files(__package__) / "told.toml").read_text("utf-8"))
    return float(table["offset"]), float(table["slope"])


def told(chance: float) -> float:
    """The chance of somebody who follows the advice, where the thrifty policy would have this one."""
    offset, slope = _told_line()
    safe = min(1 - SURE, max(SURE, chance))
    return 1 / (1 + math.exp(-offset - slope * math.log(safe / (1 - safe))))


def outlook_of(copy: Copy) -> Callable[[State], float]:
    features, weights = features_of(copy), learned_weights()

    def outlook(state: State) -> float:
        if state.result is not None:
            return float(state.result is Result.WIN)
        score = sum([a * b for a, b in zip(features(state), weights, strict=True)])
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))

    return outlook
