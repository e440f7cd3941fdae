"""Moves made without paying for them, paid with the wrong Workers, or without taking what they give."""

from collections.abc import Iterable, Iterator

from assistant.games.yu import rules
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.board import SITE_SPACES
from assistant.games.yu.build import under_barge
from assistant.games.yu.copy import Copy, Steps
from assistant.games.yu.judge import amount, what
from assistant.games.yu.payment import Cost
from assistant.games.yu.pieces import NONE, PROVISION, WORKERS, Pieces, added, plus, taken
from assistant.games.yu.resolve import colour_group, sections_built
from assistant.games.yu.state import Phase, State, StepKind
from assistant.games.yu.trade import SPENDS
from assistant.games.yu.words import listed
from assistant.kit import Message, Mistake
from vision.table import ZoneId

Priced = tuple[Action, str, Cost, Steps]
"""A move with its rule, what it costs and what it gives."""


def unpaid_moves(copy: Copy, state: State) -> Iterator[Mistake[State]]:
    for action, rule, cost, _ in _priced(copy, state):
        for gift in _gifts(state, cost):
            if action.verb is Verb.TRADE and gift == _whole(cost):
                continue  # who pays nothing at all does not trade: that is a piece taken for nothing
            after = _with_gift(copy, state, action, gift)
            if after is not None:
                message = Message.of("yu.mistake.unpaid", what=what(rule), missing=_amounts(gift))
                yield Mistake(rule=rule, message=message, state=after, zones=_zones(action))
        for asked, other in _swaps(copy, state, cost):
            after = _with_swap(copy, state, action, asked, other)
            if after is not None:
                message = Message.of(
                    "yu.mistake.wrong-worker", what=what(rule), asked=amount(asked, 1), paid=amount(other, 1)
                )
                yield Mistake(rule="Y-G1", message=message, state=after, zones=_zones(action))


def forgotten_gains(copy: Copy, state: State) -> Iterator[Mistake[State]]:
    """The move was made, but not all that it gives was taken."""
    moves = [*_priced(copy, state), *_gaining(copy, state)]
    for action, rule, _, gains in moves:
        pieces = [step.argument for step in gains if step.kind is StepKind.GAIN]
        if not pieces or rules.refusal(copy, state, action) is not None:
            continue
        after = rules.apply(copy, state, action)
        if after.result is not None:
            continue
        whole = NONE
        for piece in pieces:
            whole = plus(whole, piece)
        rule = "Y-A15" if action.verb in _BUILDINGS else rule
        for left in dict.fromkeys([whole, *(plus(NONE, piece) for piece in pieces)]):
            if all(have >= lost for have, lost in zip(after.supply, left, strict=True)):
                missed = after.but(supply=taken(after.supply, left), main=added(after.main, left))
                message = Message.of("yu.mistake.gain-missed", what=_amounts(left))
                yield Mistake(rule=rule, message=message, state=missed, zones=(ZoneId("supply"),))


_BUILDINGS = {Verb.FARM: "farm", Verb.OUTPOST: "outpost", Verb.HUT: "hut"}
_RULES = {Verb.FARM: "Y-A9", Verb.OUTPOST: "Y-A10", Verb.HUT: "Y-A11"}


def _priced(copy: Copy, state: State) -> Iterator[Priced]:
    if state.pending:
        return
    if state.phase is Phase.ACTIONS:
        yield from _row(copy, state)
        yield from _canal(copy, state)
        yield from _buildings(copy, state)
    if state.phase is Phase.ATTACKS:
        yield from _bribes(copy, state)
    yield from _trades(state)


def _row(copy: Copy, state: State) -> Iterator[Priced]:
    for space, card in enumerate(state.row, 1):
        if card is None:
            continue
        fare = plus(NONE, PROVISION, copy.board.row_costs[space - 1])
        if copy.is_barbarian(card):
            foe = copy.barbarian_of(card)
            if foe.cost is not None:
                cost = foe.cost._replace(resources=fare)
                yield Action(Verb.ATTACK, at=space, pay=cost.workers), "Y-A6", cost, foe.reward
        else:
            brown = copy.townsfolk_of(card).brown
            yield Action(Verb.RECRUIT, at=space), "Y-A7", Cost(resources=fare), ()
            yield Action(Verb.DISMISS, at=space), "Y-A8", Cost(resources=fare), brown


def _canal(copy: Copy, state: State) -> Iterator[Priced]:
    if (card := under_barge(state)) is not None:
        canal = copy.canal_of(card)
        if canal.cost is not None:
            yield Action(Verb.CANAL, pay=canal.cost.workers), "Y-A5", canal.cost, canal.effects


def _buildings(copy: Copy, state: State) -> Iterator[Priced]:
    sites = [
        site
        for site, (space, building) in enumerate(zip(SITE_SPACES, state.sites, strict=True), 1)
        if space <= sections_built(state) and building is None
    ]
    left = {
        Verb.FARM: [number for number, built in enumerate(state.farms, 1) if not built],
        Verb.OUTPOST: [number for number, built in enumerate(state.outposts, 1) if not built],
        Verb.HUT: [state.huts + 1] if state.huts < 4 else [],
    }
    for verb, numbers in left.items():
        cost = copy.board.building_cost(_BUILDINGS[verb])
        for number in numbers:
            for site in sites:
                action = Action(verb, at=number, to=site, pay=cost.workers)
                yield action, _RULES[verb], cost, copy.sites[site - 1]


def _bribes(copy: Copy, state: State) -> Iterator[Priced]:
    for space in state.attackers:
        card = state.row[space - 1]
        bribe = copy.barbarian_of(card).bribe if card is not None else None
        # The last bribe begins the Refresh; who does not pay it, rather takes the damage too late.
        if bribe is not None and len(state.attackers) > 1:
            yield Action(Verb.BRIBE, at=space, pay=bribe.workers), "Y-P1", bribe, ()


def _trades(state: State) -> Iterator[Priced]:
    built = sections_built(state)
    for number, cost in SPENDS.items():
        if number - 1 > built or number == 3:
            continue
        pieces: Iterable[int | None] = {1: (5, 6), 4: (1, 2, 3, 4)}.get(number, (None,))
        for piece in pieces:
            action = Action(Verb.TRADE, at=number, piece=piece, pay=cost.workers)
            yield action, "Y-A13", cost, ()


def _gaining(copy: Copy, state: State) -> Iterator[Priced]:
    """Moves without a price that give something."""
    if state.phase is not Phase.ACTIONS or state.pending:
        return
    for card in dict.fromkeys(state.hand):
        person = copy.townsfolk_of(card)
        yield Action(Verb.PLAY, card), "Y-A1", Cost(), person.brown
        yield Action(Verb.DISCARD, card), "Y-A2", Cost(), person.both
    for circle in range(state.huts + 1):
        if state.circles[circle] is None:
            for worker in range(len(WORKERS)):
                if state.supply[worker]:
                    pay = plus((0,) * len(WORKERS), worker)
                    yield Action(Verb.USE, at=circle + 1, pay=pay), "Y-A12", Cost(), copy.circles[circle]


def _gifts(state: State, cost: Cost) -> list[Pieces]:
    """What may have been left unpaid: everything, one kind, or one piece of a kind."""
    full = _whole(cost)
    short = tuple(max(0, need - have) for need, have in zip(full, state.supply, strict=True))
    wishes = [full, short]
    for piece, need in enumerate(full):
        if need:
            wishes += [plus(NONE, piece, need), plus(NONE, piece)]
    enough = [
        wish
        for wish in wishes
        if any(wish) and all(gift >= lack for gift, lack in zip(wish, short, strict=True))
    ]
    return list(dict.fromkeys(enough))


def _whole(cost: Cost) -> Pieces:
    return added((*cost.workers, 0, 0, 0, 0), cost.resources)


def _with_gift(copy: Copy, state: State, action: Action, gift: Pieces) -> State | None:
    """The table after the move, had these pieces not been paid."""
    rich = state.but(supply=added(state.supply, gift))
    if rules.refusal(copy, rich, action) is not None:
        return None
    after = rules.apply(copy, rich, action)
    main = taken(after.main, gift)
    return None if min(main) < 0 or after.result is not None else after.but(main=main)


def _swaps(copy: Copy, state: State, cost: Cost) -> Iterator[tuple[int, int]]:
    """A Worker that was asked for, and one in the supply that does not count as it."""
    group = colour_group(copy, state)
    for asked, need in enumerate(cost.workers):
        for other in range(len(WORKERS)):
            alike = asked == other or (asked in group and other in group)
            if need and not alike and state.supply[other] > cost.workers[other]:
                yield asked, other


def _with_swap(copy: Copy, state: State, action: Action, asked: int, other: int) -> State | None:
    rich = state.but(supply=plus(plus(state.supply, asked), other, -1))
    if rules.refusal(copy, rich, action) is not None:
        return None
    after = rules.apply(copy, rich, action)
    main = plus(plus(after.main, asked, -1), other)
    return None if min(main) < 0 or after.result is not None else after.but(main=main)


def _amounts(pieces: Pieces) -> Message:
    return listed([amount(piece, number) for piece, number in enumerate(pieces) if number])


def _zones(action: Action) -> tuple[ZoneId, ...]:
    place = {
        Verb.ATTACK: f"row-{action.at}",
        Verb.RECRUIT: f"row-{action.at}",
        Verb.DISMISS: f"row-{action.at}",
        Verb.BRIBE: f"row-{action.at}",
        Verb.FARM: f"site-{action.to}",
        Verb.OUTPOST: f"site-{action.to}",
        Verb.HUT: f"site-{action.to}",
    }.get(action.verb)
    return tuple(ZoneId(zone) for zone in (place, "supply") if zone is not None)
