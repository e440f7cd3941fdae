"""Random games through the legal actions, seeded, with cards that the camera sometimes cannot read."""

import random
from collections.abc import Iterator

from assistant.games.yu import mixes, rules
from assistant.games.yu.actions import CHANCE, Action, Verb
from assistant.games.yu.copy import Copy
from assistant.games.yu.naming import PLACES
from assistant.games.yu.resolve import settle
from assistant.games.yu.setup import start, starting_decks
from assistant.games.yu.state import State

LONGEST = 4000
"""No random game is longer; a game that does not end would be caught by this."""


def walk(
    copy: Copy, seed: int, *, unread: float = 0.0, bold: float = 0.0, begin: State | None = None
) -> Iterator[tuple[State, Action, State]]:
    """One random game: each state, the action taken, and the state after it.

    `unread` is the share of seen cards that nobody could read; `bold` is how often the player prefers to
    build and fight, without which random games end before the river is half built.
    """
    luck = random.Random(seed)
    state = settle(copy, begin or start(copy, starting_decks(copy)))
    for _ in range(LONGEST):
        if state.result is not None:
            return
        action = _chosen(copy, state, luck, bold)
        if action.verb in CHANCE and luck.random() < unread:
            action = action._replace(card=mixes.UNREAD)
        after = rules.apply(copy, state, action)
        yield state, action, after
        state = after
        if unread and luck.random() < 0.2:
            naming = _name_something(copy, state, luck)
            if naming is not None:
                after = rules.apply(copy, state, naming)
                yield state, naming, after
                state = after
    raise AssertionError(f"the random game {seed} did not end")


_BOLD = {
    Verb.CANAL: 50,
    Verb.ATTACK: 8,
    Verb.RECRUIT: 3,
    Verb.BRIBE: 5,
    Verb.HUT: 3,
    Verb.OUTPOST: 2,
    Verb.USE: 2,
}


def _chosen(copy: Copy, state: State, luck: random.Random, bold: float) -> Action:
    legal = rules.legal_actions(copy, state)
    chances = rules.chance(copy, state)
    if chances and luck.random() < 0.7:
        return luck.choices([action for action, _ in chances], [chance for _, chance in chances])[0]
    if bold and luck.random() < bold:
        return luck.choices(legal, [_BOLD.get(action.verb, 1) for action in legal])[0]
    return luck.choice(legal)


def _name_something(copy: Copy, state: State, luck: random.Random) -> Action | None:
    """The right name for an unread card, as far as anybody can know."""
    spots = [
        (place, at)
        for place in PLACES
        for at, card in enumerate(getattr(state, place), 1)
        if card is not None and mixes.is_token(card)
    ]
    if not spots or state.result is not None:
        return None
    place, at = luck.choice(spots)
    names = [card.id for card in copy.pack.cards]
    luck.shuffle(names)
    for name in names:
        action = Action(Verb.NAME, name, at, words=(place,))
        if rules.refusal(copy, state, action) is None:
            return action
    return None
