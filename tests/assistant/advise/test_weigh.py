"""The race of lines on the same luck: who drops out, when it is over, and who wins in doubt."""

import pytest

from assistant.advise.lines import Line
from assistant.advise.weigh import FEWEST, WELL_KNOWN, Weighed, favoured, is_decided, without_worse


def ran(*chances: float, times: int = 1) -> Weighed:
    return Weighed(Line((), None, 0.0), chances=list(chances) * times)


def test_a_line_that_made_surely_less_of_the_same_luck_drops_out() -> None:
    good, bad = ran(0.9, 0.3, times=FEWEST), ran(0.6, 0.1, times=FEWEST)
    assert without_worse([bad, good]) == [good]


def test_a_few_samples_drop_nobody() -> None:
    good, bad = ran(0.9, times=FEWEST - 1), ran(0.1, times=FEWEST - 1)
    assert without_worse([bad, good]) == [good, bad]


def test_lines_that_differ_only_by_noise_both_stay() -> None:
    one, other = ran(0.9, 0.1, times=FEWEST), ran(0.1, 0.8, times=FEWEST)
    assert without_worse([one, other]) == [one, other]


@pytest.mark.parametrize(
    ("alive", "over"),
    [
        ([ran(0.5, times=WELL_KNOWN)], True),
        ([ran(0.5, times=WELL_KNOWN - 1)], False),
        ([ran(0.5, 0.7, times=WELL_KNOWN), ran(0.5, 0.7, times=WELL_KNOWN)], True),
        ([ran(0.9, 0.1, times=WELL_KNOWN), ran(0.1, 0.8, times=WELL_KNOWN)], False),
    ],
)
def test_a_race_is_over_when_one_is_left_or_all_are_the_same(alive: list[Weighed], over: bool) -> None:
    assert is_decided(alive) is over


def test_in_doubt_the_fast_policy_is_followed() -> None:
    fast, other = ran(0.5, 0.1, times=4), ran(0.1, 0.52, times=4)
    assert favoured(fast, [other, fast])[0] is fast
    better = ran(0.8, 0.4, times=4)
    assert favoured(fast, [better, fast])[0] is better
