"""Puts a thought into words: a nudge, a plan, the best moves, the chance to win, and warnings."""

from typing import Any, Final

from assistant.advice import Advice, Advised, Chance, Plan, Strength
from assistant.advise.advisor import Thought
from assistant.advise.weigh import Weighed
from assistant.kit import Advising, Game, Message, Severity

MOVES: Final = 3
ENOUGH: Final = 8
"""Fewer samples are no ground for a warning."""
RISK: Final = 0.08
"""How much more often a move must lose than the best one before it is warned of."""


def nothing_to_advise(game: Game[Any, Any], state: Any) -> Message | None:
    """Why there is no advice here; None where there may be some."""
    if game.outcome(state) is not None:
        return Message.of("advise.over")
    odd = [finding for finding in game.check(state) if finding.severity is Severity.VIOLATION]
    if odd:
        return Message.of("advise.odd", what=odd[0].message)
    actions = game.legal_actions(state)
    if not actions:
        return Message.of("advise.stuck")
    if len(actions) == len(game.chance(state)):
        return Message.of("advise.luck")
    return None if game.advising is None else game.advising.at(state).silent(state)


def first_words(game: Game[Any, Any], state: Any, strength: Strength) -> Advice:
    """What can be said at once, before any search."""
    plain = nothing_to_advise(game, state)
    if plain is not None or strength is Strength.OFF or game.advising is None:
        return Advice(strength=strength, plain=plain)
    return Advice(strength=strength, nudges=game.advising.at(state).nudges(state), thinking=True)


def advice_of(game: Game[Any, Any], state: Any, thought: Thought, *, thinking: bool = False) -> Advice:
    """All of it; `trimmed` leaves what was asked for."""
    assert game.advising is not None
    advising = game.advising.at(state)
    plain = nothing_to_advise(game, state)
    if plain is not None or not thought.weighed:
        return Advice(strength=Strength.BEST, plain=plain or Message.of("advise.luck"))
    best = thought.weighed[0]
    if not best.line.actions:
        return Advice(
            strength=Strength.BEST,
            nudges=advising.nudges(state),
            plain=Message.of("advise.luck"),
            win=_told(advising, best),
            thinking=thinking,
        )
    moves = _different_firsts(thought)
    return Advice(
        strength=Strength.BEST,
        nudges=advising.nudges(state),
        plan=_plan(game, advising, state, best),
        moves=tuple(_advised(game, advising, state, weighed, best) for weighed in moves),
        win=_told(advising, best),
        warnings=tuple(_warnings(game, advising, moves, thought)),
        thinking=thinking,
    )


def trimmed(advice: Advice, strength: Strength) -> Advice:
    """Never more than was asked for."""
    wanted = {Strength.OFF: 0, Strength.NUDGE: 1, Strength.PLAN: 2, Strength.BEST: 3}[strength]
    return Advice(
        strength=strength,
        nudges=advice.nudges if wanted >= 1 else (),
        warnings=advice.warnings if wanted >= 1 else (),
        plan=advice.plan if wanted >= 2 else None,
        win=advice.win if wanted >= 2 else None,
        moves=advice.moves if wanted >= 3 else (),
        thinking=advice.thinking if wanted else False,
        plain=advice.plain,
    )


def _different_firsts(thought: Thought) -> list[Weighed]:
    firsts: dict[Any, Weighed] = {}
    for weighed in thought.weighed:
        if weighed.line.actions:
            firsts.setdefault(weighed.line.actions[0], weighed)
    return list(firsts.values())[:MOVES]


def _plan(game: Game[Any, Any], advising: Advising[Any, Any], state: Any, best: Weighed) -> Plan:
    goals = [
        goal.message for goal in advising.goals(state) if any(goal.reached(a) for a in best.line.actions)
    ]
    steps = [game.describe(action) for action in best.line.actions]
    return Plan(goals=tuple(goals), steps=tuple(steps))


def _advised(
    game: Game[Any, Any], advising: Advising[Any, Any], state: Any, weighed: Weighed, best: Weighed
) -> Advised:
    first = weighed.line.actions[0]
    reasons = list(advising.because(state, weighed.line.end))
    if weighed is not best and (behind := best.mean - weighed.mean) >= 0.005:
        reasons.append(Message.of("advise.behind", points=round(100 * behind)))
    return Advised(
        notation=game.format(first),
        words=game.describe(first),
        because=tuple(reasons),
        win=_told(advising, weighed),
    )


def _told(advising: Advising[Any, Any], weighed: Weighed) -> Chance:
    chance = weighed.chance
    return Chance(p=advising.told(chance.p), low=advising.told(chance.low), high=advising.told(chance.high))


def _warnings(
    game: Game[Any, Any], advising: Advising[Any, Any], moves: list[Weighed], thought: Thought
) -> list[Message]:
    """Moves that lose soon far more often than the best one; what most easily happens first."""
    best = moves[0]
    found: list[Message] = []
    for weighed in thought.weighed:
        if not weighed.line.actions or weighed.line.actions[0] == best.line.actions[0]:
            continue
        if len(weighed.chances) < ENOUGH or weighed.loss_share - best.loss_share < RISK:
            continue
        cause = max(weighed.lost, key=lambda name: weighed.lost[name])
        found.append(
            Message.of(
                "advise.warning",
                move=game.describe(weighed.line.actions[0]),
                share=weighed.loss_share,
                how=advising.losses(cause),
                better=game.describe(best.line.actions[0]),
                left=best.loss_share,
            )
        )
    return found[:2]


def shown_chance(chance: Chance) -> Message:
    return Message.of("advise.chance", p=chance.p, low=chance.low, high=chance.high)
