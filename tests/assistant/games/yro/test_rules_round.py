"""Combat, Production, Income, VP, the end, and the variants."""

import pytest

from assistant.games.yro import phases
from assistant.games.yro.check import check
from assistant.games.yro.effects import FACTIONS, PROFESSIONS, TIMINGS
from assistant.games.yro.pack import demo_pack
from assistant.games.yro.purse import worth
from assistant.games.yro.state import NO_GRID, Phase, Result, State, Step, StepKind, changed
from assistant.games.yro.view import marker, view
from tests.assistant.games.yro.builders import (
    begun,
    cards,
    copy_for,
    grid,
    holds,
    play,
    position,
    refused,
    refuses,
    with_coins,
)
from vision.cards import CardKind
from vision.table import ZoneId

TWO, FIVE = copy_for(2), copy_for(5)


@holds("R-C1", "R-C2")
def test_the_demo_pack_has_102_adventurers_with_their_dots_and_8_quests() -> None:
    adventurers = list(demo_pack().of_kind(CardKind("adventurer")))
    assert sum(card.copies for card in adventurers) == 102
    assert all(len(card.items("dots") or ()) == card.copies <= 3 for card in adventurers)
    assert len(list(demo_pack().of_kind(CardKind("quest")))) == 8


@holds("R-C3")
def test_every_faction_and_profession_has_its_cards_and_its_line() -> None:
    pairs = {(card.faction, card.profession) for card in TWO.adventurers.values()}
    assert pairs == {(faction, profession) for faction in FACTIONS for profession in PROFESSIONS}
    assert set(TWO.lines) == {*FACTIONS, *PROFESSIONS}
    assert TWO.lines["floating"] == (0, 2, 2, 0, 0)
    assert TWO.lines["mage"] == (0, 0, 2, 0, 0)


@holds("R-C4")
def test_the_marks_behind_force_tell_what_combat_effects_do() -> None:
    for card in demo_pack().of_kind(CardKind("adventurer")):
        marks = {item.kind for item in card.items("force") or ()} - {"force"}
        gains = {item.kind for item in card.items("combat") or ()}
        assert ("plus" in marks) == ("force" in gains), card.id
        assert ("star" in marks) == ("vp" in gains), card.id
    assert TIMINGS == ("recruit", "combat", "production", "income", "score")


def fighting(*grids: tuple[str, ...], players: int = 2) -> State:
    seats = [{"grid": grid(*rows)} for rows in grids]
    return position(copy_for(players), Phase.COMBAT, *seats)


@holds("R-B1")
def test_force_is_the_top_most_card_of_each_column() -> None:
    state = fighting((". lance-rider .", "hired-blade otter-scout .", ". . badger-boxer"), ())
    after = play(TWO, state, "force 1", "force 2")
    assert after.players[0].force == 6 + 5 + 3
    assert after.phase is Phase.SPOILS


@holds("R-B1")
def test_a_plus_raises_force_only_at_the_front() -> None:
    state = fighting(("thorn-guard . .", ". . .", ". . ."), ("otter-scout . .", "thorn-guard . .", ". . ."))
    state = state.but(players=tuple(changed(player, magic=3) for player in state.players))
    after = play(TWO, state, "force 1", "force 2")
    assert [player.force for player in after.players] == [2 + 2, 1]


@holds("R-B1")
def test_a_star_adds_vp_where_the_guild_scored_even_behind_the_front() -> None:
    state = fighting(("lance-rider . .", "badger-boxer . .", ". . ."), ("otter-scout . .", ". . .", ". . ."))
    after = play(TWO, state, "force 1", "force 2", "spoils 1")
    assert after.players[0].vp == 4 + 1
    weak = fighting(("badger-boxer . .", ". . .", ". . ."), ("lance-rider . .", ". . .", ". . ."))
    after = play(TWO, weak, "force 1", "force 2", "spoils 2")
    assert [player.vp for player in after.players] == [0, 4]


@refuses("R-B1")
def test_force_is_set_once_and_in_combat_only() -> None:
    state = fighting((), ())
    assert refused(TWO, play(TWO, state, "force 1"), "force 1") == "R-B1"
    assert refused(TWO, position(TWO, Phase.DRAW), "force 1") == "R-B1"
    assert refused(TWO, state, "spoils 1") == "R-B1"


@pytest.mark.parametrize(
    ("players", "forces", "vp"),
    [
        (2, (9, 5), (4, 0)),
        (2, (5, 5), (4, 4)),
        (3, (9, 5, 3), (5, 3, 0)),
        (3, (9, 9, 3), (5, 5, 0)),
        (4, (9, 5, 3, 1), (5, 3, 1, 0)),
        (4, (9, 5, 5, 1), (5, 3, 3, 0)),
        (5, (9, 9, 5, 3, 1), (5, 5, 1, 0, 0)),
        (5, (9, 9, 9, 5, 3), (5, 5, 5, 0, 0)),
    ],
)
@holds("R-B2")
def test_combat_pays_by_place_and_ties_skip_the_next(
    players: int, forces: tuple[int, ...], vp: tuple[int, ...]
) -> None:
    assert phases.spoils(copy_for(players), forces) == vp


@holds("R-B2")
def test_word_by_word_three_tied_guilds_skip_one_tier_only() -> None:
    literal = copy_for(5, ties="literal")
    assert phases.spoils(literal, (9, 9, 9, 5, 3)) == (5, 5, 5, 1, 0)
    assert phases.spoils(literal, (9, 9, 5, 3, 1)) == (5, 5, 1, 0, 0)


@holds("R-B3")
def test_above_20_the_force_marker_is_turned_over_and_goes_on_from_1() -> None:
    assert [marker(force, 20) for force in (20, 21, 40)] == [(20, False), (1, True), (20, True)]
    state = position(TWO, Phase.DRAW, {"force": 23})
    assert [piece.kind for piece in view(TWO, state)[ZoneId("force-3")].pieces] == ["guild-red-over"]


@holds("R-P1")
def test_production_moves_markers_and_points_make_levels() -> None:
    assert [TWO.levels[points] for points in (0, 2, 3, 10)] == [0, 1, 2, 4]
    state = position(
        TWO, Phase.PRODUCTION, {"grid": grid("forge-mage crystal-reader .", ". . .", ". . .")}, todo=(1,)
    )
    after = play(TWO, state, "produce 1")
    assert (after.players[0].tech, after.players[0].magic) == (2, 1)


@holds("R-P1")
def test_a_track_ends_at_its_last_space() -> None:
    state = position(
        TWO, Phase.PRODUCTION, {"grid": grid("hour-mage . .", ". . .", ". . ."), "tech": 10}, todo=(1,)
    )
    assert play(TWO, state, "produce 1").players[0].tech == 10


@refuses("R-P1")
def test_who_produces_nothing_has_nothing_to_take() -> None:
    state = position(TWO, Phase.PRODUCTION, {"grid": grid("forge-mage . .", ". . .", ". . .")}, todo=(1,))
    assert refused(TWO, state, "produce 2") == "R-P1"


@holds("R-I1")
def test_income_is_three_coins_and_what_cards_add() -> None:
    rows = grid("guild-broker road-trader coach-guard", ". . .", ". . .")
    after = play(TWO, position(TWO, Phase.INCOME, {"grid": rows}), "income 1", "income 2")
    assert [worth(player.coins) for player in after.players] == [5 + 3 + 3 + 1, 5 + 3]


@holds("R-I1")
def test_income_counts_levels() -> None:
    state = position(TWO, Phase.INCOME, {"grid": grid("shaft-owner . .", ". . .", ". . ."), "tech": 3})
    assert worth(play(TWO, state, "income 1").players[0].coins) == 5 + 3 + 2 * 2


@refuses("R-I1")
def test_income_is_taken_once() -> None:
    after = play(TWO, position(TWO, Phase.INCOME), "income 1")
    assert refused(TWO, after, "income 1") == "R-I1"


@holds("R-V1")
def test_vp_effects_score_every_round_and_above_40_the_marker_is_turned() -> None:
    rows = grid("reef-queen otter-scout .", ". . .", ". . .")
    after = play(TWO, position(TWO, Phase.VP, {"grid": rows, "vp": 39}, todo=(1,)), "score 1")
    assert after.players[0].vp == 41
    assert marker(41, 40) == (1, True)
    assert marker(40, 40) == (40, False)


@refuses("R-V1")
def test_who_has_no_vp_effect_scores_nothing() -> None:
    rows = grid("reef-queen . .", ". . .", ". . .")
    assert refused(TWO, position(TWO, Phase.VP, {"grid": rows}, todo=(1,)), "score 2") == "R-V1"


FULL = grid(
    "otter-scout tide-runner badger-boxer",
    "moss-walker seed-bearer thorn-guard",
    "road-trader map-seller young-squire",
)


@holds("R-E1")
def test_nine_adventurers_or_40_vp_end_the_game_with_the_round() -> None:
    nine = position(TWO, Phase.INCOME, {"grid": FULL})
    after = play(TWO, nine, "income 1", "income 2")
    assert after.phase is Phase.FINAL
    points = position(TWO, Phase.INCOME, {"vp": 40})
    assert phases.ended(points)
    assert play(TWO, points, "income 1", "income 2").phase is Phase.FINAL
    assert play(TWO, position(TWO, Phase.INCOME), "income 1", "income 2").phase is Phase.DRAW


@refuses("R-E1")
def test_nothing_is_allowed_once_the_game_is_over() -> None:
    state = position(TWO, Phase.FINAL, {"vp": 41}, result=Result.WIN_1)
    assert refused(TWO, state, "convert 1") == "R-E1"


@holds("R-E1")
def test_a_round_that_is_begun_after_the_end_is_judged() -> None:
    state = position(TWO, Phase.DRAW, {"vp": 41})
    assert [found.rule for found in check(TWO, state)] == ["R-E1"]


@holds("R-E2")
def test_three_coins_are_one_vp_and_the_most_vp_win() -> None:
    state = position(TWO, Phase.FINAL, {"vp": 40}, {"vp": 41}, todo=(1, 2))
    state = with_coins(state, 1, (1, 0, 1))
    after = play(TWO, state, "convert 1", "convert 2")
    assert [player.vp for player in after.players] == [42, 42]
    assert after.result is Result.WIN_1, "more coins break the tie"


@holds("R-E2")
def test_force_breaks_a_tie_of_coins_and_else_it_is_shared() -> None:
    level = position(TWO, Phase.FINAL, {"vp": 41, "force": 3}, {"vp": 41, "force": 4}, todo=())
    assert phases.result_of(level) is Result.WIN_2
    even = position(TWO, Phase.FINAL, {"vp": 41, "force": 4}, {"vp": 41, "force": 4}, todo=())
    assert phases.result_of(even) is Result.SHARED


@refuses("R-E2")
def test_coins_are_not_turned_into_vp_during_the_game() -> None:
    assert refused(TWO, position(TWO, Phase.INCOME), "convert 1") == "R-E2"


QUESTS = copy_for(2, quests="yes")


@holds("R-Q1")
def test_all_who_meet_a_quest_in_the_same_phase_score_and_then_it_is_turned_over() -> None:
    mages = grid("heron-seer rain-caller hour-mage", ". . .", ". . .")
    others = grid("spore-mage ink-charmer gear-sage", ". . .", ". . .")
    quests = ("quest-three-mages", "quest-five-factions")
    state = position(QUESTS, Phase.INCOME, {"grid": mages}, {"grid": others}, quests=quests)
    after = play(QUESTS, state, "income 1", "income 2")
    assert after.claims == ((1, 1), (2, 1))
    after = play(QUESTS, after, "claim 2 1", "claim 1 1")
    assert [player.vp for player in after.players] == [3, 3]
    assert after.quests == (None, "quest-five-factions")


@holds("R-Q1")
def test_four_of_eight_quests_are_revealed() -> None:
    state = begun(QUESTS)
    assert sum(step.kind.value == "quest" for step in state.pending) == 4
    assert len(state.quest_deck) == 8


@refuses("R-Q1")
def test_a_quest_that_is_not_met_is_not_paid() -> None:
    state = position(QUESTS, Phase.INCOME, quests=("quest-three-mages",))
    assert refused(QUESTS, state, "claim 1 1") == "R-Q1"


SOLO = copy_for(1)


def alone(threat: str, force: str, **fields: object) -> State:
    state = position(SOLO, Phase.COMBAT, {"grid": grid(f"{force} . .", ". . .", ". . .")}, **fields)
    left = list(state.mixes[0])
    for card in cards(threat):
        left.remove(card)
    return state.but(threat=cards(threat), mixes=(tuple(left),), deck=((0, len(left)),))


@holds("R-SO1")
def test_alone_one_must_be_strictly_stronger_than_the_revealed_cards() -> None:
    stronger = play(SOLO, alone("otter-scout coach-guard", "lance-rider"), "force 1", "spoils 1")
    assert stronger.players[0].vp == 4
    equal = play(SOLO, alone("tide-runner coach-guard", "lance-rider"), "force 1")
    assert equal.phase is Phase.INCOME
    assert equal.players[0].vp == 0


@holds("R-SO1")
def test_more_than_20_revealed_lose_at_once_and_printed_force_counts() -> None:
    state = alone("dragon-marshal hired-blade hired-blade", "otter-scout", pending=(Step(StepKind.THREAT),))
    safe = play(SOLO, state, "threat otter-scout")
    assert safe.result is None
    lost = play(SOLO, state, "threat drill-walker")
    assert lost.result is Result.OVERRUN


@refuses("R-SO1")
def test_the_revealed_card_comes_from_the_deck() -> None:
    assert refused(SOLO, alone("", "lance-rider"), "threat otter-scout") == "R-SO1"


def test_five_players_begin_with_an_empty_table() -> None:
    assert [player.grid for player in begun(FIVE).players] == [NO_GRID] * 5
