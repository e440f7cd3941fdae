"""Small words in which the rules refuse an action."""

from assistant.games.yro.state import Phase, State
from assistant.kit import Message, Refusal, Value


def no(rule: str, key: str, **values: Value) -> Refusal:
    return Refusal(rule=rule, message=Message.of(f"yro.refuse.{key}", **values))


def seat(player: int) -> Message:
    return Message.of("yro.player", n=player)


def phase_name(phase: Phase) -> Message:
    return Message.of(f"yro.phase.{phase.value}")


def not_now(state: State, phase: Phase, rule: str, player: int) -> Refusal | None:
    """Actions wait for their phase, for luck that is still to be shown, and for their player."""
    if not 1 <= player <= len(state.players):
        return no(rule, "no-player", player=player, players=len(state.players))
    if state.phase is not phase:
        return no(rule, "phase", phase=phase_name(state.phase), needed=phase_name(phase))
    if state.pending:
        return no(rule, "pending", step=Message.of(f"yro.step.{state.pending[0].kind.value}"))
    if state.claims:
        return no("R-Q1", "claims")
    if player not in state.todo:
        return no(rule, "done", player=seat(player))
    return None
