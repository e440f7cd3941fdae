"""What the Story Book tells: legal only while an entry is open, and open for anything (Y-S2, Y-G11)."""

from assistant.games.yu import mixes
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.copy import Copy, steps_of
from assistant.games.yu.judge import no
from assistant.games.yu.naming import is_free
from assistant.games.yu.pieces import INDEX, NONE, PIECES, plus
from assistant.games.yu.resolve import push
from assistant.games.yu.state import FoodUse, State, Step, StepKind, Story, StoryCard
from assistant.kit import Refusal
from vision.cards import CardId, Item, ItemKind

PLACES = (
    "hand", "exhausted", "discard", "ready", "draw", "barbarian-draw", "barbarian-discard",
    "box", "history", "story",
)  # fmt: skip
"""Where a story may take a card from or put it; `story` is the Story Deck, which nobody has seen."""

_FACE_UP = {
    "hand": "hand",
    "exhausted": "exhausted",
    "discard": "discard",
    "barbarian-discard": "barbarian_discard",
    "box": "box",
    "history": "history",
}
_FACE_DOWN = {"ready": "ready", "draw": "draw", "barbarian-draw": "barbarian_draw"}
_TOLD = ("draw", "draw-pile", "destroy", "exhaust", "flood", "barbarian", "coloured", "any")


def story_open(state: State) -> Story | None:
    if state.pending and state.pending[0].kind is StepKind.STORY:
        story: Story = state.pending[0].argument
        return story
    return None


def script(copy: Copy, state: State) -> Action | None:
    """The next thing the entry tells, where our own book knows the entry."""
    story = story_open(state)
    if story is None or story.entry not in copy.book:
        return None
    effects = copy.book[story.entry]
    return effects[story.done] if story.done < len(effects) else Action(Verb.STORY_END)


def options(copy: Copy, state: State) -> list[Action]:
    """The entry's own words where we know them; else the simple things it may tell, and its end."""
    if story_open(state) is None:
        return []
    told = script(copy, state)
    if told is not None:
        return [told]
    gains = [_one(Verb.STORY_GAIN, name) for index, name in enumerate(PIECES) if state.main[index]]
    losses = [_one(Verb.STORY_LOSE, name) for index, name in enumerate(PIECES) if state.supply[index]]
    return [Action(Verb.STORY_END), *gains, *losses, *(_one(Verb.STORY_GAIN, name) for name in _TOLD)]


def _one(verb: Verb, kind: str) -> Action:
    return Action(verb, items=(Item(ItemKind(kind)),))


def refuse(copy: Copy, state: State, action: Action) -> Refusal | None:
    story = story_open(state)
    if story is None:
        return no("Y-S2", "no-story")
    if action == script(copy, state):
        return None
    if action.verb is Verb.STORY_LOSE:
        return _refuse_loss(state, action)
    if action.verb is Verb.STORY_MOVE:
        return _refuse_move(copy, state, action)
    meaningless = next((item for item in action.items if not steps_of((item,))), None)
    if meaningless is not None:
        return no("Y-S2", "unknown-item", item=str(meaningless))
    if action.verb is Verb.STORY_DROP and action.at not in {card.stone for card in state.story_cards}:
        return no("Y-S2", "no-story-card", stone=action.at)
    if action.verb is Verb.STORY_PLAY and action.at in {card.stone for card in state.story_cards}:
        return no("Y-S2", "story-card-twice", stone=action.at)
    if action.verb is Verb.STORY_END and story.done < len(copy.book.get(story.entry, ())):
        return no("Y-S2", "story-not-done", entry=story.entry)
    return None


def _refuse_loss(state: State, action: Action) -> Refusal | None:
    wanted = NONE
    for item in action.items:
        if item.kind not in INDEX:
            return no("Y-S2", "cannot-lose", item=str(item), have=0)
        wanted = plus(wanted, INDEX[item.kind], item.count)
    for index, number in enumerate(wanted):
        if state.supply[index] < number:
            return no("Y-S2", "cannot-lose", item=f"{PIECES[index]}+{number}", have=state.supply[index])
    return None


def _refuse_move(copy: Copy, state: State, action: Action) -> Refusal | None:
    assert action.card is not None
    source, target = action.words
    lifted = _lifted(copy, state, source, target, action.card)
    if lifted is None:
        return no("Y-S2", "card-not-there", card=action.card, place=source)
    if not _fits(copy, lifted[1], target):
        return no("Y-S2", "card-not-here", card=action.card, place=target)
    return None


def _fits(copy: Copy, card: CardId, place: str) -> bool:
    """Piles keep to their kind of card; a card that nobody has read cannot be sorted into the Story Deck."""
    if place == "story":
        return not mixes.is_token(card)
    if place in ("box", "history"):
        return True
    if place.startswith("barbarian"):
        return copy.is_barbarian(card)
    return card in copy.townsfolk or card.startswith(f"?{mixes.TOWNSFOLK}")


def do(copy: Copy, state: State, action: Action) -> State:
    """One thing the entry tells. What our book tells but the table cannot give is passed over."""
    state = _one_further(copy, state, action)
    if action.verb is Verb.STORY_END:
        return state.but(pending=state.pending[1:])
    if action.verb is Verb.STORY_GAIN:
        return push(state, steps_of(action.items))
    if action.verb is Verb.STORY_LOSE:
        return _lost(state, action.items)
    if action.verb is Verb.STORY_MOVE:
        return _moved(copy, state, action)
    if action.verb is Verb.STORY_PLAY:
        if any(card.stone == action.at for card in state.story_cards):
            return state
        return state.but(story_cards=(*state.story_cards, StoryCard(action.at, action.words == ("stays",))))
    if action.verb is Verb.STORY_DROP:
        return state.but(story_cards=tuple(card for card in state.story_cards if card.stone != action.at))
    food, items = action.words[0], action.items
    others = tuple(use for use in state.food if use.food != food)
    return state.but(food=(*others, FoodUse(food, items)))


def _one_further(copy: Copy, state: State, action: Action) -> State:
    story = story_open(state)
    assert story is not None
    if action.verb is Verb.STORY_END or action != script(copy, state):
        return state
    told = Step(StepKind.STORY, Story(story.entry, story.done + 1))
    return state.but(pending=(told, *state.pending[1:]))


def _lost(state: State, items: tuple[Item, ...]) -> State:
    """Pieces go back to the Main Supply; nobody loses what they do not have."""
    supply, main = state.supply, state.main
    for item in items:
        index = INDEX.get(item.kind)
        if index is not None:
            count = min(item.count, supply[index])
            supply, main = plus(supply, index, -count), plus(main, index, count)
    return state.but(supply=supply, main=main)


def _moved(copy: Copy, state: State, action: Action) -> State:
    assert action.card is not None
    source, target = action.words
    lifted = _lifted(copy, state, source, target, action.card)
    return state if lifted is None else _laid(lifted[0], target, lifted[1])


def _lifted(copy: Copy, state: State, place: str, target: str, card: CardId) -> tuple[State, CardId] | None:
    """The state without this card, and the card as it now is; None where it is not there."""
    if place == "story":
        if card == mixes.UNREAD:
            barbarian = target.startswith("barbarian")
            return state, mixes.token(mixes.BARBARIAN if barbarian else mixes.TOWNSFOLK)
        return (state, card) if is_free(copy, state, card) else None
    if place in _FACE_UP:
        field = _FACE_UP[place]
        cards: tuple[CardId, ...] = getattr(state, field)
        if card not in cards:
            return None
        index = cards.index(card)
        return state.but(**{field: cards[:index] + cards[index + 1 :]}), card
    field = _FACE_DOWN[place]
    pile = getattr(state, field)
    if not mixes.possible(state.mixes, pile, card):
        return None
    letter = mixes.BARBARIAN if place == "barbarian-draw" else mixes.TOWNSFOLK
    new_mixes, left, lifted = mixes.take(state.mixes, pile, card, letter)
    return state.but(**{"mixes": new_mixes, field: left}), lifted


def _laid(state: State, place: str, card: CardId) -> State:
    """Face up on top, or shuffled into a face-down pile, whose cards we then know a little better."""
    if place == "story":
        return state
    if place == "hand":
        return state.but(hand=tuple(sorted((*state.hand, card))))
    if place in _FACE_UP:
        field = _FACE_UP[place]
        return state.but(**{field: (*getattr(state, field), card)})
    field = _FACE_DOWN[place]
    new_mixes, slots = mixes.shuffled(state.mixes, (card,))
    return state.but(**{"mixes": new_mixes, field: mixes.added(getattr(state, field), slots)})
