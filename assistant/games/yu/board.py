"""What is printed on the board, fact by fact with its source, and the player's own confirmed values."""

from functools import cached_property
from importlib import resources

from assistant.games.yu.payment import Cost, cost_of
from assistant.games.yu.pieces import INDEX
from assistant.printed import BoardError, PrintedBoard
from vision.cards import Item, parse_items

SITE_SPACES = (0, 1, 2, 3, 4, 4, 5, 5, 6)
"""The river space whose canal opens each build site; 0 is open from the start (Y-A15)."""

SITE_KEYS = ("site.start", "site.1", "site.2", "site.3", "site.4a", "site.4b", "site.5a", "site.5b", "site.6")


class Board(PrintedBoard):
    @staticmethod
    def check(key: str, value: str) -> None:
        """A fact is a number for costs and tags, a Worker's colour for Outposts, items for all others."""
        table = key.partition(".")[0]
        if table in ("row", "tag", "ready"):
            if not (value.isascii() and value.isdigit() and int(value) < 100):
                raise BoardError(f"{key} must be a number from 0 to 99, found {value!r}.")
        elif table == "outpost":
            if INDEX.get(value, 99) > 4:
                raise BoardError(f"{key} must be a Worker's colour, found {value!r}.")
        else:
            try:
                parse_items(value)
            except ValueError as problem:
                raise BoardError(f"{key}: {problem}.") from None

    @cached_property
    def row_costs(self) -> tuple[int, ...]:
        return tuple(self.number(f"row.{space}") for space in range(1, 8))

    @cached_property
    def barbarian_tags(self) -> tuple[int, ...]:
        """What the upper shore adds at Refresh: at the river's start, then on each uncovered space."""
        return tuple(self.number(key) for key in ("tag.start", *(f"tag.{space}" for space in range(1, 7))))

    @cached_property
    def sites(self) -> tuple[tuple[Item, ...], ...]:
        return tuple(self.items(key) for key in SITE_KEYS)

    @cached_property
    def farms(self) -> tuple[tuple[Item, ...], ...]:
        return tuple(self.items(f"farm.{number}") for number in range(1, 4))

    @cached_property
    def outpost_colours(self) -> tuple[int, ...]:
        return tuple(INDEX[self.facts[f"outpost.{number}"].value] for number in range(1, 5))

    @cached_property
    def circles(self) -> tuple[tuple[Item, ...], ...]:
        return tuple(self.items(f"circle.{number}") for number in range(5))

    @cached_property
    def harvest(self) -> tuple[Item, ...]:
        return self.items("harvest.line")

    @cached_property
    def harvest_per_outpost(self) -> tuple[Item, ...]:
        return self.items("harvest.outpost")

    @cached_property
    def ready_cards(self) -> int:
        return self.number("ready.cards")

    def building_cost(self, building: str) -> Cost:
        return self._building_costs[building]

    @cached_property
    def _building_costs(self) -> dict[str, Cost]:
        return {kind: cost_of(self.items(f"cost.{kind}")) for kind in ("farm", "outpost", "hut")}


def shipped_board() -> Board:
    return Board.read((resources.files(__package__) / "board.toml").read_text("utf-8"), "board.toml")
