"""Reads the numbers on stones, turtles and tags: a glance first, more looks where it leaves a doubt."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from vision.cuts import NUMBER_LOOKS, Original, cut_number, cut_number_looks
from vision.evidence import Floats, number_distributions
from vision.frame import BgrImage
from vision.networks import Networks

NumberPlace: TypeAlias = tuple[BgrImage | Original, float, float, float]
"""A card, and x, y and size of what carries a number there."""

_CLEAR = 0.9
"""A number at least so likely at a glance is not looked at again: of 702 numbers that changed one answer."""
_WORTH_A_LOOK = 0.3
"""And where a number less likely stands at all, a glance is enough."""


def read_numbers(
    networks: Networks,
    places: Sequence[NumberPlace],
    chances: Sequence[float] | None = None,
) -> Floats:
    """Of carriers at x, y and of a size on a card, over 0 to 199 and none.

    A glance is enough for most; what it leaves in doubt is also looked at from a little aside, unless hardly
    any chance is given that a number stands there at all.
    """
    glances = networks.run("numbers", np.stack([cut_number(*place) for place in places]))
    shares = number_distributions(glances)
    doubtful = np.flatnonzero(shares.max(axis=1) < _CLEAR)
    if chances is not None:
        doubtful = doubtful[np.asarray(chances)[doubtful] >= _WORTH_A_LOOK]
    if len(doubtful):
        looks = [cut for k in doubtful for cut in cut_number_looks(*places[int(k)])[1:]]
        more = networks.run("numbers", np.stack(looks))
        more = more.reshape(len(doubtful), NUMBER_LOOKS - 1, *more.shape[1:])
        signs = np.concatenate([glances[doubtful][:, None], more], axis=1)
        shares[doubtful] = number_distributions(signs.reshape(-1, *signs.shape[2:]), NUMBER_LOOKS)
    return shares
