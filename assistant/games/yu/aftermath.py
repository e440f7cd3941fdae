"""What a Victory or Defeat entry changes between two games: cards come and go, and nothing else (Y-Z3)."""

from assistant.facedown import Cards
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.campaign import Campaign
from assistant.games.yu.copy import Copy
from assistant.games.yu.setup import GROUPS, Decks
from assistant.games.yu.state import FoodUse, StoryCard
from vision.cards import CardId

_DEEPEST = 8
"""An entry may send the reader to another one; a book that never ends is not followed further."""


def read_out(copy: Copy, campaign: Campaign, entry: int, depth: int = 0) -> Campaign:
    """The campaign after an entry of our own book; of a book that we do not know, the player tells."""
    for action in copy.book.get(entry, ()):
        campaign = told(copy, campaign, action, depth)
    return campaign


def told(copy: Copy, campaign: Campaign, action: Action, depth: int = 0) -> Campaign:
    """One thing that the book tells between two games. Pieces cannot be gained: none carry over."""
    decks = campaign.decks
    if action.verb is Verb.STORY_MOVE and action.card is not None:
        return _moved(copy, campaign, action.card, action.words[1])
    if action.verb is Verb.STORY_PLAY:
        others = tuple(card for card in decks.story_cards if card.stone != action.at)
        drawn = campaign._replace(story=_without(campaign.story, copy.story_card(action.at)))
        return _with(drawn, story_cards=(*others, StoryCard(action.at, action.words == ("stays",))))
    if action.verb is Verb.STORY_DROP:
        return _with(campaign, story_cards=tuple(c for c in decks.story_cards if c.stone != action.at))
    if action.verb is Verb.STORY_FOOD:
        others_used = tuple(use for use in decks.food if use.food != action.words[0])
        return _with(campaign, food=(*others_used, FoodUse(action.words[0], action.items)))
    for item in action.items:
        if action.verb is Verb.STORY_GAIN and item.kind == "turtle" and item.number and depth < _DEEPEST:
            campaign = read_out(copy, campaign, item.number, depth + 1)
    return campaign


def _with(campaign: Campaign, **changes: object) -> Campaign:
    return campaign._replace(decks=campaign.decks._replace(**changes))  # type: ignore[arg-type]


def _moved(copy: Copy, campaign: Campaign, card: CardId, target: str) -> Campaign:
    """A card is in its deck, in the Story Deck or in History, never in two of them."""
    lifted = campaign._replace(
        decks=_decks_without(campaign.decks, card),
        story=_without(campaign.story, card),
        history=_without(campaign.history, card),
    )
    if target == "history":
        return lifted._replace(history=(*lifted.history, card))
    if target == "story":
        return lifted._replace(story=_in_order(copy, (*lifted.story, card)))
    return lifted._replace(decks=_decks_with(copy, lifted.decks, card))


def _without(cards: Cards, card: CardId) -> Cards:
    if card not in cards:
        return cards
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _in_order(copy: Copy, cards: Cards) -> Cards:
    return tuple(sorted(cards, key=lambda card: copy.pack[card].stone or 0))


def _decks_without(decks: Decks, card: CardId) -> Decks:
    return decks._replace(
        townsfolk=_without(decks.townsfolk, card),
        barbarians=_without(decks.barbarians, card),
        canals=tuple(_without(group, card) for group in decks.canals),
        huts=_without(decks.huts, card),
    )


def _decks_with(copy: Copy, decks: Decks, card: CardId) -> Decks:
    """Each card joins the deck of its kind."""
    if card in copy.townsfolk:
        return decks._replace(townsfolk=tuple(sorted((*decks.townsfolk, card))))
    if card in copy.barbarians:
        return decks._replace(barbarians=tuple(sorted((*decks.barbarians, card))))
    if card in copy.huts:
        return decks._replace(huts=tuple(sorted((*decks.huts, card))))
    group = copy.pack[card].group
    return decks._replace(
        canals=tuple(
            tuple(sorted((*cards, card))) if name == group else cards
            for name, cards in zip(GROUPS, decks.canals, strict=True)
        )
    )
