"""What a card's effects are worth: amounts, counted per level or per card, under a condition.

On a card an effect is written as items: `magic#2` gives 2 Magic, `coin#1 each-market` 1 coin for each card of
the Wandering Market, `vp#1 if-scored` 1 VP where the guild won VP in this Combat.
"""

from collections.abc import Callable
from typing import NamedTuple

from assistant.games.yro.state import SIDE, Grid
from vision.cards import CardId, Item

COIN, TECH, MAGIC, FORCE, VP = range(5)
GAINS = ("coin", "tech", "magic", "force", "vp")
FACTIONS = ("sunrise", "conclave", "market", "mining", "floating", "dragon")
PROFESSIONS = ("explorer", "fighter", "mage", "sovereign")
TIMINGS = ("recruit", "combat", "production", "income", "score")

Amounts = tuple[int, int, int, int, int]
"""In the order of `GAINS`."""
NOTHING: Amounts = (0, 0, 0, 0, 0)

LINES = tuple(
    [tuple(range(row * SIDE, row * SIDE + SIDE)) for row in range(SIDE)]
    + [tuple(range(column, SIDE * SIDE, SIDE)) for column in range(SIDE)]
)
COUNTED = (
    "each-tech-level",
    "each-magic-level",
    *(f"each-{name}" for name in (*FACTIONS, *PROFESSIONS)),
    "each-adventurer",
    "each-faction",
    "each-profession",
    "each-line",
    "each-force",
    "each-coin",
)
CONDITIONS = ("if-scored", "if-front")


class Effect(NamedTuple):
    gain: int
    amount: int
    each: str | None = None
    condition: str | None = None


class Adventurer(NamedTuple):
    """A card's facts compiled for the rules."""

    cost: int | None = None
    """None, here and below: nobody has read it yet, so whatever the player does is believed."""
    force: int = 0
    faction: str | None = None
    profession: str | None = None
    effects: tuple[tuple[Effect, ...], ...] = ((),) * len(TIMINGS)


class Standing(NamedTuple):
    """What amounts may depend on, besides the cards."""

    tech_level: int = 0
    magic_level: int = 0
    force: int = 0
    coins: int = 0
    scored: bool = False


CardOf = Callable[[CardId], Adventurer]


def effects_of(items: tuple[Item, ...] | None) -> tuple[Effect, ...]:
    """Each amount, with the count and the condition that stand behind it."""
    found: list[Effect] = []
    for item in items or ():
        if item.kind in GAINS:
            found.append(Effect(GAINS.index(item.kind), item.number or 0))
        elif found and item.kind in COUNTED:
            found[-1] = found[-1]._replace(each=item.kind)
        elif found and item.kind in CONDITIONS:
            found[-1] = found[-1]._replace(condition=item.kind)
    return tuple(found)


def front(grid: Grid) -> list[int]:
    """R-B1: the cells of the top-most card of each column."""
    return [
        next(cell for cell in column if grid[cell] is not None)
        for column in LINES[SIDE:]
        if any([grid[cell] is not None for cell in column])
    ]


def lines_of(grid: Grid, card_of: CardOf) -> list[tuple[tuple[int, ...], str]]:
    """R-R4: every complete row or column of one Faction or one Profession, each attribute by itself."""
    found: list[tuple[tuple[int, ...], str]] = []
    for line in LINES:
        names = [grid[cell] for cell in line]
        if None in names:
            continue
        cards = [card_of(name) for name in names if name is not None]
        for values in ({card.faction for card in cards}, {card.profession for card in cards}):
            value = values.pop()
            if not values and value is not None:
                found.append((line, value))
    return found


def counted(each: str, grid: Grid, standing: Standing, card_of: CardOf) -> int:
    """How often an amount is given; a card counts itself."""
    if each == "each-tech-level":
        return standing.tech_level
    if each == "each-magic-level":
        return standing.magic_level
    if each == "each-force":
        return standing.force
    if each == "each-coin":
        return standing.coins
    if each == "each-line":
        return len(lines_of(grid, card_of))
    cards = [card_of(card) for card in grid if card is not None]
    if each == "each-adventurer":
        return len(cards)
    if each == "each-faction":
        return len({card.faction for card in cards if card.faction})
    if each == "each-profession":
        return len({card.profession for card in cards if card.profession})
    name = each.removeprefix("each-")
    return sum([name in (card.faction, card.profession) for card in cards])


def worth(effect: Effect, cell: int, grid: Grid, standing: Standing, card_of: CardOf) -> int:
    if effect.condition == "if-scored" and not standing.scored:
        return 0
    if effect.condition == "if-front" and cell not in front(grid):
        return 0
    times = 1 if effect.each is None else counted(effect.each, grid, standing, card_of)
    return effect.amount * times


def gained(timing: int, grid: Grid, standing: Standing, card_of: CardOf) -> Amounts:
    """What all cards of a grid give at this time."""
    amounts = list(NOTHING)
    for cell, card in enumerate(grid):
        if card is not None:
            for effect in card_of(card).effects[timing]:
                amounts[effect.gain] += worth(effect, cell, grid, standing, card_of)
    return (amounts[0], amounts[1], amounts[2], amounts[3], amounts[4])


def given_by(timing: int, cell: int, grid: Grid, standing: Standing, card_of: CardOf) -> Amounts:
    """What the card in one cell gives at this time."""
    card = grid[cell]
    amounts = list(NOTHING)
    if card is not None:
        for effect in card_of(card).effects[timing]:
            amounts[effect.gain] += worth(effect, cell, grid, standing, card_of)
    return (amounts[0], amounts[1], amounts[2], amounts[3], amounts[4])


def total_force(grid: Grid, standing: Standing, card_of: CardOf) -> int:
    """R-B1: the printed Force of the front, and what raises the Force of a card that stands there."""
    force = 0
    for cell in front(grid):
        card = grid[cell]
        assert card is not None
        facts = card_of(card)
        force += facts.force
        for effect in facts.effects[TIMINGS.index("combat")]:
            if effect.gain == FORCE:
                force += worth(effect, cell, grid, standing, card_of)
    return force
