"""A state as plain JSON values and back; a damaged text is refused with one sentence."""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from reprlib import repr as short
from typing import Any, TypeVar

from assistant.errors import FloodwatchError
from assistant.games.yu.pieces import PIECES, TOTALS
from assistant.games.yu.sound import problems
from assistant.games.yu.state import FoodUse, Phase, Result, State, Step, StepKind, Story, StoryCard
from vision.cards import CardId, format_items, parse_items

FORMAT = 1

_TOKEN = re.compile(r"\?(t|b)(\d{1,4}(\.\d{1,4})*)?|\?c[0-2]?|\?h0?")


class StateError(FloodwatchError):
    """A saved state that cannot be read."""


def encode(state: State) -> dict[str, Any]:
    return {"format": FORMAT} | {name: _CODECS[name][0](getattr(state, name)) for name in State._fields}


def decode(data: Mapping[str, Any]) -> State:
    if not isinstance(data, Mapping):
        raise StateError(f"A saved state must be a JSON object, found {type(data).__name__}.")
    if data.get("format") != FORMAT:
        raise StateError(f"A saved state must have format {FORMAT}, found {short(data.get('format'))}.")
    missing = [name for name in State._fields if name not in data]
    unknown = [name for name in data if name != "format" and name not in State._fields]
    if missing or unknown:
        raise StateError(
            f"A saved state lacks {short(missing) if missing else 'nothing'} "
            f"and has unknown {short(unknown) if unknown else 'nothing'}."
        )
    state = State(**{name: _decoded(name, data[name]) for name in State._fields})
    for problem in problems(state):
        raise StateError(f"A saved state does not hold together: {problem}.")
    return state


def _decoded(name: str, value: Any) -> Any:
    try:
        return _CODECS[name][1](value)
    except (ValueError, TypeError, KeyError, IndexError) as problem:
        raise StateError(f"In a saved state, {name} cannot be {short(value)}: {problem}.") from None


E = TypeVar("E", bound=Enum)
Codec = tuple[Callable[[Any], Any], Callable[[Any], Any]]


def _same(value: Any) -> Any:
    return value


def _integer(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 10_000:
        raise ValueError("expected a number from 0 to 9999")
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError("expected true or false")
    return value


def _text(value: Any) -> str:
    if type(value) is not str or not value or len(value) > 80:
        raise ValueError("expected a short text")
    return value


def _word(words: type[E]) -> Callable[[Any], E]:
    return lambda value: words(_text(value))


def _card(value: Any) -> CardId:
    text = _text(value)
    if text.startswith("?") and not _TOKEN.fullmatch(text):
        raise ValueError("expected a card, or a question mark and a letter for an unread one")
    return CardId(text)


def _maybe(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def _list(read: Callable[[Any], Any], length: int | None = None) -> Callable[[Any], Any]:
    def read_list(values: Any) -> tuple[Any, ...]:
        if type(values) is not list:
            raise ValueError("expected a list")
        if length is not None and len(values) != length:
            raise ValueError(f"expected {length} entries, found {len(values)}")
        return tuple(read(value) for value in values)

    return read_list


def _write_pieces(pieces: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(PIECES, pieces, strict=True))


def _read_pieces(value: Any) -> tuple[int, ...]:
    counts = tuple(_integer(value[name]) for name in PIECES)
    if len(value) != len(PIECES) or any(n > total for n, total in zip(counts, TOTALS, strict=True)):
        raise ValueError("expected as many pieces as the box holds at the most")
    return counts


def _write_step(step: Step) -> list[Any]:
    argument = step.argument
    return [step.kind.value, *([list(argument) if isinstance(argument, tuple) else argument])]


def _two(value: Any) -> list[Any]:
    """A text of two letters can be taken apart as well, and an entry too many would be lost."""
    if type(value) is not list or len(value) != 2:
        raise ValueError("expected a list of two entries")
    return value


def _read_step(value: Any) -> Step:
    name, argument = _two(value)
    kind = _word(StepKind)(name)
    if kind is StepKind.CHOOSE:
        return Step(kind, _list(_piece)(argument))
    if kind is StepKind.GAIN:
        return Step(kind, _piece(argument))
    if kind is StepKind.STORY:
        return Step(kind, Story(*_list(_integer, 2)(argument)))
    return Step(kind, _maybe(_integer)(argument))


def _piece(value: Any) -> int:
    if _integer(value) >= len(PIECES):
        raise ValueError("expected the number of a kind of piece")
    return int(value)


def _write_all(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda values: [write(value) for value in values]


def _pair(value: Any) -> tuple[int, int]:
    mix, places = _two(value)
    return _integer(mix), _integer(places)


def _read_story_card(value: Any) -> StoryCard:
    stone, stays = _two(value)
    return StoryCard(_integer(stone), _flag(stays))


def _read_food(value: Any) -> FoodUse:
    food, words = _two(value)
    items = parse_items(_text(words))
    if format_items(items) != words:
        raise ValueError("expected items with one blank between them")
    return FoodUse(_text(food), items)


_CARDS: Codec = (list, _list(_card))
_SLOTS: Codec = (_write_all(list), _list(_pair))
_STEPS: Codec = (_write_all(_write_step), _list(_read_step))
_NUMBER: Codec = (_same, _integer)
_FLAG: Codec = (_same, _flag)


def _places(length: int, read: Callable[[Any], Any]) -> Codec:
    return (list, _list(_maybe(read), length))


_CODECS: dict[str, Codec] = {
    "round": _NUMBER,
    "phase": (lambda phase: phase.value, _word(Phase)),
    "result": (lambda result: result.value if result else None, _maybe(_word(Result))),
    "supply": (_write_pieces, _read_pieces),
    "main": (_write_pieces, _read_pieces),
    "hand": _CARDS,
    "ready": _SLOTS,
    "exhausted": _CARDS,
    "draw": _SLOTS,
    "discard": _CARDS,
    "barbarian_draw": _SLOTS,
    "barbarian_discard": _CARDS,
    "row": _places(7, _card),
    "canal": _places(6, _card),
    "barge": _NUMBER,
    "flood": _NUMBER,
    "tucked": _places(5, _card),
    "farms": (list, _list(_flag, 3)),
    "outposts": (list, _list(_flag, 4)),
    "huts": _NUMBER,
    "sites": _places(9, _text),
    "circles": _places(5, _piece),
    "hut_cards": _CARDS,
    "canal_groups": (_write_all(list), _list(_list(_card), 3)),
    "mixes": (_write_all(list), _list(_list(_card))),
    "pending": _STEPS,
    "harvest": _STEPS,
    "attackers": (list, _list(_integer)),
    "built_this_round": _FLAG,
    "story_cards": (
        _write_all(list),
        _list(_read_story_card),
    ),
    "food": (
        _write_all(lambda use: [use.food, format_items(use.items)]),
        _list(_read_food),
    ),
    "box": _CARDS,
    "history": _CARDS,
}
