"""What the players should do now, what is easily forgotten, and the names of the places on the table."""

from collections.abc import Iterator

from assistant.games.yro.copy import Copy
from assistant.games.yro.judge import seat
from assistant.games.yro.phases import VERB_OF, ended, owed
from assistant.games.yro.state import Phase, State
from assistant.games.yro.words import said
from assistant.kit import Finding, Message, Severity
from vision.table import PieceKind, ZoneId

Item = tuple[Message, bool]


def checklist(copy: Copy, state: State) -> tuple[Item, ...]:
    """What the phase asks of each player, and whether it is done."""
    if state.result is not None:
        return ()
    due = tuple((Message.of(f"yro.do.{step.kind.value}"), False) for step in state.pending[:1])
    if state.claims:
        return (*due, *((Message.of("yro.do.claim", player=seat(p), n=n), False) for p, n in state.claims))
    return (*due, *_items(copy, state))


def _items(copy: Copy, state: State) -> Iterator[Item]:
    for number, player in enumerate(state.players, 1):
        done = number not in state.todo
        if state.phase in VERB_OF:
            amounts = owed(copy, state, state.phase, number)
            if any(amounts) and (state.phase is not Phase.FINAL or not done):
                key = "force" if state.phase is Phase.COMBAT else "take"
                yield Message.of(f"yro.do.{key}", player=seat(number), what=said(amounts)), done
        elif state.phase in (Phase.DRAW, Phase.DRAFT, Phase.CHOOSE):
            yield Message.of(f"yro.do.{state.phase.value}-phase", player=seat(number)), done
        elif state.phase is Phase.RECRUIT:
            yield (
                Message.of("yro.do.recruit-phase", player=seat(number)),
                done and not player.placing,
            )


def notes(_copy: Copy, state: State) -> tuple[Finding, ...]:
    """R-E1: the round is finished, then the game ends."""
    if state.result is None and state.round and ended(state) and state.phase is not Phase.FINAL:
        return (Finding(rule="R-E1", severity=Severity.NOTE, message=Message.of("yro.note.last-round")),)
    return ()


def setup_list(copy: Copy) -> tuple[tuple[Message, tuple[ZoneId, ...]], ...]:
    """R-S1, one thing after the other."""
    numbers = range(1, copy.settings.players + 1)
    items: dict[str, tuple[str, ...]] = {
        "markers": ("force-0", "vp-0"),
        "boards": tuple(f"{name}-{n}" for n in numbers for name in ("board",)),
        "tracks": tuple(f"{name}-{n}-0" for n in numbers for name in ("tech", "magic")),
        "deck": ("deck", "discard"),
        "coins": ("bank", *(f"coins-{n}" for n in numbers)),
    }
    if copy.settings.quests:
        items["quests"] = tuple(f"quest-{n}" for n in range(1, 5))
    return tuple(
        (Message.of(f"yro.setup.{name}"), tuple(ZoneId(zone) for zone in places))
        for name, places in items.items()
    )


def zone_name(zone: ZoneId) -> Message:
    name, _, number = zone.rpartition("-")
    if number.isdigit():
        return Message.of(f"yro.place.{name}", n=int(number))
    return Message.of(f"yro.place.{zone}")


def piece_name(kind: PieceKind, number: int) -> Message:
    return Message.of(f"yro.piece.{kind}", n=number)
