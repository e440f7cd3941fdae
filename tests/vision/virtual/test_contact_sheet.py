"""The contact sheets can be written for any game's files."""

from pathlib import Path

import cv2

from vision.virtual.contact_sheet import main

GAME = Path(__file__).resolve().parents[3] / "assistant" / "games" / "yu"


def test_contact_sheets_of_everything_are_written(tmp_path: Path) -> None:
    main(
        [
            str(tmp_path / "out"),
            "--anatomy",
            str(GAME / "anatomy.toml"),
            "--board",
            str(GAME / "boardart.toml"),
        ]
    )
    names = {path.stem for path in (tmp_path / "out").glob("*.png")}
    assert names == {"symbols", "variants", "pictures", "cards", "cards-sampled", "board", "board-sampled"}
    assert all(cv2.imread(str(path)) is not None for path in (tmp_path / "out").glob("*.png"))


def test_without_a_game_only_its_own_drawings_are_written(tmp_path: Path) -> None:
    main([str(tmp_path)])
    assert {path.stem for path in tmp_path.glob("*.png")} == {"symbols", "variants", "pictures"}
