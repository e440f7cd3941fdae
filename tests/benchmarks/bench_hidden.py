"""How well places under a hand are called hidden: hands at work on virtual tables of held-out styles."""

import sys
from collections import Counter
from collections.abc import Iterator

import cv2
import numpy as np

from assistant.games.yu import KIT
from assistant.kit import Dice
from assistant.virtual import calibrated, eye_of, scene_of, set_up
from tests.benchmarks.report import Report
from vision.networks import Networks
from vision.observation import Sight
from vision.table import TableView, ZoneId
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.shot import COVERED_SHARE, Shot
from vision.virtual.source import VirtualSource

TABLES = 3
FIRST = 14_000
"""Tables that nobody looked at while hands were learnt to be told."""
MOVES = 6
JUDGED = 3
"""One of so many pictures is compared with the truth: that takes longer than to look at it."""
FRAME_S = 1 / 15
CALM_FRAMES = 12
HALF = 0.5


def main(tables: int = TABLES) -> None:
    cv2.setNumThreads(1)
    tally: Counter[str] = Counter()
    networks = Networks()
    for seed in range(FIRST, FIRST + tables):
        for shot, sights in watched(seed, networks):
            count(tally, shot, sights)
    report = Report(
        "hidden", f"Places under a hand: {tables} virtual tables of held-out styles, {MOVES} moves each"
    )
    for name, told in (("covered", f"at least {COVERED_SHARE:.0%} under a hand"), ("half", "half or more")):
        share = 100 * tally[f"{name} hidden"] / tally[name]
        report.row(
            f"places {told} ({tally[name]}) called hidden, %", share, bar=99 if name == "covered" else None
        )
        report.row("… called seen, %", 100 * tally[f"{name} seen"] / tally[name])
    report.row(
        f"places without a hand ({tally['free']}) called hidden, %",
        100 * tally["free hidden"] / tally["free"],
    )
    report.note(
        f"Frames at {1 / FRAME_S:.0f} a second while a hand is over the table, as it comes and as it goes."
    )
    report.write()


def watched(seed: int, networks: Networks) -> Iterator[tuple[Shot, dict[ZoneId, Sight]]]:
    """Some pictures with a hand, and how each place was called in them."""
    game = KIT.bind(KIT.demo_pack())
    scene = scene_of(KIT, game, SceneStyle.sample(seed, Split.HELD_OUT))
    eye = eye_of(KIT, game, calibrated(game.layout.board, scene), networks)
    views = list(positions(seed))
    table = VirtualSource(scene, views[0].within(scene.layout), seed=seed, live=False)
    for _ in range(CALM_FRAMES):
        eye.observe(table.look(FRAME_S))
    for view in views[1:]:
        table.push(view)
        while table.waiting:
            frame = table.look(FRAME_S)
            observation = eye.observe(frame)
            if table.on_table.hand is not None and frame.index % JUDGED == 0:
                yield scene.shoot(table.on_table), {zone.zone: zone.sight for zone in observation.zones}


def positions(seed: int) -> Iterator[TableView]:
    """The beginning of a game, and what some moves make of it."""
    game, dice = KIT.bind(KIT.demo_pack()), Dice(f"hidden-{seed}")
    state = set_up(game, dice)
    view = game.view(state)
    yield view
    for _ in range(MOVES):
        before = view
        while view == before:
            state = game.apply(state, game.policies["greedy"](state, dice))
            view = game.view(state)
        yield view


def count(tally: Counter[str], shot: Shot, sights: dict[ZoneId, Sight]) -> None:
    height, width = shot.image.shape[:2]
    for zone, sight in sights.items():
        quad = np.array(shot.zones[zone])
        if not ((quad > 0).all() and (quad < (width, height)).all()):
            continue
        share = shot.covered.get(zone, 0.0)
        names = [name for name, least in (("covered", COVERED_SHARE), ("half", HALF)) if share >= least]
        for name in names or ["free"] * (share == 0):
            tally[name] += 1
            tally[f"{name} {sight.value}"] += 1


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
