"""What can be wrong with a record, each in one sentence, and how a database's own words become ours."""

import errno
from enum import Enum
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from assistant.errors import FloodwatchError


class Trouble(Enum):
    """Why a record cannot be used just now; also the end of the message key `record.trouble.…`."""

    FULL = "full"
    READ_ONLY = "read-only"
    LOCKED = "locked"
    DAMAGED = "damaged"
    FAILING = "failing"
    UNREACHABLE = "unreachable"
    TOO_NEW = "too-new"
    IN_USE = "in-use"
    GIVEN_UP = "given-up"
    UNKNOWN = "unknown"


class RecordError(FloodwatchError):
    """A record that cannot be written or read; `trouble` says why, for those who must choose what to do."""

    def __init__(self, sentence: str, trouble: Trouble = Trouble.UNKNOWN) -> None:
        super().__init__(sentence)
        self.trouble = trouble


class NoSuchGameError(RecordError):
    """A game that the record does not hold."""


# What SQLite, PostgreSQL and the operating system write, and what it means; the first match counts.
_WORDS = (
    ("disk is full", Trouble.FULL),
    ("disk full", Trouble.FULL),
    ("no space left", Trouble.FULL),
    ("disk quota", Trouble.FULL),
    ("readonly", Trouble.READ_ONLY),
    ("read-only", Trouble.READ_ONLY),
    ("permission denied", Trouble.READ_ONLY),
    ("is locked", Trouble.LOCKED),
    ("lock timeout", Trouble.LOCKED),
    ("malformed", Trouble.DAMAGED),
    ("not a database", Trouble.DAMAGED),
    ("disk i/o error", Trouble.FAILING),
    ("unable to open", Trouble.UNREACHABLE),
    ("connection", Trouble.UNREACHABLE),
    ("server closed", Trouble.UNREACHABLE),
    ("terminating", Trouble.UNREACHABLE),
)

_SENTENCES = {
    Trouble.FULL: "the disk is full; free some space and the game is saved again by itself",
    Trouble.READ_ONLY: "it cannot be written to; make it writable for you",
    Trouble.LOCKED: "another program keeps it locked; end that program",
    Trouble.DAMAGED: "it is damaged; start floodwatch again and what can be read is saved into a new file",
    Trouble.FAILING: "the disk reports errors; choose another one with --data",
    Trouble.UNREACHABLE: "it cannot be reached; check the path, the server and the network",
    Trouble.UNKNOWN: "it answered: {words}",
}


def trouble_of(words: str) -> Trouble:
    lowered = words.lower()
    return next((trouble for part, trouble in _WORDS if part in lowered), Trouble.UNKNOWN)


def problem_with(place: str, problem: DBAPIError) -> RecordError:
    """The one clear sentence for what a database driver raised."""
    words = " ".join(str(problem.orig or problem).split())
    trouble = trouble_of(words)
    sentence = _SENTENCES[trouble].format(words=words)
    return RecordError(f"The record {place} cannot be used: {sentence}.", trouble)


def problem_with_file(path: Path, problem: OSError) -> RecordError:
    trouble = {
        errno.ENOSPC: Trouble.FULL,
        errno.EDQUOT: Trouble.FULL,
        errno.EROFS: Trouble.READ_ONLY,
        errno.EACCES: Trouble.READ_ONLY,
        errno.EPERM: Trouble.READ_ONLY,
    }.get(problem.errno or 0, Trouble.UNREACHABLE)
    return RecordError(f"The record {path} cannot be used: {_SENTENCES[trouble]}.", trouble)
