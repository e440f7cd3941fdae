"""Takes the table at its word: the state that shows this view, keeping what cannot be seen.

Nothing is judged here; `check` tells what is wrong with the result. Cards are conserved: a card that is seen
in a new place leaves its old one or its mix, and unseen cards are those that are seen nowhere.
"""

from collections import Counter
from collections.abc import Iterable

from assistant.facedown import Cards, Slots, count
from assistant.games.yu import mixes
from assistant.games.yu.copy import Copy
from assistant.games.yu.pieces import PIECES, TOTALS, WORKERS
from assistant.games.yu.resolve import settle
from assistant.games.yu.setup import all_cards
from assistant.games.yu.state import OFF_BOARD, State
from assistant.games.yu.view import number_of, shown
from vision.cards import CardId
from vision.table import PlacedCard, Side, TableView, ZoneId, ZoneView

_FACE_UP = {
    "exhausted": "exhausted",
    "discard": "discard",
    "barbarian-discard": "barbarian_discard",
    "hand": "hand",
}
_FACE_DOWN = {"ready": "ready", "draw": "draw", "barbarian-draw": "barbarian_draw"}


def adopt(copy: Copy, state: State, view: TableView) -> State:
    zones = view.by_zone()
    adopted = _with_pieces(_with_buildings(_with_river(_with_cards(state, zones), zones), zones), zones)
    return _going_on(copy, _with_story(copy, _reconciled(copy, state, adopted), zones))


def _with_cards(state: State, zones: dict[ZoneId, ZoneView]) -> State:
    changes: dict[str, object] = {}
    for prefix, field, letter in (("row", "row", "t"), ("canal", "canal", "c"), ("tuck", "tucked", "t")):
        old: tuple[CardId | None, ...] = getattr(state, field)
        changes[field] = tuple(
            _place(zones.get(ZoneId(f"{prefix}-{number}")), card, letter)
            for number, card in enumerate(old, 1)
        )
    for zone, field in _FACE_UP.items():
        if (seen := zones.get(ZoneId(zone))) is not None:
            letter = "b" if field == "barbarian_discard" else "t"
            changes[field] = _merged(getattr(state, field), seen.cards, letter)
    for zone, field in _FACE_DOWN.items():
        if (seen := zones.get(ZoneId(zone))) is not None:
            changes[field] = _resized(getattr(state, field), len(seen.cards))
    return state.but(**changes)


def _place(seen: ZoneView | None, old: CardId | None, letter: str) -> CardId | None:
    if seen is None:
        return old
    if not seen.cards:
        return None
    top = seen.cards[-1]
    if top.card is not None:
        return top.card
    return old if old is not None and top.side is Side.UP else mixes.token(letter)


def _merged(old: Cards, seen: tuple[PlacedCard, ...], letter: str) -> Cards:
    """The seen cards; where one was not read, it is an old one that was not seen otherwise."""
    named = [placed.card for placed in seen]
    if named == list(shown(old)):
        return old
    unread = list((Counter(old) - Counter(card for card in named if card is not None)).elements())
    cards = [card or (unread.pop(0) if unread else mixes.token(letter)) for card in named]
    return tuple(cards)


def _resized(pile: Slots, size: int) -> Slots:
    """A pile that is higher or lower than we thought; `_reconciled` then finds out which cards those are."""
    if count(pile) == size:
        return pile
    return ((pile[0][0] if pile else 0, size),) if size else ()


def _with_river(state: State, zones: dict[ZoneId, ZoneView]) -> State:
    for piece in ("flood", "barge"):
        spaces = [space for space in range(7) if _has(zones, f"river-{space}", piece)]
        if spaces:
            state = state.but(**{piece: spaces[-1]})
        elif piece == "barge" and _seen_without(zones, piece):
            state = state.but(barge=OFF_BOARD)
    return state


def _seen_without(zones: dict[ZoneId, ZoneView], piece: str) -> bool:
    return all(ZoneId(f"river-{space}") in zones for space in range(7)) and not any(
        _has(zones, f"river-{space}", piece) for space in range(7)
    )


def _has(zones: dict[ZoneId, ZoneView], zone: str, piece: str) -> bool:
    seen = zones.get(ZoneId(zone))
    return seen is not None and number_of(seen.pieces, piece) > 0


def _with_buildings(state: State, zones: dict[ZoneId, ZoneView]) -> State:
    def at_home(kind: str, built: Iterable[bool]) -> tuple[bool, ...]:
        return tuple(
            old
            if ZoneId(f"{kind}-home-{number}") not in zones
            else not _has(zones, f"{kind}-home-{number}", kind)
            for number, old in enumerate(built, 1)
        )

    farms, outposts = at_home("farm", state.farms), at_home("outpost", state.outposts)
    huts = sum(at_home("hut", [number <= state.huts for number in range(1, 5)]))
    sites = [_site(zones.get(ZoneId(f"site-{number}")), old) for number, old in enumerate(state.sites, 1)]
    return state.but(farms=farms, outposts=outposts, huts=huts, sites=_numbered(sites, farms, outposts, huts))


def _site(seen: ZoneView | None, old: str | None) -> str | None:
    if seen is None:
        return old
    kinds = [piece.kind for piece in seen.pieces]
    if not kinds:
        return None
    return old if old is not None and old.startswith(kinds[0]) else kinds[0]


def _numbered(
    sites: list[str | None], farms: tuple[bool, ...], outposts: tuple[bool, ...], huts: int
) -> tuple[str | None, ...]:
    """Which Farm stands on a site is told by the home it left, first come first served."""
    left = {
        "farm": [number for number, built in enumerate(farms, 1) if built],
        "outpost": [number for number, built in enumerate(outposts, 1) if built],
        "hut": list(range(1, huts + 1)),
    }
    for name in sites:
        kind, _, number = (name or "").partition("-")
        if number and int(number) in left[kind]:
            left[kind].remove(int(number))
    named: list[str | None] = []
    for name in sites:
        needs_number = name is not None and "-" not in name
        named.append(f"{name}-{left[name].pop(0) if left[name] else 1}" if name and needs_number else name)
    return tuple(named)


def _with_pieces(state: State, zones: dict[ZoneId, ZoneView]) -> State:
    circles = tuple(
        _worker(zones.get(ZoneId(f"circle-{number}")), old) for number, old in enumerate(state.circles, 1)
    )
    seen = zones.get(ZoneId("supply"))
    supply = tuple(number_of(seen.pieces, kind) for kind in PIECES) if seen is not None else state.supply
    if (supply, circles) == (state.supply, state.circles):
        return state
    main = tuple(
        max(0, total - have - circles.count(piece))
        for piece, (total, have) in enumerate(zip(TOTALS, supply, strict=True))
    )
    return state.but(supply=supply, circles=circles, main=main)


def _worker(seen: ZoneView | None, old: int | None) -> int | None:
    if seen is None:
        return old
    return next((index for index, name in enumerate(WORKERS) if number_of(seen.pieces, name)), None)


def _with_story(copy: Copy, state: State, zones: dict[ZoneId, ZoneView]) -> State:
    seen = zones.get(ZoneId("story"))
    if seen is None:
        return state
    cards = {placed.card for placed in seen.cards if placed.card is not None}
    kept = tuple(card for card in state.story_cards if copy.story_card(card.stone) in cards)
    unread = len(seen.cards) - len(cards)
    others = [card for card in state.story_cards if card not in kept][:unread]
    return (
        state
        if len(kept) + len(others) == len(state.story_cards)
        else state.but(story_cards=(*kept, *others))
    )


def _going_on(copy: Copy, state: State) -> State:
    """Nobody attacks from where no Barbarian lies; without any other the game goes on behind the attacks."""
    attackers = tuple(space for space in state.attackers if copy.is_barbarian(state.row[space - 1]))
    return state if attackers == state.attackers else settle(copy, state.but(attackers=attackers))


def _reconciled(copy: Copy, old: State, new: State) -> State:
    """Makes the mixes true again after cards turned up somewhere else."""
    if _consistent(old, new):
        return new
    new = _canals_reconciled(old, new)
    for letter, piles, known in (
        (mixes.TOWNSFOLK, ("ready", "draw"), copy.townsfolk),
        (mixes.BARBARIAN, ("barbarian_draw",), copy.barbarians),
    ):
        new = _remixed(old, new, letter, piles, known)
    return new


def _canals_reconciled(old: State, new: State) -> State:
    """Canal cards that were on the river and no longer are were built; those seen now came from the box."""
    lying = {card for card in new.canal if card is not None}
    built = [card for card in old.canal if card is not None and card not in lying]
    return new.but(
        box=(*(card for card in new.box if card not in lying), *built),
        canal_groups=tuple(tuple(card for card in group if card not in lying) for group in new.canal_groups),
    )


def _consistent(old: State, new: State) -> bool:
    return Counter(all_cards(old)) == Counter(all_cards(new)) and _sizes_fit(new)


def _sizes_fit(state: State) -> bool:
    places: Counter[int] = Counter()
    for pile in (state.ready, state.draw, state.barbarian_draw):
        for index, number in pile:
            places[index] += number
    for card in _lying(state):
        mix = mixes.mix_of(card)
        if mix is not None:
            places[mix] += 1
    return all(places[index] == len(cards) for index, cards in enumerate(state.mixes))


def _lying(state: State) -> list[CardId]:
    """All cards in places of their own, read or not."""
    places = (state.hand, state.exhausted, state.discard, state.barbarian_discard, state.row, state.tucked)
    return [card for cards in places for card in cards if card is not None]


def _remixed(
    old: State, new: State, letter: str, piles: tuple[str, ...], known: dict[CardId, object] | object
) -> State:
    """All cards of one kind that are seen nowhere become one mix, for the face-down piles and the tokens."""
    assert isinstance(known, dict)
    stranger = mixes.token(letter)

    def of_kind(cards: Iterable[CardId]) -> Counter[CardId]:
        return Counter(card for card in cards if card in known or card == stranger)

    lying = of_kind([*_lying(new), *new.box, *new.history])
    hidden = sorted((of_kind(all_cards(old)) - lying).elements())
    index = next((mix for mix, _ in getattr(old, piles[0])), len(new.mixes))
    own = {mix for state in (old, new) for pile in piles for mix, _ in getattr(state, pile)} | {index}
    own |= {m for card in _lying(new) if card[1:2] == letter and (m := mixes.mix_of(card)) is not None}
    tokens = sum(1 for card in _lying(new) if card.startswith(stranger) and mixes.mix_of(card) is not None)
    sizes = [count(getattr(new, pile)) for pile in piles]
    sizes[-1] = max(0, len(hidden) - tokens - sum(sizes[:-1]))
    hidden += [stranger] * (tokens + sum(sizes) - len(hidden))
    table = [() if mix in own else cards for mix, cards in enumerate(new.mixes)]
    table += [()] * (index + 1 - len(table))
    table[index] = tuple(hidden)
    slots = {pile: ((index, size),) if size else () for pile, size in zip(piles, sizes, strict=True)}
    return _retokened(new, letter, index).but(mixes=tuple(table), **slots)


def _retokened(state: State, letter: str, mix: int) -> State:
    """All unread cards of this kind now belong to the one mix."""

    def renamed(cards: tuple[CardId | None, ...]) -> tuple[CardId | None, ...]:
        return tuple(
            mixes.token(letter, mix)
            if card is not None and card.startswith(f"?{letter}") and mixes.mix_of(card) is not None
            else card
            for card in cards
        )

    fields = ("hand", "exhausted", "discard", "barbarian_discard", "row", "tucked")
    return state.but(**{field: renamed(getattr(state, field)) for field in fields})
