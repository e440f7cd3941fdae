"""The session that a record leaves behind: settled steps stay, what was seen since is thought over again."""

from collections.abc import Iterable, Iterator
from typing import Any

from assistant.events import Corrected, Event, Observed, Still, Told, Word, decode_event
from assistant.kit import Game, Mistake, Severity
from assistant.reconstruct import Limits, Line, Step, StepKind
from assistant.record.sights import SightReader
from assistant.record.values import CommittedAction, RecordedEvent, RecordedFinding, RecordedGame
from assistant.session import Session
from assistant.snapshot import ShownFinding
from assistant.status import logged

SEEN, RESUMED = "seen", "resumed"
"""Kinds of recorded events: a sight, and that the program was started again."""
_TOLD = ("still", "corrected", "told")
MOST_AGAIN = 3000
"""So many events are thought over again at the most: nobody should wait long for a table left alone."""


def session_of(game: Game[Any, Any], name: str, recorded: RecordedGame, until: int | None = None) -> Session:
    """The game as it stood when the program ended, or just before the event `until`.

    Only settled steps are recorded as steps. Those that could still be revised are found again in the sights
    that told them: the table as it lies now would show them all at once, and in no order.
    """
    kept = history_of(game, recorded, until)
    settled = _notations(game, kept)
    session = _thought_over(game, name, recorded, kept, until)
    if _notations(game, session.lines[0])[: len(settled)] != settled:
        session = Session(game, name, history=kept)
    session.remember_findings(_shown(recorded.findings))
    return session


def _thought_over(
    game: Game[Any, Any], name: str, recorded: RecordedGame, kept: Line, until: int | None
) -> Session:
    first = _first_of_more(recorded, kept.depth)
    line = kept if first else next(line for line in kept.back() if line.parent is None)
    session = Session(game, name, history=line)
    for event in _unsettled(recorded, first, until):
        if _time(event) < session.now:  # another clock: what was seen before it is long ago
            session = Session(game, name, history=kept)
        session.take(event)
    return session


def _notations(game: Game[Any, Any], line: Line) -> list[str]:
    steps = [earlier for earlier in line.back() if earlier.step is not None]
    return [logged(game, step, committed=True).notation for step in reversed(steps)]


def history_of(game: Game[Any, Any], recorded: RecordedGame, until: int | None = None) -> Line:
    """The recorded steps as a line of play, all of them or those `until` an event."""
    state = game.decode(recorded.start)
    line = Line(None, None, state, game.view(state), 0.0)
    for action in recorded.actions:
        if until is not None and action.event >= until:
            break
        state = game.decode(action.state)
        step = _step(game, action, state, recorded.findings)
        line = Line(line, step, state, game.view(state), line.cost)
    return line


def _step(
    game: Game[Any, Any], action: CommittedAction, state: Any, findings: Iterable[RecordedFinding]
) -> Step:
    if action.notation.startswith("! "):
        return Step(kind=StepKind.MISTAKE, mistake=_mistake(action, state, findings))
    if action.notation.startswith("= "):
        return Step(kind=StepKind.ADOPTED)
    return Step(kind=StepKind.ACTION, action=game.parse(action.notation))


def _mistake(action: CommittedAction, state: Any, findings: Iterable[RecordedFinding]) -> Mistake[Any]:
    """As it was found then: today's rules may word it otherwise, or not know it."""
    rule = action.notation.removeprefix("! ")
    for told in findings:
        if (told.finding.rule, told.finding.message) == (rule, action.words):
            severity, zones = told.finding.severity, told.finding.zones
            return Mistake(rule=rule, message=action.words, state=state, zones=zones, severity=severity)
    return Mistake(rule=rule, message=action.words, state=state, severity=Severity.VIOLATION)


def _first_of_more(recorded: RecordedGame, kept: int) -> int:
    """The event that first told more than the steps that were kept; 0 for the first of all.

    A step is settled once so many others are believed after it: the event that settled it told the newest.
    """
    settling = kept + 1 - Limits().window
    return recorded.actions[settling - 1].event if settling > 0 else 0


def _unsettled(recorded: RecordedGame, first: int, until: int | None) -> list[Event]:
    events = [event for event in recorded.events if until is None or event.sequence < until]
    first = max([first, *(event.sequence + 1 for event in events if _tells_the_past(event))])
    return [event for sequence, event in read_events(events) if sequence >= first][-MOST_AGAIN:]


def _tells_the_past(event: RecordedEvent) -> bool:
    """A word about an earlier step: the record holds what became of it, and twice would be wrong."""
    if event.kind == "corrected":
        return event.payload.get("after") is not None
    return event.kind == "told" and event.payload.get("word") == Word.INSTEAD.value


def read_events(events: Iterable[RecordedEvent]) -> Iterator[tuple[int, Event]]:
    """All that was seen and told, each with its number in the record."""
    sights = SightReader()
    for event in events:
        if event.kind == RESUMED:
            sights = SightReader()
        elif event.kind == SEEN:
            yield event.sequence, Observed(observation=sights.read(event.payload))
        elif event.kind in _TOLD:
            yield event.sequence, decode_event({"event": event.kind, **event.payload})


def _time(event: Event) -> float:
    match event:
        case Observed(observation=observation):
            return observation.seen_at
        case Still(at=at) | Corrected(at=at) | Told(at=at):
            return at


def _shown(findings: Iterable[RecordedFinding]) -> tuple[ShownFinding, ...]:
    return tuple(
        ShownFinding(id=told.id, finding=told.finding, fate=told.fate, raised_at=told.at) for told in findings
    )
