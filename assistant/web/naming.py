"""What a card is called on the page: who is on it and what is printed there, never a pack's id."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assistant.kit import GameKit, Message
from assistant.web.drawing import Drawing
from assistant.wording import Wording
from vision.cards import CardFacts, CardId, CardPack, Item

UNREAD = "?"


class PageWording(Wording):
    """Says a card by its name wherever a message holds its id."""

    def __init__(self, language: str, kit: GameKit, pack: CardPack, drawing: Drawing) -> None:
        super().__init__(language, [kit.messages])
        self.names: Mapping[CardId, str] = {}
        self.names = card_names(kit, pack, drawing, self)
        self._game = kit.name
        self._sections = {rule: section for section, rules in drawing.rulebook.items() for rule in rules}

    def rule(self, rule: str) -> tuple[str | None, str | None]:
        """A rule in a few words, and the section of the rulebook that tells it; None where it is no rule."""
        key = f"{self._game}.rule.{rule}"
        section = self._sections.get(rule)
        return (
            self.say(Message.of(key)) if key in self.keys else None,
            None if section is None else self.say(Message.of(f"{self._game}.book.{section}")),
        )

    def say(self, message: Message) -> str:
        values = message.values
        if any(value in self.names for _, value in values if isinstance(value, str)):
            named = tuple((key, self._named(value)) for key, value in values)
            message = Message(message.key, named)
        return super().say(message)

    def _named(self, value: Any) -> Any:
        return self.names.get(CardId(value), value) if isinstance(value, str) else value


Wordings = Mapping[str, PageWording]
"""How the page speaks in each language."""


def card_names(kit: GameKit, pack: CardPack, drawing: Drawing, wording: Wording) -> dict[CardId, str]:
    """A name for each card; two that would be called alike keep their id beside it."""
    plain = {card.id: _name(kit, card, drawing, wording) for card in pack.cards}
    often = Counter(plain.values())
    return {card: name if often[name] == 1 else f"{name} · {card}" for card, name in plain.items()}


def _name(kit: GameKit, card: CardFacts, drawing: Drawing, wording: Wording) -> str:
    face = drawing.faces.get(card.kind)
    parts = [_part(kit, card, by, wording) for by in (face.named_by if face else ())]
    printed = " · ".join(part for part in parts if part)
    title = _title(kit, card, wording)
    return f"{title} ({printed})" if printed else title


def _title(kit: GameKit, card: CardFacts, wording: Wording) -> str:
    key = f"{kit.name}.picture.{card.picture}"
    if card.picture is not None:
        return wording.say(Message.of(key)) if key in wording.keys else _spelled(card.picture)
    kind = f"{kit.name}.kind.{card.kind}"
    return wording.say(Message.of(kind)) if kind in wording.keys else _spelled(card.kind)


def _spelled(slug: str) -> str:
    return slug.replace("-", " ").capitalize()


def _part(kit: GameKit, card: CardFacts, by: str, wording: Wording) -> str:
    if by == "group":
        key = f"{kit.name}.group.{card.group}"
        return wording.say(Message.of(key)) if key in wording.keys else card.group or ""
    if by == "stone":
        key = f"{kit.name}.brief.stone"
        return "" if card.stone is None else f"{wording.say(Message.of(key))} {card.stone}"
    items = card.items(by)
    return UNREAD if items is None else _items(kit, items, wording)


def _items(kit: GameKit, items: Sequence[Item], wording: Wording) -> str:
    counts = Counter(items)
    said = []
    for item, times in counts.items():
        key = f"{kit.name}.brief.{item.kind}"
        word = wording.say(Message.of(key)) if key in wording.keys else item.kind
        times *= item.count
        said.append(f"{times} {word}" if times > 1 else word + (f" {item.number}" if item.number else ""))
    return ", ".join(said)
