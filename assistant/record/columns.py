"""Columns that hold what they say: SQLite keeps any value in any column, and a record may be a stranger's."""

from typing import Any, Final, NoReturn

from sqlalchemy import Dialect, Float, Integer, LargeBinary, Text, TypeDecorator

_EARLIEST: Final = -6e10
_LATEST: Final = 2.5e11


class WholeNumber(TypeDecorator[int]):
    impl = Integer
    cache_ok = True

    def process_result_value(self, value: Any, _dialect: Dialect) -> int | None:
        return value if value is None or type(value) is int else _refused(value, "a whole number")


class Moment(TypeDecorator[float]):
    """Seconds since 1970, within years that a calendar can show."""

    impl = Float
    cache_ok = True

    def process_result_value(self, value: Any, _dialect: Dialect) -> float | None:
        if value is None or (type(value) in (int, float) and _EARLIEST < value < _LATEST):
            return None if value is None else float(value)
        _refused(value, "a moment")


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
