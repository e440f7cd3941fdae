"""Cards taken in on the page: a picture is read into a form, the player confirms, the pack is written."""

import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from assistant.kit import GameKit, Message
from assistant.refused import RefusedError
from calibration.enrol import CAPTURE_PX, Enrolment, Form, Wait, card_in, faced, is_sharp
from vision.cards import CardFacts, CardId, CardKind, CardPack
from vision.draw import save_picture
from vision.enrolled_kept import learn_all
from vision.frame import BgrImage
from vision.image import ImageLimits, decode_image, encode_jpeg
from vision.locate import cut_card
from vision.pack import format_pack, load_pack, parse_pack, save_pack
from vision.photo_eyes import NetworkEyes, network_eyes
from vision.second_look import read_with_care

LIMITS: Final = ImageLimits(most_bytes=6 * 2**20, most_pixels=26_000_000, fewest_side=60)
KEPT: Final = 6
"""Cards that were shown and wait for the player's word; older ones are forgotten."""
GUESSES: Final = 4
FEWEST: Final = 0.01
"""A card less likely than this is not offered."""
CARD_SHAPE: Final = 125 / 195
NEARLY: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draft:
    """One card that was shown: what was read off it, and which cards of the pack it may be."""

    number: int
    picture: BgrImage
    form: Form
    guesses: tuple[tuple[CardId, float], ...]
    sharp: bool
    """Its picture is good enough to know the card by."""


class CardsShown:
    """The player's pack, and the cards that are being taken into it. Any thread may ask."""

    def __init__(self, kit: GameKit, folder: Path) -> None:
        self._kit = kit
        self._folder = folder
        self._eyes: tuple[CardPack, NetworkEyes] | None = None
        self._lock = threading.Lock()
        self._drafts: dict[int, Draft] = {}
        self._shown = 0

    def look(self, picture: bytes, *, lying: tuple[CardKind, ...] = ()) -> Draft:
        """Reads the card in a picture; `lying`: it shows a place on the table for cards of these kinds."""
        with self._lock:
            pack, rules = self.pack(), self._kit.pack_rules
            eyes = self._eyes_for(pack)
            image = decode_image(picture, "the picture", LIMITS)
            card, kind = _lifted(image, eyes, lying) if lying else (faced(found(image), eyes.reader)[0], None)
            read = read_with_care(eyes.reader, card, kind)
            form = Enrolment(rules=rules, pack=pack).form(read.reading)
            assert form is not None
            named = [(one, p) for one, p in eyes.identifier.name(read.evidence) if one is not None]
            self._shown += 1
            draft = Draft(
                number=self._shown,
                picture=card,
                form=form,
                guesses=tuple((one, p) for one, p in named[:GUESSES] if p >= FEWEST),
                sharp=not lying or is_sharp(card),
            )
            self._drafts[draft.number] = draft
            self._drafts.pop(self._shown - KEPT, None)
            return draft

    def draft(self, number: int) -> Draft | None:
        return self._drafts.get(number)

    def take(self, draft: Draft, facts: CardFacts) -> CardFacts:
        """Writes the card as the player leaves it; refused by a `PackError` where it cannot be printed so."""
        with self._lock:
            pack = self.pack()
            known = facts.id in pack
            image = f"{facts.id}.png" if draft.sharp else pack[facts.id].image if known else None
            facts = replace(facts, image=image)
            cards = tuple(facts if card.id == facts.id else card for card in pack.cards)
            after = replace(pack, cards=cards if known else (*cards, facts))
            parse_pack(format_pack(after), self._kit.pack_rules)
            if draft.sharp:
                save_picture(self._folder / f"{facts.id}.png", draft.picture)
            save_pack(after, self._folder)
            learn_all(self._folder, {card.id: card.image for card in after.cards if card.image is not None})
            self._drafts.pop(draft.number, None)
            return facts

    def pack(self) -> CardPack:
        """As it is on disk now: another tablet or `floodwatch enrol` may have written to it."""
        return load_pack(self._folder, self._kit.pack_rules)

    def _eyes_for(self, pack: CardPack) -> NetworkEyes:
        if self._eyes is None or self._eyes[0] != pack:
            eyes = network_eyes(self._kit.folder / "anatomy.toml", self._kit.pack_rules, pack)
            self._eyes = (pack, eyes)
        return self._eyes[1]

    def jpeg(self, number: int) -> bytes | None:
        draft = self.draft(number)
        return None if draft is None else encode_jpeg(draft.picture)


def found(picture: BgrImage) -> BgrImage:
    """The card in a photograph, cut out; raises where there is none, and says what would help."""
    capture = card_in(picture)
    if not isinstance(capture, Wait):
        return capture.picture
    height, width = picture.shape[:2]
    if capture is Wait.NO_CARD and abs(width / height / CARD_SHAPE - 1) < NEARLY:
        return picture  # a scan: nothing but the card
    raise RefusedError(Message.of(f"enrol.wait.{capture.value}"))


def _turned(card: BgrImage) -> BgrImage:
    return np.ascontiguousarray(card[::-1, ::-1])


def _lifted(
    place: BgrImage, eyes: NetworkEyes, kinds: tuple[CardKind, ...]
) -> tuple[BgrImage, CardKind | None]:
    """The card out of the picture of its place, which may be a little larger than the card."""
    (look,) = eyes.reader.look([place])
    if look.empty > 0.5:
        raise RefusedError(Message.of(f"enrol.wait.{Wait.NO_CARD.value}"))
    height, width = place.shape[:2]
    card = cut_card(place, tuple((float(x) * width, float(y) * height) for x, y in look.corners), CAPTURE_PX)
    fronts = dict(look.fronts)
    kind = max(kinds, key=lambda kind: fronts.get(kind, 0.0))
    return (_turned(card) if look.upside_down > 0.5 else card), kind
