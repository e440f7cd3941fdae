"""Packs of cards opened with the rules of their game."""

from pathlib import Path
from typing import Final

from assistant.discover import kit_if_any
from assistant.kit import GameKit
from vision.cards import CardPack
from vision.pack import PackRules, load_pack
from vision.pack_images import rules_of_any_game

ANY_GAME: Final = "cards"
"""The name of a game that nobody named."""


def open_pack(folder: Path) -> tuple[CardPack, PackRules, GameKit | None]:
    """A pack with the rules of its game; a game without a kit may have any cards."""
    found: list[tuple[PackRules, GameKit | None]] = []

    def rules_of(game: object) -> PackRules:
        named = game if isinstance(game, str) else ANY_GAME
        kit = kit_if_any(named)
        rules = kit.pack_rules if kit is not None else rules_of_any_game(named)
        found.append((rules, kit))
        return rules

    pack = load_pack(folder, rules_of)
    return pack, *found[0]
