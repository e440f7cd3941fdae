"""Cards that lay face down and were not seen: they are found when they are turned up."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assistant.games.yro.state import Phase
from assistant.session import Session
from tests.assistant.games.yro.test_watch import game_for
from tests.assistant.observations import Eye
from vision.table import ZoneId


def all_drawn(players: int) -> Any:
    """The Recruit phase of the first round begins; nobody has seen any hand."""
    game = game_for(players)
    state = game.initial()
    while state.phase is not Phase.CHOOSE:
        step = state.pending[0] if state.pending else None
        text = f"draw {step.argument} ?" if step is not None else f"keep {state.todo[0]}"
        state = game.apply(state, game.parse(text))
    return state


def overlooking(zone: ZoneId, played: Sequence[str], *, seen: int) -> tuple[Session, Any]:
    """A first round watched by an eye that sees only so many cards of a place as long as they lie face down;
    and the position at its end."""
    game = game_for(4)
    state = all_drawn(4)
    session = Session(game, "yro", state=state)
    held = frozenset(zone.id for zone in game.layout.zones if zone.held)
    eye = Eye(layout=game.layout, pack=game.pack, sure=0.99, blind=held)
    player = int(zone.rpartition("-")[2]) - 1
    for number, text in enumerate(played):
        state = game.apply(state, game.parse(text))
        unseen = zone if state.players[player].chosen else None
        for second in range(3 * number, 3 * number + 3):
            observation = eye.look(game.view(state), second, float(second))
            zones = (
                replace(sighting, cards=sighting.cards[:seen]) if sighting.zone == unseen else sighting
                for sighting in observation.zones
            )
            session.observe(replace(observation, zones=tuple(zones)))
    return session, state


def test_one_of_two_cards_that_nobody_saw_face_down_is_found_when_both_are_turned_up() -> None:
    """Cards with the same back look like one; others turn up and lay theirs before it shows."""
    played = (
        "choose 1 bazaar-lord",
        "choose 2 ember-priest",
        "choose 3 badger-boxer cloud-surveyor",
        "choose 4 banner-knight free-lance",
        "recruit 1",
        "place 1 bazaar-lord 1 1",
        "recruit 2",
        "place 2 ember-priest 1 1",
        "recruit 3",
    )
    place = ZoneId("chosen-3")
    session, state = overlooking(place, played, seen=1)
    assert session.lines[0].view[place] == game_for(4).view(state)[place]
    assert not session.aside


def test_a_card_that_nobody_saw_face_down_is_found_when_it_is_turned_up_after_all_others() -> None:
    """That nothing was chosen was taken for a card that had been read, which stays: a whole game was lost."""
    played = (
        "choose 1 bazaar-lord",
        "choose 2 ember-priest",
        "choose 3 badger-boxer",
        "choose 4 banner-knight",
        "recruit 1",
        "place 1 bazaar-lord 1 1",
        "recruit 2",
        "place 2 ember-priest 1 1",
        "recruit 3",
        "place 3 badger-boxer 1 1",
        "recruit 4",
    )
    place = ZoneId("chosen-4")
    session, state = overlooking(place, played, seen=0)
    assert session.lines[0].view[place] == game_for(4).view(state)[place]
    assert not session.aside
