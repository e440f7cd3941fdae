"""Reads a photograph: every card in it, where it lies, what is printed on it and which one it may be."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.cards import CardId
from vision.enrolled import Gallery, Smaller
from vision.enrolled_decide import PictureSighting
from vision.errors import VisionError
from vision.frame import BgrImage
from vision.locate import CardQuad, Verdict, corners_in_cut, cut_card, locate, shapes_in
from vision.locate_free import overlap
from vision.middle import median
from vision.photo_cards import READ_PX, CardEyes, Opinion, PhotoCard
from vision.photo_fan import FannedCard, find_fanned
from vision.pose import Points

LEAST_SIDE = 120
"""Pixels: on a smaller picture no card could be read."""
_MARGIN = 0.09
_FEWEST_ITEMS = 2
"""A front on which fewer can be read is more likely a part of the table."""
_SAME = 0.35
"""Two quadrilaterals with this much in common are the same card."""
_SAME_BANNER = 0.6
"""Fanned cards may have half of their places in common; more than this, and it is the same card."""
_ON_IT = 0.7
_PLAUSIBLE = 0.75
"""Without a reader's word, what looks less like a card than this is left out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Search:
    """What a gallery said about a photograph, to be asked further."""

    gallery: Gallery
    small: Smaller
    sightings: tuple[PictureSighting, ...]


class PhotoError(VisionError):
    """A photograph that shows nothing; the message says why."""


def read_photo(
    image: BgrImage,
    *,
    gallery: Gallery | Callable[[], Gallery] | None = None,
    eyes: CardEyes | None = None,
) -> tuple[PhotoCard, ...]:
    """Every card that can be found, from the left to the right in rows from above.

    A gallery that is yet to be opened is opened while the outlines of cards are looked for.
    """
    refuse_blank(image)
    with ThreadPoolExecutor(1) as other:  # both take about a second, and most of it is not Python's
        finding = other.submit(_search, image, gallery) if gallery is not None else None
        shapes = shapes_in(image, verified=eyes is not None)
        quads = () if eyes is None else locate(image, lambda cuts: _verdicts(eyes, cuts), shapes=shapes)
        search = finding.result() if finding is not None else None
    pictured = _pictured(search.sightings) if search is not None else []
    if eyes is None:
        quads = locate(image, shapes=shapes, known=[place.corners for place, _ in pictured])
    quads = _not_among(quads, [place for place, _ in pictured])
    if eyes is None:
        outlined = [quad for quad in _outermost(quads) if quad.score >= _PLAUSIBLE]
        cards = [PhotoCard(quad=quad, guesses=guesses) for quad, guesses in pictured]
        cards += _named_by_outline(outlined, search)
    else:
        cards = _best_of_each_place(_read(image, eyes, [*pictured, *((quad, ()) for quad in quads)]))
        cards = _with_fanned(cards, find_fanned(image, shapes, eyes))
    return _in_reading_order(cards)


def refuse_blank(image: BgrImage) -> None:
    """One clear sentence for a picture in which nobody could find anything."""
    height, width = image.shape[:2]
    if min(height, width) < LEAST_SIDE:
        raise PhotoError(
            f"expected a picture of at least {LEAST_SIDE} pixels on each side, found {width} × {height}: "
            "take it from nearer, or save it larger."
        )
    some = np.ascontiguousarray(image[::4, ::4]).reshape(-1, 1)
    if float(some.max()) < 24:
        raise PhotoError("the picture is black: is the lens covered, or the light off?")
    if float(cv2.meanStdDev(some)[1][0, 0]) < 2:
        raise PhotoError("the picture is one even colour: there is nothing to see in it.")


def _pictured(
    sightings: Sequence[PictureSighting],
) -> list[tuple[CardQuad, tuple[tuple[CardId | None, float], ...]]]:
    found: list[tuple[CardQuad, tuple[tuple[CardId | None, float], ...]]] = []
    for sighting in sightings:
        quad = CardQuad(
            corners=sighting.corners, score=min(1.0, sighting.support / 20), visible=sighting.agreement
        )
        found.append((quad, _guesses(sighting)))
    return found


def _guesses(sighting: PictureSighting) -> tuple[tuple[CardId | None, float], ...]:
    """With the chance that it is a card of no pack."""
    stranger = max(0.0, 1 - sum(p for _, p in sighting.guesses))
    guesses: list[tuple[CardId | None, float]] = [*sighting.guesses, (None, stranger)]
    return tuple(sorted(guesses, key=lambda guess: -guess[1]))


def _search(image: BgrImage, gallery: Gallery | Callable[[], Gallery]) -> _Search:
    small = Gallery.smaller(image)
    seen = Gallery.seen_in(small)
    gallery = gallery if isinstance(gallery, Gallery) else gallery()
    return _Search(gallery=gallery, small=small, sightings=gallery.find(seen))


def _named_by_outline(quads: Sequence[CardQuad], search: _Search | None) -> list[PhotoCard]:
    """Cards found by their sides alone; a picture too plain for features may still be known."""
    named: Sequence[PictureSighting | None] = [None] * len(quads)
    if search is not None:
        named = search.gallery.name(search.small, [quad.corners for quad in quads])
    return [
        PhotoCard(quad=quad)
        if sighting is None
        else PhotoCard(quad=replace(quad, corners=sighting.corners), guesses=_guesses(sighting))
        for quad, sighting in zip(quads, named, strict=True)
    ]


def _verdicts(eyes: CardEyes, cuts: Sequence[BgrImage]) -> list[Verdict]:
    return [
        Verdict(card=opinion.front + opinion.back, upside_down=opinion.upside_down)
        for opinion in eyes.look(cuts)
    ]


_Found = tuple[CardQuad, tuple[tuple[CardId | None, float], ...]]


def _read(image: BgrImage, eyes: CardEyes, found: Sequence[_Found]) -> list[PhotoCard]:
    if not found:
        return []
    found = _laid_exactly(image, eyes, found)
    cuts = [cut_card(image, quad.corners, READ_PX) for quad, _ in found]
    opinions = eyes.look(cuts)
    fronts = [
        k for k, opinion in enumerate(opinions) if opinion.kind is not None and opinion.front >= opinion.back
    ]
    kinds = [kind for k in fronts if (kind := opinions[k].kind) is not None]
    also = [
        {card: float(np.log(max(p, 1e-3))) for card, p in found[k][1] if card is not None} for k in fronts
    ]
    named = dict(zip(fronts, eyes.read([cuts[k] for k in fronts], kinds, also), strict=True))
    cards = []
    for k, (quad, guesses) in enumerate(found):
        opinion = opinions[k]
        back = opinion.back > opinion.front
        card = PhotoCard(quad=quad, kind=opinion.kind, back=back, guesses=() if back else guesses)
        if k in named:
            card = replace(card, reading=named[k].reading, guesses=named[k].guesses)
        if guesses or _is_convincing(card, opinion):
            cards.append(card)
    return cards


def _laid_exactly(image: BgrImage, eyes: CardEyes, found: Sequence[_Found]) -> list[_Found]:
    """Where the outline is not clear, the reader's own word about the corners is better."""
    wide = [cut_card(image, quad.corners, READ_PX, margin=_MARGIN) for quad, _ in found]
    exact: list[_Found] = []
    for (quad, guesses), opinion in zip(found, eyes.look(wide), strict=True):
        exact.append((quad, guesses))
        if opinion.corners is not None and not guesses:
            corners = corners_in_cut(quad.corners, np.array(opinion.corners), margin=_MARGIN)
            exact.append((replace(quad, corners=corners, score=0.9 * quad.score), guesses))
    return exact


def _best_of_each_place(cards: Sequence[PhotoCard]) -> list[PhotoCard]:
    """Of several outlines of one card, the one in which most can be read."""
    kept: list[PhotoCard] = []
    for card in sorted(cards, key=_legibility, reverse=True):
        if not any(_is_same(card.quad, other.quad) or _is_same(other.quad, card.quad) for other in kept):
            kept.append(card)
    return kept


def _with_fanned(cards: Sequence[PhotoCard], fanned: Sequence[FannedCard]) -> list[PhotoCard]:
    """Adds cards found by their banner; what was taken for a card within one of them is a part of it."""
    cards = [card for card in cards if not any(_is_on(card, found.banner) for found in fanned)]
    new = [found for found in fanned if not any(_speaks_against(card, found) for card in cards)]
    kept = [
        card for card in cards if not any(_is_on(card, np.array(found.card.quad.corners)) for found in new)
    ]
    return [*kept, *(found.card for found in new)]


def _speaks_against(card: PhotoCard, found: FannedCard) -> bool:
    """It is the same card and lies more exactly by its outline, or a known card lies all over it."""
    same = card.kind == found.card.kind and not card.back and _overlap(card, found.card) > _SAME_BANNER
    return same or (card.known and _is_on(card, np.array(found.card.quad.corners)))


def _is_on(card: PhotoCard, place: Points) -> bool:
    return _lies_in(np.array(card.quad.corners), place) > _ON_IT


def _overlap(one: PhotoCard, other: PhotoCard) -> float:
    return overlap(np.array(one.quad.corners), np.array(other.quad.corners))


def _legibility(card: PhotoCard) -> float:
    known = card.guesses[0][1] if card.known else 0.0
    items = (
        [item.p for field in card.reading.fields for item in field.items] if card.reading is not None else []
    )
    return 3 * known + sum(p - 0.5 for p in items) + 2 * card.quad.score + (1.0 if card.back else 0.0)


def _is_convincing(card: PhotoCard, opinion: Opinion) -> bool:
    """A back in full view, or a front on which something can be read."""
    if card.back:
        return opinion.back > 0.8
    return opinion.front > 0.5 and (card.known or card.items_read >= _FEWEST_ITEMS)


def _not_among(quads: Sequence[CardQuad], places: Sequence[CardQuad]) -> tuple[CardQuad, ...]:
    """Those that are the same card as none of the others; what lies elsewhere needs no closer look."""
    corners = np.array([place.corners for place in places]).reshape(-1, 4, 2)
    low, high = corners.min(axis=1), corners.max(axis=1)
    kept = []
    for quad in quads:
        own = np.array(quad.corners)
        near = (own.max(axis=0) >= low).all(axis=1) & (high >= own.min(axis=0)).all(axis=1)
        if not any(_is_same(quad, places[k]) for k in np.flatnonzero(near).tolist()):
            kept.append(quad)
    return tuple(kept)


def _is_same(one: CardQuad, other: CardQuad) -> bool:
    a, b = np.array(one.corners), np.array(other.corners)
    return overlap(a, b) > _SAME or _lies_in(a, b) > 0.85


def _lies_in(one: Points, other: Points) -> float:
    """The share of the first that lies within the second."""
    together = overlap(one, other)
    area_one, area_other = _area(one), _area(other)
    common = together * (area_one + area_other) / (1 + together)
    return common / area_one if area_one else 0.0


def _area(quad: Points) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float(abs((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) / 2)


def _outermost(quads: Sequence[CardQuad]) -> list[CardQuad]:
    """Without what is printed on a card: fields and frames look like small cards."""
    kept: list[CardQuad] = []
    for quad in quads:
        inner = np.array(quad.corners)
        around = [
            other
            for other in quads
            if other is not quad
            and other.score > 0.8 * quad.score
            and 1.3 * _area(inner) < _area(np.array(other.corners)) < 60 * _area(inner)
            and _lies_in(inner, np.array(other.corners)) > 0.85
        ]
        if not around:
            kept.append(quad)
    return kept


def _in_reading_order(cards: Sequence[PhotoCard]) -> tuple[PhotoCard, ...]:
    if not cards:
        return ()
    heights = np.ptp([[y for _, y in card.quad.corners] for card in cards], axis=1)
    row = max(float(median(heights)), 1.0)

    def key(card: PhotoCard) -> tuple[int, float]:
        x, y = np.mean(card.quad.corners, axis=0)
        return int(y / row), float(x)

    return tuple(sorted(cards, key=key))
