"""YRO, a card game for one to five guilds: the second game that Floodwatch can watch."""

from assistant.games.yro.kit import KIT

__all__ = ["KIT"]
