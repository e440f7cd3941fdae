"""Records a game from its actions: simulated games become records like any other, through the same store."""

from collections.abc import Iterable
from typing import Any

from assistant import __version__
from assistant.kit import Finding, Game, Severity
from assistant.record.recorder import Recorder
from assistant.record.store import Store
from assistant.record.values import CommittedAction, End, Ending, Header, RecordedFinding, pack_hash
from assistant.snapshot import FindingFate


def header_of(
    game: Game[Any, Any], *, table: str, started_at: float, seed: str | None = None, **hashes: Any
) -> Header:
    """`hashes` are those of board, models and profile, where there are any."""
    return Header(
        game=game.pack.game,
        table=table,
        pack_name=game.pack.name,
        pack_hash=pack_hash(game.pack),
        program=__version__,
        started_at=started_at,
        seed=seed,
        **hashes,
    )


def record_actions(
    store: Store,
    game: Game[Any, Any],
    actions: Iterable[Any],
    header: Header,
    *,
    seconds_per_action: float = 8.0,
) -> Recorder:
    """The whole game as a session would have told it, warnings included; ended if its last state is."""
    state = game.initial()
    recorder = store.begin(header, game.encode(state), game.pack)
    at = header.started_at
    warned: dict[str, int] = {}
    number = 0
    for number, action in enumerate(actions, 1):
        at += seconds_per_action
        round_ = game.round(state)
        state = game.apply(state, action)
        notation = game.format(action)
        told = {"event": "told", "at": at, "word": "action", "argument": notation}
        recorder.event("told", told, at)
        recorder.action(
            CommittedAction(
                number=number,
                round=round_,
                notation=notation,
                words=game.describe(action),
                state=game.encode(state),
                at=at,
                event=recorder.sequence,
            )
        )
        _warn(recorder, game, state, warned, number, at)
    outcome = game.outcome(state)
    if outcome is not None:
        recorder.end(
            Ending(end=End.FINISHED, won=outcome.won, cause=outcome.cause, rounds=game.round(state), at=at)
        )
    return recorder


def _warn(
    recorder: Recorder, game: Game[Any, Any], state: Any, warned: dict[str, int], number: int, at: float
) -> None:
    """What the gauges say is told once, until they are quiet again."""
    loud = {gauge.name: gauge for gauge in game.forecast(state).gauges if gauge.severity is not None}
    for name in [name for name in warned if name not in loud]:
        del warned[name]
    for name, gauge in loud.items():
        if name not in warned:
            warned[name] = number
            finding = Finding(
                rule=gauge.rule or name, severity=gauge.severity or Severity.NOTE, message=gauge.message
            )
            recorder.finding(
                RecordedFinding(
                    id=_next(recorder), after=number, finding=finding, fate=FindingFate.OPEN, at=at
                )
            )


def _next(recorder: Recorder) -> int:
    return recorder.findings_told + 1
