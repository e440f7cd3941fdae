"""Plays a recorded game again under today's rules and says where it would go another way."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from assistant.errors import FloodwatchError
from assistant.kit import Game, Message
from assistant.record.values import CommittedAction, RecordedGame

BELIEVED: Final = ("! ", "= ")
"""How the notation of a step begins that is no action: a broken rule, a table taken as it lies."""


class Difference(Enum):
    WATCHED = "watched"  # what was seen would be understood otherwise today
    UNREADABLE = "unreadable"  # notation or state that today's program cannot read
    REFUSED = "refused"  # an action that was allowed then
    DIFFERS = "differs"  # the same action leads to another state
    OUTCOME = "outcome"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    kind: Difference
    number: int
    notation: str
    message: Message
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    actions: int
    """How many of the recorded actions were played again."""
    adopted: int
    """Steps that no rule explains: a broken rule, or a table that was taken as it lay."""
    deviations: tuple[Deviation, ...]

    @property
    def same(self) -> bool:
        return not self.deviations


def steps_of(recorded: RecordedGame) -> list[tuple[Mapping[str, Any], str]]:
    """Each encoded position with the notation of what was done there; what was only believed is left out."""
    before = recorded.start
    steps: list[tuple[Mapping[str, Any], str]] = []
    for action in recorded.actions:
        if not action.notation.startswith(BELIEVED):
            steps.append((before, action.notation))
        before = action.state
    return steps


def replay(recorded: RecordedGame, game: Game[Any, Any], *, most: int = 20) -> Replay:
    """Every action from the state that was recorded before it, so that one difference hides no other."""
    deviations: list[Deviation] = []
    adopted = 0
    before = recorded.start
    for action in recorded.actions:
        if action.notation.startswith(BELIEVED):
            adopted += 1
        elif (deviation := _again(game, before, action)) is not None:
            deviations.append(deviation)
        before = action.state
    deviations += _outcome(recorded, game)
    return Replay(actions=len(recorded.actions), adopted=adopted, deviations=tuple(deviations[:most]))


def _again(game: Game[Any, Any], before: Mapping[str, Any], action: CommittedAction) -> Deviation | None:
    def deviation(kind: Difference, **values: Any) -> Deviation:
        return Deviation(
            kind=kind,
            number=action.number,
            notation=action.notation,
            rule=values.get("rule"),
            message=Message.of(
                f"replay.{kind.value}", number=action.number, notation=action.notation, **values
            ),
        )

    try:
        state = game.decode(before)
        made = game.parse(action.notation)
    except FloodwatchError as problem:
        return deviation(Difference.UNREADABLE, reason=str(problem))
    refusal = game.refusal(state, made)
    if refusal is not None:
        return deviation(Difference.REFUSED, rule=refusal.rule, reason=refusal.message)
    after = game.encode(game.apply(state, made))
    fields = sorted(key for key in {*after, *action.state} if after.get(key) != action.state.get(key))
    return deviation(Difference.DIFFERS, fields=", ".join(fields)) if fields else None


def _outcome(recorded: RecordedGame, game: Game[Any, Any]) -> list[Deviation]:
    ending = recorded.ending
    if ending is None or ending.cause is None or not recorded.actions:
        return []
    try:
        outcome = game.outcome(game.decode(recorded.state))
    except FloodwatchError:
        return []  # told already, at the last action
    today = outcome.cause if outcome else "-"
    if today == ending.cause:
        return []
    last = recorded.actions[-1]
    message = Message.of("replay.outcome", recorded=ending.cause, today=today)
    return [Deviation(kind=Difference.OUTCOME, number=last.number, notation=last.notation, message=message)]
