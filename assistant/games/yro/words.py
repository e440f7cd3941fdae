"""Actions and amounts in words: message keys and values, put into a language elsewhere."""

from collections.abc import Sequence

from assistant.games.yro.actions import Action, Verb
from assistant.games.yro.effects import GAINS
from assistant.games.yro.judge import seat
from assistant.kit import Message, Value

_WITHOUT_CARDS = {Verb.CHOOSE: "choose-none"}


def describe(action: Action) -> Message:
    """The action as a sentence, such as "Red lays spore-mage into row 1, column 3"."""
    key = action.verb.value
    if not action.cards:
        key = _WITHOUT_CARDS.get(action.verb, key)
    values: dict[str, Value] = {"at": action.at, "row": action.at // 10, "column": action.at % 10}
    values["n"] = len(action.cards)
    if action.player:
        values["player"] = seat(action.player)
    if action.cards:
        values["cards"] = listed([Message.of("yro.card", card=card) for card in action.cards])
    if action.verb is Verb.CHANGE:
        values |= {"ones": action.coins[0], "threes": action.coins[1], "sixes": action.coins[2]}
    return Message.of(f"yro.say.{key}", **values)


def listed(parts: Sequence[Message]) -> Message:
    """Several things as one: "a, b"."""
    first, *rest = parts
    return Message.of("yro.and", first=first, rest=listed(rest)) if rest else first


def said(amounts: Sequence[int]) -> Message:
    """Amounts in words, such as "2 Tech, 2 Magic"."""
    parts = [
        Message.of(f"yro.amount.{name}", n=number)
        for name, number in zip(GAINS, amounts, strict=True)
        if number
    ]
    return listed(parts) if parts else Message.of("yro.nothing")
