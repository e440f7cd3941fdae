"""Goes on with narrow weights as wider ones: at first they answer the same, then they learn.

python -m models.closer.grow POOL NARROW.onnx STATE
python -m models.closer.train POOL --state STATE
"""

import argparse
import random
from pathlib import Path

import torch
from torch import Tensor, nn

from models.closer.train import NARROW, Closer, Pool, batch
from models.take_up import take_up


@torch.no_grad()
def widen(narrow: nn.Module, wide: nn.Module) -> None:
    """What both have stays; what is new counts for nothing at first."""
    known = narrow.state_dict()
    for name, value in wide.state_dict().items():
        _put_in(value, known[name])


def _put_in(value: Tensor, known: Tensor) -> None:
    corner = tuple(slice(size) for size in known.shape)
    if value.dim() > 1:
        value[: known.shape[0], known.shape[1] :] = 0
    value[corner] = known


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("narrow", type=Path)
    parser.add_argument("state", type=Path)
    options = parser.parse_args()
    torch.manual_seed(1)
    example = batch(Pool(options.pool).learnt, random.Random(1), 1024)[0]
    narrow, wide = Closer(NARROW), Closer()
    take_up(narrow, options.narrow, example)
    widen(narrow, wide)
    narrow.eval(), wide.eval()
    with torch.no_grad():
        off = float((narrow(example) - wide(example)).abs().max())
    print(f"answers differ by {off:.2g} at most")
    torch.save(wide.state_dict(), options.state)


if __name__ == "__main__":
    main()
