"""Advice as JSON values, so that it can come from another process."""

from collections.abc import Mapping
from typing import Any

from assistant.advice import Advice, Advised, Chance, Plan, Strength
from assistant.kit import Message


def advice_to_json(advice: Advice) -> dict[str, Any]:
    return {
        "strength": advice.strength.value,
        "nudges": [_message(one) for one in advice.nudges],
        "plan": advice.plan
        and {
            "goals": [_message(one) for one in advice.plan.goals],
            "steps": [_message(one) for one in advice.plan.steps],
        },
        "moves": [
            {
                "notation": move.notation,
                "words": _message(move.words),
                "because": [_message(one) for one in move.because],
                "win": _chance(move.win),
            }
            for move in advice.moves
        ],
        "win": _chance(advice.win),
        "warnings": [_message(one) for one in advice.warnings],
        "thinking": advice.thinking,
        "plain": advice.plain and _message(advice.plain),
    }


def advice_from_json(data: Mapping[str, Any]) -> Advice:
    plan = data["plan"]
    return Advice(
        strength=Strength(data["strength"]),
        nudges=_read_messages(data["nudges"]),
        plan=Plan(goals=_read_messages(plan["goals"]), steps=_read_messages(plan["steps"])) if plan else None,
        moves=tuple(
            Advised(
                notation=move["notation"],
                words=_read_message(move["words"]),
                because=_read_messages(move["because"]),
                win=_read_chance(move["win"]),
            )
            for move in data["moves"]
        ),
        win=_read_chance(data["win"]),
        warnings=_read_messages(data["warnings"]),
        thinking=data["thinking"],
        plain=_read_message(data["plain"]) if data["plain"] else None,
    )


def _message(message: Message) -> dict[str, Any]:
    values = {
        name: _message(value) if isinstance(value, Message) else value for name, value in message.values
    }
    return {"key": message.key, "values": values}


def _read_message(data: Mapping[str, Any]) -> Message:
    values = data["values"].items()
    return Message.of(
        data["key"],
        **{name: _read_message(value) if isinstance(value, dict) else value for name, value in values},
    )


def _read_messages(data: list[Any]) -> tuple[Message, ...]:
    return tuple(_read_message(one) for one in data)


def _chance(chance: Chance | None) -> list[float] | None:
    return None if chance is None else [chance.p, chance.low, chance.high]


def _read_chance(data: list[float] | None) -> Chance | None:
    return Chance(p=data[0], low=data[1], high=data[2]) if data else None
