"""Drawn sheets kept on disk: drawing is slow, and all networks of cards learn from the same drawings."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from models.photographs import (
    DRAWN_PX,
    Rng,
    Sheet,
    Symbol,
    anatomy,
    any_style,
    draw_back,
    draw_card,
    draw_collage,
    invent_facts,
)

SHARES = {"card": 0.62, "collage": 0.2, "numbers": 0.12, "back": 0.06}
BACKS = ("townsfolk", "barbarian", "hut", "canal", "victory")


class Pool:
    """All parts that lie in a folder."""

    def __init__(self, folder: Path) -> None:
        paths = sorted(folder.glob("part-*.npy"))
        self._parts = [np.load(path, mmap_mode="r") for path in paths]
        if not self._parts:
            raise SystemExit(
                f"expected drawn sheets in {folder}: make them with python -m models.pool {folder}"
            )
        self._rows = [
            [json.loads(line) for line in path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()]
            for path in paths
        ]
        self._where: dict[str, list[tuple[int, int]]] = {}
        for part, rows in enumerate(self._rows):
            for index, row in enumerate(rows):
                self._where.setdefault(row["sort"], []).append((part, index))

    def pick(self, rng: Rng, sort: str) -> tuple[Sheet, str]:
        """Any sheet of a sort, and the kind of card that it is (empty for a collage)."""
        places = self._where[sort]
        part, index = places[int(rng.integers(len(places)))]
        row = self._rows[part][index]
        symbols = tuple(Symbol(**symbol) for symbol in row["symbols"])
        return Sheet(image=np.asarray(self._parts[part][index]), symbols=symbols), row["kind"]


def draw_sheets(seed: int, count: int) -> Iterator[tuple[str, str, Sheet]]:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        style = any_style(rng)
        match str(rng.choice(list(SHARES), p=list(SHARES.values()))):
            case "card":
                facts = invent_facts(rng)
                yield "card", facts.kind, draw_card(facts, style)
            case "back":
                kind = str(rng.choice(BACKS))
                yield "back", kind, draw_back(kind, style)
            case sort:
                yield sort, "", draw_collage(rng, style, numbers=sort == "numbers")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parts", type=int, nargs=2, default=(0, 20), help="first and last part")
    parser.add_argument("--sheets", type=int, default=150, help="sheets in each part")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    width = round(DRAWN_PX * anatomy().ratio)
    for part in range(*options.parts):
        images = np.empty((options.sheets, DRAWN_PX, width, 4), np.uint8)
        rows = []
        for index, (sort, kind, sheet) in enumerate(draw_sheets(part, options.sheets)):
            images[index] = sheet.image
            symbols = [asdict(symbol) for symbol in sheet.symbols]
            rows.append(json.dumps({"sort": sort, "kind": kind, "symbols": symbols}))
        lines = options.folder / f"part-{part:03}.jsonl"
        lines.write_text("\n".join(rows) + "\n", encoding="utf-8")
        unfinished = options.folder / f"unfinished-{part:03}.npy"
        np.save(unfinished, images)
        unfinished.rename(options.folder / f"part-{part:03}.npy")


if __name__ == "__main__":
    main()
