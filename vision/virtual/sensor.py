"""What the webcam's chip adds to the picture: soft focus, noise, a drifting white balance, JPEG."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import BgrImage

_SPARE_PX = 96
_DRIFT_SPEEDS = np.array([0.013, 0.017, 0.011])
"""Of blue, green and red, in radians per frame."""
_JPEG_QUALITY = int(cv2.IMWRITE_JPEG_QUALITY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor:
    blur_px: float = 0.7
    noise: float = 2.2
    """Standard deviation in grey levels."""
    drift: float = 0.006
    """How far exposure and white balance wander in the course of time."""
    jpeg: int | None = 90
    """Quality; None: not compressed."""


class Chip:
    """Noise prepared once, then cheap for each frame."""

    def __init__(self, sensor: Sensor, width: int, height: int, seed: int) -> None:
        self.sensor = sensor
        self._seed = seed
        rng = np.random.default_rng(seed)
        self._phases = rng.uniform(0, 2 * np.pi, 3)
        shape = (height + _SPARE_PX, width + _SPARE_PX, 3)
        grain = rng.standard_normal(shape, dtype=np.float32)
        # Webcams smooth their own noise: neighbours resemble each other.
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.55), np.float32)
        grain *= sensor.noise / max(float(grain.std()), 1e-6)
        self._more = np.clip(grain, 0, 255).round().astype(np.uint8)
        self._less = np.clip(-grain, 0, 255).round().astype(np.uint8)

    def focus(self, image: BgrImage) -> BgrImage:
        if self.sensor.blur_px < 0.2:
            return image.copy()
        return np.asarray(cv2.GaussianBlur(image, (0, 0), self.sensor.blur_px), np.uint8)

    def expose(self, image: BgrImage, moment: int) -> BgrImage:
        """The picture as it comes out of the camera; changes `image`."""
        rng = np.random.default_rng((self._seed, moment))
        height, width = image.shape[:2]
        if self.sensor.drift:
            # Slowly: a camera that corrects itself takes seconds, and flicker would look like motion.
            gains = 1 + self.sensor.drift * np.sin(moment * _DRIFT_SPEEDS + self._phases)
            image = np.asarray(cv2.transform(image, np.diag(gains).astype(np.float32)), np.uint8)
        if self.sensor.noise:
            for grain, change in ((self._more, cv2.add), (self._less, cv2.subtract)):
                x, y = (int(v) for v in rng.integers(0, _SPARE_PX, 2))
                change(image, grain[y : y + height, x : x + width], dst=image)
        if self.sensor.jpeg is None:
            return image
        _, data = cv2.imencode(".jpg", image, [_JPEG_QUALITY, self.sensor.jpeg])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
