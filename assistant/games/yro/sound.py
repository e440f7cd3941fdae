"""Whether a position holds together at all: numbers in range, piles and unread cards that add up."""

from collections import Counter
from collections.abc import Iterator

from assistant.games.yro import mixes
from assistant.games.yro.copy import Copy
from assistant.games.yro.state import State, StepKind
from vision.cards import CardId


def lying(state: State) -> Iterator[CardId]:
    """Every Adventurer in a place of its own, read or not."""
    yield from state.discard
    yield from state.fresh
    yield from state.threat
    for player in state.players:
        for cards in (player.hand, player.drafted, player.chosen, player.placing):
            yield from cards
        yield from (card for card in player.grid if card is not None)


def problems(copy: Copy, state: State) -> Iterator[str]:
    """What is impossible about a state, one sentence each; the rules rely on there being none."""
    players = copy.settings.players
    if len(state.players) != players:
        yield f"there are {len(state.players)} players, not {players}"
    for player in state.players:
        if max(player.tech, player.magic) > copy.track_end:
            yield f"a track ends at {copy.track_end}"
    if any(not 1 <= number <= players for number in state.todo):
        yield "somebody has to act who does not play"
    if state.due and len(state.due) != players:
        yield "Combat brings VP to each player, once"
    yield from _steps(state, players)
    yield from _piles(state)


def _steps(state: State, players: int) -> Iterator[str]:
    for kind, argument in state.pending:
        most = {StepKind.DRAW: players, StepKind.QUEST: len(state.quests), StepKind.THREAT: 0}[kind]
        if not int(most > 0) <= argument <= most:
            yield f"the step {kind.value} cannot be about {argument}"
    if any(step.kind is StepKind.QUEST for step in state.pending) and not state.quest_deck:
        yield "there is no Quest left to reveal"
    for player, quest in state.claims:
        if not (1 <= player <= players and 1 <= quest <= len(state.quests)):
            yield f"player {player} cannot claim quest {quest}"


def _piles(state: State) -> Iterator[str]:
    """For each mix: as many cards as places in the deck and unread cards on the table (see `mixes`)."""
    places: Counter[int] = Counter()
    if len(dict(state.deck)) < len(state.deck) or any(number < 1 for _, number in state.deck):
        yield f"the deck counts {list(state.deck)}, where each mix must come once and not empty"
    for mix, number in state.deck:
        places[mix] += number
    for card in lying(state):
        booked = mixes.mix_of(card)
        if booked is not None:
            places[booked] += 1
    for mix in sorted({*places, *range(len(state.mixes))}):
        cards = len(state.mixes[mix]) if mix < len(state.mixes) else 0
        if cards != places[mix]:
            yield f"mix {mix} has {cards} cards but {places[mix]} places"
