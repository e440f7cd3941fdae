"""Goes on with a reader of 32 × 32 pixels as one of 64 × 64: at first it answers the same, then it learns.

python -m models.numbers.grow POOL COARSE.onnx STATE && python -m models.numbers.train POOL --state STATE
"""

import argparse
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.numbers.data import PLACES, SIGNS, samples
from models.numbers.train import Numbers, reading, scaled, seeing
from models.take_up import take_up

_KNOWN = 16
"""Features of the coarse reader's first look."""
_EXAMPLES = 60
"""Groups of samples that tell how what a layer gives is spread."""


class Coarse(nn.Module):
    """The network up to November 2026."""

    def __init__(self) -> None:
        super().__init__()
        self.first = seeing(3, _KNOWN)
        self.seeing = nn.Sequential(nn.MaxPool2d(2), seeing(_KNOWN, 32), *reading())

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        answer: torch.Tensor = self.seeing(self.first(scaled(image)))
        return answer.reshape(-1, PLACES, SIGNS)


@torch.no_grad()
def grow(coarse: Coarse, net: Numbers) -> None:
    """Each weight of the first look is shared out to the four pixels that stand for one; new features are
    not listened to at first."""
    conv, norm = net.fine[0], net.fine[1]
    known_conv, known_norm = coarse.first[0], coarse.first[1]
    assert isinstance(conv, nn.Conv2d)
    assert isinstance(known_conv, nn.Conv2d)
    conv.weight[:_KNOWN] = known_conv.weight.repeat_interleave(2, 2).repeat_interleave(2, 3) / 4
    for name, value in norm.state_dict().items():
        if value.ndim:
            value[:_KNOWN] = known_norm.state_dict()[name]
    state = net.seeing.state_dict()
    for name, value in coarse.seeing.state_dict().items():
        if value.shape == state[name].shape:
            state[name].copy_(value)
        else:  # the layer that reads the first look's features
            state[name].zero_()
            state[name][:, :_KNOWN] = value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("coarse", type=Path)
    parser.add_argument("state", type=Path)
    options = parser.parse_args()
    torch.manual_seed(1)
    fine = torch.from_numpy(
        np.concatenate([sample["image"] for sample in islice(samples(options.pool, 1), _EXAMPLES)])
    )
    halved = functional.avg_pool2d(fine.permute(0, 3, 1, 2).float(), 2).permute(0, 2, 3, 1)
    coarse, net = Coarse(), Numbers()
    take_up(coarse, options.coarse, halved)
    grow(coarse, net)
    net.eval()
    with torch.no_grad():
        off = float((coarse(halved) - net(fine)).abs().max())
    print(f"answers differ by {off:.2g} at most")
    torch.save(net.state_dict(), options.state)


if __name__ == "__main__":
    main()
