"""Where each card and piece lies: laid by hand, a little off, and remembered until somebody moves it."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardId, CardKind
from vision.table import (
    PieceKind,
    PlacedCard,
    Side,
    TableLayout,
    TableView,
    Zone,
    ZoneId,
    ZoneKind,
    ZoneView,
    counted,
)
from vision.virtual.pieces import PieceShape, Pose, Shapes, rotation

CARD_THICKNESS = 0.0006
BOARD_THICKNESS = 0.0045
TABLE_Z = -BOARD_THICKNESS
MAX_TURN_DEG = 12.0
MOST_COVERED = 0.55
"""The share of a token that another one may lie on."""
_TRIES = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAt:
    """One card of cardboard; `key` stays the same wherever it goes."""

    key: int
    card: CardId | None
    kind: CardKind | None
    side: Side
    zone: ZoneId | None
    """None while it is carried."""
    x: float
    y: float
    """Its centre."""
    angle_deg: float
    z: float = 0.0
    """Height of its lower face."""
    tucked: bool = False
    """The board lies on its upper part."""

    def corners(self, width: float, height: float, lift: float = 0.0) -> NDArray[np.float64]:
        """Top left, top right, bottom right, bottom left of the card's own face in board units."""
        half = (
            np.array([(-width, -height, 0), (width, -height, 0), (width, height, 0), (-width, height, 0)]) / 2
        )
        place = np.array([self.x, self.y, self.z + CARD_THICKNESS + lift])
        return np.asarray(half @ rotation(self.angle_deg).T + place)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceAt:
    key: int
    kind: PieceKind
    zone: ZoneId | None
    x: float
    y: float
    angle_deg: float
    pose: Pose
    z: float = 0.0


def on_board(layout: TableLayout, zone: Zone) -> bool:
    x, y = zone.rect.centre
    board = layout.board
    return board.x0 <= x <= board.x1 and board.y0 <= y <= board.y1


class Placements:
    """The memory of the table: which card and which piece lies exactly where."""

    def __init__(
        self,
        layout: TableLayout,
        shapes: Shapes,
        *,
        seed: int,
        untidy: float = 0.3,
        kind_of: Callable[[CardId], CardKind | None] = lambda _: None,
    ) -> None:
        self.layout = layout
        self.shapes = shapes
        self.untidy = untidy
        self._kind_of = kind_of
        self._footprints = {
            (kind, pose): shape.footprint(pose) for kind, shape in shapes.items() for pose in Pose
        }
        self._reaches = {
            key: float(np.linalg.norm(ground, axis=1).max()) for key, ground in self._footprints.items()
        }
        self._random = random.Random(seed)
        self._next_key = 0
        self._zones = {zone.id: zone for zone in layout.zones}
        self.cards: dict[ZoneId, list[CardAt]] = {zone.id: [] for zone in layout.zones}
        self.pieces: dict[ZoneId, list[PieceAt]] = {zone.id: [] for zone in layout.zones}

    def lay(self, view: TableView) -> None:
        """Set the table from nothing, as this view says; what somebody holds is not on it."""
        view = view.within(self.layout)
        for seen in view.zones:
            for placed in seen.cards:
                self.put_card(self.new_card(seen.zone, placed), seen.zone, len(self.cards[seen.zone]))
        for seen in view.zones:
            for piece in seen.pieces:
                for _ in range(piece.count):
                    self.put_piece(self.new_piece(piece.kind), seen.zone)

    def view(self, zones: Iterable[ZoneId] | None = None) -> TableView:
        """What lies on the table now."""
        wanted = tuple(self.cards) if zones is None else tuple(zones)
        return TableView(tuple(zone_view(zone, self.cards[zone], self.pieces[zone]) for zone in wanted))

    def resting_cards(self) -> tuple[CardAt, ...]:
        return tuple(
            replace(card, z=self._ground(self._zones[zone]) + level * CARD_THICKNESS)
            for zone, cards in self.cards.items()
            for level, card in enumerate(cards)
        )

    def resting_pieces(self) -> tuple[PieceAt, ...]:
        return tuple(piece for pieces in self.pieces.values() for piece in pieces)

    def new_card(self, zone: ZoneId, placed: PlacedCard) -> CardAt:
        kinds = self._zones[zone].cards
        kind = None if placed.card is None else self._kind_of(placed.card)
        if kind is None and kinds:
            kind = kinds[0]
        return CardAt(
            key=self._key(), card=placed.card, kind=kind, side=placed.side, zone=None, x=0, y=0, angle_deg=0
        )

    def new_piece(self, kind: PieceKind) -> PieceAt:
        if kind not in self.shapes:
            raise KeyError(f"no shape for pieces of kind {kind!r}: add it to the game's pieces file")
        return PieceAt(key=self._key(), kind=kind, zone=None, x=0, y=0, angle_deg=0, pose=Pose.STANDING)

    def take_card(self, key: int) -> CardAt:
        for cards in self.cards.values():
            for index, card in enumerate(cards):
                if card.key == key:
                    return cards.pop(index)
        raise KeyError(f"no card {key} lies on the table")

    def take_piece(self, key: int) -> PieceAt:
        for pieces in self.pieces.values():
            for index, piece in enumerate(pieces):
                if piece.key == key:
                    del pieces[index]
                    self._sink(piece)
                    return piece
        raise KeyError(f"no piece {key} lies on the table")

    def put_card(self, card: CardAt, zone_id: ZoneId, index: int) -> CardAt:
        """Lay it into a zone, between the cards that are there if the zone is a pile."""
        zone = self._zones[zone_id]
        x, y, angle = self._card_place(zone, self.cards[zone_id])
        laid = replace(card, zone=zone_id, x=x, y=y, angle_deg=angle, tucked=zone.kind is ZoneKind.STRIP)
        self.cards[zone_id].insert(index, laid)
        return laid

    def put_piece(self, piece: PieceAt, zone_id: ZoneId) -> PieceAt:
        zone = self._zones[zone_id]
        laid = self._piece_place(replace(piece, zone=zone_id), zone)
        self.pieces[zone_id].append(laid)
        return laid

    def _sink(self, taken: PieceAt) -> None:
        """What lay on a taken piece comes down, without moving sideways."""
        above = [p for p in self.resting_pieces() if p.z > taken.z and self._overlap(p, taken)]
        for piece in sorted(above, key=lambda piece: piece.z):
            below = [p for p in self.resting_pieces() if p.z < piece.z and self._overlap(p, piece)]
            for zone_id, pieces in self.pieces.items():
                if piece in pieces:
                    zone = self._zones[zone_id]
                    ground = replace(piece, z=self._ground(zone) + self._cards_below(zone))
                    pieces[pieces.index(piece)] = self._on_top(ground, below)

    def _key(self) -> int:
        self._next_key += 1
        return self._next_key

    def _ground(self, zone: Zone) -> float:
        return 0.0 if on_board(self.layout, zone) and zone.kind is not ZoneKind.STRIP else TABLE_Z

    def _card_place(self, zone: Zone, there: Sequence[CardAt]) -> tuple[float, float, float]:
        if zone.kind is ZoneKind.SPREAD:
            return self._spread_place(zone, there)
        rng, untidy = self._random, self.untidy
        x, y = zone.rect.centre
        turn = MAX_TURN_DEG * untidy
        if zone.kind is ZoneKind.STRIP:
            foot = zone.rect.y1 - self.layout.card_height / 2
            slip = self.layout.card_height * 0.02 * untidy
            return (
                x + rng.gauss(0, 0.004) * untidy,
                foot + rng.uniform(-slip, slip),
                rng.uniform(-turn, turn) / 6,
            )
        shift = 0.10 * untidy * self.layout.card_width
        if zone.kind is ZoneKind.PILE and there:
            below = there[-1]
            close = shift * 0.22
            return (
                below.x + rng.uniform(-close, close) - 0.2 * (below.x - x),
                below.y + rng.uniform(-close, close) - 0.2 * (below.y - y),
                0.9 * below.angle_deg + rng.uniform(-turn, turn) / 9,
            )
        angle = zone.turn_deg + max(-MAX_TURN_DEG, min(MAX_TURN_DEG, rng.gauss(0, turn / 2)))
        x, y = x + rng.uniform(-shift, shift), y + rng.uniform(-shift, shift)
        if not on_board(self.layout, zone):
            x, y = self._beside_board(x, y, angle, zone)
        return x, y, angle

    def _beside_board(self, x: float, y: float, angle_deg: float, zone: Zone) -> tuple[float, float]:
        """A card next to the board is pushed back until it lies flat on the table."""
        board = self.layout.board
        cos, sin = abs(math.cos(math.radians(angle_deg))), abs(math.sin(math.radians(angle_deg)))
        width, height = self.layout.card_width, self.layout.card_height
        reach_x, reach_y = (width * cos + height * sin) / 2, (height * cos + width * sin) / 2
        centre_x, centre_y = zone.rect.centre
        beside_x = min(x + reach_x, board.x1) <= max(x - reach_x, board.x0)
        beside_y = min(y + reach_y, board.y1) <= max(y - reach_y, board.y0)
        if beside_x or beside_y:
            return x, y
        if centre_y < board.y0:
            y = min(y, board.y0 - reach_y)
        elif centre_y > board.y1:
            y = max(y, board.y1 + reach_y)
        elif centre_x < board.x0:
            x = min(x, board.x0 - reach_x)
        elif centre_x > board.x1:
            x = max(x, board.x1 + reach_x)
        return x, y

    def _spread_place(self, zone: Zone, there: Sequence[CardAt]) -> tuple[float, float, float]:
        """A fan from left to right; new cards go where the most room is left."""
        rng, rect = self._random, zone.rect
        width, height = self.layout.card_width, self.layout.card_height
        if zone.turn_deg % 180:
            width, height = height, width
        low_x, high_x = _inner(rect.x0, rect.x1, width * 1.04)
        low_y, high_y = _inner(rect.y0, rect.y1, height * 1.04)
        best = max(
            ((rng.uniform(low_x, high_x), rng.uniform(low_y, high_y)) for _ in range(12)),
            key=lambda spot: min((math.hypot(spot[0] - c.x, spot[1] - c.y) for c in there), default=0.0),
        )
        turn = min(MAX_TURN_DEG, 4.0 + MAX_TURN_DEG * self.untidy)
        return best[0], best[1], zone.turn_deg + rng.uniform(-turn, turn)

    def _piece_place(self, piece: PieceAt, zone: Zone) -> PieceAt:
        shape = self.shapes[piece.kind]
        ground = self._ground(zone) + self._cards_below(zone)
        others = [other for other in self.resting_pieces() if other.key != piece.key]
        for attempt in range(_TRIES):
            candidate = replace(self._candidate(piece, shape, zone, attempt), z=ground)
            touching = [other for other in others if self._overlap(candidate, other)]
            if not touching:
                return candidate
            if shape.flat and all(self._may_cover(candidate, other, others) for other in touching):
                return self._on_top(candidate, touching)
        lying = replace(candidate, pose=min((pose for pose, _ in shape.poses), key=shape.height))
        return self._on_top(lying, [other for other in others if self._overlap(lying, other)])

    def _may_cover(self, piece: PieceAt, other: PieceAt, others: Sequence[PieceAt]) -> bool:
        """Tokens are pushed over each other, but so that their owner can still count them."""
        if not self.shapes[other.kind].flat:
            return False
        above = [one for one in others if one.z > other.z and self._overlap(one, other)]
        covered = sum(self._shared(one, other) for one in (piece, *above))
        return covered <= MOST_COVERED * self._shared(other, other)

    def _shared(self, one: PieceAt, other: PieceAt) -> float:
        """The ground below both. OpenCV takes points less than a thousandth apart for one: it is enlarged."""
        middle = np.array([other.x, other.y])
        outlines = [(1000 * (self._outline(p) - middle)).astype(np.float32) for p in (one, other)]
        return float(cv2.intersectConvexConvex(*outlines)[0])

    def _on_top(self, piece: PieceAt, below: Sequence[PieceAt]) -> PieceAt:
        tops = [other.z + self.shapes[other.kind].height(other.pose) for other in below]
        return replace(piece, z=max([piece.z, *tops]))

    def _candidate(self, piece: PieceAt, shape: PieceShape, zone: Zone, attempt: int) -> PieceAt:
        rng = self._random
        pose = rng.choices([pose for pose, _ in shape.poses], [weight for _, weight in shape.poses])[0]
        x, y = zone.rect.centre
        if zone.kind is not ZoneKind.HEAP:
            spread = 0.004 * self.untidy + 0.0007 * attempt
            angle = rng.uniform(-shape.turn_deg, shape.turn_deg) * min(1.0, 0.3 + self.untidy)
            return replace(
                piece, pose=pose, angle_deg=angle, x=x + rng.gauss(0, spread), y=y + rng.gauss(0, spread)
            )
        angle = rng.uniform(-180, 180)
        there = self.pieces[zone.id]
        if there and rng.random() < 0.75:
            return self._beside(replace(piece, pose=pose, angle_deg=angle), rng.choice(there), zone)
        reach = self._reaches[piece.kind, pose]
        low_x, high_x = _inner(zone.rect.x0, zone.rect.x1, 2 * reach)
        low_y, high_y = _inner(zone.rect.y0, zone.rect.y1, 2 * reach)
        return replace(
            piece, pose=pose, angle_deg=angle, x=rng.uniform(low_x, high_x), y=rng.uniform(low_y, high_y)
        )

    def _beside(self, piece: PieceAt, other: PieceAt, zone: Zone) -> PieceAt:
        """Slid towards another piece until they touch, or nearly."""
        way = self._random.uniform(0, 2 * math.pi)
        reach = self._reaches[piece.kind, piece.pose]
        far = reach + self._reaches[other.kind, other.pose]
        near = 0.0
        for _ in range(7):
            middle = (near + far) / 2
            trial = replace(piece, x=other.x + middle * math.cos(way), y=other.y + middle * math.sin(way))
            near, far = (middle, far) if self._overlap(trial, other) else (near, middle)
        gap = far + self._random.choice((0.0002, 0.0005, 0.004))
        low_x, high_x = _inner(zone.rect.x0, zone.rect.x1, 2 * reach)
        low_y, high_y = _inner(zone.rect.y0, zone.rect.y1, 2 * reach)
        x, y = other.x + gap * math.cos(way), other.y + gap * math.sin(way)
        return replace(piece, x=min(max(x, low_x), high_x), y=min(max(y, low_y), high_y))

    def _cards_below(self, zone: Zone) -> float:
        if zone.above is None:
            return 0.0
        return len(self.cards.get(zone.above, ())) * CARD_THICKNESS

    def _overlap(self, one: PieceAt, other: PieceAt) -> bool:
        far = self._reaches[one.kind, one.pose] + self._reaches[other.kind, other.pose]
        if math.hypot(one.x - other.x, one.y - other.y) >= far:
            return False
        return convex_overlap(self._outline(one), self._outline(other))

    def _outline(self, piece: PieceAt) -> NDArray[np.float64]:
        return _moved(self._footprints[piece.kind, piece.pose], piece)


def outline(piece: PieceAt, shapes: Shapes) -> NDArray[np.float64]:
    """What a piece occupies of the table."""
    return _moved(shapes[piece.kind].footprint(piece.pose), piece)


def _moved(footprint: NDArray[np.float64], piece: PieceAt) -> NDArray[np.float64]:
    turn = rotation(piece.angle_deg)[:2, :2]
    return np.asarray(footprint @ turn.T + np.array([piece.x, piece.y]))


def painting_order(pieces: Iterable[PieceAt], shapes: Shapes, foot: tuple[float, float]) -> list[PieceAt]:
    """From far to near as seen from above `foot`; what lies on something comes after it."""
    order = sorted(pieces, key=lambda piece: -math.hypot(piece.x - foot[0], piece.y - foot[1]))
    lifted = [piece for piece in order if piece.z > TABLE_Z]
    for piece in sorted(lifted, key=lambda piece: piece.z):
        here = order.index(piece)
        ground = outline(piece, shapes)
        below = [
            index
            for index, other in enumerate(order[here + 1 :], here + 1)
            if other.z < piece.z and convex_overlap(ground, outline(other, shapes))
        ]
        if below:
            order.insert(below[-1], order.pop(here))
    return order


def convex_overlap(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Two convex outlines share ground unless some edge of one has the other wholly on its far side."""
    if np.any(one.max(axis=0) <= other.min(axis=0)) or np.any(other.max(axis=0) <= one.min(axis=0)):
        return False
    for polygon in (one, other):
        edges = np.roll(polygon, -1, axis=0) - polygon
        normals = np.column_stack([-edges[:, 1], edges[:, 0]])
        first, second = one @ normals.T, other @ normals.T
        if np.any((first.max(axis=0) <= second.min(axis=0)) | (second.max(axis=0) <= first.min(axis=0))):
            return False
    return True


def zone_view(zone: ZoneId, cards: Iterable[CardAt], pieces: Iterable[PieceAt]) -> ZoneView:
    tally = Counter(piece.kind for piece in pieces)
    return ZoneView(
        zone=zone, cards=tuple(PlacedCard(card.card, card.side) for card in cards), pieces=counted(tally)
    )


def _inner(low: float, high: float, size: float) -> tuple[float, float]:
    """Where the middle of a thing may lie in an interval; the interval's middle if the thing is too large."""
    if high - low <= size:
        return (low + high) / 2, (low + high) / 2
    return low + size / 2, high - size / 2
