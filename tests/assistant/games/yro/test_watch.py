"""A session follows YRO although it sees no hand: what was played is found, and what went wrong is told."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest

from assistant.evidence import Evidence, zones_of
from assistant.games.yro import KIT
from assistant.games.yro.purse import worth
from assistant.games.yro.state import Phase, changed
from assistant.kit import Dice, Game, Message, Mistake
from assistant.session import Session
from assistant.simulate import play_game
from assistant.tracker import Tracker
from assistant.virtual import slip_of
from assistant.wording import Wording, languages
from tests.assistant.games.yro.builders import copy_for, grid, play, position
from tests.assistant.observations import Eye
from vision.observation import CountSighting, Observation, ZoneSighting
from vision.table import ZoneId, ZoneView


@cache
def game_for(players: int) -> Game[Any, Any]:
    return KIT.bind(KIT.demo_pack(), {"players": str(players)})


@cache
def played(players: int, seed: int) -> tuple[Any, ...]:
    game = game_for(players)
    return play_game(game, game.policies["greedy"], seed).actions


def public(notation: str) -> tuple[str, ...]:
    """An action as the others at the table see it: how many cards, not which."""
    verb, *rest = notation.split()
    if verb in ("draw", "discard", "choose"):
        return (verb, rest[0], str(len([word for word in rest[1:] if word != "nothing"])))
    return (verb, *rest)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), pytest.param(4, 0, marks=pytest.mark.slow)])
def test_a_whole_game_is_followed_with_every_hand_unseen(players: int, seed: int) -> None:
    game = game_for(players)
    session = Session(game, "yro")
    eye = Eye(layout=game.layout, pack=game.pack, dice=random.Random(seed))
    state = game.initial()
    actions = played(players, seed)
    for number, action in enumerate(actions):
        state = game.apply(state, action)
        for again in range(2):
            session.observe(eye.look(game.view(state), 2 * number + again, 3.0 * number + again))
    done = Counter(public(game.format(action)) for action in actions)
    seen = Counter(public(line.notation) for line in session.snapshot().log if line.notation)
    right = (done & seen).total() / done.total()
    assert right >= 0.98
    assert rules_told(session) == []


def test_two_cards_that_nobody_saw_face_down_are_found_when_they_are_turned_up() -> None:
    game = game_for(2)
    state = game.initial()
    for action in played(2, 1):
        if state.phase is Phase.CHOOSE:
            break
        state = game.apply(state, action)
    choose = next(one for one in game.legal_actions(state) if one.player == 1 and len(one.cards) == 2)
    idle = next(one for one in game.legal_actions(state) if one.player == 2 and not one.cards)
    believed = game.apply(state, idle)
    chosen = game.apply(believed, choose)
    done = game.apply(chosen, game.parse("recruit 1"))
    held = frozenset(zone.id for zone in game.layout.zones if zone.held)
    eye = Eye(layout=game.layout, pack=game.pack, sure=1.0, blind=held)
    evidence = Evidence(eye.look(game.view(done), 1, 1.0), zones_of(game.layout))
    tracker = Tracker(game, believed)
    tracker.weigh(evidence)
    assert tracker.explain(evidence)
    assert tracker.best.view == game.view(done)


def positions() -> Iterator[Any]:
    game = game_for(2)
    for seed in range(8):
        state = game.initial()
        for action in played(2, seed):
            state = game.apply(state, action)
            if state.round and state.result is None:
                yield state


def first_mistake(key: str, *, seen: bool) -> tuple[Any, Mistake[Any]]:
    """The first position in which this mistake can be made, and shows at once or not."""
    game = game_for(2)
    for state in positions():
        for mistake in game.watch.mistakes(state):
            shows = game.view(mistake.state) != game.view(state)
            if mistake.message.key == f"yro.mistake.{key}" and shows is seen:
                return state, mistake
    raise AssertionError(f"no game offers the mistake {key}")


def rules_told(session: Session) -> list[str]:
    shown = session.snapshot().findings
    return [entry.finding.rule for entry in shown if entry.finding.severity.value == "violation"]


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        ("unpaid", "R-R1"),
        ("underpaid", "R-R1"),
        ("overpaid", "R-R1"),
        ("not-adjacent", "R-R2"),
        ("outside", "R-R2"),
        ("effect-forgotten", "R-R3"),
        ("effect-twice", "R-R3"),
        ("line-forgotten", "R-R4"),
        ("line-twice", "R-R4"),
        ("force-wrong", "R-B1"),
        ("spoils-wrong", "R-B2"),
        ("production-wrong", "R-P1"),
        ("income-wrong", "R-I1"),
        ("vp-wrong", "R-V1"),
        ("final-wrong", "R-E2"),
    ],
)
def test_a_mistake_on_the_table_is_told_with_its_rule(key: str, rule: str) -> None:
    game = game_for(2)
    state, mistake = first_mistake(key, seen=True)
    session = Session(game, "yro", state=state)
    eye = Eye(layout=game.layout, pack=game.pack)
    session.observe(eye.look(game.view(state), 0, 0.0))
    for second in range(1, 21):
        session.observe(eye.look(game.view(mistake.state), second, float(second)))
    assert rule in rules_told(session)


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        ("force-stayed", "R-B1"),
        ("spoils-forgotten", "R-B2"),
        ("production-forgotten", "R-P1"),
        ("income-forgotten", "R-I1"),
        ("vp-forgotten", "R-V1"),
        ("idle-unpaid", "R-R1"),
        ("end-missed", "R-E1"),
    ],
)
def test_what_was_left_out_is_told_by_what_comes_after_it(key: str, rule: str) -> None:
    game = game_for(2)
    state, mistake = first_mistake(key, seen=False)
    session = Session(game, "yro", state=state)
    eye = Eye(layout=game.layout, pack=game.pack)
    at = 0.0
    session.observe(eye.look(game.view(state), 0, at))
    state = mistake.state
    for action in follow(state):
        state = game.apply(state, action)
        for _ in range(4):
            at += 2
            session.observe(eye.look(game.view(state), int(at), at))
    for _ in range(15):
        at += 2
        session.observe(eye.look(game.view(state), int(at), at))
    assert rule in rules_told(session)


def follow(state: Any) -> Iterator[Any]:
    """What the players do next, having noticed nothing."""
    game, dice = game_for(2), Dice(5)
    for _ in range(8):
        if game.outcome(state) is None:
            action = game.policies["greedy"](state, dice)
            state = game.apply(state, action)
            yield action


def test_every_mistake_can_be_said_in_every_language() -> None:
    said = set()
    for state in positions():
        for mistake in game_for(2).watch.mistakes(state):
            if mistake.message.key not in said:
                said.add(mistake.message.key)
                for language in languages():
                    assert Wording(language, [KIT.messages]).say(mistake.message)
    assert len(said) >= 20


def test_a_mistake_of_one_player_turns_up_no_card_that_another_has_chosen() -> None:
    """Turning a chosen card up is a move; only what lies open unread may get a name by the way."""
    game = game_for(2)
    waiting = (state for state in positions() if state.phase is Phase.RECRUIT and state.players[1].chosen)
    slips = [(state, slip) for state in waiting if (slip := slip_of(game, state, Dice(1))) is not None]
    assert len(slips) > 3, "too few mistakes to show anything"
    for state, (mistake, _) in slips:
        chosen = game.view(state)[ZoneId("chosen-2")]
        assert chosen == game.view(mistake.state)[ZoneId("chosen-2")]


def watched(players: int, state: Any, wrong: Any) -> list[str]:
    """The rules told when the table goes from the one position to the other and stays there."""
    game = game_for(players)
    session = Session(game, "yro", state=state)
    eye = Eye(layout=game.layout, pack=game.pack)
    session.observe(eye.look(game.view(state), 0, 0.0))
    for second in range(1, 21):
        session.observe(eye.look(game.view(wrong), second, float(second)))
    return rules_told(session)


def short_incomes() -> Iterator[tuple[Any, Any, Any]]:
    """Positions in which somebody takes one coin too few: before, as it should be, as it is."""
    game = game_for(2)
    for state in positions():
        due = [game.apply(state, action) for action in game.legal_actions(state)]
        for mistake in game.watch.mistakes(state):
            if mistake.message.key != "yro.mistake.income-wrong":
                continue
            purse = mistake.zones[0]
            seat = int(purse[-1]) - 1
            right = [after for after in due if game.view(after)[purse] != game.view(state)[purse]]
            if right and worth(right[0].players[seat].coins) == worth(mistake.state.players[seat].coins) + 1:
                yield state, right[0], mistake.state


def without_doubt(seen: Observation, bank: ZoneView) -> Observation:
    """All coins counted as they lie, but the bank as in a view of its own."""

    def sure(zone: ZoneSighting) -> ZoneSighting:
        counts = bank.counts() if zone.zone == bank.zone else {c.kind: c.counts[0][0] for c in zone.pieces}
        pieces = tuple(CountSighting(c.kind, ((counts.get(c.kind, 0), 1.0),)) for c in zone.pieces)
        return replace(zone, pieces=pieces)

    return replace(seen, zones=tuple(sure(zone) for zone in seen.zones))


def test_an_income_one_coin_short_is_told_though_the_bank_is_miscounted_by_that_coin() -> None:
    """R-I1: coins of a player lie flat and are few: if one is not counted there, it does not lie there."""
    game, bank = game_for(2), ZoneId("bank")
    for state, right, wrong in islice(short_incomes(), 4):
        session = Session(game, "yro", state=state)
        eye = Eye(layout=game.layout, pack=game.pack)
        session.observe(without_doubt(eye.look(game.view(state), 0, 0.0), game.view(state)[bank]))
        for second in range(1, 11):
            seen = eye.look(game.view(wrong), second, float(second))
            session.observe(without_doubt(seen, game.view(right)[bank]))
        assert rules_told(session) == ["R-I1"]


def test_a_card_laid_outside_is_no_payment_too_many() -> None:
    """R-R2: it is gone and paid for; that the last card cost one coin too many looks nearly the same."""
    game = game_for(2)
    discount = copy_for(2).discount
    found = (
        (state, mistake)
        for state in positions()
        for mistake in game.watch.mistakes(state)
        if mistake.message.key == "yro.mistake.outside"
        and any(
            before.last is not None
            and before.placing
            and not after.placing
            and worth(before.coins) - worth(after.coins) == discount
            for before, after in zip(state.players, mistake.state.players, strict=True)
        )
    )
    state, mistake = next(found)
    assert watched(2, state, mistake.state) == ["R-R2"]


def test_behind_two_tied_guilds_the_vp_of_the_second_place_are_told_as_wrong() -> None:
    """R-B2: both take the VP of the first place, the second is skipped; the last took them all the same."""
    copy = copy_for(3)
    rows = [grid("banner-knight . .", ". . .", ". . ."), grid("banner-knight . .", ". . .", ". . .")]
    state = position(copy, Phase.COMBAT, *({"grid": row} for row in rows))
    fought = play(copy, state, "force 1", "force 2", "force 3")
    assert fought.phase is Phase.SPOILS
    state = play(copy, fought, "spoils 1", "spoils 2")
    assert [player.vp for player in state.players] == [5, 5, 0]
    last = changed(state.players[2], vp=3)
    assert watched(3, fought, play(copy, fought, "spoils 1")) == []
    assert watched(3, fought, fought.with_player(3, last)) == ["R-B2"]
    assert watched(3, state, state.with_player(3, last)) == ["R-B2"]


@pytest.mark.parametrize(
    ("phase", "player", "wrong", "rule"),
    [
        (
            Phase.COMBAT,
            {"grid": grid("root-giant rune-golem .", ". . .", ". . ."), "magic": 10, "force": 14},
            {"force": 2},
            "R-B3",
        ),
        (Phase.VP, {"grid": grid("bazaar-lord . .", ". . .", ". . ."), "vp": 39}, {"vp": 1}, "R-V1"),
    ],
)
def test_a_marker_that_was_not_turned_over_is_told(
    phase: Phase, player: dict[str, Any], wrong: dict[str, int], rule: str
) -> None:
    """Force 22 is space 2 and 41 VP are space 1, both with the marker's other side up."""
    state = position(copy_for(2), phase, player, todo=(1,))
    left = state.with_player(1, changed(state.players[0], **wrong))
    assert rule in watched(2, state, left)


def test_moves_told_otherwise_are_no_reason_to_tell_what_does_not_show() -> None:
    """The Force marker may well have stayed, but nothing has come after it that would say so."""
    game, copy = game_for(2), copy_for(2)
    state = position(copy, Phase.COMBAT, {"grid": grid("banner-knight . .", ". . .", ". . .")})
    eye = Eye(layout=game.layout, pack=game.pack)
    evidence = Evidence(eye.look(game.view(state), 1, 1.0), zones_of(game.layout))
    assert any(game.view(mistake.state) == game.view(state) for mistake in game.watch.mistakes(state))
    assert not Tracker(game, state).explain_mistake(evidence, retold=True)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_with_more_than_two_players_every_score_is_one_short_line(players: int) -> None:
    """Two lines each would push the last scores below the edge of a tablet's page."""
    game = game_for(players)
    state = game.initial()
    for action in played(players, 1):
        state = game.apply(state, action)
        scores = [gauge for gauge in game.forecast(state).gauges if gauge.name.startswith("score")]
        assert len(scores) == players
        for language in languages():
            wording = Wording(language, [KIT.messages])
            assert all(len(wording.say(gauge.message)) <= 36 for gauge in scores)


def test_the_last_adventurer_is_one_and_an_ended_game_promises_no_combat() -> None:
    game = game_for(3)
    state = game.initial()
    said: set[str] = set()
    for action in played(3, 1):
        state = game.apply(state, action)
        said |= {Wording("en", [KIT.messages]).say(gauge.message) for gauge in game.forecast(state).gauges}
    assert not any("1 Adventurers" in sentence for sentence in said)
    assert any("1 Adventurer." in sentence for sentence in said)
    last = [Wording("en", [KIT.messages]).say(gauge.message) for gauge in game.forecast(state).gauges]
    assert not any("+" in sentence for sentence in last)


@pytest.mark.parametrize("language", languages())
def test_what_the_gauges_warn_of_has_a_name_in_the_statistics(language: str) -> None:
    for players in (1, 3):
        game = game_for(players)
        state = game.initial()
        for action in played(players, 1):
            state = game.apply(state, action)
            for gauge in game.forecast(state).gauges:
                if gauge.severity is not None:
                    assert Wording(language, [KIT.messages]).say(Message.of(f"yro.gauge.{gauge.name}"))
