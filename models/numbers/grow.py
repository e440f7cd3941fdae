"""Goes on with a reader of fewer looks as one of more: at first it answers the same, then it learns.

python -m models.numbers.grow POOL SHALLOW.onnx STATE && python -m models.numbers.train POOL --state STATE
"""

import argparse
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from models.numbers.data import samples
from models.numbers.drawn import are_drawn, drawn
from models.numbers.train import Deeper, Numbers
from models.take_up import take_up

_KNOWN = 1
"""Further looks that the shallow reader takes at each size."""
_EXAMPLES = 60
"""Groups of samples that tell how what a layer gives is spread."""


@torch.no_grad()
def grow(shallow: Numbers, net: Numbers) -> None:
    """New looks add nothing at first."""
    known = shallow.state_dict()
    net.load_state_dict(known, strict=False)
    for name, layer in net.named_modules():
        if isinstance(layer, Deeper) and f"{name}.second.1.weight" not in known:
            norm = layer.second[1]
            assert isinstance(norm, nn.BatchNorm2d)
            norm.weight.zero_()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("shallow", type=Path)
    parser.add_argument("state", type=Path)
    options = parser.parse_args()
    torch.manual_seed(1)
    source = drawn if are_drawn(options.pool) else samples
    example = torch.from_numpy(
        np.concatenate([sample["image"] for sample in islice(source(options.pool, 1), _EXAMPLES)])
    )
    shallow, net = Numbers(_KNOWN), Numbers()
    take_up(shallow, options.shallow, example)
    grow(shallow, net)
    net.eval()
    with torch.no_grad():
        off = float((shallow(example) - net(example)).abs().max())
    print(f"answers differ by {off:.2g} at most")
    torch.save(net.state_dict(), options.state)


if __name__ == "__main__":
    main()
