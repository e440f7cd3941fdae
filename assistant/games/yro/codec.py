"""A state as plain JSON values and back; a damaged text is refused with one sentence."""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from reprlib import repr as short
from typing import Any, TypeVar

from assistant.errors import FloodwatchError
from assistant.games.yro.copy import Copy
from assistant.games.yro.sound import problems
from assistant.games.yro.state import CELLS, Phase, Player, Result, State, Step, StepKind
from vision.cards import CardId

FORMAT = 1
_CARD = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*|\?(a\d{0,4}|q)")
E = TypeVar("E", bound=Enum)
Codec = tuple[Callable[[Any], Any], Callable[[Any], Any]]


class StateError(FloodwatchError):
    """A saved state that cannot be read."""


def encode(copy: Copy, state: State) -> dict[str, Any]:
    """`settings` say how the game is played, so that a record can be read again by the right rules."""
    fields = {name: _STATE[name][0](getattr(state, name)) for name in State._fields}
    return {"format": FORMAT, "settings": copy.settings.written()} | fields


def decode(copy: Copy, data: Mapping[str, Any]) -> State:
    if not isinstance(data, Mapping):
        raise StateError(f"A saved state must be a JSON object, found {type(data).__name__}.")
    if data.get("format") != FORMAT:
        raise StateError(f"A saved state must have format {FORMAT}, found {short(data.get('format'))}.")
    if data.get("settings") != copy.settings.written():
        raise StateError(
            f"A saved state must be played as {short(copy.settings.written())}, "
            f"found {short(data.get('settings'))}."
        )
    state = State(**_read(data, _STATE, State._fields, extra=("format", "settings")))
    for problem in problems(copy, state):
        raise StateError(f"A saved state does not hold together: {problem}.")
    return state


def _read(
    data: Any, codecs: Mapping[str, Codec], names: tuple[str, ...], extra: tuple[str, ...] = ()
) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise StateError(f"A saved state has {short(data)} where an object was expected.")
    missing = [name for name in names if name not in data]
    unknown = [name for name in data if name not in extra and name not in names]
    if missing or unknown:
        raise StateError(
            f"A saved state lacks {short(missing) if missing else 'nothing'} "
            f"and has unknown {short(unknown) if unknown else 'nothing'}."
        )
    return {name: _decoded(name, data[name], codecs[name][1]) for name in names}


def _decoded(name: str, value: Any, read: Callable[[Any], Any]) -> Any:
    try:
        return read(value)
    except (ValueError, TypeError, KeyError, IndexError) as problem:
        raise StateError(f"In a saved state, {name} cannot be {short(value)}: {problem}.") from None


def _same(value: Any) -> Any:
    return value


def _integer(value: Any) -> int:
    if type(value) is not int or not -9999 <= value <= 9999:
        raise ValueError("expected a small number")
    return value


def _natural(value: Any) -> int:
    if _integer(value) < 0:
        raise ValueError("expected a number that is not negative")
    return int(value)


def _card(value: Any) -> CardId:
    if type(value) is not str or len(value) > 80 or not _CARD.fullmatch(value):
        raise ValueError("expected a card, or a question mark and a letter for an unread one")
    return CardId(value)


def _word(words: type[E]) -> Callable[[Any], E]:
    def read(value: Any) -> E:
        if type(value) is not str:
            raise ValueError("expected a word")
        return words(value)

    return read


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


def _write_all(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda values: [write(value) for value in values]


def _step(value: Any) -> Step:
    kind, argument = value
    return Step(_word(StepKind)(kind), _natural(argument))


def _pair(value: Any) -> tuple[int, int]:
    first, second = value
    return _natural(first), _natural(second)


def _last(cost: Any, effect: Any, lines: Any) -> tuple[int, Any, Any]:
    return (_natural(cost), _list(_natural, 5)(effect), _list(_natural, 5)(lines))


_CARDS: Codec = (list, _list(_card))
_NUMBER: Codec = (_same, _natural)
_PAIRS: Codec = (_write_all(list), _list(_pair))

_PLAYER: dict[str, Codec] = {
    "hand": _CARDS,
    "drafted": _CARDS,
    "chosen": _CARDS,
    "placing": _CARDS,
    "budget": _NUMBER,
    "discount": _NUMBER,
    "grid": (list, _list(_maybe(_card), CELLS)),
    "coins": (list, _list(_natural, 3)),
    "tech": _NUMBER,
    "magic": _NUMBER,
    "force": _NUMBER,
    "vp": _NUMBER,
    "last": (
        lambda last: None if last is None else [last[0], list(last[1]), list(last[2])],
        _maybe(lambda value: _last(*value)),
    ),
}


def _write_player(player: Player) -> dict[str, Any]:
    return {name: _PLAYER[name][0](getattr(player, name)) for name in Player._fields}


def _read_player(value: Any) -> Player:
    return Player(**_read(value, _PLAYER, Player._fields))


_STATE: dict[str, Codec] = {
    "round": _NUMBER,
    "phase": (lambda phase: phase.value, _word(Phase)),
    "result": (lambda result: result.value if result else None, _maybe(_word(Result))),
    "players": (_write_all(_write_player), _list(_read_player)),
    "bank": (list, _list(_integer, 3)),
    "deck": _PAIRS,
    "discard": _CARDS,
    "fresh": _CARDS,
    "mixes": (_write_all(list), _list(_list(_card))),
    "pending": (_write_all(lambda step: [step.kind.value, step.argument]), _list(_step)),
    "todo": (list, _list(_natural)),
    "due": (list, _list(_natural)),
    "quests": (list, _list(_maybe(_card))),
    "quest_deck": _CARDS,
    "claims": _PAIRS,
    "threat": _CARDS,
}
