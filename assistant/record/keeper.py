"""Keeps a record in step with a game that is still being thought over: told all of it, writes what is new."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assistant.kit import Game, Message, Outcome
from assistant.record.recorder import Recorder
from assistant.record.values import CommittedAction, End, Ending, RecordedFinding, RecordedGame
from assistant.snapshot import FindingFate, ShownFinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One settled step of a game, as the session believes it now."""

    notation: str
    words: Message
    state: Any
    """The position after it."""
    crop: bytes | None = None
    """A small JPEG of where it shows, taken when it was seen."""


class Keeper:
    """A move that was recorded otherwise is recorded again, and takes back all that came after it."""

    def __init__(self, game: Game[Any, Any], recorder: Recorder, resumed: RecordedGame | None = None) -> None:
        """`resumed` is what the record holds already."""
        self._game = game
        self._recorder = recorder
        self._kept: list[tuple[str, Any]] = []
        self._fates: dict[int, FindingFate] = {}
        self._over = False
        if resumed is not None:
            self._kept = [(action.notation, game.decode(action.state)) for action in resumed.actions]
            self._fates = {told.id: told.fate for told in resumed.findings}

    @property
    def kept(self) -> int:
        """How many moves are recorded."""
        return len(self._kept)

    def keep(self, moves: Sequence[Move], *, at: float) -> int:
        """All settled moves of the game; how many of them were new."""
        same = 0
        for move, kept in zip(moves, self._kept, strict=False):
            if (move.notation, move.state) != kept:
                break
            same += 1
        if len(moves) < len(self._kept) and same == len(moves):
            self._recorder.take_back(same + 1, self._round_before(moves, same), at)
        for number, move in enumerate(moves[same:], same + 1):
            self._recorder.action(
                CommittedAction(
                    number=number,
                    round=self._round_before(moves, number - 1),
                    notation=move.notation,
                    words=move.words,
                    state=self._game.encode(move.state),
                    at=at,
                    event=self._recorder.sequence,
                    crop=move.crop,
                )
            )
        self._kept[same:] = [(move.notation, move.state) for move in moves[same:]]
        return len(moves) - same

    def keep_findings(self, shown: Sequence[ShownFinding], *, after: int, at: float) -> None:
        """Each finding once, and once more whenever its fate changes.

        `after` is the last move, settled or not: that is where it was found.
        """
        for one in shown:
            if self._fates.get(one.id) is not one.fate:
                self._fates[one.id] = one.fate
                self._recorder.finding(
                    RecordedFinding(id=one.id, after=after, finding=one.finding, fate=one.fate, at=at)
                )

    def end(self, outcome: Outcome | None, *, rounds: int, at: float) -> None:
        """The game is over, or (without an outcome) its table was cleared; told again it changes nothing."""
        if self._over:
            return
        self._over = True
        self._recorder.end(
            Ending(
                end=End.FINISHED if outcome else End.ABANDONED,
                won=outcome.won if outcome else None,
                cause=outcome.cause if outcome else None,
                rounds=rounds,
                at=at,
            )
        )

    def _round_before(self, moves: Sequence[Move], number: int) -> int:
        """A move belongs to the round in which it was made; the first one is part of the set-up."""
        return self._game.round(moves[number - 1].state) if number else 0
