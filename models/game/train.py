"""Trains the eyes of one game on its strewn tables: what lies in a place, what a card says, where pieces are.

    python -m models.game.strewn GAME POOL --tables 240
    python -m models.game.train GAME POOL --minutes 25

Writes kinds.onnx, symbols.onnx, pieces.onnx and their manifest into the game's own folder, and prints how
good they are on tables of styles that none of them was trained on.
"""

import argparse
import hashlib
import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from assistant.discover import kit_named
from assistant.kit import GameKit
from models.export import Average
from models.game.nets import Marks, kinds_net, symbols_net
from models.game.pool import Patch, Place, Pool
from models.pieces.calibrate import fit
from models.pieces.train import focal_loss, target_of
from vision.anatomy import load_anatomy
from vision.cuts import THUMB_PX
from vision.networks import MANIFEST, OWN
from vision.whole import NETWORK, NOTHING, SYMBOL_PX, Window, is_read, windows_of

SHARES = {"symbols": 0.25, "kinds": 0.28, "pieces": 0.47}
"""How the time is divided."""
BATCH = {"kinds": 64, "pieces": 12}
CARDS = 16
"""So many cards are shown at once."""
EMPTY = 0.2
"""The share of places where nothing stands that are shown."""
BARE = 0.5
"""How often a patch without pieces is shown, beside one with the most usual piece."""
RATE = 2e-3
Batch: TypeAlias = Sequence[NDArray[Any]]
Loss: TypeAlias = Callable[[nn.Module, Batch], Tensor]


def train(
    net: nn.Module,
    batch: Callable[[random.Random], Batch],
    loss: Loss,
    minutes: float,
    kept: Path,
) -> nn.Module:
    """The mean of the last weights after so many minutes; the rate falls as a cosine does.

    Goes on from the weights of an earlier run that were kept.
    """
    torch.manual_seed(1)
    if kept.exists():
        net.load_state_dict(torch.load(kept, weights_only=True))
    rng, average = random.Random(time.time_ns() if kept.exists() else 1), Average(net)
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.02)
    begun, told, step = time.monotonic(), 0.0, 0
    while (done := (time.monotonic() - begun) / (60 * minutes)) < 1:
        rate = RATE * min(1.0, (step + 1) / 100) * (0.02 + 0.98 * float(np.cos(done * np.pi / 2)) ** 2)
        optimiser.param_groups[0]["lr"] = rate
        net.train()
        value = loss(net, batch(rng))
        optimiser.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        optimiser.step()
        average.follow(step)
        step += 1
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(f"{done:4.0%} step {step} loss {float(value.detach()):.3f}", flush=True)
    torch.save(average.net.state_dict(), kept)
    return average.net


# --- what lies in a place -----------------------------------------------------------------------------------


def answers_of(kit: GameKit) -> tuple[str, ...]:
    fronts = tuple(str(kind) for kind in kit.pack_rules.kinds)
    return (*fronts, *(f"{kind} back" for kind in fronts), "unknown", "empty")


def kinds_batch(places: Sequence[Place], answers: Sequence[str], rng: random.Random) -> Batch:
    looks = [rng.choice(places).look(rng) for _ in range(BATCH["kinds"])]
    return (
        np.stack([look.image for look in looks]),
        np.array([answers.index(look.answer) for look in looks]),
        np.array([look.upside_down for look in looks], np.float32),
        np.stack([look.corners for look in looks]),
    )


def kinds_loss(answers: Sequence[str]) -> Loss:
    def loss(net: nn.Module, batch: Batch) -> Tensor:
        image, answer, turned, corners = (torch.from_numpy(part) for part in batch)
        found = net(image)
        known = answer < len(answers) - 2
        return (
            functional.cross_entropy(found[:, : len(answers)], answer, label_smoothing=0.01)
            + 0.5 * functional.binary_cross_entropy_with_logits(found[known, len(answers)], turned[known])
            + 15 * functional.smooth_l1_loss(found[known, len(answers) + 1 :], corners[known], beta=0.02)
        )

    return loss


# --- what a card says ---------------------------------------------------------------------------------------


Windows: TypeAlias = dict[str, tuple[Window, ...]]


def words_of(kit: GameKit) -> tuple[str, ...]:
    rules = kit.pack_rules
    items = {i for kind in rules.kinds.values() for f in kind.fields.values() if is_read(f) for i in f.items}
    return (NOTHING, *sorted(items))


def symbols_batch(
    places: Sequence[Place], windows: Windows, words: Sequence[str], rng: random.Random
) -> Batch:
    """All places of some cards; of those where nothing stands only some."""
    chosen = rng.choices(places, k=CARDS)
    shown = [place.symbols(windows[place.answer], words, rng, EMPTY) for place in chosen]
    return tuple(np.concatenate([parts[index] for parts in shown]) for index in range(2))


def symbols_loss(net: nn.Module, batch: Batch) -> Tensor:
    image, word = (torch.from_numpy(part) for part in batch)
    return functional.cross_entropy(net(image), word, label_smoothing=0.01)


# --- pieces -------------------------------------------------------------------------------------------------


def evened(patches: Sequence[Patch], kinds: int) -> list[float]:
    """How often each patch is shown: what lies on few of them more often, bare ones least."""
    lying = [set(patch.marks[:, 0].astype(int).tolist()) for patch in patches]
    on = [max(1, sum(kind in some for some in lying)) for kind in range(kinds)]
    weights = [max((1 / on[kind] for kind in some), default=0.0) ** 0.5 for some in lying]
    bare = BARE * min(weight for weight in weights if weight)
    return [weight or bare for weight in weights]


def pieces_batch(patches: Sequence[Patch], weights: Sequence[float], kinds: int, rng: random.Random) -> Batch:
    shown = [patch.shown(rng) for patch in rng.choices(patches, weights, k=BATCH["pieces"])]
    targets = [target_of(marks, image.shape[0], kinds) for image, marks in shown]
    return np.stack([image for image, _ in shown]), np.stack(targets)


def pieces_loss(net: nn.Module, batch: Batch) -> Tensor:
    image, target = (torch.from_numpy(part) for part in batch)
    return focal_loss(net(image), target)


# --- measured -----------------------------------------------------------------------------------------------


@torch.no_grad()
def measure_places(kinds: nn.Module, places: Sequence[Place], answers: Sequence[str]) -> str:
    kinds.eval()
    rng = random.Random(7)
    looks = [place.look(rng) for place in places]
    found = kinds(torch.from_numpy(np.stack([look.image for look in looks]))).numpy()
    right = [
        answers[int(row[: len(answers)].argmax())] == look.answer
        for row, look in zip(found, looks, strict=True)
    ]
    pairs = [
        (row, look) for row, look in zip(found, looks, strict=True) if look.answer not in ("empty", "unknown")
    ]
    turned = [(row[len(answers)] > 0) == (look.upside_down > 0.5) for row, look in pairs]
    off = [np.abs(row[len(answers) + 1 :] - look.corners).mean() for row, look in pairs]
    return (
        f"places: {len(looks)}, answers right {np.mean(right):.4f}, upside down {np.mean(turned):.4f}, "
        f"corners off by {np.mean(off):.4f}"
    )


@torch.no_grad()
def measure_symbols(net: nn.Module, places: Sequence[Place], windows: Windows, words: Sequence[str]) -> str:
    net.eval()
    rng = random.Random(7)
    right: dict[str, list[bool]] = {}
    for place in places:
        image, word = place.symbols(windows[place.answer], words, rng)
        named = net(torch.from_numpy(image)).numpy().argmax(axis=1) == word
        for window, good in zip(windows[place.answer], named, strict=True):
            right.setdefault(f"{place.answer} {window.field}", []).append(bool(good))
    return f"cards: {len(places)}; " + ", ".join(f"{name} {np.mean(r):.3f}" for name, r in right.items())


@torch.no_grad()
def marks_of(net: nn.Module, patches: Sequence[Patch]) -> list[tuple[int, float, bool]]:
    """Kind, score and truth of every peak, and a missed piece as one of no score."""
    net.eval()
    rows: list[tuple[int, float, bool]] = []
    for patch in patches:
        image, truth = patch.plain()
        scores = net(torch.from_numpy(image[None]))[0]
        top = functional.max_pool2d(scores[None], 3, 1, 1)[0]
        left = [(int(kind), x, y) for kind, x, y in truth]
        peaks = sorted(((scores == top) & (scores > -4)).nonzero().tolist(), key=lambda k: -float(scores[*k]))
        for kind, row, column in peaks:
            x, y = (column + 0.5) * 4 - 0.5, (row + 0.5) * 4 - 0.5
            near = [p for p in left if p[0] == kind and abs(p[1] - x) < 9 and abs(p[2] - y) < 9]
            if near:
                left.remove(near[0])
            if 6 < x < image.shape[1] - 7 and 6 < y < image.shape[0] - 7:
                rows.append((kind, float(scores[kind, row, column]), bool(near)))
        inside = [p for p in left if 6 < p[1] < image.shape[1] - 7 and 6 < p[2] < image.shape[0] - 7]
        rows += [(kind, -np.inf, True) for kind, _, _ in inside]
    return rows


def calibrate(net: Marks, patches: Sequence[Patch], kinds: Sequence[str]) -> None:
    """One slope and one offset for each kind, so that what comes out is the chance that a piece is there."""
    rows = [row for row in marks_of(net, patches) if np.isfinite(row[1])]
    scores, truth = np.array([row[1] for row in rows]), np.array([row[2] for row in rows], float)
    of_all = fit(scores, truth, (1.0, 0.0), 1e-3)
    last = net.head[-1]
    for index in range(len(kinds)):
        own = np.array([row[0] == index for row in rows], bool)
        slope, offset = fit(scores[own], truth[own], of_all, 4.0)
        with torch.no_grad():
            last.weight[index] *= slope
            last.bias[index] = last.bias[index] * slope + offset


def measure_pieces(net: nn.Module, patches: Sequence[Patch]) -> str:
    rows = marks_of(net, patches)
    found = sum(score > 0 and true for _, score, true in rows)
    missed = sum(score <= 0 and true for _, score, true in rows)
    invented = sum(score > 0 and not true for _, score, true in rows)
    return f"pieces: {found} found, {missed} missed, {invented} invented on {len(patches)} patches"


# --- written ------------------------------------------------------------------------------------------------


def export(net: nn.Module, path: Path, example: Tensor, axes: dict[str, dict[int, str]]) -> None:
    with torch.no_grad():
        torch.onnx.export(
            net.eval(),
            (example,),
            str(path),
            input_names=["image"],
            output_names=["answer"],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )


def enter(folder: Path, name: str, about: str, answers: Sequence[str]) -> None:
    """The network in the manifest of the game's folder, in place of an older one."""
    path = folder / MANIFEST
    head = "# Networks of this game, in place of those that all games share. Written by models.game.train.\n"
    tables = path.read_text(encoding="utf-8").split("\n[")[1:] if path.exists() else []
    digest = hashlib.sha256((folder / f"{name}.onnx").read_bytes()).hexdigest()
    words = "".join(f"  {json.dumps(answer)},\n" for answer in answers)
    own = f'{name}]\nfile = "{name}.onnx"\nsha256 = "{digest}"\ninput = "{about}"\nanswers = [\n{words}]\n'
    kept = [table.rstrip("\n") + "\n" for table in tables if not table.startswith(f"{name}]")]
    path.write_text(head + "".join(f"\n[{table}" for table in sorted([*kept, own])), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("pool", type=Path)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--only", choices=sorted(SHARES), action="append")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    kit = kit_named(options.game)
    folder = kit.folder / OWN
    folder.mkdir(exist_ok=True)
    for name in options.only or SHARES:
        _STAGES[name](kit, Pool(options.pool), options.minutes * SHARES[name], folder)


def learn_kinds(kit: GameKit, pool: Pool, minutes: float, folder: Path) -> None:
    answers = answers_of(kit)
    places = pool.places
    net = kinds_net(THUMB_PX, len(answers) + 9)
    net = train(
        net,
        lambda rng: kinds_batch(places, answers, rng),
        kinds_loss(answers),
        minutes,
        pool.folder / "kinds.pt",
    )
    print(measure_places(net, pool.tested_places, answers), flush=True)
    example = torch.zeros((1, THUMB_PX[1], THUMB_PX[0], 3), dtype=torch.uint8)
    export(net, folder / "kinds.onnx", example, {"image": {0: "n"}, "answer": {0: "n"}})
    enter(folder, "kinds", f"N × {THUMB_PX[1]} × {THUMB_PX[0]} × BGR", answers)


def learn_symbols(kit: GameKit, pool: Pool, minutes: float, folder: Path) -> None:
    words, anatomy = words_of(kit), load_anatomy(kit.folder / "anatomy.toml")
    windows = {str(kind): windows_of(anatomy, kit.pack_rules, kind) for kind in kit.pack_rules.kinds}
    places = [place for place in pool.places if place.is_read and windows[place.answer]]
    tested = [place for place in pool.tested_places if place.is_read and windows[place.answer]]
    net = symbols_net(SYMBOL_PX, len(words))
    kept = pool.folder / f"{NETWORK}.pt"
    net = train(net, lambda rng: symbols_batch(places, windows, words, rng), symbols_loss, minutes, kept)
    print(measure_symbols(net, tested, windows, words), flush=True)
    example = torch.zeros((1, SYMBOL_PX, SYMBOL_PX, 3), dtype=torch.uint8)
    export(net, folder / f"{NETWORK}.onnx", example, {"image": {0: "n"}, "answer": {0: "n"}})
    enter(folder, NETWORK, f"N × {SYMBOL_PX} × {SYMBOL_PX} × BGR", words)


def learn_pieces(_kit: GameKit, pool: Pool, minutes: float, folder: Path) -> None:
    kinds = pool.piece_kinds
    net = Marks(len(kinds))
    patches, kept = pool.patches, pool.kept_patches
    weights = evened(patches, len(kinds))
    net = train(
        net,
        lambda rng: pieces_batch(patches, weights, len(kinds), rng),
        pieces_loss,
        minutes,
        pool.folder / "pieces.pt",
    )
    assert isinstance(net, Marks), "the average is a network of the same kind"
    calibrate(net, kept, kinds)
    print(measure_pieces(net, pool.tested_patches), flush=True)
    example = torch.zeros(1, 160, 640, 3, dtype=torch.uint8)
    axes = {"image": {0: "n", 1: "h", 2: "w"}, "answer": {0: "n", 2: "h4", 3: "w4"}}
    export(nn.Sequential(net, nn.Sigmoid()), folder / "pieces.onnx", example, axes)
    enter(folder, "pieces", "N × height × width × BGR, multiples of 32, 900 pixels to a board", kinds)


_STAGES = {"kinds": learn_kinds, "symbols": learn_symbols, "pieces": learn_pieces}

if __name__ == "__main__":
    main()
