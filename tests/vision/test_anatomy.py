"""Where things are printed: fields follow each other, rows fill from their start, pairs take more room."""

from pathlib import Path

import pytest

from vision.anatomy import (
    Anatomy,
    AnatomyError,
    Material,
    PlacedField,
    load_anatomy,
    parse_anatomy,
    place_items,
)
from vision.cards import CardKind, parse_items

GAME = Path(__file__).resolve().parents[2] / "assistant" / "games" / "yu"
TOWNSFOLK, BARBARIAN, CANAL = CardKind("townsfolk"), CardKind("barbarian"), CardKind("canal")


@pytest.fixture(scope="module")
def anatomy() -> Anatomy:
    return load_anatomy(GAME / "anatomy.toml")


def placed(anatomy: Anatomy, kind: CardKind, **items: str) -> dict[str, PlacedField]:
    fields = place_items(anatomy, kind, {name: parse_items(text) for name, text in items.items()})
    return {field.name: field for field in fields}


def test_all_kinds_of_card_of_the_game_have_their_fields(anatomy: Anatomy) -> None:
    fields = {card.kind: {field.name for field in card.fields} for card in anatomy.kinds}
    assert fields == {
        "townsfolk": {"brown", "red", "food", "harvest"},
        "barbarian": {"cost", "reward", "damage", "bribe"},
        "canal": {"cost", "effects"},
        "hut": {"effects"},
        "victory": {"entry"},
        "defeat": {"top", "bottom"},
        "story": set(),
    }


def test_a_second_brown_item_pushes_the_fields_below_down(anatomy: Anatomy) -> None:
    one = placed(anatomy, TOWNSFOLK, brown="wood", red="white", food="milk")
    two = placed(anatomy, TOWNSFOLK, brown="provision provision", red="white", food="milk")
    assert two["red"].slots[0][1].y > one["red"].slots[0][1].y + 0.05
    assert two["food"].slots[0][1].y > one["food"].slots[0][1].y + 0.05


def test_fields_of_a_banner_touch_and_do_not_overlap(anatomy: Anatomy) -> None:
    fields = placed(anatomy, TOWNSFOLK, brown="wood wood", red="white", food="milk")
    brown, red, food = (fields[name].area for name in ("brown", "red", "food"))
    assert brown is not None
    assert red is not None
    assert food is not None
    assert (brown.y1, red.y1) == (red.y0, food.y0)
    assert [fields[name].material for name in ("brown", "red", "food")] == [
        Material.WOOD,
        Material.CLOTH,
        Material.PAPER,
    ]


def test_canal_costs_stand_in_two_centred_rows_of_workers_and_cowries(anatomy: Anatomy) -> None:
    slots = placed(anatomy, CANAL, cost="black blue white cowrie cowrie")["cost"].slots
    workers = [slot for item, slot in slots if item.kind != "cowrie"]
    cowries = [slot for item, slot in slots if item.kind == "cowrie"]
    assert len({slot.y for slot in workers}) == len({slot.y for slot in cowries}) == 1
    assert cowries[0].y > workers[0].y
    assert sum(slot.x for slot in workers) / 3 == pytest.approx(0.51)


def test_a_pair_of_tablets_moves_the_next_effect_to_the_right(anatomy: Anatomy) -> None:
    single = placed(anatomy, CANAL, effects="destroy turtle#5")["effects"].slots
    pair = placed(anatomy, CANAL, effects="destroy+2 turtle#5")["effects"].slots
    assert pair[0][1].extent > 1.5
    assert pair[1][1].x > single[1][1].x + 0.1


def test_a_printed_count_on_a_tag_takes_no_more_room(anatomy: Anatomy) -> None:
    slots = placed(anatomy, BARBARIAN, bribe="draw+3 wood")["bribe"].slots
    assert slots[0][1].extent == 1.0


def test_photographed_cards_have_their_items_where_the_photographs_show_them(anatomy: Anatomy) -> None:
    """Centres measured on rectified photographs; good to 0.03 of width and height."""
    elder = placed(anatomy, TOWNSFOLK, brown="yellow", red="draw", food="meat", harvest="red")
    measured = {"brown": (0.13, 0.145), "red": (0.135, 0.31), "food": (0.13, 0.46), "harvest": (0.49, 0.89)}
    for name, (x, y) in measured.items():
        slot = elder[name].slots[0][1]
        assert [slot.x, slot.y] == pytest.approx([x, y], abs=0.03), name
    archer = placed(anatomy, BARBARIAN, cost="blue blue yellow", reward="cowrie draw", bribe="wood")
    assert [slot.y for _, slot in archer["cost"].slots] == pytest.approx([0.083, 0.21, 0.34], abs=0.02)
    assert [slot.y for _, slot in archer["reward"].slots] == pytest.approx([0.135, 0.25], abs=0.02)
    assert archer["bribe"].slots[0][1].x == pytest.approx(0.515, abs=0.03)


def test_a_broken_description_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "anatomy.toml"
    with pytest.raises(AnatomyError, match=r"anatomy\.toml"):
        load_anatomy(path)
    path.write_text("ratio = ", encoding="utf-8")
    with pytest.raises(AnatomyError, match=r"anatomy\.toml"):
        load_anatomy(path)
    with pytest.raises(AnatomyError, match="stone"):
        parse_anatomy({"ratio": 0.645, "corner": 0.07, "kind": {}})
