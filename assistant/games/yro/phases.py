"""Combat, Production, Income, VP and the end: what each phase owes to whom, and what comes after what."""

from assistant.games.yro.actions import Action, Verb, action
from assistant.games.yro.copy import OPEN_QUESTS, Copy
from assistant.games.yro.effects import FORCE, NOTHING, TIMINGS, VP, Amounts, counted
from assistant.games.yro.judge import no, not_now
from assistant.games.yro.luck import threat_force
from assistant.games.yro.purse import moved, worth
from assistant.games.yro.recruit import receive
from assistant.games.yro.state import (
    END_VP,
    Phase,
    Player,
    Result,
    State,
    Step,
    StepKind,
    changed,
)
from assistant.kit import Refusal

_COMBAT, _PRODUCTION, _INCOME, _SCORE = (
    TIMINGS.index(name) for name in ("combat", "production", "income", "score")
)
VERB_OF = {
    Phase.COMBAT: Verb.FORCE,
    Phase.SPOILS: Verb.SPOILS,
    Phase.PRODUCTION: Verb.PRODUCE,
    Phase.INCOME: Verb.INCOME,
    Phase.VP: Verb.SCORE,
    Phase.FINAL: Verb.CONVERT,
}
PHASE_OF = {verb: phase for phase, verb in VERB_OF.items()}
RULE_OF = {
    Verb.FORCE: "R-B1",
    Verb.SPOILS: "R-B1",
    Verb.PRODUCE: "R-P1",
    Verb.INCOME: "R-I1",
    Verb.SCORE: "R-V1",
    Verb.CONVERT: "R-E2",
}


def start(copy: Copy) -> State:
    """R-S1: everybody's boards and coins, and the cards about to be dealt."""
    players, bank = [], copy.box
    for _ in range(copy.settings.players):
        purse, bank = moved((0, 0, 0), bank, copy.start_coins)
        players.append(Player(coins=purse))
    deals = [
        Step(StepKind.DRAW, number)
        for number in range(1, copy.settings.players + 1)
        for _ in range(copy.start_cards)
    ]
    quests = OPEN_QUESTS if copy.settings.quests else 0
    return State(
        players=tuple(players),
        bank=bank,
        mixes=(copy.deck,),
        deck=((0, len(copy.deck)),),
        pending=(*deals, *(Step(StepKind.QUEST, place) for place in range(1, quests + 1))),
        quests=(None,) * quests,
        quest_deck=copy.quest_deck if quests else (),
    )


# --- what is owed -----------------------------------------------------------------------------------------


def spoils(copy: Copy, forces: tuple[int, ...]) -> tuple[int, ...]:
    """R-B2: VP by place. Who is tied takes the VP of the place; the tiers of the others tied are skipped."""
    table = copy.spoils
    if not copy.settings.literal_ties:
        return tuple([table[sum([other > force for other in forces])] for force in forces])
    vp_of: dict[int, int] = {}
    tier = 0
    for force in sorted(set(forces), reverse=True):
        vp_of[force] = table[tier] if tier < len(table) else 0
        tier += 2 if forces.count(force) > 1 else 1
    return tuple([vp_of[force] for force in forces])


def combat_vp(copy: Copy, state: State) -> tuple[int, ...]:
    """What this Combat brings each player: the place, and effects of cards."""
    if len(state.players) == 1:
        player = state.players[0]
        places: tuple[int, ...] = (
            copy.spoils[0] if force_of(copy, player) > threat_force(copy, state.threat) else 0,
        )
    else:
        places = spoils(copy, tuple([force_of(copy, player) for player in state.players]))
    return tuple(
        [
            vp + copy.gained(_COMBAT, player.grid, copy.levelled(player, scored=vp > 0))[VP]
            for vp, player in zip(places, state.players, strict=True)
        ]
    )


def force_of(copy: Copy, player: Player) -> int:
    return int(copy.force_of(player.grid, copy.levelled(player)))


def owed(copy: Copy, state: State, phase: Phase, number: int) -> Amounts:
    """What the phase gives this player."""
    player = state.players[number - 1]
    if phase is Phase.SPOILS:
        return (0, 0, 0, 0, state.due[number - 1])
    if phase is Phase.PRODUCTION:
        gain: Amounts = copy.gained(_PRODUCTION, player.grid, copy.levelled(player))
        return gain
    if phase is Phase.INCOME:
        coin, tech, magic, force, vp = copy.gained(_INCOME, player.grid, copy.levelled(player))
        return (coin + copy.income, tech, magic, force, vp)
    if phase is Phase.VP:
        gain = copy.gained(_SCORE, player.grid, copy.levelled(player))
        return gain
    if phase is Phase.FINAL:
        return (0, 0, 0, 0, worth(player.coins) // copy.coins_per_vp)
    return (0, 0, 0, force_of(copy, player), 0) if phase is Phase.COMBAT else NOTHING


def refuse_collect(_copy: Copy, state: State, given: Action) -> Refusal | None:
    return not_now(state, PHASE_OF[given.verb], RULE_OF[given.verb], given.player)


def do_collect(copy: Copy, state: State, given: Action) -> State:
    phase = PHASE_OF[given.verb]
    todo = tuple([other for other in state.todo if other != given.player])
    amounts = owed(copy, state, phase, given.player)
    if phase is Phase.COMBAT:
        player = changed(state.players[given.player - 1], force=amounts[FORCE])
        return state.with_player(given.player, player, todo=todo)
    return receive(copy, state, given.player, amounts).but(todo=todo)


def refuse_claim(_copy: Copy, state: State, given: Action) -> Refusal | None:
    return None if (given.player, given.at) in state.claims else no("R-Q1", "not-met", quest=given.at)


def do_claim(copy: Copy, state: State, given: Action) -> State:
    """R-Q1: all who meet it in the same phase score; then it is turned over."""
    claims = tuple([claim for claim in state.claims if claim != (given.player, given.at)])
    state = receive(copy, state, given.player, (0, 0, 0, 0, copy.quest_vp)).but(claims=claims)
    if any([quest == given.at for _, quest in claims]):
        return state
    return state.but(quests=(*state.quests[: given.at - 1], None, *state.quests[given.at :]))


def met(copy: Copy, state: State) -> tuple[tuple[int, int], ...]:
    """Which players meet which open Quests."""
    found: list[tuple[int, int]] = []
    for place, quest in enumerate(state.quests, 1):
        goal = copy.goals.get(quest) if quest is not None else None
        if goal is None:
            continue
        for number, player in enumerate(state.players, 1):
            if counted(goal.each, player.grid, copy.standing(player), copy.card_of) >= goal.number:
                found.append((number, place))
    return tuple(found)


# --- what comes next --------------------------------------------------------------------------------------


def settle(copy: Copy, state: State) -> State:
    """Goes on until somebody has something to do."""
    while state.result is None:
        if state.pending:
            if state.deck or state.discard or state.fresh or state.pending[0].kind is StepKind.QUEST:
                return state
            state = state.but(pending=state.pending[1:])  # there is no card left to draw
            continue
        if state.todo or state.claims:
            return state
        if state.phase is Phase.RECRUIT and any([player.placing for player in state.players]):
            return state
        if state.quests and state.phase not in _NO_QUESTS and (claims := met(copy, state)):
            return state.but(claims=claims)
        state = _next(copy, state)
    return state


_NO_QUESTS = (Phase.SETUP, Phase.DRAW, Phase.DRAFT, Phase.CHOOSE, Phase.FINAL)


def _next(copy: Copy, state: State) -> State:
    everybody = tuple(range(1, len(state.players) + 1))
    phase = state.phase
    if phase is Phase.SETUP:
        return state.but(round=1, phase=Phase.DRAW, todo=everybody)
    if phase is Phase.DRAW:
        after = Phase.DRAFT if copy.settings.draft else Phase.CHOOSE
        return state.but(phase=after, todo=everybody)
    if phase is Phase.DRAFT:
        return _passed_on(state, everybody)
    if phase is Phase.CHOOSE:
        return state.but(phase=Phase.RECRUIT, todo=everybody)
    if phase is Phase.RECRUIT:
        threat = (Step(StepKind.THREAT),) if len(state.players) == 1 else ()
        players = tuple([changed(player, last=None) for player in state.players])
        return state.but(phase=Phase.COMBAT, players=players, todo=everybody, pending=threat)
    if phase is Phase.COMBAT:
        state = state.but(due=combat_vp(copy, state))
        return _collecting(copy, state, Phase.SPOILS)
    if phase is Phase.SPOILS:
        return _collecting(copy, state.but(due=()), Phase.PRODUCTION)
    if phase is Phase.PRODUCTION:
        return _collecting(copy, state, Phase.INCOME)
    if phase is Phase.INCOME:
        return _collecting(copy, state, Phase.VP)
    if phase is Phase.FINAL:
        return state.but(result=result_of(state))
    if ended(state):
        return _collecting(copy, state, Phase.FINAL)
    return state.but(
        round=state.round + 1,
        phase=Phase.DRAW,
        todo=everybody,
        discard=state.discard + state.fresh,
        fresh=(),
    )


def _collecting(copy: Copy, state: State, phase: Phase) -> State:
    numbers = range(1, len(state.players) + 1)
    todo = tuple([number for number in numbers if any(owed(copy, state, phase, number))])
    return state.but(phase=phase, todo=todo)


def _passed_on(state: State, everybody: tuple[int, ...]) -> State:
    """R-DR1: what is left of each hand goes to the left, until everybody has five cards in front of them."""
    players = state.players
    if not any([player.hand for player in players]):
        drafted = tuple([changed(player, hand=player.drafted, drafted=()) for player in players])
        return state.but(players=drafted, phase=Phase.CHOOSE, todo=everybody)
    hands = [player.hand for player in players]
    passed = tuple([changed(player, hand=hands[index - 1]) for index, player in enumerate(players)])
    todo = tuple([number for number in everybody if passed[number - 1].hand])
    return state.but(players=passed, todo=todo)


def ended(state: State) -> bool:
    """R-E1: somebody has 40 VP or nine Adventurers."""
    return any([player.vp >= END_VP or None not in player.grid for player in state.players])


def result_of(state: State) -> Result:
    """R-E2: VP, then coins, then Force; else shared."""
    if len(state.players) == 1:
        return Result.SOLO
    keys = [(player.vp, worth(player.coins), player.force) for player in state.players]
    best = max(keys)
    if keys.count(best) > 1:
        return Result.SHARED
    return Result(f"win-{keys.index(best) + 1}")


def options(state: State, number: int) -> list[Action]:
    return [action(VERB_OF[state.phase], number)]
