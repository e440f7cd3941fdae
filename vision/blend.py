"""What several looks at a calm zone say together."""

from dataclasses import replace

from vision.observation import CardReading, CardSighting, CountSighting, FieldReading, Guess


def blended_cards(
    old: tuple[CardSighting, ...], new: tuple[CardSighting, ...], reads: int
) -> tuple[CardSighting, ...]:
    """One more look: the mean of all looks. A spread in which other cards were found is looked at anew."""
    if not reads or len(old) != len(new):
        return new
    return tuple(
        replace(
            after,
            guesses=_mean(before.guesses, after.guesses, reads),
            reading=_surer(before.reading, after.reading),
        )
        for before, after in zip(old, new, strict=True)
    )


def _surer(old: CardReading | None, new: CardReading | None) -> CardReading | None:
    """Field by field, and the stone, what was read more surely: noise spoils one look and not the next."""
    if old is None or new is None or old.kind != new.kind:
        return new
    before = {field.name: field for field in old.fields}
    fields = tuple(max(field, before.get(field.name, field), key=_sureness) for field in new.fields)
    stone = max(new, old, key=lambda reading: reading.stone_p)
    return replace(new, fields=fields, stone=stone.stone, stone_p=stone.stone_p)


def _sureness(field: FieldReading) -> float:
    return min((item.p for item in field.items), default=0.0)


def _mean(old: tuple[Guess, ...], new: tuple[Guess, ...], reads: int) -> tuple[Guess, ...]:
    shares = {(guess.look, guess.card): guess.p * reads / (reads + 1) for guess in old}
    for guess in new:
        key = (guess.look, guess.card)
        shares[key] = shares.get(key, 0.0) + guess.p / (reads + 1)
    ranked = sorted(shares.items(), key=lambda pair: -pair[1])
    return tuple(Guess(look, card, p) for (look, card), p in ranked)


def blended_counts(
    old: tuple[CountSighting, ...], new: tuple[CountSighting, ...], reads: int
) -> tuple[CountSighting, ...]:
    """One more look at the pieces of a zone: the mean of all looks."""
    if not reads or len(old) != len(new):
        return new
    blended: list[CountSighting] = []
    for before, after in zip(old, new, strict=True):
        shares = {number: p * reads / (reads + 1) for number, p in before.counts}
        for number, p in after.counts:
            shares[number] = shares.get(number, 0.0) + p / (reads + 1)
        ranked = sorted(shares.items(), key=lambda pair: -pair[1])
        blended.append(CountSighting(after.kind, tuple(ranked)))
    return tuple(blended)
