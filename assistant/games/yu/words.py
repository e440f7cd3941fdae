"""Actions in words: message keys and values, put into a language elsewhere."""

from collections.abc import Sequence

from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.judge import amount
from assistant.games.yu.pieces import Workers
from assistant.kit import Message, Value
from vision.cards import Item


def describe(action: Action) -> Message:
    """The action as a sentence, such as "attack the Barbarian on space 5 with 2 Red Workers"."""
    key = action.verb.value.replace(" ", "-")
    if action.verb is Verb.TRADE:
        key = f"trade-{action.at}"
    values: dict[str, Value] = {"at": action.at, "to": action.to}
    if action.card is not None:
        values["card"] = action.card
    if action.piece is not None:
        values["piece"] = amount(action.piece, 1)
    if action.items:
        values["items"] = listed([item_name(item) for item in action.items])
    for name, word in zip(("word", "place"), action.words, strict=False):
        values[name] = Message.of(f"yu.word.{word.replace('_', '-')}")
    values["pay"] = paid(action.pay)
    return Message.of(f"yu.say.{key}", **values)


def paid(workers: Workers) -> Message:
    amounts = [amount(worker, number) for worker, number in enumerate(workers) if number]
    return listed(amounts) if amounts else Message.of("yu.nothing")


def item_name(item: Item) -> Message:
    number = {} if item.number is None else {"number": item.number}
    return Message.of(f"yu.amount.{item.kind}", n=item.count, **number)


def listed(parts: Sequence[Message]) -> Message:
    """Several things as one: "a, b"."""
    first, *rest = parts
    return Message.of("yu.and", first=first, rest=listed(rest)) if rest else first
