"""A label on a sleeve names its card, whatever the card looks like."""

import numpy as np

from assistant.games.yu import KIT
from assistant.virtual import eye_of
from vision.cards import CardId
from vision.frame import BgrImage
from vision.networks import Networks
from vision.observation import Look
from vision.places import PlacePicture
from vision.pose import Lens, Pose
from vision.rectify import Rectified
from vision.register import Means, Registration
from vision.table import ZoneId

POSE = Pose.of(np.diag([1000.0, 1000.0, 1.0]), Lens(width=1000, height=600))


def test_a_labelled_card_is_believed_and_others_are_read() -> None:
    game = KIT.bind(KIT.demo_pack())
    asked: list[BgrImage] = []
    card = game.pack.cards[0].id

    def label(picture: BgrImage) -> CardId | None:
        asked.append(picture)
        return card if picture.shape[0] == 20 else None

    found = Registration(means=Means.CORNERS, pose=POSE, error_px=0.5, support=4)
    places = eye_of(KIT, game, lambda _frame, _near: found, Networks(), label=label).places
    zone = game.layout.zone(ZoneId("row-1"))
    blank = np.full((300, 200, 3), 90, np.uint8)
    picture = Rectified(image=blank, rect=places.area(zone), pixels_per_unit=places.pixels_per_unit)
    pictures = [
        PlacePicture(zone=zone, picture=picture, fine=np.zeros((20, 20, 3), np.uint8)),
        PlacePicture(zone=zone, picture=picture, fine=np.zeros((30, 30, 3), np.uint8)),
        PlacePicture(zone=zone, picture=picture),
    ]
    named, unlabelled, coarse = (sightings[0].guesses[0] for sightings in places.read(pictures, POSE))
    assert (named.look, named.card) == (Look.FRONT, card)
    assert unlabelled == coarse
    assert unlabelled.card != card
    assert len(asked) == 2
