"""Packs on disk: a folder with `pack.toml`, read under the rules of a game, all problems told at once."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vision.cards import (
    CardFacts,
    CardField,
    CardId,
    CardKind,
    CardPack,
    Item,
    ItemKind,
    Source,
    format_items,
    parse_items,
)
from vision.errors import PackError
from vision.facts import Complaints, Found, Table, is_plain, listed, load_table, read_text

PACK_FILE = "pack.toml"
FORMAT = 1
UNKNOWN = "?"
LARGEST_STONE = 999
MOST_COPIES = 99

_PACK_KEYS = ("format", "game", "name", "source", "cards")
_CARD_KEYS = ("kind", "stone", "picture", "group", "copies", "image", "embedding", "source")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SLUG_WORDS = "lowercase letters, digits and hyphens, at most 64, such as 'elder-2'"
_IMAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}\.(?:png|jpg|jpeg|webp)")
_EMBEDDING = re.compile(r"e1:[A-Za-z0-9+/]{128}")
"""As `vision.embedding` writes it; a text is enough here, because games must not need numpy."""
_SOURCES = {source.value: source for source in Source}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRules:
    """What may be printed in one field of a card."""

    items: frozenset[ItemKind]
    fewest: int = 1
    most: int = 1
    required: bool = True
    """Every card of this kind has the field, so a pack that leaves it out has a gap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRules:
    """What one kind of card looks like."""

    fields: Mapping[str, FieldRules]
    groups: tuple[str, ...] = ()
    """The groups that cards of this kind are sorted into; empty where there are none."""
    stone: bool = True
    """A grey stone with a number is printed on these cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackRules:
    """What a game says about its cards. Given by the game, so that vision need not know any."""

    game: str
    kinds: Mapping[CardKind, KindRules]
    numbered: frozenset[ItemKind] = frozenset()
    """Items that always carry a number of their own, such as `turtle#42`."""

    def __post_init__(self) -> None:
        for kind, rules in self.kinds.items():
            for name in rules.fields:
                if name in _CARD_KEYS:
                    raise ValueError(f"field {name!r} of {kind!r} has the name of a key that every card has")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something printed on a card that nobody has told the pack yet."""

    card: CardId
    fact: str
    """The name of a field, or `stone`, or `group`."""


def load_pack(folder: Path, rules: PackRules | Callable[[object], PackRules]) -> CardPack:
    """Reads the pack in a folder. Raises PackError with every problem found.

    Where the game is not known before, `rules` gives those of the game that the pack names.
    """
    origin = str(folder / PACK_FILE)
    complaints = Complaints(origin)
    text = read_text(folder / PACK_FILE, complaints)
    if text is None:
        raise PackError(complaints.problems)
    return _PackReader(Complaints(origin, text), rules, folder).read(text)


def parse_pack(text: str, rules: PackRules, origin: str = PACK_FILE) -> CardPack:
    """Reads a pack from its text alone; pictures are not looked for."""
    return _PackReader(Complaints(origin, text), rules, None).read(text)


def save_pack(pack: CardPack, folder: Path) -> None:
    """Writes `pack.toml`, whole or not at all: a pack may hold an evening's enrolment."""
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{PACK_FILE}.new"
    unfinished.write_text(format_pack(pack), encoding="utf-8", newline="\n")
    unfinished.replace(folder / PACK_FILE)


def format_pack(pack: CardPack) -> str:
    """The text of a pack. Reading it again gives an equal pack."""
    head = f"format = {FORMAT}\ngame = {_quote(pack.game)}\nname = {_quote(pack.name)}\n"
    cards = "".join("\n" + _format_card(card) for card in pack.cards)
    return head + (cards or "\n[cards]\n")


def find_gaps(pack: CardPack, rules: PackRules) -> tuple[Gap, ...]:
    """What a complete pack would still have to say: the questions that enrolment may ask."""
    return tuple(
        Gap(card=card.id, fact=fact)
        for card in pack.cards
        if card.kind in rules.kinds
        for fact in _missing_facts(card, rules.kinds[card.kind])
    )


def _missing_facts(card: CardFacts, rules: KindRules) -> list[str]:
    known = {part.name for part in card.fields if part.items is not None}
    unread = {part.name for part in card.fields if part.items is None}
    facts = [n for n, rule in rules.fields.items() if n in unread or (rule.required and n not in known)]
    if rules.stone and card.stone is None:
        facts.append("stone")
    if rules.groups and card.group is None:
        facts.append("group")
    return facts


class _PackReader:
    """One reading of one pack: goes on after a problem, so that all of them can be told."""

    rules: PackRules

    def __init__(
        self,
        complaints: Complaints,
        rules: PackRules | Callable[[object], PackRules],
        folder: Path | None,
    ) -> None:
        self.complaints = complaints
        self._rules = rules
        self.folder = folder
        self.source: Source | None = None

    def read(self, text: str) -> CardPack:
        table = load_table(text, self.complaints)
        game = None if table is None else table.get("game")
        self.rules = self._rules if isinstance(self._rules, PackRules) else self._rules(game)
        pack = self._pack(table) if table is not None else None
        if pack is None or self.complaints.problems:
            raise PackError(self.complaints.problems)
        return pack

    def _pack(self, table: Table) -> CardPack | None:
        add = self.complaints.add
        self.complaints.refuse_unknown_keys("", table, _PACK_KEYS)
        if type(table.get("format")) is not int or table["format"] != FORMAT:
            add("format", str(FORMAT), table.get("format"), at=("format",))
        if table.get("game") != self.rules.game:
            add("game", f"'{self.rules.game}'", table.get("game"), at=("game",))
        name = table.get("name")
        if not isinstance(name, str) or not 0 < len(name) <= 80 or not is_plain(name):
            add("name", "a name of 1 to 80 plain characters", name, at=("name",))
        if "source" in table:
            self.source = self._one_source("source", table["source"], ("source",))
        cards = table.get("cards")
        if not isinstance(cards, dict):
            add("cards", "a table [cards.<id>] for each card", cards, at=("cards",))
            return None
        facts = tuple(self._card(card, value) for card, value in cards.items())
        return CardPack(game=self.rules.game, name=str(name), cards=facts)

    def _card(self, card: str, value: object) -> CardFacts:
        at = ("cards", card)
        where = f"card {card!r}" if len(card) <= 64 else f"card {card[:50]!r}…"
        if len(card) > 64 or not _SLUG.fullmatch(card):
            self.complaints.add(where, f"an id of {_SLUG_WORDS}", card, at=at)
        if not isinstance(value, dict):
            self.complaints.add(where, "a table", value, at=at)
            return CardFacts(id=CardId(card), kind=CardKind(""))
        reader = _CardReader(self, where, at, value)
        return reader.read(CardId(card))

    def _one_source(self, where: str, value: object, at: tuple[str, ...]) -> Source | None:
        if isinstance(value, str) and value in _SOURCES:
            return _SOURCES[value]
        self.complaints.add(where, f"one of {listed(_SOURCES)}", value, at=at, close=(_word(value), _SOURCES))
        return None


class _CardReader:
    """Reads the table of one card."""

    def __init__(self, pack: _PackReader, where: str, at: tuple[str, ...], table: Table) -> None:
        self.pack = pack
        self.where = where
        self.at = at
        self.table = table

    def read(self, card: CardId) -> CardFacts:
        kind, rules = self._kind()
        if rules is not None:
            known = (*_CARD_KEYS, *rules.fields)
            self.pack.complaints.refuse_unknown_keys(f"{self.where} ({kind})", self.table, known, self.at)
        return CardFacts(
            id=card,
            kind=kind,
            fields=self._fields(rules) if rules else (),
            stone=self._stone(rules),
            picture=self._picture(),
            group=self._group(rules),
            copies=self._copies(),
            image=self._image(),
            embedding=self._embedding(),
        )

    def _add(
        self, key: str, expected: str, found: object = None, close: tuple[str, Iterable[str]] | None = None
    ) -> None:
        found = self.table.get(key) if found is None else found
        where, at = f"{self.where}, {key}", (*self.at, key)
        self.pack.complaints.add(where, expected, found, at=at, close=close)

    def _kind(self) -> tuple[CardKind, KindRules | None]:
        kind = self.table.get("kind")
        kinds = self.pack.rules.kinds
        if isinstance(kind, str) and kind in kinds:
            return CardKind(kind), kinds[CardKind(kind)]
        self._add("kind", f"one of {listed(kinds)}", close=(_word(kind), kinds))
        return CardKind(""), None

    def _fields(self, rules: KindRules) -> tuple[CardField, ...]:
        names = [name for name in self.table if name in rules.fields]
        sources = self._sources(names)
        return tuple(
            CardField(name=name, items=self._items(name, rules.fields[name]), source=sources[name])
            for name in names
        )

    def _sources(self, names: list[str]) -> dict[str, Source]:
        """The source of each field: its own, the card's or the pack's."""
        given = self.table.get("source")
        if isinstance(given, dict):
            where, at = f"{self.where}, source", (*self.at, "source")
            self.pack.complaints.refuse_unknown_keys(where, given, tuple(names), at)
            own = {name: self.pack._one_source(where, given[name], at) for name in names if name in given}
        elif given is not None:
            one = self.pack._one_source(f"{self.where}, source", given, (*self.at, "source"))
            own = dict.fromkeys(names, one)
        else:
            own = {}
        orphans = [name for name in names if name not in own]
        if orphans and self.pack.source is None:
            expected = f"how {listed(orphans)} is known, one of {listed(_SOURCES)}"
            self._add("source", expected, found=Found("no source here nor for the whole pack"))
        return {name: own.get(name) or self.pack.source or Source.ASSUMED for name in names}

    def _items(self, name: str, rules: FieldRules) -> tuple[Item, ...] | None:
        text = self.table[name]
        if text == UNKNOWN:
            return None
        if not isinstance(text, str):
            self._add(name, f"items in quotes, or '{UNKNOWN}' where they are not known")
            return None
        try:
            items = parse_items(text)
        except ValueError as error:
            expected, _, found = str(error).removeprefix("expected ").rpartition(", found ")
            self._add(name, expected, found=Found(found[:60]))
            return None
        self._check_items(name, items, rules)
        return items

    def _check_items(self, name: str, items: tuple[Item, ...], rules: FieldRules) -> None:
        if not rules.fewest <= len(items) <= rules.most:
            few, most = rules.fewest, rules.most
            expected = f"{few} item{'s' * (few != 1)}" if few == most else f"{few} to {most} items"
            self._add(name, expected, found=Found(f"{len(items)}"))
        for item in items:
            numbered = item.kind in self.pack.rules.numbered
            if item.kind not in rules.items:
                known = sorted(rules.items)
                self._add(name, f"items of {listed(known)}", str(item), (item.kind, known))
            elif numbered and (item.number is None or item.count != 1):
                self._add(name, f"one {item.kind} with its number, such as '{item.kind}#42'", found=str(item))
            elif item.count < 1 or (item.number is not None and not numbered):
                self._add(name, f"'{item.kind}' or '{item.kind}+2'", found=str(item))

    def _number(self, key: str, least: int, most: int) -> int | None:
        value = self.table.get(key)
        if type(value) is int and least <= value <= most:
            return value
        self._add(key, f"a whole number from {least} to {most}")
        return None

    def _stone(self, rules: KindRules | None) -> int | None:
        if "stone" not in self.table:
            return None
        if rules is not None and not rules.stone:
            self._add("stone", "no stone on a card of this kind")
        return self._number("stone", 0, LARGEST_STONE)

    def _copies(self) -> int:
        return (self._number("copies", 1, MOST_COPIES) or 1) if "copies" in self.table else 1

    def _picture(self) -> str | None:
        picture = self.table.get("picture")
        if picture is None:
            return None
        if isinstance(picture, str) and len(picture) <= 64 and _SLUG.fullmatch(picture):
            return picture
        self._add("picture", f"a name of {_SLUG_WORDS}")
        return None

    def _group(self, rules: KindRules | None) -> str | None:
        group = self.table.get("group")
        if group is None or rules is None:
            return None
        if isinstance(group, str) and group in rules.groups:
            return group
        expected = f"one of {listed(rules.groups)}" if rules.groups else "no group on a card of this kind"
        self._add("group", expected, close=(_word(group), rules.groups))
        return None

    def _image(self) -> str | None:
        """Only a plain file name: a pack from a stranger must not reach outside its own folder."""
        image = self.table.get("image")
        if image is None:
            return None
        if not isinstance(image, str) or not _IMAGE.fullmatch(image):
            self._add("image", "the name alone of a png, jpg or webp file, such as 'elder.png'")
            return None
        folder = self.pack.folder
        if folder is not None:
            place = folder / image
            strays = place.is_symlink() and place.resolve().parent != folder.resolve()
            if strays or not place.is_file():
                self._add("image", "a file in the pack's folder", found=Found(f"none named '{image}' there"))
        return image

    def _embedding(self) -> str | None:
        text = self.table.get("embedding")
        if text is None or (isinstance(text, str) and _EMBEDDING.fullmatch(text)):
            return text
        self._add("embedding", "'e1:' and 128 letters, as floodwatch pack export writes it")
        return None


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _format_card(card: CardFacts) -> str:
    lines = [f"[cards.{card.id}]", f"kind = {_quote(card.kind)}"]
    for part in card.fields:
        text = UNKNOWN if part.items is None else format_items(part.items)
        lines.append(f"{part.name} = {_quote(text)}")
    if card.stone is not None:
        lines.append(f"stone = {card.stone}")
    texts = (
        ("picture", card.picture),
        ("group", card.group),
        ("image", card.image),
        ("embedding", card.embedding),
    )
    lines += [f"{key} = {_quote(text)}" for key, text in texts if text is not None]
    if card.copies != 1:
        lines.append(f"copies = {card.copies}")
    sources = [part.source for part in card.fields]
    if len(set(sources)) == 1:
        lines.append(f"source = {_quote(sources[0].value)}")
    elif sources:
        pairs = ", ".join(f"{part.name} = {_quote(part.source.value)}" for part in card.fields)
        lines.append(f"source = {{ {pairs} }}")
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda match: f"\\u{ord(match[0]):04x}", escaped) + '"'
