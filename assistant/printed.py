"""What a game's board prints, fact by fact with its source, and the player's own confirmed values."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from assistant.errors import FloodwatchError
from vision.cards import Item, Source, parse_items


class BoardError(FloodwatchError):
    """A board file, or a player's own value, that cannot be used."""


@dataclass(frozen=True, slots=True)
class BoardFact:
    value: str
    source: Source


@dataclass(frozen=True)
class PrintedBoard:
    """The facts by key, such as `farm.1`; each game says what its facts may be, and what they mean."""

    facts: Mapping[str, BoardFact]

    def __hash__(self) -> int:
        return hash(tuple(self.facts.items()))

    @classmethod
    def read(cls, text: str, origin: str) -> Self:
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
                cls.check(key, facts[key].value)
        return cls(facts)

    @staticmethod
    def check(key: str, value: str) -> None:
        """Raises BoardError where this fact cannot have this value."""
        raise NotImplementedError

    def assumed(self) -> tuple[str, ...]:
        """The facts that nobody has read off a real board yet: the player should confirm them."""
        return tuple(key for key, fact in self.facts.items() if fact.source is Source.ASSUMED)

    def confirmed(self, values: Mapping[str, str]) -> Self:
        """This board with the player's own word for some facts."""
        facts = dict(self.facts)
        for key, value in values.items():
            if key not in facts:
                raise BoardError(f"The board has no fact {key!r}; known are {', '.join(facts)}.")
            self.check(key, value)
            facts[key] = BoardFact(value, Source.CONFIRMED)
        return type(self)(facts)

    def number(self, key: str) -> int:
        return int(self.facts[key].value)

    def items(self, key: str) -> tuple[Item, ...]:
        return parse_items(self.facts[key].value)
