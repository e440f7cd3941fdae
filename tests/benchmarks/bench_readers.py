"""How well cards are read: on virtual cards of styles held out from training, and on photographs of the game.

Beside each network stands the simple baseline: correlation with our own drawings.
"""

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from assistant.games.yu import KIT
from assistant.games.yu.pack import PACK_RULES, demo_pack
from models.photographs import (
    COUNTED,
    ITEM_KINDS,
    Photograph,
    Rng,
    anatomy,
    any_style,
    draw_card,
    draw_collage,
    invent_facts,
    photograph,
)
from tests.benchmarks.baselines import CardTemplates, ItemTemplates, NumberTemplates
from tests.benchmarks.report import Report
from tests.vision.fans import drawn_fan, fan_score, turned
from tests.vision.photo_truth import (
    BOARD_CORNERS,
    FOUR_CARDS,
    SETUP,
    SETUP_ZONES,
    TrueCard,
    cut_out,
    four_cards,
    setup_cards,
)
from tests.vision.scoring import items_right
from vision.cards import CardFacts, CardId, CardKind
from vision.cuts import NUMBER_ZOOMS, cut_number, cut_window
from vision.fields import limits_of
from vision.frame import BgrImage
from vision.identify import Identifier
from vision.image import load_image
from vision.networks import Networks
from vision.numbers import read_numbers
from vision.photo import read_photo
from vision.photo_eyes import NetworkEyes, network_eyes, read_zones
from vision.pose import Lens
from vision.read import CardReader
from vision.reader import CardCut, ReadCard
from vision.register import register_corners
from vision.second_look import named_with_care

ANATOMY = KIT.folder / "anatomy.toml"
KINDS = tuple(CardKind(kind) for kind in ("townsfolk", "barbarian", "canal"))
PRINTS = 3
"""How many held-out prints of the whole pack are photographed."""
STRANGERS = 400
COLLAGES = 16
FANS = range(1000, 1024)
"""Seeds of drawn fans; those below were looked at while they were learnt to be read."""
TURNS = (90, 180, 270, 20, -25, 37, 120)
LARGE_PX = 235
"""From this height of a card on, the digits of its stone are about ten pixels high."""


def main(prints: int = PRINTS) -> None:
    cv2.setNumThreads(1)
    networks = Networks()
    reader = CardReader(anatomy(), networks, limits=limits_of(PACK_RULES), pack=demo_pack())
    report = Report(
        "readers", "Reading cards: styles held out from training, and photographs of the real game"
    )
    measure_cards(report, reader, prints)
    measure_numbers(report, networks)
    measure_photographs(report, reader)
    measure_speed(report, reader)
    report.note(
        "Virtual cards are drawn in styles held out from training and seen by a webcam, 150 to 270 pixels "
        "high, "
        "their corners known to about 1 %. Baselines are correlations with our own drawings."
    )
    report.write()


# --- virtual cards -----------------------------------------------------------------------------------


def pack_shots(rng: Rng, prints: int) -> Iterator[Photograph]:
    """Every card of the demo pack that can lie in a slot, in several prints."""
    for _ in range(prints):
        for card in demo_pack().cards:
            if card.kind in KINDS:
                yield photograph(
                    rng, draw_card(card, any_style(rng, held_out=True)), gentle=True, jitter=0.008
                )


def measure_cards(report: Report, reader: CardReader, prints: int) -> None:
    rng = np.random.default_rng(2024)
    identifier = Identifier(demo_pack(), reader.item_kinds)
    cards, items = CardTemplates(demo_pack()), ItemTemplates()
    right = total = named = base_named = base_items = windows = known = counts = counted = 0
    stones: list[tuple[bool, bool]] = []
    shots = list(pack_shots(rng, prints))
    reads = _read(reader, shots)
    for shot, read, name in zip(shots, reads, _names(reader, identifier, shots, reads), strict=True):
        facts = _facts(shot)
        truth = {field.name: field.items or () for field in facts.fields}
        some, many = items_right(read.reading, truth)
        right, total = right + some, total + many
        named += name == facts.id
        known += name is not None and name != facts.id
        stones.append((_is_large(shot), read.reading.stone == facts.stone))
        some, many = counts_right(read, facts)
        counts, counted = counts + some, counted + many
        base_named += cards.read(shot.card, facts.kind) == facts.id
        for symbol in shot.symbols:
            if symbol.kind in ITEM_KINDS:
                found = items.read(cut_window(shot.card, symbol.x, symbol.y, symbol.size))
                base_items += found.kind == symbol.kind and (
                    symbol.kind not in COUNTED or found.count == symbol.count
                )
                windows += 1
    count = len(shots)
    report.row("items right, %", 100 * right / total)
    report.row("printed +n right where the item was seen, %", 100 * counts / max(1, counted))
    report.row("items right with template match (places given), %", 100 * base_items / windows)
    report.row("card identified in its slot, %", 100 * named / count, bar=99.5)
    report.row("card identified with 16×20 colour correlation, %", 100 * base_named / count)
    report.row("card called another card, %", 100 * known / count)
    large = [right for is_large, right in stones if is_large]
    report.row(
        "stones of pack cards, digits about 10 pixels high, right, %", 100 * float(np.mean(large)), bar=99
    )
    report.row(
        "stones of pack cards, digits 6 to 10 pixels high, right, %",
        100 * float(np.mean([r for _, r in stones])),
    )
    report.row(
        "unknown card called known, %", 100 * _strangers_named(reader, identifier, rng), bar=0.5, at_most=True
    )
    report.row("kind of card and side right, %", 100 * _kinds_right(reader, shots))


def _is_large(shot: Photograph) -> bool:
    """Seen so high that the digits of its stone are about ten pixels high."""
    sides = np.hypot(*(shot.quad[[3, 2]] - shot.quad[[0, 1]]).T)
    return float(sides.mean()) >= LARGE_PX


def counts_right(read: ReadCard, facts: CardFacts) -> tuple[int, int]:
    """Of items with a +n that were seen in their field, how many have the printed count."""
    right = total = 0
    for field in read.reading.fields:
        printed = {item.kind: item.count for item in facts.items(field.name) or () if item.kind in COUNTED}
        seen = [item for item in field.items if item.kind in printed]
        right += sum(item.count == printed[item.kind] for item in seen)
        total += len(seen)
    return right, total


def _strangers_named(reader: CardReader, identifier: Identifier, rng: Rng) -> float:
    """Cards that nobody enrolled, with random items; one that is like a card of the pack is left out."""
    contents = {(card.kind, card.fields) for card in demo_pack().cards}
    shots = []
    for _ in range(STRANGERS):
        facts = invent_facts(rng, str(rng.choice(KINDS)))
        if (facts.kind, facts.fields) not in contents:
            shots.append(
                photograph(rng, draw_card(facts, any_style(rng, held_out=True)), gentle=True, jitter=0.008)
            )
    names = _names(reader, identifier, shots, _read(reader, shots))
    return sum(name is not None for name in names) / len(shots)


def _kinds_right(reader: CardReader, shots: list[Photograph]) -> float:
    looks = reader.look([shot.card for shot in shots])
    right = [
        look.front()[0] == _facts(shot).kind and look.front()[1] > 0.5 and look.upside_down < 0.5
        for look, shot in zip(looks, shots, strict=True)
    ]
    return float(np.mean(right))


def measure_numbers(report: Report, networks: Networks) -> None:
    """All numbers from 0 to 199, on stones and turtles of any look: as large as the bar has it, and all."""
    right, base, total = _numbers_right(networks, np.random.default_rng(2025), least_px=LARGE_PX)
    report.row("numbers 0–199, digits about 10 pixels high, right, %", 100 * right / total, bar=99)
    report.row("the same with template match, %", 100 * base / total)
    right, base, total = _numbers_right(networks, np.random.default_rng(2026), least_px=150)
    report.row("numbers 0–199, digits 6 to 10 pixels high, right, %", 100 * right / total)


def _numbers_right(networks: Networks, rng: Rng, least_px: float) -> tuple[int, int, int]:
    """How many numbers are read right, how many with templates, of how many."""
    templates = NumberTemplates()
    right = base = total = 0
    for _ in range(COLLAGES):
        style = any_style(rng, held_out=True)
        sheet = draw_collage(rng, style, numbers=True, held_out=True)
        shot = photograph(rng, sheet, gentle=True, least_px=least_px)
        for symbol in shot.symbols:
            if symbol.number is None:
                continue
            place = (shot.card, symbol.x, symbol.y, symbol.size * NUMBER_ZOOMS[symbol.kind])
            right += symbol.number == int(read_numbers(networks, [place])[0].argmax())
            base += symbol.number == templates.read(cut_number(*place))
            total += 1
    return right, base, total


def _read(reader: CardReader, shots: list[Photograph]) -> list[ReadCard]:
    reads: list[ReadCard] = []
    for start in range(0, len(shots), 16):
        part = shots[start : start + 16]
        reads += reader.read([CardCut(image=shot.card, kind=_facts(shot).kind) for shot in part])
    return reads


def _names(
    reader: CardReader, identifier: Identifier, shots: list[Photograph], reads: list[ReadCard]
) -> list[CardId | None]:
    """As the eye names them: what is in doubt is looked at again."""
    cuts = [CardCut(image=shot.card, kind=_facts(shot).kind) for shot in shots]
    return [named[0][0] for named in named_with_care(reader, identifier, cuts, reads)]


def _facts(shot: Photograph) -> CardFacts:
    assert shot.facts is not None, "only cards are measured here"
    return shot.facts


# --- photographs -------------------------------------------------------------------------------------


def measure_photographs(report: Report, reader: CardReader) -> None:
    eyes = network_eyes(ANATOMY, PACK_RULES, demo_pack())
    drawn = (drawn_fan(seed, demo_pack()) for seed in FANS)
    report.row(
        f"{len(FANS)} drawn fans of three to five cards: items of banners right, %", _fans_right(eyes, drawn)
    )
    if not SETUP.exists() or not FOUR_CARDS.exists():
        report.note("The photographs of the game are not here: not measured.")
        return
    cards = setup_cards()
    right, total, stones, named = _photographed(SETUP, cards, reader)
    report.row("setup-done: items right, %", 100 * right / total, bar=90.0)
    report.note(f"setup-done: {right} of {total} items.")
    report.row(f"setup-done: stones right of {len(cards)}", stones, bar=len(cards))
    report.row(f"setup-done: cards named right of {len(cards)}", named)
    right, total, stones = _on_the_table(cards, eyes)
    report.row(
        "setup-done as `floodwatch read --corners` reads it: items right, %", 100 * right / total, bar=90
    )
    report.row(f"… stones right of {len(cards)}", stones, bar=len(cards))
    fanned, truth = load_image(FOUR_CARDS), four_cards()
    right, total = fan_score(read_photo(fanned, eyes=eyes), truth)
    report.row(
        "townsfolk-cards as `floodwatch read` finds them: items right, %", 100 * right / total, bar=100
    )
    report.row(
        f"the same turned by {', '.join(map(str, TURNS))} degrees: items right, %",
        _fans_right(eyes, [turned(fanned, truth, degrees) for degrees in TURNS]),
    )
    by_hand, of, _, _ = _photographed(FOUR_CARDS, four_cards(), reader)
    report.row("townsfolk-cards cut out by hand, hidden corners guessed: items right, %", 100 * by_hand / of)
    report.note(
        f"townsfolk-cards: {right} of {total} items of the front card and of three banners where the program "
        f"finds the cards, {by_hand} of {of} where they are cut out by hand."
    )


def _fans_right(eyes: NetworkEyes, photos: Iterable[tuple[BgrImage, tuple[TrueCard, ...]]]) -> float:
    """The share of all items, in percent."""
    scores = [fan_score(read_photo(image, eyes=eyes), truth) for image, truth in photos]
    return 100 * sum(right for right, _ in scores) / sum(total for _, total in scores)


def _on_the_table(cards: tuple[TrueCard, ...], eyes: NetworkEyes) -> tuple[int, int, int]:
    """The same of that command, which is told the corners of the board: items right, of how many, stones."""
    image = load_image(SETUP)
    layout = KIT.bind(demo_pack()).layout
    lens = Lens(width=image.shape[1], height=image.shape[0])
    pose = register_corners(np.array(BOARD_CORNERS), layout.board, lens).pose
    assert pose is not None
    zones = read_zones(image, pose, layout, eyes)
    seen = {zone.zone: zone.cards[0].reading for zone in zones if zone.zone in SETUP_ZONES}
    right = total = stones = 0
    for zone, card in zip(SETUP_ZONES, cards, strict=True):
        reading = seen[zone]
        if reading is None:
            total += sum(len(items) for items in card.fields.values())
            continue
        some, many = items_right(reading, card.fields)
        right, total, stones = right + some, total + many, stones + (reading.stone == card.stone)
    return right, total, stones


def _photographed(path: Path, cards: tuple[TrueCard, ...], reader: CardReader) -> tuple[int, int, int, int]:
    image = load_image(path)
    reads = reader.read([CardCut(image=cut_out(image, card.quad), kind=card.kind) for card in cards])
    identifier = Identifier(demo_pack(), reader.item_kinds)
    right = total = stones = named = 0
    for card, read in zip(cards, reads, strict=True):
        some, many = items_right(read.reading, card.fields)
        right, total = right + some, total + many
        stones += card.stone is not None and read.reading.stone == card.stone
        best, _ = identifier.name(read.evidence)[0]
        if best is not None:
            facts = demo_pack()[best]
            named += all(facts.items(name) == items for name, items in card.fields.items())
    return right, total, stones, named


def measure_speed(report: Report, reader: CardReader) -> None:
    """Seven cards of the row and six canals at once."""
    rng = np.random.default_rng(3)
    kinds = [KINDS[0]] * 6 + [KINDS[1]] + [KINDS[2]] * 6
    cuts = [
        CardCut(
            image=photograph(rng, draw_card(invent_facts(rng, kind), any_style(rng)), gentle=True).card,
            kind=kind,
        )
        for kind in kinds
    ]
    spent = []
    for _ in range(12):
        begun = time.process_time()
        reader.look([cut.image for cut in cuts])
        reader.read(cuts)
        spent.append(time.process_time() - begun)
    report.row(
        "13 cards looked at and read, ms on one core", 1000 * float(np.median(spent)), bar=60, at_most=True
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
