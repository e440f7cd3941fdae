"""How a player gets from one view to the next: reach, pick up, carry, put down, one thing at a time."""

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from vision.table import TableLayout, TableView, ZoneId, ZoneKind
from vision.virtual.pieces import Shapes
from vision.virtual.placing import CARD_THICKNESS, CardAt, PieceAt, Placements, zone_view
from vision.virtual.plan import CardMove, Goal, Move, PieceMove, plan

_LIFT = 0.055
_APPROACH = 0.012
_GRIP = 0.34
"""Fingers hold a card at this share of its height below its centre."""


class Phase(Enum):
    REST = "rest"
    REACH = "reach"
    GRASP = "grasp"
    CARRY = "carry"
    RELEASE = "release"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAt:
    """A hand by its fingertips, and what it carries; carried things are where they are seen."""

    x: float
    y: float
    z: float
    closed: bool = False
    cards: tuple[CardAt, ...] = ()
    """From the bottom up."""
    pieces: tuple[PieceAt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneState:
    """Everything that a camera could see at one moment."""

    cards: tuple[CardAt, ...]
    """At rest, lower ones first within a zone."""
    pieces: tuple[PieceAt, ...]
    hand: HandAt | None = None
    phase: Phase = Phase.REST

    def view(self, zones: Iterable[ZoneId]) -> TableView:
        """What lies at rest in these zones."""
        return TableView(
            tuple(
                zone_view(
                    zone,
                    (card for card in self.cards if card.zone == zone),
                    (piece for piece in self.pieces if piece.zone == zone),
                )
                for zone in zones
            )
        )


def at_rest(placements: Placements) -> SceneState:
    """The table with nobody's hand over it."""
    return SceneState(cards=placements.resting_cards(), pieces=placements.resting_pieces())


def steps(
    before: TableView,
    after: TableView,
    layout: TableLayout,
    seed: int,
    *,
    shapes: Shapes,
    placements: Placements | None = None,
) -> Iterator[SceneState]:
    """The states on the way; the last one shows `after` with no hand in view.

    With `placements` the table is taken as it lies there (and changed as states are taken from the iterator);
    without, `before` is laid first. Zones that `after` does not name stay as they are.
    """
    if placements is None:
        placements = Placements(layout, shapes, seed=seed)
        placements.lay(before)
    yield from _Player(placements, after, random.Random(seed)).play()


class _Player:
    def __init__(self, placements: Placements, after: TableView, rng: random.Random) -> None:
        self._table = placements
        self._random = rng
        self._plan = plan(placements, after)
        self._goals = {goal.key: goal for goals in self._plan.goals.values() for goal in goals}
        self._aside: dict[int, CardAt] = dict(self._plan.newcomers)
        self._zones = {zone.id: zone for zone in placements.layout.zones}
        bottom = max([placements.layout.board.y1, *(zone.rect.y1 for zone in placements.layout.zones)])
        middle = placements.layout.board.centre[0]
        self._outside = HandAt(x=middle + rng.uniform(-0.2, 0.2), y=bottom + 0.55, z=0.12)

    def play(self) -> Iterator[SceneState]:
        if self._plan.moves:
            yield self._state(Phase.REACH, self._outside)
        for move in self._ordered():
            yield from self._carry_piece(move) if isinstance(move, PieceMove) else self._carry_cards(move)
        self._name_cards()
        if self._plan.moves:
            yield self._state(Phase.WITHDRAW, self._outside)
        yield self._state(Phase.REST, None)

    def _ordered(self) -> Iterator[Move]:
        """What blocks others goes first; where things block each other in a ring, one is taken aside."""
        waiting = list(self._plan.moves)
        while waiting:
            move = next((move for move in waiting if not self._blocked(move, waiting)), waiting[0])
            waiting.remove(move)
            if self._blocked(move, waiting) and move.source is not None and move.target is not None:
                waiting.append(replace(move, source=None))
                move = replace(move, target=None)
            yield move

    def _blocked(self, move: Move, waiting: list[Move]) -> bool:
        others = [other for other in waiting if other is not move]
        if isinstance(move, PieceMove):
            below = self._zones[move.target].above if move.target is not None else None
            if any(
                isinstance(o, CardMove) and below is not None and below in (o.source, o.target)
                for o in others
            ):
                return True
            return self._single(move.target) and any(
                isinstance(o, PieceMove) and o.source == move.target for o in others
            )
        standing = {
            self._zones[o.source].above for o in others if isinstance(o, PieceMove) and o.source is not None
        }
        if (standing - {None}) & {move.source, move.target}:
            return True
        return self._single(move.target) and any(
            isinstance(o, CardMove) and o.source == move.target for o in others
        )

    def _single(self, zone: ZoneId | None) -> bool:
        return zone is not None and self._zones[zone].kind in (ZoneKind.CARD, ZoneKind.STRIP, ZoneKind.SPOT)

    def _carry_cards(self, move: CardMove) -> Iterator[SceneState]:
        if move.source is None:
            held = [self._aside.pop(key) for key in move.keys]
            yield self._state(Phase.CARRY, self._holding(self._outside, held, 0.0))
        else:
            resting = {card.key: card for card in self._table.resting_cards()}
            top = resting[max(move.keys, key=lambda key: resting[key].z)]
            reach = self._over_card(top, closed=False)
            yield self._state(Phase.REACH, reach)
            held = [replace(self._table.take_card(key), zone=None) for key in move.keys]
            yield self._state(
                Phase.GRASP, self._holding(replace(reach, z=reach.z + _LIFT), held, top.angle_deg)
            )
        if move.target is None:
            self._aside |= {card.key: card for card in held}
            yield self._state(Phase.CARRY, self._holding(self._outside, held, 0.0))
            return
        turned = [self._turned(card) for card in held]
        for card in turned:
            self._table.put_card(card, move.target, self._level(card.key, move.target))
        goal = max((c for c in self._table.resting_cards() if c.key in move.keys), key=lambda card: card.z)
        above = self._over_card(goal, closed=True)
        arriving = self._holding(replace(above, z=above.z + _APPROACH), turned, goal.angle_deg)
        yield self._state(Phase.CARRY, arriving, without=set(move.keys))
        yield self._state(Phase.RELEASE, replace(above, closed=False))

    def _carry_piece(self, move: PieceMove) -> Iterator[SceneState]:
        outside = self._outside
        if move.source is None:
            piece = replace(self._table.new_piece(move.kind), x=outside.x, y=outside.y, z=outside.z)
            yield self._state(Phase.CARRY, replace(outside, closed=True, pieces=(piece,)))
        else:
            choices = [piece for piece in self._table.pieces[move.source] if piece.kind == move.kind]
            # The uppermost of a heap first: nobody pulls out what others lie on.
            piece = max(choices, key=lambda piece: (piece.z, self._random.random()))
            reach = self._over_piece(piece, closed=False)
            yield self._state(Phase.REACH, reach)
            piece = replace(self._table.take_piece(piece.key), zone=None, z=piece.z + _LIFT)
            yield self._state(Phase.GRASP, replace(reach, closed=True, z=reach.z + _LIFT, pieces=(piece,)))
        if move.target is None:
            gone = replace(piece, x=outside.x, y=outside.y, z=outside.z)
            yield self._state(Phase.CARRY, replace(outside, closed=True, pieces=(gone,)))
            return
        laid = self._table.put_piece(piece, move.target)
        above = self._over_piece(laid, closed=True)
        arriving = replace(laid, zone=None, z=laid.z + _APPROACH)
        hand = replace(above, z=above.z + _APPROACH, pieces=(arriving,))
        yield self._state(Phase.CARRY, hand, without={laid.key})
        yield self._state(Phase.RELEASE, replace(above, closed=False))

    def _turned(self, card: CardAt) -> CardAt:
        goal = self._goals.get(card.key)
        return (
            card if goal is None else replace(card, card=goal.placed.card or card.card, side=goal.placed.side)
        )

    def _level(self, key: int, zone: ZoneId) -> int:
        """How many of the cards there now lie below this one in the end."""
        order = {goal.key: level for level, goal in enumerate(self._plan.goals[zone])}
        for index, card in enumerate(self._table.cards[zone]):
            if order.get(card.key, -1) > order[key]:
                return index
        return len(self._table.cards[zone])

    def _name_cards(self) -> None:
        """In the end cards carry the names of the view, which may know more or less than we did."""
        for zone, goals in self._plan.goals.items():
            by_key = {card.key: card for card in self._table.cards[zone]}
            self._table.cards[zone] = [_named(by_key[goal.key], goal) for goal in goals]

    def _over_card(self, card: CardAt, closed: bool) -> HandAt:
        angle = math.radians(card.angle_deg)
        grip = _GRIP * self._table.layout.card_height
        x, y = card.x - grip * math.sin(angle), card.y + grip * math.cos(angle)
        return HandAt(x=x, y=y, z=card.z + 4 * CARD_THICKNESS, closed=closed)

    def _over_piece(self, piece: PieceAt, closed: bool) -> HandAt:
        height = self._table.shapes[piece.kind].height(piece.pose)
        return HandAt(x=piece.x, y=piece.y, z=piece.z + 0.8 * height, closed=closed)

    def _holding(self, hand: HandAt, cards: list[CardAt], angle_deg: float) -> HandAt:
        """The hand with these cards between its fingers, squared up."""
        angle = math.radians(angle_deg)
        grip = _GRIP * self._table.layout.card_height
        x, y = hand.x + grip * math.sin(angle), hand.y - grip * math.cos(angle)
        low = hand.z - (len(cards) + 3) * CARD_THICKNESS
        held = tuple(
            replace(card, x=x, y=y, angle_deg=angle_deg, z=low + level * CARD_THICKNESS, tucked=False)
            for level, card in enumerate(cards)
        )
        return replace(hand, closed=True, cards=held)

    def _state(self, phase: Phase, hand: HandAt | None, without: set[int] | None = None) -> SceneState:
        hidden = without or set()
        return SceneState(
            cards=tuple(card for card in self._table.resting_cards() if card.key not in hidden),
            pieces=tuple(piece for piece in self._table.resting_pieces() if piece.key not in hidden),
            hand=hand,
            phase=phase,
        )


def _named(card: CardAt, goal: Goal) -> CardAt:
    return replace(card, card=goal.placed.card)


def between(one: SceneState, other: SceneState, share: float) -> SceneState:
    """The hand on its way from one state to the next; what rests changes only on arrival."""
    if share >= 1 or one.hand is None or other.hand is None:
        return other if share >= 1 else one
    eased = share * share * (3 - 2 * share)
    held_cards = {card.key: card for card in other.hand.cards}
    held_pieces = {piece.key: piece for piece in other.hand.pieces}
    arc = 0.10 * math.hypot(other.hand.x - one.hand.x, other.hand.y - one.hand.y) * 4 * eased * (1 - eased)
    hand = HandAt(
        x=_mix(one.hand.x, other.hand.x, eased),
        y=_mix(one.hand.y, other.hand.y, eased),
        z=_mix(one.hand.z, other.hand.z, eased) + arc,
        closed=one.hand.closed,
        cards=tuple(_card_between(card, held_cards.get(card.key), eased, arc) for card in one.hand.cards),
        pieces=tuple(
            _piece_between(piece, held_pieces.get(piece.key), eased, arc) for piece in one.hand.pieces
        ),
    )
    return replace(one, hand=hand, phase=other.phase)


def _card_between(card: CardAt, later: CardAt | None, share: float, arc: float) -> CardAt:
    if later is None:
        return card
    return replace(
        card if share < 0.5 else later,
        x=_mix(card.x, later.x, share),
        y=_mix(card.y, later.y, share),
        z=_mix(card.z, later.z, share) + arc,
        angle_deg=_mix(card.angle_deg, later.angle_deg, share),
    )


def _piece_between(piece: PieceAt, later: PieceAt | None, share: float, arc: float) -> PieceAt:
    if later is None:
        return piece
    turn = (later.angle_deg - piece.angle_deg + 180) % 360 - 180
    return replace(
        piece if share < 0.5 else later,
        x=_mix(piece.x, later.x, share),
        y=_mix(piece.y, later.y, share),
        z=_mix(piece.z, later.z, share) + arc,
        angle_deg=piece.angle_deg + turn * share,
    )


def _mix(one: float, other: float, share: float) -> float:
    return one + (other - one) * share
