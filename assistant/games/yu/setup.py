"""How a game begins: piles without order, and the cards that are about to be revealed (Y-S3 to Y-S8)."""

from typing import NamedTuple

from assistant.facedown import Cards
from assistant.games.yu import mixes
from assistant.games.yu.copy import Copy
from assistant.games.yu.state import ROW, SECTIONS, FoodUse, State, Step, StepKind, StoryCard
from vision.cards import CardFacts, CardId, CardKind

GROUPS = ("1-2", "3-4", "5-6")
"""The jade numbers on the backs of the Canal cards."""

TOWNSFOLK, BARBARIANS, HUTS, CANALS_PER_GROUP = 30, 16, 6, 2
"""How many starting cards the box holds; of each Canal group at least two (Y-C1)."""


class Decks(NamedTuple):
    """The cards that take part in a game."""

    townsfolk: Cards
    barbarians: Cards
    canals: tuple[Cards, ...]
    huts: Cards
    story_cards: tuple[StoryCard, ...] = ()
    food: tuple[FoodUse, ...] = ()


def starting_decks(copy: Copy) -> Decks:
    """Y-C1: the cards with stone 0. Where a pack lacks some, strangers stand for them."""
    return Decks(
        townsfolk=_filled(_starting(copy, "townsfolk"), TOWNSFOLK, mixes.TOWNSFOLK),
        barbarians=_filled(_starting(copy, "barbarian"), BARBARIANS, mixes.BARBARIAN),
        canals=tuple(
            _filled(_starting(copy, "canal", group), CANALS_PER_GROUP, mixes.CANAL) for group in GROUPS
        ),
        huts=_filled(_starting(copy, "hut"), HUTS, mixes.HUT),
    )


def _starting(copy: Copy, kind: str, group: str | None = None) -> Cards:
    def starts(card: CardFacts) -> bool:
        return not card.stone and (group is None or card.group == group)

    cards = [card for card in copy.pack.of_kind(CardKind(kind)) if starts(card)]
    return tuple(card.id for card in cards for _ in range(card.copies))


def _filled(cards: Cards, size: int, letter: str) -> Cards:
    strangers = (mixes.token(letter),) * max(0, size - len(cards))
    return tuple(sorted((*cards, *strangers)))


def start(copy: Copy, decks: Decks) -> State:
    """Everything in its place, and the face-up cards still to be revealed one by one."""
    ready = min(copy.board.ready_cards, len(decks.townsfolk))
    return State(
        mixes=(decks.townsfolk, decks.barbarians),
        ready=_pile(0, ready),
        draw=_pile(0, len(decks.townsfolk) - ready),
        barbarian_draw=_pile(1, len(decks.barbarians)),
        hut_cards=decks.huts,
        canal_groups=decks.canals,
        story_cards=decks.story_cards,
        food=decks.food,
        pending=(
            *(Step(StepKind.REVEAL_TOWNSFOLK, space) for space in range(1, ROW)),
            Step(StepKind.REVEAL_BARBARIAN, ROW),
            *(Step(StepKind.DEAL_CANAL, space) for space in range(1, SECTIONS + 1)),
        ),
    )


def _pile(mix: int, cards: int) -> tuple[tuple[int, int], ...]:
    return ((mix, cards),) if cards else ()


def all_cards(state: State) -> list[CardId]:
    """Every card of the game, wherever it is; tokens stand for members of their mixes, which are listed."""
    places = (
        state.hand, state.exhausted, state.discard, state.barbarian_discard, state.row, state.canal,
        state.tucked, state.hut_cards, state.box, state.history, *state.canal_groups, *state.mixes,
    )  # fmt: skip
    return [card for cards in places for card in cards if card is not None and mixes.mix_of(card) is None]
