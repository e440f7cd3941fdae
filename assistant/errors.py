"""The root of everything that can be broken about the world around the assistant."""


class FloodwatchError(Exception):
    """A problem that the player can do something about; the message is one clear sentence."""
