"""What was seen of a game is thought over again without pictures, to the same end."""

from pathlib import Path

import pytest

from tests.benchmarks.tape import again, record
from vision.networks import Networks

ASKED = {"game": "yu", "players": None, "seed": 3, "number": 0, "mistakes": 0.6}


def test_a_game_thought_over_again_ends_as_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = record(tmp_path / "tape.gz", ASKED, Networks(), moves=3)
    thought = again(tmp_path / "tape.gz", told=(0.0, 99.0), moves=3)
    assert played.score.caught, "or there is nothing to compare"
    assert thought.score.caught == played.score.caught
    assert thought.rights == played.rights
    assert [line.state for line in thought.session.path] == [line.state for line in played.session.path]
    told = capsys.readouterr().out
    assert f"MISTAKE ['{next(iter(played.score.injected))}']" in told
    assert "played collect" in told
    assert f"finding {next(iter(played.score.caught))} violation" in told


def test_a_tape_that_breaks_off_is_judged_as_far_as_it_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(tmp_path / "tape.gz", ASKED | {"mistakes": 0.0}, Networks(), moves=1)
    thought = again(tmp_path / "tape.gz", moves=5)
    assert "the tape ends here" in capsys.readouterr().out
    assert thought.rights[0]
