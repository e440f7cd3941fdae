"""Writes a state of the training as the weights that readers use: python -m models.numbers.write STATE."""

import sys
from pathlib import Path

import torch

from models.export import export
from models.numbers.train import Numbers
from vision.cuts import NUMBER_PX


def write(state: Path) -> Path:
    net = Numbers()
    net.load_state_dict(torch.load(state, weights_only=True))
    return export(net, torch.zeros((1, NUMBER_PX, NUMBER_PX, 3), dtype=torch.uint8), "numbers")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
