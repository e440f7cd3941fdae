"""What strangers can hand us: each kind of input, good examples of it, and the one way to refuse it."""

import json
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from assistant.commands.own import CONFIRMED_FILE, confirmed_facts
from assistant.discover import kits
from assistant.errors import FloodwatchError
from assistant.events import Corrected, Told, Word, decode_event, encode_event
from assistant.kit import Dice, GameKit
from assistant.record.database import FILE_NAME
from assistant.record.store import open_store
from tests.assistant.record.recorded import action, finding, header
from vision.cards import CardPack
from vision.errors import VisionError
from vision.image import decode_image
from vision.pack import format_pack, parse_pack
from vision.table import ZoneId, ZoneView


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    name: str
    examples: tuple[bytes, ...]
    read: Callable[[bytes], object]
    """Answers, or refuses with one of our own errors; anything else is a defect."""


def targets() -> tuple[Target, ...]:
    games = [target for kit in kits().values() for target in _of_game(kit)]
    return (*games, _images(), _events(), _records())


def _of_game(kit: GameKit) -> tuple[Target, ...]:
    game = kit.bind(kit.demo_pack())
    moves: list[str] = []
    states: list[bytes] = []
    state, dice = game.initial(), Dice(5)
    while game.outcome(state) is None and len(moves) < 120:
        act = dice.choice(game.legal_actions(state))
        moves.append(game.format(act))
        state = game.apply(state, act)
        if len(moves) % 20 == 0:
            states.append(json.dumps(game.encode(state)).encode())
    return (
        Target(
            name=f"pack, {kit.name}",
            examples=(format_pack(game.pack).encode(),),
            read=lambda data: parse_pack(data.decode("utf-8", "replace"), kit.pack_rules),
        ),
        Target(
            name=f"notation, {kit.name}",
            examples=tuple(move.encode() for move in moves),
            read=lambda data: game.refusal(state, game.parse(data.decode("utf-8", "replace"))),
        ),
        Target(
            name=f"saved state, {kit.name}",
            examples=tuple(states),
            read=lambda data: game.decode(json.loads(data)),
        ),
        Target(
            name=f"confirmed board, {kit.name}",
            examples=(b'"farm.1" = "white"\n"farm.2" = 3\n',),
            read=lambda data: _confirmed(kit, game.pack, data),
        ),
    )


def _confirmed(kit: GameKit, pack: CardPack, data: bytes) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / CONFIRMED_FILE
        path.write_bytes(data)
        return kit.bind(pack, confirmed_facts(path))


def _images() -> Target:
    picture = np.random.default_rng(1).integers(0, 255, (24, 32, 3), np.uint8)
    encoded = [cv2.imencode(suffix, picture)[1].tobytes() for suffix in (".jpg", ".png", ".webp", ".bmp")]
    return Target(name="image", examples=tuple(encoded), read=lambda data: decode_image(data, "a picture"))


def _events() -> Target:
    events = (
        Told(at=1.0, word=Word.HEIGHT, argument="ready 12"),
        Corrected(at=2.0, told=ZoneView(zone=ZoneId("row-1"))),
    )
    examples = tuple(json.dumps(encode_event(event)).encode() for event in events)
    return Target(name="recorded event", examples=examples, read=lambda data: decode_event(json.loads(data)))


def _records() -> Target:
    with tempfile.TemporaryDirectory() as folder:
        with open_store(Path(folder)) as store:
            recorder = store.begin(header(), {"a": [1]})
            for number in range(1, 12):
                recorder.event("told", {"n": number})
                recorder.action(action(number))
                recorder.finding(finding(number))
            recorder.leave()
        path = Path(folder) / FILE_NAME
        with closing(sqlite3.connect(path)) as database:  # everything into the one file
            database.execute("pragma wal_checkpoint(truncate)")
        example = path.read_bytes()
    return Target(name="record", examples=(example,), read=_read_record)


def _read_record(data: bytes) -> object:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / FILE_NAME).write_bytes(data)
        with open_store(Path(folder)) as store:
            return [_loaded(store.load, summary.id) for summary in store.games()]


def _loaded(load: Callable[..., object], number: object) -> object:
    with suppress(FloodwatchError):
        return load(number)
    return None


REFUSALS = (FloodwatchError, VisionError, json.JSONDecodeError, UnicodeDecodeError, RecursionError)
"""The last three come from reading JSON itself, before any of our readers sees it."""
