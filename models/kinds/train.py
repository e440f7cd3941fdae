"""Trains the network that tells what lies in a place for a card: its kind, whether it is upside down, and
where its corners are.

    python -m models.pool POOL && python -m models.kinds.train POOL
"""

import argparse
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.export import Average, export
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
from models.stream import Ring, Sample
from vision.cuts import THUMB_PX, thumbnail
from vision.frame import BgrImage
from vision.virtual.board import board_face
from vision.virtual.boardart import load_board_art
from vision.virtual.pictures import picture_by_seed
from vision.virtual.styles import FaceStyle

MINUTES = 20.0
BATCH = 128
RATE = 2.5e-3
KEEP = 20_000
START = 1_500
FRONTS = ("townsfolk", "barbarian", "canal", "hut")
BACKS = ("townsfolk", "barbarian", "canal", "hut")
ANSWERS = (*FRONTS, *(f"{kind} back" for kind in BACKS), "unknown", "empty")
OUTPUTS = len(ANSWERS) + 1 + 8
"""The answers; upside down; right and down shift of each corner, in widths and heights of the place."""
ART = Path(__file__).parents[2] / "assistant" / "games" / "yu" / "boardart.toml"


class Kinds(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seeing = nn.Sequential(
            nn.Conv2d(3, 16, 5, stride=2, padding=2), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 48, 3, padding=1), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(48, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
            nn.Flatten(), nn.Dropout(0.05),
            nn.Linear(64 * (THUMB_PX[0] // 8) * (THUMB_PX[1] // 8), 128), nn.ReLU(),
            nn.Linear(128, OUTPUTS),
        )  # fmt: skip

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Bytes of N × 72 × 48 × BGR to N × OUTPUTS."""
        scaled = image.permute(0, 3, 1, 2).float() / 64.0 - 2.0
        answer: torch.Tensor = self.seeing(scaled)
        return answer


# --- samples -----------------------------------------------------------------------------------------


class Places:
    """Makes places with anything in them."""

    def __init__(self, rng: Rng, pool: Pool | None) -> None:
        self.rng = rng
        self.pool = pool
        art = load_board_art(ART)
        self.boards = [board_face(art, 1100, any_style(rng, held_out=pool is None)) for _ in range(4)]

    def sample(self) -> Sample:
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

    def _labelled(
        self, place: BgrImage, answer: str, upside_down: bool, corners: np.ndarray | None
    ) -> Sample:
        return {
            "image": thumbnail(place)[None],
            "answer": np.array([ANSWERS.index(answer)]),
            "turned": np.array([float(upside_down)], np.float32),
            "corners": (np.zeros(8) if corners is None else corners).astype(np.float32)[None],
        }


def _placed(rng: Rng, frame: BgrImage, quad: np.ndarray) -> tuple[BgrImage, np.ndarray]:
    """The place as the layout says it, a card lying in it anyhow; also the card's true corners."""
    margin = float(rng.uniform(0.0, 0.14))
    centre = quad.mean(0)
    angle = np.radians(np.clip(rng.normal(0, 4), -12, 12))
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    size = float(np.linalg.norm(quad[3] - quad[0]))
    place = (quad - centre) @ turn * (1 + 2 * margin + rng.normal(0, 0.02)) + centre
    place = place + rng.normal(0, 0.035, 2) * size + rng.normal(0, 0.008, (4, 2)) * size
    width, height = THUMB_PX[0] * 2, THUMB_PX[1] * 2
    to = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(place.astype(np.float32), to)
    image = cv2.warpPerspective(frame, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    corners = cv2.perspectiveTransform(quad[None].astype(np.float64), matrix)[0]
    return np.asarray(image, np.uint8), ((corners - to) / (width, height)).reshape(-1)


def samples(folder: Path, seed: int) -> Iterator[Sample]:
    places = Places(np.random.default_rng((seed, 0x41)), Pool(folder))
    while True:
        yield places.sample()


# --- learning ----------------------------------------------------------------------------------------


def losses_of(net: Kinds, batch: Sample) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    parts = {key: torch.from_numpy(value) for key, value in batch.items()}
    answer, turned, corners = net(parts["image"]).split((len(ANSWERS), 1, 8), dim=1)
    there = parts["answer"] != ANSWERS.index("empty")
    known = there & (parts["answer"] != ANSWERS.index("unknown"))
    return (
        functional.cross_entropy(answer, parts["answer"], label_smoothing=0.01),
        functional.binary_cross_entropy_with_logits(turned[known, 0], parts["turned"][known]),
        functional.smooth_l1_loss(corners[there], parts["corners"][there], beta=0.02),
    )


def train(folder: Path, minutes: float, workers: int, seed: int, state: Path | None) -> Kinds:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    ring = Ring(partial(samples, folder), keep=KEEP, start=START, workers=workers, seed=100 * seed)
    ring.fill()
    net = Kinds()
    if state is not None and state.exists():
        net.load_state_dict(torch.load(state, weights_only=True))
    average = Average(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.02)
    begun, step, told = time.monotonic(), 0, 0.0
    while (done := (time.monotonic() - begun) / (60 * minutes)) < 1:
        optimiser.param_groups[0]["lr"] = (
            RATE * min(1.0, step / 200) * (0.02 + 0.98 * np.cos(done * np.pi / 2) ** 2)
        )
        ring.take_in()
        kind, turned, corners = losses_of(net, ring.batch(rng, BATCH))
        loss = kind + 0.5 * turned + 15 * corners
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average.follow(step)
        step += 1
        if time.monotonic() - told > 60:
            told = time.monotonic()
            words = f"{float(kind):.3f} {float(turned):.3f} {float(corners):.4f}"
            print(f"{done:.0%} step {step} places {ring.made} losses {words}", flush=True)
            if state is not None:
                torch.save(average.net.state_dict(), state)
    ring.stop()
    return average.net


def measure(net: Kinds, count: int = 400) -> tuple[float, float, float]:
    """Answers right, upside down right, and the mean way between true and found corners in card heights."""
    places = Places(np.random.default_rng(97), None)
    net.eval()
    right, turns, ways = [], [], []
    for _ in range(count):
        sample = places.sample()
        with torch.no_grad():
            found = net(torch.from_numpy(sample["image"]))[0].numpy()
        answer = int(sample["answer"][0])
        right.append(int(found[: len(ANSWERS)].argmax()) == answer)
        if answer < len(ANSWERS) - 2:
            turns.append((found[len(ANSWERS)] > 0) == (sample["turned"][0] > 0.5))
            ways.append(np.abs(found[len(ANSWERS) + 1 :] - sample["corners"][0]).mean())
    return float(np.mean(right)), float(np.mean(turns)), float(np.mean(ways))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, help="a file to go on from, and to keep the state in")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    net = train(options.pool, options.minutes, options.workers, options.seed, options.state)
    export(net, torch.zeros((1, THUMB_PX[1], THUMB_PX[0], 3), dtype=torch.uint8), "kinds")
    right, turned, way = measure(net)
    print(f"held-out styles: answer {right:.4f}, upside down {turned:.4f}, corners off by {way:.4f}")


if __name__ == "__main__":
    main()
