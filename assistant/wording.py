"""Turns a `Message` into a sentence in the player's language, from message files in TOML."""

import string
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from assistant.errors import FloodwatchError
from assistant.kit import Message, Value

MACHINERY: Final = Path(__file__).parent / "messages"
"""The folder with the sentences that belong to no game."""

FALLBACK: Final = "en"

Part: TypeAlias = tuple[str, str | None, bool]
"""Literal text, the field that follows it, and whether that field is shown as a percentage."""


class WordingError(FloodwatchError):
    """A message that cannot be said: an unknown key, a missing value or a broken message file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One entry of a message file: a sentence, or a singular and a plural of it."""

    one: tuple[Part, ...] | None
    """None where the sentence is the same for every number."""
    other: tuple[Part, ...]

    @property
    def fields(self) -> frozenset[str]:
        parts = self.other + (self.one or ())
        return frozenset(name for _, name, _ in parts if name is not None)


class Wording:
    """The sentences of one language: the machinery's own and those of the given folders."""

    def __init__(self, language: str, folders: Iterable[str | Path] = ()) -> None:
        if language not in languages():
            raise WordingError(f"no language {language!r}: expected one of {', '.join(languages())}")
        self.language = language
        self._templates: dict[str, Template] = {}
        for folder in (MACHINERY, *map(Path, folders)):
            self._add(load_messages(folder / f"{language}.toml"), folder)

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(self._templates)

    def say(self, message: Message) -> str:
        """The sentence; a message without a key or value in this language is an error, never a gap."""
        template = self._templates.get(message.key)
        if template is None:
            raise WordingError(f"no message {message.key!r} in {self.language!r}")
        values = dict(message.values)
        parts = template.other
        if template.one is not None and self._is_singular(message, values):
            parts = template.one
        return "".join(text + self._field(message, values, name, percent) for text, name, percent in parts)

    def _add(self, templates: Mapping[str, Template], folder: Path) -> None:
        twice = sorted(templates.keys() & self._templates.keys())
        if twice:
            raise WordingError(f"messages of {folder} already exist elsewhere: {', '.join(twice)}")
        self._templates |= templates

    def _is_singular(self, message: Message, values: Mapping[str, Value]) -> bool:
        number = values.get("n")
        if not isinstance(number, int | float):
            raise WordingError(
                f"message {message.key!r} in {self.language!r} chooses by the number 'n', found {number!r}"
            )
        return abs(number) < 2 if self.language == "fr" else abs(number) == 1

    def _field(self, message: Message, values: Mapping[str, Value], name: str | None, percent: bool) -> str:
        if name is None:
            return ""
        if name not in values:
            raise WordingError(f"message {message.key!r} in {self.language!r} lacks the value {name!r}")
        value = values[name]
        match value:
            case Message():
                return self.say(value)
            case int() | float() if percent:
                return (
                    f"{value * 100:.0f}\N{NARROW NO-BREAK SPACE}%"
                    if self.language == "fr"
                    else f"{value:.0%}"
                )
            case float():
                number = f"{value:.2f}".rstrip("0").rstrip(".")
                return number.replace(".", ",") if self.language == "fr" else number
        return str(value)


def languages() -> tuple[str, ...]:
    """The languages that the machinery speaks."""
    return tuple(sorted(path.stem for path in MACHINERY.glob("*.toml")))


def pick_language(wish: str) -> str:
    """The best language for an Accept-Language header or a locale such as `fr_CH.UTF-8`."""
    ranked = sorted(map(_parse_wish, wish.split(",")), key=lambda pair: -pair[1])
    return next((tag for tag, quality in ranked if quality > 0 and tag in languages()), FALLBACK)


def language_of(environment: Mapping[str, str]) -> str:
    """The language of a terminal: our own variable first, then those of every Unix program."""
    for variable in ("FLOODWATCH_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(variable):
            return pick_language(environment[variable])
    return FALLBACK


def load_messages(path: Path) -> dict[str, Template]:
    """The templates of one message file under their dotted keys; says all that is wrong at once."""
    try:
        return dict(_understood(path, path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise WordingError(f"expected a message file {path}, found none") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise WordingError(f"{path} is not a TOML file in UTF-8: {problem}") from problem


# Every problem that a page is told of needs a wording, and reading TOML is slow.
@lru_cache(maxsize=32)
def _understood(path: Path, text: str) -> Mapping[str, Template]:
    tree = tomllib.loads(text)
    templates: dict[str, Template] = {}
    problems: list[str] = []
    for key, entry in _entries(tree):
        try:
            templates[key] = _template(entry)
        except ValueError as problem:
            problems.append(f"{path}: {key}: {problem}")
    if problems:
        raise WordingError("\n".join(problems))
    return templates


def _entries(tree: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, entry in tree.items():
        if isinstance(entry, dict) and not _is_plural(entry):
            yield from _entries(entry, f"{prefix}{name}.")
        else:
            yield prefix + name, entry


def _is_plural(entry: Mapping[str, Any]) -> bool:
    return bool(entry) and entry.keys() <= {"one", "other"}


def _template(entry: object) -> Template:
    match entry:
        case str():
            return Template(one=None, other=_parts(entry))
        case {"one": str() as one, "other": str() as other}:
            return Template(one=_parts(one), other=_parts(other))
    raise ValueError(f"expected a text or {{one = …, other = …}}, found {entry!r}")


def _parts(text: str) -> tuple[Part, ...]:
    """Only `{name}` and `{name:%}` are understood: a message file can reach nothing but its values."""
    parts: list[Part] = []
    for literal, name, spec, conversion in string.Formatter().parse(text):
        if name is not None and (not name.isidentifier() or conversion or spec not in ("", "%")):
            raise ValueError(f"expected fields such as {{name}} or {{name:%}}, found {text!r}")
        parts.append((literal, name, spec == "%"))
    return tuple(parts)


def _parse_wish(wish: str) -> tuple[str, float]:
    tag, _, parameter = wish.strip().partition(";")
    name = tag.strip().replace("_", "-").replace(".", "-").split("-")[0].lower()
    try:
        quality = float(parameter.strip().removeprefix("q=")) if parameter else 1.0
    except ValueError:
        quality = 0.0
    return name, quality
