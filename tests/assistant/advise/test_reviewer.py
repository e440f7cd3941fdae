"""A recorded game thought over in a process of its own: asking never waits, a failure is tried again."""

import sys
from pathlib import Path

from assistant.advise.reviewer import Reviewer, request_of
from assistant.record.replay import steps_of
from assistant.record.values import RecordedId
from tests.assistant.advise.test_advisor import GAME, KIT
from tests.assistant.web.furniture import recorded_store

PATIENCE_S = 120.0


def test_the_costly_decisions_of_a_recorded_game_come_from_another_process(tmp_path: Path) -> None:
    with recorded_store(tmp_path, 1, moves=120) as store:
        recorded = store.load(RecordedId(1))
    steps = steps_of(recorded)
    reviewer = Reviewer()

    def request() -> dict[str, object]:
        return request_of(KIT, GAME, steps, seconds=0.05)

    assert reviewer.ask(1, request) is None, "asking does not wait"
    assert reviewer.wait(1, PATIENCE_S)
    found = reviewer.ask(1, request)
    assert found is not None
    assert len(found) <= 3
    assert [one.win_better - one.win_played for one in found] == sorted(
        (one.win_better - one.win_played for one in found), reverse=True
    )
    for one in found:
        state = GAME.decode(steps[one.number][0])
        assert GAME.round(state) == one.round
        for notation in one.better:
            assert GAME.refusal(state, GAME.parse(notation)) is None
            state = GAME.apply(state, GAME.parse(notation))


def test_a_process_that_fails_is_asked_again() -> None:
    reviewer = Reviewer(command=(sys.executable, "-c", "raise SystemExit(1)"))
    asked: list[int] = []

    def request() -> dict[str, object]:
        asked.append(1)
        return {}

    while len(asked) < 2:
        assert reviewer.ask(1, request) is None
        reviewer.wait(1, 0.05)
