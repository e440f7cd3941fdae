"""The whole program around a virtual table: camera, eye, session and record, on the table's own clock.

It is wired as `floodwatch run` wires it for a player who has set up the table; only the camera is not real,
and one thread does in turn what two do there, so that a seed gives the same result on any machine.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from assistant.accuracy import NOTHING, align, change
from assistant.commands.demo import ROBOT, robots_position
from assistant.commands.own import bound_game
from assistant.discover import default_game, kit_named
from assistant.keep import RecordedTable
from assistant.kit import Dice, Game, GameKit, Severity
from assistant.record.store import Store, open_store
from assistant.run import Watch
from assistant.snapshot import CameraState, Snapshot
from assistant.virtual import calibrated, eye_of, scene_of, set_up
from calibration.finder import register_with
from calibration.profile import Profile
from tests.faults.camera import PATIENCE_S, TableCamera
from tests.faults.table import TableProcess
from vision.networks import Networks
from vision.observe import Eye, Finder
from vision.table import TableView
from vision.virtual.board import board_face
from vision.virtual.drawn import load_table_art
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle
from vision.virtual.sensor import Sensor
from vision.virtual.source import VirtualSource

TABLE: Final = "faults"
MOVING_S: Final = 0.4
LOOKING_S: Final = 0.15
RESTING_S: Final = 0.9
PACE: Final = 2.0
SETTLED_S: Final = 1.2
PICTURE: Final = (1280, 720)
_BOARD_PX: Final = 1600


def easy_style() -> SceneStyle:
    """A table that is read without errors: what goes wrong then was caused by a fault."""
    style = SceneStyle()
    width, height = PICTURE
    return replace(
        style,
        stand=replace(style.stand, width=width, height=height),
        sensor=Sensor(noise=2.0, drift=0.0, jpeg=None),
        untidy=0.1,
    )


@dataclass(slots=True)
class Furniture:
    """What every game of one run shares, because it takes long to make."""

    kit: GameKit = field(default_factory=lambda: kit_named(default_game()))
    networks: Networks = field(default_factory=Networks)
    style: SceneStyle = field(default_factory=easy_style)
    game: Game[Any, Any] = field(init=False)
    scene: Scene = field(init=False)

    def __post_init__(self) -> None:
        self.game = bound_game(self.kit, None)
        self.scene = scene_of(self.kit, self.game, self.style)

    def eye(self) -> Eye:
        return eye_of(self.kit, self.game, self._finder(), self.networks)

    def _finder(self) -> Finder:
        """As after `floodwatch calibrate`: the board is known by its picture, and by where it was then."""
        layout, camera = self.game.layout, self.scene.camera
        pose = calibrated(layout.board, self.scene)(_NO_FRAME, None).pose
        assert pose is not None
        corners = tuple((float(x), float(y)) for x, y in camera.rect_quad(layout.board))
        profile = Profile(
            table=TABLE, game=self.kit.name, lens=pose.lens, corners=corners, has_board_picture=True
        )
        picture = board_face(load_table_art(self.kit.folder).board, _BOARD_PX)
        return register_with(profile, layout, picture)


_NO_FRAME: Any = None


class Evening:
    """One game of a robot that breaks no rule, watched by the program."""

    def __init__(
        self,
        furniture: Furniture,
        store: Store,
        folder: Path,
        seed: int,
        *,
        policy: str = "greedy",
        pace: float = PACE,
        apart: bool = False,
    ) -> None:
        """`apart`: the table is drawn by another process, so that only the program's memory is ours."""
        self.game = furniture.game
        self._policy = self.game.policies[policy]
        self._furniture = furniture
        self.store = store
        self._dice = Dice(seed)
        self.recorded = RecordedTable(store, furniture.kit, self.game, TABLE, {})
        known = robots_position(self.game, self.recorded.resumed)
        self.state = set_up(self.game, self._dice) if known is None else known
        self.recorded.note(ROBOT, self.game.encode(self.state))
        view = self.game.view(self.state)
        self.table: VirtualSource | TableProcess = (
            TableProcess(furniture.style, view, seed=seed, pace=pace)
            if apart
            else VirtualSource(furniture.scene, view, seed=seed, live=False, pace=pace, pause_s=0)
        )
        self.camera = TableCamera(self.table, folder / "video0")
        self.eye = furniture.eye()
        self.watch = Watch(self.recorded.shared, self.eye, self.camera.source(), clock=self.camera.clock)
        self.truth: list[TableView] = [self.game.view(self.state)]
        """What the table looked like, position by position."""
        self.whys: set[str] = set()
        """Message keys that the page showed about the camera."""
        self.threads = False
        """Whether the watch looks by itself, in its own threads."""
        self.hung = False
        """Nobody is expected to look just now."""
        self._games = 1
        self.accused: dict[tuple[int, int], str] = {}
        """Rules that the page called broken, by game and number of the finding; the robot breaks none."""

    @property
    def snapshot(self) -> Snapshot:
        return self.recorded.shared.snapshot()

    @property
    def committed(self) -> list[str]:
        return [entry.notation for entry in self.snapshot.log if entry.committed]

    @property
    def invented(self) -> int:
        """Steps of the game, as the program understood it, that nobody made."""
        moves = range(len(self.snapshot.log) + 1)
        path = [self.game.view(self.recorded.shared.state_after(move)) for move in moves]
        return align(self.game.layout, self.truth, path).invented

    def on_disk(self) -> list[str]:
        """The moves that are safe in the record."""
        self.recorded.flush()
        return [action.notation for action in self.store.load(self.store.find("last")).actions]

    @property
    def understood(self) -> bool:
        """Whether the program believes what lies on the table."""
        return not self._shows(self.snapshot.view)

    @property
    def goes_on(self) -> bool:
        """Whether the camera is of use and what lies on the table is understood."""
        camera = self.snapshot.camera
        live = camera.state is CameraState.LIVE and camera.registered and camera.why is None
        return live and camera.calm and self.understood

    def tick(self, seconds: float) -> None:
        looked = self.watch.pictures
        self.camera.tick(seconds)
        if not self.threads:
            self.watch.look(0.0)
        elif not wait_until(lambda: self.watch.pictures > looked or self.hung, PATIENCE_S):
            raise TimeoutError("nobody looks at the picture")
        snapshot = self.snapshot
        if snapshot.camera.why is not None:
            self.whys.add(snapshot.camera.why.key)
        self.whys |= {status.why.key for status in snapshot.zones if status.why is not None}
        for shown in snapshot.findings:
            if shown.finding.severity is Severity.VIOLATION:
                self.accused[self._games, shown.id] = shown.finding.rule

    def rest(self, seconds: float) -> None:
        """Nobody touches the table."""
        until = self.camera.clock() + seconds
        fresh = self.camera.clock() + SETTLED_S
        while self.camera.clock() < until:
            self.tick(LOOKING_S if self.camera.clock() < fresh else RESTING_S)

    def rest_until_understood(self, most_s: float) -> float | None:
        """Seconds on the table until the program believes what lies there; None if that takes too long."""
        begun = self.camera.clock()
        self.tick(LOOKING_S)
        while self.camera.clock() - begun < most_s:
            camera = self.snapshot.camera
            if self.understood and camera.calm and camera.state is CameraState.LIVE:
                return self.camera.clock() - begun
            self.tick(LOOKING_S if self.camera.clock() - begun < SETTLED_S else 2 * LOOKING_S)
        return None

    def push_move(self) -> bool:
        """The robot decides on its next move that shows, and reaches out; False where the game is over."""
        while self.game.outcome(self.state) is None:
            action = self._policy(self.state, self._dice)
            self.state = self.game.apply(self.state, action)
            if self._shows(self.game.view(self.state)):
                self.recorded.note(ROBOT, self.game.encode(self.state))
                self.table.push(self.game.view(self.state))
                self.truth.append(self.game.view(self.state))
                return True
        return False

    def move(self) -> bool:
        """The robot's next move from beginning to end."""
        if not self.push_move():
            return False
        while self.table.waiting:
            self.tick(MOVING_S)
        return True

    def begin_anew(self) -> None:
        """The table is cleared, and another game begins on it."""
        self.state = self.recorded.begin_anew(set_up(self.game, self._dice))
        self.recorded.note(ROBOT, self.game.encode(self.state))
        self.table.lay(self.game.view(self.state))
        self.truth = [self.game.view(self.state)]
        self._games += 1

    def start_threads(self) -> None:
        self.threads = True
        self.watch.start()

    def close(self) -> None:
        self.camera.close()
        self.watch.stop()
        self.recorded.close()
        self.table.close()

    def _shows(self, view: TableView) -> bool:
        """Whether this view can be told from what lies on the table."""
        return change(self.game.layout, self.truth[-1], view) != NOTHING


@contextmanager
def evening(furniture: Furniture, folder: Path, seed: int, **how: Any) -> Iterator[Evening]:
    """`how` as `Evening` takes it."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_store(folder) as store:
        playing = Evening(furniture, store, folder, seed, **how)
        try:
            yield playing
        finally:
            playing.close()


def wait_until(condition: Callable[[], bool], most_s: float) -> bool:
    """For what other threads do in their own time."""
    end = time.monotonic() + most_s
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True
