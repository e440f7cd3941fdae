"""Builders for records: small headers and actions, and whole simulated games."""

from functools import cache
from typing import Any

from assistant.discover import default_game, kit_named
from assistant.kit import Finding, Game, Message, Severity
from assistant.record.feed import header_of, record_actions
from assistant.record.store import Store
from assistant.record.values import CommittedAction, End, Ending, Header, RecordedFinding, RecordedId
from assistant.simulate import PlayedGame, play_game, policy_named
from assistant.snapshot import FindingFate

BEGUN = 1_700_000_000.0


@cache
def bound_game() -> Game[Any, Any]:
    kit = kit_named(default_game())
    return kit.bind(kit.demo_pack())


@cache
def simulated(seed: int, policy: str = "greedy") -> PlayedGame:
    game = bound_game()
    return play_game(game, policy_named(game, policy), seed)


def header(*, table: str = "kitchen", game: str = "yu", seed: str | None = None) -> Header:
    return Header(
        game=game,
        table=table,
        pack_name="Demo",
        pack_hash="0123456789abcdef",
        program="0.1.0",
        started_at=BEGUN,
        seed=seed,
    )


def action(number: int, notation: str = "end", **changes: Any) -> CommittedAction:
    values: dict[str, Any] = {
        "number": number,
        "round": 1,
        "notation": notation,
        "words": Message.of("yu.nothing"),
        "state": {"move": number},
        "at": BEGUN + number,
    }
    return CommittedAction(**(values | changes))


def finding(
    id: int, *, rule: str = "Y-A6", fate: FindingFate = FindingFate.OPEN, after: int = 1
) -> RecordedFinding:
    return RecordedFinding(
        id=id,
        after=after,
        finding=Finding(rule=rule, severity=Severity.VIOLATION, message=Message.of("yu.nothing")),
        fate=fate,
        at=BEGUN,
    )


def ending(cause: str = "win") -> Ending:
    return Ending(end=End.FINISHED, won=cause == "win", cause=cause, rounds=3, at=BEGUN + 60)


def record_simulated(store: Store, seed: int, policy: str = "greedy") -> RecordedId:
    game = bound_game()
    head = header_of(game, table="kitchen", started_at=BEGUN + seed * 86_400, seed=str(seed))
    recorder = record_actions(store, game, simulated(seed, policy).actions, head)
    recorder.leave()
    assert recorder.id is not None
    return recorder.id
