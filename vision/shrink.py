"""A large picture made smaller: small enough to look at all of it."""

import cv2
import numpy as np

from vision.frame import BgrImage


def shrunk(image: BgrImage, step: float) -> tuple[BgrImage, float]:
    """The picture so many times smaller, and how many times exactly; never larger.

    Halves first where nothing is lost by it: that is twice as quick as one step to an odd size.
    """
    width, height = image.shape[1], image.shape[0]
    if step <= 1.0:
        return image, 1.0
    size = (round(width / step), round(height / step))
    while image.shape[1] % 2 == 0 == image.shape[0] % 2 and image.shape[1] >= 3 * size[0]:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), width / size[0]
