"""How one player's table looks: mat, light, camera and habits, from families that do not share members."""

import math
import random
from dataclasses import dataclass, field
from enum import Enum

from vision.virtual.camera import Stand
from vision.virtual.hand import HandLook
from vision.virtual.light import Light
from vision.virtual.mats import Mat, Weave
from vision.virtual.pieces import Colour, parse_colour
from vision.virtual.sensor import Sensor


class Split(Enum):
    """Nothing measured on HELD_OUT was ever shown while training."""

    TRAIN = "train"
    HELD_OUT = "held_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneStyle:
    """The default is a pleasant evening: a red mat, a lamp at the left, a camera that leans in a little."""

    stand: Stand = field(default_factory=Stand)
    mat: Mat = field(default_factory=Mat)
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    hand: HandLook = field(default_factory=HandLook)
    sleeves: bool = False
    untidy: float = 0.25
    """How carelessly cards are laid: 0 exactly, 1 turned by up to 12 degrees."""
    faces: int = 0
    """Seed of the drawn faces' own style."""
    faces_split: Split = Split.TRAIN
    card_tone: float = 1.0
    piece_tone: float = 0.06
    """How much pieces of one colour differ."""
    seed: int = 0

    @classmethod
    def sample(cls, seed: int, split: Split = Split.TRAIN) -> "SceneStyle":
        rng = random.Random(f"{split.value}/{seed}")
        family = _FAMILIES[split]
        return cls(
            stand=family.stand(rng),
            mat=family.mat(rng),
            light=family.light(rng),
            sensor=family.sensor(rng),
            hand=family.hand(rng),
            sleeves=rng.random() < family.sleeved,
            untidy=rng.betavariate(1.6, 2.6),
            faces=rng.randrange(1 << 30),
            faces_split=split,
            card_tone=rng.uniform(0.94, 1.04),
            piece_tone=rng.uniform(0.03, 0.12),
            seed=rng.randrange(1 << 30),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Family:
    weaves: tuple[Weave, ...]
    mats: tuple[tuple[str, str], ...]
    """Colour and accent."""
    woods: tuple[tuple[str, str], ...]
    """The same for wooden tops."""
    skins: tuple[str, ...]
    sleeve_colours: tuple[str | None, ...]
    lamps_deg: tuple[tuple[float, float], ...]
    """Sectors around the table from which the lamp shines; 0 is beyond the board, 90 at the right."""
    lenses_deg: tuple[tuple[float, float], ...]
    sizes: tuple[tuple[int, int], ...]
    warmth: tuple[tuple[float, float], ...]
    sleeved: float

    def stand(self, rng: random.Random) -> Stand:
        width, height = rng.choice(self.sizes)
        return Stand(
            width=width,
            height=height,
            fov_deg=_within(rng, self.lenses_deg),
            tilt_deg=45 * rng.betavariate(1.5, 2.2),
            azimuth_deg=rng.gauss(0, 22),
            roll_deg=rng.gauss(0, 2.5),
            k1=rng.uniform(-0.09, 0.03),
            margin=rng.uniform(0.0, 0.07),
            whole=rng.random() < 0.7,
            shift=(rng.gauss(0, 0.02), rng.gauss(0, 0.02)),
        )

    def mat(self, rng: random.Random) -> Mat:
        weave = rng.choice(self.weaves)
        wooden = weave in (Weave.WOOD, Weave.PLANKS)
        colour, accent = (_jitter(rng, text) for text in rng.choice(self.woods if wooden else self.mats))
        glossy = wooden or weave is Weave.MARBLE
        return Mat(
            weave=weave,
            colour=colour,
            accent=accent,
            tile_width=rng.uniform(0.6, 1.3),
            gloss=rng.uniform(0.1, 0.45) if glossy else rng.uniform(0, 0.06),
            seed=rng.randrange(1 << 30),
        )

    def light(self, rng: random.Random) -> Light:

        angle = math.radians(_within(rng, self.lamps_deg))
        reach = rng.uniform(0.7, 2.0)
        return Light(
            position=(0.5 + reach * math.sin(angle), 0.25 - reach * math.cos(angle), rng.uniform(0.9, 2.6)),
            key=rng.uniform(0.3, 0.75),
            softness=rng.uniform(0.05, 0.45),
            warmth=_within(rng, self.warmth),
            exposure=rng.uniform(0.72, 1.12),
            glare=rng.uniform(0.15, 0.8),
            vignetting=rng.uniform(0.0, 0.35),
        )

    def sensor(self, rng: random.Random) -> Sensor:
        return Sensor(
            blur_px=rng.uniform(0.3, 1.15),
            noise=rng.uniform(0.6, 5.0),
            drift=rng.uniform(0.0, 0.015),
            jpeg=rng.randint(72, 96),
        )

    def hand(self, rng: random.Random) -> HandLook:
        sleeve = rng.choice(self.sleeve_colours)
        return HandLook(
            skin=_jitter(rng, rng.choice(self.skins), spread=0.006),
            sleeve=None if sleeve is None else _jitter(rng, sleeve),
            left=rng.random() < 0.25,
            size=rng.uniform(0.82, 1.08),
        )


def _within(rng: random.Random, ranges: tuple[tuple[float, float], ...]) -> float:
    low, high = rng.choice(ranges)
    return rng.uniform(low, high)


def _jitter(rng: random.Random, text: str, spread: float = 0.02) -> Colour:
    level = rng.uniform(0.85, 1.15)
    blue, green, red = (min(1.0, max(0.0, c * level + rng.gauss(0, spread))) for c in parse_colour(text))
    return blue, green, red


_FAMILIES = {
    Split.TRAIN: _Family(
        weaves=(Weave.PLAIN, Weave.CLOTH, Weave.NEOPRENE, Weave.WOOD, Weave.CLOUDS, Weave.CHECK),
        mats=(
            ("#8e1022", "#c22a40"),
            ("#1d1d21", "#3d3d46"),
            ("#1f5c3a", "#3f8a5e"),
            ("#c9b79a", "#a98f6c"),
            ("#e4e1da", "#c9c5bb"),
            ("#22406e", "#4468a3"),
            ("#6d6f73", "#8d9096"),
        ),
        woods=(("#9b6b3f", "#6c4322"), ("#c59a63", "#9a6f3d"), ("#5b3a24", "#3a2415")),
        skins=("#e8c3a8", "#c99474", "#8a5a3f", "#5a3826"),
        sleeve_colours=(None, "#2f3b55", "#7b2630", "#d8d4cc", "#3d3d3d", "#5d7a54"),
        lamps_deg=((-100, -20), (20, 60), (100, 150)),
        lenses_deg=((42, 52), (56, 66)),
        sizes=((1280, 720), (1920, 1080), (1920, 1080), (2560, 1440)),
        warmth=((-0.7, 0.1), (0.3, 0.8)),
        sleeved=0.35,
    ),
    Split.HELD_OUT: _Family(
        weaves=(Weave.FELT, Weave.STARS, Weave.MARBLE, Weave.PLANKS),
        mats=(
            ("#5b1a4a", "#8c3c78"),
            ("#0f4a52", "#2d7d86"),
            ("#b9853a", "#d9ab62"),
            ("#7c8a5a", "#5f6c42"),
            ("#d7c7c9", "#b09a9d"),
        ),
        woods=(("#7a4a2f", "#553020"), ("#d6bd94", "#b3966a"), ("#8f8577", "#6d6458")),
        skins=("#dcae8c", "#a8714f", "#6f452f", "#f0d3bf"),
        sleeve_colours=(None, "#a7562a", "#23483f", "#b9b1c9", "#12141c"),
        lamps_deg=((-20, 20), (60, 100), (150, 210)),
        lenses_deg=((52, 56), (66, 70)),
        sizes=((1600, 900), (1920, 1080), (3840, 2160)),
        warmth=((0.1, 0.3), (-1.0, -0.7)),
        sleeved=0.5,
    ),
}
