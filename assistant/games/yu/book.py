"""The demo's story book: numbered entries in our own words, each with effects that an engine can follow."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from assistant.errors import FloodwatchError
from assistant.games.yu.pack import DEMO_FOLDER, FOODS, GAINS, PIECES, STORY, TURTLE, demo_pack
from vision.cards import CardId, CardPack, Item, ItemKind, parse_items
from vision.facts import Complaints, Found, Table, is_plain, listed, load_table, read_text

BOOK_FILE: Final = "book.toml"
FORMAT: Final = 1
LANGUAGES: Final = ("en", "fr")
PLACES: Final = (
    "ready",
    "exhausted",
    "hand",
    "draw",
    "discard",
    "barbarian-draw",
    "barbarian-discard",
    "box",
    "history",
    "story",
)
MOST_EFFECTS: Final = 6
LONGEST_TEXT: Final = 600

_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
_SHAPES: Final = {
    "gain": "gain ITEM, such as 'gain cowrie+2'",
    "lose": "lose PIECE, such as 'lose wood'",
    "move": "move CARD FROM TO, such as 'move elder-any-any story draw'",
    "play": "play STONE game|stays, such as 'play 60 game'",
    "drop": "drop STONE, such as 'drop 60'",
    "food": "food FOOD ITEMS, such as 'food fish cowrie'",
}


class BookError(FloodwatchError):
    """A story book that cannot be used; carries every problem found."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a Gold Turtle with this number says (Y-S2)."""

    number: int
    texts: tuple[tuple[str, str], ...]
    """Language and text, in the order of LANGUAGES."""
    effects: tuple[str, ...]

    def text(self, language: str) -> str:
        """The text in this language, or in the first one where it is missing."""
        return dict(self.texts).get(language, self.texts[0][1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    name: str
    entries: tuple[Entry, ...]
    """In ascending order of their numbers."""

    def entry(self, number: int) -> Entry | None:
        return next((entry for entry in self.entries if entry.number == number), None)


@dataclass(frozen=True, slots=True)
class EffectProblem:
    """What was expected of an effect; `close` is a word that is not known and those that are."""

    expected: str
    close: tuple[str, tuple[str, ...]] | None = None


def load_book(path: Path, pack: CardPack) -> Book:
    """Reads a book whose effects speak of the cards of this pack. Raises BookError with every problem."""
    complaints = Complaints(str(path))
    text = read_text(path, complaints)
    if text is None:
        raise BookError(complaints.problems)
    return parse_book(text, pack, str(path))


def parse_book(text: str, pack: CardPack, origin: str = BOOK_FILE) -> Book:
    complaints = Complaints(origin, text)
    table = load_table(text, complaints)
    book = _read_book(table, pack, complaints) if table is not None else None
    if book is None or complaints.problems:
        raise BookError(complaints.problems)
    return book


@cache
def demo_book() -> Book:
    """The book that ships, all of it invented."""
    return load_book(DEMO_FOLDER / BOOK_FILE, demo_pack())


def turtle_numbers(pack: CardPack) -> frozenset[int]:
    """Every entry that a card of this pack can ask for."""
    return frozenset(
        item.number
        for card in pack.cards
        for part in card.fields
        for item in part.items or ()
        if item.number is not None
    )


def effect_problem(effect: str, pack: CardPack) -> EffectProblem | None:
    """What is wrong with an effect as it is written; None where nothing is."""
    verb, *words = effect.split(" ")
    if verb not in _SHAPES:
        return EffectProblem(f"one of {listed(_SHAPES)}", (verb, tuple(_SHAPES)))
    match verb, words:
        case "gain", [item]:
            return _item_problem(item, GAINS | TURTLE)
        case "lose", [item]:
            return _item_problem(item, PIECES)
        case "move", [card, start, end]:
            return _move_problem(card, start, end, pack)
        case "play", [stone, ("game" | "stays")]:
            return _stone_problem(stone, pack)
        case "drop", [stone]:
            return _stone_problem(stone, pack)
        case "food", [food, *items] if items:
            bad = next((problem for item in items if (problem := _item_problem(item, GAINS))), None)
            return _word_problem(food, FOODS) or bad
    return EffectProblem(_SHAPES[verb])


def _item_problem(word: str, kinds: frozenset[ItemKind]) -> EffectProblem | None:
    try:
        items = parse_items(word)
    except ValueError:
        items = ()
    match items:
        case (Item(kind=kind, count=count, number=number),) if count >= 1:
            if (number is not None) == (kind in TURTLE) and (number is None or count == 1):
                return _word_problem(kind, kinds)
    return EffectProblem(f"an item such as 'cowrie+2' instead of '{word[:40]}'")


def _word_problem(word: str, known: Iterable[str]) -> EffectProblem | None:
    if word in (known := tuple(sorted(known))):
        return None
    return EffectProblem(f"one of {listed(known)} instead of '{word[:40]}'", (word, known))


def _move_problem(card: str, start: str, end: str, pack: CardPack) -> EffectProblem | None:
    if CardId(card) not in pack:
        ids = tuple(facts.id for facts in pack.cards)
        return EffectProblem(f"a card of the pack instead of '{card[:64]}'", (card, ids))
    if start == end:
        return EffectProblem("two different places")
    return _word_problem(start, PLACES) or _word_problem(end, PLACES)


def _stone_problem(stone: str, pack: CardPack) -> EffectProblem | None:
    stones = [str(card.stone) for card in pack.of_kind(STORY) if card.stone is not None]
    if stones.count(stone) == 1:
        return None
    return EffectProblem(f"the stone of one story card instead of '{stone[:40]}'")


def _read_book(table: Table, pack: CardPack, complaints: Complaints) -> Book | None:
    complaints.refuse_unknown_keys("", table, ("format", "game", "name", "entries"))
    if type(table.get("format")) is not int or table["format"] != FORMAT:
        complaints.add("format", str(FORMAT), table.get("format"), at=("format",))
    if table.get("game") != pack.game:
        complaints.add("game", f"'{pack.game}'", table.get("game"), at=("game",))
    name = _read_text("name", table.get("name"), 80, ("name",), complaints)
    entries = table.get("entries")
    if not isinstance(entries, dict):
        complaints.add("entries", "a table [entries.<number>] for each entry", entries, at=("entries",))
        return None
    read = [_read_entry(number, value, pack, complaints) for number, value in entries.items()]
    book = Book(name=name, entries=tuple(sorted((e for e in read if e), key=lambda entry: entry.number)))
    _check_references(book, complaints)
    return book


def _check_references(book: Book, complaints: Complaints) -> None:
    """An entry may open another one that exists, and none may come back to itself: reading must end."""
    leads = {entry.number: _opened(entry) for entry in book.entries}
    for entry in book.entries:
        where, at = f"entry {entry.number}, effects", ("entries", str(entry.number), "effects")
        for number in sorted(leads[entry.number] - leads.keys()):
            complaints.add(where, "an entry of this book", Found(f"'turtle#{number}'"), at=at)
        reached, ahead = set[int](), set(leads[entry.number])
        while ahead:
            reached |= ahead
            ahead = {last for number in ahead for last in leads.get(number, ())} - reached
        if entry.number in reached:
            complaints.add(where, "turtles that end somewhere", Found("a way back to this entry"), at=at)


def _opened(entry: Entry) -> frozenset[int]:
    words = [word for effect in entry.effects for word in effect.split() if word.startswith("turtle#")]
    return frozenset(int(number) for word in words if (number := word.partition("#")[2]).isdecimal())


def _read_entry(number: str, value: object, pack: CardPack, complaints: Complaints) -> Entry | None:
    at = ("entries", number)
    where = f"entry {number[:40]}"
    if not _NUMBER.fullmatch(number):
        complaints.add("entries", "a number from 1 to 999", number, at=at)
        return None
    if not isinstance(value, dict):
        complaints.add(where, "a table", value, at=at)
        return None
    complaints.refuse_unknown_keys(where, value, (*LANGUAGES, "effects"), at)
    texts = tuple(
        (lang, _read_text(f"{where}, {lang}", value.get(lang), LONGEST_TEXT, (*at, lang), complaints))
        for lang in LANGUAGES
    )
    effects = _read_effects(where, value.get("effects"), pack, (*at, "effects"), complaints)
    return Entry(number=int(number), texts=texts, effects=effects)


def _read_text(where: str, value: object, longest: int, at: tuple[str, ...], complaints: Complaints) -> str:
    if isinstance(value, str) and 0 < len(value) <= longest and is_plain(value):
        return value
    complaints.add(where, f"1 to {longest} plain characters", value, at=at)
    return ""


def _read_effects(
    where: str, value: object, pack: CardPack, at: tuple[str, ...], complaints: Complaints
) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_EFFECTS:
        found = Found(f"{len(value)}") if isinstance(value, list) else value
        complaints.add(f"{where}, effects", f"a list of at most {MOST_EFFECTS} effects", found, at=at)
        return ()
    for effect in value:
        if not isinstance(effect, str):
            complaints.add(f"{where}, effects", "effects in quotes", effect, at=at)
        elif problem := effect_problem(effect, pack):
            complaints.add(f"{where}, effects", problem.expected, effect, at=at, close=problem.close)
    return tuple(effect for effect in value if isinstance(effect, str))
