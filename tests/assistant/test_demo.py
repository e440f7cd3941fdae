"""`floodwatch demo` runs as a program of its own: it finds a port, prints the way in, and ends at Ctrl-C."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parent.parent.parent


@contextmanager
def demo(tmp_path: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path), "COLUMNS": "120"}
    environment["FLOODWATCH_DATA"] = str(tmp_path / "data")
    command = [sys.executable, "-u", "-m", "assistant.cli", "demo", "--no-browser", "--fast", *options]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def shown(process: subprocess.Popen[str], pattern: str) -> re.Match[str]:
    """Reads what the terminal shows until the pattern appears."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if match := re.search(pattern, text):
            return match
    raise AssertionError(f"{pattern!r} is not in:\n{text}")


def test_the_address_it_prints_leads_into_the_game_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    with demo(tmp_path, "--port", "18700") as process:
        port, code = shown(process, r"http://localhost:(\d+)/#code=([0-9A-Z]{10})").groups()
        with httpx.Client(base_url=f"http://localhost:{port}") as tablet:
            assert tablet.post("/api/pair", json={"code": code}).status_code == 204
            assert tablet.get("/api/snapshot").json()["number"] >= 1
        process.send_signal(signal.SIGINT)
        assert process.wait(90) == 0  # a busy machine takes its time for the picture being read


def test_where_the_port_is_taken_it_says_so_and_takes_the_next(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with demo(tmp_path, "--port", str(port), "--language", "en") as process:
            found = int(shown(process, rf"Port {port} is taken by another program; (\d+) is used").group(1))
            assert found > port


def test_the_code_stays_the_same_and_its_secret_is_for_the_owner_only(tmp_path: Path) -> None:
    codes = set()
    for _ in range(2):
        with demo(tmp_path) as process:
            codes.add(shown(process, r"#code=([0-9A-Z]{10})").group(1))
    (secret,) = tmp_path.rglob("pairing.key")
    assert len(codes) == 1
    assert secret.stat().st_mode & 0o077 == 0


def test_an_unknown_language_is_one_clear_sentence(tmp_path: Path) -> None:
    with demo(tmp_path, "--language", "tlh") as process:
        _, problem = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "no language 'tlh'" in problem
