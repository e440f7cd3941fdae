"""A recorded game made ready to be told: its words in one language, its moments, its findings in place."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.kit import Game, GameKit, Message, Severity
from assistant.record.values import CommittedAction, Ending, RecordedFinding, RecordedGame
from assistant.snapshot import FindingFate
from assistant.wording import Wording, WordingError


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldFinding:
    rule: str
    severity: Severity
    fate: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldAction:
    number: int
    round: int
    at: float
    notation: str
    sentence: str
    findings: tuple[ToldFinding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    title: str
    result: str
    before: tuple[ToldFinding, ...]
    """What was found before the first action: a set-up that was not right."""
    actions: tuple[ToldAction, ...]


def tell(recorded: RecordedGame, kit: GameKit, wording: Wording) -> Telling:
    found: dict[int, list[ToldFinding]] = {}
    last = recorded.actions[-1].number if recorded.actions else 0
    for finding in recorded.findings:
        # What was taken back since keeps its findings: they are told at the last action that stands.
        found.setdefault(min(finding.after, last), []).append(_told(finding, wording))
    return Telling(
        title=say(wording, kit.title),
        result=result_of(recorded.ending, kit, wording),
        before=tuple(found.get(0, ())),
        actions=tuple(_action(action, found, wording) for action in recorded.actions),
    )


def result_of(ending: Ending | None, kit: GameKit, wording: Wording) -> str:
    """How a game ended, as one sentence."""
    if ending is None:
        return wording.say(Message.of("record.result.unfinished"))
    if ending.cause is None:
        return wording.say(Message.of("record.result.abandoned"))
    return say(wording, Message.of(f"{kit.name}.result.{ending.cause}"), ending.cause)


def game_of(recorded: RecordedGame, kit: GameKit) -> Game[Any, Any]:
    """The game with the cards that it was played with, and in the way it was played."""
    return kit.bind(recorded.pack or kit.demo_pack(), recorded.start.get("settings", {}))


def say(wording: Wording, message: Message, otherwise: str | None = None) -> str:
    """An old record may hold a message that nobody knows any more: its key is better than nothing."""
    try:
        return wording.say(message)
    except WordingError:
        return otherwise if otherwise is not None else message.key


def moment(at: float) -> str:
    """The player's own time, in the order of calendars that sort."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _told(finding: RecordedFinding, wording: Wording) -> ToldFinding:
    sentence = say(wording, finding.finding.message)
    if finding.fate is not FindingFate.OPEN:
        sentence = f"{sentence} ({wording.say(Message.of(f'record.fate.{finding.fate.value}'))})"
    return ToldFinding(
        rule=finding.finding.rule,
        severity=finding.finding.severity,
        fate=finding.fate.value,
        sentence=sentence,
    )


def _action(action: CommittedAction, found: Mapping[int, list[ToldFinding]], wording: Wording) -> ToldAction:
    return ToldAction(
        number=action.number,
        round=action.round,
        at=action.at,
        notation=action.notation,
        sentence=say(wording, action.words, action.notation),
        findings=tuple(found.get(action.number, ())),
    )
