"""The Draw and Recruit phases: what each player decides."""

from itertools import combinations

from assistant.facedown import Cards
from assistant.games.yro import mixes
from assistant.games.yro.actions import Action, Verb, action
from assistant.games.yro.copy import Copy
from assistant.games.yro.effects import COIN, MAGIC, NOTHING, TECH, VP, Amounts, given_by
from assistant.games.yro.grid import cell_of, is_adjacent, laid, mask_of, shift_of, spaces
from assistant.games.yro.judge import no, not_now, seat
from assistant.games.yro.purse import moved, worth
from assistant.games.yro.state import CELLS, HAND, SIDE, Phase, Player, State, Step, StepKind, changed
from assistant.kit import Message, Refusal
from vision.cards import CardId

Mixes = tuple[Cards, ...]

KEPT = 2
"""R-DR1: how many cards of the last hand a draft begins with."""


def taken(all_mixes: Mixes, held: Cards, cards: Cards) -> tuple[Mixes, Cards, Cards] | CardId:
    """These cards leave a hand: the mixes, the hand and the cards as they now lie; or the one not held.

    A card that is not held by its name may be one that nobody has read: then it gets its name now.
    """
    gone: list[CardId] = []
    for card in cards:
        if card not in held:
            unread = [old for old in held if mixes.is_token(old)]
            if mixes.is_token(card):
                fitting = unread
            else:
                fitting = [old for old in unread if mixes.named(all_mixes, old, card) is not None]
            if not fitting:
                return card
            if not mixes.is_token(card):
                all_mixes = mixes.named(all_mixes, fitting[0], card) or all_mixes
            held = mixes.lifted(held, fitting[0])
            gone.append(fitting[0] if mixes.is_token(card) else card)
        else:
            held = mixes.lifted(held, card)
            gone.append(card)
    return all_mixes, held, tuple(gone)


# --- Draw -------------------------------------------------------------------------------------------------


def discard_options(copy: Copy, state: State, number: int) -> list[Action]:
    """Cards go onto the discard one by one; who keeps the rest draws up to five."""
    hand = state.players[number - 1].hand
    draft = copy.settings.draft
    found = [action(Verb.KEEP, number)] if not draft or len(hand) <= KEPT else []
    if not draft or len(hand) > KEPT:
        found += [action(Verb.DISCARD, number, (card,)) for card in dict.fromkeys(hand)]
    return found


def refuse_discard(copy: Copy, state: State, given: Action) -> Refusal | None:
    rule = "R-DR1" if copy.settings.draft else "R-D1"
    refusal = not_now(state, Phase.DRAW, rule, given.player)
    if refusal is not None:
        return refusal
    hand = state.players[given.player - 1].hand
    found = taken(state.mixes, hand, given.cards)
    if isinstance(found, str):
        return no(rule, "not-in-hand", card=found)
    if copy.settings.draft and len(hand) <= KEPT:
        return no("R-DR1", "keep-two", n=len(hand) - 1)
    return None


def do_discard(_copy: Copy, state: State, given: Action) -> State:
    player = state.players[given.player - 1]
    new_mixes, hand, gone = _taken(state, player.hand, given.cards)
    poorer = changed(player, hand=hand)
    return state.with_player(given.player, poorer, fresh=state.fresh + gone, mixes=new_mixes)


def refuse_keep(copy: Copy, state: State, given: Action) -> Refusal | None:
    rule = "R-DR1" if copy.settings.draft else "R-D1"
    refusal = not_now(state, Phase.DRAW, rule, given.player)
    if refusal is not None:
        return refusal
    many = len(state.players[given.player - 1].hand)
    return no("R-DR1", "keep-two", n=many) if copy.settings.draft and many > KEPT else None


def do_keep(_copy: Copy, state: State, given: Action) -> State:
    """Once all have kept what they want, all draw: who was first cannot be seen and does not matter."""
    todo = _without(state.todo, given.player)
    if todo:
        return state.but(todo=todo)
    draws = [
        Step(StepKind.DRAW, number)
        for number, player in enumerate(state.players, 1)
        for _ in range(HAND - len(player.hand))
    ]
    return state.but(todo=(), pending=tuple(draws))


def _taken(state: State, held: Cards, cards: Cards) -> tuple[Mixes, Cards, Cards]:
    found = taken(state.mixes, held, cards)
    if isinstance(found, str):
        raise ValueError(f"expected a held card, found {found!r}: ask for the refusal first")
    return found


def pick_options(state: State, number: int) -> list[Action]:
    return [action(Verb.PICK, number, (card,)) for card in dict.fromkeys(state.players[number - 1].hand)]


def refuse_pick(_copy: Copy, state: State, given: Action) -> Refusal | None:
    refusal = not_now(state, Phase.DRAFT, "R-DR1", given.player)
    if refusal is not None:
        return refusal
    found = taken(state.mixes, state.players[given.player - 1].hand, given.cards)
    return no("R-DR1", "not-in-hand", card=found) if isinstance(found, str) else None


def do_pick(_copy: Copy, state: State, given: Action) -> State:
    player = state.players[given.player - 1]
    new_mixes, left, picked = _taken(state, player.hand, given.cards)
    richer = changed(player, hand=left, drafted=tuple(sorted((*player.drafted, *picked))))
    return state.with_player(given.player, richer, mixes=new_mixes, todo=_without(state.todo, given.player))


# --- Recruit ----------------------------------------------------------------------------------------------


def price(copy: Copy, cards: Cards) -> int:
    """R-R1: two cards at their cost, a single one cheaper, never below nothing."""
    costs = [copy.card_of(card).cost or 0 for card in cards]
    return max(0, costs[0] - copy.discount) if len(costs) == 1 else sum(costs)


def choose_options(copy: Copy, state: State, number: int) -> list[Action]:
    player = state.players[number - 1]
    purse, free = worth(player.coins), player.grid.count(None)
    adventurers = copy.adventurers
    costs = [(card, adventurers[card].cost or 0 if card in adventurers else 0) for card in player.hand]
    found = [action(Verb.CHOOSE, number)]
    if free:
        found += [
            action(Verb.CHOOSE, number, (card,)) for card, cost in costs if cost - copy.discount <= purse
        ]
    if free > 1:
        found += [
            action(Verb.CHOOSE, number, (one, two))
            for (one, first), (two, second) in combinations(costs, 2)
            if first + second <= purse
        ]
    return list(dict.fromkeys(found)) if len({*player.hand}) < len(player.hand) else found


def refuse_choose(copy: Copy, state: State, given: Action) -> Refusal | None:
    refusal = not_now(state, Phase.CHOOSE, "R-R1", given.player)
    if refusal is not None:
        return refusal
    player = state.players[given.player - 1]
    if len(given.cards) > 2:
        return no("R-R1", "too-many", n=len(given.cards))
    found = taken(state.mixes, player.hand, given.cards)
    if isinstance(found, str):
        return no("R-R1", "not-in-hand", card=found)
    if len(given.cards) > player.grid.count(None):
        return no("R-R2", "grid-full", n=CELLS - player.grid.count(None))
    if given.cards and price(copy, given.cards) > worth(player.coins):
        return no("R-R1", "too-dear", cost=coins(price(copy, given.cards)), have=worth(player.coins))
    return None


def coins(number: int) -> Message:
    return Message.of("yro.amount.coin", n=number)


def do_choose(_copy: Copy, state: State, given: Action) -> State:
    player = state.players[given.player - 1]
    new_mixes, hand, chosen = _taken(state, player.hand, given.cards)
    ready = changed(player, hand=hand, chosen=tuple(sorted(chosen)))
    return state.with_player(given.player, ready, mixes=new_mixes, todo=_without(state.todo, given.player))


def refuse_recruit(_copy: Copy, state: State, given: Action) -> Refusal | None:
    return not_now(state, Phase.RECRUIT, "R-R1", given.player)


def do_recruit(copy: Copy, state: State, given: Action) -> State:
    """The chosen cards are turned up; who chose none takes coins at once."""
    player = state.players[given.player - 1]
    todo = _without(state.todo, given.player)
    if not player.chosen:
        purse, bank = moved(player.coins, state.bank, copy.nothing)
        return state.with_player(given.player, changed(player, coins=purse), bank=bank, todo=todo)
    shown = changed(
        player,
        chosen=(),
        placing=player.chosen,
        budget=worth(player.coins),
        discount=copy.discount if len(player.chosen) == 1 else 0,
    )
    return state.with_player(given.player, shown, todo=todo)


def place_options(copy: Copy, state: State, number: int) -> list[Action]:
    player = state.players[number - 1]
    free = spaces(player.grid)
    return [
        action(Verb.PLACE, number, (card,), at)
        for card in dict.fromkeys(player.placing)
        if due(copy, player, card) <= player.budget
        for at in free
    ]


def refuse_place(copy: Copy, state: State, given: Action) -> Refusal | None:
    if not 1 <= given.player <= len(state.players):
        return no("R-R2", "no-player", player=given.player, players=len(state.players))
    player = state.players[given.player - 1]
    card = given.cards[0]
    if state.phase is not Phase.RECRUIT or isinstance(taken(state.mixes, player.placing, given.cards), str):
        return no("R-R1", "not-revealed", card=card, player=seat(given.player))
    cost = due(copy, player, card)
    if cost > player.budget:
        return no("R-R1", "too-dear", cost=coins(cost), have=player.budget)
    return _refuse_cell(player, given.at)


def _refuse_cell(player: Player, at: int) -> Refusal | None:
    mask = mask_of(player.grid)
    row, column = divmod(at, 10)
    inside = 1 <= row <= 3 and 1 <= column <= 3
    if not mask:
        return None if inside else no("R-R2", "outside", row=row, column=column)
    if inside and player.grid[(row - 1) * 3 + column - 1] is not None:
        return no("R-R5", "cell-taken", row=row, column=column)
    if shift_of(mask, at) is None:
        return no("R-R2", "outside", row=row, column=column)
    return None if is_adjacent(mask, at) else no("R-R2", "not-adjacent", row=row, column=column)


def due(copy: Copy, player: Player, card: CardId) -> int:
    return max(0, (copy.card_of(card).cost or 0) - player.discount)


def do_place(copy: Copy, state: State, given: Action) -> State:
    """Pays, lays the card, resolves its Recruit effect (R-R3), then the lines it completes (R-R4)."""
    player = state.players[given.player - 1]
    new_mixes, left, (card,) = _taken(state, player.placing, given.cards)
    cost = due(copy, player, card)
    purse, bank = moved(player.coins, state.bank, -cost) if cost else (player.coins, state.bank)
    grid, cell = laid(player.grid, given.at, card)
    player = changed(
        player,
        placing=left,
        grid=grid,
        coins=purse,
        budget=player.budget - cost if left else 0,
        discount=player.discount if left else 0,
    )
    effect, lines = effect_of(copy, player, cell), lines_through(copy, player, cell)
    player = changed(player, last=(cost, effect, lines))
    state = state.with_player(given.player, player, bank=bank, mixes=new_mixes)
    return receive(copy, state, given.player, plus(effect, lines))


def effect_of(copy: Copy, player: Player, cell: int) -> Amounts:
    """R-R3: what the card in this cell gives when it is played."""
    return given_by(0, cell, player.grid, copy.levelled(player), copy.card_of)


def lines_through(copy: Copy, player: Player, cell: int) -> Amounts:
    """R-R4: the bonuses of all lines that this card completes."""
    lines = NOTHING
    for line, name in copy.lines_of(player.grid):
        if cell in line:
            lines = plus(lines, copy.lines.get(name, NOTHING))
    return lines


def brought(copy: Copy, player: Player, cell: int) -> Amounts:
    return plus(effect_of(copy, player, cell), lines_through(copy, player, cell))


def plus(one: Amounts, other: Amounts) -> Amounts:
    coin, tech, magic, force, vp = [a + b for a, b in zip(one, other, strict=True)]
    return (coin, tech, magic, force, vp)


def refuse_name(_copy: Copy, state: State, given: Action) -> Refusal | None:
    if not 1 <= given.player <= len(state.players):
        return no("R-C2", "no-player", player=given.player, players=len(state.players))
    old = _unread(state.players[given.player - 1], given.at)
    card = given.cards[0]
    if old is None or mixes.is_token(card) or mixes.named(state.mixes, old, card) is None:
        return no("R-C2", "not-unread", card=card)
    return None


def do_name(_copy: Copy, state: State, given: Action) -> State:
    """A card that lay there unread is read at last. What it brought has been taken or not: nothing moves."""
    player = state.players[given.player - 1]
    old, card = _unread(player, given.at), given.cards[0]
    assert old is not None
    if given.at:
        cell = cell_of(given.at)
        player = changed(player, grid=(*player.grid[:cell], card, *player.grid[cell + 1 :]))
    else:
        shown = (*mixes.lifted(player.placing, old), card)
        player = changed(player, placing=tuple(sorted(shown)))
    return state.with_player(given.player, player, mixes=mixes.named(state.mixes, old, card) or state.mixes)


def _unread(player: Player, at: int) -> CardId | None:
    """The unread card in a cell or, without one, among the revealed cards."""
    if not at:
        return next((card for card in player.placing if mixes.is_token(card)), None)
    inside = 1 <= at // 10 <= SIDE and 1 <= at % 10 <= SIDE
    card = player.grid[cell_of(at)] if inside else None
    return card if card is not None and mixes.is_token(card) else None


def receive(copy: Copy, state: State, number: int, amounts: Amounts) -> State:
    """Coins, Tech, Magic and VP as gained; tracks end where they end."""
    if not any(amounts):
        return state
    player = state.players[number - 1]
    purse, bank = player.coins, state.bank
    if amounts[COIN]:
        purse, bank = moved(purse, bank, amounts[COIN])
    end = copy.track_end
    richer = changed(
        player,
        coins=purse,
        tech=min(end, player.tech + amounts[TECH]),
        magic=min(end, player.magic + amounts[MAGIC]),
        vp=player.vp + amounts[VP],
    )
    return state.with_player(number, richer, bank=bank)


def _without(todo: tuple[int, ...], player: int) -> tuple[int, ...]:
    return tuple([other for other in todo if other != player])
