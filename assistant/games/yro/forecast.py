"""The scores, always; who wins the next Combat as grids are now; and how near the end is."""

from collections.abc import Iterator

from assistant.games.yro.copy import Copy
from assistant.games.yro.effects import VP
from assistant.games.yro.judge import seat
from assistant.games.yro.luck import threat_force
from assistant.games.yro.pack import COLOURS
from assistant.games.yro.phases import combat_vp, ended, force_of, owed
from assistant.games.yro.purse import worth
from assistant.games.yro.state import CELLS, END_VP, Phase, State
from assistant.kit import Forecast, Gauge, Message, Severity

_FEW = 2
"""So many scores are shown with all that the table shows anyway; of more, each takes one line of the page."""


def forecast(copy: Copy, state: State) -> Forecast:
    return Forecast(gauges=(_end(state), *_threat(copy, state), *_scores(copy, state)))


def _end(state: State) -> Gauge:
    """R-E1: how many VP and Adventurers are missing to the end, at the best player's."""
    vp = max(player.vp for player in state.players)
    cards = max(CELLS - player.grid.count(None) for player in state.players)
    over = ended(state)
    key = "over" if state.result else "last-round" if over else "end"
    return Gauge(
        name="end",
        severity=Severity.NOTE if over and state.result is None else None,
        message=Message.of(f"yro.forecast.{key}", vp=max(0, END_VP - vp), n=CELLS - cards),
        values={"vp": vp, "cards": cards, "left": max(0, END_VP - vp), "over": over},
        rule="R-E1",
    )


def _threat(copy: Copy, state: State) -> Iterator[Gauge]:
    """R-SO1: alone, the cards revealed so far, and what a strong one more would do."""
    if len(state.players) != 1 or state.result is not None:
        return
    now = threat_force(copy, state.threat)
    cards = [copy.card_of(card).force for mix, places in state.deck for card in state.mixes[mix] if places]
    risk = sum(now + force > copy.most_threat for force in cards) / len(cards) if cards else 0.0
    yield Gauge(
        name="threat",
        severity=Severity.WARNING if risk > 0 else None,
        message=Message.of("yro.forecast.threat", now=now, most=copy.most_threat, risk=risk),
        values={"now": now, "risk": round(risk, 4)},
        rule="R-SO1",
    )


def _scores(copy: Copy, state: State) -> Iterator[Gauge]:
    """What each guild has, and what its cards bring this round if nothing changes."""
    coming = combat_vp(copy, state) if state.phase is not Phase.FINAL else (0,) * len(state.players)
    key = "score" if len(state.players) <= _FEW else "score-short"
    if state.result is not None:
        key = "score-end"
    for number, player in enumerate(state.players, 1):
        force = force_of(copy, player)
        each_round = owed(copy, state, Phase.VP, number)[VP]
        values = {
            "vp": player.vp,
            "force": force,
            "coins": worth(player.coins),
            "tech": copy.levels[player.tech],
            "magic": copy.levels[player.magic],
            "cards": CELLS - player.grid.count(None),
            "combat": coming[number - 1],
            "each_round": each_round,
        }
        yield Gauge(
            name=f"score-{COLOURS[number - 1]}",
            severity=None,
            message=Message.of(f"yro.forecast.{key}", player=seat(number), **values),
            values=values,
        )
