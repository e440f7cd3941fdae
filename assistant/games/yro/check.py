"""Judges any position, whoever made it: named problems with their rule and their places."""

from collections import Counter
from collections.abc import Iterator

from assistant.games.yro import mixes
from assistant.games.yro.copy import Copy
from assistant.games.yro.judge import seat
from assistant.games.yro.phases import ended, force_of
from assistant.games.yro.sound import lying
from assistant.games.yro.state import SIDE, Grid, Phase, State
from assistant.games.yro.view import COINS
from assistant.kit import Finding, Message, Severity, Value
from vision.table import ZoneId


def check(copy: Copy, state: State) -> tuple[Finding, ...]:
    return (
        *_cards(copy, state),
        *_coins(copy, state),
        *_grids(state),
        *_force(copy, state),
        *_end(state),
    )


def _violation(rule: str, key: str, *zones: str, **values: Value) -> Finding:
    return Finding(
        rule=rule,
        severity=Severity.VIOLATION,
        message=Message.of(f"yro.check.{key}", **values),
        zones=tuple(ZoneId(zone) for zone in zones),
    )


def _cards(copy: Copy, state: State) -> Iterator[Finding]:
    """R-C2: no card is on the table more often than its dots say."""
    copies = {card.id: card.copies for card in copy.pack.cards}
    everywhere = Counter([*lying(state), *(card for mix in state.mixes for card in mix)])
    for card, number in everywhere.items():
        if not mixes.is_token(card) and number > copies.get(card, 1):
            yield _violation("R-C2", "card-twice", *_cells(state, card), card=card, found=number)


def _cells(state: State, card: str) -> list[str]:
    return [
        f"grid-{number}-{cell}"
        for number, player in enumerate(state.players, 1)
        for cell, other in enumerate(player.grid, 1)
        if other == card
    ]


def _coins(copy: Copy, state: State) -> Iterator[Finding]:
    """R-C1: every coin is in the bank or with a player; what the box lacks is owed (D7.13)."""
    for kind, (name, total) in enumerate(zip(COINS, copy.box, strict=True)):
        found = state.bank[kind] + sum(player.coins[kind] for player in state.players)
        if found != total:
            yield _violation("R-C1", "coins", "bank", coin=Message.of(f"yro.piece.{name}", n=total), n=found)


def _grids(state: State) -> Iterator[Finding]:
    """R-R2: all cards of a grid hang together."""
    for number, player in enumerate(state.players, 1):
        for cell in loose(player.grid):
            yield _violation("R-R2", "loose", f"grid-{number}-{cell + 1}", player=seat(number))


def loose(grid: Grid) -> list[int]:
    """Cells whose card is not joined to most of the others."""
    left = {cell for cell, card in enumerate(grid) if card is not None}
    groups: list[set[int]] = []
    while left:
        group, edge = set[int](), [left.pop()]
        while edge:
            cell = edge.pop()
            group.add(cell)
            near = {cell - SIDE, cell + SIDE}
            near |= {cell - 1} if cell % SIDE else set()
            near |= {cell + 1} if cell % SIDE < SIDE - 1 else set()
            edge += near & left
            left -= near
        groups.append(group)
    groups.sort(key=len)
    return sorted(cell for group in groups[:-1] for cell in group)


def _force(copy: Copy, state: State) -> Iterator[Finding]:
    """R-B1: while VP are awarded, every Force marker shows the front as it is."""
    if state.phase is not Phase.SPOILS:
        return
    for number, player in enumerate(state.players, 1):
        unread = any(card is not None and mixes.is_token(card) for card in player.grid)
        force = force_of(copy, player)
        if not unread and player.force != force:
            yield _violation(
                "R-B1", "force", f"force-{min(player.force, 20)}", player=seat(number), force=force
            )


def _end(state: State) -> Iterator[Finding]:
    """R-E1: no new round once somebody has 40 VP or nine Adventurers."""
    if state.phase in (Phase.DRAW, Phase.DRAFT, Phase.CHOOSE) and state.round > 1 and ended(state):
        yield _violation("R-E1", "over")
