"""What is bound to happen: the Flood, the Barbarians, what is missing, and what will be lost."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import comb, prod

from assistant.facedown import Slots, count
from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import amount, phase_name
from assistant.games.yu.payment import FREE, missing_workers
from assistant.games.yu.pieces import COWRIE, PIECES, PROVISION, WORKERS, Workers
from assistant.games.yu.resolve import (
    barbarians_in_row,
    barbarians_to_add,
    colour_group,
    left_most,
    next_harvest,
)
from assistant.games.yu.state import ROW, SECTIONS, Phase, State, Step, StepKind
from assistant.kit import Forecast, Gauge, Message, Severity
from vision.cards import CardId

_FROM_READY = (StepKind.DRAW, StepKind.DESTROY)


def forecast(copy: Copy, state: State) -> Forecast:
    if state.result is not None or state.phase is Phase.SETUP:
        return Forecast(gauges=())
    return Forecast(
        gauges=(
            _flood(copy, state),
            _barbarians(copy, state),
            *_canal(copy, state),
            *_attacks(copy, state),
            *_lost_gains(copy, state),
        )
    )


def needs(copy: Copy, state: State) -> Iterator[tuple[Phase, int, int]]:
    """The cards that Ready must give from now on, phase by phase: at least, at most.

    Damage may be bribed off, so the attacks ask for none at least. What the player may still choose
    (cards that draw, the Canal's destruction) is not counted: it can only bring the Flood sooner.
    """
    now = sum(step.kind in _FROM_READY for step in (*state.pending, *state.harvest))
    yield state.phase, now, now
    if state.phase is not Phase.REFRESH:
        waiting = state.attackers if state.phase is Phase.ATTACKS else barbarians_in_row(copy, state.row)
        foes = [copy.barbarian_of(card) for space in waiting if (card := state.row[space - 1]) is not None]
        forced = sum(foe.damage for foe in foes if not foe.bribable)
        yield Phase.ATTACKS, forced, sum(foe.damage for foe in foes)
    draws = sum(step.kind is StepKind.DRAW for step in next_harvest(copy, state))
    for _ in range(9):
        yield Phase.HARVEST, draws, draws


def flood_moves_in(copy: Copy, state: State) -> tuple[Phase | None, int]:
    """In which phase Ready runs dry if nothing more is drawn by choice, and how many Harvests ahead."""
    left = count(state.ready)
    harvests = 0
    first = True
    for phase, least, _ in needs(copy, state):
        harvests += phase is Phase.HARVEST and not first
        first = False
        if least > left:
            return phase, harvests
        left -= least
    return None, harvests


def _flood(copy: Copy, state: State) -> Gauge:
    left = count(state.ready)
    space = state.flood + 1
    # Y-G5: with both piles empty the Flood stays where it is, and the game is lost all the same.
    damage = left == 0 and not state.exhausted
    deadly = damage or space > SECTIONS or state.canal[space - 1] is not None
    phase, harvests = flood_moves_in(copy, state)
    this_round = sum(most for _, _, most in list(needs(copy, state))[:2])
    soon = left < this_round or harvests <= 1
    next_draw = left == 0
    severity = Severity.WARNING if soon or next_draw else None
    when = "now" if next_draw else "soon" if soon else "later"
    key = "damage" if damage else f"{when}-{'deadly' if deadly else 'safe'}"
    return Gauge(
        name="flood",
        rule="Y-G5",
        severity=severity,
        message=Message.of(
            f"yu.forecast.flood-{key}",
            cards=Message.of("yu.amount.card", n=left),
            phase=phase_name(phase or Phase.HARVEST),
            space=space,
        ),
        values={
            "cards_left": left,
            "exhausted": len(state.exhausted),
            "moves_in_phase": phase.value if phase else None,
            "harvests_until": harvests,
            "flood": state.flood,
            "next_space": space,
            "deadly": deadly,
            "critical": deadly and next_draw,
            "damage_loss": damage,
        },
    )


def _barbarians(copy: Copy, state: State) -> Gauge:
    now = len(barbarians_in_row(copy, state.row))
    coming = sum(step.kind is StepKind.REVEAL_BARBARIAN for step in state.pending)
    new = coming if state.phase is Phase.REFRESH else barbarians_to_add(copy, state)
    deadly = now + new >= ROW
    return Gauge(
        name="barbarians",
        rule="Y-R1",
        severity=Severity.WARNING if deadly else None,
        message=Message.of(
            "yu.forecast.barbarians-deadly" if deadly else "yu.forecast.barbarians",
            now=Message.of("yu.amount.foe", n=now),
            new=new,
            after=min(ROW, now + new),
        ),
        values={"now": now, "new": new, "after": min(ROW, now + new), "deadly": deadly},
    )


def _canal(copy: Copy, state: State) -> Iterator[Gauge]:
    """What is missing for the next section, and the chance that the next Harvest's cards bring a colour."""
    section = left_most(state)
    card = state.canal[section - 1] if section else None
    if card is None:
        return
    cost = copy.canal_of(card).cost or FREE
    missing = missing_workers(cost, state.supply[: len(WORKERS)], colour_group(copy, state))
    short = max(0, cost.resources[COWRIE] - state.supply[COWRIE])
    chance = _chance_of_colour(copy, state, missing) if any(missing) else None
    ready = not any(missing) and not short
    yield Gauge(
        name="canal",
        severity=None,
        message=_missing_message("canal", missing, COWRIE, short),
        values={
            "section": section,
            "affordable": ready,
            "built_this_round": state.built_this_round,
            "cowries_missing": short,
            **_named_workers(missing),
            "chance_next_harvest": chance,
        },
    )


def _missing_message(what: str, missing: Workers, piece: int, short: int) -> Message:
    for worker, number in enumerate(missing):
        if number:
            return Message.of(f"yu.forecast.{what}-missing", missing=amount(worker, number))
    if short:
        return Message.of(f"yu.forecast.{what}-missing", missing=amount(piece, short))
    return Message.of(f"yu.forecast.{what}-ready")


def _named_workers(missing: Workers) -> dict[str, int]:
    return {f"{name}_missing": number for name, number in zip(WORKERS, missing, strict=True) if number}


def _attacks(copy: Copy, state: State) -> Iterator[Gauge]:
    group = colour_group(copy, state)
    for space in barbarians_in_row(copy, state.row):
        card = state.row[space - 1]
        assert card is not None
        cost = copy.barbarian_of(card).cost or FREE
        missing = missing_workers(cost, state.supply[: len(WORKERS)], group)
        short = max(0, copy.board.row_costs[space - 1] - state.supply[PROVISION])
        yield Gauge(
            name=f"attack-{space}",
            severity=None,
            message=_missing_message("attack", missing, PROVISION, short),
            values={
                "space": space,
                "affordable": not any(missing) and not short,
                "provisions_missing": short,
                **_named_workers(missing),
            },
        )


def _lost_gains(copy: Copy, state: State) -> Iterator[Gauge]:
    """Y-G9: what a card in hand, or the next Harvest, cannot give because the box has too few pieces."""
    due = state.harvest if state.phase is Phase.HARVEST else next_harvest(copy, state)
    in_hand = [copy.townsfolk_of(card).brown for card in state.hand if state.phase is Phase.ACTIONS]
    for piece, name in enumerate(PIECES):
        left = state.main[piece]
        by_card = max((_given(steps, piece) for steps in in_hand), default=0) - left
        lost, key = (by_card, "short-card") if by_card > 0 else (_given(due, piece) - left, "short")
        if lost > 0:
            yield Gauge(
                name=f"short-{name}",
                rule="Y-G9",
                severity=Severity.WARNING,
                message=Message.of(f"yu.forecast.{key}", lost=amount(piece, lost), left=left),
                values={"piece": name, "lost": lost, "left": left},
            )


def _given(steps: Iterable[Step], piece: int) -> int:
    return sum(step.kind is StepKind.GAIN and step.argument == piece for step in steps)


def _chance_of_colour(copy: Copy, state: State, missing: Workers) -> float | None:
    """The chance that a card of the next Harvest gives a missing colour when it is played.

    Exact as long as those cards come from Ready without a shuffle; unknown otherwise.
    """
    draws = sum(step.kind is StepKind.DRAW for step in next_harvest(copy, state))
    if draws > count(state.ready):
        return None
    wanted = {worker for worker, number in enumerate(missing) if number}

    def helps(card: CardId) -> bool:
        return any(
            (step.kind is StepKind.GAIN and step.argument in wanted)
            or (step.kind is StepKind.CHOOSE and wanted & set(step.argument))
            for step in copy.townsfolk_of(card).brown
        )

    return round(1 - chance_of_none(state, state.ready, draws, helps), 4)


def chance_of_none(state: State, pile: Slots, draws: int, hit: Callable[[CardId], bool]) -> float:
    """The chance that none of the next cards of a face-down pile passes a test."""
    total = comb(count(pile), draws)
    chance = 0.0
    for taken in product(*(range(places + 1) for _, places in pile)):
        if sum(taken) != draws:
            continue
        ways = prod(comb(places, k) for (_, places), k in zip(pile, taken, strict=True))
        misses = 1.0
        for (mix, _), k in zip(pile, taken, strict=True):
            cards = state.mixes[mix]
            blanks = sum(not hit(card) for card in cards)
            misses *= comb(blanks, k) / comb(len(cards), k)
        chance += ways / total * misses
    return chance
