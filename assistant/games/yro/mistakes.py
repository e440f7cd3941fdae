"""What people get wrong: each rule that could have been broken just now, with the table it leaves behind.

Each is a small change to a position: a payment that was not made, a bonus left or taken twice, a marker that
stayed or went astray, a card laid where it may not lie.
"""

from collections.abc import Iterator

from assistant.games.yro import mixes
from assistant.games.yro.copy import Copy
from assistant.games.yro.effects import COIN, MAGIC, NOTHING, TECH, VP, Amounts
from assistant.games.yro.grid import is_adjacent, mask_of, may_stick_out, name_of
from assistant.games.yro.judge import seat
from assistant.games.yro.phases import VERB_OF, force_of, owed, settle, spoils
from assistant.games.yro.purse import moved
from assistant.games.yro.recruit import due, receive
from assistant.games.yro.state import CELLS, FORCE_SPACES, VP_SPACES, Phase, Player, State, changed
from assistant.games.yro.view import marker
from assistant.games.yro.words import said
from assistant.kit import Message, Mistake, Value
from vision.table import ZoneId

Mistakes = Iterator[Mistake[State]]

_RULES = {
    Phase.SPOILS: "R-B2",
    Phase.PRODUCTION: "R-P1",
    Phase.INCOME: "R-I1",
    Phase.VP: "R-V1",
    Phase.FINAL: "R-E2",
}


def mistakes(copy: Copy, state: State) -> tuple[Mistake[State], ...]:
    if state.result is not None or state.phase is Phase.SETUP or state.pending:
        return ()
    found: list[Mistake[State]] = []
    for number in range(1, len(state.players) + 1):
        if state.phase is Phase.RECRUIT:
            found += _recruited(copy, state, number)
            found += _misplaced(copy, state, number)
        if number in state.todo and state.phase in VERB_OF:
            found += _forgotten(copy, state, number)
            found += _wrong_amount(copy, state, number)
            found += _force(copy, state, number)
        found += _uncalled_for(copy, state, number)
    found += _unpaid_idle(copy, state)
    found += _end_missed(copy, state)
    return tuple(found)


def _mistake(
    rule: str, key: str, state: State, *zones: str, doubt: float = 0.0, **values: Value
) -> Mistake[State]:
    return Mistake(
        rule=rule,
        message=Message.of(f"yro.mistake.{key}", **values),
        state=state,
        zones=tuple(ZoneId(zone) for zone in zones),
        doubt=doubt,
    )


def _paid(state: State, number: int, gain: int) -> State | None:
    """The state with so many coins more, or fewer, in a player's hand."""
    player = state.players[number - 1]
    if player.coins[0] + 3 * player.coins[1] + 6 * player.coins[2] + gain < 0:
        return None
    purse, bank = moved(player.coins, state.bank, gain)
    return state.with_player(number, changed(player, coins=purse), bank=bank)


def _recruited(copy: Copy, state: State, number: int) -> Mistakes:
    """R-R1, R-R3, R-R4: the last card was not paid as it must be, or its gifts were not taken, or twice."""
    last = state.players[number - 1].last
    if last is None:
        return
    cost, effect, lines = last
    wrong = {cost: "unpaid", copy.discount: "underpaid", -copy.discount: "overpaid"}
    for gain, key in wrong.items():
        if gain and (after := _paid(state, number, gain)) is not None:
            yield _mistake("R-R1", key, after, f"coins-{number}", player=seat(number), n=abs(gain))
    for rule, amounts, key in (("R-R3", effect, "effect"), ("R-R4", lines, "line")):
        if any(amounts):
            words = said(amounts)
            less = _less(state, number, amounts)
            if less is not None:
                yield _mistake(
                    rule, f"{key}-forgotten", less, f"board-{number}", player=seat(number), what=words
                )
            twice = receive(copy, state, number, _five(amounts))
            if twice == state:  # the track is at its end
                continue
            yield _mistake(
                rule, f"{key}-twice", twice, f"board-{number}", doubt=0.5, player=seat(number), what=words
            )


def _five(amounts: tuple[int, ...]) -> Amounts:
    coin, tech, magic, force, vp = amounts
    return (coin, tech, magic, force, vp)


def _less(state: State, number: int, amounts: tuple[int, ...]) -> State | None:
    """The state without these gains."""
    player = state.players[number - 1]
    poorer = changed(
        player,
        tech=player.tech - amounts[TECH],
        magic=player.magic - amounts[MAGIC],
        vp=player.vp - amounts[VP],
    )
    if min(poorer.tech, poorer.magic, poorer.vp) < 0:
        return None
    state = state.with_player(number, poorer)
    return _paid(state, number, -amounts[COIN]) if amounts[COIN] else state


def _misplaced(copy: Copy, state: State, number: int) -> Mistakes:
    """R-R2: a card that touches no other, or only by a corner, or lies outside of three by three.

    Outside of all cells it lies where nobody looks: it is known by its being gone, and paid for. That is no
    harder to believe than a payment too many with the card taken back in hand.
    """
    player = state.players[number - 1]
    mask = mask_of(player.grid)
    for card in dict.fromkeys(player.placing):
        cost = due(copy, player, card)
        purse, bank = moved(player.coins, state.bank, -cost) if cost <= player.budget else (None, None)
        if purse is None or not mask or mixes.is_token(card):
            continue
        left = mixes.lifted(player.placing, card)
        paid = changed(player, coins=purse, placing=left, budget=player.budget - cost)
        for cell in range(CELLS):
            if player.grid[cell] is None and not is_adjacent(mask, name_of(cell)):
                grid = (*player.grid[:cell], card, *player.grid[cell + 1 :])
                yield _mistake(
                    "R-R2",
                    "not-adjacent",
                    settle(copy, state.with_player(number, changed(paid, grid=grid), bank=bank)),
                    f"grid-{number}-{cell + 1}",
                    player=seat(number),
                    card=card,
                )
        if may_stick_out(mask):
            yield _mistake(
                "R-R2",
                "outside",
                settle(copy, state.with_player(number, paid, bank=bank)),
                f"chosen-{number}",
                player=seat(number),
                card=card,
            )


def _done(state: State, number: int) -> State:
    return state.but(todo=tuple(other for other in state.todo if other != number))


def _forgotten(copy: Copy, state: State, number: int) -> Mistakes:
    """R-B2, R-P1, R-I1, R-V1, R-E2: what was due was not taken."""
    rule = _RULES.get(state.phase)
    if rule is None:
        return
    amounts = owed(copy, state, state.phase, number)
    after = settle(copy, _done(state, number))
    yield _mistake(
        rule,
        f"{state.phase.value}-forgotten",
        after,
        *_zones(state.phase, number),
        player=seat(number),
        what=said(amounts),
    )


def _zones(phase: Phase, number: int) -> tuple[str, ...]:
    if phase is Phase.INCOME:
        return (f"coins-{number}",)
    return (f"board-{number}",) if phase is Phase.PRODUCTION else ()


def _wrong_amount(copy: Copy, state: State, number: int) -> Mistakes:
    """Another number than was due: only the base, or not it; another place's VP; one off; twice."""
    rule, phase = _RULES.get(state.phase), state.phase
    if rule is None:
        return
    right = owed(copy, state, phase, number)
    as_due = receive(copy, state, number, right)
    for wrong, doubt in _others(copy, phase, right).items():
        if receive(copy, state, number, wrong) == as_due:  # the track is at its end
            continue
        after = settle(copy, receive(copy, _done(state, number), number, wrong))
        yield _mistake(
            rule,
            f"{phase.value}-wrong",
            after,
            *_zones(phase, number),
            doubt=doubt,
            player=seat(number),
            what=said(right),
            found=said(wrong),
        )
    yield from _unturned(copy, state, as_due, number)


def _uncalled_for(copy: Copy, state: State, number: int) -> Mistakes:
    """R-B2: VP of a Combat that brought this guild none, as when a tie leaves its place unpaid.

    The last who takes VP ends their phase, so that this is looked for until Income is over.
    """
    if state.phase not in (Phase.SPOILS, Phase.PRODUCTION, Phase.INCOME) or len(state.players) == 1:
        return
    places = spoils(copy, tuple(player.force for player in state.players))
    if places[number - 1] or (state.due and state.due[number - 1]):
        return
    for tier in sorted({vp for vp in copy.spoils if vp}):
        taken = (0, 0, 0, 0, tier)
        yield _mistake(
            "R-B2",
            "spoils-wrong",
            receive(copy, state, number, taken),
            doubt=0.2,
            player=seat(number),
            what=said(NOTHING),
            found=said(taken),
        )


def _unturned(copy: Copy, state: State, as_due: State, number: int) -> Mistakes:
    """R-V1: beyond 40 the VP marker went on from 1, but was not turned over."""
    before, player = state.players[number - 1], as_due.players[number - 1]
    space, over = marker(player.vp, VP_SPACES)
    if over and not marker(before.vp, VP_SPACES)[1]:
        after = settle(copy, _done(as_due.with_player(number, changed(player, vp=space)), number))
        yield _mistake("R-V1", "vp-unturned", after, f"vp-{space}", player=seat(number), vp=player.vp)


def _others(copy: Copy, phase: Phase, right: Amounts) -> dict[Amounts, float]:
    coin, tech, magic, force, vp = right
    found: dict[Amounts, float] = {}
    if phase is Phase.INCOME:
        for other in (copy.income, coin - copy.income, coin - 1, coin + 1):
            found.setdefault((other, tech, magic, force, vp), 0.3)
    elif phase is Phase.PRODUCTION:
        for part in (
            (0, tech, 0, 0, 0),
            (0, 0, magic, 0, 0),
            (0, tech + 1, magic, 0, 0),
            (0, tech, magic + 1, 0, 0),
        ):
            found.setdefault(part, 0.3)
    elif phase is Phase.SPOILS:
        for other in (*copy.spoils, vp - 1, vp + 1, 2 * vp):
            found.setdefault((0, 0, 0, 0, other), 0.2)
    else:
        for other in (vp - 1, vp + 1, 2 * vp):
            found.setdefault((coin, tech, magic, force, other), 0.5)
    return {
        amounts: doubt
        for amounts, doubt in found.items()
        if amounts != right and any(amounts) and min(amounts) >= 0
    }


def _force(copy: Copy, state: State, number: int) -> Mistakes:
    """R-B1, R-B3: the Force marker stayed where it was, went one space astray, or was not turned over."""
    if state.phase is not Phase.COMBAT:
        return
    player = state.players[number - 1]
    right = force_of(copy, player)
    wrong = {player.force: "force-stayed", right - 1: "force-wrong", right + 1: "force-wrong"}
    if right > FORCE_SPACES:
        wrong.setdefault(marker(right, FORCE_SPACES)[0], "force-unturned")
    for value, key in wrong.items():
        if value != right and value >= 0:
            moved_ = settle(copy, _done(state, number).with_player(number, _at(player, value)))
            rule = "R-B3" if key == "force-unturned" else "R-B1"
            zone = f"force-{marker(value, FORCE_SPACES)[0]}"
            yield _mistake(rule, key, moved_, zone, player=seat(number), force=right, found=value)


def _at(player: Player, force: int) -> Player:
    return changed(player, force=force)


def _unpaid_idle(copy: Copy, state: State) -> Mistakes:
    """R-R1: who recruits nobody takes 2 coins, not none and not 3."""
    if state.phase is not Phase.RECRUIT:
        return
    for number in state.todo:
        if not state.players[number - 1].chosen:
            after = settle(copy, _done(state, number))
            yield _mistake(
                "R-R1", "idle-unpaid", after, f"coins-{number}", player=seat(number), n=copy.nothing
            )


def _end_missed(copy: Copy, state: State) -> Mistakes:
    """R-E1: the game is over, but another round was begun."""
    if state.phase is not Phase.FINAL:
        return
    again = state.but(
        round=state.round + 1,
        phase=Phase.DRAW,
        todo=tuple(range(1, len(state.players) + 1)),
        discard=state.discard + state.fresh,
        fresh=(),
    )
    yield _mistake("R-E1", "end-missed", settle(copy, again))
