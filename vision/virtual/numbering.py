"""Where the number sits on a symbol that carries one, and in which ink: not the same in every drawing."""

from dataclasses import dataclass

import numpy as np

from vision.virtual.digits import number_shapes
from vision.virtual.drawing import Rgb, Shape
from vision.virtual.looks import GlyphLook
from vision.virtual.variants import is_written_on_tablet

_WHITE: Rgb = (255, 250, 240)
_DARK: Rgb = (34, 28, 26)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberPlace:
    """In the units of the symbol's box of 64 × 64."""

    centre: tuple[float, float]
    height: float
    widest: float
    colour: Rgb
    rim: Rgb | None = None
    """A thin edge around the digits."""


_HOUSE_PLACES: dict[str, NumberPlace] = {
    "draw": NumberPlace(centre=(42.0, 36.5), height=17.0, widest=27.0, colour=_WHITE),
    "draw-pile": NumberPlace(centre=(31.5, 39.0), height=24.0, widest=36.0, colour=_WHITE),
    "barbarian": NumberPlace(centre=(31.5, 39.0), height=24.0, widest=36.0, colour=_WHITE),
    "turtle": NumberPlace(centre=(32.0, 33.5), height=20.0, widest=29.0, colour=(38, 30, 22)),
    "cards": NumberPlace(centre=(33.5, 33.0), height=24.0, widest=30.0, colour=(178, 30, 28)),
    "stone": NumberPlace(centre=(32.0, 33.0), height=30.0, widest=44.0, colour=(30, 30, 34)),
}
_PLAIN_PLACE = NumberPlace(centre=(32.0, 32.5), height=27.0, widest=40.0, colour=_WHITE, rim=_DARK)
"""Large and in the middle, on every other symbol that carries a number."""
_ON_TAGS = ("draw", "draw-pile", "barbarian")


def number_on(kind: str, text: str, look: GlyphLook) -> tuple[Shape, ...]:
    """The number as ink."""
    place = number_place(kind, look)
    return number_shapes(
        text,
        centre=place.centre,
        height=place.height,
        max_width=place.widest,
        colour=place.colour,
        style=look.numbers,
        rim=place.rim,
    )


def number_place(kind: str, look: GlyphLook) -> NumberPlace:
    """Where the number of a symbol goes, and in which ink."""
    if not look.variant or kind not in _HOUSE_PLACES:
        return _HOUSE_PLACES.get(kind, _PLAIN_PLACE)
    if kind in _ON_TAGS and is_written_on_tablet(look.seed):
        return _on_tablet(kind, look.seed)
    return _HOUSE_PLACES[kind]


def _on_tablet(kind: str, seed: int) -> NumberPlace:
    """Written across a tablet, large, often beyond its right edge: in red on white, in white on colour."""
    rng = np.random.default_rng((seed, 0x7A6))
    white_tablet = kind == "draw"
    shade = float(rng.uniform(0.8, 1.1))
    red: Rgb = (min(255, int(214 * shade)), int(34 * shade), int(32 * shade))
    rims: tuple[Rgb | None, ...] = (None, _WHITE, _DARK) if white_tablet else (None, None, _DARK)
    return NumberPlace(
        centre=(float(rng.uniform(34, 46)), float(rng.uniform(32, 42))),
        height=float(rng.uniform(18, 28)),
        widest=float(rng.uniform(32, 42)),
        colour=red if white_tablet else _WHITE,
        rim=rims[int(rng.integers(3))],
    )
