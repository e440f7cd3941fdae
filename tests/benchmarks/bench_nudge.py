"""A camera is pushed while the eye looks at a table: how soon the board is found again, and what is lost."""

import sys
import time
from dataclasses import dataclass, replace

import cv2
import numpy as np

from assistant.games.yu import KIT
from assistant.games.yu.pack import demo_pack
from assistant.virtual import eye_of
from calibration.finder import register_with
from tests.benchmarks.bench_enrolled import table_style
from tests.benchmarks.bench_own_copy import marked_scene, walk
from tests.benchmarks.report import Report
from vision.cards import CardId
from vision.frame import BgrImage, Frame
from vision.networks import Networks
from vision.observation import Observation
from vision.observe import Eye
from vision.pose import corners_of
from vision.virtual.scene_style import SceneStyle
from vision.virtual.shot import Shot

TABLES = 5
FRAME_S = 0.2
BEFORE, AFTER = 14, 12
"""Frames that the eye looks at before and after the push."""
PUSH = 0.02
"""How far the camera's aim is pushed, one standard deviation in board units."""
GRAIN = 2.0
WORSE = 1.0
"""Per cent of a card's width by which the board may be worse after the push than before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    off: float
    """Of the board's worst corner, in per cent of a card's width; infinite: not found."""
    seconds: float
    observed: Observation


def main(tables: int = TABLES, *, keep: bool = True) -> None:
    cv2.setNumThreads(1)
    report = Report("nudge", f"A camera pushed while playing: {tables} held-out virtual tables")
    networks = Networks()
    frames, seconds, again, same = [], [], [], []
    for seed in range(8600, 8600 + tables):
        looks = _pushed(seed, networks)
        good = looks[BEFORE - 1].off + WORSE
        found = next((k for k in range(BEFORE, len(looks)) if looks[k].off <= good), None)
        again.append(found is not None)
        frames.append(AFTER if found is None else found - BEFORE + 1)
        seconds.append(sum(look.seconds for look in looks[BEFORE : BEFORE + frames[-1]]))
        same.append(_cards(looks[BEFORE - 1].observed) == _cards(looks[-1].observed))
    report.row("found again, %", 100 * float(np.mean(again)), bar=98)
    report.row("frames until then, worst", max(frames), bar=2 / FRAME_S, at_most=True)
    report.row("seconds of computing until then, worst", max(seconds), bar=2.0, at_most=True)
    report.row("all cards named as before the push, %", 100 * float(np.mean(same)))
    report.note("Five frames a second, 1080p, the table set up by the wizard with four markers.")
    if keep:
        report.write()
    else:
        report.show()


def _pushed(seed: int, networks: Networks) -> list[Look]:
    game = KIT.bind(demo_pack())
    style = table_style(seed)
    scene, empty = marked_scene(style)
    state, _ = walk(empty, scene.shoot_view(game.view(game.initial()), 1))
    played = replace(game, layout=state.layout)
    eye = eye_of(KIT, played, register_with(state.profile, state.layout, state.board_picture), networks)
    shown = played.view(played.initial())
    rng = np.random.default_rng((seed, 1))
    shots = [scene.shoot_view(shown, 1), marked_scene(_aimed_aside(style, rng))[0].shoot_view(shown, 1)]
    return [
        _look(eye, index, shots[index >= BEFORE], _grainy(shots[index >= BEFORE].image, rng))
        for index in range(BEFORE + AFTER)
    ]


def _look(eye: Eye, index: int, shot: Shot, image: BgrImage) -> Look:
    begun = time.process_time()
    observed = eye.observe(Frame(index=index, captured_at=FRAME_S * index, image=image))
    spent = time.process_time() - begun
    if eye.pose is None:
        return Look(off=float("inf"), seconds=spent, observed=observed)
    off = eye.pose.unproject(np.array(shot.board)) - corners_of(eye.layout.board)
    return Look(off=float(np.abs(off).max() / eye.layout.card_width * 100), seconds=spent, observed=observed)


def _aimed_aside(style: SceneStyle, rng: np.random.Generator) -> SceneStyle:
    x, y = style.stand.shift
    dx, dy = rng.normal(0, PUSH, 2)
    return replace(style, stand=replace(style.stand, shift=(x + dx, y + dy)))


def _grainy(image: BgrImage, rng: np.random.Generator) -> BgrImage:
    return np.asarray(np.clip(image + rng.normal(0, GRAIN, image.shape), 0, 255), np.uint8)


def _cards(observed: Observation) -> dict[str, CardId | None]:
    return {zone.zone: zone.cards[0].guesses[0].card for zone in observed.zones if zone.cards}


if __name__ == "__main__":
    if "--quick" in sys.argv:
        main(1, keep=False)
    else:
        main()
