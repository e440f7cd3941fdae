"""`floodwatch demo` and `run` as programs of their own: they find a port, print the way in, end at Ctrl-C."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx

from assistant.commands.page import LastingTrouble
from assistant.kit import Message

ROOT = Path(__file__).parent.parent.parent


def demo(tmp_path: Path, *options: str) -> AbstractContextManager[subprocess.Popen[str]]:
    return started(tmp_path, "demo", "--fast", *options)


@contextmanager
def started(tmp_path: Path, name: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path), "COLUMNS": "120"}
    environment["FLOODWATCH_DATA"] = str(tmp_path / "data")
    command = [sys.executable, "-u", "-m", "assistant.cli", name, "--no-browser", *options]
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


def test_without_a_camera_the_terminal_says_so_as_the_page_does(tmp_path: Path) -> None:
    with started(tmp_path, "run", "--camera", "99", "--language", "en") as process:
        assert process.stderr is not None
        told = process.stderr.readline()
        assert told == "There is no camera: plug one in, or close the program that uses it.\n"
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=60)
    assert rest.split() == ["Ended."], "it is said once"


def test_a_trouble_is_told_once_it_has_lasted_and_again_only_after_it_was_gone() -> None:
    dark, none = Message.of("sight.dark"), Message.of("source.none")
    trouble = LastingTrouble()
    looks = [
        (dark, 0),
        (dark, 1),
        (None, 1.5),
        (dark, 2),
        (dark, 4),
        (dark, 9),
        (none, 10),
        (none, 12),
        (None, 13),
    ]
    assert [trouble.news(why, at) for why, at in looks] == [
        None, None, None, None, dark, None, None, none, None,
    ]  # fmt: skip
