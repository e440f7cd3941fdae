"""Building the Canal, constructing Farms, Outposts and Huts, and using Hut spaces (Y-A5, Y-A9 to Y-A12)."""

from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.board import SITE_SPACES
from assistant.games.yu.copy import Copy, Steps
from assistant.games.yu.judge import no, not_in_actions, too_dear, unpaid
from assistant.games.yu.payment import FREE, believed, ways_to_pay
from assistant.games.yu.pieces import CLAY, WOOD, WORKERS, covers, plus
from assistant.games.yu.resolve import colour_group, push, sections_built
from assistant.games.yu.row import spent
from assistant.games.yu.state import OFF_BOARD, SECTIONS, State, Step, StepKind
from assistant.kit import Refusal
from vision.cards import CardId

_RULE_OF = {Verb.FARM: "Y-A9", Verb.OUTPOST: "Y-A10", Verb.HUT: "Y-A11"}
_KIND_OF = {Verb.FARM: "farm", Verb.OUTPOST: "outpost", Verb.HUT: "hut"}


def options(copy: Copy, state: State) -> list[Action]:
    return [*_canal_options(copy, state), *_building_options(copy, state), *_circle_options(state)]


def _canal_options(copy: Copy, state: State) -> list[Action]:
    card = under_barge(state)
    if card is None:
        return []
    cost = copy.canal_of(card).cost or FREE
    if not covers(state.supply, cost.resources):
        return []
    pays = ways_to_pay(cost, state.supply[: len(WORKERS)], colour_group(copy, state))
    return [Action(Verb.CANAL, pay=pay) for pay in pays]


def under_barge(state: State) -> CardId | None:
    """The Canal card to build; none while the Barge is off the board, or where it stands beside the cards."""
    return None if state.barge == OFF_BOARD else state.canal[state.barge - 1]


def open_sites(state: State) -> list[int]:
    """Y-A15: the free build sites, from 1, that the finished part of the Canal has opened."""
    built = sections_built(state)
    return [
        site
        for site, (space, building) in enumerate(zip(SITE_SPACES, state.sites, strict=True), 1)
        if space <= built and building is None
    ]


def _building_options(copy: Copy, state: State) -> list[Action]:
    if not (state.supply[CLAY] and state.supply[WOOD]):
        return []
    sites = open_sites(state)
    if not sites:
        return []
    actions: list[Action] = []
    for verb, numbers in _buildings_left(state):
        cost = copy.board.building_cost(_KIND_OF[verb])
        if covers(state.supply, cost.resources):
            pays = ways_to_pay(cost, state.supply[: len(WORKERS)], colour_group(copy, state))
            actions += [
                Action(verb, at=number, to=site, pay=pay)
                for number in numbers
                for site in sites
                for pay in pays
            ]
    return actions


def _buildings_left(state: State) -> tuple[tuple[Verb, list[int]], ...]:
    return (
        (Verb.FARM, [number for number, built in enumerate(state.farms, 1) if not built]),
        (Verb.OUTPOST, [number for number, built in enumerate(state.outposts, 1) if not built]),
        (Verb.HUT, [state.huts + 1] if state.huts < 4 else []),
    )


def _circle_options(state: State) -> list[Action]:
    workers = [worker for worker in range(len(WORKERS)) if state.supply[worker]]
    free = [circle for circle in range(state.huts + 1) if state.circles[circle] is None]
    return [
        Action(Verb.USE, at=circle + 1, pay=plus((0, 0, 0, 0, 0), worker))
        for circle in free
        for worker in workers
    ]


def refuse_canal(copy: Copy, state: State, action: Action) -> Refusal | None:
    """Y-A5: once a round, with the Barge on the left-most Canal card."""
    if refusal := not_in_actions(state, "Y-A5"):
        return refusal
    if sections_built(state) == SECTIONS:
        return no("Y-A5", "canal-complete")
    if state.barge == OFF_BOARD:
        return no("Y-A5", "barge-away")
    card = under_barge(state)
    if card is None:
        return no("Y-B1", "barge-astray", space=state.barge)
    cost = believed(copy.canal_of(card).cost, action.pay)
    return unpaid(state, cost, action.pay, colour_group(copy, state), "Y-A5")


def do_canal(copy: Copy, state: State, action: Action) -> State:
    """A7: pay, Barge off, the section is built before its effects are resolved (Y-K1)."""
    section, card = state.barge, under_barge(state)
    assert card is not None
    canal = copy.canal_of(card)
    state = spent(state, action.pay, (canal.cost or FREE).resources).but(
        barge=OFF_BOARD,
        canal=(*state.canal[: section - 1], None, *state.canal[section:]),
        box=(*state.box, card),
        built_this_round=True,
    )
    return push(state, canal.effects)


def refuse_building(copy: Copy, state: State, action: Action) -> Refusal | None:
    rule = _RULE_OF[action.verb]
    if refusal := not_in_actions(state, rule):
        return refusal
    if refusal := _refuse_piece(state, action, rule):
        return refusal
    if refusal := _refuse_site(state, action):
        return refusal
    cost = copy.board.building_cost(_KIND_OF[action.verb])
    return unpaid(state, cost, action.pay, colour_group(copy, state), rule)


def _refuse_piece(state: State, action: Action, rule: str) -> Refusal | None:
    """Farms and Outposts in any order, Huts only from the left."""
    built = state.farms if action.verb is Verb.FARM else state.outposts
    if action.verb is Verb.HUT:
        if state.huts == 4 or not 1 <= action.at <= 4:
            return no(rule, "no-building", number=action.at)
        if action.at != state.huts + 1:
            return no(rule, "hut-order", number=action.at, next=state.huts + 1)
        return None
    if not 1 <= action.at <= len(built) or built[action.at - 1]:
        return no(rule, "no-building", number=action.at)
    return None


def _refuse_site(state: State, action: Action) -> Refusal | None:
    if not 1 <= action.to <= len(SITE_SPACES):
        return no("Y-A15", "no-site", site=action.to)
    if SITE_SPACES[action.to - 1] > sections_built(state):
        return no("Y-A15", "site-closed", site=action.to, section=SITE_SPACES[action.to - 1])
    if state.sites[action.to - 1] is not None:
        return no("Y-A15", "site-taken", site=action.to)
    return None


def do_building(copy: Copy, state: State, action: Action) -> State:
    """Pay, move the building to the site, gain what it covers, and for a Hut turn its card over."""
    cost = copy.board.building_cost(_KIND_OF[action.verb])
    state = spent(state, action.pay, cost.resources)
    name = f"{_KIND_OF[action.verb]}-{action.at}"
    state = state.but(sites=(*state.sites[: action.to - 1], name, *state.sites[action.to :]))
    steps: Steps = copy.sites[action.to - 1]
    if action.verb is Verb.HUT:
        return push(state.but(huts=action.at), (*steps, Step(StepKind.FLIP_HUT, action.at)))
    if action.verb is Verb.FARM:
        return push(state.but(farms=_marked(state.farms, action.at)), steps)
    return push(state.but(outposts=_marked(state.outposts, action.at)), steps)


def _marked(built: tuple[bool, ...], number: int) -> tuple[bool, ...]:
    return (*built[: number - 1], True, *built[number:])


def refuse_use(_copy: Copy, state: State, action: Action) -> Refusal | None:
    """Y-A12: one Worker of any colour on an open, empty Hut space."""
    if refusal := not_in_actions(state, "Y-A12"):
        return refusal
    if not 1 <= action.at <= state.huts + 1:
        return no("Y-A12", "circle-closed", circle=action.at, open=state.huts + 1)
    if state.circles[action.at - 1] is not None:
        return no("Y-A12", "circle-taken", circle=action.at)
    if sum(action.pay) != 1:
        return no("Y-A12", "one-worker", found=sum(action.pay))
    worker = action.pay.index(1)
    if not state.supply[worker]:
        return too_dear("Y-A12", worker, 1, 0)
    return None


def do_use(copy: Copy, state: State, action: Action) -> State:
    worker = action.pay.index(1)
    state = state.but(
        supply=plus(state.supply, worker, -1),
        circles=(*state.circles[: action.at - 1], worker, *state.circles[action.at :]),
    )
    return push(state, copy.circles[action.at - 1])
