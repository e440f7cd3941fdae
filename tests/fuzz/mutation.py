"""Makes hostile inputs out of good ones: bytes damaged, pieces moved, values of JSON and TOML replaced."""

import json
import random
from typing import Any

HOSTILE_BYTES = (
    b"\x00", b"\xff", b"\xff\xd8\xff", b"\xed\xa0\x80", b"\r\n", b"'''", b'"""', b"[[", b"]]", b"{", b"}",
    b"=", b"../../", b"<script>alert(1)</script>", b"%s%n", b"9" * 400, b"-1", b"1e999", b"nan", b"[" * 3000,
    b"\na = " + b"9" * 5000, b"\na = " + b"[" * 3000, "\u202e".encode(), "\U0001f30a".encode(),
)  # fmt: skip
HOSTILE_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2**63, 10**400, 1e308, float("nan"), float("inf"), "", "\x00", "x" * 5000, "../../etc",
    "<script>alert(1)</script>", "\ud800", [], {}, [[]], {"": {}}, [None], "2026-13-45",
)  # fmt: skip


HOSTILE_TOML = (
    b"-1", b"0", b"9223372036854775808", b"9" * 400, b"1e308", b"nan", b"-inf", b"true", b'""', b'"\\u0000"',
    b'"../../etc/passwd.png"', b'"<script>alert(1)</script>"', b'"' + b"x" * 3000 + b'"', b"[]", b"{}",
    b"[[]]", b"{a = {b = {}}}", b"[nan, 1]", b"1979-05-27", b"07:32:00", b'"\\ud800"', b"0x1_0", b"'?'",
)  # fmt: skip


def mutated(seed: bytes, others: tuple[bytes, ...], luck: random.Random) -> bytes:
    """A neighbour of a good input, one to four damages away from it."""
    if luck.random() < 0.35:
        value = mutated_json(seed, luck)
        if value is None:
            value = _mutated_toml(seed, luck)
        if value is not None:
            return value
    data = bytearray(seed)
    for _ in range(luck.randint(1, 4)):
        _DAMAGES[luck.randrange(len(_DAMAGES))](data, others, luck)
    return bytes(data)


def mutated_json(seed: bytes, luck: random.Random) -> bytes | None:
    """One value somewhere in a JSON document replaced; None where this is no JSON document."""
    try:
        document = json.loads(seed)
    except (ValueError, RecursionError):
        return None
    places = list(_places(document))
    if not places:
        return None
    holder, key = luck.choice(places)
    if luck.random() < 0.2:
        del holder[key]
    else:
        other, other_key = luck.choice(places)
        hostile = luck.choice(HOSTILE_VALUES)
        holder[key] = other.get(other_key) if luck.random() < 0.3 and isinstance(other, dict) else hostile
    try:
        return json.dumps(document).encode()
    except (ValueError, RecursionError):  # the document was put inside itself
        return None


def _mutated_toml(seed: bytes, luck: random.Random) -> bytes | None:
    """One to three values of a TOML file replaced, so that it is still TOML; None where this is none."""
    lines = seed.split(b"\n")
    facts = [number for number, line in enumerate(lines) if b" = " in line]
    if not facts:
        return None
    for _ in range(luck.randint(1, 3)):
        number, other = luck.choice(facts), luck.choice(facts)
        key, _, _ = lines[number].partition(b" = ")
        _, _, value = lines[other].partition(b" = ")
        lines[number] = key + b" = " + (value if luck.random() < 0.4 else luck.choice(HOSTILE_TOML))
    return b"\n".join(lines)


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        for key in keys:
            found.append((one, key))
            waiting.append(one[key])
    return found


def _flip(data: bytearray, _others: tuple[bytes, ...], luck: random.Random) -> None:
    if data:
        data[luck.randrange(len(data))] ^= 1 << luck.randrange(8)


def _cut(data: bytearray, _others: tuple[bytes, ...], luck: random.Random) -> None:
    start = luck.randrange(len(data) + 1)
    del data[start : start + luck.choice((1, 2, 8, 60, 1000))]


def _repeat(data: bytearray, _others: tuple[bytes, ...], luck: random.Random) -> None:
    start = luck.randrange(len(data) + 1)
    part = bytes(data[start : start + luck.choice((1, 8, 60))])
    data[start:start] = part * luck.choice((1, 2, 50))


def _insert(data: bytearray, _others: tuple[bytes, ...], luck: random.Random) -> None:
    start = luck.randrange(len(data) + 1)
    data[start:start] = luck.choice(HOSTILE_BYTES)


def _splice(data: bytearray, others: tuple[bytes, ...], luck: random.Random) -> None:
    other = luck.choice(others)
    data[luck.randrange(len(data) + 1) :] = other[luck.randrange(len(other) + 1) :]


_DAMAGES = (_flip, _flip, _cut, _repeat, _insert, _insert, _splice)
