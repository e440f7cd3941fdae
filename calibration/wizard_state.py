"""How far a player is with setting up a table: step, profile so far, and where that puts the board."""

from dataclasses import dataclass, field

import numpy as np

from calibration.gametable import GameTable
from calibration.locating import pose_from_above
from calibration.profile import Profile, fitted_layout
from calibration.steps import STEPS, Said, Step
from vision.frame import BgrImage
from vision.pose import Lens, Pose
from vision.register import register_corners
from vision.table import TableLayout


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WizardState:
    table: GameTable
    profile: Profile
    step: Step
    board_picture: BgrImage | None = None
    trouble: Said | None = None
    """Why the last answer of the player could not be used."""
    measured: Lens | None = None
    """The lens by its sheet; otherwise it is fitted whenever the board is found."""
    dragged: frozenset[str] = field(default_factory=frozenset)
    """Zones that the player put somewhere: they stay there."""

    @property
    def layout(self) -> TableLayout:
        return fitted_layout(self.table.layout, self.profile)


def start(table: GameTable, profile: Profile, board_picture: BgrImage | None = None) -> WizardState:
    """At the first step that is not behind the player."""
    step = next((step for step in STEPS if step.value not in profile.passed), Step.READY)
    dragged = frozenset(str(moved.zone) for moved in profile.zones)
    return WizardState(table=table, profile=profile, step=step, board_picture=board_picture, dragged=dragged)


def pose_in(state: WizardState, image: BgrImage) -> Pose | None:
    """Where the board is according to the profile, for pictures of this size."""
    lens, corners = state.profile.lens, state.profile.corners
    if lens is None or corners is None:
        return None
    found = register_corners(np.array(corners), state.table.layout.board, lens)
    height, width = image.shape[:2]
    if found.pose is None or abs(width / height - lens.width / lens.height) > 0.01 * width / height:
        return None
    return found.pose.resized(width, height)


def bare_board(state: WizardState, image: BgrImage, pose: Pose) -> tuple[BgrImage, Pose]:
    """The board as it lay there empty, where it was seen so: later pieces stand on what is printed."""
    if state.board_picture is None:
        return image, pose
    return state.board_picture, pose_from_above(state.board_picture, state.table.layout.board)
