"""What a player's own copy brings: the board's icons, colours of pieces, and set-up."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from assistant.games.yu import KIT
from assistant.games.yu.pack import PACK_RULES, demo_pack
from assistant.virtual import recolour_of
from calibration.colours import colour_at
from calibration.gametable import load_game_table
from calibration.icons import OwnIcons, harvest
from calibration.locating import pose_from_above
from calibration.markers import corner_papers
from calibration.profile import LearntColour, Profile
from calibration.step_views import view
from calibration.steps import STEPS, ChooseCamera, ConfirmFact, Event, Next, Step, TapPiece
from calibration.wizard import advance
from calibration.wizard_state import WizardState, start
from models.photographs import (
    Photograph,
    Sheet,
    anatomy,
    any_style,
    develop,
    draw_card,
    invent_facts,
    photograph,
)
from models.pieces.data import DrawnTable, tables
from tests.benchmarks.bench_enrolled import table_style
from tests.benchmarks.report import Report
from tests.vision.photo_truth import BOARD_CORNERS, SETUP, cut_out, setup_cards
from tests.vision.scoring import items_right
from vision.cards import CardFacts
from vision.fields import limits_of
from vision.frame import BgrImage
from vision.image import load_image
from vision.networks import Networks
from vision.pieces import PieceReader
from vision.pose import Lens
from vision.read import CardReader
from vision.reader import CardCut
from vision.rectify import Rectified
from vision.register import register_corners
from vision.table import PieceKind, TableView
from vision.virtual.board import board_face
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.shot import Shot

KINDS = ("townsfolk", "barbarian", "canal")
ICON_PRINTS = 8
CARDS_EACH = 24
CASTS = {"usual light": (1.0, 1.0, 1.0), "warm": (1.2, 1.0, 0.65), "cold": (0.75, 1.0, 1.3)}
"""Gains of red, green and blue."""
CAST_TABLES = 4
BOARD_MM = 600.0

Picture = Callable[[BgrImage], BgrImage]


def main(quick: bool = False) -> None:
    cv2.setNumThreads(1)
    networks = Networks()
    report = Report("own-copy", "What a player's own copy brings: icons, colours, set-up")
    share = 4 if quick else 1
    _own_icons(report, networks, ICON_PRINTS // share)
    _photograph(report, networks)
    _colours(report, networks, max(1, CAST_TABLES // share))
    _wizard(report)
    report.note("Prints, tables, light and cameras are held out from training.")
    if quick:
        report.show()
    else:
        report.write()


def _seen(rng: np.random.Generator, sheet: Sheet) -> Photograph:
    return photograph(rng, sheet, gentle=True, jitter=0.008)


def _reader(networks: Networks, own: OwnIcons | None = None) -> CardReader:
    reword = None if own is None else own.weighed
    return CardReader(anatomy(), networks, limits=limits_of(PACK_RULES), pack=demo_pack(), reword=reword)


# --- icons of the player's own board ---------------------------------------------------------------------


def _own_icons(report: Report, networks: Networks, prints: int) -> None:
    shots = [_print(number) for number in range(prints)]
    for name, look in (("held-out prints", lambda picture: picture), ("the same as pale ink", _inked)):
        without, own = np.zeros(2), np.zeros(2)
        for board, cards in shots:
            icons = _harvested(look(board), networks)
            for total, reader in ((without, _reader(networks)),
                                  (own, _reader(networks, icons))):  # fmt: skip
                cuts = [CardCut(image=look(image), kind=facts.kind) for image, facts in cards]
                for (_, facts), read in zip(cards, reader.read(cuts), strict=True):
                    truth = {field.name: field.items or () for field in facts.fields}
                    total += items_right(read.reading, truth)
        report.row(f"{name}: items right without the board's icons, %", 100 * without[0] / without[1])
        report.row(
            f"{name}: items right with them, %", 100 * own[0] / own[1], bar=100 * without[0] / without[1]
        )


def _print(number: int) -> tuple[BgrImage, list[tuple[BgrImage, CardFacts]]]:
    """The board of a print as a camera sees it, and cards with any items."""
    rng = np.random.default_rng((8300, number))
    style = any_style(rng, held_out=True)
    face = board_face(load_table_art(KIT.folder).board, 1300, style)
    width = int(rng.uniform(750, 1150))
    small = cv2.resize(
        face, (width, round(width * face.shape[0] / face.shape[1])), interpolation=cv2.INTER_AREA
    )
    board = develop(rng, np.asarray(small, np.uint8), gentle=True, sharp=1.0)
    cards = []
    for _ in range(CARDS_EACH):
        facts = invent_facts(rng, str(rng.choice(KINDS)))
        cards.append((_seen(rng, draw_card(facts, style)).card, facts))
    return board, cards


def _harvested(board: BgrImage, networks: Networks) -> OwnIcons:
    layout = KIT.bind(demo_pack()).layout
    icons = load_game_table(KIT.folder, KIT.name, layout).icons
    return harvest(board, pose_from_above(board, layout.board), layout.board, icons, networks)


def _inked(picture: BgrImage) -> BgrImage:
    """A print that no style of training comes near: pale, with thin dark lines."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    lines = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, 7, 4)
    return np.asarray(np.minimum(picture // 2 + 110, lines[..., None] // 2 + 127), np.uint8)


def _photograph(report: Report, networks: Networks) -> None:
    if not SETUP.exists():
        report.note(f"{SETUP.name} is not here: not measured.")
        return
    image = load_image(SETUP)
    layout = KIT.bind(demo_pack()).layout
    lens = Lens(width=image.shape[1], height=image.shape[0])
    found = register_corners(np.array(BOARD_CORNERS), layout.board, lens)
    assert found.pose is not None
    icons = load_game_table(KIT.folder, KIT.name, layout).icons
    own = harvest(image, found.pose, layout.board, icons, networks)
    row = setup_cards()[:7]
    report.row(f"{SETUP.stem}: kinds of icons harvested from the board", len(own.kinds))
    for name, icons_of in (("without", None), ("with", own)):
        reader = _reader(networks, icons_of)
        reads = reader.read([CardCut(image=cut_out(image, card.quad), kind=card.kind) for card in row])
        score = np.sum(
            [items_right(read.reading, card.fields) for read, card in zip(reads, row, strict=True)], 0
        )
        printed = sum(len(items) for card in row for items in card.fields.values())
        report.row(f"{SETUP.stem}: row cards {name} them, items right of {printed}", float(score[0]))
        report.row(f"{SETUP.stem}: row cards {name} them, items invented", float(score[1] - printed))


# --- colours of pieces -----------------------------------------------------------------------------------


def _colours(report: Report, networks: Networks, number: int) -> None:
    game = KIT.bind(demo_pack())
    art = load_table_art(KIT.folder)
    drawn = [table for seed in range(8400, 8400 + number) for table in tables(seed, Split.HELD_OUT, views=2)]
    kinds = load_game_table(KIT.folder, KIT.name, game.layout).taps
    zones = [zone for zone in game.layout.zones if set(zone.pieces) & set(kinds)]
    for name, gains in CASTS.items():
        right = {"without": 0, "with": 0}
        total = 0
        for table in drawn:
            image = _cast(table.picture.image, gains)
            picture = replace(table.picture, image=image)
            taps = _taps(picture, table, kinds)
            readers = {
                "without": PieceReader(networks),
                "with": PieceReader(networks, recolour_of(art, taps)),
            }
            for zone in zones:
                truth = {str(piece.kind): piece.count for piece in table.view[zone.id].pieces}
                quad = np.array(table.shot.zones[zone.id])
                size = table.shot.image.shape[1::-1]
                if not 0 < sum(truth.values()) <= 10 or not ((quad > 0) & (quad < size)).all():
                    continue
                total += 1
                for who, reader in readers.items():
                    counts = reader.read(zone, picture.crop(reader.area(zone)), game.layout.zones)
                    found = {str(seen.kind): seen.counts[0][0] for seen in counts if seen.counts[0][0]}
                    right[who] += found == truth
        for who in right:
            report.row(f"{name}: places with Workers ({total}) counted exactly {who} learnt colours, %",
                       100 * right[who] / total)  # fmt: skip


def _cast(image: BgrImage, gains: tuple[float, float, float]) -> BgrImage:
    return np.asarray(np.clip(image * np.array(gains[::-1]), 0, 255), np.uint8)


def _taps(picture: Rectified, table: DrawnTable, kinds: tuple[PieceKind, ...]) -> list[LearntColour]:
    """A tap on one open piece of each kind that is there."""
    above = pose_from_above(picture.image, picture.rect)
    taps = []
    for kind in kinds:
        open_ones = [piece for piece in table.pieces if piece[0] == kind and piece[4] > 0.8]
        if open_ones:
            _, _, x, y, _ = open_ones[0]
            taps.append(LearntColour(piece=kind, rgb=colour_at(picture.image, above, x, y - 0.004)))
    return taps


# --- the wizard ------------------------------------------------------------------------------------------


def _wizard(report: Report) -> None:
    """A script gives the player's answers; the time is what the program computes."""
    style = table_style(8500)
    scene, empty = marked_scene(style)
    full = scene.shoot_view(KIT.bind(demo_pack()).view(KIT.bind(demo_pack()).initial()), 2)
    begun = time.process_time()
    state, answers = walk(empty, full)
    spent = time.process_time() - begun
    report.row("wizard played by a script: answers of the player", answers)
    report.row("wizard played by a script: seconds of computing", spent)
    report.row("… with ten seconds for each answer of a player, minutes", (spent + 10 * answers) / 60,
               bar=5, at_most=True)  # fmt: skip
    assert state.step is Step.READY


def walk(empty: Shot, full: Shot) -> tuple[WizardState, int]:
    game = KIT.bind(demo_pack())
    table = load_game_table(KIT.folder, KIT.name, game.layout)
    state = start(table, Profile(table="bench", game=KIT.name))
    answers = 0

    def answer(event: Event, shot: Shot) -> None:
        nonlocal state, answers
        state = advance(state, event, shot.image)
        view(state, shot.image)
        answers += 1

    answer(ChooseCamera(source="0"), empty)
    while state.step is not Step.READY:
        shot = empty if STEPS.index(state.step) <= STEPS.index(Step.BOARD) else full
        height, width = shot.image.shape[:2]
        if state.step is Step.COLOURS:
            for kind in table.taps:
                piece = max((piece for piece in shot.pieces if piece.kind == kind), key=lambda p: p.visible)
                x, y = np.mean([piece.base, piece.top], axis=0)
                answer(TapPiece(piece=kind, at=((x + 0.5) / width, (y + 0.5) / height)), shot)
        if state.step is Step.FACTS:
            for fact in table.facts:
                answer(ConfirmFact(key=fact.key, value=fact.options[0]), shot)
        before = state.step
        answer(Next(anyway=True), shot)
        assert state.step is not before, (before, state.trouble)
    return state, answers


def marked_scene(style: SceneStyle) -> tuple[Scene, Shot]:
    game = KIT.bind(demo_pack())
    papers = corner_papers(game.layout.board, BOARD_MM)
    scene = drawn_scene(game.layout, game.pack, load_table_art(KIT.folder), style, papers)
    return scene, scene.shoot_view(TableView(()), 1)


if __name__ == "__main__":
    main("--quick" in sys.argv)
