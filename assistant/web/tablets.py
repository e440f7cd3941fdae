"""The tablets that may come in: a random token each, of which we keep only the hash; any can be sent away."""

import hashlib
import hmac
import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs

FORMAT: Final = 1
MOST: Final = 64
"""The one paired longest ago makes room for the next."""
MOST_BYTES: Final = 64 * 1024

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tablet:
    id: str
    digest: str
    """SHA-256 of its token: who reads the file cannot come in with it."""
    paired_at: float


class Tablets:
    """May be asked from any thread. Another process may change the file: it is read again when it did."""

    def __init__(self, path: Path | None = None, *, clock: Callable[[], float] = time.time) -> None:
        """Without a path, or where none can be written, tablets are remembered until the program ends."""
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._tablets: tuple[Tablet, ...] = ()
        self._stamp: tuple[int, int] | None = None
        self._refresh()

    def all(self) -> tuple[Tablet, ...]:
        with self._lock:
            self._refresh()
            return self._tablets

    def add(self) -> str:
        """A new tablet; its token is told once and kept nowhere here."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._refresh()
            made = Tablet(id=secrets.token_hex(4), digest=_digest(token), paired_at=self._clock())
            self._keep((*self._tablets, made)[-MOST:])
        return token

    def named(self, token: str | None) -> Tablet | None:
        """Whose token this is."""
        digest = _digest(token or "")
        return next((one for one in self.all() if hmac.compare_digest(one.digest, digest)), None)

    def forget(self, tablet: str) -> bool:
        """Sends a tablet away at once; False where there is none of that name."""
        with self._lock:
            self._refresh()
            left = tuple(one for one in self._tablets if one.id != tablet)
            if len(left) == len(self._tablets):
                return False
            self._keep(left)
            return True

    def _keep(self, tablets: tuple[Tablet, ...]) -> None:
        self._tablets = tablets
        if self._path is None:
            return
        text = json.dumps({"format": FORMAT, "tablets": [asdict(one) for one in tablets]}, indent=1)
        unfinished = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            unfinished.replace(self._path)
            self._stamp = _stamp(self._path)
        except OSError as problem:
            _log.warning("Tablets must pair again after the next start: %s: %s", self._path, problem.strerror)
            self._path = None

    def _refresh(self) -> None:
        """Takes over what another process wrote; an unreadable file lets nobody in."""
        if self._path is None or (stamp := _stamp(self._path)) == self._stamp:
            return
        self._stamp = stamp
        self._tablets = _read(self._path) if stamp is not None else ()


def kept_tablets(folder: Path | None = None) -> Tablets:
    """The tablets that this machine knows from earlier evenings."""
    return Tablets((folder or platformdirs.user_state_path("floodwatch")) / "tablets.json")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def _read(path: Path) -> tuple[Tablet, ...]:
    try:
        with path.open("rb") as file:
            told = json.loads(file.read(MOST_BYTES))
        if told["format"] != FORMAT:
            raise ValueError(f"format {told['format']!r}")
        return tuple(_tablet(one) for one in told["tablets"][-MOST:])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        _log.warning("%s cannot be read (%s): every tablet must pair again.", path, problem)
        return ()


def _tablet(told: Any) -> Tablet:
    return Tablet(id=str(told["id"]), digest=str(told["digest"]), paired_at=float(told["paired_at"]))
