"""What the player should do now, what is easily forgotten, and the names of the places on the table."""

from collections.abc import Iterator

from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import amount
from assistant.games.yu.payment import ways_to_pay
from assistant.games.yu.pieces import PIECES, WORKERS, covers
from assistant.games.yu.resolve import barbarians_in_row, colour_group, next_harvest
from assistant.games.yu.state import OFF_BOARD, Phase, Result, State, Step, StepKind
from assistant.games.yu.trade import do as do_trade
from assistant.games.yu.trade import options as trades
from assistant.kit import Finding, Message, Severity
from vision.table import PieceKind, ZoneId

Item = tuple[Message, bool]


def checklist(copy: Copy, state: State) -> tuple[Item, ...]:
    """What the phase asks for, and whether it is done."""
    if state.result is not None:
        return ()
    due = tuple((_due(step), False) for step in state.pending)
    if state.phase is Phase.HARVEST:
        return (*due, *_harvest(copy, state))
    if state.phase is Phase.ACTIONS:
        return (*due, (Message.of("yu.do.empty-hand"), not state.hand))
    if state.phase is Phase.RETURN_BARGE:
        return (*due, (Message.of("yu.do.barge"), state.barge != OFF_BOARD))
    if state.phase is Phase.ATTACKS:
        spaces = barbarians_in_row(copy, state.row)
        return (
            *due,
            *((Message.of("yu.do.attacker", space=space), space not in state.attackers) for space in spaces),
        )
    return due


def _due(step: Step) -> Message:
    if step.kind is StepKind.GAIN:
        return Message.of("yu.do.take", what=amount(step.argument, 1))
    return Message.of("yu.do.due", step=Message.of(f"yu.step.{step.kind.value}"))


def _harvest(copy: Copy, state: State) -> Iterator[Item]:
    """Y-H1, Y-H2: each kind of gain once, with its number, done when none of it is left."""
    everything = next_harvest(copy, state)
    left = state.harvest
    for step in dict.fromkeys((*everything, *left)):
        number = max(everything.count(step), left.count(step))
        if (name := _gain(step, number)) is not None:
            yield name, step not in left


def _gain(step: Step, number: int) -> Message | None:
    if step.kind is StepKind.GAIN:
        return Message.of("yu.do.take", what=amount(step.argument, number))
    if step.kind is StepKind.CHOOSE:
        kind = "clay-or-wood" if len(step.argument) == 2 else "coloured" if len(step.argument) == 4 else "any"
        return Message.of("yu.do.take", what=Message.of(f"yu.amount.{kind}", n=number))
    if step.kind is StepKind.DRAW:
        return Message.of("yu.do.draw", n=number)
    return Message.of("yu.do.return") if step.kind is StepKind.RETURN else None


def notes(copy: Copy, state: State) -> tuple[Finding, ...]:
    """Y-Z1: which entry of the Defeat card; Y-G10: a trade that would pay the bribe just now."""
    if state.result in (Result.FLOOD, Result.BARBARIANS, Result.DAMAGE):
        half = "top" if state.result is Result.FLOOD else "bottom"
        return (_note("Y-Z1", f"defeat-{half}"),)
    if state.phase is Phase.ATTACKS and not state.pending:
        return tuple(_trades_for_bribes(copy, state))
    return ()


def _trades_for_bribes(copy: Copy, state: State) -> Iterator[Finding]:
    poor = [space for space in state.attackers if _payable(copy, state, space) is False]
    if not poor:
        return
    for trade in trades(copy, state):
        after = do_trade(copy, state, trade)
        gained = after.pending[0] if after.pending else None
        if gained is None or gained.kind is not StepKind.GAIN or not after.main[gained.argument]:
            continue
        supply = list(after.supply)
        supply[gained.argument] += 1
        for space in poor:
            if _payable(copy, after.but(supply=tuple(supply)), space):
                yield _note("Y-G10", "trade-for-bribe", space=space, trade=trade.at)
                return


def _payable(copy: Copy, state: State, space: int) -> bool | None:
    """Whether the bribe can be paid; None where there is none."""
    card = state.row[space - 1]
    bribe = copy.barbarian_of(card).bribe if card is not None else None
    if bribe is None:
        return None
    workers = state.supply[: len(WORKERS)]
    return covers(state.supply, bribe.resources) and bool(
        ways_to_pay(bribe, workers, colour_group(copy, state))
    )


def _note(rule: str, key: str, **values: int) -> Finding:
    return Finding(rule=rule, severity=Severity.NOTE, message=Message.of(f"yu.note.{key}", **values))


def setup_list() -> tuple[tuple[Message, tuple[ZoneId, ...]], ...]:
    """Y-S3 to Y-S7, one after the other."""

    def zones(name: str, first: int, last: int) -> tuple[str, ...]:
        return tuple(f"{name}-{number}" for number in range(first, last + 1))

    items: dict[str, tuple[str, ...]] = {
        "ready": ("ready", "exhausted"),
        "draw": ("draw", "discard"),
        "row": zones("row", 1, 6),
        "barbarians": ("barbarian-draw", "barbarian-discard", "row-7"),
        "canal": zones("canal", 1, 6),
        "huts": (*zones("hut-card", 1, 4), *zones("hut-home", 1, 4)),
        "farms": zones("farm-home", 1, 3),
        "outposts": zones("outpost-home", 1, 4),
        "flood": ("river-0",),
        "barge": ("river-1",),
        "supply": ("supply", *zones("circle", 1, 5)),
    }
    return tuple(
        (Message.of(f"yu.setup.{name}"), tuple(ZoneId(zone) for zone in places))
        for name, places in items.items()
    )


def zone_name(zone: ZoneId) -> Message:
    name, _, number = zone.rpartition("-")
    if number.isdigit():
        return Message.of(f"yu.place.{name}", n=int(number))
    return Message.of(f"yu.place.{zone}")


def piece_name(kind: PieceKind, number: int) -> Message:
    return Message.of(f"yu.amount.{kind}" if kind in PIECES else f"yu.piece.{kind}", n=number)
