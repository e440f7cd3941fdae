"""What can be broken about the world that vision looks at."""


class VisionError(Exception):
    """Something outside the program is not as it must be; the message says what to do."""


class PackError(VisionError):
    """A pack of cards that cannot be used; carries every problem found."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))
