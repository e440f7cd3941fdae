"""The mean of two written networks of one kind, the second gone on from the first: what either forgot stays.

python -m models.mean FIRST.onnx SECOND.onnx OUT.onnx, or of two states of a training
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor


def mean_of(first: Path, second: Path) -> onnx.ModelProto:
    """Weight by weight; which layers there are must be the same."""
    model, other = onnx.load(str(first)), onnx.load(str(second))
    weights = {tensor.name: tensor for tensor in other.graph.initializer}
    if [tensor.name for tensor in model.graph.initializer] != list(weights):
        raise SystemExit(f"expected {second.name} to have the layers of {first.name}, found others")
    for tensor in model.graph.initializer:
        one, two = numpy_helper.to_array(tensor), numpy_helper.to_array(weights[tensor.name])
        if one.dtype == np.float32:
            tensor.CopyFrom(numpy_helper.from_array(((one + two) / 2).astype(np.float32), tensor.name))
    return model


def mean_state(first: Path, second: Path) -> dict[str, Tensor]:
    """The same of weights that a training may go on with (`--state`)."""
    one, two = (torch.load(path, weights_only=True) for path in (first, second))
    if list(one) != list(two):
        raise SystemExit(f"expected {second.name} to have the layers of {first.name}, found others")
    return {name: (one[name] + two[name]) / 2 if one[name].is_floating_point() else two[name] for name in one}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    if options.first.suffix == ".onnx":
        onnx.save(mean_of(options.first, options.second), str(options.out))
    else:
        torch.save(mean_state(options.first, options.second), options.out)


if __name__ == "__main__":
    main()
