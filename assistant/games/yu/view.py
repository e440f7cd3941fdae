"""What should lie on the table if a state were true."""

from collections.abc import Iterable
from functools import lru_cache

from assistant.facedown import Cards, count
from assistant.games.yu import mixes
from assistant.games.yu.copy import Copy
from assistant.games.yu.pieces import PIECES, WORKERS, Pieces
from assistant.games.yu.state import OFF_BOARD, State
from vision.cards import CardId
from vision.table import PieceCount, PieceKind, PlacedCard, Side, TableView, ZoneId, ZoneView, counted

Zones = tuple[ZoneView, ...]


def view(copy: Copy, state: State) -> TableView:
    """Parts that did not change are the very same values as before: comparing two views is quick."""
    stones = tuple([copy.story_card(card.stone) for card in state.story_cards])
    return TableView(
        (
            *_places("row", state.row),
            *_places("canal", state.canal),
            *_places("tuck", state.tucked),
            *_hut_cards(state.huts),
            _up("exhausted", state.exhausted),
            _down("ready", count(state.ready)),
            _down("draw", count(state.draw)),
            _up("discard", state.discard),
            _down("barbarian-draw", count(state.barbarian_draw)),
            _up("barbarian-discard", state.barbarian_discard),
            _up("hand", state.hand),
            _up("story", stones),
            *_river(state.flood, state.barge),
            *_homes(state.farms, state.outposts, state.huts),
            *_sites(state.sites),
            *_circles(state.circles),
            _pieces("supply", state.supply),
            _pieces("main", state.main),
        )
    )


_remembered = lru_cache(maxsize=8192)


@_remembered
def _places(prefix: str, places: tuple[CardId | None, ...]) -> Zones:
    return tuple(
        _up(f"{prefix}-{number}", () if card is None else (card,)) for number, card in enumerate(places, 1)
    )


@_remembered
def _hut_cards(huts: int) -> Zones:
    return tuple(_down(f"hut-card-{number}", int(number > huts)) for number in range(1, 5))


@_remembered
def _up(zone: str, cards: Cards) -> ZoneView:
    placed = tuple(PlacedCard(None if mixes.is_token(card) else card) for card in cards)
    return ZoneView(zone=ZoneId(zone), cards=placed)


@_remembered
def _down(zone: str, cards: int) -> ZoneView:
    return ZoneView(zone=ZoneId(zone), cards=(PlacedCard(None, Side.DOWN),) * cards)


@_remembered
def _river(flood: int, barge: int) -> Zones:
    spaces = tuple(
        _heap(f"river-{space}", [("flood", int(flood == space)), ("barge", int(barge == space != OFF_BOARD))])
        for space in range(7)
    )
    return (*spaces, _heap("barge-rest", [("barge", int(barge == OFF_BOARD))]))


@_remembered
def _homes(farms: tuple[bool, ...], outposts: tuple[bool, ...], huts: int) -> Zones:
    return (
        *(_heap(f"farm-home-{n}", [("farm", int(not built))]) for n, built in enumerate(farms, 1)),
        *(_heap(f"outpost-home-{n}", [("outpost", int(not built))]) for n, built in enumerate(outposts, 1)),
        *(_heap(f"hut-home-{n}", [("hut", int(n > huts))]) for n in range(1, 5)),
    )


@_remembered
def _sites(sites: tuple[str | None, ...]) -> Zones:
    return tuple(
        _place(f"site-{n}", building.partition("-")[0] if building else None)
        for n, building in enumerate(sites, 1)
    )


@_remembered
def _circles(circles: tuple[int | None, ...]) -> Zones:
    return tuple(
        _place(f"circle-{n}", None if worker is None else WORKERS[worker])
        for n, worker in enumerate(circles, 1)
    )


@_remembered
def _place(zone: str, piece: str | None) -> ZoneView:
    return _heap(zone, [(piece, 1)] if piece else [])


@_remembered
def _pieces(zone: str, pieces: Pieces) -> ZoneView:
    return _heap(zone, zip(PIECES, pieces, strict=True))


def _heap(zone: str, pieces: Iterable[tuple[str, int]]) -> ZoneView:
    return ZoneView(zone=ZoneId(zone), pieces=counted((PieceKind(kind), number) for kind, number in pieces))


def number_of(pieces: tuple[PieceCount, ...], kind: str) -> int:
    return sum(piece.count for piece in pieces if piece.kind == kind)


def shown(cards: Cards) -> tuple[CardId | None, ...]:
    """Cards as a view shows them: a card that nobody has read is just a card."""
    return tuple(None if mixes.is_token(card) else card for card in cards)
