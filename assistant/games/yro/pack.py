"""What cards of YRO look like, and the demo pack that ships with the program."""

from functools import cache
from pathlib import Path
from typing import Final

from assistant.games.yro.effects import CONDITIONS, COUNTED, FACTIONS, GAINS, PROFESSIONS, TIMINGS
from vision.cards import CardKind, CardPack, ItemKind
from vision.pack import FieldRules, KindRules, PackRules, load_pack

DEMO_FOLDER: Final = Path(__file__).parent / "demo"

ADVENTURER: Final = CardKind("adventurer")
QUEST: Final = CardKind("quest")
BOARD: Final = CardKind("board")
"""A player board: it lies on the table like a card, and its tracks are printed on it."""
COLOURS: Final = ("red", "blue", "green", "yellow", "purple")


def _kinds(*words: str) -> frozenset[ItemKind]:
    return frozenset(ItemKind(word) for word in words)


_COUNTED_ON_CARDS = tuple(name for name in COUNTED if name not in ("each-force", "each-coin"))
_EFFECT: Final = FieldRules(items=_kinds(*GAINS, *_COUNTED_ON_CARDS, *CONDITIONS), most=6, required=False)
_TRACK: Final = FieldRules(items=_kinds("stone"), fewest=2, most=31)

PACK_RULES: Final = PackRules(
    game="yro",
    numbered=_kinds(*GAINS, "goal", "stone"),
    kinds={
        ADVENTURER: KindRules(
            fields={
                "cost": FieldRules(items=_kinds("coin")),
                "force": FieldRules(items=_kinds("force", "plus", "star"), most=3),
                "dots": FieldRules(items=_kinds("dot"), most=3),
                "faction": FieldRules(items=_kinds(*FACTIONS)),
                "profession": FieldRules(items=_kinds(*PROFESSIONS)),
                **dict.fromkeys(TIMINGS, _EFFECT),
            },
            stone=False,
        ),
        QUEST: KindRules(
            fields={"goal": FieldRules(items=_kinds("goal", *COUNTED), fewest=2, most=2)}, stone=False
        ),
        BOARD: KindRules(fields=dict.fromkeys(("tech", "tech-on", "magic", "magic-on"), _TRACK), stone=False),
    },
)


@cache
def demo_pack() -> CardPack:
    """The cards that ship: effects known from the rulebook, everything else invented."""
    return load_pack(DEMO_FOLDER, PACK_RULES)
