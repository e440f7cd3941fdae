"""Files of facts that people write by hand: read as TOML within limits, every problem kept with its line."""

import difflib
import re
import tomllib
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from vision.bounded import read_bounded

Table: TypeAlias = dict[str, object]

LARGEST_BYTES = 1024 * 1024
LONGEST_LINE = 4000
DEEPEST_KEY = 8
MOST_PROBLEMS = 200

_KEY = re.compile(r"""\s*([A-Za-z0-9_-]+|"[^"\\]*"|'[^']*')\s*=""")
_TABLE_NAME = re.compile(r"""[\w"'. -]+""")
_PLACE = re.compile(r"at line (\d+)")
_STRING = re.compile(r""""(?:[^"\\]|\\.|\\$)*(?:"|$)|'[^']*(?:'|$)""")
_TRIPLE = ('"""', "'''")
_QUOTED = re.compile("|".join((*_TRIPLE, _STRING.pattern)))
"""A text, or the beginning of one in triple quotes: those within a text are three signs like any others."""


class Complaints:
    """Every problem of one file, told with the line where it was found."""

    def __init__(self, origin: str, text: str = "") -> None:
        self.origin = origin
        self._found: list[tuple[int, str]] = []
        self._untold = 0
        self._lines, self._twice = _find_lines(text)

    @property
    def problems(self) -> tuple[str, ...]:
        """In the order of the file, what concerns the whole of it first."""
        told = [sentence for _, sentence in sorted(self._found, key=lambda found: found[0])]
        if self._untold:
            told.append(f"{self.origin}: and {self._untold} problems more")
        return tuple(told)

    def add(
        self,
        where: str,
        expected: str,
        found: object,
        *,
        at: tuple[str, ...] = (),
        line: int | None = None,
        close: tuple[str, Iterable[str]] | None = None,
    ) -> None:
        """`at` is the path of keys to the fact: the closest line that is known for it is named.

        `close` is a word that is not known and those that are: the closest one is suggested.
        """
        if len(self._found) == MOST_PROBLEMS:
            self._untold += 1
            return
        if line is None:
            line = next((self._lines[at[:n]] for n in range(len(at), 0, -1) if at[:n] in self._lines), None)
        place = f"{self.origin}, line {line}" if line else self.origin
        subject = f"{where}: " if where else ""
        hint = _suggestion(*close) if close else ""
        sentence = f"{place}: {subject}expected {expected}, found {shown(found)}{hint}"
        self._found.append((line or 0, sentence))

    def refuse_unknown_keys(
        self, where: str, table: Table, known: Iterable[str], at: tuple[str, ...] = ()
    ) -> None:
        known = tuple(known)
        for key in table:
            if key not in known:
                expected = f"only the keys {listed(known)}"
                self.add(where, expected, key, at=(*at, key), close=(key, known))

    def add_repeated_tables(self) -> None:
        """TOML stops at the first table that is written twice; a person wants to hear of all of them."""
        for path, first, again in self._twice:
            found = Found(f"it again (first in line {first})")
            self.add("", f"[{'.'.join(path)}] once", found, line=again)


class Found(str):
    """Words that describe what was found, shown as they are."""

    __slots__ = ()


def read_text(path: Path, complaints: Complaints) -> str | None:
    """The text of a small UTF-8 file; None after a complaint."""
    try:
        data = read_bounded(path, LARGEST_BYTES)
    except OSError as error:
        complaints.add("", "a readable file", Found(error.strerror or "an error of the system"))
        return None
    if len(data) > LARGEST_BYTES:
        complaints.add("", f"at most {LARGEST_BYTES} bytes", Found("a larger file"))
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        complaints.add("", "text in UTF-8", Found(f"a byte that is not, at position {error.start}"))
        return None


def load_table(text: str, complaints: Complaints) -> Table | None:
    """The text as TOML; None after a complaint."""
    if not _is_within_limits(text, complaints):
        return None
    complaints.add_repeated_tables()
    if complaints.problems:
        return None
    try:
        return tomllib.loads(text)
    except RecursionError:
        complaints.add("", "tables and lists a few levels deep", Found("very deep nesting"))
    except ValueError as error:  # also what tomllib lets through, such as a number of 5000 digits
        place = _PLACE.search(str(error))
        found = Found(f"text that is not: {str(error)[:200]}")
        complaints.add("", "TOML", found, line=int(place[1]) if place else None)
    return None


def listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "nothing"


def is_plain(text: str) -> bool:
    """No control characters, line breaks or invisible marks that turn the direction of writing."""
    return not any(unicodedata.category(letter)[0] == "C" or letter in "\u2028\u2029" for letter in text)


def shown(value: object) -> str:
    """A value as a message shows it, whatever its size."""
    match value:
        case Found():
            return str(value)
        case str():
            return ascii(value) if len(value) <= 60 and not is_plain(value) else _quoted(value)
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if value.bit_length() <= 64 else "a huge number"
        case float():
            return repr(value)
        case dict():
            return "a table"
        case list() | tuple():
            return "a list"
        case None:
            return "nothing"
    return f"a {type(value).__name__}"


def _suggestion(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word[:80], sorted(known), n=1)
    return f". Did you mean '{close[0]}'?" if close else ""


def _quoted(text: str) -> str:
    return f"'{text}'" if len(text) <= 60 else f"{text[:50]!a} and {len(text) - 50} characters more"


def _is_within_limits(text: str, complaints: Complaints) -> bool:
    """Refuses what would only cost time: TOML's own reader is slow on very long lines and dotted keys."""
    if len(text) > LARGEST_BYTES:
        complaints.add("", f"at most {LARGEST_BYTES} characters", Found("a longer text"))
        return False
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            complaints.add("", f"at most {LONGEST_LINE} characters", Found(f"{len(line)}"), line=number)
        elif any(word in _TRIPLE for word in _QUOTED.findall(line)):
            complaints.add("", "a text on one line", Found("a text in triple quotes"), line=number)
        elif line.count(".") > DEEPEST_KEY and _longest_key(line) > DEEPEST_KEY:
            complaints.add("", f"keys of at most {DEEPEST_KEY} parts", Found("a longer one"), line=number)
    return not complaints.problems


def _longest_key(line: str) -> int:
    """How many dots a key of this line has at most."""
    return max(part.count(".") for part in re.split(r"[=,{}\[\]#]", _STRING.sub("", line)))


def _find_lines(text: str) -> tuple[dict[tuple[str, ...], int], list[tuple[tuple[str, ...], int, int]]]:
    """Where each table and key is written, as far as it is written plainly; tables written twice apart."""
    lines: dict[tuple[str, ...], int] = {}
    twice: list[tuple[tuple[str, ...], int, int]] = []
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            continue
        name, closed, _ = line.lstrip().removeprefix("[").partition("]")
        if line.lstrip().startswith("[") and closed and _TABLE_NAME.fullmatch(name):
            table = tuple(part.strip().strip("\"'") for part in name.split("."))
            if table in lines:
                twice.append((table, lines[table], number))
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, key[1].strip("\"'")), number)
    return lines, twice
