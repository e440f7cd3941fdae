"""What should lie on the table if a state were true."""

from collections.abc import Iterable
from functools import lru_cache

from assistant.facedown import Cards, count
from assistant.games.yro import mixes
from assistant.games.yro.copy import Copy
from assistant.games.yro.pack import COLOURS
from assistant.games.yro.state import FORCE_SPACES, VP_SPACES, Coins, Grid, Player, State
from vision.cards import CardId
from vision.table import (
    OTHER_SIDE,
    PieceKind,
    PlacedCard,
    Side,
    TableView,
    ZoneId,
    ZoneView,
    counted,
)

Zones = tuple[ZoneView, ...]
COINS = ("coin-1", "coin-3", "coin-6")

_remembered = lru_cache(maxsize=16384)


def view(copy: Copy, state: State) -> TableView:
    """Parts that did not change are the very same values as before: comparing two views is quick."""
    zones: list[ZoneView] = [
        _down("deck", count(state.deck)),
        _up("discard", state.discard + state.fresh),
        _coins("bank", state.bank),
        *_track("force", FORCE_SPACES, tuple([player.force for player in state.players])),
        *_track("vp", VP_SPACES, tuple([player.vp for player in state.players])),
    ]
    if state.quests:
        zones += _quests(state.quests, state.round > 0 or not state.pending)
    if copy.settings.players == 1:
        zones.append(_up("threat", state.threat))
    for number, player in enumerate(state.players, 1):
        zones += _seat(number, player, copy)
    return TableView(tuple(zones))


def _seat(number: int, player: Player, copy: Copy) -> list[ZoneView]:
    end = copy.track_end
    return [
        *_grid(number, player.grid),
        _board(number, copy.has_boards),
        *_points(f"tech-{number}", "tech", player.tech, end),
        *_points(f"magic-{number}", "magic", player.magic, end),
        _coins(f"coins-{number}", player.coins),
        _down(f"hand-{number}", len(player.hand)),
        _chosen(number, len(player.drafted) + len(player.chosen), player.placing),
    ]


@_remembered
def _grid(number: int, grid: Grid) -> Zones:
    return tuple(
        [_up(f"grid-{number}-{n}", () if card is None else (card,)) for n, card in enumerate(grid, 1)]
    )


@_remembered
def _board(number: int, known: bool) -> ZoneView:
    return _up(f"board-{number}", (CardId(f"board-{COLOURS[number - 1]}" if known else "?b"),))


@_remembered
def _up(zone: str, cards: Cards) -> ZoneView:
    placed = tuple([PlacedCard(None if mixes.is_token(card) else card) for card in cards])
    return ZoneView(zone=ZoneId(zone), cards=placed)


@_remembered
def _down(zone: str, cards: int) -> ZoneView:
    return ZoneView(zone=ZoneId(zone), cards=(PlacedCard(None, Side.DOWN),) * cards)


@_remembered
def _chosen(number: int, chosen: int, placing: Cards) -> ZoneView:
    """Face-down cards in front of a player: chosen ones, in a draft the picked ones; or those revealed."""
    down = (PlacedCard(None, Side.DOWN),) * chosen
    return ZoneView(zone=ZoneId(f"chosen-{number}"), cards=(*down, *_up("", placing).cards))


@_remembered
def _quests(quests: tuple[CardId | None, ...], laid: bool) -> Zones:
    """Four face up; a Quest that somebody has met lies face down."""
    return tuple(
        [
            _up(f"quest-{n}", (quest,)) if quest is not None else _down(f"quest-{n}", int(laid))
            for n, quest in enumerate(quests, 1)
        ]
    )


@_remembered
def _points(prefix: str, kind: str, points: int, end: int) -> Zones:
    return tuple([_heap(f"{prefix}-{n}", ((kind, int(n == points)),)) for n in range(end + 1)])


@_remembered
def _track(prefix: str, spaces: int, values: tuple[int, ...]) -> Zones:
    """R-B3, R-V1: beyond its last space a marker is turned over and goes on from 1."""
    markers: dict[int, list[tuple[str, int]]] = {}
    for value, colour in zip(values, COLOURS, strict=False):
        space, over = marker(value, spaces)
        markers.setdefault(space, []).append((f"guild-{colour}{OTHER_SIDE if over else ''}", 1))
    return tuple([_heap(f"{prefix}-{n}", tuple(markers.get(n, ()))) for n in range(spaces + 1)])


def marker(value: int, spaces: int) -> tuple[int, bool]:
    """The space on which a marker stands, and whether it shows its overpowered side."""
    return (value, False) if value <= spaces else ((value - 1) % spaces + 1, True)


@_remembered
def _coins(zone: str, coins: Coins) -> ZoneView:
    return _heap(zone, tuple(zip(COINS, [max(0, number) for number in coins], strict=True)))


@_remembered
def _heap(zone: str, pieces: Iterable[tuple[str, int]]) -> ZoneView:
    return ZoneView(zone=ZoneId(zone), pieces=counted((PieceKind(kind), number) for kind, number in pieces))
