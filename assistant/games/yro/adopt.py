"""Takes the table at its word: the state that shows this view, keeping what cannot be seen.

Nothing is judged here; `check` tells what is wrong with the result. Cards are conserved: a card that is seen
in a new place leaves its old one or its mix, and unseen cards are those that are seen nowhere.
"""

from collections import Counter
from typing import Any

from assistant.facedown import Cards, count
from assistant.games.yro import mixes
from assistant.games.yro.copy import Copy
from assistant.games.yro.pack import COLOURS
from assistant.games.yro.phases import settle
from assistant.games.yro.sound import lying
from assistant.games.yro.state import CELLS, FORCE_SPACES, VP_SPACES, Coins, Player, State, changed
from assistant.games.yro.view import COINS, marker
from vision.cards import CardId
from vision.table import OTHER_SIDE, PieceKind, PlacedCard, Side, TableView, ZoneId, ZoneView

Seen = dict[ZoneId, ZoneView]


def adopt(copy: Copy, state: State, view: TableView) -> State:
    seen = view.by_zone()
    players = tuple(_player(copy, seen, number, old) for number, old in enumerate(state.players, 1))
    changes: dict[str, Any] = {"players": players, "threat": _cards(seen, "threat", state.threat)}
    if [player.coins for player in players] != [player.coins for player in state.players]:
        changes["bank"] = _rest(copy, players)
    if (pile := seen.get(ZoneId("discard"))) is not None:
        merged = _merged(state.discard + state.fresh, pile.cards)
        changes["discard"] = merged[: len(state.discard)]
        changes["fresh"] = merged[len(state.discard) :]
    changes["quests"] = tuple(_quest(seen, place, quest) for place, quest in enumerate(state.quests, 1))
    deck = seen.get(ZoneId("deck"))
    size = count(state.deck) if deck is None else len(deck.cards)
    adopted = _reconciled(state, state.but(**changes), size)
    return adopted if adopted == state else settle(copy, adopted)


def _player(copy: Copy, seen: Seen, number: int, old: Player) -> Player:
    hand = _hand(seen.get(ZoneId(f"hand-{number}")), old.hand)
    chosen, placing = _chosen(seen.get(ZoneId(f"chosen-{number}")), old)
    colour = COLOURS[number - 1]
    new = changed(
        old,
        hand=hand,
        chosen=chosen,
        placing=placing,
        grid=tuple(_cell(seen.get(ZoneId(f"grid-{number}-{n + 1}")), old.grid[n]) for n in range(CELLS)),
        coins=_purse(seen.get(ZoneId(f"coins-{number}")), old.coins),
        tech=_points(seen, f"tech-{number}", copy.track_end, old.tech),
        magic=_points(seen, f"magic-{number}", copy.track_end, old.magic),
        force=_value(seen, "force", FORCE_SPACES, colour, old.force),
        vp=_value(seen, "vp", VP_SPACES, colour, old.vp),
    )
    return old if new == old else new


def _cell(seen: ZoneView | None, old: CardId | None) -> CardId | None:
    if seen is None:
        return old
    if not seen.cards:
        return None
    top = seen.cards[-1]
    if top.card is not None:
        return top.card
    return old if old is not None and top.side is Side.UP else mixes.STRANGER


def _merged(old: Cards, seen: tuple[PlacedCard, ...]) -> Cards:
    """The seen cards; where one was not read, it is an old one that was not seen otherwise."""
    named = [placed.card for placed in seen]
    if named == [None if mixes.is_token(card) else card for card in old]:
        return old
    unread = list((Counter(old) - Counter(card for card in named if card is not None)).elements())
    return tuple(card or (unread.pop(0) if unread else mixes.STRANGER) for card in named)


def _cards(seen: Seen, zone: str, old: Cards) -> Cards:
    view = seen.get(ZoneId(zone))
    return old if view is None else _merged(old, view.cards)


def _hand(seen: ZoneView | None, old: Cards) -> Cards:
    """Held cards are seen from behind; the player may say which ones they are."""
    if seen is None:
        return old
    named = [placed.card for placed in seen.cards if placed.card is not None]
    kept = list(old)
    for card in named:
        if card in kept:
            kept.remove(card)
        elif kept:
            kept.remove(next((other for other in kept if mixes.is_token(other)), kept[0]))
    unnamed = len(seen.cards) - len(named)
    kept = [*kept[:unnamed], *[mixes.STRANGER] * (unnamed - len(kept))]
    return tuple(sorted((*named, *kept)))


def _chosen(seen: ZoneView | None, old: Player) -> tuple[Cards, Cards]:
    """Face-down cards in front of a player, and those turned up."""
    if seen is None:
        return old.chosen, old.placing
    down = sum(placed.side is Side.DOWN for placed in seen.cards) - len(old.drafted)
    up = tuple(placed for placed in seen.cards if placed.side is Side.UP)
    chosen = (*old.chosen[: max(0, down)], *(mixes.STRANGER,) * max(0, down - len(old.chosen)))
    return chosen, _merged(old.placing, up)


def _purse(seen: ZoneView | None, old: Coins) -> Coins:
    if seen is None:
        return old
    found = seen.counts()
    ones, threes, sixes = (found.get(PieceKind(kind), 0) for kind in COINS)
    return (ones, threes, sixes)


def _points(seen: Seen, prefix: str, end: int, old: int) -> int:
    spaces = [n for n in range(end + 1) if (zone := seen.get(ZoneId(f"{prefix}-{n}"))) and zone.pieces]
    return old if old in spaces or not spaces else spaces[-1]


def _value(seen: Seen, prefix: str, spaces: int, colour: str, old: int) -> int:
    """The nearest number that puts the marker where it is seen."""
    places = []
    for n in range(spaces + 1):
        zone = seen.get(ZoneId(f"{prefix}-{n}"))
        kinds = [piece.kind for piece in zone.pieces] if zone else []
        places += [(n, False)] * (f"guild-{colour}" in kinds)
        places += [(n, True)] * (f"guild-{colour}{OTHER_SIDE}" in kinds)
    if not places or marker(old, spaces) in places:
        return old
    space, over = places[-1]
    if not over:
        return space
    return min((space + spaces * lap for lap in range(1, 6)), key=lambda value: abs(value - old))


def _rest(copy: Copy, players: tuple[Player, ...]) -> Coins:
    ones, threes, sixes = (
        total - sum(player.coins[kind] for player in players) for kind, total in enumerate(copy.box)
    )
    return (ones, threes, sixes)


def _quest(seen: Seen, place: int, old: CardId | None) -> CardId | None:
    zone = seen.get(ZoneId(f"quest-{place}"))
    if zone is None or not zone.cards:
        return old
    top = zone.cards[-1]
    return None if top.side is Side.DOWN else top.card or old


def _reconciled(old: State, new: State, deck: int) -> State:
    """Makes the mixes true again after cards turned up somewhere else."""
    same = Counter(_all(old)) == Counter(_all(new)) and Counter(lying(old)) == Counter(lying(new))
    if same and deck == count(new.deck):
        return new
    named = Counter(card for card in lying(new) if not mixes.is_token(card))
    hidden = sorted((Counter(_all(old)) - named).elements())
    tokens = sum(mixes.mix_of(card) is not None for card in lying(new))
    size = max(0, len(hidden) - tokens)
    hidden += [mixes.STRANGER] * (tokens + size - len(hidden))
    fixed = retokened(new).but(
        mixes=(tuple(hidden),),
        deck=((0, size),) if size else (),
        quest_deck=tuple(card for card in new.quest_deck if card not in new.quests),
    )
    return fixed


def _all(state: State) -> list[CardId]:
    """Every Adventurer, wherever it is; unread ones are counted in their mixes."""
    read = [card for card in lying(state) if mixes.mix_of(card) is None]
    return [*read, *(card for mix in state.mixes for card in mix)]


def retokened(state: State) -> State:
    """All unread cards now belong to the one mix."""

    def renamed(cards: tuple[CardId | None, ...]) -> tuple[CardId | None, ...]:
        return tuple(
            mixes.token(0) if card is not None and mixes.mix_of(card) is not None else card for card in cards
        )

    fields = ("hand", "drafted", "chosen", "placing", "grid")
    players = tuple(
        changed(player, **{name: renamed(getattr(player, name)) for name in fields})
        for player in state.players
    )
    piles = {name: renamed(getattr(state, name)) for name in ("discard", "fresh", "threat")}
    return state.but(players=players, **piles)
