"""Runs the server beside a command: a free port, the addresses people can open, a clean end."""

import contextlib
import errno
import logging
import os
import secrets
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

import platformdirs
import segno
import uvicorn
from fastapi import FastAPI

from assistant.errors import FloodwatchError
from assistant.web.app import LOOPBACK
from assistant.web.doorstep import Doorstep
from assistant.web.join import NAME, Certificate, announced, own_certificate

PORTS_TRIED: Final = 50
START_SECONDS: Final = 10.0
SECRET_BYTES: Final = 32
LARGEST_MESSAGE: Final = 5_000_000
"""A little more than the largest picture that a phone may send."""

_log = logging.getLogger(__name__)


class ServeError(FloodwatchError):
    """The page cannot be served here."""


class Server:
    """uvicorn in a thread, so that the command keeps the terminal and Ctrl-C."""

    def __init__(self, app: FastAPI, listener: socket.socket, certificate: Certificate | None = None) -> None:
        """With a certificate the page is served over HTTPS only."""
        config = uvicorn.Config(
            app,
            http=Doorstep,
            server_header=False,
            log_level="warning",
            access_log=False,
            ws_ping_interval=10.0,
            ws_max_size=LARGEST_MESSAGE,
            ssl_certfile=certificate.certificate if certificate else None,
            ssl_keyfile=certificate.key if certificate else None,
        )
        self._server = uvicorn.Server(config)
        self._listener = listener
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)
        self._started = threading.Event()

    def __enter__(self) -> "Server":
        self._thread.start()
        waited = 0.0
        while not self._server.started and self._thread.is_alive() and waited < START_SECONDS:
            self._started.wait(0.02)
            waited += 0.02
        if not self._server.started:
            raise ServeError("The page's server did not start: see the messages above.")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(2.0)
        self._server.force_exit = True  # tablets that do not hang up are not waited for
        self._thread.join(START_SECONDS)

    def _run(self) -> None:
        self._server.run(sockets=[self._listener])


@contextlib.contextmanager
def free_socket(port: int, *, lan: bool) -> Iterator[tuple[socket.socket, int]]:
    """A listening socket on this port or the next free one; to this machine only unless `lan`."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    with listener:
        for candidate in range(port, min(port + PORTS_TRIED, 65536)):
            try:
                listener.bind(("0.0.0.0" if lan else "127.0.0.1", candidate))
                listener.listen(64)
            except OSError as problem:
                if problem.errno not in (errno.EADDRINUSE, errno.EACCES):
                    raise ServeError(f"Port {candidate} cannot be opened: {problem.strerror}.") from problem
            else:
                yield listener, candidate
                return
        raise ServeError(f"No port from {port} to {candidate} is free: choose another one with --port.")


def lan_addresses() -> list[str]:
    """The IPv4 addresses under which this machine can be reached, the one towards the router first."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: only asks which way a packet would leave
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [ip for ip in dict.fromkeys(found) if not ip.startswith("127.")]


def hosts_of(*, lan: bool) -> tuple[str, ...]:
    """The names that the server answers to."""
    if not lan:
        return LOOPBACK
    name = socket.gethostname().lower()
    return (*LOOPBACK, *lan_addresses(), name, f"{name.partition('.')[0]}.local", NAME)


def addresses_of(port: int, *, lan: bool, https: bool = False, name: str | None = None) -> list[str]:
    """What to open: this machine first, then what a tablet can reach; `name` is what the network calls us."""
    hosts = ["localhost", *([name] if name else []), *(lan_addresses() if lan else [])]
    return [f"{'https' if https else 'http'}://{host}:{port}/" for host in hosts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A page that is being served."""

    port: int
    addresses: list[str]
    """This machine first, then what a tablet can reach."""
    name: str | None
    """`floodwatch.local`, where the network lets us be called so."""
    certificate: Certificate | None


@contextlib.contextmanager
def serving(app: FastAPI, port: int, *, lan: bool = False, https: bool = False) -> Iterator[Served]:
    """Serves the page while inside: on this port or the next free one, under our name on a network."""
    certificate = own_certificate(hosts_of(lan=lan)) if https else None
    with (
        free_socket(port, lan=lan) as (listener, found),
        Server(app, listener, certificate),
        announced(found, lan_addresses() if lan else (), https=https) as name,
    ):
        addresses = addresses_of(found, lan=lan, https=https, name=name)
        yield Served(port=found, addresses=addresses, name=name, certificate=certificate)


def qr_lines(text: str) -> list[str]:
    """A QR code of half-block characters: two rows of dots to one of text, with its quiet border."""
    matrix = [list(row) for row in segno.make(text, error="l", micro=False).matrix_iter(border=2)]
    if len(matrix) % 2:
        matrix.append([0] * len(matrix[0]))
    blocks = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    return [
        "".join(
            blocks[bool(upper), bool(lower)] for upper, lower in zip(matrix[i], matrix[i + 1], strict=True)
        )
        for i in range(0, len(matrix), 2)
    ]


def kept_secret(folder: Path | None = None) -> bytes:
    """This machine's pairing secret, so that a tablet stays paired; a fresh one where it cannot be kept."""
    path = (folder or platformdirs.user_state_path("floodwatch")) / "pairing.key"
    try:
        found = path.read_bytes()
        if len(found) == SECRET_BYTES:
            return found
    except OSError:
        pass  # not there yet, or not ours to read: a new one is made
    made = secrets.token_bytes(SECRET_BYTES)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(made)
    except OSError as problem:
        _log.warning("The pairing code will change with every start: %s: %s", path, problem.strerror)
    return made
