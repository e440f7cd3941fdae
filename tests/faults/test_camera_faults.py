"""A few camera faults in one short game; `make faults` injects all of them, many times."""

import random
from pathlib import Path

from tests.faults.camera_faults import FAULTS
from tests.faults.inject import injected
from tests.faults.program import Furniture, evening


def test_a_game_survives_wrong_colours_without_a_false_word(tmp_path: Path) -> None:
    by_name = {fault.name: fault for fault in FAULTS}
    with evening(Furniture(), tmp_path, seed=5) as playing:
        assert playing.rest_until_understood(20) is not None
        for name in ("wrong colours",):
            tally = injected(playing, by_name[name], random.Random(name))
            assert tally.survived, tally.remarks
            assert (tally.lost, tally.false_findings, tally.invented) == (0, 0, 0), tally.remarks
