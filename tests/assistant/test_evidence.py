"""How much a reading says against what should lie there."""

import math
from dataclasses import replace
from typing import Any, cast

import pytest

from assistant.counting import CAP, LastSeen
from assistant.evidence import CONTRADICTED, DOUBTFUL, Evidence, zones_of
from assistant.reconstruct import Limits, Line, Step, StepKind, legal_moves, search, weighed
from assistant.tracker import DOUBTS
from tests.assistant.table import Table, yu
from vision.cards import CardId
from vision.observation import CardSighting, CountSighting, Guess, Look, Observation, Sight, ZoneSighting
from vision.table import PieceCount, PieceKind, PlacedCard, Side, TableView, ZoneId, ZoneView


def evidence_of(sighting: ZoneSighting) -> Evidence:
    observation = Observation(index=1, seen_at=1.0, registered=True, calm=True, zones=(sighting,))
    return Evidence(observation, zones_of(yu().layout))


def seen(zone: str, *cards: CardSighting, **counts: tuple[tuple[int, float], ...]) -> Evidence:
    pieces = tuple(CountSighting(PieceKind(kind), numbers) for kind, numbers in counts.items())
    return evidence_of(ZoneSighting(zone=ZoneId(zone), sight=Sight.SEEN, cards=cards, pieces=pieces))


def shown(zone: str, *cards: str | None, **pieces: int) -> ZoneView:
    return ZoneView(
        zone=ZoneId(zone),
        cards=tuple(PlacedCard(None if card is None else CardId(card)) for card in cards),
        pieces=tuple(PieceCount(PieceKind(kind), count) for kind, count in pieces.items()),
    )


STRANGE = CardSighting(guesses=(Guess(Look.FRONT, None, 0.87), Guess(Look.EMPTY, None, 0.13)))


@pytest.mark.parametrize("zone", ["story", "hand", "row-3"])
def test_a_front_that_nobody_could_name_may_be_the_card_that_should_lie_there(zone: str) -> None:
    evidence = seen(zone, STRANGE)
    assert evidence.fits(shown(zone, "story-granary" if zone == "story" else "fisher-blue-blue"))


def test_a_front_that_nobody_could_name_is_best_explained_by_a_card_that_nobody_read() -> None:
    evidence = seen("row-3", STRANGE)
    assert evidence.penalty(shown("row-3", None)) < evidence.penalty(shown("row-3", "fisher-blue-blue"))


def test_a_strange_print_is_rather_the_card_that_it_resembles_than_any_other() -> None:
    guesses = (Guess(Look.FRONT, None, 0.98), Guess(Look.FRONT, CardId("fisher-blue-blue"), 0.01))
    evidence = seen("row-3", CardSighting(guesses=guesses))
    fisher = evidence.penalty(shown("row-3", "fisher-blue-blue"))
    assert fisher < evidence.penalty(shown("row-3", None))
    assert fisher < evidence.penalty(shown("row-3", "elder-black-black"))
    assert evidence.cards_in_sight() == {"fisher-blue-blue"}


def test_the_name_that_was_thought_likeliest_is_better_than_none() -> None:
    guesses = (Guess(Look.FRONT, None, 0.63), Guess(Look.FRONT, CardId("fisher-blue-blue"), 0.35))
    evidence = seen("row-3", CardSighting(guesses=guesses))
    assert evidence.penalty(shown("row-3", "fisher-blue-blue")) < evidence.penalty(shown("row-3", None))


def test_a_likely_miscount_in_a_heap_is_a_doubt_and_no_contradiction() -> None:
    evidence = seen("supply", red=((1, 0.85), (0, 0.09), (2, 0.06)))
    assert DOUBTFUL < evidence.worst(shown("supply", red=2)) <= CONTRADICTED


def test_a_number_that_was_thought_impossible_contradicts_a_heap_as_well() -> None:
    evidence = seen("supply", red=((1, 0.97), (2, 0.03)))
    assert not evidence.fits(shown("supply", red=2))
    assert not evidence.fits(shown("supply", red=3))


def test_cards_held_in_hand_say_a_little_against_a_line_but_contradict_nothing() -> None:
    evidence = seen("hand")
    held = shown("hand", "fisher-blue-blue", None, None, None)
    assert evidence.fits(held)
    assert 0.0 < evidence.penalty(held) <= 1.0


def test_a_card_of_a_spread_that_is_faintly_seen_may_be_the_one_that_should_lie_there() -> None:
    """Two story cards on a table of planks, one of them taken for wood as likely as not (game 11500/2)."""
    faint = CardSighting(guesses=(Guess(Look.EMPTY, None, 0.69), Guess(Look.FRONT, None, 0.30)))
    both = shown("story", "story-granary", "story-lantern")
    evidence = seen("story", STRANGE, faint)
    assert evidence.fits(both)
    assert evidence.penalty(shown("story", "story-granary")) < evidence.penalty(both)
    assert not seen("story", STRANGE).fits(both)


def test_a_card_of_many_possible_names_is_no_empty_place() -> None:
    """The foot of a tucked card fits three cards alike: each of them is hardly likelier than nothing, and yet
    some card lies there (11600/1, a card tucked and not told)."""
    names = ("elder-yellow-yellow", "fan-bearer-draw-white", "drummer-red-red")
    guesses = (*(Guess(Look.FRONT, CardId(name), 0.266) for name in names), Guess(Look.EMPTY, None, 0.159))
    evidence = seen("tuck-3", CardSighting(guesses=guesses))
    assert evidence.penalty(shown("tuck-3")) == pytest.approx(math.log(3 * 0.266 / 0.159))
    assert evidence.penalty(shown("tuck-3", "drummer-red-red")) == 0.0


def test_the_foot_of_a_tucked_card_alone_contradicts_no_card() -> None:
    """11900/1: one foot was misread as long as the card lay there. That no card lies there it does deny."""
    guesses = (
        Guess(Look.FRONT, CardId("fan-bearer-draw-draw"), 0.54),
        Guess(Look.FRONT, CardId("drummer-red-red"), 0.026),
        Guess(Look.EMPTY, None, 0.02),
    )
    evidence = seen("tuck-1", CardSighting(guesses=guesses))
    assert evidence.fits(shown("tuck-1", "drummer-red-red"))
    assert evidence.penalty(shown("tuck-1", "drummer-red-red")) > 1.0, "and still speaks against it"
    assert not evidence.fits(shown("tuck-1"))
    in_the_row = seen("row-3", CardSighting(guesses=guesses))
    assert not in_the_row.fits(shown("row-3", "drummer-red-red")), "a whole card is another matter"


def test_what_was_surely_right_and_is_surely_something_else_was_laid_there() -> None:
    """A card is misread now and then, but not surely, while nobody touches it."""
    fisher, elder = "fisher-blue-blue", "elder-black-black"
    now = seen("exhausted", read_as(elder, 0.99))
    before = seen("exhausted", read_as(fisher, 0.99))

    def penalty(before: Evidence, now: Evidence) -> float:
        sighting = before.sighting(ZoneId("exhausted"))
        assert sighting is not None
        last = {ZoneId("exhausted"): LastSeen(shown("exhausted", fisher), sighting)}
        return Evidence(now.observation, zones_of(yu().layout), last=last).penalty(shown("exhausted", fisher))

    assert penalty(before, now) > CAP
    assert penalty(seen("exhausted", read_as(fisher, 0.9)), now) == CAP, "it may have been misread before"
    assert penalty(before, seen("exhausted", read_as(elder, 0.9))) <= CAP, "it may be misread now"
    assert penalty(now, now) == CAP, "it is misread all the time"


def read_as(card: str, p: float) -> CardSighting:
    return CardSighting(guesses=(Guess(Look.FRONT, CardId(card), p), Guess(Look.BACK, None, 1 - p)))


def test_names_that_share_a_card_are_as_likely_as_the_card() -> None:
    names = (Guess(Look.FRONT, CardId(name), 0.3) for name in ("fisher-blue-blue", "elder-black-black"))
    evidence = seen("row-3", CardSighting(guesses=(Guess(Look.EMPTY, None, 0.4), *names)))
    assert evidence.penalty(shown("row-3", "fisher-blue-blue")) < evidence.penalty(shown("row-3"))


def test_a_card_too_many_that_is_faintly_seen_says_little() -> None:
    faint = CardSighting(guesses=(Guess(Look.FRONT, None, 0.47), Guess(Look.EMPTY, None, 0.45)))
    sure = CardSighting(guesses=(Guess(Look.FRONT, CardId("fisher-blue-blue"), 0.99),))
    assert seen("hand", sure, faint).fits(shown("hand", "fisher-blue-blue"))
    assert not seen("hand", sure, sure).fits(shown("hand", "fisher-blue-blue"))


def test_cards_that_lie_the_other_way_up_are_one_thing_wrong_each() -> None:
    """Not one that was missed and another that is too many."""
    front = CardSighting(guesses=(Guess(Look.FRONT, CardId("fisher-blue-blue"), 1.0),))
    evidence = seen("hand", front, front)
    down = ZoneView(zone=ZoneId("hand"), cards=(PlacedCard(None, Side.DOWN),) * 2)
    assert not evidence.fits(down)
    assert evidence.penalty(down) == evidence.penalty(shown("hand"))


def test_a_line_that_explains_little_by_itself_is_thought_on_all_the_same() -> None:
    """That a card was drawn unseen before is dearer than that it is drawn now."""
    game = yu()
    table = Table.after(14)
    drawn = game.parse("draw fan-bearer-blue-draw")
    now = Line(None, None, table.state, table.view, 0.0)
    unread = game.parse("draw ?")
    state = game.apply(table.state, unread)
    before = Line(now, Step(kind=StepKind.ACTION, action=unread), state, game.view(state), 0.8)
    table.do(game.format(drawn))
    evidence = Evidence(table.eye.look(table.view, 1, 1.0), zones_of(game.layout))
    roots = weighed([before, now], evidence)
    assert roots[0] is before, "it explains more of the table at first"
    moves = legal_moves(game, evidence.cards_in_sight(), frozenset())
    found = search(game, roots, evidence, moves, replace(Limits(), beam=2))
    assert found.whole[0].step == Step(kind=StepKind.ACTION, action=drawn)


def test_lines_of_equal_worth_are_told_in_the_same_order_every_time() -> None:
    """The same observations give the same game: nothing may hang on where a line lies in memory."""
    game = yu()
    table = Table.after(18)
    dark = Observation(index=1, seen_at=1.0, registered=True, calm=True, zones=())
    evidence = Evidence(dark, zones_of(game.layout))
    legal = legal_moves(game, frozenset(), frozenset())

    def moves(line: Line) -> list[tuple[Step, object, float]]:
        return [(step, state, 0.0) for step, state, _ in legal(line)]

    kept = []
    for _ in range(6):
        root = Line(None, None, table.state, table.view, 0.0)
        kept.append(search(game, [root], evidence, moves, Limits(), 30).partial)
    told = {tuple(line.state for line in partial) for partial in kept}
    assert len({line.score for partial in kept for line in partial}) == 1
    assert len(told) == 1


def test_what_the_eye_cannot_name_at_all_is_no_doubt_about_the_game() -> None:
    """Story cards are strangers to the eye: however many lie there, nothing else explains them better."""
    cards = ("story-granary", "story-lantern", "story-well")
    evidence = seen("story", *(STRANGE,) * len(cards))
    total = evidence.penalty(shown("story", *cards))
    assert total > 2 * DOUBTS
    assert total - evidence.unreadable() < 0.5 * DOUBTS
    assert seen("row-3", CardSighting(guesses=(Guess(Look.EMPTY, None, 1.0),))).unreadable() == 0.0


@pytest.mark.parametrize(("held", "moved"), [("fisher-blue-blue", True), ("elder-black-black", False)])
def test_a_card_of_an_empty_hand_that_lies_elsewhere_is_not_held(held: str, moved: bool) -> None:
    """An empty hand says nothing by itself; but what was destroyed lay in it, and not on Ready."""
    sure = CardSighting(guesses=(Guess(Look.FRONT, CardId("fisher-blue-blue"), 1.0),))
    sightings = (
        ZoneSighting(zone=ZoneId("hand"), sight=Sight.SEEN),
        ZoneSighting(zone=ZoneId("discard"), sight=Sight.SEEN, cards=(sure,)),
    )
    observation = Observation(index=1, seen_at=1.0, registered=True, calm=True, zones=sightings)
    evidence = Evidence(observation, zones_of(yu().layout))
    destroyed_unread = TableView((shown("hand", held), shown("discard", None)))
    assert evidence.fits(destroyed_unread[ZoneId("hand")])
    assert evidence.moved(destroyed_unread) is moved
    assert not evidence.moved(TableView((shown("hand"), shown("discard", "fisher-blue-blue"))))


def test_an_explanation_that_is_hard_to_believe_does_not_hide_one_that_begins_unseen() -> None:
    """A card that is turned over shows nothing; what it gives explains all. Two odd trades explain it too."""
    table = Table.after(28)
    views = {
        "before": table.view,
        "turned": table.view,
        "traded": table.with_pieces("supply", red=2),
        "seen": table.with_pieces("supply", red=2, clay=2),
    }
    ways = {
        "before": (("turned", 1.2), ("traded", 3.7)),
        "turned": (("gained", 1.5),),
        "traded": (("odd", 6.0),),
    }

    class Turning:
        def view(self, state: str) -> TableView:
            return views.get(state, views["seen"])

    def moves(line: Line) -> list[tuple[Step, str, float]]:
        return [
            (Step(kind=StepKind.ACTION, action=after), after, cost)
            for after, cost in ways.get(line.state, ())
        ]

    evidence = Evidence(table.eye.look(views["seen"], 2, 2.0), zones_of(yu().layout))
    root = Line(None, None, "before", views["before"], 0.0)
    found = search(cast(Any, Turning()), weighed([root], evidence), evidence, moves, Limits())
    assert [line.state for line in found.whole] == ["gained", "odd"]
