"""What must move so that the table shows another view: as little as possible, and each thing found again."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from vision.table import PieceKind, PlacedCard, TableView, ZoneId, ZoneKind
from vision.virtual.placing import CardAt, Placements


@dataclass(frozen=True, slots=True)
class Goal:
    """One card at its place in the end."""

    key: int
    placed: PlacedCard


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMove:
    """Cards that go together: one, or a gathered pile from its bottom to its top."""

    keys: tuple[int, ...]
    source: ZoneId | None
    """None: from outside the picture."""
    target: ZoneId | None
    """None: out of the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceMove:
    kind: PieceKind
    source: ZoneId | None
    target: ZoneId | None


Move: TypeAlias = CardMove | PieceMove


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    moves: tuple[Move, ...]
    goals: dict[ZoneId, tuple[Goal, ...]]
    """For each zone the cards it shall hold, from the bottom up."""
    newcomers: dict[int, CardAt]
    """Cards that were not on the table, by key."""


def plan(table: Placements, after: TableView) -> Plan:
    goals, newcomers = _assign(table, after)
    homes = {card.key: zone for zone, cards in table.cards.items() for card in cards}
    moves: list[CardMove] = []
    for zone, wanted in goals.items():
        there = {card.key: card for card in table.cards[zone]}
        stay = _in_place(table, zone, wanted)
        moves += [
            CardMove(keys=(goal.key,), source=homes.get(goal.key), target=zone)
            for goal in wanted
            if goal.key not in stay
        ]
        claimed = {goal.key for goals_there in goals.values() for goal in goals_there}
        moves += [CardMove(keys=(key,), source=zone, target=None) for key in there if key not in claimed]
    return Plan(
        moves=(*_plan_pieces(table, after), *_gathered(table, moves)), goals=goals, newcomers=newcomers
    )


def _in_place(table: Placements, zone: ZoneId, wanted: Sequence[Goal]) -> set[int]:
    """Cards that lie where they shall, right side up, and need not be touched."""
    positions = {goal.key: goal for goal in wanted}
    there = [card for card in table.cards[zone] if card.key in positions]
    same_side = {card.key for card in there if positions[card.key].placed.side == card.side}
    if table.layout.zone(zone).kind is not ZoneKind.PILE:
        return same_side
    order = {goal.key: index for index, goal in enumerate(wanted)}
    stay: set[int] = set()
    highest = -1
    for card in there:
        if card.key in same_side and order[card.key] > highest:
            highest = order[card.key]
            stay.add(card.key)
    return stay


def _assign(table: Placements, after: TableView) -> tuple[dict[ZoneId, tuple[Goal, ...]], dict[int, CardAt]]:
    """Which card fills which place: those that can stay, then the same card elsewhere, then unknown backs."""
    filled: dict[ZoneId, dict[int, int]] = {}
    spare: dict[int, CardAt] = {}
    for seen in after.zones:
        there = table.cards[seen.zone]
        if table.layout.zone(seen.zone).kind is ZoneKind.PILE:
            filled[seen.zone] = {j: there[i].key for i, j in _longest_common(there, seen.cards)}
        else:
            filled[seen.zone] = _any_order(there, seen.cards)
        kept = set(filled[seen.zone].values())
        spare |= {card.key: card for card in there if card.key not in kept}
    for fits in (_same_card, _could_be):
        for seen in after.zones:
            for place, placed in enumerate(seen.cards):
                if place not in filled[seen.zone]:
                    found = _pick(table, spare, seen.zone, placed, fits)
                    if found is not None:
                        filled[seen.zone][place] = found
                        del spare[found]
    newcomers: dict[int, CardAt] = {}
    goals = {}
    for seen in after.zones:
        for place, placed in enumerate(seen.cards):
            if place not in filled[seen.zone]:
                card = table.new_card(seen.zone, placed)
                newcomers[card.key] = card
                filled[seen.zone][place] = card.key
        goals[seen.zone] = tuple(Goal(filled[seen.zone][j], placed) for j, placed in enumerate(seen.cards))
    return goals, newcomers


def _any_order(there: Sequence[CardAt], wanted: Sequence[PlacedCard]) -> dict[int, int]:
    filled: dict[int, int] = {}
    for certain in (True, False):
        for card in there:
            if card.key in filled.values():
                continue
            for place, placed in enumerate(wanted):
                exact = placed == PlacedCard(card.card, card.side)
                if place not in filled and (exact if certain else _stays(card, placed)):
                    filled[place] = card.key
                    break
    return filled


def _longest_common(there: Sequence[CardAt], wanted: Sequence[PlacedCard]) -> list[tuple[int, int]]:
    """Positions of the most cards, gaps allowed, that lie in the same order in both; lower ones preferred."""
    lengths = [[0] * (len(wanted) + 1) for _ in range(len(there) + 1)]
    for i, card in enumerate(there):
        for j, placed in enumerate(wanted):
            longer = lengths[i][j] + 1 if _stays(card, placed) else 0
            lengths[i + 1][j + 1] = max(longer, lengths[i][j + 1], lengths[i + 1][j])
    pairs, i, j = [], len(there), len(wanted)
    while i and j:
        if lengths[i][j] == lengths[i - 1][j]:
            i -= 1
        elif lengths[i][j] == lengths[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs


def _stays(card: CardAt, placed: PlacedCard) -> bool:
    return card.side == placed.side and _could_be(card, placed)


def _same_card(card: CardAt, placed: PlacedCard) -> bool:
    return card.card is not None and card.card == placed.card


def _could_be(card: CardAt, placed: PlacedCard) -> bool:
    return card.card == placed.card or card.card is None or placed.card is None


def _pick(
    table: Placements,
    spare: dict[int, CardAt],
    target: ZoneId,
    placed: PlacedCard,
    fits: Callable[[CardAt, PlacedCard], bool],
) -> int | None:
    """The card nearest at hand: of the same place if it only needs turning, else the topmost of its pile."""
    kinds = table.layout.zone(target).cards
    choices = [
        card
        for card in spare.values()
        if fits(card, placed)
        and (_same_card(card, placed) or not kinds or card.kind is None or card.kind in kinds)
    ]
    if not choices:
        return None
    heights = {card.key: level for cards in table.cards.values() for level, card in enumerate(cards)}
    return max(choices, key=lambda card: (card.zone == target, heights[card.key], -card.key)).key


def _gathered(table: Placements, moves: Sequence[CardMove]) -> list[CardMove]:
    """Cards that go from one pile to another go together."""
    bundles: dict[tuple[ZoneId | None, ZoneId | None], list[int]] = {}
    gathered: list[CardMove] = []
    for move in moves:
        ends = (move.source, move.target)
        piles = all(zone is None or table.layout.zone(zone).kind is ZoneKind.PILE for zone in ends)
        if piles:
            bundles.setdefault(ends, []).extend(move.keys)
        else:
            gathered.append(move)
    gathered += [CardMove(keys=tuple(keys), source=ends[0], target=ends[1]) for ends, keys in bundles.items()]
    return gathered


def _plan_pieces(table: Placements, after: TableView) -> list[PieceMove]:
    surplus: dict[PieceKind, list[ZoneId]] = {}
    wanted: list[tuple[PieceKind, ZoneId]] = []
    for seen in after.zones:
        there = Counter(piece.kind for piece in table.pieces[seen.zone])
        goal = Counter(seen.counts())
        for kind, count in sorted((there - goal).items()):
            surplus.setdefault(kind, []).extend([seen.zone] * count)
        for kind, count in sorted((goal - there).items()):
            wanted += [(kind, seen.zone)] * count
    moves = []
    for kind, zone in wanted:
        sources = surplus.get(kind)
        moves.append(PieceMove(kind=kind, source=sources.pop(0) if sources else None, target=zone))
    for kind, zones in sorted(surplus.items()):
        moves += [PieceMove(kind=kind, source=zone, target=None) for zone in zones]
    return moves
