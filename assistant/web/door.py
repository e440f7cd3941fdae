"""Who may come in: pairing by a code, the addresses we answer to, and the headers of every answer."""

import hashlib
import hmac
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from assistant.web.problem import problem_response
from assistant.web.tablets import Tablets

COOKIE: Final = "floodwatch"
COOKIE_SECONDS: Final = 365 * 24 * 3600
CODE_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: none looks like another
CODE_LENGTH: Final = 10
TRIES: Final = 10
TRIES_SECONDS: Final = 60.0
VISITORS: Final = 256  # addresses whose wrong codes are remembered

OPEN_PATHS: Final = (
    "/",
    "/camera",
    "/manifest.webmanifest",
    "/worker.js",
    "/api/pair",
    "/api/words",
    "/api/phone/words",
)
OPEN_FOLDERS: Final = ("/static/",)

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), microphone=(), camera=(self), screen-wake-lock=(self)",
}


class Pairing:
    """A code that the terminal shows, and the cookie a tablet gets for it.

    The code follows from a secret, so that it is the same when the program is started again; each tablet
    gets a random token of its own, so that one of them can be sent away without the others.
    """

    def __init__(
        self,
        secret: bytes,
        tablets: Tablets | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if len(secret) < 16:
            raise ValueError(f"a pairing secret needs at least 16 bytes, found {len(secret)}")
        self.tablets = tablets or Tablets()
        self._clock = clock
        self._failures: dict[str, deque[float]] = {}
        digest = int.from_bytes(hmac.digest(secret, b"code", hashlib.sha256), "big")
        letters = []
        for _ in range(CODE_LENGTH):
            digest, letter = divmod(digest, len(CODE_LETTERS))
            letters.append(CODE_LETTERS[letter])
        self.code = "".join(letters)

    def admit(self, code: str, visitor: str) -> str | None:
        """A cookie for whoever knows the code; None for everybody else."""
        typed = code.upper().replace("-", "").replace(" ", "").translate(str.maketrans("OIL", "011"))
        if not hmac.compare_digest(typed.encode(), self.code.encode()):
            self._note_failure(visitor)
            return None
        return self.tablets.add()

    def seconds_to_wait(self, visitor: str) -> float:
        """How long this address may not try again, after too many wrong codes."""
        failures = self._failures.get(visitor)
        if failures is None or len(failures) < TRIES:
            return 0.0
        return max(0.0, failures[0] + TRIES_SECONDS - self._clock())

    def _note_failure(self, visitor: str) -> None:
        if visitor not in self._failures and len(self._failures) == VISITORS:
            del self._failures[next(iter(self._failures))]
        self._failures.setdefault(visitor, deque(maxlen=TRIES)).append(self._clock())

    def knows(self, cookie: str | None) -> bool:
        return self.tablets.named(cookie) is not None


class Door:
    """ASGI middleware: refuses foreign hosts, foreign origins and tablets that are not paired."""

    def __init__(self, app: ASGIApp, *, pairing: Pairing, hosts: Iterable[str]) -> None:
        self._app = app
        self._pairing = pairing
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        code = self._refusal(scope)
        if code is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await WebSocketClose(4401 if code == "not-paired" else 4403)(scope, receive, send)
        else:
            status = 401 if code == "not-paired" else 403
            await problem_response(status, code, scope)(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> str | None:
        """A stable word for why this request is not let in; None where it is."""
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if _without_port(host) not in self._hosts:
            return "foreign-host"
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host:
            return "foreign-origin"
        if _is_open(scope["path"]) or self._pairing.knows(HTTPConnection(scope).cookies.get(COOKIE)):
            return None
        return "not-paired"


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)


def _netloc(origin: str) -> str | None:
    """`name:80` of an origin; None where it is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _without_port(host: str) -> str:
    """`[::1]:80` and `name:80` without their port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return send_with_headers
