"""Which of several lines wins most often: the same luck for each, the worse half dropped in turn."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from assistant.advice import Chance
from assistant.advise.lines import Line
from assistant.kit import Advising, Dice, Game

LONGEST: Final = 4000
"""Actions in one sample; a game that goes on longer is a mistake of ours."""
DOUBT: Final = 1.96
"""Standard errors on either side of an estimate: nineteen of twenty lie within."""
PRIOR: Final = 2.0
"""How many samples' worth of "anything is possible" is mixed into the width of an estimate."""
FEWEST: Final = 8
"""Samples before a line may drop out."""
SURELY: Final = 3.0
"""By how many standard errors a line must be behind; looked at after every sample, hence many."""
FAVOUR: Final = 1.0
"""By how many standard errors another line must be better than what the fast policy would do."""
SLACK: Final = 0.004
"""Squared differences that are added, because a few equal samples do not yet prove equality."""
SAME: Final = 0.02
"""Where nobody is likely to be better by more than this, going on does not pay."""
WELL_KNOWN: Final = 24
"""Samples after which a chance may be told."""


@dataclass(slots=True)
class Weighed:
    """One line and how the samples after it went."""

    line: Line
    chances: list[float] = field(default_factory=list)
    lost: dict[str, int] = field(default_factory=dict)
    """Games lost within the sampled rounds, by their cause."""

    @property
    def mean(self) -> float:
        return sum(self.chances) / len(self.chances) if self.chances else 0.0

    @property
    def chance(self) -> Chance:
        """The mean, and bounds that also hold for few samples (a Wilson interval on the effective number)."""
        n = len(self.chances)
        p = self.mean
        if not n:
            return Chance(p=0.5, low=0.0, high=1.0)
        spread = sum((value - p) ** 2 for value in self.chances)
        variance = (spread + PRIOR * 0.25) / (n + PRIOR)
        reach = DOUBT * math.sqrt(variance / n)
        return Chance(p=p, low=max(0.0, p - reach), high=min(1.0, p + reach))

    @property
    def loss_share(self) -> float:
        return sum(self.lost.values()) / len(self.chances) if self.chances else 0.0


class Scales:
    """Samples the luck that nobody knows, never what really lies face down."""

    def __init__(self, game: Game[Any, Any], advising: Advising[Any, Any], *, rounds: int, seed: str) -> None:
        """`rounds` is how far a sample looks: 1 is up to the beginning of the next round."""
        self._game = game
        self._advising = advising
        self._policy = game.policies[advising.policy]
        self._rounds = rounds
        self._seed = seed

    def sample(self, weighed: Weighed, until_round: int) -> None:
        """One more future of this line; the n-th sample of every line has the same luck."""
        game = self._game
        dice = Dice(f"{self._seed}/{len(weighed.chances)}")
        state = weighed.line.end
        chance: float | None = None
        for _ in range(LONGEST):
            outcome = game.outcome(state)
            if outcome is not None:
                if outcome.won is False:
                    weighed.lost[outcome.cause] = weighed.lost.get(outcome.cause, 0) + 1
                weighed.chances.append(self._advising.won(state, outcome))
                return
            if game.round(state) >= until_round:
                # The round's first luck is still waited for: a flood that nobody can stop is no good outlook.
                if chance is None:
                    chance = self._advising.outlook(state)
                if not game.chance(state):
                    break
            state = game.apply(state, self._policy(state, dice))
        weighed.chances.append(self._advising.outlook(state) if chance is None else chance)

    def weigh(
        self, candidates: list[Weighed], root_round: int, share_left: Callable[[], float], *, surely: int = 1
    ) -> list[Weighed]:
        """A race over the same luck; the best first.

        Whoever is surely worse drops out at once, the worse half with the time (sequential halving), and the
        race ends early where it is decided. The first `surely` candidates get a sample even when the time is
        over; others may be left out then.
        """
        until = root_round + self._rounds
        alive = list(candidates)
        stages = max(1, math.ceil(math.log2(max(2, len(alive)))))
        for stage in range(stages):
            pause_at = 1 - (stage + 1) / stages
            left = share_left()
            while True:
                for place, weighed in enumerate(alive):
                    due = stage == 0 and place < surely and not weighed.chances
                    if due or left > pause_at:
                        self.sample(weighed, until)
                        left = share_left()
                alive = without_worse(alive)
                if left <= pause_at or is_decided(alive):
                    break
            if is_decided(alive):
                break
            alive = alive[: max(1, len(alive) // 2)]
        rest = [weighed for weighed in candidates if weighed.chances and weighed not in alive]
        return favoured(candidates[0], alive + sorted(rest, key=lambda weighed: -weighed.mean))


def without_worse(alive: list[Weighed]) -> list[Weighed]:
    """The best first, without those that had the same luck and made surely less of it."""
    ranked = sorted((one for one in alive if one.chances), key=lambda weighed: -weighed.mean)
    if not ranked or len(ranked[0].chances) < FEWEST:
        return ranked
    best = ranked[0]
    return [best, *(one for one in ranked[1:] if not _is_worse(one, best))]


def is_decided(alive: list[Weighed]) -> bool:
    """One is left, or all that are left come to the same; and its chance is known well enough to be told."""
    if not alive or len(alive[0].chances) < WELL_KNOWN:
        return False
    best, *others = alive
    for one in others:
        behind, error = _behind(one, best)
        if error - behind > SAME:
            return False
    return True


def favoured(first: Weighed, ranked: list[Weighed]) -> list[Weighed]:
    """The first candidate is what a good policy does: another must be better by more than the noise."""
    behind, error = _behind(first, ranked[0])
    if first is ranked[0] or behind > FAVOUR * error:
        return ranked
    return [first, *(weighed for weighed in ranked if weighed is not first)]


def _is_worse(one: Weighed, best: Weighed) -> bool:
    if len(one.chances) < FEWEST:
        return False
    behind, error = _behind(one, best)
    return behind > SURELY * error


def _behind(one: Weighed, best: Weighed) -> tuple[float, float]:
    """How much worse on the same luck, and the standard error of that."""
    differences = [b - a for a, b in zip(one.chances, best.chances, strict=False)]
    n = len(differences)
    mean = sum(differences) / n
    spread = sum([(value - mean) ** 2 for value in differences]) + SLACK
    return mean, math.sqrt(spread) / n
