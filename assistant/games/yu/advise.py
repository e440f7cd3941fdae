"""What Legacy of Yu tells the advisor: goals of a round, and facts that speak for or against a way."""

from collections.abc import Hashable, Iterator

from assistant.facedown import count
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.copy import Copy
from assistant.games.yu.forecast import forecast
from assistant.games.yu.judge import amount
from assistant.games.yu.outlook import outlook_of, told
from assistant.games.yu.pieces import PIECES
from assistant.games.yu.resolve import barbarians_in_row, barbarians_to_add, colour_group, next_harvest
from assistant.games.yu.state import ROW, SECTIONS, Phase, State, StepKind
from assistant.games.yu.worth import Weights, worth_of
from assistant.kit import Advising, Goal, Message

MOST_REASONS = 4


def advising(copy: Copy) -> Advising[State, Action]:
    return Advising(
        worth=worth_of(copy, Weights()),
        outlook=outlook_of(copy),
        told=told,
        same=same,
        goals=lambda state: tuple(_goals(copy, state)),
        because=lambda before, after: tuple(_because(copy, before, after))[:MOST_REASONS],
        nudges=lambda state: tuple(_nudges(copy, state)),
        policy="thrifty",
        losses=lambda cause: Message.of(f"yu.advise.lost-{cause}"),
    )


def same(state: State) -> Hashable:
    """The order of open piles never matters, and which slot a card is tucked into neither."""
    return (
        state.supply, state.hand, state.round, state.phase, state.result, state.row, state.canal,
        state.pending, state.harvest, state.circles, state.farms, state.outposts, state.huts, state.sites,
        state.attackers, state.ready, state.flood, state.barge, state.mixes, state.draw,
        frozenset(state.exhausted), frozenset(state.discard), frozenset(state.tucked), state.hut_cards,
    )  # fmt: skip


def _goals(copy: Copy, state: State) -> Iterator[Goal[Action]]:
    """What the actions of this round may reach."""
    if state.phase is not Phase.ACTIONS:
        return
    built = state.canal.count(None)
    if built < SECTIONS and not state.built_this_round:
        yield _goal("canal", Message.of("yu.advise.goal-canal", section=built + 1), Verb.CANAL)
    for space in reversed(barbarians_in_row(copy, state.row)):
        message = Message.of("yu.advise.goal-attack", space=space)
        yield _goal(f"attack-{space}", message, Verb.ATTACK, space)
    for verb in (Verb.FARM, Verb.OUTPOST, Verb.HUT):
        yield _goal(verb.value, Message.of(f"yu.advise.goal-{verb.value}"), verb)


def _goal(name: str, message: Message, verb: Verb, at: int = 0) -> Goal[Action]:
    return Goal(
        name=name, message=message, reached=lambda action: action.verb is verb and at in (0, action.at)
    )


def _because(copy: Copy, before: State, after: State) -> Iterator[Message]:
    """The difference between two positions, most important facts first."""
    if after.result is not None:
        yield Message.of(f"yu.advise.ends-{after.result.value}")
        return
    built = after.canal.count(None)
    if built > before.canal.count(None):
        safe = built - after.flood
        key = "complete" if built == SECTIONS else "section"
        yield Message.of(f"yu.advise.because-{key}", section=built, n=safe)
    elif after.flood >= built and count(after.ready) < 5:
        yield Message.of("yu.advise.because-flood-near", n=count(after.ready), space=after.flood + 1)
    if after.round == before.round:
        yield from _because_foes(copy, before, after)
    yield from _because_harvest(copy, before, after)
    if colour_group(copy, after) != colour_group(copy, before):
        yield Message.of("yu.advise.because-outpost")
    kept = len(before.exhausted) + count(before.ready) + len(before.hand)
    more = len(after.exhausted) + count(after.ready) + len(after.hand) - kept
    if more > 0 and after.round == before.round:
        yield Message.of("yu.advise.because-cards", n=more)


def _because_foes(copy: Copy, before: State, after: State) -> Iterator[Message]:
    if after.phase not in (Phase.ACTIONS, Phase.ATTACKS):
        return
    now, then = (len(barbarians_in_row(copy, state.row)) for state in (before, after))
    if then < now:
        coming = then + barbarians_to_add(copy, after)
        yield Message.of("yu.advise.because-foes", n=now - then, after=coming, most=ROW)


def _because_harvest(copy: Copy, before: State, after: State) -> Iterator[Message]:
    """What every Harvest from now on gives that it did not give before."""
    old, new = next_harvest(copy, before), next_harvest(copy, after)
    if len(new) <= len(old):
        return
    for step in old:
        if step in new:
            new.remove(step)
    for step in new[:2]:
        if step.kind is StepKind.GAIN:
            yield Message.of("yu.advise.because-harvest", what=amount(step.argument, 1))
        elif step.kind is StepKind.CHOOSE:
            yield Message.of("yu.advise.because-harvest", what=Message.of("yu.amount.coloured", n=1))
        elif step.kind is StepKind.DRAW:
            yield Message.of("yu.advise.because-harvest", what=Message.of("yu.amount.card", n=1))


def _nudges(copy: Copy, state: State) -> Iterator[Message]:
    """What the forecast says about the Flood, the Barbarians and the next section."""
    gauges = {gauge.name: gauge for gauge in forecast(copy, state).gauges}
    for name in ("flood", "barbarians"):
        if name in gauges:
            yield gauges[name].message
    if "canal" in gauges and not state.built_this_round:
        yield gauges["canal"].message
    near = [
        gauge for name, gauge in gauges.items() if name.startswith("attack-") and _lacking(gauge.values) <= 1
    ]
    for gauge in near[:1]:
        space = int(gauge.name.removeprefix("attack-"))
        yield Message.of("yu.advise.nudge-attack", space=space, what=gauge.message)


def _lacking(values: object) -> int:
    assert isinstance(values, dict)
    names = ("provisions_missing", *(f"{piece}_missing" for piece in PIECES))
    return sum(int(values.get(name) or 0) for name in names)
