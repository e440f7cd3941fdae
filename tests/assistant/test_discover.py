"""The machinery finds the games by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import assistant.games
from assistant.discover import UnknownGameError, kit_if_any, kit_named, kits

KIT_SOURCE = """
from dataclasses import fields
from assistant.kit import GameKit

KIT = GameKit(**{{field.name: None for field in fields(GameKit)}} | {{"name": {name!r}}})
"""
# Only the name counts here, so that these tests stand when the contract of a game grows.


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder that counts as the games folder during one test."""
    monkeypatch.setattr(assistant.games, "__path__", [str(tmp_path)])
    kits.cache_clear()
    yield tmp_path
    kits.cache_clear()


def write_game(games: Path, folder: str, source: str) -> None:
    (games / folder).mkdir()
    (games / folder / "__init__.py").write_text(source, encoding="utf-8")


def test_every_folder_of_the_games_is_found_under_its_kits_name() -> None:
    folders = {path.parent.name for path in Path(assistant.games.__path__[0]).glob("*/__init__.py")}
    assert kits().keys() == folders


def test_a_new_game_is_one_folder(games: Path) -> None:
    write_game(games, "first_pretend_game", KIT_SOURCE.format(name="first"))
    write_game(games, "second_pretend_game", KIT_SOURCE.format(name="second"))
    assert list(kits()) == ["first", "second"]
    assert kit_named("second").name == "second"


def test_an_unknown_game_lists_the_known_ones(games: Path) -> None:
    write_game(games, "known_pretend_game", KIT_SOURCE.format(name="known"))
    with pytest.raises(UnknownGameError, match="no game 'chess': expected one of known"):
        kit_named("chess")


def test_a_game_folder_without_a_kit_is_not_passed_over(games: Path) -> None:
    write_game(games, "unfinished_pretend_game", "")
    with pytest.raises(TypeError, match="unfinished_pretend_game must offer a GameKit"):
        kits()


def test_two_games_cannot_share_a_name(games: Path) -> None:
    write_game(games, "one_twin_game", KIT_SOURCE.format(name="twin"))
    write_game(games, "other_twin_game", KIT_SOURCE.format(name="twin"))
    with pytest.raises(TypeError, match="two kits are called 'twin'"):
        kits()


def test_no_game_is_loaded_to_say_that_there_is_no_kit_for_a_name(games: Path) -> None:
    write_game(games, "broken_pretend_game", "raise ImportError")
    assert kit_if_any("chess") is None
    with pytest.raises(ImportError):
        kit_if_any("broken_pretend_game")
