"""Each of the forgettable steps is caught with its rule, once the table has been calm for a while."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from assistant.games.yu import KIT
from assistant.games.yu.state import Result
from assistant.kit import Dice, Mistake
from assistant.snapshot import FindingFate
from assistant.wording import Wording
from tests.assistant.observations import Eye, patched
from tests.assistant.table import Table, played, yu
from vision.table import PlacedCard, ZoneId, ZoneView

SEEDS = range(12)


def positions() -> Iterator[Any]:
    """Positions of real games after the set-up, none of them ended."""
    game = yu()
    for seed in SEEDS:
        state = game.initial()
        for action in played("greedy", seed):
            state = game.apply(state, action)
            if state.round and state.result is None:
                yield state


def first_mistake(
    key: str, fits: Callable[[Any, Mistake[Any]], bool] = lambda _s, _m: True
) -> tuple[Any, Mistake[Any]]:
    """The first position in which this mistake can be made, and the mistake."""
    for state in positions():
        for mistake in yu().watch.mistakes(state):
            if mistake.message.key == f"yu.mistake.{key}" and fits(state, mistake):
                return state, mistake
    raise AssertionError(f"no game offers the mistake {key}")


def shows(state: Any, mistake: Mistake[Any]) -> bool:
    return yu().view(state) != yu().view(mistake.state)


def rules_found(table: Table) -> list[str]:
    return [shown.finding.rule for shown in table.violations() if shown.fate is FindingFate.OPEN]


SEEN_AT_ONCE = [
    ("flood-early", "Y-G5"),
    ("flood-forgotten", "Y-G5"),
    ("shuffle-early", "Y-G5"),
    ("flood-with-draw-pile", "Y-G8"),
    ("destroyed-from-hand", "Y-G3"),
    ("workers-to-main", "Y-H2"),
    ("unpaid", "Y-A6"),
    ("unpaid", "Y-A7"),
    ("unpaid", "Y-A8"),
    ("unpaid", "Y-A5"),
    ("unpaid", "Y-A9"),
    ("unpaid", "Y-A10"),
    ("unpaid", "Y-A11"),
    ("unpaid", "Y-A13"),
    ("wrong-worker", "Y-G1"),
    ("second-canal", "Y-A5"),
    ("bribed-removed", "Y-P2"),
    ("wrong-number", "Y-R2"),
    ("row-slid", "Y-A14"),
    ("gain-missed", "Y-A15"),
    ("gain-missed", "Y-A1"),
    ("gain-missed", "Y-A2"),
    ("gain-missed", "Y-A8"),
    ("gain-missed", "Y-A12"),
    ("wrong-pile", "Y-A2"),
    ("tucked-taken", "Y-A3"),
    ("tucked-replaced", "Y-A3"),
    ("piece-too-many", "Y-G9"),
    ("piece-too-many", "Y-H1"),
]


@pytest.mark.parametrize(("key", "rule"), SEEN_AT_ONCE)
def test_a_mistake_that_shows_is_named_with_its_rule(key: str, rule: str) -> None:
    def fits(state: Any, mistake: Mistake[Any]) -> bool:
        # With cards in hand the actions are not over: otherwise a missing piece may well have been a bribe.
        busy = bool(state.hand) or key not in ("gain-missed", "unpaid") or state.phase.value != "actions"
        return mistake.rule == rule and busy and shows(state, mistake) and mistake.state.result is None

    state, mistake = first_mistake(key, fits)
    table = Table(state=state)
    table.look()
    table.wait(yu().view(mistake.state), seconds=3)
    assert rules_found(table) == [], "nobody is accused at once"
    table.wait(yu().view(mistake.state), seconds=3)
    assert rule in rules_found(table)
    assert yu().view(table.session.state) == yu().view(mistake.state), "the game goes on from the table"


def test_a_destroyed_card_on_exhausted_is_noticed() -> None:
    """Y-G3. The card is read where it lies, so the mistake is known with its card."""
    for state in positions():
        if (
            state.pending
            and state.pending[0].kind.value == "destroy"
            and state.ready
            and len(state.pending) == 1
        ):
            break
    card = yu().chance(state)[0][0].card
    wrong = next(
        m for m in yu().watch.mistakes(state) if m.message.key == "yu.mistake.destroyed-on-exhausted"
    )
    view = yu().view(wrong.state)
    pile = view[ZoneId("exhausted")].cards
    table = Table(state=state)
    table.look()
    table.wait(
        patched(view, [ZoneView(zone=ZoneId("exhausted"), cards=(*pile[:-1], PlacedCard(card)))]), seconds=6
    )
    assert "Y-G3" in rules_found(table)
    assert table.session.state.exhausted[-1] == card


def test_a_piece_that_moved_is_noticed_although_either_place_alone_may_be_misread() -> None:
    """Y-G5: the Flood seems to be gone from one space and to be on the next."""
    state, mistake = first_mistake("flood-early", shows)
    table = Table(state=state, eye=Eye(layout=yu().layout, pack=yu().pack, sure=0.84))
    table.look()
    table.wait(yu().view(mistake.state), seconds=8)
    assert "Y-G5" in rules_found(table)
    table.wait(seconds=8)
    assert rules_found(table) == [], "and that it was put right as well"
    assert table.recorded() == []


LATER = [
    ("harvest-missed", "Y-H1"),
    ("harvest-missed", "Y-H2"),
    ("harvest-missed", "Y-G4"),
    ("barge-left", "Y-B1"),
    ("hand-kept", "Y-A1"),
    ("not-resolved", "Y-G7"),
]


@pytest.mark.parametrize(("key", "rule"), LATER)
def test_a_step_left_out_is_named_when_the_game_goes_on_without_it(key: str, rule: str) -> None:
    def fits(_state: Any, mistake: Mistake[Any]) -> bool:
        return (
            mistake.rule == rule and mistake.state.phase.value != "harvest" and mistake.state.result is None
        )

    state, mistake = first_mistake(key, fits)
    table = Table(state=state)
    table.look()
    table.wait(seconds=10)
    assert rules_found(table) == [], "as long as nothing happens, it is only not done yet"
    table.state = mistake.state
    dice = Dice("later")
    for _ in range(3):
        table.state = yu().apply(table.state, yu().policies["greedy"](table.state, dice))
        table.wait(seconds=6)
    assert rule in rules_found(table)


def test_a_finding_is_withdrawn_when_the_table_is_put_right() -> None:
    state, mistake = first_mistake("unpaid", lambda _s, m: m.rule == "Y-A7")
    table = Table(state=state)
    table.look()
    table.wait(yu().view(mistake.state), seconds=6)
    assert rules_found(table) == ["Y-A7"]
    recruit = next(
        action
        for action in yu().legal_actions(state)
        if action.verb.value == "recruit" and yu().apply(state, action).row == mistake.state.row
    )
    table.do(yu().format(recruit))
    table.look()
    assert rules_found(table) == []
    assert [shown.fate for shown in table.violations()] == [FindingFate.MENDED]
    assert table.recorded() == [yu().format(recruit)]


def test_every_mistake_can_be_said_in_both_languages() -> None:
    words = [Wording(language, [KIT.messages]) for language in ("en", "fr")]
    said: set[str] = set()
    for state in islice(positions(), 0, None, 4):
        for mistake in yu().watch.mistakes(state):
            if mistake.message.key not in said:
                said.add(mistake.message.key)
                assert all(word.say(mistake.message) for word in words)
    assert len(said) >= 20


def test_a_mistake_keeps_every_piece_and_card() -> None:
    for index, state in enumerate(positions()):
        if index % 40:
            continue
        for mistake in yu().watch.mistakes(state):
            problems = [finding.rule for finding in yu().check(mistake.state)]
            assert "Y-C4" not in problems, mistake
            assert "Y-C5" not in problems, mistake


def test_the_right_entry_of_the_defeat_card_is_named() -> None:
    """Y-Z1."""
    ends = {}
    for seed in SEEDS:
        state = yu().initial()
        for action in played("greedy", seed):
            state = yu().apply(state, action)
        ends[state.result.value] = [note.message.key for note in yu().watch.notes(state)]
    assert ends["flood"] == ["yu.note.defeat-top"]
    assert ends["barbarians"] == ["yu.note.defeat-bottom"]
    damaged = next(positions()).but(result=Result.DAMAGE)
    assert [note.message.key for note in yu().watch.notes(damaged)] == ["yu.note.defeat-bottom"]


def test_a_trade_that_pays_a_bribe_is_remembered() -> None:
    """Y-G10: trades work in the attacks too."""
    notes = [note for state in positions() for note in yu().watch.notes(state)]
    assert any(note.rule == "Y-G10" for note in notes)


def test_the_checklist_of_the_harvest_is_ticked_off() -> None:
    table = Table.after(13)
    before = dict(table.session.snapshot().checklist)
    assert before
    assert not any(before.values())
    table.do("collect")
    table.look()
    after = {message.key: done for message, done in table.session.snapshot().checklist}
    assert after == {"yu.do.draw": False, "yu.do.take": True}
