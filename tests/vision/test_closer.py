"""A closer look at heaps: a brick and a figure of one red are told apart, one point is one piece."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from assistant.games.yu import KIT
from assistant.games.yu.pieces import CLAY, COWRIE, RED, TOTALS, WHITE, taken
from assistant.measure import style_of
from assistant.virtual import calibrated, scene_of
from vision.closer import CLOSER, CloserLook, one_point_each
from vision.frame import Frame
from vision.marks import Mark
from vision.networks import Join, MixUp, Networks
from vision.pieces import PIXELS_PER_UNIT, PieceReader, doubtful
from vision.rectify import Rectified, rectify
from vision.table import PieceKind, Rect, Zone, ZoneId, ZoneKind

BRICK, FIGURE, LOG = PieceKind("clay"), PieceKind("red"), PieceKind("wood")
HEAP = Zone(id=ZoneId("heap"), kind=ZoneKind.HEAP, rect=Rect(0.0, 0.0, 0.2, 0.2), pieces=(BRICK, FIGURE, LOG))
MIDDLE = 39.5
"""Of the 80 pixels that are looked at."""


class Tells(Networks):
    """Stands for the networks: what it answers at every point is given."""

    def __init__(self, *mix_ups: MixUp, **scores: float) -> None:
        self.scores = scores
        self.mixed = mix_ups
        self.seen: list[NDArray[np.uint8]] = []

    def __contains__(self, name: str) -> bool:
        return name == CLOSER

    def answers(self, name: str) -> tuple[str, ...]:
        assert name == CLOSER
        return (*self.scores, "nothing")

    def join(self, name: str, *, store: bool = False) -> Join:
        assert name == CLOSER
        sureness = 0.5 if store else 1.0
        return Join(kind_look=sureness, kind_marks=0.5, there_marks=0.5, there_look=1.0, there_offset=0.0)

    def mix_ups(self, name: str) -> tuple[MixUp, ...]:
        assert name == CLOSER
        return self.mixed

    def run(self, name: str, images: NDArray[np.uint8]) -> NDArray[np.float32]:
        assert name == CLOSER
        self.seen += list(images)
        return np.array([[*self.scores.values(), 0.0]] * len(images), np.float32)


def picture() -> Rectified:
    side = round(0.2 * PIXELS_PER_UNIT)
    image = np.zeros((side, side, 3), np.uint8)
    image[90, 45] = 255
    return Rectified(image=image, rect=HEAP.rect, pixels_per_unit=PIXELS_PER_UNIT)


def mark(kind: PieceKind, x: float, y: float, p: float) -> Mark:
    return Mark(kind, x, y, p)


def test_marks_nearer_than_two_pieces_can_lie_are_one_point() -> None:
    strong, weak, far = mark(BRICK, 0.05, 0.1, 0.6), mark(FIGURE, 0.054, 0.1, 0.4), mark(LOG, 0.07, 0.1, 0.9)
    assert one_point_each([weak, strong, far]) == [[far], [strong, weak]]


def test_what_is_looked_at_lies_around_the_likeliest_mark() -> None:
    networks = Tells(clay=12.0, red=0.0)
    centre = (45.5 / PIXELS_PER_UNIT, 90.5 / PIXELS_PER_UNIT)
    CloserLook(networks).judged([mark(BRICK, *centre, 0.6), mark(FIGURE, 0.054, 0.1, 0.3)], picture())
    straight, mirrored = networks.seen
    rows, columns = np.nonzero(straight[..., 0])
    assert (rows.mean(), columns.mean()) == (MIDDLE, MIDDLE)
    assert (mirrored == straight[:, ::-1]).all()


def test_a_point_in_doubt_is_looked_at_from_every_side() -> None:
    networks = Tells(clay=3.0, red=2.5)
    beside = mark(BRICK, 40.5 / PIXELS_PER_UNIT, 80.5 / PIXELS_PER_UNIT, 0.6)
    CloserLook(networks).judged([beside], picture())
    spots = {
        tuple((np.argwhere(patch[..., 0]).mean(axis=0) - MIDDLE).tolist()) for patch in networks.seen[2:]
    }
    assert spots == {(y, x) for a, b in ((5, 10), (10, 5)) for y in (a, -a) for x in (b, -b)}


def test_the_shares_of_one_point_are_those_of_one_piece() -> None:
    look = CloserLook(Tells(clay=6.0, red=6.0))
    marks = look.judged([mark(BRICK, 0.05, 0.1, 0.5), mark(FIGURE, 0.054, 0.1, 0.5)], picture())
    assert sum(share.p for share in marks) <= 1
    clay, red, _ = PieceReader.count(HEAP, marks)
    assert dict(clay.counts)[1] == pytest.approx(dict(red.counts)[1])
    assert dict(clay.counts)[1] == pytest.approx(0.5, abs=0.01)


def test_a_mistake_that_is_made_with_confidence_leaves_a_doubt() -> None:
    """A Red Worker that lay was Clay with 1.00, and a game was told otherwise because of it."""
    mixed = MixUp(called="clay", other="red", share=0.02)
    looks = [[mark(kind, 0.05, 0.1, 0.9)] for kind in (BRICK, FIGURE)]
    sure, doubting = CloserLook(Tells(clay=12.0, red=0.0)), CloserLook(Tells(mixed, clay=12.0, red=0.0))
    assert [share.kind for share in sure.judged(looks[0], picture())] == [BRICK]
    brick, figure = doubting.judged(looks[0], picture())
    assert figure.p / (brick.p + figure.p) == pytest.approx(0.02)
    assert [piece.kinds[0][0] for piece in doubtful(HEAP, [[brick, figure]])] == [BRICK]
    # The other way round nothing was ever mixed up.
    surely_red = CloserLook(Tells(mixed, clay=0.0, red=12.0)).judged(looks[1], picture())
    assert [share.kind for share in surely_red] == [FIGURE]


def test_a_mark_on_nothing_is_no_piece() -> None:
    look = CloserLook(Tells(clay=-9.0, red=-9.0))
    assert all(share.p < 0.1 for share in look.judged([mark(BRICK, 0.05, 0.1, 0.6)], picture()))


def test_marks_of_kinds_that_the_closer_look_does_not_know_stay_as_they_are() -> None:
    log = mark(LOG, 0.05, 0.1, 0.7)
    assert CloserLook(Tells(clay=1.0)).judged([log], picture()) == [log]


def lattice(p: float) -> list[Mark]:
    """Fifty points in rows."""
    return [mark(BRICK, 0.01 * column, 0.01 * line, p) for column in range(10) for line in range(5)]


def test_a_store_with_more_pieces_than_anybody_counts_is_looked_at_once_and_believed_less() -> None:
    networks = Tells(clay=-1.0, red=3.0)
    look = CloserLook(networks)
    (likeliest, *_) = sorted(look.judged(lattice(0.9), picture()), key=lambda share: -share.p)
    assert len(networks.seen) == 50
    assert likeliest.kind == BRICK  # as it was marked
    (likeliest, *_) = sorted(look.judged(lattice(0.9)[:1], picture()), key=lambda share: -share.p)
    assert likeliest.kind == FIGURE


def test_many_points_that_are_hardly_pieces_make_no_store() -> None:
    """In veins of pale marble 53 points were marked around seven pieces, and none was looked at closer."""
    networks = Tells(clay=-9.0, red=-9.0)
    marks = CloserLook(networks).judged(lattice(0.3), picture())
    assert len(networks.seen) == 2 * 50
    assert all(share.p < 0.05 for share in marks)


def test_without_marks_nothing_is_looked_at() -> None:
    networks = Tells(clay=1.0)
    assert CloserLook(networks).judged([], picture()) == []
    assert networks.seen == []


@cache
def read_drawn_heap(seed: int, *, closer: bool) -> dict[str, int]:
    """What is read where two White, two Red, two Clay and two Cowries lie on grained wood."""
    game = KIT.bind(KIT.demo_pack())
    scene = scene_of(KIT, game, style_of(9407, hard=True))
    supply = tuple(2 if kind in (WHITE, RED, CLAY, COWRIE) else 0 for kind in range(len(TOTALS)))
    view = game.view(game.initial().but(supply=supply, main=taken(TOTALS, supply)))
    image = scene.shoot_view(view, seed).image
    found = calibrated(game.layout.board, scene)(Frame(index=0, captured_at=0.0, image=image), None)
    assert found is not None
    assert found.pose is not None
    reader = PieceReader(Networks() if closer else MarksOnly())
    zone = game.layout.zone(ZoneId("supply"))
    flat = rectify(image, found.pose, reader.area(zone), PIXELS_PER_UNIT)
    counts = reader.read(zone, flat, game.layout.zones)
    return {str(seen.kind): seen.counts[0][0] for seen in counts if seen.counts[0][0]}


class MarksOnly(Networks):
    """The networks without the one that looks closer."""

    def __contains__(self, name: str) -> bool:
        return name != CLOSER and super().__contains__(name)


@pytest.mark.parametrize("seed", [6, 16, 36])
def test_a_closer_look_tells_figures_bricks_and_the_grain_of_the_table_apart(seed: int) -> None:
    truth = {"white": 2, "red": 2, "clay": 2, "cowrie": 2}
    assert read_drawn_heap(seed, closer=True) == truth
    assert read_drawn_heap(seed, closer=False) != truth
