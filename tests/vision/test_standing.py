"""Pieces that stand on cards hide some of their print: that speaks neither for nor against a card."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.games.yu import KIT
from assistant.games.yu.pack import demo_pack
from models.photographs import anatomy
from tests.vision.scenes import card_picture
from vision.anatomy import Slot, symbol_places
from vision.cards import CardFacts, CardId, CardPack, ItemKind
from vision.cover import Cover
from vision.evidence import NO_NUMBER, NUMBERS, CardEvidence, PlaceLook, SeenSymbol
from vision.identify import Identifier
from vision.marks import Mark
from vision.pose import Lens, Pose
from vision.register import fit_pose
from vision.solid import project_solid
from vision.standing import Bodies, probable
from vision.table import PieceKind, Rect
from vision.virtual.camera import Camera
from vision.virtual.drawn import load_table_art
from vision.witness import Witness

SHAPES = load_table_art(KIT.folder).shapes
BODIES = Bodies({kind: shape.bulk() for kind, shape in SHAPES.items()})
FLOOD = PieceKind("flood")
CANALS = [card for card in demo_pack().cards if card.kind == "canal"]
KINDS = tuple(sorted({item.kind for card in CANALS for field in card.fields for item in field.items or ()}))
IDENTIFIER = Identifier(demo_pack(), KINDS, anatomy=anatomy())
LOWER_HALF = Cover.of([np.array([(-0.1, 0.6), (1.1, 0.6), (1.1, 1.1), (-0.1, 1.1)])])

LEANING = Camera(position=(0.3, 1.2, 1.1), target=(0.55, 0.25), roll_deg=3.0)
FROM_BEHIND = Camera(position=(0.8, -0.8, 1.2), fov_deg=48.0)
FROM_ABOVE = Camera(position=(0.5, 0.2501, 1.4), fov_deg=60.0)


def pose_of(camera: Camera) -> Pose:
    grid = np.array([(x, y) for x in np.linspace(0, 1, 6) for y in np.linspace(0, 0.49, 4)])
    pixels = camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    return fit_pose(grid, pixels, Lens(width=camera.width, height=camera.height))


@pytest.mark.parametrize("camera", [LEANING, FROM_BEHIND, FROM_ABOVE])
def test_a_pose_of_the_flat_board_tells_where_tops_of_pieces_are_seen(camera: Camera) -> None:
    tops = np.array([(x, y, 0.045) for x in (0.1, 0.5, 0.9) for y in (0.05, 0.45)])
    assert np.abs(project_solid(pose_of(camera), tops) - camera.project(tops)).max() < 1.5


@pytest.mark.parametrize("camera", [LEANING, FROM_BEHIND, FROM_ABOVE])
def test_a_marked_piece_shades_what_its_body_hides(camera: Camera) -> None:
    pose = pose_of(camera)
    body = SHAPES[FLOOD].bulk()
    x, y = pose.unproject(camera.project([(0.5, 0.15, 0.25 * body[:, 2].max())]))[0]
    (shade,) = BODIES.shades_on(Rect(0.4, 0.04, 0.6, 0.25), [Mark(FLOOD, x, y, 0.9)], pose)
    hidden = pose.unproject(camera.project(body + np.array([0.5, 0.15, 0.0]))).astype(np.float32)
    outline = shade.astype(np.float32)
    beside = [cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in hidden]
    assert min(beside) > -0.002
    assert cv2.contourArea(outline) < 1.05 * cv2.contourArea(cv2.convexHull(hidden))


def test_pieces_far_away_unknown_or_hardly_there_shade_nothing() -> None:
    area, pose = Rect(0.4, 0.04, 0.6, 0.25), pose_of(LEANING)
    marks = (Mark(FLOOD, 0.9, 0.15, 0.9), Mark(PieceKind("castle"), 0.5, 0.15, 0.9))
    assert BODIES.shades_on(area, marks, pose) == ()
    assert probable([Mark(FLOOD, 0.5, 0.15, 0.4)]) == ()


def test_outlines_beside_a_card_are_no_cover() -> None:
    assert Cover.of([np.array([(1.2, 0.0), (1.5, 0.0), (1.5, 0.5)])]) is None
    assert Cover.of([]) is None
    assert LOWER_HALF is not None
    assert LOWER_HALF.share(0.5, 0.8, 0.2, 0.1) == 1.0
    assert LOWER_HALF.share(0.5, 0.3, 0.2, 0.1) == 0.0
    assert 0.4 < LOWER_HALF.share(0.5, 0.6, 0.2, 0.2) < 0.6
    assert LOWER_HALF.share(3.0, 3.0, 0.1, 0.1) == 1.0, "what strays from a card counts to its rim"


def test_every_symbol_of_every_card_has_its_place_in_the_order_of_the_items() -> None:
    canal = next(card for card in CANALS if any(item.kind == "cowrie" for item in card.items("cost") or ()))
    cost = symbol_places(anatomy(), canal)["cost"]
    assert len(cost) == len(canal.items("cost") or ())
    for item, place in zip(canal.items("cost") or (), cost, strict=True):
        assert isinstance(place, Slot)
        assert place.y == pytest.approx(0.24 if item.kind == "cowrie" else 0.10)


def seen_of(card: CardFacts, *, without: str = "", cover: Cover | None = None) -> CardEvidence:
    """A canal read as it is printed, but for one field in which nothing was seen."""
    places = symbol_places(anatomy(), card)
    fields = []
    for field in card.fields:
        kinds = [item.kind for item in field.items or () for _ in range(_symbols(item.kind, item.count))]
        symbols = [
            _symbol(field.name, kind, place)
            for kind, place in zip(kinds, places[field.name], strict=True)
            if place is not None and field.name != without
        ]
        fields.append((field.name, tuple(symbols)))
    stone = np.full(NUMBERS + 1, 1e-4)
    stone[NO_NUMBER if card.stone is None else card.stone] = 0.97
    return CardEvidence(
        kind=card.kind, item_kinds=KINDS, fields=tuple(fields), stone=stone, marked=None, cover=cover
    )


def _symbols(kind: ItemKind, count: int) -> int:
    return count if kind in ("destroy", "exhaust") else 1


def _symbol(field: str, kind: ItemKind, place: Slot) -> SeenSymbol:
    kinds = np.full(len(KINDS), 0.001)
    kinds[KINDS.index(kind)] = 0.97
    return SeenSymbol(
        field=field, there=0.99, kinds=kinds, counts=np.full(4, 0.25), numbers=None, x=place.x, y=place.y
    )


def canal_known_by_its_cost() -> CardFacts:
    """One with several effects whose cost no other canal has."""
    costs = [card.items("cost") for card in CANALS]
    return next(
        card
        for card in CANALS
        if costs.count(card.items("cost")) == 1 and len(card.items("effects") or ()) > 1
    )


def test_a_card_whose_lower_half_is_hidden_is_known_by_the_upper_one() -> None:
    card = canal_known_by_its_cost()
    plain = dict(IDENTIFIER.name(seen_of(card, without="effects")))
    covered = dict(IDENTIFIER.name(seen_of(card, without="effects", cover=LOWER_HALF)))
    assert covered[card.id] > 0.95
    assert covered[None] < 0.1 * plain[None]


def test_what_is_missing_in_plain_sight_still_speaks_against_a_card() -> None:
    card = canal_known_by_its_cost()
    elsewhere = Cover.of([np.array([(0.0, 0.4), (1.0, 0.4), (1.0, 0.6), (0.0, 0.6)])])
    plain = IDENTIFIER.name(seen_of(card, without="effects"))
    assert IDENTIFIER.name(seen_of(card, without="effects", cover=elsewhere)) == plain


def test_a_stranger_stays_one_where_its_visible_print_is_no_cards() -> None:
    known = canal_known_by_its_cost()
    strange = replace(
        known, fields=tuple(replace(field, items=(field.items or ())[:1] * 4) for field in known.fields)
    )
    assert IDENTIFIER.name(seen_of(strange, without="effects", cover=LOWER_HALF))[0][0] is None


def test_of_two_cards_that_fit_what_is_seen_the_one_with_more_to_hide_is_hardly_less_likely() -> None:
    """A symbol that nobody could see speaks against no card, however many of them a card has."""
    few = canal_known_by_its_cost()
    effects = next(field for field in few.fields if field.name == "effects")
    more = replace(
        few,
        id=CardId("more"),
        fields=tuple(
            replace(field, items=(*(effects.items or ()), *(effects.items or ())[:1]))
            if field.name == "effects"
            else field
            for field in few.fields
        ),
    )
    both = Identifier(CardPack(game="yu", name="two", cards=(few, more)), KINDS, anatomy=anatomy())
    named = dict(both.name(seen_of(few, without="effects", cover=LOWER_HALF)))
    assert named[more.id] > 0.5 * named[few.id]


def test_a_card_that_reads_well_is_no_back_though_a_piece_makes_it_look_strange() -> None:
    card = canal_known_by_its_cost()
    look = PlaceLook(
        empty=0.02,
        backs=((card.kind, 0.35),),
        fronts=((card.kind, 0.3),),
        unknown=0.33,
        upside_down=0.0,
        corners=np.zeros((4, 2)),
    )
    covered = IDENTIFIER.guesses(look, seen_of(card, without="effects", cover=LOWER_HALF))
    assert covered[0].card == card.id
    assert sum(guess.p for guess in covered) == pytest.approx(1)
    bare = IDENTIFIER.guesses(look, seen_of(card))
    assert bare[0].card != card.id, "without a piece on it the first glance is believed"


def test_a_house_that_is_taken_for_a_symbol_speaks_against_no_card() -> None:
    card = canal_known_by_its_cost()
    house = _symbol("effects", KINDS[0], Slot(0.8, 0.88, 0.2))
    clear = seen_of(card)
    fields = tuple(
        (name, (*symbols, house) if name == "effects" else symbols) for name, symbols in clear.fields
    )
    on_it = Cover.of([np.array([(0.65, 0.78), (1.0, 0.78), (1.0, 1.0), (0.65, 1.0)])])
    plain = dict(IDENTIFIER.name(replace(clear, fields=fields)))
    covered = dict(IDENTIFIER.name(replace(clear, fields=fields, cover=on_it)))
    assert covered[card.id] > 0.98
    assert covered[None] < 0.2 * plain[None]


def test_an_identifier_that_knows_no_places_takes_nothing_for_hidden() -> None:
    card = canal_known_by_its_cost()
    blind = Identifier(CardPack(game="yu", name="few", cards=tuple(CANALS)), KINDS)
    plain, covered = (
        blind.name(seen_of(card, without="effects", cover=cover)) for cover in (None, LOWER_HALF)
    )
    assert plain == covered


def test_the_picture_of_a_card_is_compared_only_where_nothing_stands_on_it() -> None:
    one, other = CardId("one"), CardId("other")
    upper, lower, lid = (card_picture(np.random.default_rng(seed)) for seed in (1, 2, 3))
    half = round(0.6 * len(upper))
    pictures = {one: upper, other: np.concatenate([upper[:half], lower[half:]])}
    seen = np.concatenate([upper[:half], lid[half:]])
    named = [(one, 0.5), (other, 0.45), (None, 0.05)]
    bare = Witness(pictures).speak(seen, named)
    covered = Witness(pictures).speak(seen, named, LOWER_HALF)
    assert max(bare.values()) == 0, "half a card in disguise is no proof"
    assert covered[one] == pytest.approx(covered[other], abs=0.3)
    assert min(covered.values()) > 1
