"""The doctor looks at the real machine, and has an advice for each thing that can be wrong."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.commands.check import Check, Health
from assistant.commands.doctor import (
    FULL_MB,
    SCARCE_MB,
    check_disk,
    check_library,
    check_port,
    check_python,
    check_zbar,
    judge_disk,
)
from assistant.commands.doctor_sight import check_camera, check_models, check_openssl, judge_light
from assistant.wording import Wording, languages


def run_doctor(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "assistant.cli", *arguments],
        env={**os.environ, "NO_COLOR": "1", "FLOODWATCH_LANGUAGE": "en", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_sound_machine_is_called_ready(tmp_path: Path) -> None:
    done = run_doctor("doctor", "--json", XDG_DATA_HOME=str(tmp_path))
    report = json.loads(done.stdout)
    wrong = [check for check in report["checks"] if check["health"] == "wrong"]
    assert (done.returncode, report["ready"], wrong) == (0, True, [])
    assert {
        "Python",
        "opencv-python-headless",
        "onnxruntime",
        "zbar",
        "models",
        "camera",
        "disk",
        "port",
    } <= {check["name"] for check in report["checks"]}


def test_a_missing_library_is_essential_and_the_exit_code_says_so(tmp_path: Path) -> None:
    (tmp_path / "onnxruntime.py").write_text("raise ImportError('libfoo.so.1 [not] found')", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(Path.cwd())])
    done = run_doctor("doctor", PYTHONPATH=path, COLUMNS="120")
    assert done.returncode == 1
    assert "cannot be used: libfoo.so.1 [not] found" in done.stdout
    assert "python -m pip install onnxruntime" in done.stdout
    assert "Floodwatch cannot run yet" in done.stdout


def test_colour_is_left_out_where_it_is_not_wanted(tmp_path: Path) -> None:
    looks = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "XDG_DATA_HOME": str(tmp_path)}
    assert "\x1b[32m✓ good" in run_doctor("doctor", **looks, NO_COLOR="").stdout
    assert "\x1b[" not in run_doctor("doctor", **looks, NO_COLOR="1").stdout


def test_an_old_python_is_refused() -> None:
    assert check_python((3, 10, 14)).health is Health.WRONG
    assert check_python((3, 11, 0)).health is Health.GOOD


def test_a_taken_port_is_seen(taken_port: int) -> None:
    check = check_port(taken_port)
    assert check.health is Health.CAREFUL
    assert str(taken_port) in Wording("en").say(check.found)


@pytest.mark.parametrize(
    ("free_mb", "writable", "health"),
    [
        (SCARCE_MB, True, Health.GOOD),
        (SCARCE_MB - 1, True, Health.CAREFUL),
        (FULL_MB, True, Health.CAREFUL),
        (FULL_MB - 1, True, Health.WRONG),
        (SCARCE_MB, False, Health.WRONG),
    ],
)
def test_a_disk_is_judged_by_its_room_and_whether_it_can_be_written(
    free_mb: int, writable: bool, health: Health
) -> None:
    assert judge_disk(Path("/games"), free_mb=free_mb, writable=writable).health is health


def test_a_folder_that_does_not_exist_yet_is_no_problem(tmp_path: Path) -> None:
    assert check_disk(tmp_path / "not" / "yet").advice == check_disk(tmp_path).advice


@pytest.fixture
def picture(tmp_path: Path) -> str:
    """A still picture stands in for a camera: it is opened and read in the same way."""
    path = tmp_path / "table.png"
    grain = np.random.default_rng(1).integers(90, 150, (720, 1280, 3), dtype=np.uint8)
    assert cv2.imwrite(str(path), grain)
    return str(path)


def test_a_camera_and_its_light_are_looked_at(picture: str) -> None:
    camera, light = check_camera(picture)
    assert (camera.name, camera.health, light.name, light.health) == (
        *("camera", Health.GOOD),
        *("light", Health.GOOD),
    )
    assert "1280 × 720" in Wording("en").say(camera.found)


def test_a_dark_table_gets_an_advice(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "night.png"), np.full((720, 1280, 3), 9, np.uint8))
    *_, light = check_camera(str(tmp_path / "night.png"))
    assert light.health is Health.CAREFUL
    assert "too dark" in Wording("en").say(light.advice or light.found)


def test_a_small_picture_and_a_missing_camera_get_an_advice(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "small.png"), np.full((240, 320, 3), 120, np.uint8))
    assert next(check_camera(str(tmp_path / "small.png"))).health is Health.CAREFUL
    assert next(check_camera(str(tmp_path / "nothing.png"))).health is Health.CAREFUL


def test_damaged_weights_are_wrong(tmp_path: Path) -> None:
    assert check_models().health is Health.GOOD
    (tmp_path / "items.onnx").write_bytes(b"damaged")
    manifest = '[items]\nfile = "items.onnx"\nsha256 = "00"\ninput = ""\nanswers = ["a"]\n'
    (tmp_path / "manifest.toml").write_text(manifest, encoding="utf-8")
    assert check_models(tmp_path).health is Health.WRONG
    assert check_models(tmp_path / "nowhere").health is Health.WRONG


@pytest.mark.parametrize("language", languages())
def test_a_missing_zbar_is_said_with_what_reads_codes_instead(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyzbar.pyzbar", None)
    check = check_zbar()
    assert check.health is Health.CAREFUL
    assert "OpenCV" in Wording(language).say(check.found)
    assert check.advice is not None
    assert "zbar" in Wording(language).say(check.advice)


def every_answer(taken_port: int) -> Iterator[Check]:
    yield from (
        check_models(),
        check_models(Path("/nowhere")),
        check_openssl(),
        check_openssl(lambda _: None),
    )
    yield from (judge_light(trouble, 90.0) for trouble in (None, "dark", "bright", "glare", "blur"))
    yield from check_camera("/nowhere.png")
    yield from check_camera(None)
    yield from (check_python((3, 10)), check_python((3, 12)), check_zbar())
    yield from (check_library("json", "json"), check_library("no_such_library", "no-such-library"))
    yield from (check_port(taken_port), check_port(0))
    yield from (judge_disk(Path("/"), free_mb=mb, writable=True) for mb in (0, 1, 500, 5000))
    yield judge_disk(Path("/"), free_mb=5000, writable=False)


@pytest.mark.parametrize("language", languages())
def test_every_answer_can_be_said_and_every_trouble_has_an_advice(language: str, taken_port: int) -> None:
    wording = Wording(language)
    for check in every_answer(taken_port):
        assert wording.say(check.found)
        assert (check.advice is None) == (check.health is Health.GOOD)
        if check.advice:
            assert wording.say(check.advice)
