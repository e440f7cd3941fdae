"""Packs shared between owners of a game: facts without pictures, merged with one's own, conflicts shown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from calibration.errors import CalibrationError
from vision.cards import CardFacts, CardField, CardId, CardPack, Source, format_items
from vision.embedding import as_text, embed, from_text
from vision.frame import BgrImage

LOOK: Final = "embedding"
"""The fact of a conflict about what a card looks like."""
_CLEARLY: Final = 0.02
"""So much more alike is another card only where it is that card; poor light alone makes 0.005."""

_TRUST = {
    Source.CONFIRMED: 4,
    Source.RULEBOOK: 3,
    Source.PHOTOGRAPH: 3,
    Source.READ: 2,
    Source.ASSUMED: 1,
    Source.INVENTED: 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A fact on which two packs differ."""

    card: CardId
    fact: str
    ours: str
    theirs: str
    kept_ours: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    pack: CardPack
    added: tuple[CardId, ...]
    filled: int
    """Facts that we did not know."""
    conflicts: tuple[Conflict, ...]


def facts_only(pack: CardPack, pictures: Mapping[CardId, BgrImage]) -> CardPack:
    """What may be given away: facts, and of each picture the few numbers that it is known again by.

    What is printed may be told, artwork may not be copied.
    """
    return replace(pack, cards=tuple(replace(card, image=None) for card in described(pack, pictures).cards))


def described(pack: CardPack, pictures: Mapping[CardId, BgrImage]) -> CardPack:
    """The same pack with the embedding of every picture."""
    cards = [
        replace(card, embedding=as_text(embed(pictures[card.id]))) if card.id in pictures else card
        for card in pack.cards
    ]
    return replace(pack, cards=tuple(cards))


def merge(ours: CardPack, theirs: CardPack) -> Merged:
    """Our pack with what theirs knows better. Another player's word is not ours: it counts as read."""
    if ours.game != theirs.game:
        raise CalibrationError(f"a pack of {theirs.game!r} cannot be merged into one of {ours.game!r}.")
    conflicts: list[Conflict] = []
    filled = 0
    cards = []
    for card in ours.cards:
        if card.id not in theirs:
            cards.append(card)
            continue
        merged, found, more = _merged_card(card, theirs[card.id])
        cards.append(merged)
        conflicts += found
        filled += more
    conflicts += _mistaken_looks(ours, theirs)
    known = {card.id for card in ours.cards}
    new = [_foreign(card) for card in theirs.cards if card.id not in known]
    return Merged(
        pack=replace(ours, cards=(*map(_without_needless, cards), *new)),
        added=tuple(card.id for card in new),
        filled=filled,
        conflicts=tuple(conflicts),
    )


def _merged_card(ours: CardFacts, theirs: CardFacts) -> tuple[CardFacts, list[Conflict], int]:
    if ours.kind != theirs.kind:
        conflict = Conflict(card=ours.id, fact="kind", ours=ours.kind, theirs=theirs.kind, kept_ours=True)
        return ours, [conflict], 0
    conflicts: list[Conflict] = []
    filled = 0
    fields = {field.name: field for field in ours.fields}
    for other in theirs.fields:
        mine = fields.get(other.name)
        if other.items is None or (mine is not None and mine.items == other.items):
            continue
        foreign = _foreign_field(other)
        if mine is None or mine.items is None:
            fields[other.name] = foreign
            filled += 1
            continue
        keep = _TRUST[mine.source] >= _TRUST[foreign.source]
        fields[other.name] = mine if keep else foreign
        conflicts.append(
            Conflict(
                card=ours.id,
                fact=other.name,
                ours=format_items(mine.items) or "–",
                theirs=format_items(other.items) or "–",
                kept_ours=keep,
            )
        )
    values: dict[str, int | str | None] = {}
    for name in ("stone", "picture", "group"):
        mine_value, other_value = getattr(ours, name), getattr(theirs, name)
        if mine_value is None and other_value is not None:
            values[name] = other_value
            filled += 1
        elif name != "picture" and None not in (mine_value, other_value) and mine_value != other_value:
            conflicts.append(
                Conflict(
                    card=ours.id, fact=name, ours=str(mine_value), theirs=str(other_value), kept_ours=True
                )
            )
    if ours.embedding is None:
        values["embedding"] = theirs.embedding
    merged = replace(ours, fields=tuple(fields.values()), **values)  # type: ignore[arg-type]
    return merged, conflicts, filled


def _mistaken_looks(ours: CardPack, theirs: CardPack) -> Iterator[Conflict]:
    """Cards that look like another card of ours in their pack: was one given the name of the other?"""
    known = {card.id: from_text(card.embedding) for card in ours.cards if card.embedding is not None}
    for card in theirs.cards:
        if card.embedding is None or card.id not in known:
            continue
        look = from_text(card.embedding)
        alike = {
            other: float(look @ known[other]) for other in known if ours[other].kind == ours[card.id].kind
        }
        best = max(alike, key=lambda other: alike[other])
        if alike[best] > alike[card.id] + _CLEARLY:
            yield Conflict(card=card.id, fact=LOOK, ours=card.id, theirs=best, kept_ours=True)


def _without_needless(card: CardFacts) -> CardFacts:
    """Who has the picture can make the embedding at any time; a picture that is replaced makes it wrong."""
    return card if card.image is None else replace(card, embedding=None)


def _foreign(card: CardFacts) -> CardFacts:
    return replace(card, image=None, fields=tuple(_foreign_field(field) for field in card.fields))


def _foreign_field(field: CardField) -> CardField:
    return replace(field, source=Source.READ) if field.source is Source.CONFIRMED else field
