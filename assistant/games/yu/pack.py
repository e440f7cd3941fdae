"""What cards of Legacy of Yu look like, and the demo pack that ships with the program."""

from functools import cache
from pathlib import Path
from typing import Final

from vision.cards import CardKind, CardPack, ItemKind
from vision.pack import FieldRules, KindRules, PackRules, load_pack

DEMO_FOLDER: Final = Path(__file__).parent / "demo"

TOWNSFOLK: Final = CardKind("townsfolk")
BARBARIAN: Final = CardKind("barbarian")
CANAL: Final = CardKind("canal")
HUT: Final = CardKind("hut")
VICTORY: Final = CardKind("victory")
DEFEAT: Final = CardKind("defeat")
STORY: Final = CardKind("story")

CANAL_GROUPS: Final = ("1-2", "3-4", "5-6")


def _kinds(words: str) -> frozenset[ItemKind]:
    return frozenset(ItemKind(word) for word in words.split())


TURTLE: Final = _kinds("turtle")
FOODS: Final = _kinds("meat fish wheat milk")
WORKERS: Final = _kinds("white red black blue yellow")
PIECES: Final = WORKERS | _kinds("wood clay provision cowrie")
"""What lies on the table and can be paid or lost."""
GAINS: Final = PIECES | _kinds(
    "coloured any draw draw-pile barbarian exhaust destroy flood harvest"
)  # everything that happens at once when it is gained; a turtle is read instead
_COSTS: Final = PIECES | _kinds("coloured any")

_TURTLE_FIELD: Final = FieldRules(items=TURTLE)

PACK_RULES: Final = PackRules(
    game="yu",
    numbered=TURTLE,
    kinds={
        TOWNSFOLK: KindRules(
            fields={
                "brown": FieldRules(items=GAINS | TURTLE, most=2),
                "red": FieldRules(items=GAINS | TURTLE),
                "food": FieldRules(items=FOODS),
                "harvest": FieldRules(items=GAINS | TURTLE, most=2),
            }
        ),
        BARBARIAN: KindRules(
            fields={
                "cost": FieldRules(items=WORKERS | _kinds("coloured any"), fewest=3, most=3),
                "reward": FieldRules(items=GAINS | TURTLE, most=3),
                "damage": FieldRules(items=_kinds("destroy")),
                "bribe": FieldRules(items=_COSTS, fewest=0, most=3),
            }
        ),
        CANAL: KindRules(
            fields={
                "cost": FieldRules(items=_COSTS, most=8),
                "effects": FieldRules(items=GAINS | TURTLE, most=4),
            },
            groups=CANAL_GROUPS,
        ),
        HUT: KindRules(fields={"effects": FieldRules(items=GAINS | TURTLE, most=4)}),
        VICTORY: KindRules(fields={"entry": _TURTLE_FIELD}, groups=("blue", "gold")),
        DEFEAT: KindRules(fields={"top": _TURTLE_FIELD, "bottom": _TURTLE_FIELD}, groups=("black", "gold")),
        STORY: KindRules(fields={"entry": FieldRules(items=TURTLE, required=False)}),
    },
)


@cache
def demo_pack() -> CardPack:
    """The cards that ship: those known from the rulebook and photographs, the others invented."""
    return load_pack(DEMO_FOLDER, PACK_RULES)
