"""What strangers can hand us: each kind of input, good examples of it, and the one way to refuse it."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from assistant.commands.own import CONFIRMED_FILE, confirmed_facts
from assistant.discover import kits
from assistant.errors import FloodwatchError
from assistant.events import Corrected, Told, Word, decode_event, encode_event
from assistant.kit import Dice, GameKit
from calibration.errors import CalibrationError
from calibration.profile import (
    ConfirmedFact,
    LearntColour,
    MarkerPlace,
    MovedZone,
    Profile,
    format_profile,
    parse_profile,
)
from tests.fuzz.mutation import mutated
from tests.fuzz.records import (
    damaged_row,
    quick_folder,
    read_record,
    recorded_game,
    rows_of,
    with_row,
)
from vision.cards import CardPack
from vision.errors import VisionError
from vision.image import decode_image
from vision.pack import format_pack, parse_pack
from vision.pose import Lens
from vision.table import PieceKind, Rect, ZoneId, ZoneView


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    name: str
    examples: tuple[bytes, ...]
    read: Callable[[bytes], object]
    """Answers, or refuses with one of our own errors; anything else is a defect."""
    damaged: Callable[[bytes, tuple[bytes, ...], random.Random], bytes] = mutated
    """An example, all examples, and luck."""
    share: float = 1.0
    """Of the time: a reader that needs long for each input gets more of it."""


def targets() -> tuple[Target, ...]:
    games = [target for kit in kits().values() for target in _of_game(kit)]
    return (*games, _profiles(), _images(), _events(), *_records())


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
            examples=_small_packs(game.pack),
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


def _small_packs(pack: CardPack) -> tuple[bytes, ...]:
    """Two cards each, of every kind: a whole pack takes long to read, and dies of its first damage."""
    kinds = {card.kind: card for card in pack.cards}
    others = {card.kind: card for card in reversed(pack.cards)}
    packs = [replace(pack, cards=tuple({card.id: card for card in two}.values())) for two in
             ((kinds[kind], others[kind]) for kind in kinds)]  # fmt: skip
    return tuple(format_pack(small).encode() for small in packs)


def _confirmed(kit: GameKit, pack: CardPack, data: bytes) -> object:
    with quick_folder() as folder:
        path = folder / CONFIRMED_FILE
        path.write_bytes(data)
        return kit.bind(pack, confirmed_facts(path))


def _profiles() -> Target:
    """As the wizard leaves it, and in the middle of it."""
    corners = ((10.0, 12.0), (500.0, 11.5), (498.0, 300.0), (9.0, 301.0))
    whole = Profile(
        table="kitchen",
        game="yu",
        camera="/dev/video0",
        lens=Lens(width=1280, height=720, curve=-0.05),
        corners=corners,
        markers=(MarkerPlace(id=3, corners=((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1))),),
        has_board_picture=True,
        zones=(MovedZone(zone=ZoneId("hand"), rect=Rect(0.1, 0.2, 0.5, 0.6)),),
        colours=(LearntColour(piece=PieceKind("white"), rgb=(250.0, 248.5, 240.0)),),
        facts=(ConfirmedFact(key="farm.1", value="white"),),
        passed=("camera", "view"),
    )
    examples = (whole, Profile(table="home", game="another"))
    return Target(
        name="profile",
        examples=tuple(format_profile(example).encode() for example in examples),
        read=lambda data: format_profile(parse_profile(data)),
    )


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


def _records() -> tuple[Target, Target]:
    example = recorded_game()
    return (
        Target(name="record", examples=(example,), read=read_record, share=5),
        Target(
            name="row of a record",
            examples=rows_of(example),
            read=lambda data: read_record(with_row(example, json.loads(data)), export=True),
            damaged=damaged_row,
            share=5,
        ),
    )


REFUSALS = (
    FloodwatchError,
    VisionError,
    CalibrationError,
    json.JSONDecodeError,
    UnicodeDecodeError,
    RecursionError,
)
"""The last three come from reading JSON itself, before any of our readers sees it."""
