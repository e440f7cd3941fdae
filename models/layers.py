"""What the networks that look at pictures are built of."""

from torch import Tensor, nn
from torch.nn import functional


def layer(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """A look at each pixel and the eight around it."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Refined(nn.Module):
    """Looks twice more and adds what it finds to what was there."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = layer(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, maps: Tensor) -> Tensor:
        return functional.relu(maps + self.second(self.first(maps)))


def doubled(maps: Tensor) -> Tensor:
    """Twice as wide and high."""
    return functional.interpolate(maps, scale_factor=2.0, mode="nearest")
