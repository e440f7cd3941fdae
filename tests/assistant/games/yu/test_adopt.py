"""Adopting a table: the state that shows it, with every card in one place and nothing invented."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from assistant.facedown import count
from assistant.games.yu import KIT
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.setup import all_cards
from assistant.games.yu.state import Phase, State
from assistant.kit import Dice, Game, Severity
from vision.table import PieceCount, PieceKind, PlacedCard, TableView, ZoneId, ZoneView

GAME: Game[State, Action] = KIT.bind(KIT.demo_pack())


def midgame(seed: int) -> State:
    """Some position of the third round."""
    return walked_to(
        seed, lambda state: state.round == 3 and state.phase is Phase.ACTIONS and not state.pending
    )


def walked_to(seed: int, wanted: Callable[[State], bool]) -> State:
    for attempt in range(50):
        dice = Dice(f"{seed}/{attempt}")
        state = GAME.initial()
        while GAME.outcome(state) is None:
            state = GAME.apply(state, GAME.policies["greedy"](state, dice))
            if wanted(state):
                return state
    raise AssertionError("no game reached such a position")


def with_zone(view: TableView, zone: ZoneView) -> TableView:
    return TableView(tuple(zone if old.zone == zone.zone else old for old in view.zones))


@pytest.mark.parametrize("seed", range(4))
def test_a_zone_that_nobody_saw_stays_as_it_was(seed: int) -> None:
    state = midgame(seed)
    view = GAME.view(state)
    some = TableView(view.zones[::3])
    assert GAME.adopt(state, some) == state


@pytest.mark.parametrize("seed", range(4))
def test_any_state_can_be_reached_by_adopting_its_view_from_another_one(seed: int) -> None:
    """What shows on the table is then the same, and no card is in two places."""
    old, new = midgame(seed), midgame(seed + 10)
    adopted = GAME.adopt(old, GAME.view(new))
    for zone in GAME.view(new).zones:
        if zone.zone not in ("draw", "barbarian-draw", "story"):
            assert GAME.view(adopted)[zone.zone] == zone
    cards = Counter(card for card in all_cards(adopted) if not card.startswith("?"))
    assert max(cards.values()) == 1
    found = [finding for finding in GAME.check(adopted) if finding.severity is Severity.VIOLATION]
    assert [finding for finding in found if finding.rule in ("Y-C4", "Y-C5")] == []


def test_a_card_seen_in_the_row_leaves_the_pile_it_was_thought_in() -> None:
    state = midgame(0)
    hidden = next(card for card in state.mixes[state.draw[0][0]] if not card.startswith("?"))
    view = with_zone(GAME.view(state), ZoneView(zone=ZoneId("row-1"), cards=(PlacedCard(hidden),)))
    adopted = GAME.adopt(state, view)
    assert adopted.row[0] == hidden
    assert all(hidden not in mix for mix in adopted.mixes)


def test_pieces_in_the_supply_come_out_of_the_main_supply() -> None:
    state = midgame(1)
    view = with_zone(
        GAME.view(state), ZoneView(zone=ZoneId("supply"), pieces=(PieceCount(PieceKind("red"), 4),))
    )
    adopted = GAME.adopt(state, view)
    assert adopted.supply == (0, 4, 0, 0, 0, 0, 0, 0, 0)
    assert adopted.main[1] == 6 - 4 - state.circles.count(1)


def test_a_flood_that_was_moved_is_taken_where_it_stands() -> None:
    state = midgame(2)
    view = GAME.view(state)
    for space in range(7):
        zone = view[ZoneId(f"river-{space}")]
        others = tuple(piece for piece in zone.pieces if piece.kind != "flood")
        flood = (PieceCount(PieceKind("flood"), 1),) if space == state.flood + 1 else ()
        view = with_zone(view, replace(zone, pieces=tuple(sorted((*others, *flood), key=lambda p: p.kind))))
    assert GAME.adopt(state, view).flood == state.flood + 1


def test_an_unread_card_in_the_discard_is_one_that_was_there() -> None:
    state = midgame(3)
    assert len(state.discard) > 1
    blind = tuple(PlacedCard(None) for _ in state.discard)
    adopted = GAME.adopt(state, with_zone(GAME.view(state), ZoneView(zone=ZoneId("discard"), cards=blind)))
    assert Counter(adopted.discard) == Counter(state.discard)


def test_a_lower_ready_pile_leaves_the_number_of_cards_right() -> None:
    state = midgame(0)
    view = with_zone(GAME.view(state), ZoneView(zone=ZoneId("ready"), cards=()))
    adopted = GAME.adopt(state, view)
    assert count(adopted.ready) == 0
    assert len(all_cards(adopted)) == len(all_cards(state))


def under_attack() -> State:
    """One Barbarian is still to attack, and no trade is possible."""
    state = walked_to(0, lambda state: bool(state.attackers) and not state.pending)
    return state.but(attackers=state.attackers[:1], supply=(0,) * 9, hand=())


def test_nobody_attacks_from_a_space_that_turned_out_to_be_empty() -> None:
    state = under_attack()
    (foe,) = state.attackers
    view = with_zone(GAME.view(state), ZoneView(zone=ZoneId(f"row-{foe}")))
    adopted = GAME.adopt(state, view)
    assert adopted.attackers == ()
    assert adopted.phase is Phase.REFRESH
    assert GAME.legal_actions(adopted)


def test_a_barge_beside_the_canal_builds_nothing_until_it_is_put_right() -> None:
    state = midgame(2)
    zones = [
        replace(zone, pieces=()) if zone.zone.startswith("river") else zone for zone in GAME.view(state).zones
    ]
    barge = ZoneView(zone=ZoneId("river-1"), pieces=(PieceCount(PieceKind("barge"), 1),))
    view = with_zone(with_zone(TableView(tuple(zones)), barge), ZoneView(zone=ZoneId("canal-1")))
    adopted = GAME.adopt(state, view)
    assert adopted.barge == 1
    assert not [action for action in GAME.legal_actions(adopted) if action.verb is Verb.CANAL]
    refusal = GAME.refusal(adopted, Action(Verb.CANAL))
    assert refusal is not None
    assert refusal.rule == "Y-B1"
    assert "Y-B1" in [finding.rule for finding in GAME.check(adopted)]
    assert GAME.decode(GAME.encode(adopted)) == adopted
