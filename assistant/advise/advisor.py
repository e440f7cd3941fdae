"""Thinks about one position for as long as it may, and plays whole games with what it thinks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from assistant.advise.clock import ProcessorClock
from assistant.advise.lines import WIDTHS, Line, LineSearch
from assistant.advise.weigh import Scales, Weighed
from assistant.errors import FloodwatchError
from assistant.kit import Dice, Game, Policy

Clock = Callable[[], float]

SEARCH_SHARE: Final = 0.45
"""How much of the time goes into finding lines; the rest weighs them."""
CANDIDATES: Final = ((0.3, 4), (2.0, 8), (float("inf"), 14))
"""Up to how many seconds how many lines are weighed."""

ROUNDS: Final = ((float("inf"), 2),)
"""Up to how many seconds a sample looks how many rounds ahead."""


class AdviseError(FloodwatchError):
    """A game that nobody has taught the advisor, or a position that it cannot take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """What is thought about a position after some time."""

    weighed: tuple[Weighed, ...]
    """Lines with different first actions in front, the best first; empty where nothing is to be decided."""
    decisions: tuple[Any, ...]
    """Everything that the player could choose."""

    @property
    def best(self) -> Line | None:
        return self.weighed[0].line if self.weighed else None


class Advisor:
    def __init__(self, game: Game[Any, Any], *, clock: Clock | None = None) -> None:
        """Without a clock it goes by the time that the process was given."""
        if game.advising is None:
            raise AdviseError("This game has nothing for the advisor: it needs a worth and an outlook.")
        self.game = game
        self._of_game = self._advising = game.advising
        self.policy = game.advising.policy
        self._policy = game.policies[self.policy]
        self._clock = clock or ProcessorClock()

    def decisions(self, state: Any) -> tuple[Any, ...]:
        """What the player may choose here; luck is left out."""
        if self.game.outcome(state) is not None:
            return ()
        lucky = {action for action, _ in self.game.chance(state)}
        mine = self._of_game.at(state).mine
        return tuple(
            action for action in self.game.legal_actions(state) if action not in lucky and mine(action)
        )

    def think(
        self,
        state: Any,
        seconds: float,
        *,
        seed: str = "advice",
        rounds: int | None = None,
        also: tuple[Line, ...] = (),
    ) -> Thought:
        """The best lines from here; `also` are lines that are weighed in any case."""
        decisions = self.decisions(state)
        if not decisions:
            return Thought(weighed=(), decisions=())
        self._advising = self._of_game.at(state)
        state = self._advising.known(state)
        begun = self._clock()
        first, *others = self._lines(state, decisions, begun, seconds)
        given = [line for line in also if line.actions != first.actions]
        known = {line.actions for line in (first, *given)}
        lines = [first, *given, *(line for line in others if line.actions not in known)]
        depth = rounds or next(number for limit, number in ROUNDS if seconds < limit)
        scales = Scales(self.game, self._advising, rounds=depth, seed=seed)
        weigh_from = self._clock()
        left = max(1e-3, begun + seconds - weigh_from)
        ranked = scales.weigh(
            [Weighed(line) for line in lines],
            self.game.round(state),
            lambda: 1 - (self._clock() - weigh_from) / left,
            surely=1 + len(given),
        )
        return Thought(weighed=tuple(_first_moves_first(ranked)), decisions=decisions)

    def _lines(self, state: Any, decisions: tuple[Any, ...], begun: float, seconds: float) -> list[Line]:
        """What the fast policy would do is always among them: advice should never be worse than that."""
        if self.game.chance(state):
            return self._single_steps(state, decisions)
        search = LineSearch(self.game, self._advising, state)
        end = begun + seconds * SEARCH_SHARE
        for width in WIDTHS:
            started = self._clock()
            all_seen = search.widen(width, lambda: self._clock() > end)
            if all_seen or self._clock() + 2 * (self._clock() - started) > end:
                break
        most = next(number for limit, number in CANDIDATES if seconds < limit)
        fast = self._fast_line(state)
        lines = [*([fast] if fast.actions else []), *self._ending_now(state)]
        lines += [line for line in search.best(most) if all(line.actions != known.actions for known in lines)]
        return lines[:most] or self._single_steps(state, decisions)

    def _ending_now(self, state: Any) -> list[Line]:
        """What a tap on "done" would do, so that its danger can be told."""
        action = self.game.watch.ending(state)
        if action is None or not self._advising.mine(action) or self.game.refusal(state, action) is not None:
            return []
        after = self.game.apply(state, action)
        return [Line((action,), after, self._advising.worth(after))]

    def _single_steps(self, state: Any, decisions: tuple[Any, ...]) -> list[Line]:
        """While luck is due, each decision by itself, and going on with the luck."""
        choice = self._policy(state, Dice("fast"))
        picked = [choice] if choice in decisions else []
        return [
            Line((action,), after, self._advising.worth(after))
            for action in picked
            for after in (self.game.apply(state, action),)
        ] or [Line((), state, self._advising.worth(state))]

    def _fast_line(self, state: Any) -> Line:
        game, dice = self.game, Dice("fast")
        actions: list[Any] = []
        while game.outcome(state) is None and not game.chance(state) and len(actions) < 200:
            action = self._policy(state, dice)
            if not self._advising.mine(action):
                break
            actions.append(action)
            state = game.apply(state, action)
        return Line(tuple(actions), state, self._advising.worth(state))


def _first_moves_first(ranked: list[Weighed]) -> list[Weighed]:
    """The best line of each first action, then the others."""
    firsts: dict[Any, Weighed] = {}
    others: list[Weighed] = []
    for weighed in ranked:
        first = weighed.line.actions[:1]
        if first in firsts:
            others.append(weighed)
        else:
            firsts[first] = weighed
    return [*firsts.values(), *others]


def advisor_policy(
    game: Game[Any, Any],
    seconds: float,
    *,
    clock: Clock | None = None,
    heard: Callable[[Any, Thought], None] = lambda _state, _thought: None,
) -> Policy:
    """A player that follows the advisor: it thinks when luck has shown something new, then plays its line."""
    advisor = Advisor(game, clock=clock)
    planned: list[tuple[Any, Any]] = []
    on_luck = game.policies[advisor.policy]

    def play(state: Any, dice: Dice) -> Any:
        if planned and planned[0][0] == state:
            return planned.pop(0)[1]
        planned.clear()
        chances = game.chance(state)
        if chances:
            return on_luck(state, dice)
        actions = game.legal_actions(state)
        if len(actions) == 1:
            return actions[0]
        thought = advisor.think(state, seconds)
        heard(state, thought)
        best = thought.best
        assert best is not None
        for action in best.actions:
            planned.append((state, action))
            state = game.apply(state, action)
        return planned.pop(0)[1]

    return play
