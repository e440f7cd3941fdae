"""A small copy of the game for tests: the cards known from photographs, and a few telling inventions."""

from assistant.games.yu.actions import Action
from assistant.games.yu.board import shipped_board
from assistant.games.yu.copy import Copy, copy_of
from assistant.games.yu.notation import parse_action
from vision.cards import CardFacts, CardField, CardId, CardKind, CardPack, Source, parse_items

# id: copies | brown | red | food | harvest. A lone question mark is a field that nobody has read.
TOWNSFOLK = """
flute:   1 | red                 | wood      | milk  | wood cowrie
elder:   1 | yellow              | draw      | meat  | red
carrier: 1 | wood                | black     | wheat | provision cowrie
rider:   1 | black               | black     | meat  | white
fan:     1 | provision provision | white     | wheat | draw cowrie
piper:   1 | black               | draw      | milk  | red
potter:  1 | clay                | provision | ?     | ?
sawyer:  1 | wood                | white     | milk  | ?
digger:  1 | white               | white     | milk  | ?
cook:    1 | provision provision | provision | wheat | ?
weaver:  1 | coloured            | cowrie    | fish  | blue
scout:   1 | draw                | red       | meat  | coloured
trader:  1 | cowrie cowrie       | clay      | fish  | cowrie
spear:   1 | blue                | blue      | wheat | yellow
guide:   1 | draw-pile           | any       | milk  | cowrie
oracle:  1 | white               | turtle#70 | fish  | white
peasant: 14| white               | cowrie    | wheat | provision
"""

# id: copies | cost | reward | damage | bribe. A dash is an empty field.
BARBARIANS = """
archer:  1 | blue blue yellow    | cowrie draw          | destroy   | wood
raider:  1 | blue blue red       | cowrie cowrie wood   | destroy   | cowrie cowrie
chief:   1 | red red black       | turtle#12            | destroy   | white
horde:   1 | black black yellow  | cowrie cowrie clay   | ?         | ?
bowmen:  1 | yellow yellow red   | cowrie cowrie cowrie | ?         | ?
brute:   1 | red red red         | provision            | destroy+2 | -
thief:   1 | black               | coloured             | destroy   | any
envoy:   1 | white               | provision            | destroy   | coloured provision
clan:    8 | red                 | cowrie               | destroy   | cowrie
"""

# id: jade group | cost | effects
CANALS = """
canal-a: 1-2 | white white cowrie cowrie                    | clay wood turtle#42
canal-b: 1-2 | white white cowrie cowrie                    | clay wood turtle#3
canal-c: 1-2 | white cowrie                                 | clay
canal-d: 3-4 | white white white cowrie cowrie              | clay wood destroy+2
canal-e: 3-4 | white red cowrie                             | wood destroy
canal-f: 3-4 | white coloured cowrie                        | cowrie cowrie
canal-g: 5-6 | black blue white white cowrie cowrie cowrie  | destroy+2 turtle#44
canal-h: 5-6 | red yellow white white cowrie cowrie cowrie  | destroy+2 turtle#5
canal-i: 5-6 | white white                                  | flood
canal-j: 5-6 | white                                        | barbarian
"""

# id: effects
HUTS = """
hut-a: clay
hut-b: coloured draw
hut-c: cowrie cowrie
hut-d: destroy cowrie
hut-e: turtle#9
hut-f: draw-pile provision
"""

KNOWN_ENTRY = 3
"""The one entry that the test book knows; a real player's book is closed to us."""

BOOK: dict[int, tuple[Action, ...]] = {
    KNOWN_ENTRY: tuple(
        parse_action(line)
        for line in ("story gain provision", "story move hermit story discard", "story play 8 stays")
    )
}


def _field(name: str, text: str) -> CardField:
    items = None if text == "?" else () if text == "-" else parse_items(text)
    return CardField(name=name, items=items, source=Source.INVENTED)


def _rows(table: str) -> list[tuple[str, list[str]]]:
    lines = (line.partition(":") for line in table.strip().splitlines())
    return [(name, [cell.strip() for cell in cells.split("|")]) for name, _, cells in lines]


def _copies(table: str, kind: str, names: tuple[str, ...], stone: int = 0) -> list[CardFacts]:
    return [
        CardFacts(
            id=CardId(name),
            kind=CardKind(kind),
            fields=tuple(_field(field, cell) for field, cell in zip(names, cells[1:], strict=True)),
            stone=stone,
            copies=int(cells[0]),
        )
        for name, cells in _rows(table)
    ]


def _canals() -> list[CardFacts]:
    return [
        CardFacts(
            id=CardId(name),
            kind=CardKind("canal"),
            fields=(_field("cost", cost), _field("effects", effects)),
            stone=0,
            group=group,
        )
        for name, (group, cost, effects) in _rows(CANALS)
    ]


def _huts() -> list[CardFacts]:
    return [
        CardFacts(id=CardId(name), kind=CardKind("hut"), fields=(_field("effects", cells[0]),), stone=0)
        for name, cells in _rows(HUTS)
    ]


def _ends(kind: str, colour: str, entries: tuple[str, ...]) -> list[CardFacts]:
    """Six cards of a colour and one of gold; the entries are numbered by card."""
    return [
        CardFacts(
            id=CardId(f"{kind}-{number}" if number < 7 else f"{kind}-gold"),
            kind=CardKind(kind),
            group=colour if number < 7 else "gold",
            stone=0,
            fields=tuple(_field(name, f"turtle#{100 + 10 * number + n}") for n, name in enumerate(entries)),
        )
        for number in range(1, 8)
    ]


_FIELDS = ("brown", "red", "food", "harvest")
_STORY_CARDS = [
    *_copies("hermit: 1 | white white | clay | fish | white", "townsfolk", _FIELDS, stone=9),
    *_copies(
        "warlord: 1 | red black | cowrie | destroy | -",
        "barbarian",
        ("cost", "reward", "damage", "bribe"),
        stone=11,
    ),
    CardFacts(id=CardId("ferry"), kind=CardKind("story"), stone=8),
]

PACK = CardPack(
    game="yu",
    name="Test",
    cards=(
        *_copies(TOWNSFOLK, "townsfolk", _FIELDS),
        *_copies(BARBARIANS, "barbarian", ("cost", "reward", "damage", "bribe")),
        *_canals(),
        *_huts(),
        *_ends("victory", "blue", ("entry",)),
        *_ends("defeat", "black", ("top", "bottom")),
        *_STORY_CARDS,
    ),
)

COPY: Copy = copy_of(PACK, shipped_board(), BOOK)
"""The whole test copy, with the shipped board."""

THIN_COPY: Copy = copy_of(
    CardPack(
        game="yu",
        name="Thin",
        cards=tuple(
            card for card in PACK.cards if card.id in ("flute", "elder", "archer", "canal-a", "hut-a")
        ),
    ),
    shipped_board(),
)
"""A player who has enrolled five cards: strangers stand for all others."""
