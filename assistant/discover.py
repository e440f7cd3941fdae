"""Finds the games: every folder below `assistant.games` that offers a `KIT`."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import assistant.games
from assistant.errors import FloodwatchError
from assistant.kit import GameKit


class UnknownGameError(FloodwatchError):
    """A game that nobody has written a kit for."""


@cache
def kits() -> Mapping[str, GameKit]:
    """Every kit by its name. A game folder without a `KIT` is a mistake of ours, so it is not passed over."""
    found: dict[str, GameKit] = {}
    for folder in pkgutil.iter_modules(assistant.games.__path__):
        module = importlib.import_module(f"{assistant.games.__name__}.{folder.name}")
        kit = getattr(module, "KIT", None)
        if not isinstance(kit, GameKit):
            raise TypeError(f"{module.__name__} must offer a GameKit called KIT, found {kit!r}")
        if kit.name in found:
            raise TypeError(f"two kits are called {kit.name!r}; {module.__name__} is the second one")
        found[kit.name] = kit
    return MappingProxyType(found)


def kit_if_any(name: str) -> GameKit | None:
    """None for a game without a kit: then no game is loaded, which would take a while."""
    folders = {folder.name for folder in pkgutil.iter_modules(assistant.games.__path__)}
    return kits().get(name) if name in folders else None


def kit_named(name: str) -> GameKit:
    known = kits()
    if name not in known:
        raise UnknownGameError(f"no game {name!r}: expected one of {', '.join(sorted(known)) or '(none)'}")
    return known[name]


def default_game() -> str:
    """The game that is meant when the player names none."""
    return assistant.games.DEFAULT
