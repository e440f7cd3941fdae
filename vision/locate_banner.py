"""Finds cards by the boxes of their banner: of fanned cards little more than that can be seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anatomy import Anatomy, Area, Banner, CardAnatomy, FieldAnatomy, Material
from vision.cards import CardKind
from vision.frame import BgrImage
from vision.locate_edges import Edges
from vision.locate_free import corners_of_sides, overlap, sharpened, side_support
from vision.pose import Points

_MOST_ITEMS = 2
"""Boxes of banners with more items are rare and look like two boxes."""
_SQUEEZED = (1.0, 0.92, 0.85)
_LEAST_SUPPORT = 0.8
_WEAKEST_SIDE = 0.4
_MOST_FINDS = 60
_PER_PLACE = 4
_LEAST_BOX_PX = 9.0
_OTHER_COLOUR = 8.0
_RING = np.array([(x, y) for x in (0.12, 0.5, 0.88) for y in (0.12, 0.5, 0.88) if (x, y) != (0.5, 0.5)])
"""Where a box shows its ground rather than a symbol, in shares of the box."""
_CARD = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hanging:
    """One way in which the boxes of a banner may hang, in shares of the card."""

    kind: CardKind
    fields: tuple[str, ...]
    materials: tuple[Material, ...]
    boxes: Points
    """Boxes × 4 corners × 2, the uppermost first."""
    foot: tuple[float, float] | None
    """The middle of what is printed apart from the banner."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BannerFind:
    hanging: Hanging
    corners: Points
    """Of the card: top left, top right, bottom right, bottom left. Only near the banner they are exact."""
    boxes: Points
    support: float
    """How much of the sides of all boxes lies on edges, 0 to 1."""

    @property
    def banner(self) -> Points:
        """The corners of all boxes together."""
        return np.stack([self.boxes[0, 0], self.boxes[0, 1], self.boxes[-1, 2], self.boxes[-1, 3]])

    @property
    def down(self) -> Points:
        """From the card's head to its foot."""
        return np.asarray(self.corners[3] - self.corners[0])


def hangings_of(anatomy: Anatomy) -> tuple[Hanging, ...]:
    """All banners of at least two boxes; a single box could be anything."""
    return tuple(
        hanging
        for card in anatomy.kinds
        for banner in card.banners
        if len(banner.fields) > 1
        for hanging in _hangings(card, banner)
    )


def _hangings(card: CardAnatomy, banner: Banner) -> list[Hanging]:
    heights = [_heights(card.field(name)) for name in banner.fields]
    hangings = []
    for chosen in product(*heights):
        ends = banner.y0 + np.cumsum([0.0, *chosen])
        boxes = [
            [(banner.x0, y0), (banner.x1, y0), (banner.x1, y1), (banner.x0, y1)]
            for y0, y1 in pairwise(ends.tolist())
        ]
        if min(chosen) > 0:
            materials = tuple(card.field(name).material for name in banner.fields)
            hangings.append(
                Hanging(
                    kind=card.kind,
                    fields=banner.fields,
                    materials=materials,
                    boxes=np.array(boxes),
                    foot=_middle(card.strip),
                )
            )
    return hangings


def _middle(area: Area | None) -> tuple[float, float] | None:
    return None if area is None else ((area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2)


def _heights(field: FieldAnatomy) -> list[float]:
    """Those of a box for one item or two; how far two are squeezed differs from card to card."""
    one, *more = dict.fromkeys(field.heights[1 : _MOST_ITEMS + 1] or (0.0,))
    return [one, *(share * height for height in more for share in _SQUEEZED)]


def find_banners(image: BgrImage, quads: Points, hangings: Sequence[Hanging]) -> tuple[BannerFind, ...]:
    """Each small quadrilateral may be one box of a banner: those whose other boxes are there too."""
    finds: list[BannerFind] = []
    edges = Edges.of(image)
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 2.0), np.uint8)
    for hanging in hangings:
        matrices = _hypotheses(quads, hanging)
        if len(matrices):
            finds += [find for find in _borne_out(edges, matrices, hanging) if _has_its_colours(soft, find)]
    kept: list[BannerFind] = []
    for find in sorted(finds, key=lambda find: -find.support):
        if sum(same_banner(find, other) for other in kept) < _PER_PLACE and len(kept) < _MOST_FINDS:
            kept.append(find)
    return tuple(_straightened(edges, find) for find in kept)


def _hypotheses(quads: Points, hanging: Hanging) -> NDArray[np.float64]:
    """From shares of a card to the picture, if a quadrilateral were one of the boxes, turned any way."""
    matrices = [
        cv2.getPerspectiveTransform(box.astype(np.float32), np.roll(quad, turn, axis=0).astype(np.float32))
        for quad in quads
        for box in hanging.boxes
        for turn in range(4)
    ]
    return np.array(matrices, np.float64).reshape(-1, 3, 3)


def _borne_out(edges: Edges, matrices: NDArray[np.float64], hanging: Hanging) -> list[BannerFind]:
    cards, ahead = _seen(matrices, _CARD)
    likely = np.flatnonzero(ahead & _is_card_like(cards))
    if not len(likely):
        return []
    many = len(hanging.boxes)
    boxes = _seen(matrices[likely], hanging.boxes.reshape(-1, 2))[0].reshape(-1, many, 4, 2)
    sides = side_support(edges, boxes.reshape(-1, 4, 2)).reshape(len(likely), many * 4)
    good = np.flatnonzero((sides.mean(axis=1) > _LEAST_SUPPORT) & (sides.min(axis=1) > _WEAKEST_SIDE))
    return [
        BannerFind(hanging=hanging, corners=cards[likely[k]], boxes=boxes[k], support=float(sides[k].mean()))
        for k in good
    ]


def _has_its_colours(image: BgrImage, find: BannerFind) -> bool:
    """Paper is the palest and cloth the reddest, whatever the light; that also tells which end is up."""
    x, y = np.moveaxis(find.boxes, 2, 0)[:, :, :, None]
    across = np.stack([(1 - _RING[:, 0]) * (1 - _RING[:, 1]), _RING[:, 0] * (1 - _RING[:, 1]),
                       _RING[:, 0] * _RING[:, 1], (1 - _RING[:, 0]) * _RING[:, 1]])  # fmt: skip
    columns = np.clip(np.round((x * across).sum(axis=1)), 0, image.shape[1] - 1).astype(int)
    rows = np.clip(np.round((y * across).sum(axis=1)), 0, image.shape[0] - 1).astype(int)
    blue, green, red = np.moveaxis(np.median(image[rows, columns], axis=1), 1, 0)
    pale, reddish = np.minimum(np.minimum(red, green), blue), red - (green + blue) / 2
    materials = find.hanging.materials
    for most, material in ((pale, Material.PAPER), (reddish, Material.CLOTH)):
        own = [value for value, made in zip(most, materials, strict=True) if made is material]
        others = [value for value, made in zip(most, materials, strict=True) if made is not material]
        if own and others and min(own) < max(others) + _OTHER_COLOUR:
            return False
    return True


def _seen(matrices: NDArray[np.float64], places: Points) -> tuple[Points, NDArray[np.bool_]]:
    """Where places of a card lie in the picture under each matrix, and whether all are before the camera."""
    flat = np.column_stack([places, np.ones(len(places))])
    seen = np.einsum("nij,pj->npi", matrices, flat)
    depth = np.where(np.abs(seen[..., 2:]) < 1e-9, 1e-9, seen[..., 2:])
    return np.asarray(seen[..., :2] / depth), np.asarray((seen[..., 2] > 0).all(axis=1))


def _is_card_like(quads: Points) -> NDArray[np.bool_]:
    sides = np.roll(quads, -1, axis=1) - quads
    long = np.maximum(np.hypot(sides[..., 0], sides[..., 1]), 1e-6)
    after = np.roll(sides, -1, axis=1)
    convex = (sides[..., 0] * after[..., 1] - sides[..., 1] * after[..., 0] > 0).all(axis=1)
    ratio = (long[:, 0] + long[:, 2]) / (long[:, 1] + long[:, 3])
    even = (np.maximum(long[:, :2] / long[:, 2:], long[:, 2:] / long[:, :2]) < 2).all(axis=1)
    return np.asarray(convex & even & (ratio > 0.36) & (ratio < 1.1) & (long.min(axis=1) > 5 * _LEAST_BOX_PX))


def _straightened(edges: Edges, find: BannerFind) -> BannerFind:
    """All boxes laid onto their edges at once, then those sides of the card that can be seen."""
    places = find.hanging.boxes.reshape(-1, 2)
    boxes, corners = find.boxes, find.corners
    for _ in range(2):
        sharp = sharpened(edges, boxes, (3.0, 2.0)).reshape(-1, 2)
        matrix, _kept = cv2.findHomography(places, sharp, cv2.RANSAC, 2.0)
        if matrix is None:
            return find
        seen, ahead = _seen(np.asarray(matrix, np.float64)[None], np.concatenate([_CARD, places]))
        if not (ahead & _is_card_like(seen[:, :4])).all():
            return find
        corners, boxes = seen[0, :4], seen[0, 4:].reshape(boxes.shape)
    support = float(side_support(edges, boxes, reach=1.5).mean())
    if support < find.support - 0.05:
        return find
    return BannerFind(hanging=find.hanging, corners=_outlined(edges, corners), boxes=boxes, support=support)


def _outlined(edges: Edges, corners: Points) -> Points:
    """Each side moved to where an edge runs, if one runs along all of it; the others stay."""
    width = float(np.hypot(*(corners[1] - corners[0])))
    moved = sharpened(edges, corners[None], (0.15 * width, 0.06 * width, 0.03 * width, 2.0))
    before, after = (side_support(edges, quad, reach=1.5)[0] for quad in (corners[None], moved))
    lines = np.stack([np.stack([quad, np.roll(quad, -1, axis=0)], axis=1) for quad in (corners, moved[0])])
    better = (after > 0.7) & (after > before)
    chosen = np.where(better[:, None, None], lines[1], lines[0])
    return np.asarray(corners_of_sides(chosen[None])[0])


def same_banner(one: BannerFind, other: BannerFind) -> bool:
    return overlap(one.banner, other.banner) > 0.2
