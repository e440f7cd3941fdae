"""What makes one portrait differ from another, and the stage on which people are drawn."""

from dataclasses import dataclass

from vision.virtual.drawing import Points, Rgb, Shape
from vision.virtual.ink import INK, Pair

# The stage is 100 wide and 118 high. The head is right of the middle: banners hang on the left.
HEAD: Pair = (58.0, 34.0)
_LINE = 1.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """What makes one portrait differ from another."""

    robe: Rgb
    trim: Rgb
    tool: str
    hat: str
    hair: Rgb = (36, 32, 36)
    skin: Rgb = (232, 190, 150)
    beard: bool = False
    long_hair: bool = False
    pattern: str = "none"
    stern: bool = False
    broad: float = 1.0


def inked(contour: Points, fill: Rgb | None, width: float = _LINE, stroke: Rgb = INK) -> Shape:
    return Shape(contours=(contour,), fill=fill, stroke=stroke if width else None, stroke_width=width)


def spread(x: float, broad: float) -> float:
    return 58 + (x - 58) * broad
