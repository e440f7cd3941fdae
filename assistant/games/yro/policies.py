"""Two simple players for simulations: one does anything legal, one takes the greatest expected gain.

Both look only at what the player who acts may know: their own hand, and everything that lies open.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from assistant.facedown import Cards
from assistant.games.yro import mixes, recruit, rules
from assistant.games.yro.actions import Action, Verb, action
from assistant.games.yro.copy import Copy
from assistant.games.yro.effects import COIN, LINES, MAGIC, TECH, TIMINGS, VP
from assistant.games.yro.grid import laid, spaces
from assistant.games.yro.phases import force_of
from assistant.games.yro.purse import worth
from assistant.games.yro.state import END_VP, Grid, Phase, Player, State, changed
from assistant.kit import Dice
from vision.cards import CardId

Policy = Callable[[Any, Dice], Any]

_PRODUCTION, _INCOME, _SCORE = (TIMINGS.index(name) for name in ("production", "income", "score"))
USUAL_ROUNDS = 7


class Weights(NamedTuple):
    """What things are worth in VP."""

    coin: float = 0.34
    point: float = 0.35
    """A point of Tech or Magic."""
    force: float = 0.3
    """A point of Force, for each Combat to come."""
    card: float = 0.4
    """A card in the grid: one step nearer to the end, and to lines."""
    pair: float = 0.35
    """Two of a kind in a line that can still be completed."""


def random_policy(copy: Copy) -> Policy:
    def play(state: State, dice: Dice) -> Action:
        chances = rules.chance(copy, state)
        return dice.weighted(chances) if chances else dice.choice(rules.legal_actions(copy, state))

    return play


def greedy_policy(copy: Copy, weights: Weights = Weights()) -> Policy:  # noqa: B008 - immutable
    def play(state: State, dice: Dice) -> Action:
        chances = rules.chance(copy, state)
        if chances:
            return dice.weighted(chances)
        if state.todo and not state.pending and not state.claims:
            decide = _DECISIONS.get(state.phase)
            if decide is not None:
                return decide(copy, state, state.todo[0], weights)
        if state.phase is Phase.RECRUIT:
            for number, player in enumerate(state.players, 1):
                if player.placing:
                    return _place(copy, state, number, weights)
        return rules.legal_actions(copy, state)[0]

    return play


def rounds_left(state: State) -> int:
    """How often cards will still work, this round included: by the clock, and by the leader's VP."""
    best = max([player.vp for player in state.players])
    pace = max(1.0, best / max(1, state.round))
    return max(1, min(USUAL_ROUNDS - state.round + 1, round((END_VP - best) / pace)))


def position(copy: Copy, player: Player, left: int, weights: Weights) -> float:
    """What a guild's place is worth, in VP expected until the end."""
    levelled = copy.levelled(player)
    production = copy.gained(_PRODUCTION, player.grid, levelled)
    each_round: float = (
        copy.gained(_SCORE, player.grid, levelled)[VP]
        + weights.coin * copy.gained(_INCOME, player.grid, levelled)[COIN]
        + weights.point * (production[TECH] + production[MAGIC])
        + weights.force * force_of(copy, player)
    )
    return (
        player.vp
        + weights.coin * worth(player.coins)
        + weights.point * (player.tech + player.magic)
        + weights.card * (len(player.grid) - player.grid.count(None))
        + weights.pair * _pairs(copy, player.grid)
        + left * each_round
    )


@lru_cache(maxsize=65536)
def _pairs(copy: Copy, grid: Grid) -> int:
    found = 0
    for line in LINES:
        names = [grid[cell] for cell in line if grid[cell] is not None]
        if len(names) == 2:
            one, other = [copy.card_of(name) for name in names if name is not None]
            found += one.faction == other.faction is not None
            found += one.profession == other.profession is not None
    return found


def gain(copy: Copy, player: Player, card: CardId, left: int, weights: Weights) -> tuple[float, int]:
    """What a card would bring at its best place, its cost not counted, and that place."""
    bare = Player(grid=player.grid, tech=player.tech, magic=player.magic)  # the rest only adds up
    return _gain(copy, bare, card, left, weights)


@lru_cache(maxsize=65536)
def _gain(copy: Copy, player: Player, card: CardId, left: int, weights: Weights) -> tuple[float, int]:
    now = position(copy, player, left, weights)
    best = (float("-inf"), 0)
    for at in spaces(player.grid):
        after = position(copy, _with(copy, player, card, at), left, weights) - now
        best = max(best, (after, -at))
    return best[0], -best[1]


def _with(copy: Copy, player: Player, card: CardId, at: int) -> Player:
    """The player with the card laid, its effect and its lines taken, as if it were free."""
    grid, cell = laid(player.grid, at, card)
    player = changed(player, grid=grid)
    amounts = recruit.brought(copy, player, cell)
    end = copy.track_end
    return changed(
        player,
        tech=min(end, player.tech + amounts[TECH]),
        magic=min(end, player.magic + amounts[MAGIC]),
        coins=(player.coins[0] + amounts[COIN], *player.coins[1:]),
        vp=player.vp + amounts[VP],
    )


def _values(copy: Copy, state: State, number: int, weights: Weights) -> dict[CardId, float]:
    """What each card in hand is worth to its holder after its cost; an unread one is worth nothing known."""
    player = state.players[number - 1]
    left = rounds_left(state)
    return {
        card: gain(copy, player, card, left, weights)[0] - weights.coin * (copy.card_of(card).cost or 0)
        for card in dict.fromkeys(player.hand)
        if not mixes.is_token(card) and None in player.grid
    }


def _discard(copy: Copy, state: State, number: int, weights: Weights) -> Action:
    """Keeps what is better than a card drawn blindly usually is, and can be paid soon."""
    hand = state.players[number - 1].hand
    values = _values(copy, state, number, weights)
    purse = worth(state.players[number - 1].coins)
    ranked = tuple(
        sorted(
            hand,
            key=lambda card: values.get(card, 0.0) - 2.0 * ((copy.card_of(card).cost or 0) > purse + 1),
            reverse=True,
        )
    )
    kept = recruit.KEPT if copy.settings.draft else KEPT_BY_CHOICE
    return action(Verb.DISCARD, number, ranked[-1:]) if len(ranked) > kept else action(Verb.KEEP, number)


KEPT_BY_CHOICE = 2
"""The best two stay, three are drawn anew: a hand of five hardly has more than two that fit."""


def _pick(copy: Copy, state: State, number: int, weights: Weights) -> Action:
    values = _values(copy, state, number, weights)
    hand = state.players[number - 1].hand
    return action(Verb.PICK, number, (max(hand, key=lambda card: values.get(card, 0.0)),))


def _choose(copy: Copy, state: State, number: int, weights: Weights) -> Action:
    values = _values(copy, state, number, weights)

    def expected(one: Action) -> float:
        cards: Cards = one.cards
        if not cards:
            return weights.coin * copy.nothing
        saved = weights.coin * copy.discount * (len(cards) == 1)
        return sum([values.get(card, 0.0) for card in cards]) + saved

    return max(recruit.choose_options(copy, state, number), key=expected)


def _place(copy: Copy, state: State, number: int, weights: Weights) -> Action:
    player = state.players[number - 1]
    left = rounds_left(state)
    best = max((gain(copy, player, card, left, weights), card) for card in dict.fromkeys(player.placing))
    return action(Verb.PLACE, number, (best[1],), best[0][1])


_DECISIONS: dict[Phase, Callable[[Copy, State, int, Weights], Action]] = {
    Phase.DRAW: _discard,
    Phase.DRAFT: _pick,
    Phase.CHOOSE: _choose,
}
