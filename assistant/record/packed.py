"""Plain JSON values as few bytes, and messages as plain JSON values; reading trusts nobody."""

import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

from assistant.kit import Message, Value
from assistant.record.errors import RecordError, Trouble

LARGEST: Final = 16_000_000
"""No event comes near so many bytes; a longer one is a trap (a few kilobytes can unpack to gigabytes)."""
DEEPEST: Final = 64
"""Messages inside messages: a list of things nests once per thing."""


def pack(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return zlib.compress(text.encode(), 6)


def unpack(data: bytes) -> Any:
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(data, LARGEST)
        if reader.unconsumed_tail or not reader.eof:
            raise ValueError(f"it does not end within {LARGEST} bytes")
        return json.loads(text, parse_constant=_refuse)
    except (zlib.error, ValueError, RecursionError) as problem:
        raise RecordError(
            f"Expected packed JSON in the record, found something else: {problem}.", Trouble.DAMAGED
        ) from None


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number")


def message_to_json(message: Message) -> dict[str, Any]:
    return {
        "key": message.key,
        "values": {
            name: message_to_json(value) if isinstance(value, Message) else value
            for name, value in message.values
        },
    }


def message_from_json(data: Any, depth: int = 0) -> Message:
    match data:
        case {"key": str() as key, "values": Mapping() as values} if depth < DEEPEST:
            return Message.of(key, **{str(name): _value(value, depth) for name, value in values.items()})
    raise RecordError(f"Expected a message with key and values, found {str(data)[:80]!r}.", Trouble.DAMAGED)


def _value(value: Any, depth: int) -> Value:
    match value:
        case str() | int() | float():
            return value
    return message_from_json(value, depth + 1)
