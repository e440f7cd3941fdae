"""The table of YRO: zones for any number of players, art for what lies there, adopting what is told."""

import re
from pathlib import Path

import pytest

from assistant.games.yro import KIT
from assistant.games.yro.adopt import adopt
from assistant.games.yro.check import check
from assistant.games.yro.pack import COLOURS
from assistant.games.yro.policies import random_policy
from assistant.games.yro.purse import moved, ways, worth
from assistant.games.yro.sound import problems
from assistant.games.yro.state import Phase, State
from assistant.games.yro.view import view
from assistant.kit import Dice
from tests.assistant.games.yro.builders import cards, copy_for, grid, position
from tests.assistant.observations import patched
from vision.cards import CardId
from vision.table import PieceCount, PieceKind, PlacedCard, Side, ZoneId, ZoneView
from vision.virtual.drawn import TableArt, load_table_art
from vision.virtual.faces import card_face

ROOT = Path(__file__).parents[4]
TWO = copy_for(2)


@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.parametrize("variant", ["no", "yes"])
def test_every_zone_of_a_view_is_in_the_layout_for_so_many_players(players: int, variant: str) -> None:
    options = {"players": str(players), "quests": variant, "draft": variant}
    game = KIT.bind(KIT.demo_pack(), options)
    zones = {zone.id for zone in game.layout.zones}
    play, dice, state = (
        random_policy(copy_for(players, quests=variant, draft=variant)),
        Dice(1),
        game.initial(),
    )
    while game.outcome(state) is None:
        for _ in range(7):
            if game.outcome(state) is None:
                state = game.apply(state, play(state, dice))
        seen = game.view(state)
        assert {zone.zone for zone in seen.zones} == zones
        assert game.adopt(state, seen) == state
        assert game.decode(game.encode(state)) == state


def test_seats_do_not_overlap() -> None:
    for players in range(1, 6):
        layout = KIT.bind(KIT.demo_pack(), {"players": str(players)}).layout
        rects = [zone.rect for zone in layout.zones if zone.above is None] + [layout.board]
        off_board = [rect for rect in rects if not (rect.x0 >= 0 and rect.x1 <= 1 and 0 <= rect.y0 < 0.56)]
        for index, one in enumerate(off_board):
            for other in off_board[index + 1 :]:
                apart = one.x1 <= other.x0 or other.x1 <= one.x0 or one.y1 <= other.y0 or other.y1 <= one.y0
                assert apart, (players, one, other)


@pytest.fixture(scope="module")
def art() -> TableArt:
    return load_table_art(KIT.folder)


def test_every_piece_has_a_shape_and_every_card_a_face(art: TableArt) -> None:
    layout = KIT.bind(KIT.demo_pack(), {"players": "5"}).layout
    assert {kind for zone in layout.zones for kind in zone.pieces} <= set(art.shapes)
    for card in KIT.demo_pack().cards[::4]:
        assert card_face(card, art.anatomy, height_px=100).shape[2] == 4


def test_two_cards_that_differ_in_cost_only_look_different(art: TableArt) -> None:
    one = KIT.demo_pack()[CardId("young-squire")]
    other = KIT.demo_pack()[CardId("lance-rider")]
    assert (card_face(one, art.anatomy, height_px=100) != card_face(other, art.anatomy, height_px=100)).any()


def adopted(state: State, *zones: ZoneView) -> State:
    after = adopt(TWO, state, patched(view(TWO, state), zones))
    assert list(problems(TWO, after)) == []
    return after


LONE = grid("otter-scout . .", ". . .", ". . .")


def test_a_card_seen_in_a_grid_leaves_the_deck() -> None:
    state = position(TWO, Phase.RECRUIT, {"grid": LONE})
    after = adopted(state, ZoneView(zone=ZoneId("grid-1-2"), cards=(PlacedCard(CardId("root-giant")),)))
    assert after.players[0].grid[:2] == ("otter-scout", "root-giant")
    assert CardId("root-giant") not in after.mixes[0]
    assert check(TWO, after) == ()


def test_a_loose_card_and_a_wrong_coin_are_judged() -> None:
    state = position(TWO, Phase.RECRUIT, {"grid": LONE})
    loose = adopted(state, ZoneView(zone=ZoneId("grid-1-9"), cards=(PlacedCard(CardId("root-giant")),)))
    assert [found.rule for found in check(TWO, loose)] == ["R-R2"]


def test_coins_on_the_table_are_taken_at_their_word() -> None:
    coins = ZoneView(zone=ZoneId("coins-2"), pieces=(PieceCount(PieceKind("coin-6"), 2),))
    after = adopted(position(TWO, Phase.INCOME), coins)
    assert after.players[1].coins == (0, 0, 2)
    assert worth(after.bank) == worth(TWO.box) - 5 - 12


def test_a_turned_marker_is_read_as_more_than_20() -> None:
    state = position(TWO, Phase.SPOILS, {"force": 18})
    seen = [
        ZoneView(zone=ZoneId("force-18")),
        ZoneView(zone=ZoneId("force-3"), pieces=(PieceCount(PieceKind(f"guild-{COLOURS[0]}-over"), 1),)),
    ]
    assert adopted(state, *seen).players[0].force == 23


def test_the_player_may_say_what_they_hold() -> None:
    hand = position(TWO, Phase.CHOOSE, {"hand": cards("otter-scout tide-runner")})
    told = (PlacedCard(CardId("root-giant")), PlacedCard(None, Side.DOWN))
    after = adopted(hand, ZoneView(zone=ZoneId("hand-1"), cards=told))
    assert CardId("root-giant") in after.players[0].hand
    assert len(after.players[0].hand) == 2


def test_a_card_that_was_to_be_placed_and_is_gone_holds_nobody_up() -> None:
    state = position(TWO, Phase.RECRUIT, {"placing": cards("otter-scout")}, todo=())
    after = adopted(state, ZoneView(zone=ZoneId("chosen-1")))
    assert after.phase is not Phase.RECRUIT


@pytest.mark.parametrize("value", range(25))
def test_money_keeps_its_worth_whatever_is_paid(value: int) -> None:
    for coins in ways(value):
        for gain in range(-value, 12):
            purse, bank = moved(coins, (20, 20, 16), gain)
            assert worth(purse) == value + gain
            assert worth(purse) + worth(bank) == value + worth((20, 20, 16))
            assert min(purse) >= 0


def test_no_file_outside_the_folder_names_the_game() -> None:
    """Its tests, docs and the changelog may; the machinery must not."""
    endings = {".py", ".js", ".css", ".html", ".toml", ".svg", ".cfg"}
    named = [
        str(path.relative_to(ROOT))
        for room in ("assistant", "calibration", "models", "vision", "scripts")
        for path in (ROOT / room).rglob("*")
        if path.suffix in endings
        and KIT.folder not in path.parents
        and re.search(r"\byro\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
    ]
    assert named == []
