"""Reads the small part of SVG that our own symbols are drawn in, so the page and the table share files."""

import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.virtual.drawing import BgraImage, Drawing, Points, Rgb, Shape, ellipse, rasterise

SYMBOL_DIR = Path(__file__).resolve().parent.parent / "symbols"

_CURVE_STEPS = 10
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_PATH_PART = re.compile(r"([MLHVCQZmlhvcqz])|" + _NUMBER.pattern)
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "Z": 0}
_Matrix = NDArray[np.float64]


class SvgError(VisionError):
    """A drawing uses something outside the subset we render."""


_FOLDERS = [SYMBOL_DIR]


def offer_symbols(folder: Path) -> None:
    """Symbols of a game's own, for as long as the program runs; a name must be new among all of them."""
    if folder in _FOLDERS or not folder.is_dir():
        return
    for path in folder.glob("*.svg"):
        if any((known / path.name).is_file() for known in _FOLDERS):
            raise SvgError(f"expected a new name for the symbol {path}, found another {path.name}")
    _FOLDERS.append(folder)


@lru_cache(maxsize=256)
def load_symbol(name: str) -> Drawing:
    """One of our own symbols by its file name without `.svg`."""
    path = next((path for folder in _FOLDERS if (path := folder / f"{name}.svg").is_file()), None)
    if path is None:
        raise SvgError(f"expected a symbol file {name}.svg in vision/symbols or a game's own, found none")
    return parse_svg(path.read_text(encoding="utf-8"), name=path.name)


@lru_cache(maxsize=512)
def render_symbol(name: str, size_px: int) -> BgraImage:
    """A symbol exactly as drawn, as a square image with alpha. Do not write into the result."""
    return rasterise(load_symbol(name), size_px)


def parse_svg(text: str, *, name: str = "drawing") -> Drawing:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as problem:
        raise SvgError(f"{name} is not well-formed SVG: {problem}") from problem
    box = _numbers(root.get("viewBox", ""))
    if len(box) != 4:
        raise SvgError(f'{name} needs viewBox="0 0 width height", found {root.get("viewBox")!r}')
    return Drawing(box[2], box[3], tuple(_shapes_of(root, np.eye(3), {}, name)))


def _shapes_of(
    element: ElementTree.Element, matrix: _Matrix, inherited: Mapping[str, str], name: str
) -> Iterator[Shape]:
    matrix = matrix @ _transform(element.get("transform", ""), name)
    ink = {**inherited, **{key: element.get(key, "") for key in _INK if element.get(key)}}
    tag = element.tag.rsplit("}", 1)[-1]
    if tag in ("svg", "g"):
        for child in element:
            yield from _shapes_of(child, matrix, ink, name)
    elif tag not in ("title", "desc"):
        pieces = _contours(tag, element, name)
        if pieces:
            yield from _inked(pieces, matrix, ink, name)


_INK = ("fill", "stroke", "stroke-width")


def _inked(
    pieces: list[tuple[Points, bool]], matrix: _Matrix, ink: Mapping[str, str], name: str
) -> Iterator[Shape]:
    moved = [(_moved(contour, matrix), closed) for contour, closed in pieces]
    fill = _colour(ink.get("fill", "#000000"), name)
    stroke = _colour(ink.get("stroke", "none"), name)
    width = float(ink.get("stroke-width", "1")) * math.sqrt(abs(float(np.linalg.det(matrix[:2, :2]))))
    if fill is not None:
        yield Shape(contours=tuple(contour for contour, _ in moved), fill=fill)
    if stroke is not None:
        for wanted in (True, False):
            lines = tuple(contour for contour, closed in moved if closed is wanted)
            if lines:
                yield Shape(contours=lines, stroke=stroke, stroke_width=width, closed=wanted)


def _contours(tag: str, element: ElementTree.Element, name: str) -> list[tuple[Points, bool]]:
    def value(key: str) -> float:
        return float(element.get(key, "0"))

    if tag == "path":
        return parse_path(element.get("d", ""), name=name)
    if tag == "circle":
        return [(ellipse(value("cx"), value("cy"), value("r"), value("r")), True)]
    if tag == "ellipse":
        return [(ellipse(value("cx"), value("cy"), value("rx"), value("ry")), True)]
    if tag == "rect":
        x, y, right, bottom = value("x"), value("y"), value("width"), value("height")
        right, bottom = x + right, y + bottom
        return [(np.array([(x, y), (right, y), (right, bottom), (x, bottom)], np.float32), True)]
    if tag in ("polygon", "polyline"):
        flat = np.array(_numbers(element.get("points", "")), np.float32)
        return [(flat.reshape(-1, 2), tag == "polygon")]
    raise SvgError(f"{name}: <{tag}> is outside the subset of SVG that symbols may use")


def parse_path(text: str, *, name: str = "path") -> list[tuple[Points, bool]]:
    """Contours of a path and whether each is closed; M L H V C Q Z in both cases."""
    pieces: list[tuple[Points, bool]] = []
    trail: list[tuple[float, float]] = []
    for command, numbers in _commands(text, name):
        upper = command.upper()
        if upper == "Z":
            if trail:
                pieces.append((np.array(trail, np.float32), True))
                trail = [trail[0]]
            continue
        if upper == "M":
            if len(trail) > 1:
                pieces.append((np.array(trail, np.float32), False))
            start = trail[-1] if trail else (0.0, 0.0)
            trail = [_target(command, numbers, start)]
            continue
        trail.extend(_segment(command, numbers, trail[-1]))
    if len(trail) > 1:
        pieces.append((np.array(trail, np.float32), False))
    return pieces


def _commands(text: str, name: str) -> Iterator[tuple[str, list[float]]]:
    command, numbers = "", list[float]()
    for match in _PATH_PART.finditer(text):
        if match.group(1):
            if numbers:
                raise SvgError(f"{name}: {command} is followed by {len(numbers)} numbers too many")
            command = match.group(1)
            if command in "Zz":
                yield command, []
            continue
        numbers.append(float(match.group(0)))
        if not command or command in "Zz":
            raise SvgError(f"{name}: a number stands where a path command was expected")
        if len(numbers) == _ARGUMENTS[command.upper()]:
            yield command, numbers
            numbers = []
            # more pairs after a move are lines, as the SVG standard has it
            command = {"M": "L", "m": "l"}.get(command, command)
    if numbers:
        raise SvgError(f"{name}: {command} needs {_ARGUMENTS[command.upper()]} numbers, found {len(numbers)}")


def _target(command: str, numbers: list[float], at: tuple[float, float]) -> tuple[float, float]:
    dx, dy = at if command.islower() else (0.0, 0.0)
    upper = command.upper()
    if upper == "H":
        return (numbers[0] + dx, at[1])
    if upper == "V":
        return (at[0], numbers[0] + dy)
    return (numbers[-2] + dx, numbers[-1] + dy)


def _segment(command: str, numbers: list[float], at: tuple[float, float]) -> list[tuple[float, float]]:
    end = _target(command, numbers, at)
    dx, dy = at if command.islower() else (0.0, 0.0)
    handles = [
        (numbers[i] + dx, numbers[i + 1] + dy)
        for i in range(0, len(numbers) - 2, 2)
        if command.upper() in "CQ"
    ]
    if not handles:
        return [end]
    knots = np.array([at, *handles, end], np.float64)
    t = np.linspace(0, 1, _CURVE_STEPS + 1)[1:, None]
    while len(knots) > 1:  # de Casteljau, for both quadratic and cubic curves
        if knots.ndim == 2:
            knots = np.repeat(knots[:, None, :], _CURVE_STEPS, axis=1)
        knots = knots[:-1] * (1 - t) + knots[1:] * t
    return [(float(x), float(y)) for x, y in knots[0]]


def _transform(text: str, name: str) -> _Matrix:
    matrix = np.eye(3)
    for kind, arguments in re.findall(r"(\w+)\s*\(([^)]*)\)", text):
        values = _numbers(arguments)
        step = np.eye(3)
        if kind == "translate":
            step[:2, 2] = values[0], values[1] if len(values) > 1 else 0.0
        elif kind == "scale":
            step[0, 0], step[1, 1] = values[0], values[-1]
        elif kind == "rotate":
            cos, sin = math.cos(math.radians(values[0])), math.sin(math.radians(values[0]))
            step[:2, :2] = ((cos, -sin), (sin, cos))
            if len(values) == 3:
                centre = np.array(values[1:])
                step[:2, 2] = centre - step[:2, :2] @ centre
        else:
            raise SvgError(f"{name}: transform {kind!r} is outside the subset (translate, scale, rotate)")
        matrix = matrix @ step
    return matrix


def _moved(contour: Points, matrix: _Matrix) -> Points:
    return (contour @ matrix[:2, :2].T + matrix[:2, 2]).astype(np.float32)


def _colour(text: str, name: str) -> Rgb | None:
    if text == "none":
        return None
    if re.fullmatch(r"#[0-9a-fA-F]{6}", text) is None:
        raise SvgError(f"{name}: expected a colour such as #b93a26 or none, found {text!r}")
    return (int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text)]
