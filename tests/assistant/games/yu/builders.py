"""Positions that can be read at a glance, moves in notation, and what a refusal says in plain values."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from assistant.facedown import Cards, Slots, count
from assistant.games.yu import mixes, rules
from assistant.games.yu.copy import Copy, steps_of
from assistant.games.yu.notation import format_action, parse_action
from assistant.games.yu.pieces import INDEX, NONE, PIECES, TOTALS, Pieces, plus, taken
from assistant.games.yu.resolve import barbarians_in_row, settle
from assistant.games.yu.setup import starting_decks
from assistant.games.yu.state import OFF_BOARD, ROW, SECTIONS, Phase, State, Step, StepKind, Story
from assistant.kit import Message, Refusal
from tests.assistant.games.yu.cards import COPY
from vision.cards import CardId, parse_items

Test = TypeVar("Test", bound=Callable[..., Any])

RIVER = "canal-a canal-b canal-d canal-e canal-g canal-h"


def holds(*_rules: str) -> Callable[[Test], Test]:
    """Marks a test that shows these rules hold; `test_rule_ids` counts the marks."""
    return lambda test: test


def refuses(*_rules: str) -> Callable[[Test], Test]:
    """Marks a test in which an action is refused by these rules."""
    return lambda test: test


def cards(text: str) -> Cards:
    return tuple(CardId(word) for word in text.split())


def pieces(text: str) -> Pieces:
    """`white 2, cowrie 3` as counts."""
    counts = NONE
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = part.partition(" ")
        counts = plus(counts, INDEX[name], int(number or 1))
    return counts


def spaces(text: str, length: int) -> tuple[CardId | None, ...]:
    """Cards on numbered spaces; a dash is an empty one, and empty ones at the end may be left out."""
    listed = [None if word == "-" else CardId(word) for word in text.split()]
    return (*listed, *[None] * (length - len(listed)))


def position(
    *,
    copy: Copy = COPY,
    phase: Phase = Phase.ACTIONS,
    supply: str = "",
    hand: str = "",
    ready: str | int = 10,
    exhausted: str = "",
    draw: str | int | None = None,
    discard: str = "",
    row: str = "",
    barbarian_draw: str | int | None = None,
    barbarian_discard: str = "",
    river: str = RIVER,
    built: int = 0,
    barge: str = "on",
    flood: int = 0,
    tucked: str = "",
    farms: tuple[int, ...] = (),
    outposts: tuple[int, ...] = (),
    huts: int = 0,
    on_huts: str = "",
    harvest: str = "",
    pending: str = "",
    round: int = 2,
) -> State:
    """A sound position of the test copy; cards that are not named lie face down in their piles.

    A pile given as a number holds that many cards nobody knows; given as names, exactly those.
    """
    decks = starting_decks(copy)
    shown_row, shown_tucked = spaces(row, ROW), spaces(tucked, 5)
    people = _Deck(decks.townsfolk)
    savages = _Deck(decks.barbarians)
    for card in (*shown_row, *shown_tucked, *cards(f"{hand} {exhausted} {discard} {barbarian_discard}")):
        if card is not None:
            (savages if copy.is_barbarian(card) else people).take(card)
    ready_pile = people.pile(ready)
    draw_pile = people.pile(draw)
    barbarian_pile = savages.pile(barbarian_draw)
    all_mixes, slots = _mixes_of((ready_pile, people), (draw_pile, people), (barbarian_pile, savages))
    canal = cards(river)
    groups = tuple(tuple(card for card in group if card not in canal) for group in decks.canals)
    circles = tuple(None if card is None else INDEX[card] for card in spaces(on_huts, 5))
    held = pieces(supply)
    main = taken(TOTALS, held)
    for worker in circles:
        main = main if worker is None else plus(main, worker, -1)
    state = State(
        round=round,
        phase=phase,
        supply=held,
        main=main,
        hand=tuple(sorted(cards(hand))),
        ready=slots[0],
        exhausted=cards(exhausted),
        draw=slots[1],
        discard=cards(discard),
        barbarian_draw=slots[2],
        barbarian_discard=cards(barbarian_discard),
        row=shown_row,
        canal=(*[None] * built, *canal[built:]),
        barge=OFF_BOARD if barge == "off" or built == SECTIONS else built + 1,
        flood=flood,
        tucked=shown_tucked,
        farms=tuple(number in farms for number in range(1, 4)),
        outposts=tuple(number in outposts for number in range(1, 5)),
        huts=huts,
        sites=_sites(farms, outposts, huts),
        circles=circles,
        hut_cards=decks.huts[huts:],
        canal_groups=groups,
        mixes=all_mixes,
        harvest=_steps(harvest),
        pending=_steps(pending),
        attackers=tuple(barbarians_in_row(copy, shown_row)) if phase is Phase.ATTACKS else (),
        built_this_round=barge == "off",
        box=(*canal[:built], *decks.huts[:huts]),
    )
    check_sound(state)
    return state


def _steps(text: str) -> tuple[Step, ...]:
    """Items to be gained; the word `return` stands for the Workers on the Hut spaces."""
    words = text.split()
    back = (Step(StepKind.RETURN),) if "return" in words else ()
    return steps_of(parse_items(" ".join(word for word in words if word != "return"))) + back


def _sites(farms: tuple[int, ...], outposts: tuple[int, ...], huts: int) -> tuple[str | None, ...]:
    names = [
        *(f"farm-{number}" for number in farms),
        *(f"outpost-{number}" for number in outposts),
        *(f"hut-{number}" for number in range(1, huts + 1)),
    ]
    return (*names, *[None] * (9 - len(names)))


class _Deck:
    """Cards of one kind that have not found their place yet."""

    def __init__(self, cards: Cards) -> None:
        self.left = Counter(cards)

    def take(self, card: CardId) -> None:
        assert self.left[card], f"{card} is not in the test copy, or was placed already"
        self.left[card] -= 1

    def pile(self, wanted: str | int | None) -> Cards | int | None:
        if not isinstance(wanted, str):
            return wanted
        for card in cards(wanted):
            self.take(card)
        return cards(wanted)


def _mixes_of(*piles: tuple[Cards | int | None, _Deck]) -> tuple[tuple[Cards, ...], list[Slots]]:
    """Named piles are mixes of their own; the others share what is left of their deck."""
    mixes_made: list[Cards] = []
    common: dict[int, int] = {}
    places: list[tuple[int, int | None]] = []
    for wanted, deck in piles:
        if isinstance(wanted, tuple):
            mixes_made.append(tuple(sorted(wanted)))
            places.append((len(mixes_made) - 1, len(wanted)))
            continue
        if id(deck) not in common:
            common[id(deck)] = len(mixes_made)
            mixes_made.append(tuple(sorted(deck.left.elements())))
        places.append((common[id(deck)], wanted))
    left = {mix: len(mixes_made[mix]) for mix, _ in places}
    for mix, wanted_places in places:
        left[mix] -= wanted_places or 0
    slots: list[Slots] = []
    for mix, wanted_places in places:
        number = left[mix] if wanted_places is None else wanted_places
        if wanted_places is None:
            left[mix] = 0
        slots.append(((mix, number),) if number else ())
    for mix, spare in left.items():
        mixes_made[mix] = mixes_made[mix][: len(mixes_made[mix]) - spare]
    return tuple(mixes_made), slots


def play(state: State, *lines: str, copy: Copy = COPY) -> State:
    """The state after these moves, each of which the rules must allow."""
    state = settle(copy, state)
    for line in lines:
        action = parse_action(line)
        refusal = rules.refusal(copy, state, action)
        assert refusal is None, f"{line!r} was refused: {refusal}"
        state = rules.apply(copy, state, action)
        check_sound(state)
    return state


def refused(state: State, line: str, copy: Copy = COPY) -> Refusal:
    """Why this move is not allowed; the move must be refused."""
    refusal = rules.refusal(copy, state, parse_action(line))
    assert refusal is not None, f"{line!r} was allowed"
    assert parse_action(line) not in rules.legal_actions(copy, state)
    return refusal


def settled(state: State, copy: Copy = COPY) -> State:
    """The position once everything happened that needs neither choice nor luck."""
    return settle(copy, state)


def opened(entry: int) -> tuple[Step, ...]:
    """A Story Book entry that has just been opened."""
    return (Step(StepKind.STORY, Story(entry, 0)),)


def says(refusal: Refusal) -> dict[str, object]:
    """The values of a refusal's sentence, amounts written as `3 provision`."""
    return {name: _plain(value) for name, value in refusal.message.values}


def _plain(value: object) -> object:
    if not isinstance(value, Message):
        return value
    word = value.key.rpartition("yu.")[2].partition(".")[2]
    numbers = [str(number) for _, number in value.values]
    return " ".join([*numbers, word])


def supply(state: State) -> str:
    """The player's supply as text, such as `white 2, cowrie 3`."""
    return ", ".join(f"{name} {n}" for name, n in zip(PIECES, state.supply, strict=True) if n)


def box(state: State, piece: str) -> int:
    """How many of a piece lie in the Main Supply."""
    return state.main[INDEX[piece]]


def legal(state: State, copy: Copy = COPY) -> list[str]:
    return [format_action(action) for action in rules.legal_actions(copy, state)]


def check_sound(state: State, cards_before: Counter[CardId] | None = None) -> Counter[CardId]:
    """Pieces and cards are conserved and face-down piles add up (Y-C4, Y-C5); returns all cards."""
    sitting = Counter(worker for worker in state.circles if worker is not None)
    for piece, total in enumerate(TOTALS):
        assert state.main[piece] >= 0
        assert state.supply[piece] >= 0
        assert state.main[piece] + state.supply[piece] + sitting[piece] == total, PIECES[piece]
    _check_mixes(state)
    found = every_card(state)
    if cards_before is not None:
        assert found == cards_before
    return found


def face_up(state: State) -> Iterable[CardId]:
    places: tuple[tuple[CardId | None, ...], ...] = (
        state.hand, state.exhausted, state.discard, state.barbarian_discard,
        state.row, state.canal, state.tucked, state.box, state.history,
    )  # fmt: skip
    return (card for place in places for card in place if card is not None)


def _check_mixes(state: State) -> None:
    """For each mix: as many cards as places in piles and unread cards on the table."""
    wanted: Counter[int] = Counter()
    for pile in (state.ready, state.draw, state.barbarian_draw):
        assert len({mix for mix, _ in pile}) == len(pile), f"a mix twice in one pile: {pile}"
        for mix, places in pile:
            assert places > 0
            wanted[mix] += places
    for card in face_up(state):
        booked = mixes.mix_of(card)
        if booked is not None and card[1] in (mixes.TOWNSFOLK, mixes.BARBARIAN):
            wanted[booked] += 1
    for index, members in enumerate(state.mixes):
        assert len(members) == wanted[index], f"mix {index} {members} has {wanted[index]} places"
        assert tuple(sorted(members)) == members
    assert all(mix < len(state.mixes) for mix in wanted)


def every_card(state: State) -> Counter[CardId]:
    """Every card of the game by name; unread ones are counted as members of their mixes."""
    shown = [card for card in face_up(state) if mixes.mix_of(card) is None]
    hidden = [*state.hut_cards, *(card for group in (*state.canal_groups, *state.mixes) for card in group)]
    return Counter([*shown, *hidden])


def ready_size(state: State) -> int:
    return count(state.ready)
