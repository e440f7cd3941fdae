"""Packs are read whole or refused with every problem, and written so that they read the same again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cards import CardFacts, CardField, CardId, CardKind, CardPack, Item, ItemKind, Source
from vision.errors import PackError
from vision.facts import MOST_PROBLEMS
from vision.pack import (
    FieldRules,
    Gap,
    KindRules,
    PackRules,
    find_gaps,
    format_pack,
    load_pack,
    parse_pack,
    save_pack,
)

ITEMS = frozenset(map(ItemKind, ("wood", "clay", "draw", "turtle")))
FARMER, RIVER = CardKind("farmer"), CardKind("river")
RULES = PackRules(
    game="toy",
    numbered=frozenset({ItemKind("turtle")}),
    kinds={
        FARMER: KindRules(
            fields={"top": FieldRules(items=ITEMS, most=2), "foot": FieldRules(items=ITEMS, fewest=0)}
        ),
        RIVER: KindRules(
            fields={"cost": FieldRules(items=ITEMS - {"turtle"}, most=3, required=False)},
            groups=("low", "high"),
            stone=False,
        ),
    },
)
HEAD = 'format = 1\ngame = "toy"\nname = "A toy"\nsource = "confirmed"\n'


def card_text(*lines: str) -> str:
    return HEAD + '[cards.anna]\nkind = "farmer"\n' + "\n".join(lines) + "\n"


def problems_of(text: str) -> tuple[str, ...]:
    with pytest.raises(PackError) as caught:
        parse_pack(text, RULES)
    return caught.value.problems


def test_a_pack_says_what_is_printed_and_how_we_know_it() -> None:
    pack = parse_pack(
        'format = 1\ngame = "toy"\nname = "Ours"\n'
        '[cards.anna]\nkind = "farmer"\ntop = "wood draw+2"\nfoot = "turtle#42"\nstone = 7\n'
        'picture = "elder"\ncopies = 2\nsource = { top = "photograph", foot = "invented" }\n',
        RULES,
    )
    top = CardField(
        name="top",
        items=(Item(ItemKind("wood")), Item(ItemKind("draw"), 2)),
        source=Source.PHOTOGRAPH,
    )
    foot = CardField(name="foot", items=(Item(ItemKind("turtle"), 1, 42),), source=Source.INVENTED)
    anna = CardFacts(id=CardId("anna"), kind=FARMER, fields=(top, foot), stone=7, picture="elder", copies=2)
    assert pack == CardPack(game="toy", name="Ours", cards=(anna,))


def test_unknown_empty_and_missing_fields_are_three_different_things() -> None:
    pack = parse_pack(card_text('top = "?"', 'foot = ""') + '[cards.berta]\nkind = "farmer"\n', RULES)
    assert [part.items for part in pack[CardId("anna")].fields] == [None, ()]
    assert pack[CardId("berta")].fields == ()


def test_gaps_are_what_enrolment_may_still_ask() -> None:
    text = card_text('top = "?"', 'foot = ""') + '[cards.low]\nkind = "river"\n'
    gaps = find_gaps(parse_pack(text, RULES), RULES)
    assert gaps == (
        Gap(card=CardId("anna"), fact="top"),
        Gap(card=CardId("anna"), fact="stone"),
        Gap(card=CardId("low"), fact="group"),
    )


def test_a_field_takes_its_own_source_before_that_of_the_pack() -> None:
    pack = parse_pack(card_text('top = "wood"', 'foot = "clay"', 'source = { foot = "read" }'), RULES)
    assert [part.source for part in pack.cards[0].fields] == [Source.CONFIRMED, Source.READ]


def test_a_fact_without_any_source_is_a_problem() -> None:
    text = card_text('top = "wood"').replace('source = "confirmed"\n', "")
    (problem,) = problems_of(text)
    assert problem.startswith("pack.toml, line 4: card 'anna', source: expected how top is known")


PROBLEMS = {
    "a list for items": ('top = ["wood"]', "card 'anna', top: expected items in quotes", "a list"),
    "a number for items": ("top = 3", "expected items in quotes", "found 3"),
    "too many items": ('top = "wood wood wood"', "expected 1 to 2 items", "found 3"),
    "too few items": ('top = ""', "expected 1 to 2 items", "found 0"),
    "an unknown item": ('top = "wod"', "found 'wod'", "Did you mean 'wood'?"),
    "something that is no item": ('top = "Wood!"', "expected an item such as", "found 'Wood!'"),
    "a turtle without its number": ('top = "turtle"', "'turtle#42'", "found 'turtle'"),
    "a number on wood": ('top = "wood#4"', "expected 'wood' or 'wood+2'", "found 'wood#4'"),
    "a count of zero": ('top = "wood+0"', "expected 'wood' or 'wood+2'", "found 'wood+0'"),
    "an unknown key": ('topp = "wood"', "found 'topp'", "Did you mean 'top'?"),
    "an unknown source": ('top = "wood"\nsource = "photo"', "found 'photo'", "'photograph'"),
    "a source for no field": ('source = { top = "read" }', "found 'top'", ""),
    "a source of a wrong type": ('top = "wood"\nsource = 4', "source: expected one of", "found 4"),
    "a stone that is not a number": ("stone = nan", "a whole number from 0 to 999", "found nan"),
    "an endless stone": ("stone = -inf", "a whole number from 0 to 999", "found -inf"),
    "a huge stone": (f"stone = 0x{'f' * 3000}", "a whole number", "found a huge number"),
    "a stone that is true": ("stone = true", "a whole number", "found true"),
    "no copies": ("copies = 0", "a whole number from 1 to 99", "found 0"),
    "a group where there are none": ('group = "low"', "no group on a card of this kind", "'low'"),
    "a picture with a slash": ('picture = "a/b"', "lowercase letters", "'a/b'"),
    "an image elsewhere": ('image = "../secret.png"', "the name alone of a png", "'../secret.png'"),
    "an image at the root": ('image = "/etc/passwd.png"', "the name alone of a png", "'/etc/passwd.png'"),
    "an image of the wrong kind": ('image = "card.svg"', "the name alone of a png", "'card.svg'"),
    "a date": ("stone = 2024-01-01", "a whole number", "found a date"),
}


@pytest.mark.parametrize(("line", "expected", "found"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_problem_is_told_with_what_was_expected_and_found(line: str, expected: str, found: str) -> None:
    (problem,) = problems_of(card_text(line))
    assert problem.startswith("pack.toml, line ")
    assert "card 'anna'" in problem
    assert expected in problem
    assert found in problem


def test_all_problems_are_told_at_once_in_the_order_of_the_file() -> None:
    text = (
        'format = 2\ngame = "chess"\nname = "bell\\u0007"\nsource = "read"\nauthor = "me"\n'
        '[cards.Anna]\nkind = "farmr"\n[cards.low]\nkind = "river"\nstone = 3\ngroup = "lo"\n'
    )
    problems = problems_of(text)
    assert [problem.split(":")[0] for problem in problems] == [
        f"pack.toml, line {line}" for line in (1, 2, 3, 5, 6, 7, 10, 11)
    ]
    assert "found 'bell\\x07'" in problems[2]


def test_cards_written_twice_are_all_named_with_both_lines() -> None:
    text = HEAD + '[cards.a]\nkind = "river"\n[cards.b]\nkind = "river"\n[cards.a]\n[cards.b]\n'
    assert problems_of(text) == (
        "pack.toml, line 9: expected [cards.a] once, found it again (first in line 5)",
        "pack.toml, line 10: expected [cards.b] once, found it again (first in line 7)",
    )


def test_broken_toml_is_told_with_its_line() -> None:
    (problem,) = problems_of(HEAD + "cards = = 3\n")
    assert problem.startswith("pack.toml, line 5: expected TOML")


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 3000,
        "a = " + "[\n" * 100_000,
        "a = " + "{a=" * 1000,
        "a = " + "9" * 3999,
        ".".join("a" * 50) + " = 1",
        "a = { " + ".".join("a" * 50) + " = 1 }",
        "#" * 5000,
        "# " + "é\n" * 600_000,
        'name = """\nx\n"""',
        "a = 1979-99-99",
        "\x00",
        "\ud800",
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_hostile_text_is_refused_in_words(text: str) -> None:
    assert problems_of(text)


def test_a_file_of_nothing_but_mistakes_is_not_answered_at_its_own_length() -> None:
    problems = problems_of(HEAD + "[cards]\n" + "".join(f"a{n} = 1\n" for n in range(5000)))
    assert len(problems) == MOST_PROBLEMS + 1
    assert problems[-1] == f"pack.toml: and {5000 - MOST_PROBLEMS} problems more"


def test_a_missing_pack_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(PackError) as caught:
        load_pack(tmp_path / "nowhere", RULES)
    (problem,) = caught.value.problems
    assert "pack.toml: expected a readable file, found No such file" in problem


def test_a_pack_larger_than_a_mebibyte_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text(HEAD + "#\n" * 600_000)
    with pytest.raises(PackError, match="expected at most 1048576 bytes"):
        load_pack(tmp_path, RULES)


def test_a_pack_saved_by_a_windows_editor_is_read(tmp_path: Path) -> None:
    text = card_text('top = "wood"').replace("\n", "\r\n")
    (tmp_path / "pack.toml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert load_pack(tmp_path, RULES) == parse_pack(card_text('top = "wood"'), RULES)


def test_an_image_must_lie_in_the_folder_itself(tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    folder.mkdir()
    (tmp_path / "outside.png").write_bytes(b"png")
    (folder / "anna.png").write_bytes(b"png")
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    for image, is_fine in (("anna.png", True), ("berta.png", False), ("link.png", False)):
        (folder / "pack.toml").write_text(card_text(f'image = "{image}"'))
        if is_fine:
            assert load_pack(folder, RULES).cards[0].image == image
        else:
            with pytest.raises(PackError, match="expected a file in the pack's folder"):
                load_pack(folder, RULES)


def test_saving_replaces_the_old_pack_and_leaves_nothing_else(tmp_path: Path) -> None:
    for name in ("First", "Second"):
        save_pack(CardPack(game="toy", name=name, cards=()), tmp_path / "mine")
    assert load_pack(tmp_path / "mine", RULES).name == "Second"
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["pack.toml"]


def test_rules_may_not_name_a_field_like_a_key_of_every_card() -> None:
    with pytest.raises(ValueError, match="'stone'"):
        PackRules(game="toy", kinds={FARMER: KindRules(fields={"stone": FieldRules(items=ITEMS)})})


REPEATABLE = settings(derandomize=True, deadline=None)

slugs = st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,5}){0,2}", fullmatch=True)
names = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=80)
sources = st.sampled_from(Source)


@st.composite
def printed_items(draw: st.DrawFn, rules: FieldRules) -> tuple[Item, ...] | None:
    if draw(st.booleans()):
        return None
    kinds = draw(st.lists(st.sampled_from(sorted(rules.items)), min_size=rules.fewest, max_size=rules.most))
    return tuple(
        Item(kind, 1, draw(st.integers(0, 999))) if kind == "turtle" else Item(kind, draw(st.integers(1, 99)))
        for kind in kinds
    )


@st.composite
def cards(draw: st.DrawFn) -> CardFacts:
    kind = draw(st.sampled_from([FARMER, RIVER]))
    rules = RULES.kinds[kind]
    fields = [
        CardField(name=name, items=draw(printed_items(rules.fields[name])), source=draw(sources))
        for name in draw(st.permutations(list(rules.fields)))
        if draw(st.booleans())
    ]
    return CardFacts(
        id=CardId(draw(slugs)),
        kind=kind,
        fields=tuple(fields),
        stone=draw(st.none() | st.integers(0, 999)) if rules.stone else None,
        picture=draw(st.none() | slugs),
        group=draw(st.none() | st.sampled_from(rules.groups)) if rules.groups else None,
        copies=draw(st.integers(1, 99)),
        image=draw(st.none() | slugs.map(lambda slug: f"{slug}.png")),
    )


packs = st.builds(
    CardPack,
    game=st.just("toy"),
    name=names,
    cards=st.lists(cards(), max_size=6, unique_by=lambda card: card.id).map(tuple),
)


@REPEATABLE
@given(packs)
def test_what_is_written_reads_the_same_again(pack: CardPack) -> None:
    text = format_pack(pack)
    assert parse_pack(text, RULES) == pack
    assert format_pack(parse_pack(text, RULES)) == text


@pytest.mark.parametrize("name", ["'''", '"""', "a ''' b \"\"\" c"])
def test_a_name_may_hold_three_quotes(name: str) -> None:
    """The name of a pack is anybody's own: it was written, and then not opened again."""
    pack = CardPack(game="toy", name=name, cards=())
    assert parse_pack(format_pack(pack), RULES) == pack


@pytest.mark.parametrize("quotes", ["'''", '"""'])
def test_a_text_in_triple_quotes_is_refused_with_its_line(quotes: str) -> None:
    with pytest.raises(PackError, match="a text in triple quotes"):
        parse_pack(f"game = {quotes}toy{quotes}\n", RULES)


def pack_or_problems(read: Callable[[], CardPack]) -> CardPack | tuple[str, ...]:
    """Anything else that is raised is for the test to fail with."""
    try:
        return read()
    except PackError as error:
        return error.problems


@REPEATABLE
@given(data=st.binary(max_size=400))
def test_any_bytes_are_a_pack_or_a_pack_error(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "pack.toml").write_bytes(data)
    assert pack_or_problems(lambda: load_pack(folder, RULES))


VALUES = """nan|-inf|1e400|true|[]|{}|""|"?"|"wood"|0xffffffffffffffffffffffff|1979-05-27|07:32:00|"\\u0000"
'../x.png'|[[[]]]|{ top = "read" }|-1""".replace("\n", "|")
KEYS = "kind top foot cost stone picture group copies image source name format cards cards.a a.b.c"
lines = st.one_of(
    st.builds(
        "{} = {}".format,
        st.sampled_from(KEYS.split()) | st.text(max_size=6),
        st.sampled_from(VALUES.split("|")) | st.text(max_size=12),
    ),
    st.sampled_from(["[cards]", "[cards.a]", "[cards.a.b]", "[[cards]]", 'kind = "farmer"', HEAD]),
)


@settings(REPEATABLE, max_examples=300)
@given(st.lists(lines, max_size=12).map("\n".join))
def test_any_odd_toml_is_a_pack_or_a_pack_error(text: str) -> None:
    assert pack_or_problems(lambda: parse_pack(text, RULES))
    assert pack_or_problems(lambda: parse_pack(card_text(text), RULES))
