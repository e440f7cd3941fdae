"""One player setting up a table: the wizard with its camera and profile, for terminal and tablet."""

import logging
import threading
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from assistant.kit import Game, GameKit, Message, Value
from assistant.wording import Wording, languages
from calibration.gametable import load_game_table
from calibration.profile import Profile
from calibration.step_views import view
from calibration.steps import ChooseCamera, Event, Said, Step, StepView
from calibration.tables import Tables
from calibration.wizard import advance
from calibration.wizard_state import WizardState, start
from vision.cards import ItemKind, parse_items
from vision.feed import FrameSource, SourceError
from vision.frame import BgrImage
from vision.source import open_source
from vision.table import PieceKind, ZoneId

_log = logging.getLogger(__name__)

Opener: TypeAlias = Callable[[str], FrameSource]


class Setup:
    """Every method may be called from any thread. What the player did is saved at once."""

    def __init__(
        self, kit: GameKit, tables: Tables, table: str, *, opener: Opener = open_source, anew: bool = False
    ) -> None:
        self.kit = kit
        self._game: Game[object, object] = kit.bind(kit.demo_pack())
        self._tables = tables
        self._opener = opener
        self._words = Wording(languages()[0], [kit.messages]).keys
        self._lock = threading.RLock()
        self._source: FrameSource | None = None
        self._image: BgrImage | None = None
        self._number = 0
        profile = Profile(table=table, game=kit.name)
        picture = None
        if not anew and table in tables.names():
            profile = tables.load(table)
            picture = tables.board_picture(table) if profile.has_board_picture else None
        game_table = load_game_table(kit.folder, kit.name, self._game.layout)
        self._state = start(game_table, profile, picture)
        if profile.camera is not None:
            self._open(profile.camera)

    @property
    def state(self) -> WizardState:
        with self._lock:
            return self._state

    @property
    def path(self) -> str:
        return str(self._tables.path(self._state.profile.table))

    def look(self, timeout: float = 0.0) -> tuple[int, BgrImage | None]:
        """The newest picture and its number, which grows with every picture."""
        with self._lock:
            frame = self._source.read(timeout) if self._source is not None else None
            if frame is not None:
                self._image = frame.image
                self._number += 1
            return self._number, self._image

    def view(self) -> StepView:
        with self._lock:
            return view(self._state, self._image)

    def tell(self, event: Event) -> Message | None:
        """What the player did; a message where it could not be used."""
        with self._lock:
            before = self._state
            self._state = advance(before, event, self._image)
            if isinstance(event, ChooseCamera) and self._state.profile.camera is not None:
                self._open(self._state.profile.camera)
            if self._state.profile != before.profile:
                picture = self._state.board_picture
                fresh = picture if picture is not before.board_picture else None
                self._tables.save(self._state.profile, fresh)
            trouble = self._state.trouble
            return None if trouble is None else self.message(trouble)

    def close(self) -> None:
        with self._lock:
            if self._source is not None:
                self._source.close()
                self._source = None

    def message(self, said: Said) -> Message:
        """With the game's own words for places and pieces."""
        values: dict[str, Value] = {}
        for name, value in said.values:
            if name == "zone":
                values[name] = self.zone_name(str(value))
            elif name in ("one", "other"):
                values[name] = self.piece_name(str(value))
            else:
                values[name] = value
        return Message.of(said.key, **values)

    def say(self, said: Said, wording: Wording) -> str:
        values = dict(said.values)
        if "zones" in values:
            names = [self._spoken_zone(word, wording) for word in str(values["zones"]).split(", ")]
            values["zones"] = ", ".join(names)
        return wording.say(self.message(Said.of(said.key, **values)))

    def zone_name(self, zone: str) -> Message:
        return self._game.watch.zone_name(ZoneId(zone))

    def step_name(self, step: Step) -> Message:
        return Message.of(f"calibrate.name.{step.value}")

    def piece_name(self, piece: str) -> Message:
        """What a kind of piece is called; where the game has no word for it, one of them."""
        key = f"{self.kit.name}.item.{piece}"
        return Message.of(key) if key in self._words else self._game.watch.piece_name(PieceKind(piece), 1)

    def option_name(self, option: str, wording: Wording) -> str:
        """What may be printed on the board, in the player's words where the game has some."""
        counts: Counter[ItemKind] = Counter()
        for item in parse_items(option):
            counts[item.kind] += item.count
        words = []
        for kind, number in counts.items():
            key = f"{self.kit.name}.amount.{kind}"
            words.append(wording.say(Message.of(key, n=number)) if key in wording.keys else option)
        return " + ".join(words)

    def _spoken_zone(self, word: str, wording: Wording) -> str:
        zone = word.removesuffix(" …")
        known = {str(other.id) for other in self._game.layout.zones}
        if zone not in known:
            return word
        return wording.say(self.zone_name(zone)) + word[len(zone) :]

    def _open(self, source: str) -> None:
        self.close()
        self._image = None
        try:
            self._source = self._opener(source)
        except SourceError as problem:
            _log.warning("%s", problem)
