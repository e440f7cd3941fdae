"""Goes on with a reader as one that looks further: at first it answers the same, then it learns.

python -m models.numbers.grow POOL SHALLOW.onnx STATE && python -m models.numbers.train POOL --state STATE
"""

import argparse
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from models.numbers.drawn import drawn
from models.numbers.train import Deeper, Numbers
from models.take_up import take_up

_EXAMPLES = 60
"""Groups of samples that tell how what a layer gives is spread."""


@torch.no_grad()
def grow(shallow: Numbers, net: Numbers) -> None:
    """What both have stays; the further looks add nothing at first."""
    layers = iter(shallow.seeing)
    net.fine.load_state_dict(shallow.fine.state_dict())
    before: nn.Module | None = None
    for layer in net.seeing:
        if isinstance(layer, Deeper) and isinstance(before, Deeper):
            norm = layer.second[1]
            assert isinstance(norm, nn.BatchNorm2d)
            norm.weight.zero_()
        else:
            layer.load_state_dict(next(layers).state_dict())
        before = layer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("shallow", type=Path)
    parser.add_argument("state", type=Path)
    options = parser.parse_args()
    torch.manual_seed(1)
    groups = islice(drawn(options.pool, 1), _EXAMPLES)
    example = torch.from_numpy(np.concatenate([sample["image"] for sample in groups]))
    shallow, net = Numbers(further=0), Numbers()
    take_up(shallow, options.shallow, example)
    grow(shallow, net)
    net.eval()
    with torch.no_grad():
        off = float((shallow(example) - net(example)).abs().max())
    print(f"answers differ by {off:.2g} at most")
    torch.save(net.state_dict(), options.state)


if __name__ == "__main__":
    main()
