"""How much computing the eye needs: for a calm table, a changed place, a table never seen; and its memory."""

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assistant.games.yu import KIT
from assistant.kit import Dice
from assistant.virtual import calibrated, eye_of, scene_of, set_up
from tests.benchmarks.report import Report
from vision.cards import CardId
from vision.observation import Observation, Sight
from vision.observe import Eye
from vision.table import TableView, ZoneId
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.source import VirtualSource

GAME = KIT.bind(KIT.demo_pack())
CHANGED = ZoneId("row-4")
MOST_FRAMES = 60


def main(tables: int = 3) -> None:
    report = Report("speed", "Computing time of the eye, 1920 × 1080, two cores")
    first, calm, change, drawing = zip(*(_table(seed) for seed in range(tables)), strict=True)
    report.row("whole table from nothing, seconds", float(np.mean(first)), bar=1.5, at_most=True)
    report.row("calm table, frames a second", 1 / float(np.mean(calm)), bar=30)
    report.row("one changed place known, ms", 1000 * float(np.mean(change)), bar=100, at_most=True)
    report.row("virtual table, pictures drawn a second", 1 / float(np.mean(drawing)), bar=10)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report.row("most memory, virtual table included, MB", peak, bar=600, at_most=True)
    report.note(
        "Means over held-out tables. A changed place: what is computed beyond calm frames until it is known."
    )
    report.write()


def _table(seed: int) -> tuple[float, float, float, float]:
    """Seconds for the first sight, for a calm frame, for a changed place, and for drawing a picture."""
    style = SceneStyle.sample(31_000 + seed, Split.HELD_OUT)
    scene = scene_of(KIT, GAME, replace(style, stand=replace(style.stand, whole=True)))
    eye = eye_of(KIT, GAME, calibrated(GAME.layout.board, scene))
    view = GAME.view(set_up(GAME, Dice(f"speed-{seed}")))
    with VirtualSource(scene, view, seed=seed, live=False, frames_per_s=30) as source:
        show = _Show(eye, source)
        first = show.until(lambda seen: all(zone.sight is not Sight.MOVING for zone in seen.zones))
        show.until(lambda _: eye.idle)
        calm = float(np.median([show.frame()[1] for _ in range(40)]))
        other, card = _with_another_card(view)
        source.lay(other)
        frames = show.frames
        known = show.until(lambda seen: _card_seen(seen) == card)
        return first, calm, known - (show.frames - frames) * calm, show.drawing_s / show.frames


def _with_another_card(view: TableView) -> tuple[TableView, CardId]:
    """The same table, but on one place lies a card that was nowhere to be seen."""
    lying = view[CHANGED].cards[0]
    seen = {card.card for zone in view.zones for card in zone.cards}
    kind = next(card.kind for card in GAME.pack.cards if card.id == lying.card)
    other = next(card.id for card in GAME.pack.cards if card.kind == kind and card.id not in seen)
    zones = (
        replace(zone, cards=(replace(lying, card=other),)) if zone.zone == CHANGED else zone
        for zone in view.zones
    )
    return TableView(tuple(zones)), other


def _card_seen(seen: Observation) -> CardId | None:
    zone = next(zone for zone in seen.zones if zone.zone == CHANGED)
    return zone.cards[0].guesses[0].card if zone.cards else None


class _Show:
    """Shows a table to an eye, and measures what each picture costs both of them."""

    def __init__(self, eye: Eye, source: VirtualSource) -> None:
        self._eye = eye
        self._source = source
        self.frames = 0
        self.drawing_s = 0.0

    def frame(self) -> tuple[Observation, float]:
        begun = time.perf_counter()
        frame = self._source.read()
        drawn = time.perf_counter()
        assert frame is not None
        seen = self._eye.observe(frame)
        self.drawing_s += drawn - begun
        self.frames += 1
        return seen, time.perf_counter() - drawn

    def until(self, happened: Callable[[Observation], bool]) -> float:
        """The seconds that the eye needed until then."""
        spent = 0.0
        for _ in range(MOST_FRAMES):
            seen, seconds = self.frame()
            spent += seconds
            if happened(seen):
                return spent
        raise SystemExit(f"expected this to happen within {MOST_FRAMES} pictures; is the table read wrong?")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
