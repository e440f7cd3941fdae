"""Draws a table as SVG: symbols, cards and board from the data of the virtual table, flat as on paper."""

import random
import re
import zlib
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Final

import vision
from vision.anatomy import Anatomy, Area, Material, Slot, place_fields
from vision.cards import CardFacts, CardKind, Item
from vision.table import Rect
from vision.virtual.boardart import BoardArt, Channel, Wood

UNIT: Final = 1000
"""Coordinates are thousandths of the board's width."""
SYMBOLS: Final = Path(vision.__file__).parent / "symbols"

INK: Final = "#211c19"
_MATERIALS: Final = {
    Material.WOOD: "#8a6238",
    Material.CLOTH: "#b93a26",
    Material.PAPER: "#e7d6ae",
    Material.NONE: "none",
}
_GROUNDS: Final = {
    "portrait": ("#dfe5d6", "#b9c9a4"),
    "warrior": ("#e8cdb2", "#b4704c"),
    "river": ("#7fc0cf", "#1f8ba5"),
    "village": ("#dfe0b8", "#8fa75f"),
    "scroll": ("#efe4c8", "#d2b98a"),
}
_BACKS: Final = {
    "bamboo-ring": ("#d9d8cf", "#7d8a52"),
    "crossed-swords": ("#a8352a", "#4d1410"),
    "wooded": ("#7f9a55", "#4c6a34"),
    "river-stones": ("#6fb3c4", "#3a6f80"),
    "seal": ("#e4d3a6", "#9a3322"),
}
_ROBES: Final = ("#9a3b2e", "#2f6f86", "#6b7f3a", "#7a5488", "#b5792a", "#3f4d63", "#a0566a", "#4f8a78")


def symbol_names(folder: Path = SYMBOLS) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.svg")))


def symbol(name: str, folder: Path = SYMBOLS) -> str:
    """One of our symbols, to be used as `#s-name`."""
    text = (folder / f"{name}.svg").read_text(encoding="utf-8")
    inner = re.sub(r"<title>.*?</title>|\n\s*", "", text.partition(">")[2].rpartition("</svg>")[0])
    return (
        f'<symbol id="s-{name}" viewBox="0 0 64 64">'
        f'<g stroke-linecap="round" stroke-linejoin="round">{inner}</g></symbol>'
    )


def use(name: str, x: float, y: float, size: float, extra: str = "") -> str:
    """A symbol by its centre."""
    return (
        f'<use href="#s-{escape(name)}" x="{x - size / 2:.1f}" y="{y - size / 2:.1f}" '
        f'width="{size:.1f}" height="{size:.1f}"{extra}/>'
    )


def board(art: BoardArt) -> str:
    height = art.height * UNIT
    parts = [
        f'<rect class="land" width="{UNIT}" height="{height:.0f}" rx="10"/>',
        *(_wood(wood) for wood in art.woods),
    ]
    if art.river is not None:
        parts.append(_river(*art.river))
    parts += [_channel(channel) for channel in art.channels]
    parts += [_box(area, "tab", 5) for area in art.tabs]
    parts += [_box(area, "outline", 6) for area in art.outlines]
    parts += [_box(area, "clearing", 14) for area in art.clearings]
    parts += [f'<polyline class="thread" points="{_points(line)}"/>' for line in art.lines]
    for circle in art.circles:
        parts.append(
            f'<circle class="place" cx="{circle.x * UNIT:.1f}" cy="{circle.y * UNIT:.1f}" '
            f'r="{circle.radius * UNIT:.1f}"/>'
        )
    for square in art.squares:
        parts.append(_box(square.area, "place", 3))
        x, y = square.area.centre
        parts.append(_item(square.item, Slot(x, y, 0.8 * square.area.width), UNIT, UNIT))
    for row in art.rows:
        for number, item in enumerate(row.items):
            parts.append(_item(item, Slot(row.x + number * row.step, row.y, row.size), UNIT, UNIT))
    if art.fold_x is not None:
        x = art.fold_x * UNIT
        parts.append(f'<line class="fold" x1="{x:.0f}" y1="0" x2="{x:.0f}" y2="{height:.0f}"/>')
    return "".join(parts)


def _points(line: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x * UNIT:.1f},{y * UNIT:.1f}" for x, y in line)


def _box(area: Rect, name: str, radius: float) -> str:
    return (
        f'<rect class="{name}" x="{area.x0 * UNIT:.1f}" y="{area.y0 * UNIT:.1f}" '
        f'width="{area.width * UNIT:.1f}" height="{area.height * UNIT:.1f}" rx="{radius}"/>'
    )


def _wood(wood: Wood) -> str:
    """Trees as round crowns, thrown by an even hand; one path for all of them keeps the page small."""
    rng = random.Random(f"{wood.area}")
    crowns: list[str] = []
    for _ in range(wood.trees):
        radius = rng.uniform(5, 9)
        x = rng.uniform(wood.area.x0, wood.area.x1) * UNIT
        y = rng.uniform(wood.area.y0, wood.area.y1) * UNIT
        crowns.append(f"M{x - radius:.0f} {y:.0f}a{radius:.0f} {radius:.0f} 0 1 0 {2 * radius:.0f} 0"
                      f"a{radius:.0f} {radius:.0f} 0 1 0 -{2 * radius:.0f} 0")  # fmt: skip
    return f'<path class="wood {escape(wood.shade)}" d="{"".join(crowns)}"/>'


def _river(top: float, bottom: float) -> str:
    rng = random.Random("river")

    def shore(y: float) -> list[tuple[float, float]]:
        return [(x, y * UNIT + rng.uniform(-3, 3)) for x in range(0, UNIT + 1, 40)]

    upper, lower = shore(top), shore(bottom)
    outline = " ".join(f"{x:.0f},{y:.0f}" for x, y in [*upper, *reversed(lower)])
    ripples = "".join(
        f"M{rng.uniform(10, 960):.0f} {rng.uniform(top * UNIT + 8, bottom * UNIT - 8):.0f}q8 -5 16 0t16 0"
        for _ in range(46)
    )
    return f'<polygon class="river" points="{outline}"/><path class="ripple" d="{ripples}"/>'


def _channel(channel: Channel) -> str:
    (x0, y0), (x1, y1) = channel.start, channel.end
    return (
        f'<path class="channel" d="M{x0 * UNIT:.0f} {y0 * UNIT:.0f}'
        f'Q{x0 * UNIT + 8:.0f} {y1 * UNIT + 8:.0f} {x1 * UNIT:.0f} {y1 * UNIT:.0f}"/>'
    )


def card_face(facts: CardFacts, anatomy: Anatomy, width: float, height: float) -> str:
    """The front of a card, its corner at the origin; a kind without anatomy is a plain sheet."""
    sheet = _sheet(width, height, "#f3ead2")
    if facts.kind not in anatomy:
        return sheet
    card = anatomy[facts.kind]
    parts = [sheet, _picture(facts, card.ground, card.picture, width, height)]
    if card.bar_y is not None:
        parts.append(
            f'<rect x="3" y="{card.bar_y * height - 2.5:.1f}" width="{width - 6:.1f}" height="5" rx="2" '
            f'fill="#a98c4f" stroke="{INK}" stroke-width=".8"/>'
        )
    if card.strip is not None:
        parts.append(_area(card.strip, width, height, "#f6efdb"))
    for field in place_fields(anatomy, facts):
        if field.area is not None and field.material is not Material.NONE and field.area.y1 > field.area.y0:
            parts.append(_area(field.area, width, height, _MATERIALS[field.material]))
        parts += [_item(item, slot, width, height) for item, slot in field.slots]
    for mark in card.marks:
        x, y = mark.x * width, mark.y * height
        turn = f' transform="rotate({mark.turn_deg:.0f} {x:.1f} {y:.1f})"' if mark.turn_deg else ""
        parts.append(use(mark.symbol, x, y, mark.size * width, turn))
    if card.stone is not None and facts.stone is not None:
        parts.append(
            _stone(card.stone.x * width, card.stone.y * height, card.stone.radius * width, facts.stone)
        )
    return "".join(parts)


def card_back(kind: CardKind, anatomy: Anatomy, width: float, height: float) -> str:
    if kind not in anatomy:
        return _sheet(width, height, "#d9d8cf")
    back = anatomy[kind].back
    ground, ink = _BACKS.get(back.art, ("#d9d8cf", "#7d8a52"))
    x, y, r = width / 2, height / 2, width * 0.3
    parts = [
        _sheet(width, height, ground),
        f'<rect x="6" y="6" width="{width - 12:.1f}" height="{height - 12:.1f}" rx="6" fill="none" '
        f'stroke="{ink}" stroke-width="1.6" stroke-dasharray="7 3"/>',
    ]
    if back.art == "wooded":
        parts.append(_wooded(width, height, ink))
    elif back.art == "crossed-swords":
        parts.append(
            f'<path d="M{x - r} {y - r}L{x + r} {y + r}M{x + r} {y - r}L{x - r} {y + r}" stroke="#f0dcb4" '
            f'stroke-width="7" stroke-linecap="round"/>'
            f'<path d="M{x - r * 0.5} {y + r * 0.9}l-9 -9M{x + r * 0.5} {y + r * 0.9}l9 -9" stroke="#f0dcb4" '
            f'stroke-width="6" stroke-linecap="round"/>'
        )
    else:
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="{r:.1f}" fill="none" stroke="{ink}" stroke-width="6"/>'
            f'<circle cx="{x}" cy="{y}" r="{r * 0.72:.1f}" fill="none" stroke="{ink}" stroke-width="1.4"/>'
            f'<path d="M{x - 14} {y + 12}q14 -34 28 0z" fill="{ink}"/>'
            f'<circle cx="{x}" cy="{y - 14}" r="8" fill="{ink}"/>'
        )
    parts += [_item(item, slot, width, height) for item, slot in back.items]
    return "".join(parts)


def _sheet(width: float, height: float, fill: str) -> str:
    return (
        f'<rect width="{width:.1f}" height="{height:.1f}" rx="8" fill="{fill}" '
        f'stroke="{INK}" stroke-width="1.6"/>'
    )


def _area(area: Area, width: float, height: float, fill: str) -> str:
    return (
        f'<rect x="{area.x0 * width:.1f}" y="{area.y0 * height:.1f}" '
        f'width="{(area.x1 - area.x0) * width:.1f}" height="{(area.y1 - area.y0) * height:.1f}" rx="2" '
        f'fill="{fill}" stroke="{INK}" stroke-width=".8"/>'
    )


def _item(item: Item, slot: Slot, width: float, height: float) -> str:
    """A printed item; a count is written on it, or shown as that many where the slot is that wide."""
    x, y, size = slot.x * width, slot.y * height, slot.size * width
    if slot.extent > 1 and item.count > 1:
        step = size * (slot.extent - 1) / (item.count - 1)
        first = x - step * (item.count - 1) / 2
        return "".join(use(item.kind, first + n * step, y, size) for n in range(item.count))
    drawn = use(item.kind, x, y, size)
    label = f"+{item.count}" if item.count != 1 else "" if item.number is None else str(item.number)
    if label:
        drawn += (
            f'<text class="printed" x="{x:.1f}" y="{y + size * 0.16:.1f}" '
            f'font-size="{size * 0.46:.1f}">{label}</text>'
        )
    return drawn


def _stone(x: float, y: float, radius: float, number: int) -> str:
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="#a9a69d" stroke="{INK}" stroke-width="1"/>'
        f'<text class="stone" x="{x:.1f}" y="{y + 3.4:.1f}" font-size="9.5">{number:d}</text>'
    )


def _picture(facts: CardFacts, ground: str, area: Area, width: float, height: float) -> str:
    light, dark = _GROUNDS.get(ground, _GROUNDS["scroll"])
    x0, y0 = area.x0 * width + 3, area.y0 * height + 3
    w, h = (area.x1 - area.x0) * width - 6, (area.y1 - area.y0) * height - 6
    rng = random.Random(zlib.crc32((facts.picture or facts.id).encode()))
    parts = [f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{w:.1f}" height="{h:.1f}" rx="6" fill="{light}"/>']
    if ground in ("portrait", "warrior"):
        parts += _person(x0, y0, w, h, dark, rng, armed=ground == "warrior")
    elif ground == "river":
        for _ in range(9):
            x, y = x0 + rng.uniform(4, w - 40), y0 + rng.uniform(60, h - 44)
            parts.append(
                f'<path d="M{x:.0f} {y:.0f}q8 -5 16 0t16 0" fill="none" stroke="{dark}" stroke-width="2"/>'
            )
    elif ground == "scroll":
        parts.append(use("turtle", x0 + w / 2, y0 + h / 2, min(w, h) * 0.62, ' opacity=".55"'))
    elif ground == "village":
        parts.append(_wooded(width, height * 0.74, dark))
    return "".join(parts)


def _person(
    x0: float, y0: float, w: float, h: float, hill: str, rng: random.Random, *, armed: bool
) -> Iterator[str]:
    """Hills, and a figure that differs by hat, robe and beard: enough to know a face again."""
    x, y = x0 + w * (0.60 if not armed else 0.48), y0 + h * 0.44
    robe = "#5d2a20" if armed else rng.choice(_ROBES)
    foot = y0 + h
    yield (
        f'<path d="M{x0:.0f} {foot:.0f}v-{h * 0.34:.0f}q{w * 0.25:.0f} -{rng.uniform(14, 30):.0f} '
        f"{w * 0.5:.0f} -4t{w * 0.5:.0f} {rng.uniform(-6, 6):.0f}V{foot:.0f}z"
        f'" fill="{hill}"/>'
    )
    yield (
        f'<path d="M{x - 34:.0f} {foot:.0f}c2 -40 12 -50 34 -52c22 2 32 12 34 52z" '
        f'fill="{robe}" stroke="{INK}" stroke-width="2"/>'
        f'<path d="M{x - 9:.0f} {foot - 50:.0f}l9 20l9 -20" fill="none" stroke="#f0e2c2" stroke-width="3.5"/>'
    )
    yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="16" fill="#e3b98d" stroke="{INK}" stroke-width="2"/>'
    yield f'<path d="M{x - 7:.0f} {y:.0f}h5M{x + 3:.0f} {y:.0f}h5" stroke="{INK}" stroke-width="2.4"/>'
    if rng.random() < 0.5:
        beard = rng.choice(("#eee7da", INK))
        yield f'<path d="M{x - 8:.0f} {y + 8:.0f}q8 22 16 0q-8 5 -16 0z" fill="{beard}"/>'
    hats = (
        f"M{x - 24:.0f} {y - 6:.0f}L{x:.0f} {y - 28:.0f}L{x + 24:.0f} {y - 6:.0f}z",
        f"M{x - 17:.0f} {y - 5:.0f}q0 -20 17 -20t17 20z",
        f"M{x - 16:.0f} {y - 7:.0f}q4 -12 10 -12q0 -10 6 -10t6 10q8 0 10 12z",
        f"M{x - 18:.0f} {y - 5:.0f}l4 -16h28l4 16z",
    )
    fill = "#7c2119" if armed else rng.choice(("#caa765", "#3b332b", "#8c8f94", "#b98f4a"))
    yield f'<path d="{rng.choice(hats)}" fill="{fill}" stroke="{INK}" stroke-width="2"/>'
    if armed:
        yield (
            f'<path d="M{x + 37:.0f} {foot - 2:.0f}V{y - 26:.0f}l5 -13l5 13v4h-10" fill="#c9c9c4" '
            f'stroke="{INK}" stroke-width="2"/>'
        )


def _wooded(width: float, height: float, ink: str) -> str:
    rng = random.Random("wooded")
    crowns = []
    for _ in range(16):
        x, y, r = rng.uniform(14, width - 14), rng.uniform(14, height * 0.45), rng.uniform(6, 11)
        crowns.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.0f}"/>')
    return f'<g fill="{ink}" stroke="{INK}" stroke-width=".8">{"".join(crowns)}</g>'
