"""Seats may lie anywhere and be turned any way; what a player holds lies on no table."""

import pytest

from assistant.games.yro import KIT
from assistant.kit import Dice
from assistant.virtual import set_up, visible
from vision.rectify import table_rect
from vision.table import TableLayout, ZoneId
from vision.virtual.drawn import load_table_art
from vision.virtual.placing import Placements


def layout(players: int, **seats: str) -> TableLayout:
    confirmed = {f"seat.{name[-1]}": where for name, where in seats.items()}
    return KIT.bind(KIT.demo_pack(), {"players": str(players), **confirmed}).layout


def centre(table: TableLayout, zone: str) -> tuple[float, float]:
    return table.zone(ZoneId(zone)).rect.centre


@pytest.mark.parametrize(
    ("turn", "front"),
    [(0, (0, -1)), (90, (1, 0)), (180, (0, 1)), (270, (-1, 0))],
)
def test_the_front_of_a_turned_grid_points_away_from_its_player(turn: int, front: tuple[int, int]) -> None:
    table = layout(2, seat_2=f"2.0 1.5 {turn}")
    near, far = centre(table, "grid-2-7"), centre(table, "grid-2-1")
    step = (far[0] - near[0], far[1] - near[1])
    assert step == pytest.approx((0.432 * front[0], 0.432 * front[1]))
    seat = [zone for zone in table.zones if zone.id.startswith(("grid-2", "coins-2", "chosen-2"))]
    assert {zone.turn_deg for zone in seat} == {turn}
    assert min(zone.rect.x0 for zone in seat) == pytest.approx(2.0)
    assert min(zone.rect.y0 for zone in seat) == pytest.approx(1.5)


@pytest.mark.parametrize("where", ["here", "1 2", "1 2 45", "99 0 0", "nan 0 0", "1 2 3 4"])
def test_a_seat_that_is_nowhere_is_refused_with_an_example(where: str) -> None:
    with pytest.raises(Exception, match=r"such as '1.06 -0.11 270'"):
        layout(2, seat_1=where)


def test_cards_of_turned_seats_are_laid_turned() -> None:
    game = KIT.bind(KIT.demo_pack(), {"players": "4"})
    state = set_up(game, Dice(3))
    for _ in range(60):
        state = game.apply(state, game.policies["greedy"](state, Dice(3)))
    shapes = load_table_art(KIT.folder).shapes
    table = Placements(game.layout.on_table(), shapes, seed=1, untidy=0.3)
    table.lay(game.view(state))
    angles = {number: table.cards[ZoneId(f"board-{number}")][0].angle_deg for number in range(1, 5)}
    assert all(abs(angles[number]) < 15 for number in (1, 2))
    assert all(abs(angles[number] - 180) < 15 for number in (3, 4))


@pytest.mark.parametrize("players", range(1, 6))
def test_on_the_page_everybody_is_upright_and_nothing_is_missing(players: int) -> None:
    game = KIT.bind(KIT.demo_pack(), {"players": str(players)})
    assert game.on_page is not None
    assert [zone.id for zone in game.on_page.zones] == [zone.id for zone in game.layout.zones]
    assert {zone.turn_deg for zone in game.on_page.zones} == {0}


def test_held_cards_are_in_the_view_and_on_no_table() -> None:
    game = KIT.bind(KIT.demo_pack(), {"players": "2"})
    before = set_up(game, Dice(1))
    on_table = game.layout.on_table()
    assert not any(zone.id.startswith("hand") for zone in on_table.zones)
    assert len(game.view(before)[ZoneId("hand-1")].cards) == 5
    assert not any(zone.zone.startswith("hand") for zone in game.view(before).within(on_table).zones)
    kept = game.apply(before, game.parse("keep 1"))
    after = game.apply(kept, game.parse("keep 2"))
    assert visible(game.layout, game.view(after)) == visible(game.layout, game.view(before))


def test_every_seat_lies_within_a_table_of_four_by_two_boards() -> None:
    for players in range(1, 6):
        rect = table_rect(layout(players).on_table())
        assert rect.width < 3.0
        assert rect.height < 2.0
