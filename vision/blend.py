"""What several looks at a calm zone say together."""

from dataclasses import replace

from vision.observation import CardSighting, CountSighting, Guess


def blended_cards(
    old: tuple[CardSighting, ...], new: tuple[CardSighting, ...], reads: int
) -> tuple[CardSighting, ...]:
    """One more look: the mean of all looks. A spread in which other cards were found is looked at anew."""
    if not reads or len(old) != len(new):
        return new
    return tuple(
        replace(after, guesses=_mean(before.guesses, after.guesses, reads))
        for before, after in zip(old, new, strict=True)
    )


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
