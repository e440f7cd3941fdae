"""Columns that hold what they say: SQLite keeps any value in any column, and a record may be a stranger's."""

import math
from typing import Any, NoReturn

from sqlalchemy import Dialect, Float, Integer, LargeBinary, Text, TypeDecorator


class WholeNumber(TypeDecorator[int]):
    impl = Integer
    cache_ok = True

    def process_result_value(self, value: Any, _dialect: Dialect) -> int | None:
        return value if value is None or type(value) is int else _refused(value, "a whole number")


class Number(TypeDecorator[float]):
    impl = Float
    cache_ok = True

    def process_result_value(self, value: Any, _dialect: Dialect) -> float | None:
        if value is None or (type(value) in (int, float) and math.isfinite(value)):
            return None if value is None else float(value)
        _refused(value, "a finite number")


class Words(TypeDecorator[str]):
    impl = Text
    cache_ok = True

    def process_result_value(self, value: Any, _dialect: Dialect) -> str | None:
        return value if value is None or isinstance(value, str) else _refused(value, "a text")


class Bytes(TypeDecorator[bytes]):
    impl = LargeBinary
    cache_ok = True

    def process_result_value(self, value: Any, _dialect: Dialect) -> bytes | None:
        return value if value is None or isinstance(value, bytes) else _refused(value, "bytes")


def _refused(value: Any, expected: str) -> NoReturn:
    """The reader of a record says which one it is."""
    raise TypeError(f"expected {expected}, found {str(value)[:40]!r}")
