"""One player's copy of the game: their cards, their boards and how they play, made ready for fast rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from assistant.errors import FloodwatchError
from assistant.facedown import Cards
from assistant.games.yro import effects
from assistant.games.yro.board import Board
from assistant.games.yro.effects import Adventurer, Amounts, Standing, effects_of
from assistant.games.yro.purse import worth
from assistant.games.yro.state import Coins, Grid, Player
from vision.cards import CardFacts, CardId, CardKind, CardPack, Item

ADVENTURERS = 102
QUESTS = 8
OPEN_QUESTS = 4
OPTIONS: dict[str, tuple[str, ...]] = {
    "players": ("3", "1", "2", "4", "5"),
    "draft": ("no", "yes"),
    "quests": ("no", "yes"),
    "ties": ("ranking", "literal"),
}
"""How a game may be played; the first value is the usual one."""


class OptionError(FloodwatchError):
    """A way to play that the rules do not know."""


class Settings(NamedTuple):
    players: int = 3
    draft: bool = False
    quests: bool = False
    literal_ties: bool = False
    """R-B2: three tied players skip one tier only, as the rulebook says word by word."""

    def written(self) -> dict[str, str]:
        """The settings as options, such as a record keeps them."""
        return {
            "players": str(self.players),
            "draft": "yes" if self.draft else "no",
            "quests": "yes" if self.quests else "no",
            "ties": "literal" if self.literal_ties else "ranking",
        }


def settings_of(options: Mapping[str, str]) -> Settings:
    for name, value in options.items():
        if value not in OPTIONS[name]:
            known = ", ".join(sorted(OPTIONS[name]))
            raise OptionError(f"The option {name} must be one of {known}, found {value!r}.")
    chosen = {name: options.get(name, values[0]) for name, values in OPTIONS.items()}
    return Settings(
        players=int(chosen["players"]),
        draft=chosen["draft"] == "yes",
        quests=chosen["quests"] == "yes",
        literal_ties=chosen["ties"] == "literal",
    )


class Goal(NamedTuple):
    """What a Quest asks for: so many of something."""

    number: int
    each: str


_UNREAD = Adventurer()


@dataclass(frozen=True, eq=False)
class Copy:
    """Facts compiled once. A card that the pack does not know costs and gives nothing that we could name."""

    pack: CardPack
    board: Board
    settings: Settings
    adventurers: dict[CardId, Adventurer]
    goals: dict[CardId, Goal]
    deck: Cards
    quest_deck: Cards
    lines: dict[str, Amounts]
    levels: tuple[int, ...]
    """The level for each number of points."""
    spoils: tuple[int, ...]
    start_coins: int
    start_cards: int
    discount: int
    nothing: int
    income: int
    quest_vp: int
    most_threat: int
    coins_per_vp: int
    box: Coins
    has_boards: bool
    """The pack knows what the player boards look like."""
    gained: Any = field(repr=False)
    """`gained(timing, grid, standing)`, remembered."""
    force_of: Any = field(repr=False)
    """`force_of(grid, standing)`, remembered."""
    lines_of: Any = field(repr=False)

    def card_of(self, card: CardId) -> Adventurer:
        return self.adventurers.get(card, _UNREAD)

    def standing(self, player: Player, scored: bool = False) -> Standing:
        return Standing(
            self.levels[player.tech],
            self.levels[player.magic],
            player.force,
            worth(player.coins),
            scored,
        )

    def levelled(self, player: Player, scored: bool = False) -> Standing:
        """The standing without coins and Force, which no effect of a card counts: remembered more often."""
        return Standing(self.levels[player.tech], self.levels[player.magic], 0, 0, scored)

    @property
    def track_end(self) -> int:
        return len(self.levels) - 1


def copy_of(pack: CardPack, board: Board, settings: Settings) -> Copy:
    adventurers = {card.id: _adventurer(card) for card in pack.of_kind(CardKind("adventurer"))}
    quests = {card.id: _goal(card.items("goal")) for card in pack.of_kind(CardKind("quest"))}
    unread = _UNREAD

    def card_of(card: CardId) -> Adventurer:
        return adventurers.get(card, unread)

    @lru_cache(maxsize=65536)
    def gained(timing: int, grid: Grid, standing: Standing) -> Amounts:
        return effects.gained(timing, grid, standing, card_of)

    @lru_cache(maxsize=65536)
    def force_of(grid: Grid, standing: Standing) -> int:
        return effects.total_force(grid, standing, card_of)

    @lru_cache(maxsize=65536)
    def lines_of(grid: Grid) -> list[tuple[tuple[int, ...], str]]:
        return effects.lines_of(grid, card_of)

    return Copy(
        pack=pack,
        board=board,
        settings=settings,
        adventurers=adventurers,
        goals={name: goal for name, goal in quests.items() if goal is not None},
        deck=_filled(pack, "adventurer", ADVENTURERS, "?a"),
        quest_deck=_filled(pack, "quest", QUESTS, "?q"),
        lines={name: _amounts(board.items(f"line.{name}")) for name in board.names("line")},
        levels=_levels(board),
        spoils=board.numbers(f"combat.{settings.players}"),
        start_coins=board.number("start.coins"),
        start_cards=board.number("start.cards"),
        discount=board.number("recruit.discount"),
        nothing=board.number("recruit.nothing"),
        income=board.number("income.coins"),
        quest_vp=board.number("quest.vp"),
        most_threat=board.number("threat.most"),
        coins_per_vp=max(1, board.number("final.coins")),
        box=(board.number("box.coin-1"), board.number("box.coin-3"), board.number("box.coin-6")),
        has_boards=any(True for _ in pack.of_kind(CardKind("board"))),
        gained=gained,
        force_of=force_of,
        lines_of=lines_of,
    )


def _adventurer(card: CardFacts) -> Adventurer:
    cost, force = card.items("cost"), card.items("force")
    return Adventurer(
        cost=cost[0].number if cost else None,
        force=next((item.number or 0 for item in force or () if item.kind == "force"), 0),
        faction=_only(card.items("faction")),
        profession=_only(card.items("profession")),
        effects=tuple(effects_of(card.items(timing)) for timing in effects.TIMINGS),
    )


def _only(items: tuple[Item, ...] | None) -> str | None:
    return items[0].kind if items else None


def _goal(items: tuple[Item, ...] | None) -> Goal | None:
    if not items or len(items) != 2:
        return None
    return Goal(items[0].number or 0, items[1].kind)


def _filled(pack: CardPack, kind: str, size: int, stranger: str) -> Cards:
    """All cards of a kind; where a pack lacks some, strangers stand for them."""
    cards = [card.id for card in pack.of_kind(CardKind(kind)) for _ in range(card.copies)]
    return tuple(sorted((*cards, *(CardId(stranger),) * max(0, size - len(cards)))))


def _amounts(items: tuple[Item, ...]) -> Amounts:
    amounts = dict.fromkeys(effects.GAINS, 0)
    for item in items:
        amounts[item.kind] += item.number or 0
    coin, tech, magic, force, vp = amounts.values()
    return (coin, tech, magic, force, vp)


def _levels(board: Board) -> tuple[int, ...]:
    starts = [board.number(f"level.{level}") for level in range(1, 5)]
    return tuple(sum(points >= start for start in starts) for points in range(board.number("track.end") + 1))
