"""The networks of a game's own eyes: one that sees a card whole, and one that marks pieces on a flat table."""

from torch import Tensor, nn
from torch.nn import functional


class FromPicture(nn.Module):
    """Takes pictures as the camera gives them: N × height × width × BGR, in bytes."""

    def forward(self, image: Tensor) -> Tensor:
        return image.permute(0, 3, 1, 2).float() / 64.0 - 2.0


class Whole(nn.Module):
    """A small picture in, a row of answers out; what stands where matters, so nothing is averaged away."""

    def __init__(self, size: tuple[int, int], outputs: int, *, narrow: bool = False) -> None:
        super().__init__()
        widths = (16, 32, 40, 48) if narrow else (24, 40, 56, 64)
        last = 24 if narrow else 28
        width, height = size
        shrink = 8 if narrow else 16
        layers: list[nn.Module] = [FromPicture(), nn.Conv2d(3, widths[0], 5, 2, 2, bias=False)]
        layers += [nn.BatchNorm2d(widths[0]), nn.ReLU()]
        for number, (before, after) in enumerate(zip(widths, widths[1:], strict=False)):
            layers += [_layer(before, after), _layer(after, after)]
            if 2 << number < shrink:
                layers.append(nn.MaxPool2d(2))
        layers += [nn.Conv2d(widths[-1], last, 1), nn.ReLU(), nn.Flatten(), nn.Dropout(0.1)]
        layers += [nn.Linear(last * (width // shrink) * (height // shrink), 192), nn.ReLU()]
        self.seeing = nn.Sequential(*layers, nn.Linear(192, outputs))

    def forward(self, image: Tensor) -> Tensor:
        answer: Tensor = self.seeing(image)
        return answer


class Marks(nn.Module):
    """A picture in, a map per kind out, one cell for 4 × 4 pixels."""

    def __init__(self, kinds: int) -> None:
        super().__init__()
        self.picture = FromPicture()
        self.fine = nn.Sequential(_layer(3, 16, 2), _layer(16, 32, 2), _layer(32, 32))
        self.middle = nn.Sequential(_layer(32, 48, 2), _layer(48, 48))
        self.coarse = nn.Sequential(_layer(48, 64, 2), _layer(64, 64), _layer(64, 48))
        self.joined = nn.Sequential(_layer(48, 48), _layer(48, 32))
        self.head = nn.Sequential(_layer(32, 48), nn.Conv2d(48, kinds, 1))
        nn.init.constant_(self.head[-1].bias, -4.0)

    def forward(self, image: Tensor) -> Tensor:
        fine = self.fine(self.picture(image))
        middle = self.middle(fine)
        middle = self.joined(middle + _doubled(self.coarse(middle)))
        marks: Tensor = self.head(fine + _doubled(middle))
        return marks


def _doubled(maps: Tensor) -> Tensor:
    return functional.interpolate(maps, scale_factor=2.0, mode="nearest")


def _layer(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )
