"""Games of the advisor and of those it is compared with, kept one by one: a long run can be gone on with."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from assistant.advise.advisor import Thought, advisor_policy
from assistant.kit import Game, Policy
from assistant.simulate import play_game
from tests.benchmarks.uct import uct_policy

ROOT = Path(__file__).parents[2]
_YU = "assistant/games/yu"
_GREEDY = (f"{_YU}/policies.py", f"{_YU}/worth.py", f"{_YU}/demo/pack.toml")
_DEPENDS = {
    "random": _GREEDY[2:],
    "greedy": _GREEDY,
    "uct": (*_GREEDY, "tests/benchmarks/uct.py"),
    "advisor": (
        *_GREEDY,
        f"{_YU}/outlook.py",
        f"{_YU}/outlook.toml",
        "assistant/advise/advisor.py",
        "assistant/advise/lines.py",
        "assistant/advise/weigh.py",
    ),
}
"""The files that make a player what it is: with other contents its kept games are another player's."""

Heard: TypeAlias = Callable[[Any, Thought], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedOnce:
    """How one player did with one seed."""

    player: str
    """`random`, `greedy`, or a name with its milliseconds, such as `advisor-1000`."""
    print: str
    """Of the files that make the player."""
    number: int
    cause: str
    rounds: int
    seconds: float
    """Processor time of the whole game."""
    told: tuple[float, ...]
    """The chance to win that its samples gave at each of its decisions."""

    @property
    def won(self) -> bool:
        return self.cause == "win"


def seed_of(number: int) -> str:
    """Nobody tunes on these; development has seeds of its own."""
    return f"0/{number}"


def play_once(game: Game[Any, Any], player: str, number: int) -> PlayedOnce:
    told: list[float] = []
    policy = policy_of(game, player, lambda _state, thought: told.append(thought.weighed[0].chance.p))
    begun = time.process_time()
    played = play_game(game, policy, seed_of(number))
    return PlayedOnce(
        player=player,
        print=print_of(player),
        number=number,
        cause=played.cause,
        rounds=game.round(played.last),
        seconds=round(time.process_time() - begun, 2),
        told=tuple(round(p, 4) for p in told),
    )


def policy_of(game: Game[Any, Any], player: str, heard: Heard) -> Policy:
    """Budgets are processor time, so that a busy machine changes hardly any result."""
    name, _, budget_ms = player.partition("-")
    if name == "advisor":
        return advisor_policy(game, int(budget_ms) / 1000, heard=heard)
    if name == "uct":
        return uct_policy(game, int(budget_ms) / 1000)
    return game.policies[player]


@cache
def print_of(player: str) -> str:
    """Taken once: what is edited during a run is not what plays in it."""
    contents = [(ROOT / path).read_bytes() for path in _DEPENDS[player.partition("-")[0]]]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:12]


class Ledger:
    """The games of the players as they are now; what others played stays in the file, unread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.games: dict[str, dict[int, PlayedOnce]] = {}
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        for line in lines:
            data = json.loads(line)
            self._note(PlayedOnce(**{**data, "told": tuple(data["told"])}))

    def has(self, player: str, number: int) -> bool:
        return number in self.games.get(player, {})

    def add(self, played: PlayedOnce) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(played)) + "\n")
        self._note(played)

    def _note(self, played: PlayedOnce) -> None:
        if played.print == print_of(played.player):
            self.games.setdefault(played.player, {})[played.number] = played
