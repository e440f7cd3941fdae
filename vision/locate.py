"""Finds cards: of a known size in a picture from straight above, or anywhere in any photograph."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cuts import LooseCard
from vision.frame import BgrImage
from vision.locate_choose import choose
from vision.locate_edges import Edges
from vision.locate_free import apart, free_quads, is_apart, length_outside, straight_lines, work_picture
from vision.locate_outline import fitted, support
from vision.locate_spread import candidates, without_twins
from vision.middle import median
from vision.pose import Points
from vision.rectify import Rectified

CARD_RATIO = 0.645
"""Width by height of most cards."""
LEAST_SCORE = 0.7
"""In hands, outlines less sure than this are mostly parts of cards or of the mat."""
DOUBTFUL_SCORE = 0.45
"""But a card on a mat of its own colour is one of them: it is one if it can be read."""
_SEARCH_PX = 112.0
"""The width of a card at which outlines are looked for: finer costs time and finds no more."""
_BRIGHT, _BRIGHT_SHARE = 190.0, 90.0
"""So bright nine tenths of a well lit zone are at most: a glare does not count, a few white cards do."""
_MOST_GAIN = 2.5
"""Beyond this the noise of a camera looks like edges."""
_LOOK_PX = 96
_LEAST_CARD = 0.35
_SCALES = (1100, 420)
_SEEDS = 3
_REACH = 1.6
"""How far from a clear card its neighbours are looked for in its plane, in card heights."""
_CLEAR = 0.85
"""An outline as sure as this is that of a card in full view."""
_SIZES = 2.5
"""So many times larger or smaller cards in one photograph may be, near and far."""
_FORMS = 1.3
"""And so many times narrower one may look for another: a strip of a card below others is narrower."""
_SHARED = 0.35
"""An outline around two cards on each other has more than this in common with either."""
_LEAST_RIM = 0.1
"""So much of a card's rim must at least be in view, as straight lines, to look for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardQuad:
    """Where a card lies in a picture."""

    corners: tuple[tuple[float, float], ...]
    """Top left, top right, bottom right, bottom left in pixels. Whether it lies upside down is not told:
    the outline is the same."""
    score: float
    """How surely a card lies there, 0 to 1."""
    visible: float
    """The share of it that no other card covers."""
    covers: tuple[tuple[tuple[float, float], ...], ...] = ()
    """The corners of the cards that lie on it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What somebody who can read cards says about a picture that might show one."""

    card: float
    """The probability that it is a card at all."""
    upside_down: float = 0.0


Verifier: TypeAlias = Callable[[Sequence[BgrImage]], Sequence[Verdict]]


def locate_known(
    rectified: BgrImage,
    card_size_px: tuple[float, float],
    *,
    most_turn_deg: float = 90.0,
    least: float = LEAST_SCORE,
) -> tuple[CardQuad, ...]:
    """Cards of one size lying anyhow, up to half of each hidden by others; the surest first.

    Where somebody else looks at what was found, `least` may be lower: more cards, and more that are none.
    Quick enough for every change of a hand zone at about 110 pixels per card's width.
    """
    step = max(1.0, card_size_px[0] / _SEARCH_PX)
    if step > 1.1:
        size = (round(rectified.shape[1] / step), round(rectified.shape[0] / step))
        rectified = np.asarray(cv2.resize(rectified, size, interpolation=cv2.INTER_AREA), np.uint8)
    else:
        step = 1.0
    width, height = card_size_px[0] / step, card_size_px[1] / step
    edges = Edges.of(rectified)
    outlines = fitted(edges, candidates(edges, width, height, most_turn_deg), step=4.0)
    borne = support(edges, outlines)
    first = without_twins(outlines, borne)
    outlines = outlines.pick(first)
    cards = choose(rectified, outlines, borne[first])
    if not cards:
        return ()
    outlines = outlines.pick(np.array([card.index for card in cards]))
    free = np.stack([card.free for card in cards])
    corners = fitted(edges, outlines, reaches=(2.0, 2.0, 1.5, 1.5), free=free).corners()
    places = {
        card.index: _tuples((quad + 0.5) * step - 0.5) for quad, card in zip(corners, cards, strict=True)
    }
    quads = [
        CardQuad(
            corners=places[card.index],
            score=float(np.clip(2 * card.worth, 0, 1)),
            visible=card.visible,
            covers=tuple(places[other] for other in card.above),
        )
        for card in cards
    ]
    sure = [quad for quad in quads if quad.score >= least]
    return tuple(sorted(sure, key=lambda quad: -quad.score))


def find_spread(picture: Rectified, card_size_px: tuple[float, float]) -> list[LooseCard]:
    """The cards that lie anyhow in a rectified zone, the surest first."""
    return [
        LooseCard(
            corners=np.array(card.corners),
            sure=card.score >= LEAST_SCORE,
            covers=tuple(np.array(corners) for corners in card.covers),
        )
        for card in locate_known(_lit(picture.image), card_size_px, least=DOUBTFUL_SCORE)
    ]


def _lit(image: BgrImage) -> BgrImage:
    """The picture as bright as usual: an edge in a dark corner of the table is as sharp as any other, but so
    many grey levels fewer that it would be taken for noise. What is bright stays as it is."""
    brightest = float(np.percentile(image.max(axis=2), _BRIGHT_SHARE))
    gain = min(_MOST_GAIN, _BRIGHT / max(1.0, brightest))
    return image if gain <= 1.0 else np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shapes:
    """Everything with four straight sides in a picture, as seen in a smaller copy of it."""

    work: BgrImage
    step: float
    """How many pixels of the picture one of the copy is."""
    quads: Points
    worth: NDArray[np.float64]
    lines: Points
    """Every straight piece of an edge in the copy, N × 2 ends × 2."""


def shapes_in(image: BgrImage, *, verified: bool) -> Shapes:
    """The best of each place, the surest first; more that are nearly alike where somebody will read them."""
    work, step = work_picture(image)
    quads, worth, lines = _at_all_scales(work)
    kept = apart(quads, worth, alike=0.82 if verified else 0.6)
    return Shapes(work=work, step=step, quads=quads[kept], worth=worth[kept], lines=lines)


def locate(
    image: BgrImage,
    verify: Verifier | None = None,
    *,
    shapes: Shapes | None = None,
    known: Sequence[tuple[tuple[float, float], ...]] = (),
) -> tuple[CardQuad, ...]:
    """Card-like things anywhere in a photograph, the surest first; without `verify` not all need be cards.

    Cards in full view are found by their sides. Each clear one also tells the plane it lies in, and in that
    plane its neighbours are looked for as in a spread: fanned out, below others, turned. Not where `known`
    cards, found by somebody else, and clear ones as large leave no edges over to make one more from.
    """
    shapes = shapes or shapes_in(image, verified=verify is not None)
    work, step = shapes.work, shapes.step
    found = [
        CardQuad(corners=_tuples(quad), score=float(worth), visible=1.0)
        for quad, worth in zip(shapes.quads, shapes.worth, strict=True)
    ]
    found = _verified(work, found, verify)
    seeds = _seeds(found)
    if known:
        there = (np.array(known).reshape(-1, 4, 2) + 0.5) / step - 0.5
        left = length_outside(shapes.lines, np.concatenate([there, _other_clear_ones(found, there)]))
        seeds = [seed for seed in seeds if _is_enough_for_a_card(seed, *left)]
    with ThreadPoolExecutor(2) as pool:  # whoever waited for known cards left a core idle
        for cards in pool.map(lambda seed: _in_plane_of(work, seed), seeds):
            before = np.array([card.corners for card in found])
            near = [card for card in cards if is_apart(np.array(card.corners), before, least=0.6)]
            found += _verified(work, near, verify)
    return tuple(
        CardQuad(
            corners=_tuples((np.array(card.corners) + 0.5) * step - 0.5),
            score=card.score,
            visible=card.visible,
        )
        for card in sorted(found, key=lambda card: -card.score)
    )


def _at_all_scales(work: BgrImage) -> tuple[Points, NDArray[np.float64], Points]:
    """In a small picture the sides of near cards are unbroken, in a large one those of far cards are long.

    Quadrilaterals, their worth, and the straight lines of the largest picture.
    """
    quads, worth, lines = [np.empty((0, 4, 2))], [np.empty(0)], []
    for longest in _SCALES:
        small, step = work_picture(work, longest)
        gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
        lines.append(straight_lines(gray))
        found, score = free_quads(Edges.of(small), lines[-1])
        quads.append((found + 0.5) * step - 0.5)
        worth.append(score)
    order = np.argsort(-np.concatenate(worth), kind="stable")
    return np.concatenate(quads)[order], np.concatenate(worth)[order], lines[0]


def _verified(work: BgrImage, found: Sequence[CardQuad], verify: Verifier | None) -> list[CardQuad]:
    """Those that somebody who can read cards takes for cards, the right way up."""
    if verify is None or not found:
        return list(found)
    verdicts = verify([cut_card(work, card.corners, _LOOK_PX) for card in found])
    return [
        CardQuad(
            corners=card.corners[2:] + card.corners[:2] if verdict.upside_down > 0.5 else card.corners,
            score=card.score * verdict.card,
            visible=card.visible,
        )
        for card, verdict in zip(found, verdicts, strict=True)
        if verdict.card >= _LEAST_CARD
    ]


def _seeds(found: Sequence[CardQuad]) -> list[CardQuad]:
    """Clear cards far enough from each other that each has neighbours of its own."""
    seeds: list[CardQuad] = []
    for card in found:
        centre = np.mean(card.corners, axis=0)
        size = np.sqrt(cv2.contourArea(np.array(card.corners, np.float32)))
        if card.score > 0.8 and all(
            np.hypot(*(np.mean(seed.corners, axis=0) - centre)) > 2 * size for seed in seeds
        ):
            seeds.append(card)
        if len(seeds) == _SEEDS:
            break
    return seeds


def _other_clear_ones(found: Sequence[CardQuad], cards: Points) -> Points:
    """Clear outlines beside the cards, N × 4 × 2, and much like them: what is printed there is explained.

    Not what has much of a card in it: the outline around two on each other is as clear.
    """
    areas, shapes = (median(part) for part in _areas_and_shapes(cards))
    quads = np.array([card.corners for card in found if card.score >= _CLEAR]).reshape(-1, 4, 2)
    sizes, forms = _areas_and_shapes(quads)
    alike = (np.abs(np.log(sizes / areas)) < np.log(_SIZES)) & (
        np.abs(np.log(forms / shapes)) < np.log(_FORMS)
    )
    return np.array([quad for quad in quads[alike] if is_apart(quad, cards, least=_SHARED)]).reshape(-1, 4, 2)


def _areas_and_shapes(quads: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How large each is, and how wide by its height, whichever way round."""
    ways = np.roll(quads, -1, axis=1) - quads
    sides = np.hypot(ways[..., 0], ways[..., 1])
    pairs = sides[:, :2] + sides[:, 2:]
    areas = [cv2.contourArea(quad.astype(np.float32)) for quad in quads]
    return np.array(areas, np.float64), pairs.min(axis=1) / pairs.max(axis=1)


def _is_enough_for_a_card(seed: CardQuad, places: Points, lengths: NDArray[np.float64]) -> bool:
    """Whether the edges around a card that are of no known one may be the rim of another, mostly hidden."""
    quad = np.array(seed.corners)
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    near = np.hypot(*(places - quad.mean(axis=0)).T) < 2 * _REACH * sides.max()
    return float(lengths[near].sum()) > _LEAST_RIM * float(sides.sum())


def _in_plane_of(work: BgrImage, seed: CardQuad) -> list[CardQuad]:
    """Cards around a clear one, found in the picture that a camera right above it would take."""
    width, height = _SEARCH_PX, _SEARCH_PX / CARD_RATIO
    margin = _REACH * height
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) + np.float32(margin)
    matrix = cv2.getPerspectiveTransform(np.array(seed.corners, np.float32), target)
    size = (round(width + 2 * margin), round(height + 2 * margin))
    flat = np.asarray(cv2.warpPerspective(work, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)
    back = np.linalg.inv(matrix)
    cards = []
    for card in locate_known(flat, (width, height), least=0.0):
        corners = cv2.perspectiveTransform(np.array(card.corners, np.float64)[None], back)[0]
        cards.append(
            CardQuad(corners=_tuples(np.asarray(corners)), score=0.9 * card.score, visible=card.visible)
        )
    return cards


def cut_card(
    image: BgrImage,
    corners: Points | tuple[tuple[float, float], ...],
    width_px: int,
    *,
    margin: float = 0.0,
) -> BgrImage:
    """The card alone, seen from straight above; or with a margin of this share of its width all around."""
    height_px = round(width_px / CARD_RATIO)
    matrix = _to_card(corners, width_px, height_px, margin)
    size = (width_px, height_px)
    return np.asarray(cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_AREA), np.uint8)


def corners_in_cut(
    corners: Points | tuple[tuple[float, float], ...], shares: Points, *, margin: float = 0.0
) -> tuple[tuple[float, float], ...]:
    """Where points of a cut lie in the picture; `shares` are parts of the cut's width and height."""
    matrix = _to_card(corners, 1000, round(1000 / CARD_RATIO), margin)
    places = shares * (1000, round(1000 / CARD_RATIO)) - 0.5
    back = cv2.perspectiveTransform(np.asarray(places, np.float64)[None], np.linalg.inv(matrix))[0]
    return _tuples(np.asarray(back, np.float64))


def _to_card(
    corners: Points | tuple[tuple[float, float], ...], width: int, height: int, margin: float
) -> NDArray[np.float64]:
    inset = margin * width / (1 + 2 * margin)
    x1, y1 = width - inset, height - inset
    target = np.array([(inset, inset), (x1, inset), (x1, y1), (inset, y1)], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(np.asarray(corners, np.float32), target), np.float64)


def _tuples(quad: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in quad)
