"""What a position of Legacy of Yu is worth to the greedy player: what it has, less what threatens it."""

from collections.abc import Callable
from typing import NamedTuple

from assistant.games.yu.copy import Copy, Steps
from assistant.games.yu.payment import FREE, missing_workers
from assistant.games.yu.pieces import CLAY, COWRIE, PROVISION, WHITE, WOOD, WORKERS
from assistant.games.yu.resolve import colour_group
from assistant.games.yu.state import ROW, SECTIONS, Result, State, StepKind
from vision.cards import CardId

WON = 1000.0
LOST = -1000.0


class Weights(NamedTuple):
    """Found by a search over simulated games (see docs/advisor.md); a difference of 1 is about one piece."""

    section_1: float = 18.0
    section_2: float = 14.0
    section_3: float = 18.0
    section_4: float = 14.0
    section_5: float = 20.0
    section_6: float = 60.0
    outpost: float = 9.0
    hut: float = 8.0
    farm: float = 4.0
    harvest_white: float = 3.0
    harvest_coloured: float = 3.0
    harvest_cowrie: float = 1.5
    harvest_provision: float = 1.5
    harvest_material: float = 1.5
    harvest_draw: float = 1.0
    card: float = 1.8
    many_cards: float = 1.2
    in_hand: float = 0.5
    white: float = 2.03
    coloured: float = 0.7
    second: float = 0.7
    cowrie: float = 0.39
    provision: float = 0.7
    material: float = 0.44
    canal_gap: float = 2.07
    foe: float = 9.0
    crowd: float = 1.0
    doom: float = 8.0
    attack_gap: float = 1.2
    second_gap: float = 0.5
    hurry: float = 30.0
    hurry_1: float = 3.0
    seated: float = 0.7
    due: float = 0.68
    trade: float = 0.016


_ITEMS = ("white", "coloured", "cowrie", "provision", "material", "draw")
_KIND_OF_PIECE = (0, 1, 1, 1, 1, 4, 4, 3, 2)


def worth_of(copy: Copy, w: Weights) -> Callable[[State], float]:
    """How good a position feels: sections first, then what brings the next one and keeps us alive."""
    per_item = [getattr(w, f"harvest_{name}") for name in _ITEMS]
    harvest = {card: _harvest_worth(facts.harvest, per_item) for card, facts in copy.townsfolk.items()}
    farms = [w.farm + _harvest_worth(steps, per_item) for steps in copy.farms]
    per_outpost = w.outpost + _harvest_worth(copy.harvest_per_outpost, per_item)
    sections = [sum(w[:built]) for built in range(SECTIONS + 1)]
    tags = [sum(copy.board.barbarian_tags[: built + 1]) for built in range(SECTIONS + 1)]
    row_costs = copy.board.row_costs
    barbarians, canals = copy.barbarian_of, copy.canals
    is_foe: dict[CardId | None, bool] = {None: False}
    due = {
        StepKind.GAIN: w.due,
        StepKind.CHOOSE: w.due,
        StepKind.DRAW: w.in_hand,
        StepKind.DRAW_PILE: w.in_hand + w.card,
        StepKind.DESTROY: -w.card,
    }

    def worth(state: State) -> float:
        if state.result is not None:
            return WON if state.result is Result.WIN else LOST
        supply = state.supply
        built = state.canal.count(None)
        ready = sum([n for _, n in state.ready])
        value = sections[built] + w.hut * state.huts + per_outpost * state.outposts.count(True)
        for gain, is_built in zip(farms, state.farms, strict=True):
            if is_built:
                value += gain
        for card in state.tucked:
            if card is not None:
                value += harvest.get(card, 0.0)
        cycle = ready + len(state.exhausted) + len(state.hand)
        value += w.card * min(cycle, 12) + w.many_cards * max(0, cycle - 12) + w.in_hand * len(state.hand)
        value += w.white * min(supply[WHITE], 5) + w.cowrie * min(supply[COWRIE], 6)
        value += w.provision * min(supply[PROVISION], 5)
        value += w.material * (min(supply[CLAY], 3) + min(supply[WOOD], 3))
        for number in supply[1:5]:
            if number:
                value += w.coloured + (w.second if number > 1 else 0.0)
        value += w.seated * (5 - state.circles.count(None))
        for step in state.pending:
            value += due.get(step.kind, 0.0)
        for step in state.harvest:
            value += due.get(step.kind, 0.0)
        # What is missing, and what threatens
        workers = supply[: len(WORKERS)]
        group = colour_group(copy, state)
        if built < SECTIONS and (card := state.canal[built]) is not None and card in canals:
            cost = canals[card].cost or FREE
            gap = sum(missing_workers(cost, workers, group)) + max(0, cost.resources[COWRIE] - supply[COWRIE])
            value -= w.canal_gap * gap
        if built <= state.flood:
            value -= w.hurry / (1 + ready / 3)
        elif built == state.flood + 1:
            value -= w.hurry_1 / (1 + ready / 3)
        foes = 0
        first = second = 9
        for space, card in enumerate(state.row):
            known = is_foe.get(card)
            if known is None:
                known = is_foe[card] = copy.is_barbarian(card)
            if known and card is not None:
                foes += 1
                cost = barbarians(card).cost or FREE
                short = max(0, row_costs[space] - supply[PROVISION])
                short += sum(missing_workers(cost, workers, group))
                if short < first:
                    first, second = short, first
                elif short < second:
                    second = short
        if foes:
            after = foes + tags[built]
            value -= w.foe * foes + w.crowd * foes * foes + w.attack_gap * first
            value -= w.second_gap * second if foes > 1 else 0.0
            value -= 40.0 if after >= ROW else w.doom * (after == ROW - 1)
        return value

    return worth


def _harvest_worth(steps: Steps, per_item: list[float]) -> float:
    value = 0.0
    for kind, argument in steps:
        if kind is StepKind.GAIN:
            value += per_item[_KIND_OF_PIECE[argument]]
        elif kind is StepKind.CHOOSE:
            value += per_item[4 if CLAY in argument else 1]
        elif kind is StepKind.DRAW or kind is StepKind.DRAW_PILE:
            value += per_item[5]
    return value
