"""Writes pictures of the virtual table: `python -m vision.virtual.show OUT_DIR --game PACKAGE`."""

import argparse
import importlib
import sys
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import cv2

from vision.cards import CardPack
from vision.table import TableLayout, TableView
from vision.virtual.drawn import TableArt, drawn_scene, load_table_art
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.script import HandAt, at_rest
from vision.virtual.source import VirtualSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    layout: TableLayout
    pack: CardPack
    art: TableArt
    before: TableView
    after: TableView


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    example = _example(options.game)
    style = (
        SceneStyle() if options.style == "default" else SceneStyle.sample(options.seed, Split(options.style))
    )
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    scene = drawn_scene(example.layout, example.pack, example.art, style)
    for path in (*_stills(scene, example, options.seed, out), *_moves(scene, example, options.seed, out)):
        print(path)
    return 0


def _stills(scene: Scene, example: Example, seed: int, out: Path) -> list[Path]:
    calm = at_rest(scene.lay(example.before, seed))
    shots = {"calm": calm, "hand": replace(calm, hand=HandAt(x=0.55, y=0.3, z=0.04))}
    return [
        _write(out / f"{name}.png", scene.shoot(state, moment=seed).image) for name, state in shots.items()
    ]


def _moves(scene: Scene, example: Example, seed: int, out: Path) -> list[Path]:
    """Every sixth frame of the way from one view to the next."""
    paths: list[Path] = []
    with VirtualSource(scene, example.before, seed=seed, live=False, frames_per_s=10) as source:
        source.push(example.after)
        while source.waiting and len(paths) < 24:
            frame = source.read()
            if frame is not None and frame.index % 6 == 5:
                paths.append(_write(out / f"move-{frame.index:03d}.jpg", frame.image))
    return paths


def _write(path: Path, image: Any) -> Path:
    cv2.imwrite(str(path), image)
    return path


def _example(package: str) -> Example:
    """A game is a package that offers KIT: vision itself knows none, so it is named on the command line."""
    kit: Any = importlib.import_module(package).KIT
    game = kit.bind(kit.demo_pack())
    state = game.initial()
    later = game.apply(state, game.legal_actions(state)[0])
    with resources.as_file(resources.files(package)) as folder:
        art = load_table_art(folder)
    return Example(
        layout=game.layout, pack=game.pack, art=art, before=game.view(state), after=game.view(later)
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m vision.virtual.show", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT_DIR", help="folder for the pictures")
    parser.add_argument("--game", required=True, metavar="PACKAGE", help="package of a game that offers KIT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--style", choices=["default", *(split.value for split in Split)], default="default")
    return parser


if __name__ == "__main__":
    sys.exit(main())
