"""The rules of YRO as one table: for each verb, when it is refused and what it does."""

from collections.abc import Callable

from assistant.games.yro import luck, phases, recruit
from assistant.games.yro.actions import Action, Verb, action
from assistant.games.yro.copy import Copy
from assistant.games.yro.judge import no
from assistant.games.yro.notation import is_complete
from assistant.games.yro.phases import settle
from assistant.games.yro.purse import worth
from assistant.games.yro.state import Phase, State, changed
from assistant.kit import Message, Refusal

Refuse = Callable[[Copy, State, Action], Refusal | None]
Do = Callable[[Copy, State, Action], State]


def refusal_of_change(state: State, given: Action) -> Refusal | None:
    """Coins may be changed with the bank at any time, so long as their worth stays the same."""
    if not 1 <= given.player <= len(state.players):
        return no("R-C1", "no-player", player=given.player, players=len(state.players))
    have = state.players[given.player - 1].coins
    if worth(have) != worth(given.coins) or any(
        new > old + held for new, old, held in zip(given.coins, have, state.bank, strict=True)
    ):
        return no("R-C1", "change", have=worth(have), found=worth(given.coins))
    return None


def _refuse_change(_copy: Copy, state: State, given: Action) -> Refusal | None:
    return refusal_of_change(state, given)


def _do_change(_copy: Copy, state: State, given: Action) -> State:
    player = state.players[given.player - 1]
    old, new, bank = player.coins, given.coins, state.bank
    left = (bank[0] + old[0] - new[0], bank[1] + old[1] - new[1], bank[2] + old[2] - new[2])
    return state.with_player(given.player, changed(player, coins=new), bank=left)


_RULES: dict[Verb, tuple[Refuse, Do]] = {
    Verb.DRAW: (luck.refuse_sight, luck.do_draw),
    Verb.QUEST: (luck.refuse_sight, luck.do_quest),
    Verb.THREAT: (luck.refuse_sight, luck.do_threat),
    Verb.SHUFFLE: (luck.refuse_shuffle, luck.do_shuffle),
    Verb.DISCARD: (recruit.refuse_discard, recruit.do_discard),
    Verb.KEEP: (recruit.refuse_keep, recruit.do_keep),
    Verb.PICK: (recruit.refuse_pick, recruit.do_pick),
    Verb.CHOOSE: (recruit.refuse_choose, recruit.do_choose),
    Verb.RECRUIT: (recruit.refuse_recruit, recruit.do_recruit),
    Verb.PLACE: (recruit.refuse_place, recruit.do_place),
    Verb.CLAIM: (phases.refuse_claim, phases.do_claim),
    Verb.CHANGE: (_refuse_change, _do_change),
    Verb.NAME: (recruit.refuse_name, recruit.do_name),
    **dict.fromkeys(phases.PHASE_OF, (phases.refuse_collect, phases.do_collect)),
}


def legal_actions(copy: Copy, state: State) -> tuple[Action, ...]:
    """Everything that the rules ask for now, decisions and chance alike; nothing once the game is over."""
    if state.result is not None:
        return ()
    if state.pending:
        return luck.options(state)
    if state.claims:
        return tuple([action(Verb.CLAIM, player, (), quest) for player, quest in state.claims])
    found: list[Action] = []
    for number in state.todo:
        found += _options(copy, state, number)
    if state.phase is Phase.RECRUIT:
        for number, player in enumerate(state.players, 1):
            if player.placing:
                found += recruit.place_options(copy, state, number)
    return tuple(found)


def _options(copy: Copy, state: State, number: int) -> list[Action]:
    phase = state.phase
    if phase is Phase.DRAW:
        return recruit.discard_options(copy, state, number)
    if phase is Phase.DRAFT:
        return recruit.pick_options(state, number)
    if phase is Phase.CHOOSE:
        return recruit.choose_options(copy, state, number)
    if phase is Phase.RECRUIT:
        return [action(Verb.RECRUIT, number)]
    return phases.options(state, number)


def chance(_copy: Copy, state: State) -> tuple[tuple[Action, float], ...]:
    if state.result is not None or not state.pending or luck.shuffle_due(state):
        return ()
    return luck.sights(state)


def refusal(copy: Copy, state: State, given: Action) -> Refusal | None:
    if state.result is not None:
        return no("R-E1", "over", result=Message.of(f"yro.result.{state.result.value}"))
    if not is_complete(given):
        return no("R-R1", "incomplete", verb=given.verb.value)
    return _RULES[given.verb][0](copy, state, given)


def apply(copy: Copy, state: State, given: Action) -> State:
    """The next position; does not judge."""
    return settle(copy, _RULES[given.verb][1](copy, state, given))
