"""The networks of a game's own eyes: what lies in a place, which symbol stands there, where pieces lie."""

from torch import Tensor, nn

from models.layers import doubled, layer


class FromPicture(nn.Module):
    """Takes pictures as the camera gives them: N × height × width × BGR, in bytes."""

    def forward(self, image: Tensor) -> Tensor:
        return image.permute(0, 3, 1, 2).float() / 64.0 - 2.0


def kinds_net(size: tuple[int, int], outputs: int) -> nn.Sequential:
    """A place for a card; where its corners are matters, so nothing is averaged away."""
    width, height = size
    return nn.Sequential(
        FromPicture(), layer(3, 16, 2), layer(16, 32, 2), layer(32, 40), layer(40, 48, 2),
        nn.Flatten(), nn.Dropout(0.05), nn.Linear(48 * (width // 8) * (height // 8), 128), nn.ReLU(),
        nn.Linear(128, outputs),
    )  # fmt: skip


def symbols_net(side: int, outputs: int) -> nn.Sequential:
    """One symbol, and the number on it."""
    return nn.Sequential(
        FromPicture(), layer(3, 16), nn.MaxPool2d(2), layer(16, 32), nn.MaxPool2d(2), layer(32, 48),
        nn.Flatten(), nn.Dropout(0.1), nn.Linear(48 * (side // 4) ** 2, 112), nn.ReLU(),
        nn.Linear(112, outputs),
    )  # fmt: skip


class Marks(nn.Module):
    """A picture in, a map per kind out, one cell for 4 × 4 pixels."""

    def __init__(self, kinds: int) -> None:
        super().__init__()
        self.picture = FromPicture()
        self.fine = nn.Sequential(layer(3, 16, 2), layer(16, 32, 2), layer(32, 32))
        self.middle = nn.Sequential(layer(32, 48, 2), layer(48, 48))
        self.coarse = nn.Sequential(layer(48, 64, 2), layer(64, 48))
        self.joined = nn.Sequential(layer(48, 48), layer(48, 32))
        self.head = nn.Sequential(layer(32, 32), nn.Conv2d(32, kinds, 1))
        nn.init.constant_(self.head[-1].bias, -4.0)

    def forward(self, image: Tensor) -> Tensor:
        fine = self.fine(self.picture(image))
        middle = self.middle(fine)
        middle = self.joined(middle + doubled(self.coarse(middle)))
        marks: Tensor = self.head(fine + doubled(middle))
        return marks
