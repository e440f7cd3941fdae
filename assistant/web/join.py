"""How a tablet finds us: the name floodwatch.local, and HTTPS with a certificate of our own."""

import contextlib
import hashlib
import logging
import os
import shutil
import socket
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import platformdirs
import zeroconf

from assistant.errors import FloodwatchError

NAME: Final = "floodwatch.local"
CERTIFICATE_DAYS: Final = 397  # browsers refuse a longer one
OPENSSL_SECONDS: Final = 30.0
MDNS_SECONDS: Final = 5.0

_log = logging.getLogger(__name__)


class JoinError(FloodwatchError):
    """HTTPS cannot be offered here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    certificate: Path
    key: Path
    fingerprint: str
    """SHA-256, as browsers show it: a careful player compares them."""


@contextlib.contextmanager
def announced(port: int, addresses: Iterable[str], *, https: bool = False) -> Iterator[str | None]:
    """While inside, `floodwatch.local` leads here. Gives that name; None where the network refuses."""
    packed = [socket.inet_aton(address) for address in addresses]
    info = zeroconf.ServiceInfo(
        "_https._tcp.local." if https else "_http._tcp.local.",
        f"Floodwatch.{'_https' if https else '_http'}._tcp.local.",
        addresses=packed,
        port=port,
        server=f"{NAME}.",
        properties={"path": "/"},
    )
    with contextlib.ExitStack() as stack:
        name = None
        if packed:
            try:
                responder = zeroconf.Zeroconf(ip_version=zeroconf.IPVersion.V4Only)
                stack.callback(responder.close)
                responder.register_service(info, allow_name_change=True)
                name = NAME
            except (OSError, zeroconf.Error, TimeoutError) as problem:
                _log.info("the name %s cannot be announced: %s", NAME, problem)
        yield name


def own_certificate(hosts: Iterable[str], folder: Path | None = None) -> Certificate:
    """A self-signed certificate for these names, made by the openssl program and kept while they stay."""
    home = folder or platformdirs.user_state_path("floodwatch")
    names = tuple(dict.fromkeys(host.strip("[]").lower() for host in hosts))
    mark = hashlib.sha256(" ".join(sorted(names)).encode()).hexdigest()[:12]
    certificate, key = home / f"https-{mark}.crt", home / f"https-{mark}.key"
    if not (certificate.exists() and key.exists() and _lasts(certificate)):
        _make(certificate, key, names)
    return Certificate(certificate=certificate, key=key, fingerprint=_fingerprint(certificate))


def _make(certificate: Path, key: Path, names: tuple[str, ...]) -> None:
    try:
        key.parent.mkdir(parents=True, exist_ok=True)
        # Made by us first, so that nobody else can read the key even for a moment.
        os.close(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    except OSError as problem:
        raise JoinError(f"The key for --https cannot be kept in {key.parent}: {problem.strerror}.") from None
    also = ",".join(f"{'IP' if _is_ip(name) else 'DNS'}:{name}" for name in names)
    _openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-sha256"),
        *("-days", str(CERTIFICATE_DAYS), "-subj", f"/CN={NAME}", "-addext", f"subjectAltName={also}"),
        *("-keyout", str(key), "-out", str(certificate)),
    )


def _lasts(certificate: Path) -> bool:
    """Whether it is still good tomorrow."""
    try:
        _openssl("x509", "-checkend", "86400", "-noout", "-in", str(certificate))
    except JoinError:
        return False
    return True


def _fingerprint(certificate: Path) -> str:
    said = _openssl("x509", "-fingerprint", "-sha256", "-noout", "-in", str(certificate))
    return said.partition("=")[2].strip()


def _openssl(*arguments: str) -> str:
    program = shutil.which("openssl")
    if program is None:
        raise JoinError(
            "--https needs the program openssl to make a certificate, and it is not installed: "
            "install openssl, or leave out --https (then a phone cannot be the camera)."
        )
    try:
        done = subprocess.run(
            [program, *arguments], capture_output=True, text=True, check=True, timeout=OPENSSL_SECONDS
        )
    except subprocess.CalledProcessError as problem:
        lines = problem.stderr.strip().splitlines() or ["no reason given"]
        raise JoinError(f"openssl could not make a certificate: {lines[-1]}") from None
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise JoinError(f"openssl did not run: {problem}.") from None
    return done.stdout


def _is_ip(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
