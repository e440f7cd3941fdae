"""Packs of cards opened with the rules of their game."""

from pathlib import Path
from typing import Final

from assistant.discover import kit_if_any
from assistant.kit import GameKit
from vision.cards import CardPack
from vision.facts import Complaints, load_table, read_text
from vision.pack import PACK_FILE, PackRules, load_pack
from vision.pack_images import rules_of_any_game

ANY_GAME: Final = "cards"
"""The name of a game that nobody named."""


def open_pack(folder: Path) -> tuple[CardPack, PackRules, GameKit | None]:
    """A pack with the rules of its game; a game without a kit may have any cards."""
    game = _game_of(folder)
    kit = kit_if_any(game)
    rules = kit.pack_rules if kit is not None else rules_of_any_game(game)
    return load_pack(folder, rules), rules, kit


def _game_of(folder: Path) -> str:
    """Only the game's name; everything else that may be wrong is told by `load_pack`."""
    complaints = Complaints(PACK_FILE)
    text = read_text(folder / PACK_FILE, complaints)
    table = None if text is None else load_table(text, complaints)
    game = None if table is None else table.get("game")
    return game if isinstance(game, str) else ANY_GAME
