"""How a whole card or board is printed: the house style, and any number of others for training."""

import zlib
from dataclasses import dataclass, replace

import numpy as np

from vision.virtual.drawing import Rgb
from vision.virtual.looks import HELD_OUT, GlyphLook, jitter_colour
from vision.virtual.pictures import AS_DRAWN, PictureStyle

_POOL = 160
"""Sampled looks per symbol: many prints, yet few enough that their images stay in the cache."""

_PICTURES = 120
"""Strange pictures in sampled styles, for the same reason."""

_HELD_OUT_PICTURES = (1_000_000, 1_000_120)

_USUAL_HUE = 2.2
"""Materials of training styles stay this near to the house's hue, in spreads; held-out ones stand farther."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceStyle:
    """Everything about a card's print that is not a fact. `FaceStyle()` is the house style."""

    seed: int = 0
    glyph_pool: int = 0
    """How many looks each symbol may have; 0 draws every symbol as in vision/symbols."""
    wood: Rgb = (112, 82, 62)
    cloth: Rgb = (178, 34, 36)
    paper: Rgb = (238, 230, 218)
    bamboo: Rgb = (222, 202, 148)
    border: Rgb = (236, 230, 216)
    border_width: float = 0.012
    """As a share of the card's width."""
    grain: float = 0.5
    """Strength of the textures of wood, cloth and paper."""
    linen: float = 0.25
    """Strength of the linen finish."""
    slot_jitter: float = 0.0
    """How far symbols stand from their slots, as a share of the card's width (standard deviation)."""
    field_shift: tuple[float, float] = (0.0, 0.0)
    """Moves banners, strips and their symbols together, in shares of width and height."""
    glyph_scale: float = 1.0
    picture: PictureStyle = AS_DRAWN
    painterly: float = 0.0
    """Strength of a fine brush texture over the picture."""
    strange_picture: int | None = None
    """Another picture, by seed, in place of the card's own."""

    @classmethod
    def sample(cls, seed: int, *, glyph_pool: int = _POOL, strange_pictures: float = 0.35) -> "FaceStyle":
        """Any print; one with a seed from HELD_OUT on shares no look, hand, hue or picture with others."""
        rng = np.random.default_rng((seed, 0x57))
        house = cls()
        held_out = seed >= HELD_OUT

        def hue_off(spread: float) -> float:
            off = float(rng.normal(0, 1))
            if held_out:
                off = float(np.copysign(_USUAL_HUE + min(abs(off), 1.2), off))
            return spread * float(np.clip(off, -_USUAL_HUE, _USUAL_HUE) if not held_out else off)

        def near(colour: Rgb, hue: float) -> Rgb:
            return jitter_colour(
                colour,
                hue_off(hue),
                float(rng.uniform(0.6, 1.2)),
                float(rng.uniform(0.78, 1.18)),
            )

        pictures = _HELD_OUT_PICTURES if held_out else (0, _PICTURES)
        return replace(
            house,
            seed=seed,
            glyph_pool=glyph_pool,
            wood=near(house.wood, 8),
            cloth=near(house.cloth, 6),
            paper=near(house.paper, 10),
            bamboo=near(house.bamboo, 8),
            border=near(house.border, 10),
            border_width=float(rng.choice([0.0, rng.uniform(0.005, 0.03)])),
            grain=float(rng.uniform(0, 1)),
            linen=float(rng.choice([0.0, rng.uniform(0.1, 0.8)])),
            slot_jitter=float(rng.uniform(0, 0.014)),
            field_shift=(float(rng.normal(0, 0.008)), float(rng.normal(0, 0.01))),
            glyph_scale=float(rng.uniform(0.84, 1.14)),
            picture=PictureStyle.sample(rng),
            painterly=float(rng.choice([0.0, rng.uniform(0.2, 1.0)])),
            strange_picture=int(rng.integers(*pictures)) if rng.random() < strange_pictures else None,
        )

    def look(self, symbol: str) -> GlyphLook:
        """The look of a symbol: the same everywhere on a card, as in print."""
        if not self.glyph_pool:
            return GlyphLook()
        pick = zlib.crc32(f"{symbol}/{self.seed}".encode()) % self.glyph_pool
        return GlyphLook.sample(pick + (HELD_OUT if self.seed >= HELD_OUT else 0))


HOUSE_STYLE = FaceStyle()
"""How the demo looks."""
