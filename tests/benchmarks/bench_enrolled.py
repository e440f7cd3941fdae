"""How well enrolled cards are named: by their pictures, by embeddings of another owner, by facts alone."""

import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from assistant.games.yu import KIT
from assistant.games.yu.pack import PACK_RULES, demo_pack
from calibration.enrol import CAPTURE_PX
from models.photographs import Photograph, Sheet, anatomy, any_style, draw_card, invent_facts, photograph
from models.pieces.data import pose_of, scattered
from tests.benchmarks.left_out import Lying, left_out
from tests.benchmarks.report import Report
from vision.cards import CardFacts, CardId, CardPack
from vision.embedding import embed
from vision.enrolled_features import fitting
from vision.fields import limits_of
from vision.frame import BgrImage
from vision.identify import Identifier
from vision.marks import Mark
from vision.networks import Networks
from vision.observation import Guess
from vision.pack_images import facts_of
from vision.pieces import PieceReader
from vision.places import PlacePicture, PlaceReader
from vision.read import CardReader
from vision.reader import CardCut
from vision.rectify import rectify
from vision.second_look import read_with_care
from vision.standing import Bodies, pieces_on
from vision.table import Side, TableView, ZoneKind
from vision.virtual.drawn import drawn_scene, face_style, load_table_art
from vision.virtual.faces import card_face
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.shot import Shot
from vision.witness import Witness

KINDS = ("townsfolk", "barbarian", "canal")
PRINTS = 3
OUTSIDERS = 50
TABLES = 12
FIRST = 200
"""Tables with lower numbers were looked at while the reader learnt what pieces hide: they flatter it."""
IN_VIEW = 0.85
"""Of a card: where less of it is to be seen, buildings or the Flood stand on its print."""
WAYS = {"pictures": "with its owner's pictures", "embeddings": "with embeddings", "facts": "by facts alone"}

Witnesses = Mapping[str, Witness | None]


def main(quick: bool = False) -> None:
    cv2.setNumThreads(1)
    networks = Networks()
    report = Report("enrolled", "Cards enrolled from one picture each: named with pictures and without")
    _single(report, networks, 1 if quick else PRINTS)
    _on_tables(report, networks, 2 if quick else TABLES)
    report.note(
        "Prints, tables, light and cameras are held out from training. A print is enrolled from one flat "
        "picture per card, read by the program and believed as it is. With embeddings: as after `floodwatch "
        "pack export --facts-only` on one machine and `pack import` on another."
    )
    if quick:
        report.show()
    else:
        report.write()


def _single(report: Report, networks: Networks, prints: int) -> None:
    counts: Counter[str] = Counter()
    cards = [card for card in demo_pack().cards if card.kind in KINDS]
    contents = {(card.kind, card.fields) for card in demo_pack().cards}
    for number in range(prints):
        rng = np.random.default_rng((8100, number))
        style = any_style(rng, held_out=True)
        sheets = {card.id: draw_card(card, style) for card in cards}
        scans = {card: _scan(sheet.image) for card, sheet in sheets.items()}
        pack = _enrolled_pack(scans, networks)
        counts["faultless"] += sum(_same_print(pack[card.id], card) for card in cards)
        reader, identifier = _reader(networks, pack)
        shots = [_seen(rng, sheets[card.id]) for card in cards]
        outside = [invent_facts(rng, str(rng.choice(KINDS))) for _ in range(OUTSIDERS)]
        outside = [facts for facts in outside if (facts.kind, facts.fields) not in contents]
        strangers = [_seen(rng, draw_card(facts, style)) for facts in outside]
        counts["cards"] += len(cards)
        counts["strangers"] += len(strangers)
        for way, names in _names(reader, identifier, _witnesses(scans), [*shots, *strangers]).items():
            known, unknown = names[: len(cards)], names[len(cards) :]
            counts[f"{way} right"] += sum(name == card.id for name, card in zip(known, cards, strict=True))
            counts[f"{way} other"] += sum(
                name not in (None, card.id) for name, card in zip(known, cards, strict=True)
            )
            counts[f"{way} unknown"] += sum(name is None for name in unknown)
    total, outsiders = counts["cards"], counts["strangers"]
    report.row(
        f"{prints} prints enrolled from one picture a card: forms without a fault, %",
        100 * counts["faultless"] / total,
    )
    for way, words in WAYS.items():
        bar = 99.0 if way == "pictures" else None
        right, other = 100 * counts[f"{way} right"] / total, 100 * counts[f"{way} other"] / total
        report.row(f"{total} cards seen by a webcam, {words}: identified, %", right, bar)
        report.row("… called another card, %", other)
        report.row(
            f"… {outsiders} cards outside the pack called unknown, %",
            100 * counts[f"{way} unknown"] / outsiders,
        )


def _on_tables(report: Report, networks: Networks, number: int) -> None:
    """The same on whole virtual tables: thick board, shadows, glare, untidy cards, any camera."""
    game = KIT.bind(demo_pack())
    art = load_table_art(KIT.folder)
    right: Counter[tuple[str, bool]] = Counter()
    total: Counter[bool] = Counter()
    outside: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + number):
        style = table_style(8200 + seed)
        scans = {
            card.id: _scan(card_face(card, art.anatomy, height_px=650, style=face_style(style)))
            for card in demo_pack().cards
            if card.kind in KINDS
        }
        scene = drawn_scene(game.layout, game.pack, art, style)
        shown = scattered(game, random.Random(f"own-copy/{seed}"))
        shot = scene.shoot_view(shown, seed)
        pack = _enrolled_pack(scans, networks)
        reader, identifier = _reader(networks, pack)
        standing = pieces_on(shot.image, pose_of(shot), game.layout, PieceReader(networks))
        for way, witness in _witnesses(scans).items():
            places = PlaceReader(game.layout, reader, identifier, None, witness)
            pictures = _pictures(shot, places, standing)
            lying = _lying(shot, shown, pictures)
            guesses = {picture.zone.id: guess for picture, guess in _read(shot, places, pictures)}
            for one in lying:
                total[not one.covered] += way == "facts"
                right[way, not one.covered] += guesses[one.picture.zone.id].card == one.card
        outside += left_out(game.layout, reader, pack, demo_pack(), scans, lying, pose_of(shot))
    for way, words in WAYS.items():
        bar = 99.0 if way == "pictures" else None
        every = right[way, True] + right[way, False]
        report.row(
            f"{number} whole virtual tables ({total.total()} cards), {words}: identified, %",
            100 * every / total.total(),
            bar,
        )
        report.row(
            f"… of {total[True]} cards on which nothing stands, %", 100 * right[way, True] / total[True], bar
        )
    _strangers(report, outside)


def _strangers(report: Report, outside: Counter[str]) -> None:
    """What each card of these tables is called by a pack that lacks just this one."""
    for group, where in (("open", "on which nothing stands"), ("covered", "with pieces on them")):
        total = max(1, outside[group])
        report.row(
            f"{outside[group]} of these cards {where}, each left out of its pack: called another, %",
            100 * outside[f"{group} named"] / total,
        )
        report.row("… not knowing what pieces hide, %", 100 * outside[f"{group} named blind"] / total)
        report.row(
            "… called another though what differs is in plain sight, %",
            100 * outside[f"{group} in sight"] / total,
        )


def _witnesses(scans: Mapping[CardId, BgrImage]) -> Witnesses:
    return {
        "pictures": Witness(scans),
        "embeddings": Witness({}, {card: embed(scan) for card, scan in scans.items()}),
        "facts": None,
    }


def table_style(seed: int) -> SceneStyle:
    style = SceneStyle.sample(seed, Split.HELD_OUT)
    stand = style.stand
    return replace(style, stand=replace(stand, width=min(stand.width, 1920), height=min(stand.height, 1080)))


def _enrolled_pack(scans: Mapping[CardId, BgrImage], networks: Networks) -> CardPack:
    """As `floodwatch enrol --scans --yes` makes it."""
    reader = CardReader(anatomy(), networks, limits=limits_of(PACK_RULES))
    facts = [facts_of(card, read_with_care(reader, scan).reading, PACK_RULES) for card, scan in scans.items()]
    return CardPack(game=PACK_RULES.game, name="own", cards=tuple(facts))


def _scan(picture: BgrImage) -> BgrImage:
    return fitting(np.ascontiguousarray(picture[..., :3]), CAPTURE_PX)


def _same_print(read: CardFacts, true: CardFacts) -> bool:
    same = all(read.items(field.name) == field.items for field in true.fields)
    return same and (read.kind, read.stone) == (true.kind, true.stone)


def _seen(rng: np.random.Generator, sheet: Sheet) -> Photograph:
    return photograph(rng, sheet, gentle=True, jitter=0.008)


def _reader(networks: Networks, pack: CardPack) -> tuple[CardReader, Identifier]:
    reader = CardReader(anatomy(), networks, limits=limits_of(PACK_RULES), pack=pack)
    return reader, Identifier(pack, reader.item_kinds, anatomy=anatomy())


def _names(
    reader: CardReader, identifier: Identifier, witnesses: Witnesses, shots: list[Photograph]
) -> dict[str, list[CardId | None]]:
    """What each witness makes of the same readings."""
    cuts = [CardCut(image=shot.card, kind=shot.facts.kind) for shot in shots if shot.facts is not None]
    names: dict[str, list[CardId | None]] = {way: [] for way in witnesses}
    for cut, read in zip(cuts, reader.read(cuts), strict=True):
        first = identifier.name(read.evidence)
        for way, witness in witnesses.items():
            also = {} if witness is None else witness.speak(cut.image, first)
            names[way].append(identifier.name(read.evidence, also=also)[0][0] if also else first[0][0])
    return names


def _pictures(shot: Shot, places: PlaceReader, standing: Sequence[Mark]) -> list[PlacePicture]:
    """Every place and pile for cards that is in view."""
    pose = pose_of(shot)
    bodies = Bodies({kind: shape.bulk() for kind, shape in load_table_art(KIT.folder).shapes.items()})
    zones = [
        zone
        for zone in KIT.bind(demo_pack()).layout.zones
        if zone.cards and zone.kind in (ZoneKind.CARD, ZoneKind.PILE) and pose.in_view(zone.rect)
    ]
    return [
        PlacePicture(
            zone=zone,
            picture=rectify(shot.image, pose, places.area(zone), places.pixels_per_unit),
            shades=bodies.shades_on(places.area(zone), standing, pose),
        )
        for zone in zones
    ]


def _lying(shot: Shot, shown: TableView, pictures: Sequence[PlacePicture]) -> list[Lying]:
    """The open cards that lie uppermost."""
    truths = {card.zone: card for card in shot.cards if card.top}
    found = []
    for picture in pictures:
        cards = shown[picture.zone.id].cards
        if cards and cards[-1].side is Side.UP and cards[-1].card is not None:
            truth = truths[picture.zone.id]
            found.append(
                Lying(
                    card=cards[-1].card,
                    picture=picture,
                    quad=pose_of(shot).unproject(np.array(truth.quad)),
                    covered=truth.visible < IN_VIEW,
                )
            )
    return found


def _read(
    shot: Shot, places: PlaceReader, pictures: Sequence[PlacePicture]
) -> Iterator[tuple[PlacePicture, Guess]]:
    """The likeliest guess for each place."""
    for picture, seen in zip(pictures, places.read(pictures, pose_of(shot)), strict=True):
        yield picture, seen[0].guesses[0]


if __name__ == "__main__":
    main("--quick" in sys.argv)
