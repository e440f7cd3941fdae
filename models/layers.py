"""What the networks that look at pictures are built of."""

from torch import Tensor, nn
from torch.nn import functional


def layer(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """A look at each pixel and the eight around it."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


def doubled(maps: Tensor) -> Tensor:
    """Twice as wide and high."""
    return functional.interpolate(maps, scale_factor=2.0, mode="nearest")
