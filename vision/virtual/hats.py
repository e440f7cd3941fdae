"""Hats and hair for the people on the cards."""

from collections.abc import Callable

import numpy as np

from vision.virtual.drawing import Rgb, Shape, ellipse, points, smooth
from vision.virtual.ink import INK, outlined_stroke, stroke, tone
from vision.virtual.sitter import HEAD, Sitter, inked


def _hat_bun(s: Sitter) -> list[Shape]:
    x, y = HEAD
    return [
        inked(ellipse(x, y - 18, 7, 5.5), s.hair),
        *outlined_stroke(1.4, (214, 170, 60), (x - 12, y - 16), (x + 12, y - 20)),
        inked(ellipse(x - 12, y - 16, 2, 2), s.trim),
    ]


def _hat_topknot(s: Sitter) -> list[Shape]:
    x, y = HEAD
    return [
        inked(
            smooth(
                points((x - 4, y - 14), (x - 5, y - 24), (x + 2, y - 29), (x + 7, y - 22), (x + 4, y - 14))
            ),
            s.hair,
        ),
        inked(points((x - 5, y - 17), (x + 5, y - 17), (x + 5, y - 13), (x - 5, y - 13)), s.trim),
        stroke(1.4, s.hair, (x + 9, y - 8), (x + 14, y + 4), (x + 13, y + 18)),
        stroke(1.4, s.hair, (x - 9, y - 8), (x - 13, y + 4), (x - 12, y + 16)),
    ]


def _hat_cone(s: Sitter) -> list[Shape]:
    x, y = HEAD
    straw: Rgb = (214, 178, 112)
    brim = smooth(
        points(
            (x - 27, y - 5),
            (x - 12, y - 17),
            (x, y - 27),
            (x + 12, y - 17),
            (x + 27, y - 5),
            (x + 12, y - 6.5),
            (x, y - 7),
            (x - 12, y - 6.5),
        )
    )
    ribs = [stroke(0.8, (132, 98, 48), (x, y - 26), (x + dx, y - 7)) for dx in (-20, -12, -5, 3, 11, 19)]
    return [
        inked(brim, straw),
        *ribs,
        stroke(1.3, s.trim, (x - 11, y - 5), (x - 8, y + 12)),
        stroke(1.3, s.trim, (x + 11, y - 5), (x + 8, y + 12)),
    ]


def _hat_circlet(s: Sitter) -> list[Shape]:
    x, y = HEAD
    band = smooth(
        points((x - 12, y - 9), (x, y - 14), (x + 12, y - 9), (x + 12, y - 5), (x, y - 10), (x - 12, y - 5))
    )
    return [
        inked(ellipse(x - 5, y - 17, 6, 4.5), s.hair),
        inked(ellipse(x + 5, y - 17, 6, 4.5), s.hair),
        inked(band, (150, 98, 50)),
        inked(ellipse(x, y - 12, 2.8, 2.8), (86, 142, 92)),
    ]


def _hat_pins(s: Sitter) -> list[Shape]:
    x, y = HEAD
    loops = [inked(ellipse(x + dx, y - 16, 5, 6), s.hair) for dx in (-9, 0, 9)]
    flowers = [
        inked(ellipse(x + dx, y - 12, 2.4, 2.4), c) for dx, c in ((-11, (226, 96, 110)), (11, (240, 200, 90)))
    ]
    return [*loops, *flowers, *outlined_stroke(1.2, (222, 186, 80), (x + 4, y - 18), (x + 18, y - 24))]


def _hat_scarf(s: Sitter) -> list[Shape]:
    x, y = HEAD
    wrap = smooth(
        points((x - 13, y - 4), (x - 12, y - 14), (x, y - 20), (x + 12, y - 14), (x + 13, y - 4), (x, y - 9))
    )
    knot = smooth(points((x + 11, y - 8), (x + 20, y - 12), (x + 18, y - 4)))
    return [
        inked(knot, tone(s.trim, 0.85)),
        inked(wrap, s.trim),
        stroke(0.9, tone(s.trim, 0.55), (x - 10, y - 11), (x, y - 13), (x + 10, y - 10)),
    ]


def _hat_band(s: Sitter) -> list[Shape]:
    x, y = HEAD
    band = points((x - 11.5, y - 9), (x + 11.5, y - 9), (x + 11.5, y - 5), (x - 11.5, y - 5))
    tails = [stroke(2.4, s.trim, (x + 11, y - 7), (x + 19, y - 2), (x + 22, y + 8))]
    return [
        inked(smooth(points((x - 9, y - 13), (x - 5, y - 21), (x + 5, y - 21), (x + 9, y - 13))), s.hair),
        *tails,
        inked(band, s.trim),
    ]


def _hat_fur(_: Sitter) -> list[Shape]:
    x, y = HEAD
    angles = np.linspace(np.pi, 2 * np.pi, 13)
    spikes = np.stack(
        [
            x + np.where(np.arange(13) % 2, 16, 13) * np.cos(angles),
            y - 6 + np.where(np.arange(13) % 2, 17, 13) * np.sin(angles),
        ],
        1,
    )
    fur: Rgb = (128, 92, 60)
    return [
        inked(spikes.astype(np.float32), fur),
        inked(
            smooth(
                points(
                    (x - 15, y - 8),
                    (x, y - 12),
                    (x + 15, y - 8),
                    (x + 14, y - 2),
                    (x, y - 6),
                    (x - 14, y - 2),
                )
            ),
            tone(fur, 1.3),
        ),
    ]


def _hat_helmet(s: Sitter) -> list[Shape]:
    x, y = HEAD
    steel: Rgb = (134, 138, 142)
    dome = smooth(
        points((x - 13, y - 4), (x - 11, y - 16), (x, y - 22), (x + 11, y - 16), (x + 13, y - 4), (x, y - 8))
    )
    flaps = [
        inked(
            points((x + d * 10, y - 5), (x + d * 14, y - 4), (x + d * 13, y + 10), (x + d * 9, y + 8)),
            tone(steel, 0.8),
        )
        for d in (-1, 1)
    ]
    return [
        *outlined_stroke(2.0, s.trim, (x, y - 21), (x + 3, y - 30), (x + 12, y - 28)),
        inked(dome, steel),
        *flaps,
        stroke(1.0, INK, (x, y - 21), (x, y - 8)),
    ]


def _hat_crest(s: Sitter) -> list[Shape]:
    x, y = HEAD
    feathers = [
        inked(
            smooth(
                points(
                    (x + dx * 0.3, y - 12),
                    (x + dx - 3, y - 26),
                    (x + dx * 1.15, y - 33),
                    (x + dx + 3, y - 24),
                )
            ),
            c,
        )
        for dx, c in ((-14, (170, 44, 36)), (-5, (222, 190, 110)), (5, (170, 44, 36)), (14, (222, 190, 110)))
    ]
    return [
        *feathers,
        inked(
            points(
                (x - 13, y - 6), (x - 13, y - 14), (x, y - 18), (x + 13, y - 14), (x + 13, y - 6), (x, y - 9)
            ),
            s.trim,
        ),
        inked(ellipse(x, y - 12.5, 2.6, 2.6), (170, 44, 36)),
    ]


HATS: dict[str, Callable[[Sitter], list[Shape]]] = {
    "bun": _hat_bun,
    "topknot": _hat_topknot,
    "cone": _hat_cone,
    "circlet": _hat_circlet,
    "pins": _hat_pins,
    "scarf": _hat_scarf,
    "band": _hat_band,
    "fur": _hat_fur,
    "helmet": _hat_helmet,
    "crest": _hat_crest,
    "none": lambda _: [],
}
