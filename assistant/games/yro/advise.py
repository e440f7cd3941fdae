"""What YRO tells the advisor: for whoever has named their hand, what each choice is worth until the end.

Nobody knows the others' hands, the advisor neither: they are taken to play as anybody might.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

from assistant.facedown import count
from assistant.games.yro import mixes
from assistant.games.yro.actions import Action, Verb
from assistant.games.yro.adopt import retokened
from assistant.games.yro.copy import Copy
from assistant.games.yro.judge import seat
from assistant.games.yro.phases import force_of
from assistant.games.yro.policies import Weights, gain, position, rounds_left
from assistant.games.yro.purse import worth
from assistant.games.yro.state import HAND, Phase, Player, Result, State, changed
from assistant.kit import Advising, Message, Outcome
from vision.cards import CardId

DECIDED = frozenset({Verb.DISCARD, Verb.KEEP, Verb.PICK, Verb.CHOOSE, Verb.RECRUIT, Verb.PLACE})
EVEN_VP = 6.0
"""So many VP ahead make a win about three times as likely as a loss."""
FRESH = 1.5
"""What a card drawn blindly is usually worth, in VP."""
SHOWN = 0.05
_WEIGHTS = Weights()


def advising(copy: Copy) -> Advising[State, Action]:
    """For whoever is advised in a position; alone, the advice is always for the one who plays."""
    return replace(_for(copy, 1), viewed=lambda state: _for(copy, viewer(state)))


def viewer(state: State) -> int:
    """The player whose hand is known; where several or none are, the first who has something to decide."""
    known = [number for number, player in enumerate(state.players, 1) if _is_known(player)]
    busy = [
        number
        for number, player in enumerate(state.players, 1)
        if number in state.todo or player.placing or player.chosen
    ]
    both = [number for number in busy if number in known]
    return next(iter([*both, *(known if len(known) < len(state.players) else []), *busy, *known, 1]))


def known_to(state: State, me: int) -> State:
    """What others hold and chose face down becomes unread: it may be any card that is nowhere in sight."""
    fields = ("hand", "drafted", "chosen")
    named = [
        card
        for number, player in enumerate(state.players, 1)
        if number != me
        for name in fields
        for card in getattr(player, name)
        if not mixes.is_token(card)
    ]
    if not named:
        return state
    players = tuple(
        player
        if number == me
        else changed(player, **{name: (mixes.token(0),) * len(getattr(player, name)) for name in fields})
        for number, player in enumerate(state.players, 1)
    )
    hidden = sorted([*named, *(card for mix in state.mixes for card in mix)])
    deck = ((0, count(state.deck)),) if state.deck else ()
    return retokened(state.but(players=players)).but(mixes=(tuple(hidden),), deck=deck)


def _is_known(player: Player) -> bool:
    held = (*player.hand, *player.chosen, *player.placing, *player.drafted)
    return bool(held) and not any(mixes.is_token(card) for card in held)


def _for(copy: Copy, me: int) -> Advising[State, Action]:
    return Advising(
        worth=lambda state: _worth(copy, state, me),
        outlook=lambda state: _outlook(copy, state, me),
        known=lambda state: known_to(state, me),
        mine=lambda action: action.verb in DECIDED and action.player == me,
        won=lambda state, outcome: _won(state, outcome, me),
        silent=lambda state: _silent(state, me),
        because=lambda before, after: tuple(_because(copy, before, after, me)),
        nudges=lambda state: tuple(_nudges(copy, state, me)),
    )


def _worth(copy: Copy, state: State, me: int) -> float:
    """The place on the table, and the two best cards held or still to be drawn."""
    player = state.players[me - 1]
    left = rounds_left(state)
    held = [*player.hand, *player.drafted, *player.chosen, *player.placing]
    values = [_value(copy, player, card, left) for card in held]
    values += [FRESH] * max(0, HAND - len(held))
    best = sorted(values, reverse=True)[: min(2, player.grid.count(None))]
    return position(copy, player, left, _WEIGHTS) + sum(max(0.0, value) for value in best)


def _value(copy: Copy, player: Player, card: CardId, left: int) -> float:
    if mixes.is_token(card) or None not in player.grid:
        return FRESH
    brings = gain(copy, player, card, left, _WEIGHTS)[0]
    cost = copy.card_of(card).cost or 0
    return brings - _WEIGHTS.coin * cost - (1.0 if cost > worth(player.coins) + 1 else 0.0)


def _outlook(copy: Copy, state: State, me: int) -> float:
    """The chance to win by how far ahead of the best of the others this guild will be."""
    left = rounds_left(state)
    places = [position(copy, player, left, _WEIGHTS) for player in state.players]
    others = [place for number, place in enumerate(places, 1) if number != me]
    ahead = places[me - 1] - (max(others) if others else 40.0)
    return 1 / (1 + math.exp(-ahead / EVEN_VP))


def _won(state: State, outcome: Outcome, me: int) -> float:
    if state.result is Result.SHARED:
        best = max(player.vp for player in state.players)
        return 0.5 if state.players[me - 1].vp == best else 0.0
    return float(outcome.cause in (f"win-{me}", Result.SOLO.value))


def _silent(state: State, me: int) -> Message | None:
    player = state.players[me - 1]
    if state.phase in (Phase.DRAW, Phase.DRAFT, Phase.CHOOSE) and not _is_known(player):
        return Message.of("yro.advise.name-hand", player=seat(me))
    return None


def _because(copy: Copy, before: State, after: State, me: int) -> Iterator[Message]:
    """What the way brings: VP expected until the end, and what there is at once."""
    old, new = before.players[me - 1], after.players[me - 1]
    left = rounds_left(before)
    chosen = [card for card in new.chosen if not mixes.is_token(card)]
    if chosen and not old.chosen:
        expected = sum(_value(copy, old, card, left) for card in chosen)
        yield Message.of("yro.advise.because-chosen", vp=round(expected, 1))
    kept = [card for card in new.hand if not mixes.is_token(card)]
    if before.phase is Phase.DRAW and kept:
        best = sorted((_value(copy, old, card, left) for card in kept), reverse=True)[:2]
        yield Message.of("yro.advise.because-kept", n=len(kept), vp=round(sum(best), 1))
    expected = position(copy, new, left, _WEIGHTS) - position(copy, old, left, _WEIGHTS)
    if abs(expected) > SHOWN:
        yield Message.of("yro.advise.because-place", vp=round(expected, 1))
    if new.vp > old.vp:
        yield Message.of("yro.advise.because-vp", n=new.vp - old.vp)
    force = force_of(copy, new) - force_of(copy, old)
    if force > 0:
        yield Message.of("yro.advise.because-force", n=force, all=force_of(copy, new))


def _nudges(copy: Copy, state: State, me: int) -> Iterator[Message]:
    """Who leads the Combat, and lines that lack one card."""
    forces = [force_of(copy, player) for player in state.players]
    if len(forces) > 1:
        best = max(range(len(forces)), key=lambda index: forces[index])
        yield Message.of("yro.advise.nudge-force", player=seat(best + 1), n=forces[best], mine=forces[me - 1])
    coins = worth(state.players[me - 1].coins)
    if state.phase in (Phase.DRAW, Phase.CHOOSE):
        yield Message.of("yro.advise.nudge-coins", n=coins)
