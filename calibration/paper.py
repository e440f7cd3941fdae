"""Drawings in millimetres for paper, and a writer that turns them into a PDF: boxes, lines and words only."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

POINTS_PER_MM: Final = 72 / 25.4
_HEAD = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A filled rectangle; x, y is its upper left corner, measured from the paper's."""

    x: float
    y: float
    width: float
    height: float
    grey: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    points: tuple[tuple[float, float], ...]
    width: float = 0.2
    grey: float = 0.0
    dashed: bool = False
    filled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One line; x, y is the left end of its base line, or its middle."""

    x: float
    y: float
    text: str
    height: float = 3.0
    """Of the letters' body, in millimetres."""
    bold: bool = False
    centred: bool = False
    grey: float = 0.0


Drawing: TypeAlias = Box | Stroke | Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    width_mm: float
    height_mm: float
    drawings: tuple[Drawing, ...]


def write_pdf(sheets: Sequence[Sheet], title: str) -> bytes:
    """The same sheets give the same bytes: no date, no chance."""
    objects: list[bytes] = []

    def add(body: bytes) -> int:
        objects.append(body)
        return len(objects)

    catalog = add(b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>")
    pages = add(b"")
    fonts = [add(_font(name)) for name in ("Helvetica", "Helvetica-Bold")]
    kids = []
    for sheet in sheets:
        stream = zlib.compress(_content(sheet).encode("cp1252", "replace"), 9)
        content = add(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(stream), stream))
        size = f"{sheet.width_mm * POINTS_PER_MM:.3f} {sheet.height_mm * POINTS_PER_MM:.3f}"
        kids.append(
            add(
                f"<< /Type /Page /Parent {pages} 0 R /MediaBox [0 0 {size}] /Contents {content} 0 R "
                f"/Resources << /Font << /F1 {fonts[0]} 0 R /F2 {fonts[1]} 0 R >> >> >>".encode()
            )
        )
    references = " ".join(f"{kid} 0 R" for kid in kids)
    objects[pages - 1] = f"<< /Type /Pages /Kids [{references}] /Count {len(kids)} >>".encode()
    about = add(f"<< /Title ({_escaped(title)}) /Producer (Floodwatch) >>".encode("cp1252", "replace"))
    return _file(objects, catalog, about)


def text_width(text: str, height: float, *, bold: bool = False) -> float:
    """About how wide Helvetica sets these words, in millimetres."""
    narrow = sum(text.count(letter) for letter in "iljtfrI.,:;'!|()[]· ")
    wide = sum(text.count(letter) for letter in "mwMW%×—")
    units = 0.28 * narrow + 0.86 * wide + 0.555 * (len(text) - narrow - wide)
    return units * height * (1.06 if bold else 1.0)


def _font(name: str) -> bytes:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()


def _content(sheet: Sheet) -> str:
    # From here on one unit is a millimetre and y runs down, as in the drawings.
    scale = f"{POINTS_PER_MM:.6f}"
    lines = [f"{scale} 0 0 -{scale} 0 {sheet.height_mm * POINTS_PER_MM:.4f} cm", "1 j"]
    lines += _operators(sheet.drawings)
    return "\n".join(lines)


def _operators(drawings: Iterable[Drawing]) -> Iterable[str]:
    for drawing in drawings:
        if isinstance(drawing, Box):
            yield f"{drawing.grey:.3f} g"
            yield f"{drawing.x:.4f} {drawing.y:.4f} {drawing.width:.4f} {drawing.height:.4f} re f"
        elif isinstance(drawing, Stroke):
            (x, y), *rest = drawing.points
            way = f"{x:.4f} {y:.4f} m " + " ".join(f"{px:.4f} {py:.4f} l" for px, py in rest)
            dash = "[1.2 1] 0 d" if drawing.dashed else "[] 0 d"
            paint = "f" if drawing.filled else "S"
            yield f"{drawing.grey:.3f} g {drawing.grey:.3f} G {drawing.width:.3f} w {dash} {way} {paint}"
        else:
            half = text_width(drawing.text, drawing.height, bold=drawing.bold) / 2
            x = drawing.x - (half if drawing.centred else 0)
            font = "F2" if drawing.bold else "F1"
            yield (
                f"BT {drawing.grey:.3f} g /{font} {drawing.height:.3f} Tf "
                f"1 0 0 -1 {x:.4f} {drawing.y:.4f} Tm ({_escaped(drawing.text)}) Tj ET"
            )


def _escaped(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _file(objects: Sequence[bytes], catalog: int, about: int) -> bytes:
    out = bytearray(_HEAD)
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        catalog,
        about,
        start,
    )
    return bytes(out)
