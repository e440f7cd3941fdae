"""Makes a pack from a folder with one picture for each card: the file's name becomes the card's id."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from vision.cards import CardFacts, CardField, CardId, CardKind, CardPack, Item, Source
from vision.enrolled_kept import learn_all
from vision.errors import PackError
from vision.frame import BgrImage
from vision.image import ImageError, load_image
from vision.observation import CardReading
from vision.pack import PACK_FILE, KindRules, PackRules, save_pack

CARD = CardKind("card")
"""The kind of all cards of a game that Floodwatch does not know."""
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
LEAST_WIDTH = 80
"""Pixels: a smaller picture of a card shows too little to find it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardImage:
    id: CardId
    path: Path


def rules_of_any_game(game: str) -> PackRules:
    """For a game without rules of ours: cards have pictures, and nothing on them is read."""
    return PackRules(game=game, kinds={CARD: KindRules(fields={}, stone=False)})


def card_images(folder: Path) -> tuple[CardImage, ...]:
    """The pictures of a folder with the ids they give. Raises PackError with every problem found."""
    if not folder.is_dir():
        raise PackError((f"{folder}: expected a folder with one picture for each card, found none",))
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())
    problems: list[str] = []
    found: dict[CardId, CardImage] = {}
    for path in files:
        card = _id_of(path.stem)
        if card is None:
            problems.append(f"{path.name}: expected a name with letters or digits, it becomes the card's id")
        elif card in found:
            problems.append(f"{path.name}: gives the same id {card!r} as {found[card].path.name}: rename one")
        else:
            problems += _problems_of(path)
            found[card] = CardImage(id=card, path=path)
    if not files:
        problems.append(f"{folder}: expected pictures ({', '.join(SUFFIXES)}), found none")
    if problems:
        raise PackError(tuple(problems))
    return tuple(found.values())


def pictures_of(folder: Path, pack: CardPack) -> dict[CardId, BgrImage]:
    """The pictures of a pack's cards; a card whose picture is gone is known by its facts alone."""
    pictures = {}
    for card in pack.cards:
        if card.image is not None and (folder / card.image).is_file():
            pictures[card.id] = load_image(folder / card.image)
    return pictures


def new_pack(
    folder: Path, images: tuple[CardImage, ...], *, game: str, name: str, facts: dict[CardId, CardFacts]
) -> CardPack:
    """Writes the pack with its pictures and their features; `facts` holds what is known of some cards."""
    if (folder / PACK_FILE).exists():
        raise PackError((f"{folder / PACK_FILE} exists already: choose another folder, or remove it first",))
    folder.mkdir(parents=True, exist_ok=True)
    cards = []
    for image in images:
        copy = f"{image.id}{image.path.suffix.lower()}"
        if (folder / copy).resolve() != image.path.resolve():
            shutil.copyfile(image.path, folder / copy)
        known = facts.get(image.id, CardFacts(id=image.id, kind=CARD))
        cards.append(
            CardFacts(id=image.id, kind=known.kind, fields=known.fields, stone=known.stone, image=copy)
        )
    pack = CardPack(game=game, name=name, cards=tuple(cards))
    learn_all(folder, {card.id: card.image for card in pack.cards if card.image is not None})
    save_pack(pack, folder)
    return pack


def facts_of(card: CardId, reading: CardReading, rules: PackRules) -> CardFacts:
    """What was read, as facts of a pack; what the rules do not allow is left to be asked."""
    kind = reading.kind or CARD
    known = rules.kinds.get(kind)
    if known is None:
        return CardFacts(id=card, kind=kind)
    fields = []
    for part in reading.fields:
        allowed = known.fields.get(part.name)
        if allowed is None:
            continue
        items = tuple(Item(item.kind, item.count, item.number) for item in part.items)
        fits = allowed.fewest <= len(items) <= allowed.most and all(i.kind in allowed.items for i in items)
        fields.append(CardField(name=part.name, items=items if fits else None, source=Source.READ))
    stone = reading.stone if known.stone and reading.stone_p > 0.5 else None
    return CardFacts(id=card, kind=kind, fields=tuple(fields), stone=stone)


def _id_of(stem: str) -> CardId | None:
    words = re.findall(r"[a-z0-9]+", stem.lower())
    slug = "-".join(words)[:64].strip("-")
    return CardId(slug) if slug else None


def _problems_of(path: Path) -> list[str]:
    try:
        width = load_image(path).shape[1]
    except ImageError as problem:
        return [str(problem)]
    if width < LEAST_WIDTH:
        return [f"{path.name}: expected a card at least {LEAST_WIDTH} pixels wide, found {width}"]
    return []
