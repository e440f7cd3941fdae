"""A player at work: things move one at a time, nothing is lost, and what nobody touches stays."""

import random
from collections import Counter
from collections.abc import Iterable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.virtual.tables import down, full_view, shapes, small_layout, up, view, zone_view
from vision.cards import CardId
from vision.table import PlacedCard, Side, TableView, ZoneId, ZoneKind, ZoneView
from vision.virtual.placing import MOST_COVERED, PieceAt, Placements, convex_overlap, outline
from vision.virtual.script import Phase, SceneState, between, steps


def changed(before: TableView, *zones: ZoneView) -> TableView:
    by_zone = before.by_zone() | {zone.zone: zone for zone in zones}
    return TableView(tuple(by_zone.values()))


def play(before: TableView, after: TableView, seed: int = 1) -> list[SceneState]:
    return list(steps(before, after, small_layout(), seed, shapes=shapes()))


def card_count(state: SceneState) -> int:
    return len(state.cards) + (len(state.hand.cards) if state.hand else 0)


def piece_kinds(state: SceneState) -> Counter[str]:
    held = state.hand.pieces if state.hand else ()
    return Counter(piece.kind for piece in (*state.pieces, *held))


def zones_of(after: TableView) -> Iterable[ZoneId]:
    return [zone.zone for zone in after.zones]


TAKEN = changed(full_view(), zone_view("row.3"), zone_view("hand", up("h1", "h2", "h3", "c3")))
SLID = changed(
    full_view(), zone_view("row.1", up("c2")), zone_view("row.2", up("c3")), zone_view("row.3", up("c1"))
)
SHUFFLED = changed(full_view(), zone_view("exhausted"), zone_view("ready", down(11)))
REVEALED = changed(full_view(), zone_view("draw", down(21)), zone_view("hand", up("h1", "h2", "h3", "new")))
HUT_BUILT = changed(
    full_view(),
    zone_view("hut.2"),
    zone_view("hut.2.piece"),
    zone_view("farm.1", hut=1),
    zone_view("hut.2.piece", farm=1),
)
PAID = changed(
    full_view(),
    zone_view("supply", white=1, red=2, black=1, blue=2, yellow=1, clay=2, wood=2, provision=2, cowrie=1),
    zone_view("outpost.1", outpost=1, white=1),
    zone_view("barge", barge=1, cowrie=2),
)
TURNED = changed(full_view(), zone_view("exhausted", (*up("e1"), PlacedCard(None, Side.DOWN))))
CHANGES = {
    "a card is taken": TAKEN,
    "three cards change places in a ring": SLID,
    "the exhausted pile is shuffled into ready": SHUFFLED,
    "a card is drawn and shown": REVEALED,
    "two pieces change places": HUT_BUILT,
    "pieces are paid": PAID,
    "a card is turned over": TURNED,
}


@pytest.mark.parametrize("after", CHANGES.values(), ids=CHANGES.keys())
def test_the_last_state_shows_the_new_view_and_no_hand(after: TableView) -> None:
    last = play(full_view(), after)[-1]
    assert last.hand is None
    assert last.view(zones_of(after)) == after


@pytest.mark.parametrize(
    "name", ["a card is taken", "the exhausted pile is shuffled into ready", "a card is drawn and shown"]
)
def test_no_card_is_lost_or_made_on_the_way(name: str) -> None:
    states = play(full_view(), CHANGES[name])
    assert {card_count(state) for state in states} == {card_count(states[0])}


@pytest.mark.parametrize("after", [PAID, TAKEN], ids=["paid", "taken"])
def test_no_piece_is_lost_or_made_on_the_way(after: TableView) -> None:
    states = play(full_view(), after)
    assert all(piece_kinds(state) == piece_kinds(states[0]) for state in states)


def test_a_hand_carries_one_piece_at_a_time() -> None:
    states = play(full_view(), PAID)
    carried = [len(state.hand.pieces) for state in states if state.hand]
    assert max(carried) == 1
    assert [state.phase for state in states].count(Phase.GRASP) == 3


def test_a_shuffled_pile_is_gathered_and_carried_at_once() -> None:
    carried = [len(state.hand.cards) for state in play(full_view(), SHUFFLED) if state.hand]
    assert max(carried) == 2


def test_a_card_blocked_by_another_waits_until_it_has_left() -> None:
    for state in play(full_view(), SLID):
        for number in (1, 2, 3):
            assert sum(card.zone == f"row.{number}" for card in state.cards) <= 1


def test_a_card_leaves_from_below_a_piece_only_after_the_piece() -> None:
    after = changed(full_view(), zone_view("hut.2"), zone_view("hut.2.piece"))
    for state in play(full_view(), after):
        if any(piece.zone == "hut.2.piece" for piece in state.pieces):
            assert any(card.zone == "hut.2" for card in state.cards)


def test_what_nobody_touches_keeps_its_exact_place() -> None:
    states = play(full_view(), TAKEN)
    first = {card.key: card for card in states[0].cards}
    last = {card.key: card for card in states[-1].cards}
    moved = [key for key in first if first[key] != last[key]]
    assert len(moved) == 1
    assert {piece.key: piece for piece in states[0].pieces} == {
        piece.key: piece for piece in states[-1].pieces
    }


def test_placements_remember_across_several_changes() -> None:
    table = Placements(small_layout(), shapes(), seed=2)
    table.lay(full_view())
    before = {card.key: card for card in table.resting_cards()}
    for after in (TAKEN, full_view()):
        list(steps(table.view(), after, small_layout(), 3, shapes=shapes(), placements=table))
    now = {card.key: card for card in table.resting_cards()}
    assert sum(before[key] != now[key] for key in before) == 1, "only the card that went and came back"


def test_a_drawn_card_is_the_top_one_of_its_pile() -> None:
    table = Placements(small_layout(), shapes(), seed=2)
    table.lay(full_view())
    top = table.cards[ZoneId("draw")][-1].key
    list(steps(table.view(), REVEALED, small_layout(), 3, shapes=shapes(), placements=table))
    assert top in {card.key for card in table.cards[ZoneId("hand")]}


@pytest.mark.parametrize("seed", range(6))
def test_wooden_pieces_never_stand_inside_each_other(seed: int) -> None:
    table = Placements(small_layout(), shapes(), seed=seed)
    table.lay(view(zone_view("supply", white=4, red=3, black=3, clay=4, wood=4, provision=3, cowrie=5)))
    solid = [piece for piece in table.resting_pieces() if not shapes()[piece.kind].flat]
    for i, one in enumerate(solid):
        for other in solid[:i]:
            if one.z == other.z:
                assert not convex_overlap(outline(one, shapes()), outline(other, shapes()))


@pytest.mark.parametrize("seed", range(6))
def test_pieces_of_a_heap_stay_in_their_zone(seed: int) -> None:
    table = Placements(small_layout(), shapes(), seed=seed)
    table.lay(view(zone_view("supply", white=4, clay=3, cowrie=3)))
    rect = small_layout().zone(ZoneId("supply")).rect
    for piece in table.resting_pieces():
        ground = outline(piece, shapes())
        assert ground.min(axis=0)[0] >= rect.x0 - 1e-9
        assert ground.max(axis=0)[1] <= rect.y1 + 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_of_each_token_enough_is_seen_to_count_it(seed: int) -> None:
    table = Placements(small_layout(), shapes(), seed=seed)
    table.lay(view(zone_view("supply", cowrie=9, provision=7)))
    pieces = table.resting_pieces()
    for piece in pieces:
        own = painted([piece])
        above = painted([other for other in pieces if other.z > piece.z])
        assert (own & above).sum() <= (MOST_COVERED + 0.05) * own.sum()


def painted(pieces: Iterable[PieceAt]) -> NDArray[np.bool_]:
    """The ground below pieces, ten pixels to a hundredth of the board."""
    picture = np.zeros((800, 1000), np.uint8)
    for piece in pieces:
        cv2.fillConvexPoly(picture, np.round(outline(piece, shapes()) * 1000).astype(np.int32), 1)
    return picture > 0


def test_a_taken_token_lets_what_lay_on_it_sink() -> None:
    table = Placements(small_layout(), shapes(), seed=3)
    table.lay(view(zone_view("supply", cowrie=12, provision=9)))
    lifted = [piece for piece in table.resting_pieces() if piece.z > min(p.z for p in table.resting_pieces())]
    assert lifted, "this seed piles some up"
    for piece in sorted(table.resting_pieces(), key=lambda piece: piece.z)[:8]:
        table.take_piece(piece.key)
    for piece in table.resting_pieces():
        under = [p for p in table.resting_pieces() if p.z < piece.z]
        floating = piece.z > min(p.z for p in table.resting_pieces())
        touching = any(convex_overlap(outline(piece, shapes()), outline(p, shapes())) for p in under)
        assert touching or not floating


def test_halfway_the_hand_is_between_and_the_table_not_yet_changed() -> None:
    states = play(full_view(), TAKEN)
    grasp = next(i for i, state in enumerate(states) if state.phase is Phase.GRASP)
    middle = between(states[grasp], states[grasp + 1], 0.5)
    start, end = states[grasp].hand, states[grasp + 1].hand
    assert start is not None
    assert end is not None
    assert middle.hand is not None
    assert min(start.x, end.x) <= middle.hand.x <= max(start.x, end.x)
    assert middle.hand.z > min(start.z, end.z)
    assert middle.cards == states[grasp].cards


@pytest.mark.parametrize("seed", range(25))
def test_any_two_views_are_connected(seed: int) -> None:
    rng = random.Random(seed)
    before, after = random_view(rng), random_view(rng)
    states = play(before, after, seed)
    assert states[-1].view(zones_of(after)) == after
    for state in states:
        assert len({card.key for card in state.cards}) == len(state.cards)
        held = {card.key for card in state.hand.cards} if state.hand else set()
        assert not held & {card.key for card in state.cards}, "nothing is in two places"


def random_view(rng: random.Random) -> TableView:
    """Cards and pieces anywhere, some of them unknown, some face down."""
    names = [f"n{number}" for number in range(14)]
    rng.shuffle(names)
    zones = []
    for zone in small_layout().zones:
        pieces = {rng.choice(["white", "cowrie", "hut", "clay"]): rng.randint(0, 1)}
        if zone.kind in (ZoneKind.SPOT, ZoneKind.HEAP):
            zones.append(zone_view(zone.id, (), **pieces))
            continue
        most = 1 if zone.kind in (ZoneKind.CARD, ZoneKind.STRIP) else 4
        cards = []
        for _ in range(rng.randint(0, most)):
            name = CardId(names.pop()) if names and rng.random() < 0.7 else None
            cards.append(PlacedCard(name, rng.choice([Side.UP, Side.UP, Side.DOWN])))
        zones.append(zone_view(zone.id, tuple(cards)))
    return TableView(tuple(zones))


def test_nothing_to_do_yields_only_the_table_at_rest() -> None:
    (only,) = play(full_view(), full_view())
    assert only.phase is Phase.REST
