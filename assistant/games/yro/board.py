"""What boards and rules print and count, fact by fact with its source, and the player's own values."""

from importlib import resources

from assistant.printed import BoardError, PrintedBoard
from vision.cards import parse_items


class Board(PrintedBoard):
    @staticmethod
    def check(key: str, value: str) -> None:
        """A fact is a list of VP for combat, items for lines, a number for everything else."""
        table, _, name = key.partition(".")
        if table == "line":
            try:
                items = parse_items(value)
            except ValueError as problem:
                raise BoardError(f"{key}: {problem}.") from None
            if any(item.kind not in ("coin", "tech", "magic", "vp") or item.number is None for item in items):
                raise BoardError(
                    f"{key} must give coin, tech, magic or vp such as 'tech#2', found {value!r}."
                )
            return
        words = value.split()
        if not all(word.isascii() and word.isdigit() and int(word) < 1000 for word in words):
            raise BoardError(f"{key} must be whole numbers from 0 to 999, found {value!r}.")
        if len(words) != (int(name) if table == "combat" else 1):
            raise BoardError(f"{key} needs another number of values, found {value!r}.")

    def numbers(self, key: str) -> tuple[int, ...]:
        return tuple(int(word) for word in self.facts[key].value.split())

    def names(self, table: str) -> tuple[str, ...]:
        return tuple(key.partition(".")[2] for key in self.facts if key.startswith(f"{table}."))


def shipped_board() -> Board:
    return Board.read((resources.files(__package__) / "board.toml").read_text("utf-8"), "board.toml")
