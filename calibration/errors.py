"""What can be broken about a player's table, cards and sheets."""

from vision.errors import VisionError


class CalibrationError(VisionError):
    """Something of the player's that cannot be used; the message says what to do."""


class ProfileError(CalibrationError):
    """A profile of a table that cannot be used."""
