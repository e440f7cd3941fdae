"""Calm, moving, under a hand; and what is no hand."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.scenes import (
    Arm,
    Camera,
    board_picture,
    card_layout,
    card_picture,
    flat_table,
    grainy,
    paste,
    photograph,
    straight_camera,
)
from vision.frame import BgrImage, Frame
from vision.observation import Sight
from vision.pose import Pose
from vision.settle import Settle, TableStatus
from vision.table import Rect, Zone, ZoneId, ZoneKind

LAYOUT = card_layout()
CAMERA = straight_camera()
FPS = 15.0


class Table:
    """A filmed table: show it pictures, look at what `Settle` says about the last one."""

    def __init__(self, seed: int = 0, camera: Camera = CAMERA) -> None:
        self.rng = np.random.default_rng(seed)
        self.camera = camera
        self.flat = flat_table(board_picture(self.rng))
        for zone in LAYOUT.zones[:13]:
            paste(self.flat, card_picture(self.rng), zone.rect)
        self.settle = Settle()
        self.layout = LAYOUT
        self.index = 0

    def picture(self) -> BgrImage:
        return photograph(self.flat, self.camera, self.rng)

    def lay_card(self, zone: str) -> None:
        paste(self.flat, card_picture(self.rng), LAYOUT.zone(ZoneId(zone)).rect)

    def show(self, image: BgrImage, frames: int = 1, pose: Pose | None = None) -> TableStatus:
        for _ in range(frames):
            frame = Frame(index=self.index, captured_at=100 + self.index / FPS, image=grainy(image, self.rng))
            status = self.settle.update(frame, pose or self.camera.pose, self.layout)
            self.index += 1
        return status

    def show_all(self, images: Iterable[BgrImage]) -> list[TableStatus]:
        return [self.show(image) for image in images]


def reaching(table: Table, zone: str, image: BgrImage, **look: object) -> Callable[[float], BgrImage]:
    """A picture with an arm that has come a part of the way from the lower edge to a zone."""
    height, width = image.shape[:2]
    entry = np.array([width * 0.55, height + 60.0])
    target = table.camera.pose.project([LAYOUT.zone(ZoneId(zone)).rect.centre])[0]

    def at(part: float) -> BgrImage:
        tip = entry + (target - entry) * part
        return replace(Arm(entry=tuple(entry), tip=tuple(tip)), **look).drawn_on(image)  # type: ignore[arg-type]

    return at


def versions(status: TableStatus) -> dict[ZoneId, int]:
    return {zone.zone: zone.version for zone in status.zones}


def changed(before: TableStatus, after: TableStatus) -> set[str]:
    old = versions(before)
    return {zone for zone, version in versions(after).items() if version != old[zone]}


def test_a_table_that_nobody_touches_becomes_calm_and_stays_so() -> None:
    table = Table()
    image = table.picture()
    first = table.show(image)
    assert not first.calm
    calm = table.show(image, 6)
    assert calm.calm
    assert calm.still
    assert not calm.hand
    assert set(versions(calm).values()) == {1}
    assert not changed(calm, table.show(image, 10))


@pytest.mark.parametrize("skin", [(120, 150, 205), (70, 90, 140), (40, 55, 85)])
@pytest.mark.parametrize("sleeve", [(60, 50, 45), (230, 230, 230), (60, 40, 110)])
def test_a_zone_under_a_hand_is_hidden_whatever_the_skin_and_the_sleeve(
    skin: tuple[int, int, int], sleeve: tuple[int, int, int]
) -> None:
    table = Table(seed=1)
    image = table.picture()
    table.show(image, 8)
    at = reaching(table, "canal.3", image, skin=skin, sleeve=sleeve)
    moving_in = table.show_all(at(part) for part in np.linspace(0.2, 1.1, 7))
    resting = table.show(at(1.1), 14)
    for status in (moving_in[-1], resting):
        assert status[ZoneId("canal.3")].sight is Sight.HIDDEN
        assert status[ZoneId("canal.3")].why == "sight.hand"
        assert status.hand
        assert not status.calm
    assert resting[ZoneId("row.7")].sight is Sight.SEEN


def test_after_the_hand_only_the_zone_with_the_new_card_has_changed() -> None:
    table = Table(seed=2)
    image = table.picture()
    before = table.show(image, 8)
    at = reaching(table, "canal.4", image)
    table.show_all(at(part) for part in np.linspace(0.2, 1.0, 6))
    table.lay_card("canal.4")
    later = table.picture()
    at = reaching(table, "canal.4", later)
    table.show_all(at(part) for part in np.linspace(1.0, 0.1, 8))
    after = table.show(later, 8)
    assert after.calm
    assert changed(before, after) == {"canal.4"}


def test_a_hand_that_changes_nothing_changes_nothing() -> None:
    table = Table(seed=3)
    image = table.picture()
    before = table.show(image, 8)
    at = reaching(table, "row.2", image)
    table.show_all(at(part) for part in [*np.linspace(0.1, 1.0, 8), *np.linspace(1.0, 0.1, 8)])
    after = table.show(image, 8)
    assert after.calm
    assert not changed(before, after)


def test_a_card_newly_laid_is_a_change_and_not_a_hand() -> None:
    table = Table(seed=4)
    before = table.show(table.picture(), 8)
    table.lay_card("ready")
    after = table.show(table.picture(), 8)
    assert after.calm
    assert not after.hand
    assert changed(before, after) == {"ready"}


def test_one_small_piece_taken_from_its_spot_is_a_change() -> None:
    table = Table(seed=5)
    spot = LAYOUT.zone(ZoneId("home.2")).rect
    empty = table.flat.copy()
    house = np.full((20, 20, 3), (40, 140, 240), np.uint8)
    paste(table.flat, house, Rect(spot.x0 + 0.01, spot.y0 + 0.01, spot.x1 - 0.01, spot.y1 - 0.01))
    before = table.show(table.picture(), 8)
    table.flat = empty
    assert changed(before, table.show(table.picture(), 8)) == {"home.2"}


@pytest.mark.parametrize("factor", [0.35, 0.7, 1.35])
def test_a_lamp_switched_on_or_off_is_no_hand_and_no_change(factor: float) -> None:
    table = Table(seed=6)
    image = np.minimum(table.picture(), 180)
    before = table.show(image, 8)
    falloff = np.linspace(factor * 0.85, factor * 1.15, image.shape[1])[None, :, None]
    lit = np.clip(image * falloff, 0, 255).astype(np.uint8)
    during = [table.show(lit) for _ in range(8)]
    assert not any(status.hand for status in during)
    assert during[-1].calm
    assert not changed(before, during[-1])


def test_a_hand_is_still_seen_while_the_lamp_changes() -> None:
    table = Table(seed=7)
    image = table.picture()
    table.show(image, 8)
    at = reaching(table, "canal.2", image)
    table.show_all(at(part) for part in np.linspace(0.2, 1.1, 6))
    dimmed = (at(1.1) * 0.6).astype(np.uint8)
    assert table.show(dimmed, 4)[ZoneId("canal.2")].sight is Sight.HIDDEN
    gone = (image * 0.6).astype(np.uint8)
    table.show_all((at(part) * 0.6).astype(np.uint8) for part in np.linspace(1.1, 0.1, 6))
    assert table.show(gone, 8)[ZoneId("canal.2")].sight is Sight.SEEN


def test_in_the_dark_nothing_can_be_read_and_afterwards_nothing_has_changed() -> None:
    table = Table(seed=8)
    image = table.picture()
    before = table.show(image, 8)
    dark = table.show((image * 0.01).astype(np.uint8), 5)
    assert dark.dark
    assert {zone.why for zone in dark.zones} == {"sight.dark"}
    after = table.show(image, 8)
    assert after.calm
    assert not changed(before, after)


def test_a_camera_thrown_over_upsets_everything_until_it_lies_still() -> None:
    table = Table(seed=9)
    image = table.picture()
    before = table.show(image, 8)
    other = np.ascontiguousarray(np.roll(image, (90, 200), (0, 1))[::-1])
    upset = table.show(other, 3)
    assert upset.upset
    assert not upset.calm
    assert {zone.sight for zone in upset.zones} == {Sight.HIDDEN}
    assert changed(before, table.show(other, 45)) == {zone.id for zone in LAYOUT.zones}


def test_a_new_pose_makes_every_zone_new() -> None:
    table = Table(seed=10)
    image = table.picture()
    before = table.show(image, 8)
    shift = np.array([[1, 0, 6], [0, 1, 0], [0, 0, 1]])
    moved = Pose.of(shift @ table.camera.pose.matrix, table.camera.pose.lens)
    after = table.show(np.roll(image, 6, axis=1), 8, pose=moved)
    assert changed(before, after) == {zone.id for zone in LAYOUT.zones}


def test_a_hand_that_was_there_from_the_start_leaves_no_ghost() -> None:
    table = Table(seed=11)
    image = table.picture()
    at = reaching(table, "canal.3", image)
    table.show(at(1.0), 8)
    table.show_all(at(part) for part in np.linspace(1.0, 0.1, 8))
    assert table.show(image, 16)[ZoneId("canal.3")].sight is Sight.SEEN


def test_a_zone_outside_of_the_picture_is_unreadable_and_does_not_disturb_the_calm() -> None:
    close = straight_camera(seen=Rect(0.0, 0.0, 1.0, 0.5))
    table = Table(seed=12, camera=close)
    status = table.show(table.picture(), 8)
    assert status[ZoneId("supply")].why == "sight.out-of-view"
    assert status.calm


def test_a_piece_put_down_while_the_arm_rests_over_the_rest_of_its_heap_is_noticed() -> None:
    """It settles into the calm table before the heap is free again, and must count all the same."""
    table = Table(seed=5)
    image = table.picture()
    before = table.show(image, 8)
    x, y = LAYOUT.zone(ZoneId("supply")).rect.centre
    paste(table.flat, np.full((8, 8, 3), (200, 60, 40), np.uint8), Rect(x - 0.15, y, x - 0.12, y + 0.03))
    at = reaching(table, "supply", table.picture())
    table.show_all(at(part) for part in np.linspace(0.2, 0.9, 5))
    assert table.show(at(0.9), 12)[ZoneId("supply")].sight is Sight.HIDDEN
    table.show_all(at(part) for part in np.linspace(0.8, 0.0, 5))
    assert "supply" in changed(before, table.show(table.picture(), 10))


@pytest.mark.parametrize("seed", range(4))
def test_one_small_piece_more_in_a_wide_heap_is_a_change(seed: int) -> None:
    """A piece that touches another one shows little of itself: a five-hundredth of its heap."""
    table = Table(seed=seed)
    before = table.show(table.picture(), 8)
    x, y = LAYOUT.zone(ZoneId("supply")).rect.centre
    paste(table.flat, np.full((8, 8, 3), (200, 60, 40), np.uint8), Rect(x, y, x + 0.012, y + 0.012))
    assert changed(before, table.show(table.picture(), 8)) == {"supply"}


def test_what_an_arm_leaves_behind_where_cards_lie_anyhow_is_no_hand() -> None:
    """A card as large as a hand, that lies still where an arm was: not hidden for seconds."""
    table = Table(seed=6)
    image = table.picture()
    table.show(image, 8)
    place = Rect(0.20, 0.52, 0.325, 0.715)
    paste(table.flat, card_picture(table.rng), place)
    laid = table.picture()
    at = reaching(table, "ready", laid, width=0.09)
    table.show_all(at(part) for part in np.linspace(0.2, 1.3, 6))
    table.show_all(at(part) for part in np.linspace(1.2, 0.0, 6))
    assert table.show(laid, 8).calm


def test_a_card_of_a_spread_that_lies_at_the_edge_of_the_picture_is_no_arm() -> None:
    """The place for the hand of cards often ends with the picture; its cards touch the edge like an arm."""
    table = Table(seed=6, camera=straight_camera(seen=Rect(-0.05, -0.2, 1.05, 0.66)))
    spread = Zone(
        id=ZoneId("hand"),
        kind=ZoneKind.SPREAD,
        rect=Rect(0.1, 0.5, 0.9, 0.75),
    )
    table.layout = replace(LAYOUT, zones=(*LAYOUT.zones[:13], spread))
    table.show(table.picture(), 8)
    paste(table.flat, card_picture(table.rng), Rect(0.40, 0.53, 0.525, 0.725))
    laid = table.picture()
    at = reaching(table, "ready", laid, width=0.09)
    table.show_all(at(part) for part in np.linspace(0.9, 0.0, 8))
    assert table.show(laid, 16).calm


def test_a_card_laid_on_one_much_like_it_is_no_hand() -> None:
    """Without an arm that can be seen: a part of the new card's picture is all that differs."""
    table = Table(seed=6)
    image = table.picture()
    table.show(image, 8)
    place = LAYOUT.zone(ZoneId("row.3")).rect
    part = Rect(place.x0 + 0.02, place.y0 + 0.02, place.x1 - 0.02, place.y0 + 0.10)
    flat = table.flat.copy()
    for step in range(6):  # something moves there for a while
        table.flat = flat.copy()
        paste(table.flat, card_picture(table.rng), replace(part, y1=part.y1 + 0.012 * (step % 2)))
        table.show(table.picture(), 1)
    assert table.show(table.picture(), 14).calm


def test_what_came_without_an_arm_and_lies_still_over_several_places_is_soon_part_of_the_table() -> None:
    """Cards laid one by one from a dark sleeve: seen within seconds, and not hidden while somebody waits."""
    table = Table(seed=6)
    table.show(table.picture(), 8)
    places = [LAYOUT.zone(ZoneId(f"row.{number}")).rect for number in (2, 3, 4)]
    across = Rect(places[0].x0 + 0.03, places[0].y0 - 0.04, places[-1].x1 - 0.03, places[0].y1 - 0.04)
    flat = table.flat.copy()
    for step in range(6):
        table.flat = flat.copy()
        paste(table.flat, card_picture(table.rng), replace(across, x1=across.x1 + 0.012 * (step % 2)))
        table.show(table.picture(), 1)
    assert not table.show(table.picture(), 10).calm
    assert table.show(table.picture(), 28).calm


def test_a_faint_coin_that_a_hand_takes_from_a_large_place_is_noticed() -> None:
    """Brown on brown: no single pixel differs by much, and the coin is a small part of its place."""
    table = Table(seed=7)
    x, y = LAYOUT.zone(ZoneId("supply")).rect.centre
    bare = table.picture()
    coin = Rect(x - 0.012, y - 0.012, x + 0.012, y + 0.012)
    left, top, right, bottom = (
        int(value)
        for point in ((coin.x0, coin.y0), (coin.x1, coin.y1))
        for value in CAMERA.pose.project([point])[0]
    )
    laid = bare.copy()
    laid[top:bottom, left:right] = np.clip(laid[top:bottom, left:right].astype(int) - 10, 0, 255)
    before = table.show(laid, 8)
    at = reaching(table, "supply", laid)
    table.show_all(at(part) for part in np.linspace(0.2, 1.0, 6))
    at = reaching(table, "supply", bare)
    table.show_all(at(part) for part in np.linspace(1.0, 0.1, 8))
    after = table.show(bare, 8)
    assert after.calm
    assert changed(before, after) == {"supply"}
