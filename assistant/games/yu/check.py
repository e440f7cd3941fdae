"""Judges any position, whoever made it: named problems with their rule and their places."""

from collections import Counter
from collections.abc import Iterator

from assistant.games.yu import mixes
from assistant.games.yu.board import SITE_SPACES
from assistant.games.yu.copy import Copy
from assistant.games.yu.hand import tuck_slots
from assistant.games.yu.judge import amount
from assistant.games.yu.pieces import TOTALS
from assistant.games.yu.resolve import left_most, sections_built
from assistant.games.yu.setup import all_cards
from assistant.games.yu.state import OFF_BOARD, SECTIONS, Phase, Result, State
from assistant.kit import Finding, Message, Severity, Value
from vision.cards import CardId
from vision.table import ZoneId


def check(copy: Copy, state: State) -> tuple[Finding, ...]:
    return (
        *_pieces(state),
        *_cards(copy, state),
        *_river(state),
        *_buildings(state),
        *_settlement(state),
        *_hand(state),
    )


def _violation(rule: str, key: str, *zones: str, **values: Value) -> Finding:
    return Finding(
        rule=rule,
        severity=Severity.VIOLATION,
        message=Message.of(f"yu.check.{key}", **values),
        zones=tuple(ZoneId(zone) for zone in zones),
    )


def _pieces(state: State) -> Iterator[Finding]:
    """Y-C4: every piece is in the Main Supply, in the player's supply or on a Hut space."""
    for piece, total in enumerate(TOTALS):
        found = state.main[piece] + state.supply[piece] + state.circles.count(piece)
        if found != total:
            yield _violation("Y-C4", "pieces", "supply", total=amount(piece, total), found=found)


def _cards(copy: Copy, state: State) -> Iterator[Finding]:
    """Y-C5: every card is in exactly one place."""
    copies = {card.id: card.copies for card in copy.pack.cards}
    for card, number in Counter(all_cards(state)).items():
        if not mixes.is_token(card) and number > copies.get(card, 1):
            yield _violation("Y-C5", "card-twice", *_zones_of(state, card), card=card, found=number)


def _zones_of(state: State, card: CardId) -> list[str]:
    zones = [f"row-{space}" for space, other in enumerate(state.row, 1) if other == card]
    zones += [f"tuck-{slot}" for slot, other in enumerate(state.tucked, 1) if other == card]
    piles = {"hand": state.hand, "exhausted": state.exhausted, "discard": state.discard}
    return zones + [zone for zone, cards in piles.items() if card in cards]


def _river(state: State) -> Iterator[Finding]:
    if state.phase is Phase.SETUP:
        return
    built = sections_built(state)
    first_left = left_most(state)
    if first_left is not None and first_left != built + 1:
        yield _violation("Y-A5", "canal-order", f"canal-{first_left}", space=first_left)
    if state.barge not in (OFF_BOARD, first_left):
        yield _violation("Y-B1", "barge-place", f"river-{state.barge}", space=state.barge)
    if state.barge == OFF_BOARD and built < SECTIONS and not state.built_this_round:
        yield _violation("Y-B1", "barge-missing", "barge-rest")
    reached = 0 < state.flood <= SECTIONS and state.canal[state.flood - 1] is not None
    if (reached or state.flood > SECTIONS) and state.result is not Result.FLOOD:
        yield _violation("Y-G6", "flood-lost", f"river-{min(state.flood, SECTIONS)}", space=state.flood)


def _buildings(state: State) -> Iterator[Finding]:
    """Y-A15: buildings that left their homes stand on open sites, one each."""
    built = sections_built(state)
    for site, (space, building) in enumerate(zip(SITE_SPACES, state.sites, strict=True), 1):
        if building is not None and space > built:
            yield _violation("Y-A15", "site-closed", f"site-{site}", site=site, section=space)
    for kind, away in (("farm", sum(state.farms)), ("outpost", sum(state.outposts)), ("hut", state.huts)):
        standing = sum(1 for name in state.sites if name is not None and name.startswith(kind))
        if standing != away:
            yield _violation("Y-A15", f"{kind}s", away=away, found=standing)


def _settlement(state: State) -> Iterator[Finding]:
    for slot, card in enumerate(state.tucked, 1):
        if card is not None and slot > tuck_slots(state):
            yield _violation("Y-A3", "tuck-closed", f"tuck-{slot}", slot=slot, slots=tuck_slots(state))
    for circle, worker in enumerate(state.circles, 1):
        if worker is not None and circle > state.huts + 1:
            yield _violation("Y-A12", "circle-closed", f"circle-{circle}", circle=circle)


def _hand(state: State) -> Iterator[Finding]:
    """G3: a card drawn by trade 6 after the actions stays in hand; that is unclear, not wrong."""
    if state.hand and state.phase in (Phase.RETURN_BARGE, Phase.ATTACKS, Phase.REFRESH):
        yield Finding(
            rule="G3",
            severity=Severity.NOTE,
            message=Message.of("yu.check.hand-left", cards=Message.of("yu.amount.card", n=len(state.hand))),
            zones=(ZoneId("hand"),),
        )
