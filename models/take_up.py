"""Goes on with weights that were written as ONNX: the state of their training need not be kept."""

import math
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

_KEPT = ("Conv", "Gemm", "BatchNormalization")
"""Layers with weights as ONNX calls them; only after a linear layer does a normalisation stand alone."""


@torch.no_grad()
def take_up(network: nn.Module, path: Path, example: Tensor) -> None:
    """Fills a network whose convolutions stand in the file in the order in which they run.

    In the file each normalisation is part of the convolution before it. `example`, a batch as in training,
    tells mean and deviation of what comes out, so that both can be taken apart again without changing it.
    """
    model = onnx.load(str(path))
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    kept = iter([node for node in model.graph.node if node.op_type in _KEPT])
    norms = {conv: norm for conv, norm in _pairs(network) if isinstance(norm, nn.BatchNorm2d)}

    def fill(layer: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        node = next(kept)
        if isinstance(layer, nn.BatchNorm1d):
            own = (layer.weight, layer.bias, layer.running_mean, layer.running_var)
            for value, name in zip(own, node.input[1:], strict=True):
                assert value is not None
                value.copy_(torch.from_numpy(values[name].copy()))
            return
        assert isinstance(layer, nn.Conv2d | nn.Linear)
        layer.weight.copy_(torch.from_numpy(values[node.input[1]].copy()))
        bias = torch.from_numpy(values[node.input[2]].copy())
        norm = norms.get(layer)
        if norm is None:
            assert layer.bias is not None
            layer.bias.copy_(bias)
            return
        assert isinstance(layer, nn.Conv2d)
        out = layer._conv_forward(inputs[0], layer.weight, None)
        mean, variance = out.mean(dim=(0, 2, 3)), out.var(dim=(0, 2, 3))
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.copy_(mean + bias)
        times = _as_new(layer)
        norm.running_mean.copy_(mean * times)
        norm.running_var.copy_(variance * times**2)

    layers = [
        layer for layer in network.modules() if isinstance(layer, nn.Conv2d | nn.Linear | nn.BatchNorm1d)
    ]
    hooks = [layer.register_forward_pre_hook(fill) for layer in layers]
    network.eval()(example)
    for hook in hooks:
        hook.remove()
    left = len(list(kept))
    if left:
        raise SystemExit(f"expected {path.name} to be of this network, found {left} layers too many in it")


def _as_new(layer: nn.Conv2d) -> float:
    """Makes weights before a normalisation as large as new ones are, and tells how many times larger.

    What comes out stays the same, but steps of learning do not: weights that became small by being written
    were changed beyond recognition by the first hundred, and what they knew was lost.
    """
    fan_in = layer.weight[0].numel()
    times = math.sqrt(2 / fan_in) / float(layer.weight.square().mean().sqrt())
    layer.weight.mul_(times)
    return times


def _pairs(network: nn.Module) -> list[tuple[nn.Module, nn.Module]]:
    """Each layer with the one that follows it in its sequence."""
    return [
        pair
        for sequence in network.modules()
        if isinstance(sequence, nn.Sequential)
        for pair in zip(sequence, list(sequence)[1:], strict=False)
    ]
