"""A compact text for every action that a person can read and type; parsing and formatting are exact twins."""

from collections.abc import Callable

from assistant.errors import FloodwatchError
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.naming import PLACES as NAMED_PLACES
from assistant.games.yu.pieces import INDEX, NO_WORKERS, PIECES, WORKERS, Workers, plus
from assistant.games.yu.story import PLACES as STORY_PLACES
from vision.cards import CardId, format_items, parse_items

FOODS = ("meat", "fish", "wheat", "milk")

SHAPES: dict[Verb, str] = {
    Verb.DRAW: "card",
    Verb.DRAW_PILE: "card",
    Verb.DESTROY: "card",
    Verb.REVEAL: "at card",
    Verb.DEAL: "at card",
    Verb.FLIP: "at card",
    Verb.SHUFFLE: "",
    Verb.TAKE: "piece",
    Verb.COLLECT: "",
    Verb.RETURN: "",
    Verb.SKIP: "",
    Verb.EXHAUST: "card",
    Verb.PLAY: "card",
    Verb.DISCARD: "card",
    Verb.TUCK: "card at",
    Verb.FOOD: "card",
    Verb.CANAL: "with",
    Verb.ATTACK: "at with",
    Verb.RECRUIT: "at",
    Verb.DISMISS: "at",
    Verb.FARM: "at on with",
    Verb.OUTPOST: "at on with",
    Verb.HUT: "at on with",
    Verb.USE: "at with",
    Verb.TRADE: "at",
    Verb.END: "",
    Verb.BARGE: "",
    Verb.BRIBE: "at with",
    Verb.SUFFER: "at",
    Verb.STORY_GAIN: "items",
    Verb.STORY_LOSE: "items",
    Verb.STORY_MOVE: "card place place",
    Verb.STORY_PLAY: "at lasting",
    Verb.STORY_DROP: "at",
    Verb.STORY_FOOD: "food items",
    Verb.STORY_END: "",
    Verb.NAME: "spot at card",
}
"""For each verb, what follows it; `with` may be left out where no Worker is spent."""

TRADE_SHAPES = {1: "piece", 2: "", 3: "card", 4: "piece with", 5: "", 6: "", 7: "piece"}

LONGEST = 300
MOST = 999
"""The largest number that can be written."""


class NotationError(FloodwatchError):
    """A text that is not an action; the message shows the text and what was expected."""


def format_action(action: Action) -> str:
    """The action as one line, such as `attack 5 with red red black`."""
    words = iter(action.words)
    parts = [action.verb.value]
    for part in _parts_of(action):
        text = next(words) if part in _KNOWN_WORDS else _WRITE[part](action)
        parts += [text] if text else []
    return " ".join(parts)


def parse_action(text: str) -> Action:
    """The action that a text stands for."""
    if len(text) > LONGEST:
        raise NotationError(f"An action has at most {LONGEST} characters, this text has {len(text)}.")
    words = text.lower().split()
    verb, rest = _verb_of(words, text)
    shape = SHAPES[verb]
    if verb is Verb.TRADE:
        shape = f"{shape} {_trade_shape(rest, text)}"
    action = Action(verb)
    for part in shape.split():
        if not rest and part != "with":
            raise NotationError(f"{text!r} ends too early: expected {usage(verb)}.")
        try:
            action, rest = _READ[part](action, rest)
        except ValueError as problem:
            raise NotationError(f"In {text!r}: {problem}.") from None
    if rest:
        raise NotationError(
            f"In {text!r}: nothing should follow before {' '.join(rest)!r}; expected {usage(verb)}."
        )
    return action


def is_complete(action: Action) -> bool:
    """Whether the action has what its verb asks for and nothing else, as every parsed action has."""
    parts = _parts_of(action)
    known = [_KNOWN_WORDS[part] for part in parts if part in _KNOWN_WORDS]
    return (
        bool(action.card) == ("card" in parts)
        and (0 <= action.at <= MOST if "at" in parts else action.at == 0)
        and (0 <= action.to <= MOST if "on" in parts else action.to == 0)
        and len(action.pay) == len(WORKERS)
        and (min(action.pay) >= 0 if "with" in parts else not any(action.pay))
        and (action.piece in range(len(PIECES)) if "piece" in parts else action.piece is None)
        and bool(action.items) == ("items" in parts)
        and all(item.count > 0 for item in action.items)
        and len(action.words) == len(known)
        and all(word in words for word, words in zip(action.words, known, strict=True))
    )


def _parts_of(action: Action) -> list[str]:
    parts = SHAPES[action.verb].split()
    if action.verb is Verb.TRADE:
        parts += TRADE_SHAPES.get(action.at, "").split()
    return parts


def usage(verb: Verb) -> str:
    """How an action of this verb is written, such as `attack SPACE [with WORKERS]`."""
    shown = {"at": "NUMBER", "on": "on SITE", "with": "[with WORKERS]"}
    parts = [shown.get(part, part.upper()) for part in SHAPES[verb].split()]
    if verb is Verb.TRADE:
        parts.append("[PIECE or CARD]")
    return " ".join([verb.value, *parts])


def _verb_of(words: list[str], text: str) -> tuple[Verb, list[str]]:
    for length in (2, 1):
        try:
            return Verb(" ".join(words[:length])), words[length:]
        except ValueError:
            continue
    known = ", ".join(verb.value for verb in Verb)
    raise NotationError(f"{text!r} is not an action: it must begin with one of {known}.")


def _trade_shape(rest: list[str], text: str) -> str:
    number = rest[0] if rest else ""
    if number not in map(str, TRADE_SHAPES):
        raise NotationError(f"In {text!r}: expected the number of a trade, 1 to 7, found {number!r}.")
    return TRADE_SHAPES[int(number)]


_KNOWN_WORDS: dict[str, tuple[str, ...]] = {
    "place": STORY_PLACES,
    "lasting": ("game", "stays"),
    "food": FOODS,
    "spot": NAMED_PLACES,
}

_WRITE: dict[str, Callable[[Action], str]] = {
    "card": lambda action: str(action.card),
    "at": lambda action: str(action.at),
    "on": lambda action: f"on {action.to}",
    "piece": lambda action: PIECES[action.piece] if action.piece is not None else "",
    "with": lambda action: _format_pay(action.pay),
    "items": lambda action: format_items(action.items),
}


def _format_pay(pay: Workers) -> str:
    names = [name for name, count in zip(WORKERS, pay, strict=True) for _ in range(count)]
    return " ".join(["with", *names]) if names else ""


def _read_card(action: Action, rest: list[str]) -> tuple[Action, list[str]]:
    return action._replace(card=CardId(rest[0])), rest[1:]


def _read_number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= len(str(MOST))):
        raise ValueError(f"expected a number, found {word!r}")
    return int(word)


def _read_at(action: Action, rest: list[str]) -> tuple[Action, list[str]]:
    return action._replace(at=_read_number(rest[0])), rest[1:]


def _read_on(action: Action, rest: list[str]) -> tuple[Action, list[str]]:
    if rest[0] != "on" or len(rest) < 2:
        raise ValueError(f"expected 'on' and the number of a site, found {' '.join(rest)!r}")
    return action._replace(to=_read_number(rest[1])), rest[2:]


def _read_piece(action: Action, rest: list[str]) -> tuple[Action, list[str]]:
    if rest[0] not in INDEX:
        raise ValueError(f"expected one of {', '.join(PIECES)}, found {rest[0]!r}")
    return action._replace(piece=INDEX[rest[0]]), rest[1:]


def _read_with(action: Action, rest: list[str]) -> tuple[Action, list[str]]:
    if not rest:
        return action, rest
    if rest[0] != "with" or len(rest) < 2:
        raise ValueError(f"expected 'with' and Workers, found {' '.join(rest)!r}")
    pay = NO_WORKERS
    for word in rest[1:]:
        if word not in WORKERS:
            raise ValueError(f"expected Workers ({', '.join(WORKERS)}), found {word!r}")
        pay = plus(pay, INDEX[word])
    return action._replace(pay=pay), []


def _read_items(action: Action, rest: list[str]) -> tuple[Action, list[str]]:
    return action._replace(items=parse_items(" ".join(rest))), []


def _read_word(known: tuple[str, ...]) -> Callable[[Action, list[str]], tuple[Action, list[str]]]:
    def read(action: Action, rest: list[str]) -> tuple[Action, list[str]]:
        if rest[0] not in known:
            raise ValueError(f"expected one of {', '.join(known)}, found {rest[0]!r}")
        return action._replace(words=(*action.words, rest[0])), rest[1:]

    return read


_READ: dict[str, Callable[[Action, list[str]], tuple[Action, list[str]]]] = {
    "card": _read_card,
    "at": _read_at,
    "on": _read_on,
    "piece": _read_piece,
    "with": _read_with,
    "items": _read_items,
    **{part: _read_word(known) for part, known in _KNOWN_WORDS.items()},
}
