"""The whole eye on a virtual table: what is known of every zone after a few calm frames."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import pytest

from assistant.games.yu import KIT
from assistant.kit import Dice
from assistant.measure import style_of
from assistant.virtual import set_up
from vision.cards import CardId
from vision.closer import CLOSER
from vision.cuts import LooseCard, cut_number
from vision.fields import limits_of
from vision.frame import BgrImage, Frame
from vision.identify import Identifier
from vision.locate import find_spread
from vision.networks import Networks
from vision.observation import CardSighting, Look, Observation, Sight, ZoneSighting
from vision.observe import Eye
from vision.photo_eyes import NetworkEyes, read_zones
from vision.pieces import HEAPS, PieceReader
from vision.places import PlacePicture, PlaceReader
from vision.pose import Lens, Pose
from vision.read import CardReader
from vision.reader import CardCut, ReadCard
from vision.rectify import rectify
from vision.register import Lost, Means, Registration, fit_pose
from vision.settle import TableStatus, ZoneStatus
from vision.standing import Bodies
from vision.table import PieceKind, PlacedCard, Rect, TableView, Zone, ZoneId, ZoneKind, ZoneView
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.shot import Shot

GAME = KIT.bind(KIT.demo_pack())


def pose_of(shot: Shot) -> Pose:
    grid = np.array([(x, y) for x in np.linspace(0, 1, 6) for y in np.linspace(0, 0.49, 4)])
    pixels = shot.camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    height, width = shot.image.shape[:2]
    return fit_pose(grid, pixels, Lens(width=width, height=height), fit_curve=True)


@dataclass(frozen=True)
class Watched:
    eye: Eye
    view: TableView
    image: BgrImage
    last: Observation


@cache
def watched() -> Watched:
    """Round one of a game on the default table, looked at for four frames."""
    dice, state = Dice("observe"), GAME.initial()
    while state.phase.value != "actions":
        state = GAME.apply(state, GAME.policies["greedy"](state, dice))
    view = GAME.view(state)
    art = load_table_art(KIT.folder)
    shot = drawn_scene(GAME.layout, GAME.pack, art, SceneStyle()).shoot_view(view, 3)
    networks = Networks()
    reader = CardReader(art.anatomy, networks, limits=limits_of(KIT.pack_rules), pack=GAME.pack)
    found = Registration(means=Means.CORNERS, pose=pose_of(shot), error_px=0.5, support=4)
    eye = Eye(
        layout=GAME.layout,
        find=lambda _frame, _near: found,
        places=PlaceReader(GAME.layout, reader, Identifier(GAME.pack, reader.item_kinds), find_spread),
        pieces=PieceReader(networks),
        bodies=Bodies({kind: shape.bulk() for kind, shape in art.shapes.items()}),
    )
    seen = [eye.observe(frame_of(shot.image, number)) for number in range(4)]
    return Watched(eye, view, shot.image, seen[-1])


def frame_of(image: BgrImage, number: int) -> Frame:
    return Frame(index=number, captured_at=number * 0.3, image=image)


def sighting(zone: str) -> ZoneSighting:
    return next(seen for seen in watched().last.zones if seen.zone == zone)


def test_a_still_table_is_calm_and_every_zone_on_the_board_is_seen() -> None:
    last = watched().last
    assert last.registered
    assert last.calm
    unseen = {seen.zone for seen in last.zones if seen.sight is not Sight.SEEN}
    assert not {zone for zone in unseen if zone.startswith(("row", "canal", "farm", "outpost", "hut"))}


def test_a_table_is_looked_at_until_every_zone_was_read_a_few_times() -> None:
    """Before that another look may tell it otherwise, and what was told from the first is thought over."""
    eye = watched().eye.fresh()
    image = watched().image
    seen = [eye.observe(frame_of(image, 0))]
    while not eye.idle:
        seen.append(eye.observe(frame_of(image, len(seen))))
    assert len(seen) < 60
    calm = [observation.looking for observation in seen if observation.calm]
    assert calm[0]
    assert not calm[-1]
    assert not calm[-2], "known at once, not only when nothing is left to read"


@pytest.mark.parametrize("zone", [f"row-{space}" for space in range(1, 8)])
def test_the_cards_of_the_row_are_named(zone: str) -> None:
    best = sighting(zone).cards[0].guesses[0]
    assert (best.look, best.card) == (Look.FRONT, watched().view[ZoneId(zone)].cards[0].card)


@pytest.mark.parametrize(
    "zone", [*(f"farm-home-{n}" for n in (1, 2, 3)), *(f"outpost-home-{n}" for n in (1, 2, 3, 4))]
)
def test_the_houses_are_seen_at_home(zone: str) -> None:
    (house,) = sighting(zone).pieces
    assert house.counts[0][0] == 1


def test_a_place_for_cards_that_no_network_knows_is_looked_at_all_the_same() -> None:
    """That some card lies there is most of what a game needs to know of it."""
    assert sighting("story").sight is Sight.SEEN


@pytest.mark.parametrize("seed", [7700, 7900, 8500, 8501])
def test_a_card_that_no_network_has_learnt_is_some_card_and_no_bare_place(seed: int) -> None:
    places = watched().eye.places
    lying = ZoneView(zone=ZoneId("story"), cards=(PlacedCard(CardId("story-ferry")),))
    view = TableView(tuple(lying if zone.zone == "story" else zone for zone in watched().view.zones))
    style = SceneStyle.sample(seed, Split.HELD_OUT)
    scene = drawn_scene(GAME.layout, GAME.pack, load_table_art(KIT.folder), style)
    shot = scene.shoot_view(view, 3)
    pose = pose_of(shot)
    zone = GAME.layout.zone(ZoneId("story"))
    picture = rectify(shot.image, pose, places.area(zone), places.pixels_per_unit)
    ((seen,),) = places.read([PlacePicture(zone=zone, picture=picture)], pose)
    assert (seen.guesses[0].look, seen.guesses[0].card) == (Look.FRONT, None)


def test_an_outline_in_doubt_is_a_card_if_it_can_be_read_and_is_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A card on a mat of its own colour shows only part of its rim, and so do the parts of a card."""
    eye = watched().eye
    zone = GAME.layout.zone(ZoneId("hand"))
    pose = eye.find(frame_of(watched().image, 9), None).pose
    assert pose is not None
    picture = rectify(watched().image, pose, eye.places.area(zone), eye.places.pixels_per_unit)
    scale = eye.places.pixels_per_unit
    size = (scale * GAME.layout.card_width, scale * GAME.layout.card_height)
    cards = [card.corners for card in find_spread(picture, size)]
    mat = np.array([(0, 0), (size[0], 0), size, (0, size[1])]) + 2.0
    assert len(cards) >= 2
    doubtful = [cards[0] + 3.0, mat, *cards[1:]]
    found = [LooseCard(corners=corners, sure=False) for corners in doubtful]
    found.insert(0, LooseCard(corners=cards[0], sure=True))
    monkeypatch.setattr(eye.places, "_spread", lambda *_: found)
    (seen,) = eye.places.read([PlacePicture(zone=zone, picture=picture)], pose)
    names = sorted(str(card.guesses[0].card) for card in seen)
    assert names == sorted(str(placed.card) for placed in watched().view[zone.id].cards)


def test_a_card_of_a_spread_is_read_knowing_which_cards_lie_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read of a neighbour's edge over a banner made another card of one, at 0.91."""
    places, pose = watched().eye.places, watched().eye.pose
    assert pose is not None
    zone = GAME.layout.zone(ZoneId("hand"))
    picture = rectify(watched().image, pose, places.area(zone), places.pixels_per_unit)
    width, height = (
        side * places.pixels_per_unit for side in (GAME.layout.card_width, GAME.layout.card_height)
    )
    (upright, *_) = find_spread(picture, (width, height))
    to_left = upright.corners - 0.7 * (upright.corners[1] - upright.corners[0])
    below = replace(upright, covers=(to_left,))
    monkeypatch.setattr(places, "_spread", lambda *_: [below])
    (card,) = places.cards([PlacePicture(zone=zone, picture=picture)], pose)
    assert card.cover is not None
    assert card.cover.share(0.15, 0.5, 0.2, 0.9) > 0.95
    assert card.cover.share(0.65, 0.5, 0.6, 0.9) == 0


def test_a_card_is_read_knowing_what_stands_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Huts stand on cards: their places are looked at first, and what they hide is told to the reader."""
    eye, shades = watched().eye.fresh(), {}
    read = eye.places.read

    def spy(places: Sequence[PlacePicture], pose: Pose) -> tuple[tuple[CardSighting, ...], ...]:
        shades.update({place.zone.id: place.shades for place in places})
        return read(places, pose)

    monkeypatch.setattr(eye.places, "read", spy)
    for number in range(4):
        eye.observe(frame_of(watched().image, number))
    homes = {zone.id: zone for zone in GAME.layout.zones if zone.id.startswith("hut-home")}
    assert homes
    for name, home in homes.items():
        on_card = shades[ZoneId(name.replace("home", "card"))]
        inside = [
            cv2.pointPolygonTest(shade.astype(np.float32), home.rect.centre, False) for shade in on_card
        ]
        assert max(inside) > 0
    assert all(shades[ZoneId(f"row-{space}")] == () for space in range(1, 8))


def test_small_print_is_read_in_the_frame_itself_where_the_card_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    eye, cards = watched().eye.fresh(), list[CardCut]()
    read = eye.places.reader.read

    def spy(cuts: Sequence[CardCut]) -> tuple[ReadCard, ...]:
        cards.extend(cuts)
        return read(cuts)

    monkeypatch.setattr(eye.places.reader, "read", spy)
    for number in range(4):
        eye.observe(frame_of(watched().image, number))
    off = []
    for card in cards:
        assert card.original is not None
        height, width = card.image.shape[:2]
        one, other = (cut_number(of, width / 2, 0.9 * height, 30.0) for of in (card.image, card.original))
        off.append(float(np.abs(one.astype(int) - other).mean()))
    assert len(off) > 20
    assert max(off) < 12  # of 255: softer, but the same print in the same place


def test_guesses_and_counts_are_distributions() -> None:
    for seen in watched().last.zones:
        for card in seen.cards:
            assert sum(guess.p for guess in card.guesses) == pytest.approx(1, abs=1e-3)
        for pieces in seen.pieces:
            assert sum(share for _, share in pieces.counts) == pytest.approx(1, abs=1e-2)


def test_a_zone_that_did_not_change_is_not_read_for_ever() -> None:
    eye, image = watched().eye, watched().image
    for number in range(4, 40):
        eye.observe(frame_of(image, number))
    reads = {memory.reads for memory in eye._memory.values()}
    assert max(reads) == 3


def test_without_a_board_nothing_is_said_about_zones() -> None:
    lost = Registration(means=Means.PICTURE, lost=Lost.UNLIKE, cause="not to be seen")
    eye = Eye(
        layout=GAME.layout,
        find=lambda _frame, _near: lost,
        places=watched().eye.places,
        pieces=watched().eye.pieces,
    )
    seen = eye.observe(frame_of(watched().image, 0))
    assert not seen.registered
    assert seen.zones == ()


def test_a_photograph_whose_board_is_known_is_read_zone_by_zone_with_its_pieces() -> None:
    places = watched().eye.places
    eyes = NetworkEyes(places.reader, places.identifier, watched().eye.pieces)
    pose = watched().eye.pose
    assert pose is not None
    zones = {zone.zone: zone for zone in read_zones(watched().image, pose, GAME.layout, eyes)}
    (house,) = zones[ZoneId("farm-home-1")].pieces
    assert house.counts[0][0] == 1
    truth = watched().view[ZoneId("row-1")].cards[0].card
    assert zones[ZoneId("row-1")].cards[0].guesses[0].card == truth


def test_pictures_of_another_size_are_registered_again_before_anything_is_read() -> None:
    image = watched().image
    known = watched().eye

    def find(frame: Frame, _near: Pose | None) -> Registration:
        assert known.pose is not None
        height, width = frame.image.shape[:2]
        pose = known.pose.resized(width, height)
        return Registration(means=Means.CORNERS, pose=pose, error_px=0.5, support=4)

    eye = Eye(layout=GAME.layout, find=find, places=known.places, pieces=known.pieces)
    for index, size in enumerate(((1920, 1080), (1280, 720), (1920, 1080))):
        resized = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        assert eye.observe(Frame(index=index, captured_at=index / 10, image=resized)).registered
        assert eye.pose is not None
        assert eye.pose.is_for(resized)


class OfPlacesOnly(Networks):
    """The networks without those of heaps, which are not taken in by veins."""

    def __contains__(self, name: str) -> bool:
        return name not in (HEAPS, CLOSER) and super().__contains__(name)


def test_veins_of_the_table_are_no_pieces_once_the_game_says_that_nothing_lies_there() -> None:
    view = GAME.view(set_up(GAME, Dice("bare")))
    style = style_of(8701, hard=True)
    scene = drawn_scene(GAME.layout, GAME.pack, load_table_art(KIT.folder), style)
    shot = scene.shoot_view(view, 3)
    found = Registration(means=Means.CORNERS, pose=pose_of(shot), error_px=0.5, support=4)
    careless = PieceReader(OfPlacesOnly())
    places = watched().eye.places
    eye = Eye(layout=GAME.layout, find=lambda _frame, _near: found, places=places, pieces=careless)

    def phantoms(look: Observation) -> float:
        (supply,) = (seen for seen in look.zones if seen.zone == "supply")
        return sum(number * share for count in supply.pieces for number, share in count.counts)

    supply = ZoneId("supply")
    first = [eye.observe(frame_of(shot.image, number)) for number in range(4)][-1]
    assert phantoms(first) > 3, "or there is nothing to learn"
    eye.take_as_bare({supply})
    assert phantoms(eye.observe(frame_of(shot.image, 4))) < 1
    assert eye.fresh()._phantoms.knows(supply), "a reader that hung has not to be taught again"


def test_the_spaces_beside_one_that_changed_are_read_again() -> None:
    """A marker that leaned over two spaces was still seen on the one below it long after it had gone."""
    spots = tuple(
        Zone(
            id=ZoneId(f"space-{number}"),
            kind=ZoneKind.SPOT,
            rect=Rect(0.1 + 0.03 * number, 0.1, 0.13 + 0.03 * number, 0.13),
            pieces=(PieceKind("flood"),),
            track="" if number == 4 else "river",
        )
        for number in range(5)
    )
    old = watched().eye
    layout = replace(GAME.layout, zones=spots)
    eye = Eye(layout=layout, find=old.find, places=old.places, pieces=old.pieces)

    def due(*versions: int) -> tuple[list[ZoneId], list[ZoneId]]:
        zones = tuple(
            ZoneStatus(zone=spot.id, sight=Sight.SEEN, version=version)
            for spot, version in zip(spots, versions, strict=True)
        )
        status = TableStatus(zones=zones, calm=True, still=True, hand=False, upset=False, dark=False)
        new, again = eye._due(status)
        for zone in new:
            eye._memory[zone.id].reads = 9
        return sorted(zone.id for zone in new), [zone.id for zone in again]

    assert len(due(1, 1, 1, 1, 1)[0]) == len(spots)
    assert due(1, 1, 1, 1, 1) == ([], [])
    assert due(1, 2, 1, 1, 1) == (["space-0", "space-1", "space-2"], [])
    assert due(1, 2, 1, 2, 1) == (["space-2", "space-3"], []), "the last one is no space of the track"
