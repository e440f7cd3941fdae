"""A campaign: seven wins or seven losses, and what stays from one game to the next (Y-S1, Y-Z1 to Y-Z5)."""

from collections import Counter
from collections.abc import Container
from typing import NamedTuple

from assistant.facedown import Cards
from assistant.games.yu import mixes
from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import no
from assistant.games.yu.setup import GROUPS, Decks, all_cards, start, starting_decks
from assistant.games.yu.state import Result, State
from assistant.kit import Refusal
from vision.cards import CardId, CardKind, CardPack

LAST = 7
"""The gold card lies below six others: the seventh win or loss turns it over (Y-Z2)."""


class Campaign(NamedTuple):
    decks: Decks
    victory: Cards
    """Face-down, the gold card at the bottom, the order of the others unknown (Y-S1)."""
    defeat: Cards
    story: Cards
    """The Story Deck, lowest stone on top; never shuffled and never looked through (Y-S2)."""
    history: Cards = ()
    flipped: Cards = ()
    wins: int = 0
    losses: int = 0
    last: Result | None = None
    """The result whose card has not been turned over yet."""


def new_campaign(copy: Copy) -> Campaign:
    """Y-S1, Y-Z5: starting cards by stone 0, the Story Deck ascending, gold cards at the bottom."""
    return Campaign(
        decks=starting_decks(copy),
        victory=_gold_first(copy.pack, "victory"),
        defeat=_gold_first(copy.pack, "defeat"),
        story=story_deck(copy.pack),
    )


def reset(copy: Copy) -> Campaign:
    """Y-Z5: the whole box sorted by grey stones again."""
    return new_campaign(copy)


def story_deck(pack: CardPack) -> Cards:
    stones = sorted((card.stone, card.id) for card in pack.cards if card.stone)
    return tuple(card for _, card in stones)


def _gold_first(pack: CardPack, kind: str) -> Cards:
    cards = sorted((card.group != "gold", card.id) for card in pack.of_kind(CardKind(kind)))
    return tuple(card for _, card in cards)


def over(campaign: Campaign) -> bool:
    return campaign.last is None and LAST in (campaign.wins, campaign.losses)


def refuse_next_game(campaign: Campaign) -> Refusal | None:
    """A new game waits for the last one's card (Y-Z1), and after the gold card there is none (Y-Z2)."""
    if campaign.last is not None:
        return no("Y-Z1", "flip-first")
    if over(campaign):
        return no("Y-Z2", "campaign-over", wins=campaign.wins, losses=campaign.losses)
    return None


def next_game(copy: Copy, campaign: Campaign) -> State:
    """Y-Z3: nothing carries over but the cards and what the story made lasting."""
    return start(copy, campaign.decks)


def finished(copy: Copy, campaign: Campaign, state: State) -> Campaign:
    """The campaign after a game: its cards sorted back into their decks, its result to be read out."""
    assert state.result is not None
    won = state.result is Result.WIN
    left = Counter(all_cards(state)) - Counter(state.history)
    cards = list(left.elements())
    history = (*campaign.history, *state.history)
    lasting = (copy.story_card(card.stone) for card in state.story_cards if card.stays)
    drawn = {*cards, *history, *lasting}
    return campaign._replace(
        decks=_decks_after(copy, campaign.decks, cards, state),
        history=history,
        story=tuple(card for card in campaign.story if card not in drawn),
        wins=campaign.wins + won,
        losses=campaign.losses + (not won),
        last=state.result,
    )


def _decks_after(copy: Copy, decks: Decks, cards: list[CardId], state: State) -> Decks:
    def of(known: Container[CardId], letter: str) -> Cards:
        return tuple(sorted(card for card in cards if card in known or card == mixes.token(letter)))

    canals = of(copy.canals, mixes.CANAL)
    return Decks(
        townsfolk=of(copy.townsfolk, mixes.TOWNSFOLK),
        barbarians=of(copy.barbarians, mixes.BARBARIAN),
        canals=tuple(
            _group(copy, canals, group, old) for group, old in zip(GROUPS, decks.canals, strict=True)
        ),
        huts=of(copy.huts, mixes.HUT),
        story_cards=tuple(card for card in state.story_cards if card.stays),
        food=state.food,
    )


def _group(copy: Copy, canals: Cards, group: str, old: Cards) -> Cards:
    """The Canal cards of one jade group; strangers stay in the group they were in."""
    known = tuple(card for card in canals if card in copy.canals and copy.pack[card].group == group)
    return tuple(sorted((*known, *(card for card in old if mixes.is_token(card)))))


def refuse_flip(copy: Copy, campaign: Campaign, card: CardId) -> Refusal | None:
    """Y-Z1: after a game, one card of the deck that its result asks for; gold only as the last (Y-S1)."""
    if campaign.last is None:
        return no("Y-Z1", "no-flip-due")
    deck = _deck_of(campaign)
    if card not in deck:
        return no("Y-Z1", "wrong-deck", card=card)
    if copy.pack[card].group == "gold" and len(deck) > 1:
        return no("Y-S1", "gold-last", cards=len(deck) - 1)
    return None


def may_flip(copy: Copy, campaign: Campaign) -> Cards:
    """The cards that may lie on top of the deck to be turned over, all equally likely."""
    if campaign.last is None:
        return ()
    return tuple(card for card in _deck_of(campaign) if refuse_flip(copy, campaign, card) is None)


def _deck_of(campaign: Campaign) -> Cards:
    return campaign.victory if campaign.last is Result.WIN else campaign.defeat


def flipped(campaign: Campaign, card: CardId) -> Campaign:
    left = tuple(other for other in _deck_of(campaign) if other != card)
    after = campaign._replace(flipped=(*campaign.flipped, card), last=None)
    return after._replace(victory=left) if campaign.last is Result.WIN else after._replace(defeat=left)


def entry_to_read(copy: Copy, card: CardId, result: Result) -> int | None:
    """Y-Z1: a Victory card names one entry; a Defeat card two, the top one for the Flood only."""
    facts = copy.pack[card]
    field = "entry" if result is Result.WIN else "top" if result is Result.FLOOD else "bottom"
    items = facts.items(field)
    return items[0].number if items else None


def refuse_entry(copy: Copy, card: CardId, result: Result, entry: int) -> Refusal | None:
    """Forgettable step 15: the wrong Defeat entry was opened."""
    right = entry_to_read(copy, card, result)
    if right is None or right == entry:
        return None
    return no("Y-Z1", "wrong-entry", entry=entry, right=right)
