"""What a position of Legacy of Yu is worth to the greedy player: what it has, less what threatens it."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from assistant.games.yu.copy import Copy, Steps
from assistant.games.yu.payment import FREE, missing_workers
from assistant.games.yu.pieces import CLAY, COWRIE, PROVISION, WHITE, WOOD, WORKERS, Pieces
from assistant.games.yu.resolve import group_of
from assistant.games.yu.state import ROW, SECTIONS, Result, State, StepKind
from vision.cards import CardId

WON = 1000.0
LOST = -1000.0
FAR = 9
"""An attack that lacks more than this is out of reach, however much more."""
REMEMBERED = 65536


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
    gap_of, lack_of, is_foe = _gaps(copy)
    due = {
        StepKind.GAIN: w.due,
        StepKind.CHOOSE: w.due,
        StepKind.DRAW: w.in_hand,
        StepKind.DRAW_PILE: w.in_hand + w.card,
        StepKind.DESTROY: -w.card,
    }

    @lru_cache(maxsize=REMEMBERED)
    def standing(
        built: int,
        huts: int,
        outposts: tuple[bool, ...],
        built_farms: tuple[bool, ...],
        tucked: tuple[CardId | None, ...],
    ) -> float:
        value = sections[built] + w.hut * huts + per_outpost * outposts.count(True)
        value += sum([gain for gain, is_built in zip(farms, built_farms, strict=True) if is_built])
        return value + sum([harvest.get(card, 0.0) for card in tucked if card is not None])

    @lru_cache(maxsize=REMEMBERED)
    def owned(supply: Pieces) -> float:
        value = w.white * min(supply[WHITE], 5) + w.cowrie * min(supply[COWRIE], 6)
        value += w.provision * min(supply[PROVISION], 5)
        value += w.material * (min(supply[CLAY], 3) + min(supply[WOOD], 3))
        for number in supply[1:5]:
            if number:
                value += w.coloured + (w.second if number > 1 else 0.0)
        return value

    @lru_cache(maxsize=REMEMBERED)
    def threats(
        row: tuple[CardId | None, ...], built: int, supply: Pieces, outposts: tuple[bool, ...]
    ) -> float:
        short = sorted(
            [
                lack_of(card, space, supply, outposts)
                for space, card in enumerate(row)
                if card is not None and is_foe(card)
            ]
        )
        if not short:
            return 0.0
        foes = len(short)
        after = foes + tags[built]
        value = w.foe * foes + w.crowd * foes * foes + w.attack_gap * min(short[0], FAR)
        value += w.second_gap * min(short[1], FAR) if foes > 1 else 0.0
        return value + (40.0 if after >= ROW else w.doom * (after == ROW - 1))

    def worth(state: State) -> float:
        if state.result is not None:
            return WON if state.result is Result.WIN else LOST
        supply, outposts = state.supply, state.outposts
        built = state.canal.count(None)
        ready = sum([n for _, n in state.ready])
        value = standing(built, state.huts, outposts, state.farms, state.tucked) + owned(supply)
        cycle = ready + len(state.exhausted) + len(state.hand)
        value += w.card * min(cycle, 12) + w.many_cards * max(0, cycle - 12) + w.in_hand * len(state.hand)
        value += w.seated * (5 - state.circles.count(None))
        for step in state.pending:
            value += due.get(step.kind, 0.0)
        for step in state.harvest:
            value += due.get(step.kind, 0.0)
        # What is missing, and what threatens
        if built < SECTIONS and (card := state.canal[built]) is not None:
            value -= w.canal_gap * gap_of(card, supply, outposts)
        if built <= state.flood:
            value -= w.hurry / (1 + ready / 3)
        elif built == state.flood + 1:
            value -= w.hurry_1 / (1 + ready / 3)
        return value - threats(state.row, built, supply, outposts)

    return worth


class Gaps(NamedTuple):
    """Pieces that are still to be found; remembered, because a search asks the same again and again."""

    canal: Callable[[CardId, Pieces, tuple[bool, ...]], int]
    """What this Canal card still lacks."""
    foe: Callable[[CardId, int, Pieces, tuple[bool, ...]], int]
    """What an attack on this Barbarian at this row space, from 0, still lacks."""
    is_foe: Callable[[CardId], bool]


def _gaps(copy: Copy) -> Gaps:
    row_costs, colours = copy.board.row_costs, copy.board.outpost_colours

    @lru_cache(maxsize=REMEMBERED)
    def canal(card: CardId, supply: Pieces, outposts: tuple[bool, ...]) -> int:
        if card not in copy.canals:
            return 0
        cost = copy.canals[card].cost or FREE
        workers = missing_workers(cost, supply[: len(WORKERS)], group_of(colours, outposts))
        return sum(workers) + max(0, cost.resources[COWRIE] - supply[COWRIE])

    @lru_cache(maxsize=REMEMBERED)
    def foe(card: CardId, space: int, supply: Pieces, outposts: tuple[bool, ...]) -> int:
        cost = copy.barbarian_of(card).cost or FREE
        workers = missing_workers(cost, supply[: len(WORKERS)], group_of(colours, outposts))
        return max(0, row_costs[space] - supply[PROVISION]) + sum(workers)

    return Gaps(canal, foe, lru_cache(maxsize=None)(copy.is_barbarian))


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
