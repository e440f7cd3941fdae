"""`floodwatch read` and `floodwatch pack`: pictures in, names out, one sentence for what is wrong."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant import cli
from assistant.commands.read import _pieces_told
from assistant.commands.terminal import open_terminal
from assistant.discover import default_game, kit_named
from tests.vision.strewn import Strewn, card_picture, off_by, photograph, save
from vision.enrolled_kept import FEATURES_FILE
from vision.near import NearPiece
from vision.table import PieceKind


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as exit_:
        cli.main(["--language", "en", *map(str, arguments)])
    assert isinstance(exit_.value.code, int)
    return exit_.value.code


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name, seed in (("Old Man", 41), ("potter_2", 43), ("weaver", 44)):
        save(card_picture(seed), folder / f"{name}.png")
    return folder


@pytest.fixture
def pack(tmp_path: Path, pictures: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert run("pack", "new", tmp_path / "mine", "--from-images", pictures) == 0
    assert "3 cards" in capsys.readouterr().out
    return tmp_path / "mine"


def test_a_pack_from_pictures_has_the_files_names_as_ids(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("pack", "show", pack, "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert [card["id"] for card in shown["cards"]] == ["old-man", "potter-2", "weaver"]
    assert {card["kind"] for card in shown["cards"]} == {"card"}
    assert (pack / FEATURES_FILE).is_file()
    assert run("pack", "check", pack) == 0
    assert "nothing wrong" in capsys.readouterr().out
    assert run("pack", "show", pack) == 0
    assert "old-man.png" in capsys.readouterr().out


def test_the_cards_of_a_pack_are_read_in_a_photograph(
    pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = [
        Strewn(picture=card_picture(41), centre=(300, 300), turn_deg=12, width=190),
        Strewn(picture=card_picture(41), centre=(850, 300), turn_deg=-100, width=190),
        Strewn(picture=card_picture(905), centre=(600, 680), turn_deg=80, width=190),
    ]
    photo = save(photograph(cards), tmp_path / "table.png")
    assert run("read", photo, "--pack", pack, "--json", "--out", tmp_path / "out.png") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["photo"], told["width"], told["height"]) == ("table.png", 1200, 900)
    named = [
        (card["known"], card["guesses"][0]["card"] if card["guesses"] else None) for card in told["cards"]
    ]
    assert named == [(True, "old-man"), (True, "old-man"), (False, None)]
    assert all(len(card["quad"]) == 4 and card["fields"] == {} for card in told["cards"])
    assert told["pieces"] == []
    assert cv2.imread(str(tmp_path / "out.png")) is not None
    assert run("read", photo, "--pack", pack) == 0
    shown = capsys.readouterr()
    assert "3 cards found." in shown.out
    assert "old-man" in shown.out
    assert "unknown card" in shown.out


def test_a_large_photograph_is_read_smaller_and_told_as_large_as_it_is(
    pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card = Strewn(picture=card_picture(41), centre=(1000, 1300), turn_deg=12, width=380)
    photo = save(photograph([card], (2600, 2400)), tmp_path / "table.jpg")
    assert run("read", photo, "--pack", pack, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["width"], told["height"]) == (2600, 2400)
    (found,) = told["cards"]
    assert found["guesses"][0]["card"] == "old-man"
    assert off_by(found["quad"], card.quad) < 8


def test_a_pack_is_never_overwritten(pack: Path, pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("pack", "new", pack, "--from-images", pictures) == cli.PROBLEM
    assert "exists already" in capsys.readouterr().err


def test_every_bad_picture_of_a_folder_is_told_at_once(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pictures / "text.jpg").write_text("not a picture", encoding="utf-8")
    save(card_picture(45), pictures / "old-man.png")
    save(np.full((30, 20, 3), 99, np.uint8), pictures / "tiny.png")
    assert run("pack", "new", tmp_path / "mine", "--from-images", pictures) == cli.PROBLEM
    told = capsys.readouterr().err
    assert "text.jpg is not a picture" in told
    assert "the same id 'old-man'" in told
    assert "tiny.png: expected a card at least 80 pixels wide, found 20" in told
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("what", ["missing", "empty"])
def test_a_folder_without_pictures_is_refused(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "there"
    if what == "empty":
        folder.mkdir()
    assert run("pack", "new", tmp_path / "mine", "--from-images", folder) == cli.PROBLEM
    assert "found none" in capsys.readouterr().err


def test_a_folder_that_is_no_pack_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("pack", "check", tmp_path) == cli.PROBLEM
    assert "pack.toml" in capsys.readouterr().err


BLACK = np.zeros((300, 400, 3), np.uint8)
TINY = np.full((40, 50, 3), 120, np.uint8)


@pytest.mark.parametrize(
    ("image", "words"), [(BLACK, "black"), (TINY, "at least 120 pixels"), (None, "not a picture")]
)
def test_a_photograph_that_shows_nothing_is_one_sentence(
    image: np.ndarray | None, words: str, pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photo.png"
    photo.write_text("words") if image is None else save(np.asarray(image, np.uint8), photo)
    assert run("read", photo, "--pack", pack) == cli.PROBLEM
    told = capsys.readouterr().err
    assert words in told
    assert len(told.strip().splitlines()) == 1


def test_a_missing_photograph_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("read", "nowhere.jpg") == cli.PROBLEM
    assert capsys.readouterr().err.startswith("floodwatch: cannot open the picture nowhere.jpg")


def test_corners_mean_nothing_without_a_board(
    pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = save(photograph([]), tmp_path / "photo.png")
    assert run("read", photo, "--pack", pack, "--corners", "1,2,3,4,5,6,7,8") == cli.PROBLEM
    assert "without a board" in capsys.readouterr().err


@pytest.mark.parametrize(("language", "told"), [("en", "1 Cowrie, 2 Wood"), ("fr", "1 Cauri, 2 Bois")])
def test_pieces_are_named_in_the_language_of_whoever_asks(language: str, told: str) -> None:
    kit = kit_named(default_game())
    pieces = [NearPiece(kind=PieceKind(kind), x=1, y=1, p=0.9, size=2) for kind in ("wood", "cowrie", "wood")]
    wording = open_terminal(language=language, quiet=True).wording_of(kit)
    assert _pieces_told(wording, kit.bind(kit.demo_pack()), pieces) == told
