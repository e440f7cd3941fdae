"""One player's copy of the game: their cards and their board, made ready for fast rules."""

from dataclasses import dataclass
from typing import NamedTuple

from assistant.games.yu.actions import Action
from assistant.games.yu.board import Board
from assistant.games.yu.payment import Cost, cost_of
from assistant.games.yu.pieces import ANY_WORKER, CLAY_OR_WOOD, COLOURED, INDEX
from assistant.games.yu.state import Step, StepKind, Story
from vision.cards import CardFacts, CardId, CardKind, CardPack, Item

Steps = tuple[Step, ...]

_SEVERAL = {
    "coloured": Step(StepKind.CHOOSE, COLOURED),
    "any": Step(StepKind.CHOOSE, ANY_WORKER),
    "clay-or-wood": Step(StepKind.CHOOSE, CLAY_OR_WOOD),
    "draw": Step(StepKind.DRAW),
    "draw-pile": Step(StepKind.DRAW_PILE),
    "destroy": Step(StepKind.DESTROY),
    "exhaust": Step(StepKind.EXHAUST),
    "flood": Step(StepKind.FLOOD),
    "barbarian": Step(StepKind.REVEAL_BARBARIAN),
}


def steps_of(items: tuple[Item, ...] | None) -> Steps:
    """What gaining these items means, one thing at a time. Food icons mean nothing by themselves (Y-C7)."""
    steps: list[Step] = []
    for item in items or ():
        if item.kind == "turtle" and item.number is not None:
            steps.append(Step(StepKind.STORY, Story(item.number, 0)))
        elif item.kind in INDEX:
            steps += [Step(StepKind.GAIN, INDEX[item.kind])] * item.count
        elif item.kind in _SEVERAL:
            steps += [_SEVERAL[item.kind]] * item.count
    return tuple(steps)


class Townsfolk(NamedTuple):
    brown: Steps = ()
    both: Steps = ()
    food: str | None = None
    harvest: Steps = ()


class Barbarian(NamedTuple):
    cost: Cost | None = None
    """None, here and below: nobody has read it yet, so whatever the player pays is believed."""
    reward: Steps = ()
    damage: int = 1
    """Where nobody has read it, the usual one card."""
    bribe: Cost | None = None
    bribable: bool = True
    """Whether it may take a bribe (Y-P4)."""


class Canal(NamedTuple):
    cost: Cost | None = None
    effects: Steps = ()


_UNKNOWN_TOWNSFOLK = Townsfolk()
_UNKNOWN_BARBARIAN = Barbarian()
_UNKNOWN_CANAL = Canal()


@dataclass(frozen=True)
class Copy:
    """Facts compiled once. A card that the pack does not know costs and gives nothing that we could name."""

    pack: CardPack
    board: Board
    townsfolk: dict[CardId, Townsfolk]
    barbarians: dict[CardId, Barbarian]
    canals: dict[CardId, Canal]
    huts: dict[CardId, Steps]
    sites: tuple[Steps, ...]
    farms: tuple[Steps, ...]
    circles: tuple[Steps, ...]
    harvest: Steps
    harvest_per_outpost: Steps
    stones: dict[int, CardId]
    """The story cards by their grey stones."""
    book: dict[int, tuple[Action, ...]]
    """What the entries tell, where our book knows them; a real player's book stays closed to us."""

    def townsfolk_of(self, card: CardId) -> Townsfolk:
        return self.townsfolk.get(card, _UNKNOWN_TOWNSFOLK)

    def barbarian_of(self, card: CardId) -> Barbarian:
        return self.barbarians.get(card, _UNKNOWN_BARBARIAN)

    def canal_of(self, card: CardId) -> Canal:
        return self.canals.get(card, _UNKNOWN_CANAL)

    def hut_of(self, card: CardId) -> Steps:
        return self.huts.get(card, ())

    def story_card(self, stone: int) -> CardId:
        """The card of the Story Deck with this stone; a stranger where the pack does not have it."""
        return self.stones.get(stone, CardId("?s"))

    def is_barbarian(self, card: CardId | None) -> bool:
        return card is not None and (card in self.barbarians or card.startswith("?b"))


def copy_of(pack: CardPack, board: Board, book: dict[int, tuple[Action, ...]] | None = None) -> Copy:
    def compiled(kind: str) -> list[CardFacts]:
        return list(pack.of_kind(CardKind(kind)))

    return Copy(
        pack=pack,
        board=board,
        townsfolk={card.id: _townsfolk(card) for card in compiled("townsfolk")},
        barbarians={card.id: _barbarian(card) for card in compiled("barbarian")},
        canals={
            card.id: Canal(_cost_of(card.items("cost")), steps_of(card.items("effects")))
            for card in compiled("canal")
        },
        huts={card.id: steps_of(card.items("effects")) for card in compiled("hut")},
        sites=tuple(steps_of(items) for items in board.sites),
        farms=tuple(steps_of(items) for items in board.farms),
        circles=tuple(steps_of(items) for items in board.circles),
        harvest=steps_of(board.harvest),
        harvest_per_outpost=steps_of(board.harvest_per_outpost),
        stones={card.stone: card.id for card in compiled("story") if card.stone},
        book=book or {},
    )


def _townsfolk(card: CardFacts) -> Townsfolk:
    brown = steps_of(card.items("brown"))
    food = card.items("food")
    return Townsfolk(
        brown=brown,
        both=brown + steps_of(card.items("red")),
        food=food[0].kind if food else None,
        harvest=steps_of(card.items("harvest")),
    )


def _barbarian(card: CardFacts) -> Barbarian:
    damage = card.items("damage")
    bribe = card.items("bribe")
    return Barbarian(
        cost=_cost_of(card.items("cost")),
        reward=steps_of(card.items("reward")),
        damage=1 if damage is None else sum(item.count for item in damage if item.kind == "destroy"),
        bribe=_cost_of(bribe),
        bribable=bribe is None or bool(bribe),
    )


def _cost_of(items: tuple[Item, ...] | None) -> Cost | None:
    return None if items is None else cost_of(items)
