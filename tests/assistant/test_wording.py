"""A message becomes a sentence in the player's language, or a loud error; never a gap."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import assistant
from assistant.kit import Message
from assistant.wording import (
    Wording,
    WordingError,
    language_of,
    languages,
    load_messages,
    pick_language,
)

ASSISTANT = Path(assistant.__file__).parent
FOLDERS = sorted(path.parent for path in ASSISTANT.rglob("messages/en.toml"))


def write_messages(folder: Path, *, en: str, fr: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "en.toml").write_text(en, encoding="utf-8")
    (folder / "fr.toml").write_text(fr, encoding="utf-8")
    return folder


def wording(tmp_path: Path, language: str, text: str) -> Wording:
    folder = write_messages(tmp_path / "messages", en=text, fr=text)
    return Wording(language, folders=[folder])


def test_values_are_put_into_the_sentence(tmp_path: Path) -> None:
    words = wording(tmp_path, "en", 'rule.cost = "{space} costs {n}, {{really}}"')
    assert words.say(Message.of("rule.cost", space="Outpost", n=3)) == "Outpost costs 3, {really}"


@pytest.mark.parametrize(
    ("language", "n", "sentence"),
    [
        ("en", 0, "0 cards"),
        ("en", 1, "1 card"),
        ("en", 2, "2 cards"),
        ("fr", 0, "0 card"),
        ("fr", 1, "1 card"),
        ("fr", 2, "2 cards"),
        ("en", 1.5, "1.5 cards"),
        ("fr", 1.5, "1,5 card"),
    ],
)
def test_each_language_has_its_own_singular(tmp_path: Path, language: str, n: float, sentence: str) -> None:
    words = wording(tmp_path, language, 'left = {one = "{n} card", other = "{n} cards"}')
    assert words.say(Message.of("left", n=n)) == sentence


@pytest.mark.parametrize(("language", "sentence"), [("en", "lost: 38%"), ("fr", "lost: 38\u202f%")])
def test_a_probability_is_said_as_a_percentage(tmp_path: Path, language: str, sentence: str) -> None:
    words = wording(tmp_path, language, 'risk = "lost: {p:%}"')
    assert words.say(Message.of("risk", p=0.375)) == sentence


def test_a_message_inside_a_message_is_said_first(tmp_path: Path) -> None:
    words = wording(tmp_path, "en", 'gain = "you gain {what}"\nclay = {one = "1 Clay", other = "{n} Clay"}')
    assert words.say(Message.of("gain", what=Message.of("clay", n=2))) == "you gain 2 Clay"


def test_values_are_never_read_as_templates(tmp_path: Path) -> None:
    words = wording(tmp_path, "en", 'hello = "hello {name}"')
    assert words.say(Message.of("hello", name="{n} [b]")) == "hello {n} [b]"


def test_an_unknown_key_names_the_key_and_the_language() -> None:
    with pytest.raises(WordingError, match=r"'no\.such\.key'.*'fr'"):
        Wording("fr").say(Message.of("no.such.key"))


def test_a_missing_value_names_the_key_the_language_and_the_value(tmp_path: Path) -> None:
    words = wording(tmp_path, "fr", 'cost = "{space} costs {n}"')
    with pytest.raises(WordingError, match=r"'cost'.*'fr'.*'n'"):
        words.say(Message.of("cost", space="Outpost"))


def test_a_plural_without_a_number_is_an_error(tmp_path: Path) -> None:
    words = wording(tmp_path, "en", 'left = {one = "a card", other = "many cards"}')
    with pytest.raises(WordingError, match=r"'left'.*'en'.*None"):
        words.say(Message.of("left"))


@pytest.mark.parametrize(
    "template", ["{n.real}", "{n[0]}", "{n!r}", "{n:>10}", "{}", "{0}", "{unclosed", "{n:{m}}"]
)
def test_a_template_can_reach_nothing_but_its_named_values(tmp_path: Path, template: str) -> None:
    path = tmp_path / "en.toml"
    path.write_text(f'bad.one-of-them = "{template}"', encoding="utf-8")
    with pytest.raises(WordingError, match=r"en\.toml: bad\.one-of-them"):
        load_messages(path)


def test_all_problems_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "en.toml"
    path.write_text('a = 1\nb = {one = "x"}\nc = "fine"\nd = "{n.x}"', encoding="utf-8")
    with pytest.raises(WordingError) as caught:
        load_messages(path)
    assert [line.split(": ")[1] for line in str(caught.value).splitlines()] == ["a", "b", "d"]


@pytest.mark.parametrize("content", [b"not toml", b'a = "\xff"'])
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "en.toml"
    path.write_bytes(content)
    with pytest.raises(WordingError, match=r"en\.toml is not a TOML file"):
        load_messages(path)


def test_a_folder_without_the_language_is_named(tmp_path: Path) -> None:
    with pytest.raises(WordingError, match=r"expected a message file .*en\.toml"):
        Wording("en", folders=[tmp_path])


def test_a_game_cannot_overwrite_the_machinery(tmp_path: Path) -> None:
    folder = write_messages(tmp_path, en='doctor.verdict.good = "Not so."')
    with pytest.raises(WordingError, match=r"doctor\.verdict\.good"):
        Wording("en", folders=[folder])


def test_an_unknown_language_lists_those_we_speak() -> None:
    with pytest.raises(WordingError, match=r"'tlh'.*en, fr"):
        Wording("tlh")


def test_we_speak_english_and_french() -> None:
    assert languages() == ("en", "fr")


@pytest.mark.parametrize(
    ("wish", "language"),
    [
        ("fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5", "fr"),
        ("de, en;q=0.3, fr;q=0.7", "fr"),
        ("fr;q=0, en;q=0.1", "en"),
        ("fr_FR.UTF-8", "fr"),
        ("FR", "fr"),
        ("C.UTF-8", "en"),
        ("", "en"),
        ("fr;q=rubbish", "en"),
        ("fr;q=nan, en;q=0.1", "en"),
        (",;,q=;;", "en"),
    ],
)
def test_the_best_language_of_a_wish_is_picked(wish: str, language: str) -> None:
    assert pick_language(wish) == language


def test_our_own_variable_outranks_the_systems_language() -> None:
    assert language_of({"LANG": "fr_FR.UTF-8"}) == "fr"
    assert language_of({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB"}) == "en"
    assert language_of({"LC_ALL": "en_GB", "FLOODWATCH_LANGUAGE": "fr"}) == "fr"
    assert language_of({}) == "en"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ASSISTANT)))
def test_all_languages_say_the_same_things_with_the_same_values(folder: Path) -> None:
    spoken = {language: load_messages(folder / f"{language}.toml") for language in languages()}
    english = spoken.pop("en")
    for language, templates in spoken.items():
        assert templates.keys() == english.keys(), f"keys of {language}"
        different = [key for key in english if templates[key].fields != english[key].fields]
        assert not different, f"placeholders of {language}"


def keys_in_code(folder: Path) -> Iterator[tuple[str, str]]:
    """Every key given to `Message`, `Message.of` or `say`, and where; `…` where it is put together."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="Message") | ast.Attribute(attr="of" | "say"),
                    args=[ast.Constant(value=str()) | ast.JoinedStr() as argument, *_],
                ):
                    parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                    key = "".join(str(p.value) if isinstance(p, ast.Constant) else "…" for p in parts)
                    yield key, f"{path.relative_to(ASSISTANT)}:{node.lineno}"


def test_every_key_in_the_code_has_its_sentence() -> None:
    """A module may say the machinery's keys, and those of the folder of messages beside or above it.

    A key that begins with a game's name put in while running (`….result.…`) is for that game's tests.
    """
    spoken = {folder.parent: load_messages(folder / "en.toml").keys() for folder in FOLDERS}
    missing = []
    for key, place in keys_in_code(ASSISTANT):
        if key.startswith("…"):
            continue
        pattern = re.compile(re.escape(key).replace("…", ".+"))
        reachable = (keys for home, keys in spoken.items() if (ASSISTANT / place).is_relative_to(home))
        if not any(pattern.fullmatch(k) for keys in reachable for k in keys):
            missing.append(f"{place}: {key}")
    assert missing == []
