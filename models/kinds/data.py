"""Places for cards with anything in them, as they are rectified: what the network of kinds learns from."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.kinds.tables import Tables
from models.photographs import (
    CARD_PX,
    Photograph,
    Rng,
    Sheet,
    anatomy,
    any_ground,
    any_style,
    develop,
    draw_back,
    draw_card,
    invent_facts,
    photograph,
)
from models.pool import Pool
from models.stream import Sample
from vision.cuts import THUMB_PX, thumbnail
from vision.frame import BgrImage
from vision.pose import Points
from vision.virtual.board import board_face
from vision.virtual.boardart import load_board_art
from vision.virtual.pictures import picture_by_seed
from vision.virtual.styles import FaceStyle

FRONTS = ("townsfolk", "barbarian", "canal", "hut")
BACKS = ("townsfolk", "barbarian", "canal", "hut")
ANSWERS = (*FRONTS, *(f"{kind} back" for kind in BACKS), "unknown", "empty")
ART = Path(__file__).parents[2] / "assistant" / "games" / "yu" / "boardart.toml"


class Places:
    """Makes places with anything in them."""

    def __init__(self, rng: Rng, pool: Pool | None, tables: Tables) -> None:
        """Without a pool everything is drawn in styles that are held out from training."""
        self.rng = rng
        self.pool = pool
        self.tables = tables
        art = load_board_art(ART)
        self.boards = [board_face(art, 1100, any_style(rng, held_out=pool is None)) for _ in range(4)]

    def sample(self) -> Sample:
        return self.on_table() if self.rng.random() < 0.45 else self.made_up()

    def on_table(self) -> Sample:
        """A place of a whole table: what lies beside it is what really lies there."""
        table, card, corners = self.tables.any_place(self.rng)
        place, to_place = _around(self.rng, table, corners)
        if self.rng.random() < 0.5:
            place = develop(self.rng, place, gentle=True)
        if card is None:
            return self._labelled(place, "empty", False, None)
        side = "" if card.up else " back"
        upside_down = self.rng.random() < 0.1
        if upside_down:
            place = np.ascontiguousarray(place[::-1, ::-1])
        found = cv2.perspectiveTransform(np.array([card.quad], np.float64), to_place)[0]
        if upside_down:
            found = np.roll(np.array(place.shape[1::-1]) - found, 2, axis=0)
        return self._labelled(place, card.kind + side, upside_down, _off(found, place))

    def made_up(self) -> Sample:
        """Any card on any ground."""
        rng = self.rng
        chance = rng.random()
        if chance < 0.16:
            return self._labelled(self._empty(), "empty", False, None)
        sheet, answer = self._sheet(chance)
        shot = photograph(
            rng, sheet, gentle=rng.random() < 0.6, ground=self._ground() if rng.random() < 0.5 else None
        )
        frame = self._with_piece(shot) if rng.random() < 0.25 else shot.frame
        upside_down = rng.random() < 0.25
        place, corners = _placed(rng, frame, np.roll(shot.quad, 2, axis=0) if upside_down else shot.quad)
        return self._labelled(place, answer, upside_down, corners)

    def _sheet(self, chance: float) -> tuple[Sheet, str]:
        rng = self.rng
        if chance < 0.28:
            return self._strange(), "unknown"
        if chance < 0.5:
            if self.pool is None:
                kind = str(rng.choice(BACKS))
                return draw_back(kind, any_style(rng, held_out=True)), f"{kind} back"
            sheet, kind = self.pool.pick(rng, "back")
            return sheet, f"{kind} back" if kind in BACKS else "unknown"
        if self.pool is None:
            facts = invent_facts(rng)
            return draw_card(facts, any_style(rng, held_out=True)), facts.kind
        return self.pool.pick(rng, "card")

    def _strange(self) -> Sheet:
        """A card of another game: any picture, often with a rim."""
        rng = self.rng
        width = round(CARD_PX * anatomy().ratio)
        if rng.random() < 0.4:
            image = any_ground(rng, width, CARD_PX, FaceStyle())
        else:
            image = picture_by_seed(int(rng.integers(300)), width, CARD_PX, any_style(rng).picture).copy()
        for _ in range(int(rng.integers(0, 4))):
            x, y = (int(v) for v in rng.integers(0, 200, 2))
            w, h = (int(v) for v in rng.integers(10, 120, 2))
            cv2.rectangle(image, (x, y), (x + w, y + h), rng.integers(0, 256, 3).tolist(), -1)
        if rng.random() < 0.7:
            colour = rng.integers(0, 256, 3).tolist()
            cv2.rectangle(image, (0, 0), (width - 1, CARD_PX - 1), colour, int(rng.integers(3, 18)))
        return Sheet(image=np.dstack([image, np.full(image.shape[:2], 255, np.uint8)]), symbols=())

    def _ground(self) -> BgrImage:
        board = self.boards[int(self.rng.integers(len(self.boards)))]
        height, width = board.shape[:2]
        side = int(self.rng.integers(130, 260))
        x, y = int(self.rng.integers(width - side)), int(self.rng.integers(height - side))
        return board[y : y + side, x : x + side]

    def _empty(self) -> BgrImage:
        rng = self.rng
        ground = self._ground() if rng.random() < 0.6 else any_ground(rng, 140, 200, any_style(rng))
        height, width = ground.shape[:2]
        part = ground[:, : max(20, min(width, round(height * 0.67)))]
        size = int(rng.integers(100, 220))
        return develop(rng, np.asarray(cv2.resize(part, (round(size * 0.67), size)), np.uint8))

    def _with_piece(self, shot: Photograph) -> BgrImage:
        """A wooden piece stands on the card, or a finger reaches in."""
        frame = shot.frame.copy()
        size = float(np.linalg.norm(shot.quad[1] - shot.quad[0]))
        share = self.rng.uniform(0.15, 0.85, 2)
        top = shot.quad[0] + (shot.quad[1] - shot.quad[0]) * share[0]
        low = shot.quad[3] + (shot.quad[2] - shot.quad[3]) * share[0]
        centre = top + (low - top) * share[1]
        box = (
            tuple(centre.tolist()),
            tuple((self.rng.uniform(0.12, 0.5, 2) * size).tolist()),
            float(self.rng.uniform(0, 180)),
        )
        corners = np.rint(cv2.boxPoints(box)).astype(np.int32)
        cv2.fillPoly(frame, [corners], self.rng.integers(0, 256, 3).tolist(), cv2.LINE_AA)
        return frame

    def _labelled(self, place: BgrImage, answer: str, upside_down: bool, corners: Points | None) -> Sample:
        return {
            "image": thumbnail(place)[None],
            "answer": np.array([ANSWERS.index(answer)]),
            "turned": np.array([float(upside_down)], np.float32),
            "corners": (np.zeros(8) if corners is None else corners).astype(np.float32)[None],
        }


def _placed(rng: Rng, frame: BgrImage, quad: Points) -> tuple[BgrImage, Points]:
    """The place as the layout says it, a card lying in it anyhow; also the card's true corners."""
    margin = float(rng.uniform(0.0, 0.14))
    centre = quad.mean(0)
    angle = np.radians(np.clip(rng.normal(0, 4), -12, 12))
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    size = float(np.linalg.norm(quad[3] - quad[0]))
    place = (quad - centre) @ turn * (1 + 2 * margin + rng.normal(0, 0.02)) + centre
    place = place + rng.normal(0, 0.035, 2) * size + rng.normal(0, 0.008, (4, 2)) * size
    image, matrix = _cut_out(frame, place)
    corners = cv2.perspectiveTransform(quad[None].astype(np.float64), matrix)[0]
    return image, _off(corners, image)


def _around(rng: Rng, table: BgrImage, corners: Points) -> tuple[BgrImage, Points]:
    """A place as it is rectified: with some margin, the board found a little off."""
    size = float(np.linalg.norm(corners[3] - corners[0]))
    middle = corners.mean(0)
    place = (corners - middle) * (1 + 2 * rng.uniform(0.03, 0.1) + rng.normal(0, 0.01, 2)) + middle
    place = place + rng.normal(0, 0.02, 2) * size + rng.normal(0, 0.005, (4, 2)) * size
    return _cut_out(table, place)


def _cut_out(frame: BgrImage, place: Points) -> tuple[BgrImage, Points]:
    """The place upright, twice as large as it will be looked at, and the way there."""
    width, height = THUMB_PX[0] * 2, THUMB_PX[1] * 2
    to = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(place.astype(np.float32), to)
    image = cv2.warpPerspective(frame, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(image, np.uint8), np.asarray(matrix)


def _off(corners: Points, place: BgrImage) -> Points:
    """How far a card's corners are from those of its place, in the place's widths and heights."""
    height, width = place.shape[:2]
    nominal = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    return np.asarray(((corners - nominal) / (width, height)).reshape(-1))


def samples(folder: Path, seed: int) -> Iterator[Sample]:
    places = Places(np.random.default_rng((seed, 0x41)), Pool(folder), Tables.of_pool(folder))
    while True:
        yield places.sample()
