"""When the player's word cannot be taken: an error that can be said in the player's language."""

from assistant.errors import FloodwatchError
from assistant.kit import Message


class RefusedError(FloodwatchError):
    """Something was asked for that cannot be done here and now; `message` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message
