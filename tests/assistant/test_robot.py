"""The robot plays whole games by itself, and takes the player's word."""

from collections.abc import Iterator

import pytest

from assistant.discover import default_game, kit_named
from assistant.refused import RefusedError
from assistant.robot import Robot
from assistant.snapshot import Certainty, FindingFate, Snapshot
from vision.table import PieceKind, ZoneId, ZoneView, counted

SECONDS = 60.0


def robot_of(**settings: object) -> Robot:
    return Robot(kit_named(default_game()), **{"seed": 3, "pace": 0.0, "clock": lambda: 0.0, **settings})  # type: ignore[arg-type]


@pytest.fixture
def robot() -> Iterator[Robot]:
    made = robot_of()
    yield made
    made.stop()


def ended(robot: Robot) -> Snapshot:
    snapshot = robot.snapshot()
    while snapshot.outcome is None:
        newer = robot.wait_newer(snapshot.number, SECONDS)
        assert newer is not None, "the game stands still"
        assert newer.number > snapshot.number
        snapshot = newer
    return snapshot


def test_a_game_runs_from_the_first_card_to_its_end(robot: Robot) -> None:
    robot.start()
    assert len(ended(robot).log) > 50


def test_the_same_seed_plays_the_same_game() -> None:
    games = [robot_of(seed=11) for _ in range(2)]
    for robot in games:
        robot.skip(10_000)
    first, second = (robot.snapshot() for robot in games)
    assert first.outcome is not None
    assert [line.notation for line in first.log] == [line.notation for line in second.log]


def test_after_a_rest_the_next_game_begins() -> None:
    robot = robot_of(rest=0.01)
    robot.skip(10_000)
    over = robot.snapshot()
    assert over.outcome is not None
    robot.start()
    next(snapshot for snapshot in news(robot) if snapshot.number > over.number and not snapshot.outcome)
    robot.stop()


def test_waiting_for_news_that_do_not_come_ends_after_its_time(robot: Robot) -> None:
    assert robot.wait_newer(robot.snapshot().number, 0.01) is None


def test_a_move_is_announced_before_it_is_done() -> None:
    robot = robot_of(pace=0.05)
    robot.skip(30)
    robot.start()
    announced = next(snapshot for snapshot in news(robot) if snapshot.progress is not None)
    done = next(snapshot for snapshot in news(robot) if len(snapshot.log) > len(announced.log))
    robot.stop()
    assert announced.progress is not None
    assert announced.progress.doing == done.log[len(announced.log)].words


def news(robot: Robot) -> Iterator[Snapshot]:
    snapshot = robot.snapshot()
    while True:
        yield snapshot
        newer = robot.wait_newer(snapshot.number, SECONDS)
        assert newer is not None
        snapshot = newer


def test_what_the_player_says_of_a_zone_is_believed_and_marked(robot: Robot) -> None:
    robot.skip(40)
    told = ZoneView(zone=ZoneId("supply"), pieces=counted({PieceKind("white"): 2}))
    robot.correct(told)
    snapshot = robot.snapshot()
    assert snapshot.view[ZoneId("supply")] == told
    assert {status.certainty for status in snapshot.zones if status.zone == "supply"} == {Certainty.TOLD}


def test_a_correction_that_breaks_a_rule_is_reported_once(robot: Robot) -> None:
    robot.skip(40)
    stolen = ZoneView(zone=ZoneId("supply"), pieces=counted({PieceKind("white"): 40}))
    robot.correct(stolen)
    robot.correct(stolen)
    (finding,) = robot.snapshot().findings
    robot.decide(finding.id, FindingFate.ACCEPTED)
    assert [shown.fate for shown in robot.snapshot().findings] == [FindingFate.ACCEPTED]


def test_undo_takes_the_last_move_back(robot: Robot) -> None:
    robot.skip(30)
    before = robot.snapshot()
    robot.skip(1)
    robot.undo()
    assert robot.snapshot().view == before.view
    assert robot.snapshot().log == before.log


def test_undo_at_the_beginning_is_refused(robot: Robot) -> None:
    with pytest.raises(RefusedError, match="no-move"):
        robot.undo()


def test_a_robot_that_slips_reports_a_broken_rule_and_puts_it_right() -> None:
    robot = robot_of(pace=0.02, mistakes=1.0)
    robot.skip(40)
    robot.start()
    mended = next(
        snapshot
        for snapshot in news(robot)
        if any(shown.fate is FindingFate.MENDED for shown in snapshot.findings)
    )
    robot.stop()
    assert mended.findings[0].finding.rule
