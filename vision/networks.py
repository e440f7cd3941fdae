"""The trained networks: listed in a manifest, refused if their weights are others, run in batches."""

import hashlib
import tomllib
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError

if TYPE_CHECKING:
    import onnxruntime

MODELS = Path(__file__).parents[1] / "models"
"""Beside the packages, in a checkout as in an installation."""

MANIFEST = "manifest.toml"
OWN = "eyes"
"""The folder in a game's folder with networks of its own."""

_SLICE = 64
"""So many pictures at once: more would not be faster, only larger."""


class NetworkError(VisionError):
    """Weights that cannot be used; the message says which and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """What a second network's scores are worth beside the marks of others at a point, as was fitted."""

    kind_look: float
    kind_marks: float
    """Of the kinds' scores, and of the log-odds of their marks, where something lies."""
    there_marks: float
    there_look: float
    there_offset: float
    """The log-odds that something lies there at all: of the marks, of the scores, and to begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MixUp:
    """A mistake that a network makes however sure it is: so many of those that it calls one are the other."""

    called: str
    other: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkEntry:
    name: str
    path: Path
    sha256: str
    answers: tuple[str, ...]
    """What the numbers that come out stand for, in their order."""
    shares: tuple[float, ...]
    """How often each answer was shown while training, where that is known."""
    join: Join | None = None
    """For a network that looks again at what others have marked."""
    store_join: Join | None = None
    """The same where very much lies together."""
    mix_ups: tuple[MixUp, ...] = ()


class Networks:
    """All networks of a manifest, ready to run. `threads` is for each of them."""

    def __init__(self, folder: Path = MODELS, *, threads: int = 1) -> None:
        self._threads = threads
        self._own: Path | None = None
        self._entries = {entry.name: entry for entry in read_manifest(folder)}
        self._sessions = {entry.name: _session(entry, threads) for entry in self._entries.values()}

    def with_own(self, folder: Path) -> "Networks":
        """These networks, and instead of some those that a game brings along in its folder, if any."""
        own = folder / OWN
        if own == self._own or not (own / MANIFEST).is_file():
            return self
        joined, theirs = copy(self), Networks(own, threads=self._threads)
        joined._own = own
        joined._entries = self._entries | theirs._entries
        joined._sessions = self._sessions | theirs._sessions
        return joined

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def answers(self, name: str) -> tuple[str, ...]:
        return self._entry(name).answers

    def shares(self, name: str) -> tuple[float, ...]:
        return self._entry(name).shares

    def mix_ups(self, name: str) -> tuple[MixUp, ...]:
        return self._entry(name).mix_ups

    def join(self, name: str, *, store: bool = False) -> Join:
        join = self._entry(name).store_join if store else self._entry(name).join
        if join is None:
            raise NetworkError(
                f"expected what '{name}' is worth beside others in the manifest: install Floodwatch again."
            )
        return join

    def hashes(self) -> Mapping[str, str]:
        """Which weights are in use: a record of a game keeps them."""
        return {entry.name: entry.sha256 for entry in self._entries.values()}

    def run(self, name: str, images: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Pictures of one size, N × height × width × BGR, to one row of answers each."""
        self._entry(name)
        session = self._sessions[name]
        parts = [
            np.asarray(session.run(None, {"image": images[start : start + _SLICE]})[0], np.float32)
            for start in range(0, max(1, len(images)), _SLICE)
        ]
        return np.concatenate(parts)

    def _entry(self, name: str) -> NetworkEntry:
        if name not in self._entries:
            raise NetworkError(
                f"expected a network '{name}' in the manifest, found only {', '.join(self._entries)}: "
                "install Floodwatch again."
            )
        return self._entries[name]


def read_manifest(folder: Path) -> tuple[NetworkEntry, ...]:
    path = folder / MANIFEST
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        return tuple(_entry(name, table, folder) for name, table in tables.items())
    except OSError as problem:
        words = problem.strerror or "an error of the system"
        raise NetworkError(
            f"cannot read the list of networks {path}: {words}. Install Floodwatch again."
        ) from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise NetworkError(
            f"expected a list of networks with file and sha256 in {path}, found {problem!r}: "
            "install Floodwatch again."
        ) from problem


def _entry(name: str, table: Mapping[str, Any], folder: Path) -> NetworkEntry:
    return NetworkEntry(
        name=name,
        path=folder / str(table["file"]),
        sha256=str(table["sha256"]),
        answers=tuple(str(answer) for answer in table["answers"]),
        shares=tuple(float(share) for share in table.get("shares", ())),
        join=_join(table["join"]) if "join" in table else None,
        store_join=_join(table["store_join"]) if "store_join" in table else None,
        mix_ups=tuple(
            MixUp(called=str(mixed["called"]), other=str(mixed["other"]), share=float(mixed["share"]))
            for mixed in table.get("mix_ups", ())
        ),
    )


def _join(table: Mapping[str, Any]) -> Join:
    return Join(**{field.name: float(table[field.name]) for field in fields(Join)})


def _session(entry: NetworkEntry, threads: int) -> "onnxruntime.InferenceSession":
    import onnxruntime  # only here: the doctor must be able to say that it cannot be loaded

    try:
        data = entry.path.read_bytes()
    except OSError as problem:
        words = problem.strerror or "an error of the system"
        raise NetworkError(
            f"cannot read the weights {entry.path.name} of '{entry.name}': {words}. Install Floodwatch again."
        ) from problem
    found = hashlib.sha256(data).hexdigest()
    if found != entry.sha256:
        raise NetworkError(
            f"the weights {entry.path.name} are not those of the manifest: expected sha256 "
            f"{entry.sha256[:12]}…, found {found[:12]}…. Install Floodwatch again."
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # it keeps what the largest batch of an evening took, for ever
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
