"""Legacy of Yu, a solo campaign card game: the first game that Floodwatch can watch."""

from assistant.games.yu.kit import KIT

__all__ = ["KIT"]
