"""The board shows its trades, sites and tags where the art data puts them, and cards fit onto it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.virtual.board import board_face
from vision.virtual.boardart import BoardArt, BoardArtError, Row, load_board_art
from vision.virtual.styles import FaceStyle

WIDTH = 900


def test_the_board_has_its_proportions_and_no_two_seeds_print_it_alike(board_art: BoardArt) -> None:
    first, second = (board_face(board_art, WIDTH, FaceStyle.sample(seed)) for seed in (1, 2))
    assert first.shape == (round(WIDTH * 0.497), WIDTH, 3)
    assert np.array_equal(first, board_face(board_art, WIDTH, FaceStyle.sample(1)))
    assert np.abs(first.astype(int) - second).mean() > 3


def test_each_printed_row_changes_only_its_own_place(board_art: BoardArt) -> None:
    whole = board_face(board_art, WIDTH).astype(int)
    for row in board_art.rows[:: max(1, len(board_art.rows) // 6)]:
        rest = replace(board_art, rows=tuple(other for other in board_art.rows if other is not row))
        rows, columns = np.nonzero(np.abs(whole - board_face(rest, WIDTH)).max(axis=2) > 20)
        assert len(rows) > 10
        assert rows.min() >= (row.y - row.size) * WIDTH
        assert rows.max() <= (row.y + row.size) * WIDTH
        assert columns.min() >= (row.x - row.size) * WIDTH
        assert columns.max() <= (row.x + row.step * (len(row.items) - 1) + row.size) * WIDTH


def test_the_row_costs_rise_from_nothing_to_three_provisions(board_art: BoardArt) -> None:
    top = sorted((row for row in board_art.rows if row.y < 0.035), key=lambda row: row.x)
    assert [len(row.items) for row in top] == [1, 1, 2, 2, 3, 3]
    assert {item.kind for row in top for item in row.items} == {"provision"}


def test_red_tags_stand_at_the_start_and_on_every_second_space(board_art: BoardArt) -> None:
    def tags(low: float, high: float) -> list[Row]:
        return [row for row in board_art.rows if low < row.y < high and row.items[0].kind == "barbarian"]

    assert len(tags(0.0, 0.1)) == 4
    assert len(tags(0.24, 0.27)) == 3


def test_there_are_nine_build_sites_on_the_river(board_art: BoardArt) -> None:
    sites = [square for square in board_art.squares if 0.18 < square.area.y0 < 0.23]
    assert sorted(square.item.kind for square in sites) == sorted(
        ["provision", "cowrie", "coloured", "provision", "red", "black", "blue", "yellow", "draw-pile"]
    )


def test_a_broken_description_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "boardart.toml"
    path.write_text("height = 0.5\n[[row]]\nitems = 'cowrie'\n", encoding="utf-8")
    with pytest.raises(BoardArtError, match=r"boardart\.toml"):
        load_board_art(path)
