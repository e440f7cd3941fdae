"""`floodwatch doctor`: looks at everything the program stands on and says what to do about each."""

import importlib
import json
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import platformdirs
import typer
from rich.table import Table

from assistant.commands.check import Check, Health
from assistant.commands.doctor_sight import check_camera, check_models, check_openssl
from assistant.commands.terminal import Terminal, terminal_of
from assistant.kit import Message

OLDEST_PYTHON: Final = (3, 11)
LIBRARIES: Final = (
    ("numpy", "numpy"),
    ("cv2", "opencv-python-headless"),
    ("onnxruntime", "onnxruntime"),
    ("fastapi", "fastapi"),
    ("sqlalchemy", "sqlalchemy"),
)
"""What is imported, and the package that brings it. Each loads native code or much of the rest with it."""

MEGABYTE: Final = 1_000_000
SCARCE_MB: Final = 1_000  # some evenings of recorded games
FULL_MB: Final = 50  # not even one
DEFAULT_PORT: Final = 8470


def doctor(
    context: typer.Context,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port for the tablet.")] = DEFAULT_PORT,
    camera: Annotated[
        str | None, typer.Option(help="A camera number or address to look through; else the first one.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check this machine, and say what to do about what is missing."""
    terminal = terminal_of(context)
    checks = tuple(examine(port=port, data=platformdirs.user_data_path("floodwatch"), camera=camera))
    if as_json:
        typer.echo(json.dumps(_as_json(checks, terminal), ensure_ascii=False))
    else:
        terminal.out.print(_table(checks, terminal))
        terminal.out.print(_verdict(checks, terminal))
    if any(check.health is Health.WRONG for check in checks):
        raise typer.Exit(1)


def examine(*, port: int, data: Path, camera: str | None = None) -> Iterator[Check]:
    yield check_python(sys.version_info[:3])
    for module, package in LIBRARIES:
        yield check_library(module, package)
    yield check_zbar()
    yield check_models()
    yield from check_camera(camera)
    yield check_openssl()
    yield check_disk(data)
    yield check_port(port)


def check_python(version: tuple[int, ...]) -> Check:
    found = Message.of("doctor.python.found", version=".".join(map(str, version)))
    if version >= OLDEST_PYTHON:
        return Check(name="Python", health=Health.GOOD, found=found)
    oldest = ".".join(map(str, OLDEST_PYTHON))
    advice = Message.of("doctor.python.advice", oldest=oldest)
    return Check(name="Python", health=Health.WRONG, found=found, advice=advice)


def check_library(module: str, package: str) -> Check:
    try:
        library = importlib.import_module(module)
    except ImportError as problem:
        return Check(
            name=package,
            health=Health.WRONG,
            found=Message.of("doctor.library.missing", problem=str(problem)),
            advice=Message.of("doctor.library.advice", package=package),
        )
    version = str(getattr(library, "__version__", "?"))
    return Check(name=package, health=Health.GOOD, found=Message.of("doctor.library.found", version=version))


def check_zbar() -> Check:
    """pyzbar is only a wrapper: it is installed everywhere, the library that it wraps is not."""
    try:
        importlib.import_module("pyzbar.pyzbar")
    except ImportError:
        return Check(
            name="zbar",
            health=Health.CAREFUL,
            found=Message.of("doctor.zbar.missing"),
            advice=Message.of("doctor.zbar.advice"),
        )
    return Check(name="zbar", health=Health.GOOD, found=Message.of("doctor.zbar.found"))


def check_disk(folder: Path) -> Check:
    """Looks where recorded games will go, or at the nearest folder above it that exists."""
    place = next(parent for parent in (folder, *folder.parents) if parent.exists())
    free_mb = shutil.disk_usage(place).free // MEGABYTE
    return judge_disk(folder, free_mb=free_mb, writable=os.access(place, os.W_OK))


def judge_disk(folder: Path, *, free_mb: int, writable: bool) -> Check:
    health, advice = Health.GOOD, None
    if not writable:
        health, advice = Health.WRONG, Message.of("doctor.disk.locked", folder=str(folder))
    elif free_mb < SCARCE_MB:
        health = Health.WRONG if free_mb < FULL_MB else Health.CAREFUL
        advice = Message.of("doctor.disk.scarce")
    found = Message.of("doctor.disk.found", n=free_mb, folder=str(folder))
    return Check(name="disk", health=health, found=found, advice=advice)


def check_port(port: int) -> Check:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        # As every server does: a port still cooling down after the last game counts as free.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return Check(
                name="port",
                health=Health.CAREFUL,
                found=Message.of("doctor.port.taken", port=port),
                advice=Message.of("doctor.port.advice", port=port),
            )
    return Check(name="port", health=Health.GOOD, found=Message.of("doctor.port.free", port=port))


TITLED: Final = ("disk", "port", "models", "camera", "light")
"""Things that are called differently in every language."""

_SIGNS: Final = {
    Health.GOOD: ("✓", "green"),
    Health.CAREFUL: ("!", "yellow"),
    Health.WRONG: ("✗", "bold red"),
}


def _table(checks: tuple[Check, ...], terminal: Terminal) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for check in checks:
        sign, style = _SIGNS[check.health]
        state = f"[{style}]{sign} {terminal.say(f'doctor.health.{check.health.value}')}[/]"
        table.add_row(state, _title(check, terminal), _sentences(check, terminal))
    return table


def _title(check: Check, terminal: Terminal) -> str:
    """Libraries are called the same everywhere, a disk is not."""
    return terminal.say(f"doctor.{check.name}.title") if check.name in TITLED else check.name


def _sentences(check: Check, terminal: Terminal) -> str:
    said = (terminal.wording.say(message) for message in (check.found, check.advice) if message)
    return "\n".join(said).replace("[", r"\[")


def _verdict(checks: tuple[Check, ...], terminal: Terminal) -> str:
    healths = {check.health for check in checks}
    worst = next(h for h in (Health.WRONG, Health.CAREFUL, Health.GOOD) if h in healths)
    return "\n" + terminal.say(f"doctor.verdict.{worst.value}")


def _as_json(checks: tuple[Check, ...], terminal: Terminal) -> dict[str, object]:
    return {
        "ready": all(check.health is not Health.WRONG for check in checks),
        "checks": [
            {
                "name": check.name,
                "health": check.health.value,
                "found": terminal.wording.say(check.found),
                "advice": terminal.wording.say(check.advice) if check.advice else None,
            }
            for check in checks
        ],
    }
