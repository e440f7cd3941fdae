"""The virtual table in a process of its own: the faces of cards that it keeps are not our memory."""

import multiprocessing
import time
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import Any, Final

import numpy as np

from assistant.commands.own import bound_game
from assistant.discover import default_game, kit_named
from assistant.virtual import scene_of
from vision.frame import Frame
from vision.table import TableView
from vision.virtual.scene_style import SceneStyle
from vision.virtual.source import VirtualSource

PATIENCE_S: Final = 120.0


class TableProcess:
    """As much of `VirtualSource` as a game needs that is not live."""

    def __init__(self, style: SceneStyle, view: TableView, *, seed: int, pace: float) -> None:
        self._shape = (style.stand.height, style.stand.width, 3)
        self._memory = SharedMemory(create=True, size=int(np.prod(self._shape)))
        spawning = multiprocessing.get_context("spawn")
        self._line, theirs = spawning.Pipe()
        given = (theirs, self._memory.name, style, view, seed, pace)
        self._process = spawning.Process(target=_serve, args=given, daemon=True)
        self._process.start()
        theirs.close()
        self._index = 0
        self.waiting = 0
        self.cpu_s = 0.0
        """What drawing has cost over there."""
        self._ask("ready", None)

    def look(self, elapsed_s: float) -> Frame:
        captured_at = self._ask("look", elapsed_s)
        image = np.ndarray(self._shape, np.uint8, self._memory.buf).copy()
        self._index += 1
        return Frame(index=self._index - 1, captured_at=captured_at, image=image)

    def push(self, view: TableView) -> None:
        self._ask("push", view)

    def lay(self, view: TableView) -> None:
        self._ask("lay", view)

    def close(self) -> None:
        self._line.close()
        self._process.join(PATIENCE_S)
        self._memory.close()
        self._memory.unlink()

    def _ask(self, what: str, given: Any) -> Any:
        self._line.send((what, given))
        if not self._line.poll(PATIENCE_S):
            raise TimeoutError("the virtual table did not answer")
        answer, self.waiting, self.cpu_s = self._line.recv()
        return answer


def _serve(line: Connection, memory: str, style: SceneStyle, view: TableView, seed: int, pace: float) -> None:
    kit = kit_named(default_game())
    scene = scene_of(kit, bound_game(kit, None), style)
    table = VirtualSource(scene, view, seed=seed, live=False, pace=pace, pause_s=0)
    shared = SharedMemory(memory)
    picture = np.ndarray((style.stand.height, style.stand.width, 3), np.uint8, shared.buf)
    while True:
        try:
            what, given = line.recv()
        except (EOFError, ConnectionResetError):
            break
        answer = None
        if what == "look":
            frame = table.look(given)
            picture[:] = frame.image
            answer = frame.captured_at
        elif what == "push":
            table.push(given)
        elif what == "lay":
            table.lay(given)
        line.send((answer, table.waiting, time.process_time()))
    shared.close()
