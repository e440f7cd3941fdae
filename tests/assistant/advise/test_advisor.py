"""The advisor: legal, repeatable, no more than was asked for, and plain where it has nothing to say."""

import itertools
from functools import cache
from typing import Any

import pytest

from assistant.advice import Strength
from assistant.advise.advisor import AdviseError, Advisor, advisor_policy
from assistant.advise.afford import afford
from assistant.advise.letter import advice_from_json, advice_to_json
from assistant.advise.lines import LineSearch
from assistant.advise.review import costly_decisions
from assistant.advise.say import advice_of, first_words, nothing_to_advise, trimmed
from assistant.advise.weigh import WELL_KNOWN
from assistant.discover import kit_named
from assistant.games.yu.pieces import TOTALS
from assistant.games.yu.state import Step, StepKind
from assistant.kit import Advising, Dice, Game
from assistant.wording import Wording
from tests.assistant.advise import strange
from tests.assistant.advise.strange import illegal_steps

KIT = kit_named("yu")
GAME: Game[Any, Any] = KIT.bind(KIT.demo_pack())
assert GAME.advising is not None
ADVISING: Advising[Any, Any] = GAME.advising


class Ticks:
    """A clock that goes on by a fixed step at each look: a busy machine changes no result."""

    def __init__(self, step: float = 0.006) -> None:
        self._step = step
        self._now = 0.0

    def __call__(self) -> float:
        self._now += self._step
        return self._now


@cache
def positions(policy: str, seed: int) -> list[Any]:
    dice, state = Dice(seed), GAME.initial()
    found = []
    while GAME.outcome(state) is None:
        found.append(state)
        state = GAME.apply(state, GAME.policies[policy](state, dice))
    return [*found, state]


def decisions(policy: str, seed: int) -> list[Any]:
    """Positions of a game in which a player has a choice and no card is due."""
    return [
        state
        for state in positions(policy, seed)
        if not GAME.chance(state) and len(GAME.legal_actions(state)) > 1
    ]


def thought_about(state: Any, seconds: float = 0.2) -> Any:
    return Advisor(GAME, clock=Ticks()).think(state, seconds)


@pytest.mark.parametrize(("policy", "seed"), [("greedy", 1), ("random", 2)])
def test_every_line_that_is_advised_can_be_played_to_its_end(policy: str, seed: int) -> None:
    for state in decisions(policy, seed)[::15]:
        for weighed in thought_about(state).weighed:
            here = state
            for action in weighed.line.actions:
                assert GAME.refusal(here, action) is None
                here = GAME.apply(here, action)
            assert here == weighed.line.end
            assert 0.0 <= weighed.chance.low <= weighed.chance.p <= weighed.chance.high <= 1.0


def test_the_same_clock_gives_the_same_thought() -> None:
    state = decisions("greedy", 1)[20]
    first, second = thought_about(state), thought_about(state)
    assert [w.line.actions for w in first.weighed] == [w.line.actions for w in second.weighed]
    assert first.weighed[0].chances == second.weighed[0].chances


def test_moves_that_differ_in_their_order_only_are_met_once() -> None:
    state = decisions("greedy", 1)[10]
    search = LineSearch(GAME, ADVISING, state)
    search.widen(4, lambda: False)
    ends = [ADVISING.same(line.end) for line in search.best(50)]
    assert len(ends) == len(set(ends)) > 1


def test_what_the_fast_policy_would_do_is_always_weighed() -> None:
    state = decisions("greedy", 1)[12]
    firsts = [weighed.line.actions[0] for weighed in thought_about(state).weighed]
    assert GAME.policies[ADVISING.policy](state, Dice("fast")) in firsts


def test_a_clear_decision_does_not_take_all_the_time_that_it_may() -> None:
    clock = Ticks(0.05)
    thought = Advisor(GAME, clock=clock).think(decisions("greedy", 1)[20], 60.0)
    assert clock() < 50.0
    assert len(thought.weighed[0].chances) >= WELL_KNOWN, "its chance is still known well"


@pytest.mark.parametrize("number", [0, 4, 8, 13])
def test_no_advice_is_illegal_even_with_cards_that_nobody_could_read(number: int) -> None:
    looked = 0
    for state in list(strange.positions(GAME, number))[::7]:
        if nothing_to_advise(GAME, state) is not None:
            continue
        thought = Advisor(GAME, clock=Ticks()).think(state, 0.05, rounds=1)
        assert thought.weighed
        assert not illegal_steps(GAME, state, (weighed.line.actions for weighed in thought.weighed))
        looked += 1
    assert looked > 3


def test_a_position_without_legal_actions_gets_a_plain_answer() -> None:
    state = decisions("greedy", 2)[30]
    stuck = state.but(hand=(), supply=(0,) * 9, main=TOTALS, pending=(Step(StepKind.EXHAUST),))
    assert not GAME.legal_actions(stuck)
    with_nothing = nothing_to_advise(GAME, stuck)
    assert with_nothing is not None
    assert with_nothing.key in ("advise.stuck", "advise.odd")
    assert advice_of(GAME, stuck, thought_about(stuck)).plain is not None


def test_an_advised_game_ends_and_is_legal() -> None:
    policy = advisor_policy(GAME, 0.02, clock=Ticks())
    dice, state = Dice("advised"), GAME.initial()
    for _ in range(2000):
        if GAME.outcome(state) is not None:
            break
        action = policy(state, dice)
        assert GAME.refusal(state, action) is None
        state = GAME.apply(state, action)
    assert GAME.outcome(state) is not None


def test_a_game_that_nobody_taught_is_told_so() -> None:
    class Untaught:
        advising = None

    with pytest.raises(AdviseError, match="nothing for the advisor"):
        Advisor(Untaught())  # type: ignore[arg-type]


def affordable_canal() -> Any:
    """A position in which the canal can be paid, but not at once."""
    for seed in itertools.count():
        for state in decisions("greedy", seed):
            goals = {goal.name: goal for goal in ADVISING.goals(state)}
            if "canal" in goals and not any(map(goals["canal"].reached, GAME.legal_actions(state))):
                answer = afford(GAME, ADVISING, state, goals["canal"], most=1500)
                if answer.actions is not None:
                    return state, goals["canal"], answer
    raise AssertionError


def test_a_goal_that_takes_several_steps_is_found_with_its_steps() -> None:
    state, goal, answer = affordable_canal()
    assert len(answer.actions) > 1
    for action in answer.actions:
        assert GAME.refusal(state, action) is None
        state = GAME.apply(state, action)
    assert goal.reached(answer.actions[-1])
    assert state.built_this_round


def test_a_goal_out_of_reach_is_a_certain_no_and_a_search_cut_short_is_not() -> None:
    state = next(state for state in decisions("greedy", 1) if len(state.hand) >= 3)
    poor = state.but(hand=(), supply=(0,) * 9)
    canal = next(goal for goal in ADVISING.goals(poor) if goal.name == "canal")
    no = afford(GAME, ADVISING, poor, canal)
    assert (no.actions, no.certain) == (None, True)
    cut = afford(GAME, ADVISING, state, canal, most=3)
    assert not cut.certain


def test_a_finished_game_and_a_game_of_luck_get_a_plain_answer() -> None:
    *_, last = positions("greedy", 2)
    assert advice_of(GAME, last, thought_about(last)).plain is not None
    assert nothing_to_advise(GAME, last).key == "advise.over"  # type: ignore[union-attr]
    assert nothing_to_advise(GAME, GAME.initial()).key == "advise.luck"  # type: ignore[union-attr]


def test_a_contradictory_table_is_to_be_put_right_first() -> None:
    state = decisions("greedy", 2)[30]
    broken = state.but(supply=tuple(number + 20 for number in state.supply))
    plain = nothing_to_advise(GAME, broken)
    assert plain is not None
    assert plain.key == "advise.odd"


def test_never_more_is_said_than_was_asked_for() -> None:
    state = decisions("greedy", 1)[25]
    advice = advice_of(GAME, state, thought_about(state))
    assert advice.moves
    assert advice.plan is not None
    assert trimmed(advice, Strength.OFF).nudges == ()
    nudge = trimmed(advice, Strength.NUDGE)
    assert (nudge.plan, nudge.moves, nudge.win) == (None, (), None)
    assert nudge.nudges
    assert trimmed(advice, Strength.PLAN).moves == ()
    assert len(trimmed(advice, Strength.BEST).moves) <= 3


def test_advice_survives_its_way_from_another_process() -> None:
    state = decisions("greedy", 1)[25]
    advice = advice_of(GAME, state, thought_about(state), thinking=True)
    assert advice_from_json(advice_to_json(advice)) == advice


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_sentence_of_advice_can_be_said(language: str) -> None:
    words = Wording(language, [KIT.messages])
    for state in decisions("greedy", 2)[::12]:
        advice = advice_of(GAME, state, thought_about(state, 0.1))
        said = [*advice.nudges, *advice.warnings, *(advice.plan.steps if advice.plan else ())]
        said += [*(advice.plan.goals if advice.plan else ()), *([advice.plain] if advice.plain else [])]
        said += [one for move in advice.moves for one in (move.words, *move.because)]
        assert all(words.say(message) for message in said)


def test_at_once_there_is_a_nudge_and_the_promise_of_more() -> None:
    said = first_words(GAME, decisions("greedy", 1)[5], Strength.BEST)
    assert said.thinking
    assert said.nudges
    assert not said.moves


@cache
def flood_before_the_door() -> Any:
    """The first section could be built now, and the next Harvest may well bring the Flood."""
    return next(
        state
        for seed in range(30)
        for state in decisions("greedy", seed)
        if not state.hand
        and state.canal.count(None) == state.flood == 0
        and sum(n for _, n in state.ready) < 4
        and any(GAME.format(action).startswith("canal") for action in GAME.legal_actions(state))
    )


def test_ending_the_round_before_the_flood_is_warned_of_with_numbers() -> None:
    state = flood_before_the_door()
    thought = Advisor(GAME, clock=Ticks(0.05)).think(state, 30.0)
    (first, *_) = advice_of(GAME, state, thought).warnings
    assert first.key == "advise.warning"
    values = dict(first.values)
    assert values["move"] == GAME.describe(GAME.parse("end"))
    assert float(str(values["share"])) > float(str(values["left"])) + 0.05
    for language, words in (("en", "you lose"), ("fr", "vous perdez")):
        assert words in Wording(language, [KIT.messages]).say(first).lower()


def test_a_thrown_away_section_is_among_the_costly_decisions() -> None:
    """A player who ends the round instead of building the section that was paid for, with a game to lose."""
    end = GAME.parse("end")
    state = flood_before_the_door()
    costly = costly_decisions(GAME, [(state, end)], seconds=0.5)
    assert costly
    assert costly[0].played == (end,)
    assert costly[0].chance_better > costly[0].chance_played
