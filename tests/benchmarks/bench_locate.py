"""How well cards are found: hands on virtual tables of held-out styles, and enrolled cards in photographs."""

import json
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from assistant.discover import default_game, kit_named
from tests.benchmarks.command import Cost, run_command
from tests.benchmarks.report import Report
from tests.vision.strewn import Strewn, card_picture, off_by, photograph, save
from vision.cards import CardFacts, CardId, CardPack
from vision.enrolled import Gallery
from vision.frame import BgrImage
from vision.locate import locate_known
from vision.pack import save_pack
from vision.pack_images import CARD
from vision.photo import read_photo
from vision.pose import Points
from vision.rectify import grown
from vision.table import PlacedCard, Rect, TableView, Zone, ZoneKind, ZoneView
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.shot import Shot

UNIT = 900
"""Pixels per board width."""
FOUND = 0.08
"""A card is found where no corner is off by more than this share of its width."""
ENROLLED = 300
STRANGERS = 5000
"""Pictures from this seed on are of cards that nobody enrolled."""
PHOTOS = 8
MORE_STRANGERS = 20_000
"""And from this one on, so that half a percent of them can be seen at all."""
STRANGERS_PHOTOS = 13
COMMANDS = 5
"""So often the whole command is run."""


def main(tables: int = 12) -> None:
    report = Report("locate", "Finding cards: held-out styles of the virtual table, one core")
    cv2.setNumThreads(1)
    _hands(report, tables)
    _enrolled(report)
    report.write()


def _hands(report: Report, tables: int) -> None:
    kit = kit_named(default_game())
    pack = kit.demo_pack()
    layout = kit.bind(pack).layout
    zone = next(zone for zone in layout.zones if zone.kind is ZoneKind.SPREAD)
    art = load_table_art(kit.folder)
    names = [card.id for card in pack.cards if card.kind in zone.cards]
    size = (layout.card_width * UNIT, layout.card_height * UNIT)
    clear: list[bool] = []
    half: list[bool] = []
    offs: list[float] = []
    seconds: list[float] = []
    invented = 0
    for seed in range(tables):
        rng = random.Random(seed)
        style = SceneStyle.sample(1000 + seed, Split.HELD_OUT)
        scene = drawn_scene(layout, pack, art, replace(style, stand=replace(style.stand, whole=True)))
        for hand in range(4):
            cards = tuple(PlacedCard(card) for card in rng.sample(names, rng.randint(1, 8)))
            shot = scene.shoot_view(TableView((ZoneView(zone=zone.id, cards=cards),)), seed * 10 + hand)
            picture, truth = _zone_picture(shot, zone)
            begun = time.process_time()
            found = [quad.corners for quad in locate_known(picture, size)]
            seconds.append(time.process_time() - begun)
            for quad, visible in truth:
                off = min((off_by(corners, quad) for corners in found), default=1e9) / size[0]
                if visible >= 0.45:
                    (clear if visible > 0.7 else half).append(off < FOUND)
                    offs += [off] if off < FOUND else []
            invented += sum(
                all(off_by(corners, quad) / size[0] >= FOUND for quad, _ in truth) for corners in found
            )
    report.row("hand: cards more than 70 % in view, found %", 100 * float(np.mean(clear)), bar=98)
    report.row("hand: cards 45 to 70 % in view, found %", 100 * float(np.mean(half)))
    report.row("hand: invented per 100 cards", 100 * invented / (len(clear) + len(half)))
    report.row("hand: corners off by % of a card's width, median", 100 * float(np.median(offs)))
    report.row("hand: milliseconds for a zone, mean", 1000 * float(np.mean(seconds)), bar=150, at_most=True)


def _zone_picture(shot: Shot, zone: Zone) -> tuple[BgrImage, list[tuple[Points, float]]]:
    """The zone from straight above, and where its cards lie in that picture."""
    rect: Rect = grown(zone.rect, 0.03)
    xs = rect.x0 + (np.arange(round(rect.width * UNIT)) + 0.5) / UNIT
    ys = rect.y0 + (np.arange(round(rect.height * UNIT)) + 0.5) / UNIT
    x, y = np.meshgrid(xs, ys)
    places = shot.camera.project(np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1))
    u, v = (places[:, k].reshape(x.shape).astype(np.float32) for k in (0, 1))
    picture = np.asarray(cv2.remap(shot.image, u, v, cv2.INTER_LINEAR), np.uint8)
    truth = []
    for card in shot.cards:
        if card.zone == zone.id:
            ground = shot.camera.ground(np.array(card.quad), 0.0)[:, :2]
            truth.append((np.asarray((ground - (rect.x0, rect.y0)) * UNIT - 0.5), card.visible))
    return picture, truth


def _enrolled(report: Report) -> None:
    """Cards strewn over a table, many partly covered, every third of them one that nobody enrolled."""
    rng = np.random.default_rng(2026)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        images = {CardId(f"card-{seed}"): f"card-{seed}.png" for seed in range(ENROLLED)}
        for seed, file in enumerate(images.values()):
            save(card_picture(seed), folder / file)
        gallery = Gallery.of_images(folder, images)
        right = wrong = total = strangers = called = 0
        seconds, computing = [], []
        for photo in range(PHOTOS):
            cards = [(int(rng.integers(ENROLLED)), x, y) for x in range(8) for y in range(2)]
            cards = [(seed if k % 3 else STRANGERS + seed, x, y) for k, (seed, x, y) in enumerate(cards)]
            laid = [_laid(seed, x, y, rng) for seed, x, y in cards]
            image = photograph(laid, (4000, 3000), seed=photo)
            begun, computed = time.monotonic(), time.process_time()
            found = read_photo(image, gallery=gallery)
            seconds.append(time.monotonic() - begun)
            computing.append(time.process_time() - computed)
            for (seed, _, _), card in zip(cards, laid, strict=True):
                near = [s for s in found if off_by(s.quad.corners, card.quad) < 0.15 * card.width]
                named = near[0].guesses[0][0] if near and near[0].known else None
                if seed >= STRANGERS:
                    strangers, called = strangers + 1, called + (named is not None)
                else:
                    total, right = total + 1, right + (named == f"card-{seed}")
                    wrong += named is not None and named != f"card-{seed}"
        command = _command(folder, images)
        more, more_called = _strangers(gallery, rng)
        strangers, called = strangers + more, called + more_called
    report.row(f"{ENROLLED} enrolled cards: named right, %", 100 * right / total)
    report.row(f"{ENROLLED} enrolled cards: named wrong, %", 100 * wrong / total)
    report.row("strangers called known, %", 100 * called / strangers, bar=0.5, at_most=True)
    report.row("seconds for a 12-megapixel photograph", float(np.mean(seconds)), bar=2.0, at_most=True)
    report.row("the same in processor seconds, both threads together", float(np.mean(computing)))
    report.row("the command floodwatch read, seconds", command.seconds, bar=2.0, at_most=True)
    report.row("most memory of the command, MB", command.most_mb, bar=600, at_most=True)
    report.note(
        f"Of {total} enrolled cards {right} named right, {wrong} wrong; of {strangers} strangers, drawn by "
        f"the same hand as the enrolled cards, {called} called known."
    )


def _command(folder: Path, images: dict[CardId, str]) -> Cost:
    """As a person does it, pack and photograph on the disk: mean time and most memory of some runs."""
    rng = np.random.default_rng(77)
    cards = tuple(CardFacts(id=card, kind=CARD, image=file) for card, file in images.items())
    save_pack(CardPack(game="cards", name="300 cards", cards=cards), folder)
    photo, out, compiled = folder / "photo.jpg", folder / "out.json", folder / "compiled"
    costs = []
    for number in range(1 + COMMANDS):
        laid = [_laid(int(rng.integers(ENROLLED)), x, y, rng) for x in range(8) for y in range(2)]
        cv2.imwrite(str(photo), photograph(laid, (4000, 3000), seed=200 + number))
        cost = run_command(("read", str(photo), "--pack", str(folder), "--json"), out, compiled)
        if not any(card["known"] for card in json.loads(out.read_text(encoding="utf-8"))["cards"]):
            raise RuntimeError("the command found none of the cards")
        costs.append(cost)
    costs = costs[1:]  # the first one compiles
    return Cost(
        seconds=float(np.mean([cost.seconds for cost in costs])), most_mb=max(cost.most_mb for cost in costs)
    )


def _strangers(gallery: Gallery, rng: np.random.Generator) -> tuple[int, int]:
    """How many cards that nobody enrolled were laid out, and how many of them were called known."""
    seeds = MORE_STRANGERS + rng.permutation(10_000)
    strangers = called = 0
    for photo in range(STRANGERS_PHOTOS):
        places = [(x, y) for x in range(8) for y in range(2)]
        laid = [_laid(int(seeds[16 * photo + k]), x, y, rng) for k, (x, y) in enumerate(places)]
        found = read_photo(photograph(laid, (4000, 3000), seed=100 + photo), gallery=gallery)
        for card in laid:
            near = [s for s in found if off_by(s.quad.corners, card.quad) < 0.15 * card.width]
            strangers, called = strangers + 1, called + bool(near and near[0].known)
    return strangers, called


def _laid(seed: int, x: int, y: int, rng: np.random.Generator) -> Strewn:
    return Strewn(
        picture=card_picture(seed),
        centre=(300 + 480 * x + float(rng.uniform(-60, 60)), 800 + 1300 * y + float(rng.uniform(-200, 200))),
        turn_deg=float(rng.uniform(-180, 180)),
        width=float(rng.uniform(300, 480)),
        lean=float(rng.uniform(-0.12, 0.12)),
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
