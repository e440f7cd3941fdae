"""What should lie on the table if a state were true."""

from collections.abc import Iterable, Iterator

from assistant.games.yu import mixes
from assistant.games.yu.copy import Copy
from assistant.games.yu.pieces import PIECES, WORKERS
from assistant.games.yu.state import OFF_BOARD, Cards, State, count
from vision.cards import CardId
from vision.table import PieceCount, PieceKind, PlacedCard, Side, TableView, ZoneId, ZoneView, counted


def view(copy: Copy, state: State) -> TableView:
    return TableView((*_cards(copy, state), *_pieces(state)))


def _cards(copy: Copy, state: State) -> Iterator[ZoneView]:
    for prefix, places in (("row", state.row), ("canal", state.canal), ("tuck", state.tucked)):
        for number, card in enumerate(places, 1):
            yield _up(f"{prefix}-{number}", () if card is None else (card,))
    for number in range(1, 5):
        yield _down(f"hut-card-{number}", int(number > state.huts))
    yield _up("exhausted", state.exhausted)
    yield _down("ready", count(state.ready))
    yield _down("draw", count(state.draw))
    yield _up("discard", state.discard)
    yield _down("barbarian-draw", count(state.barbarian_draw))
    yield _up("barbarian-discard", state.barbarian_discard)
    yield _up("hand", state.hand)
    yield _up("story", (copy.story_card(card.stone) for card in state.story_cards))


def _up(zone: str, cards: Iterable[CardId]) -> ZoneView:
    placed = tuple(PlacedCard(None if mixes.is_token(card) else card) for card in cards)
    return ZoneView(zone=ZoneId(zone), cards=placed)


def _down(zone: str, cards: int) -> ZoneView:
    return ZoneView(zone=ZoneId(zone), cards=(PlacedCard(None, Side.DOWN),) * cards)


def _pieces(state: State) -> Iterator[ZoneView]:
    for space in range(7):
        here = [("flood", int(state.flood == space)), ("barge", int(state.barge == space != OFF_BOARD))]
        yield _heap(f"river-{space}", here)
    yield _heap("barge-rest", [("barge", int(state.barge == OFF_BOARD))])
    for number, built in enumerate(state.farms, 1):
        yield _heap(f"farm-home-{number}", [("farm", int(not built))])
    for number, built in enumerate(state.outposts, 1):
        yield _heap(f"outpost-home-{number}", [("outpost", int(not built))])
    for number in range(1, 5):
        yield _heap(f"hut-home-{number}", [("hut", int(number > state.huts))])
    for number, building in enumerate(state.sites, 1):
        yield _heap(f"site-{number}", [(building.partition("-")[0], 1)] if building else [])
    for number, worker in enumerate(state.circles, 1):
        yield _heap(f"circle-{number}", [(WORKERS[worker], 1)] if worker is not None else [])
    yield _heap("supply", zip(PIECES, state.supply, strict=True))
    yield _heap("main", zip(PIECES, state.main, strict=True))


def _heap(zone: str, pieces: Iterable[tuple[str, int]]) -> ZoneView:
    return ZoneView(zone=ZoneId(zone), pieces=counted((PieceKind(kind), number) for kind, number in pieces))


def number_of(pieces: tuple[PieceCount, ...], kind: str) -> int:
    return sum(piece.count for piece in pieces if piece.kind == kind)


def shown(cards: Cards) -> tuple[CardId | None, ...]:
    """Cards as a view shows them: a card that nobody has read is just a card."""
    return tuple(None if mixes.is_token(card) else card for card in cards)
