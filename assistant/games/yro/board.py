"""What boards and rules print and count, fact by fact with its source, and the player's own values."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from assistant.errors import FloodwatchError
from vision.cards import Item, Source, parse_items


class BoardError(FloodwatchError):
    """A board file, or a player's own value, that cannot be used."""


@dataclass(frozen=True, slots=True)
class BoardFact:
    value: str
    source: Source


@dataclass(frozen=True, slots=True)
class Board:
    facts: Mapping[str, BoardFact]

    def assumed(self) -> tuple[str, ...]:
        """The facts that nobody has read off a real copy yet: the player should confirm them."""
        return tuple(key for key, fact in self.facts.items() if fact.source is Source.ASSUMED)

    def confirmed(self, values: Mapping[str, str]) -> "Board":
        """This board with the player's own word for some facts."""
        facts = dict(self.facts)
        for key, value in values.items():
            if key not in facts:
                raise BoardError(f"The board has no fact {key!r}; known are {', '.join(facts)}.")
            _check(key, value)
            facts[key] = BoardFact(value, Source.CONFIRMED)
        return Board(facts)

    def number(self, key: str) -> int:
        return int(self.facts[key].value)

    def numbers(self, key: str) -> tuple[int, ...]:
        return tuple(int(word) for word in self.facts[key].value.split())

    def items(self, key: str) -> tuple[Item, ...]:
        return parse_items(self.facts[key].value)

    def names(self, table: str) -> tuple[str, ...]:
        return tuple(key.partition(".")[2] for key in self.facts if key.startswith(f"{table}."))


def shipped_board() -> Board:
    return read_board((resources.files(__package__) / "board.toml").read_text("utf-8"), "board.toml")


def read_board(text: str, origin: str) -> Board:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise BoardError(f"{origin} is not valid TOML: {problem}.") from None
    facts: dict[str, BoardFact] = {}
    for table, entries in tables.items():
        for name, entry in entries.items():
            key = f"{table}.{name}"
            try:
                facts[key] = BoardFact(str(entry["value"]), Source(entry["source"]))
            except (KeyError, TypeError, ValueError):
                raise BoardError(
                    f"{origin}: {key} needs a value and a source "
                    f"({', '.join(source.value for source in Source)}), found {entry!r}."
                ) from None
            _check(key, facts[key].value)
    return Board(facts)


def _check(key: str, value: str) -> None:
    """A fact is a list of VP for combat, items for lines, a number for everything else."""
    table, _, name = key.partition(".")
    if table == "line":
        try:
            items = parse_items(value)
        except ValueError as problem:
            raise BoardError(f"{key}: {problem}.") from None
        if any(item.kind not in ("coin", "tech", "magic", "vp") or item.number is None for item in items):
            raise BoardError(f"{key} must give coin, tech, magic or vp such as 'tech#2', found {value!r}.")
        return
    words = value.split()
    if not all(word.isascii() and word.isdigit() and int(word) < 1000 for word in words):
        raise BoardError(f"{key} must be whole numbers from 0 to 999, found {value!r}.")
    if len(words) != (int(name) if table == "combat" else 1):
        raise BoardError(f"{key} needs another number of values, found {value!r}.")
