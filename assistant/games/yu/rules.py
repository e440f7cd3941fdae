"""The rules of Legacy of Yu as one table: for each verb, when it is refused and what it does."""

from collections.abc import Callable

from assistant.games.yu import build, gains, hand, luck, naming, phases, row, story, trade
from assistant.games.yu.actions import STORY, Action, Verb
from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import no
from assistant.games.yu.notation import is_complete
from assistant.games.yu.resolve import settle
from assistant.games.yu.state import Phase, State, StepKind
from assistant.kit import Message, Refusal

Refuse = Callable[[Copy, State, Action], Refusal | None]
Do = Callable[[Copy, State, Action], State]

_RULES: dict[Verb, tuple[Refuse, Do]] = {
    Verb.DRAW: (luck.refuse_sight, luck.do_draw),
    Verb.DRAW_PILE: (luck.refuse_sight, luck.do_draw_pile),
    Verb.DESTROY: (luck.refuse_sight, luck.do_destroy),
    Verb.REVEAL: (luck.refuse_sight, luck.do_reveal),
    Verb.DEAL: (luck.refuse_sight, luck.do_deal),
    Verb.FLIP: (luck.refuse_sight, luck.do_flip),
    Verb.SHUFFLE: (luck.refuse_shuffle, luck.do_shuffle),
    Verb.TAKE: (gains.refuse_take, gains.do_take),
    Verb.COLLECT: (gains.refuse_collect, gains.do_collect),
    Verb.RETURN: (gains.refuse_return, gains.do_return),
    Verb.SKIP: (gains.refuse_skip, gains.do_skip),
    Verb.EXHAUST: (hand.refuse_exhaust, hand.do_exhaust),
    Verb.PLAY: (hand.refuse_use, hand.do_play),
    Verb.DISCARD: (hand.refuse_use, hand.do_discard),
    Verb.TUCK: (hand.refuse_use, hand.do_tuck),
    Verb.FOOD: (hand.refuse_use, hand.do_food),
    Verb.CANAL: (build.refuse_canal, build.do_canal),
    Verb.ATTACK: (row.refuse_attack, row.do_attack),
    Verb.RECRUIT: (row.refuse_hire, row.do_recruit),
    Verb.DISMISS: (row.refuse_hire, row.do_dismiss),
    Verb.FARM: (build.refuse_building, build.do_building),
    Verb.OUTPOST: (build.refuse_building, build.do_building),
    Verb.HUT: (build.refuse_building, build.do_building),
    Verb.USE: (build.refuse_use, build.do_use),
    Verb.TRADE: (trade.refuse, trade.do),
    Verb.END: (phases.refuse_end, phases.do_end),
    Verb.BARGE: (phases.refuse_barge, phases.do_barge),
    Verb.BRIBE: (phases.refuse_bribe, phases.do_bribe),
    Verb.SUFFER: (phases.refuse_suffer, phases.do_suffer),
    Verb.NAME: (naming.refuse, naming.do),
    **dict.fromkeys(STORY, (story.refuse, story.do)),
}


def legal_actions(copy: Copy, state: State) -> tuple[Action, ...]:
    """Everything that the rules allow now, decisions and chance alike; nothing once the game is over."""
    if state.result is not None:
        return ()
    return tuple([*_due(copy, state), *trade.options(copy, state)])


def _due(copy: Copy, state: State) -> list[Action]:
    if state.pending:
        return _STEP_OPTIONS.get(state.pending[0].kind, _sight_options)(copy, state)
    if state.phase is Phase.HARVEST:
        return [*gains.options(state), *_sight_options(copy, state)]
    if state.phase is Phase.ACTIONS:
        return [
            *hand.options(copy, state),
            *row.options(copy, state),
            *build.options(copy, state),
            *phases.end_options(state),
        ]
    if state.phase is Phase.ATTACKS:
        return phases.attack_options(copy, state)
    return [Action(Verb.BARGE)]


def _sight_options(_copy: Copy, state: State) -> list[Action]:
    """The cards that may come, or the shuffle that must come first."""
    return [Action(Verb.SHUFFLE)] if luck.shuffle_due(state) else luck.sights(state)


_STEP_OPTIONS: dict[StepKind, Callable[[Copy, State], list[Action]]] = {
    StepKind.STORY: story.options,
    StepKind.EXHAUST: lambda _copy, state: hand.exhaust_options(state),
    StepKind.GAIN: lambda _copy, state: gains.options(state),
    StepKind.CHOOSE: lambda _copy, state: gains.options(state),
}


def chance(copy: Copy, state: State) -> tuple[tuple[Action, float], ...]:
    """What nobody chooses: the next card, or the words of the book."""
    if state.result is not None:
        return ()
    told = story.script(copy, state)
    return ((told, 1.0),) if told is not None else luck.chances(state)


def refusal(copy: Copy, state: State, action: Action) -> Refusal | None:
    """Why this action is not allowed now; None where it is."""
    if state.result is not None:
        return no("Y-E1", "over", result=Message.of(f"yu.result.{state.result.value}"))
    if not is_complete(action):
        return no("Y-A18", "incomplete", verb=Message.of(f"yu.verb.{action.verb.value}"))
    return _RULES[action.verb][0](copy, state, action)


def apply(copy: Copy, state: State, action: Action) -> State:
    """The state after a legal action and all that follows from it by itself."""
    return settle(copy, _RULES[action.verb][1](copy, state, action))
