"""How a tablet finds us: the certificate is made once and kept, the name is announced where it can be."""

import ssl
import stat
import urllib.request
from pathlib import Path

import pytest

from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.join import JoinError, announced, own_certificate
from assistant.web.serve import Server, addresses_of, free_socket

HOSTS = ("localhost", "127.0.0.1", "[::1]", "floodwatch.local")


def test_the_certificate_is_made_once_and_its_key_is_ours_alone(tmp_path: Path) -> None:
    first = own_certificate(HOSTS, tmp_path)
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    assert len(first.fingerprint.split(":")) == 32
    assert own_certificate(HOSTS, tmp_path) == first
    assert own_certificate((*HOSTS, "192.168.1.5"), tmp_path).fingerprint != first.fingerprint


def test_the_page_is_served_over_https_to_whoever_trusts_the_certificate(
    robot: Robot, pairing: Pairing, tmp_path: Path
) -> None:
    certificate = own_certificate(HOSTS, tmp_path)
    trusting = ssl.create_default_context(cafile=str(certificate.certificate))
    with (
        free_socket(18670, lan=False) as (listener, port),
        Server(create_app(robot, pairing=pairing), listener, certificate),
        urllib.request.urlopen(f"https://localhost:{port}/", context=trusting, timeout=20) as answer,
    ):
        assert b"Floodwatch" in answer.read()


def test_without_openssl_it_is_said_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(JoinError, match="install openssl"):
        own_certificate(HOSTS, tmp_path)


def test_without_a_network_there_is_no_name_and_nothing_breaks() -> None:
    with announced(8470, ()) as name:
        assert name is None


def test_a_network_that_refuses_costs_only_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_settings: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr("zeroconf.Zeroconf", refuse)
    with announced(8470, ["192.0.2.7"]) as name:
        assert name is None


def test_the_name_comes_before_the_numbers() -> None:
    assert addresses_of(8470, lan=False, https=True, name="floodwatch.local") == [
        "https://localhost:8470/",
        "https://floodwatch.local:8470/",
    ]


def test_nobody_else_in_the_network_is_heard_unless_asked() -> None:
    with free_socket(18690, lan=False) as (listener, _port):
        assert listener.getsockname()[0] == "127.0.0.1"
    assert addresses_of(8470, lan=False) == ["http://localhost:8470/"]
