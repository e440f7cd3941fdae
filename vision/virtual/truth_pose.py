"""The pose of the board that a perfect registration would find in a picture of the virtual table."""

import numpy as np

from vision.pose import Lens, Pose
from vision.register import fit_pose
from vision.virtual.shot import Shot


def pose_of(shot: Shot) -> Pose:
    """Fitted to points all over the table that are in view, as the camera truly sees them."""
    grid = np.array([(x, y) for x in np.linspace(-0.2, 1.2, 8) for y in np.linspace(-0.2, 0.8, 6)])
    pixels = shot.camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    height, width = shot.image.shape[:2]
    inside = (pixels >= 0).all(axis=1) & (pixels < (width, height)).all(axis=1)
    return fit_pose(grid[inside], pixels[inside], Lens(width=width, height=height), fit_curve=True)
