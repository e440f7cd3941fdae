"""A player's own copy of a game for any command: a pack folder, and what they confirmed about their board."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final

import typer

from assistant.errors import FloodwatchError
from assistant.kit import Game, GameKit
from vision.bounded import read_bounded
from vision.pack import load_pack

PackOption = Annotated[
    Path | None,
    typer.Option("--pack", metavar="DIR", help="A folder with your own pack.toml; else the demo's cards."),
]

PlayersOption = Annotated[
    int | None, typer.Option("--players", min=1, max=9, help="How many play, where the game has a choice.")
]
ChoicesOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Another way to play, such as a variant."),
]

CONFIRMED_FILE: Final = "confirmed.toml"
"""Beside pack.toml: what the player read off their own board, such as `"farm.1" = "white"`."""

LARGEST_FILE: Final = 1 << 20


class CopyError(FloodwatchError):
    """A file of the player's that cannot be used."""


def bound_game(
    kit: GameKit, folder: Path | None, options: Mapping[str, str] = MappingProxyType({})
) -> Game[Any, Any]:
    """The game with the cards and board of this folder, or with the demo's, played as wished."""
    if folder is None:
        return kit.bind(kit.demo_pack(), options)
    confirmed = confirmed_facts(folder / CONFIRMED_FILE)
    return kit.bind(load_pack(folder, kit.pack_rules), {**confirmed, **options})


def chosen_options(kit: GameKit, players: int | None, choices: list[str] | None) -> dict[str, str]:
    """What the player wishes of the ways to play that a game has."""
    wishes = [choice.partition("=") for choice in choices or ()]
    options = {name.strip(): value.strip() for name, _, value in wishes}
    if players is not None:
        options["players"] = str(players)
    for name, value in options.items():
        known = kit.options.get(name)
        if known is None:
            has = ", ".join(kit.options) or "none"
            raise CopyError(f"The game {kit.name!r} has no option {name!r}; it has {has}.")
        if value not in known:
            raise CopyError(f"The option {name} must be one of {', '.join(sorted(known))}, found {value!r}.")
    return options


def confirmed_facts(path: Path) -> dict[str, str]:
    """What the player read off their board; nothing where they have not yet."""
    if not path.exists():
        return {}
    try:
        facts = tomllib.loads(read_limited(path))
    except (ValueError, RecursionError) as problem:  # a number of 5,000 digits is no TOMLDecodeError
        raise CopyError(f"{path} is not valid TOML: {problem}.") from None
    odd = [key for key, value in facts.items() if not isinstance(value, str | int) or isinstance(value, bool)]
    if odd:
        raise CopyError(f'{path}: expected lines such as "farm.1" = "white", found {odd[0]!r}.')
    return {key: str(value) for key, value in facts.items()}


def saved_state(game: Game[Any, Any], path: Path) -> Any:
    """A position saved as JSON."""
    try:
        data = json.loads(read_limited(path))
    except (ValueError, RecursionError):
        raise CopyError(f"{path} is not a saved position: it is damaged or not JSON.") from None
    return game.decode(data)


def read_limited(path: Path) -> str:
    """A small text file of the player's."""
    try:
        data = read_bounded(path, LARGEST_FILE)
        if len(data) > LARGEST_FILE:
            raise CopyError(f"{path} is too large: expected at most {LARGEST_FILE // 1024} KiB.")
        return data.decode("utf-8")
    except OSError as problem:
        raise CopyError(f"{path} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise CopyError(f"{path} cannot be read: it is not a text in UTF-8.") from None
