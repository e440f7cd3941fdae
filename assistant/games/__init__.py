"""One folder per game; each offers a `KIT` that the machinery finds by itself."""

DEFAULT = "yu"
"""The game that is meant when nobody names one; said here because machinery never names a game."""
