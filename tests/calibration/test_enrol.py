"""A player's own cards: captured when calm and sharp, read into a form; twins are told, story cards wait."""

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from assistant.cli import app
from assistant.commands.enrol import LATER
from assistant.commands.form import corrected
from assistant.discover import default_game, kit_named
from calibration.enrol import Capture, CaptureWatch, Enrolment, Wait, twins
from tests.calibration.virtual import game
from tests.vision.scenes import card_picture
from vision.cards import CardFacts, CardField, CardId, CardKind, CardPack, ItemKind, Source, parse_items
from vision.frame import BgrImage, Frame
from vision.image import load_image
from vision.observation import CardReading, FieldReading, ItemReading
from vision.pack import format_pack, load_pack, parse_pack, save_pack
from vision.virtual.drawn import load_table_art
from vision.virtual.faces import card_face

FOLK = CardKind("townsfolk")


def held(card: BgrImage | None, *, blur: float = 0.0, glare: bool = False, small: bool = False) -> BgrImage:
    """A card on a plain dark table."""
    picture = np.full((720, 1280, 3), (52, 48, 40), np.uint8)
    if card is not None:
        height = 90 if small else 520
        width = round(height * 0.645)
        part = cv2.resize(card, (width, height), interpolation=cv2.INTER_AREA)
        picture[100 : 100 + height, 400 : 400 + width] = part
        if glare:
            cv2.ellipse(picture, (560, 300), (110, 60), 20, 0, 360, (255, 255, 255), -1)
    if blur:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
    noise = np.random.default_rng(1).integers(-2, 3, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def looks(watch: CaptureWatch, pictures: list[BgrImage], start: float = 0.0) -> list[Capture | Wait]:
    return [
        watch.look(Frame(index=k, captured_at=start + 0.15 * k, image=picture))
        for k, picture in enumerate(pictures)
    ]


def drawn_card(name: str) -> BgrImage:
    kit = kit_named(default_game())
    face = card_face(game().pack[CardId(name)], load_table_art(kit.folder).anatomy, height_px=800)
    white = np.full((*face.shape[:2], 3), 240, np.float32)
    alpha = face[..., 3:].astype(np.float32) / 255
    return np.asarray(face[..., :3] * alpha + white * (1 - alpha), np.uint8)


def folk() -> list[str]:
    return [card.id for card in game().pack.cards if card.kind == FOLK]


def test_a_card_is_taken_once_when_the_picture_is_calm() -> None:
    card = drawn_card(folk()[0])
    watch = CaptureWatch()
    seen = looks(watch, [held(None), *[held(card)] * 6])
    assert [look for look in seen if look is Wait.MOVING] != []
    taken = [look for look in seen if isinstance(look, Capture)]
    assert len(taken) == 1
    assert seen[-1] is Wait.TAKEN
    assert np.abs(np.array(taken[0].corners) - [(400, 100), (735, 100), (735, 620), (400, 620)]).max() < 6
    following = looks(watch, [held(drawn_card(folk()[1]))] * 6, start=5.0)
    assert sum(isinstance(look, Capture) for look in following) == 1


@pytest.mark.parametrize(
    ("picture", "wait"),
    [
        (held(None), Wait.NO_CARD),
        (held(card_picture(np.random.default_rng(3)), blur=9.0), Wait.BLUR),
        (held(card_picture(np.random.default_rng(3)), glare=True), Wait.GLARE),
    ],
    ids=lambda value: value.value if isinstance(value, Wait) else "",
)
def test_a_poor_picture_is_not_taken_and_says_why(picture: BgrImage, wait: Wait) -> None:
    def outlines(_image: BgrImage) -> list[tuple[tuple[tuple[float, float], ...], float]]:
        if wait is Wait.NO_CARD:
            return []
        return [(((400.0, 100.0), (735.0, 100.0), (735.0, 620.0), (400.0, 620.0)), 0.95)]

    assert looks(CaptureWatch(outlines=outlines), [picture] * 6)[-1] is wait


def reading(kind: str, red: str, p: float = 0.95) -> CardReading:
    items = tuple(ItemReading(kind=item.kind, count=1, number=None, p=p) for item in parse_items(red))
    return CardReading(
        kind=CardKind(kind),
        kind_p=0.99,
        fields=(FieldReading(name="red", items=items),),
        stone=3,
        stone_p=0.9,
    )


def enrolment(*cards: CardFacts) -> Enrolment:
    kit = kit_named(default_game())
    return Enrolment(rules=kit.pack_rules, pack=CardPack(game="yu", name="p", cards=cards), later=LATER)


def test_the_form_is_filled_in_and_one_tap_confirms_it() -> None:
    form = enrolment().form(reading("townsfolk", "wood"))
    assert form is not None
    assert form.facts.id == "townsfolk-1"
    assert not form.unsure
    confirmed = form.confirmed()
    assert confirmed.items("red") == parse_items("wood")
    assert confirmed.fields[0].source is Source.CONFIRMED


def test_what_is_in_doubt_is_named() -> None:
    form = enrolment().form(reading("townsfolk", "wood", p=0.4))
    assert form is not None
    assert form.unsure == ("red",)


def test_a_story_card_waits_until_it_comes_into_play() -> None:
    assert enrolment().form(reading("story", "wood")) is None


def test_progress_says_which_cards_are_missing() -> None:
    cards = [CardFacts(id=CardId(name), kind=FOLK) for name in ("a", "b", "c")]
    story = CardFacts(id=CardId("s"), kind=CardKind("story"))
    state = enrolment(*cards, story)
    state.take(cards[1], image="b.png")
    assert state.missing() == ("a", "c")
    assert state.progress() == (1, 3)
    assert state.result()[CardId("b")].image == "b.png"


def test_two_cards_that_cannot_be_told_apart_are_reported() -> None:
    def facts(name: str, red: str) -> CardFacts:
        field = CardField(name="red", items=parse_items(red), source=Source.READ)
        return CardFacts(id=CardId(name), kind=FOLK, fields=(field,), stone=0)

    pack = CardPack(game="yu", name="p", cards=(facts("a", "wood"), facts("b", "wood"), facts("c", "clay")))
    picture, other = (card_picture(np.random.default_rng(seed)) for seed in (1, 2))
    brighter = np.clip(picture * 1.1, 0, 255).astype(np.uint8)
    assert twins(pack, {}) == (("a", "b"),)
    assert twins(pack, {CardId("a"): picture, CardId("b"): brighter}) == (("a", "b"),)
    assert twins(pack, {CardId("a"): picture, CardId("b"): other}) == ()


@pytest.mark.parametrize(
    ("answer", "good"),
    [
        ("red = clay", True),
        ("stone = 12", True),
        ("id = Old Man", True),
        ("stone = -1", False),
        ("stone = ²", False),
        ("id = ../x", False),
        ("id = -", False),
        ("id =", False),
        ("purple = clay", False),
        ("red = CLAY!", False),
        ("red = wood cowrie", False),
        ("red = stone-age", False),
        ("brown = wood", True),
        ("stone = 99999999999999999999", False),
        ("red", False),
    ],
)
def test_a_correction_is_used_or_refused(answer: str, good: bool) -> None:
    """What is used can be read again: one wrong field would make the whole pack unreadable."""
    rules = kit_named(default_game()).pack_rules
    field = CardField(name="red", items=parse_items("wood"), source=Source.READ)
    changed = corrected(CardFacts(id=CardId("a"), kind=FOLK, fields=(field,)), answer, rules)
    assert isinstance(changed, CardFacts) is good
    if isinstance(changed, CardFacts):
        pack = CardPack(game="yu", name="p", cards=(changed,))
        assert parse_pack(format_pack(pack), rules).cards == (changed,)


def test_a_correction_that_cannot_be_printed_says_what_is_expected() -> None:
    facts = CardFacts(id=CardId("elder"), kind=FOLK)
    said = corrected(facts, "red = wood cowrie", kit_named(default_game()).pack_rules)
    assert isinstance(said, str)
    assert "red: expected 1 item, found 2" in said


def scanned(folder: Path, names: Iterable[str]) -> list[str]:
    """Scans of these cards, and the command that takes them in as they are read."""
    (folder / "scans").mkdir()
    for name in names:
        cv2.imwrite(str(folder / "scans" / f"{name}.png"), drawn_card(CardId(name)))
    return ["--language", "en", "enrol", str(folder / "own"), "--scans", str(folder / "scans"), "--yes"]


def test_a_folder_of_scans_becomes_a_pack_that_reads_as_printed(tmp_path: Path) -> None:
    names = folk()[:4]
    command = scanned(tmp_path, names)
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 0, run.output
    assert "is taken in: 4 of 4" in run.output
    pack = load_pack(tmp_path / "own", kit_named(default_game()).pack_rules)
    for name in names:
        got, printed = pack[CardId(name)], game().pack[CardId(name)]
        assert got.kind == printed.kind
        read = [got.items(field.name) == field.items for field in printed.fields if field.items is not None]
        assert sum(read) >= len(read) - 1, name


def test_what_the_pack_knows_of_a_card_stays_and_the_reading_fills_its_gaps() -> None:
    red = CardField(name="red", items=parse_items("clay"), source=Source.CONFIRMED)
    brown = CardField(name="brown", items=None, source=Source.ASSUMED)
    known = CardFacts(id=CardId("elder"), kind=FOLK, fields=(red, brown), copies=2, group="jade-1")
    read = CardReading(
        kind=FOLK,
        kind_p=0.99,
        fields=(
            FieldReading(
                name="red", items=(ItemReading(kind=ItemKind("wood"), count=1, number=None, p=0.4),)
            ),
            FieldReading(
                name="brown", items=(ItemReading(kind=ItemKind("cowrie"), count=1, number=None, p=0.9),)
            ),
        ),
        stone=3,
        stone_p=0.9,
    )
    form = enrolment(known).form(read, CardId("elder"))
    assert form is not None
    assert form.facts.items("red") == parse_items("clay")
    assert form.facts.items("brown") == parse_items("cowrie")
    assert (form.facts.stone, form.facts.copies, form.facts.group) == (3, 2, "jade-1")
    assert form.unsure == (), "a doubt about what is confirmed already is no question"


def test_a_field_that_was_only_read_before_is_read_anew() -> None:
    before = CardField(name="red", items=parse_items("clay"), source=Source.READ)
    known = CardFacts(id=CardId("elder"), kind=FOLK, fields=(before,), stone=1)
    form = enrolment(known).form(reading("townsfolk", "wood"), CardId("elder"))
    assert form is not None
    assert form.facts.items("red") == parse_items("wood")


def test_a_shown_card_is_one_of_the_pack_only_if_that_is_likelier_than_not() -> None:
    card = CardId("elder")
    state = enrolment(CardFacts(id=card, kind=FOLK))
    assert state.met(((card, 0.9), (None, 0.1))) == card
    assert state.met(((card, 0.4), (None, 0.35))) is None
    assert state.met(((None, 0.9), (card, 0.1))) is None
    assert state.met(()) is None


def test_cards_shown_one_after_the_other_are_found_in_the_pack_upside_down_too(tmp_path: Path) -> None:
    """A pack of another owner has facts but no pictures: what is shown gets the name that it has there."""
    own = tmp_path / "own"
    names = folk()[:3]
    known = tuple(game().pack[CardId(name)] for name in names)
    save_pack(CardPack(game="yu", name="own", cards=known), own)
    frames = tmp_path / "frames"
    frames.mkdir()
    first, second = drawn_card(names[0]), drawn_card(names[1])
    shown = [*[held(first)] * 14, held(None), *[held(second[::-1, ::-1])] * 14, held(None)]
    for number, picture in enumerate([*shown, *[held(first)] * 14]):
        cv2.imwrite(str(frames / f"{number:03}.jpg"), picture)
    command = ["--language", "en", "enrol", str(own), "--camera", str(frames), "--yes"]
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 0, run.output
    assert f"▱ {names[0]} is taken in: 1 of 3" in run.output
    assert f"▱ {names[1]} is taken in: 2 of 3" in run.output
    assert f"{names[0]} has a picture already" in run.output
    assert f"1 card of the pack was not shown: {names[2]}" in run.output
    pack = load_pack(own, kit_named(default_game()).pack_rules)
    assert [card.id for card in pack.cards] == names
    assert [card.image is not None for card in pack.cards] == [True, True, False]
    kept = load_image(own / f"{names[1]}.png")
    size = kept.shape[1::-1]
    way_up, turned = (
        cv2.resize(card, size, interpolation=cv2.INTER_AREA) for card in (second, second[::-1, ::-1])
    )
    assert cv2.absdiff(kept, way_up).mean() < 0.5 * cv2.absdiff(kept, turned).mean()
    for printed, got in zip(known, pack.cards, strict=True):
        assert got.fields == printed.fields


def test_a_story_card_among_the_scans_is_left_until_it_comes_into_play(tmp_path: Path) -> None:
    story = next(card.id for card in game().pack.cards if card.kind == "story")
    command = scanned(tmp_path, (folk()[0], story))
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 0, run.output
    assert "No card that can be read, a story card perhaps" in run.output
    rules = kit_named(default_game()).pack_rules
    assert [card.id for card in load_pack(tmp_path / "own", rules).cards] == [folk()[0]]
    run = CliRunner().invoke(app, [*command, "--story"])
    assert run.exit_code == 0, run.output
    assert load_pack(tmp_path / "own", rules)[CardId(story)].kind == "story"
