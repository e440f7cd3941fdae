"""The doctor's look at what the eye needs: the trained networks, a camera, and light on the table."""

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from assistant.commands.check import Check, Health
from assistant.kit import Message
from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.feed import FrameSource

FRAME_SECONDS: Final = 6.0
"""A webcam may take this long to wake up."""
SETTLED_FRAMES: Final = 5
"""The first pictures of a camera are dark: it has not got used to the light yet."""
NARROWEST_PX: Final = 1_280


def check_models(folder: Path | None = None) -> Check:
    """Every network of the manifest is there and is the one that was measured."""
    try:
        # The libraries below may be missing: that is told by a check of their own.
        from vision.networks import MODELS, read_manifest
    except ImportError as problem:
        return _careful("models", "unchecked", "unchecked-advice", problem=str(problem))
    try:
        entries = read_manifest(folder or MODELS)
    except VisionError as problem:
        return _wrong_models(str(problem))
    for entry in entries:
        try:
            found = hashlib.sha256(entry.path.read_bytes()).hexdigest()
        except OSError as problem:
            return _wrong_models(f"{entry.path.name}: {problem.strerror}")
        if found != entry.sha256:
            return _wrong_models(f"{entry.path.name}: sha256 {found[:12]}…")
    return Check(name="models", health=Health.GOOD, found=Message.of("doctor.models.found", n=len(entries)))


def _wrong_models(problem: str) -> Check:
    found = Message.of("doctor.models.wrong", problem=problem)
    advice = Message.of("doctor.models.advice")
    return Check(name="models", health=Health.WRONG, found=found, advice=advice)


def check_openssl(which: Callable[[str], str | None] = shutil.which) -> Check:
    if which("openssl") is None:
        return _careful("openssl", "missing", "advice")
    return Check(name="openssl", health=Health.GOOD, found=Message.of("doctor.openssl.found"))


def check_camera(wanted: str | None) -> Iterator[Check]:
    """A picture of the camera that was named, or of the first one; and what its light is like."""
    try:
        from vision.source import list_cameras, open_source
    except ImportError as problem:
        yield _careful("camera", "unchecked", "none-advice", problem=str(problem))
        return
    if wanted is None:
        cameras = list_cameras()
        if not cameras:
            yield _careful("camera", "none", "none-advice")
            return
        wanted = cameras[0].source
    try:
        with open_source(wanted) as source:
            yield from _examined(source)
    except VisionError as problem:
        yield _careful("camera", "unopened", "unopened-advice", problem=str(problem))


def _examined(eye: "FrameSource") -> Iterator[Check]:
    from vision.light import glance

    frame, deadline = None, time.monotonic() + FRAME_SECONDS
    for _ in range(SETTLED_FRAMES):
        frame = eye.read(timeout=max(0.0, deadline - time.monotonic())) or frame
    if frame is None:
        cause = eye.state().cause or eye.describe()
        yield _careful("camera", "silent", "unopened-advice", problem=cause)
        return
    height, width = frame.image.shape[:2]
    found = Message.of("doctor.camera.found", camera=eye.describe(), width=width, height=height)
    if width < NARROWEST_PX:
        advice = Message.of("doctor.camera.narrow", width=NARROWEST_PX)
        yield Check(name="camera", health=Health.CAREFUL, found=found, advice=advice)
    else:
        yield Check(name="camera", health=Health.GOOD, found=found)
    yield judge_light(*glance(frame.image))


def judge_light(trouble: str | None, mean: float) -> Check:
    found = Message.of("doctor.light.found", n=round(mean / 255 * 100))
    if trouble is None:
        return Check(name="light", health=Health.GOOD, found=found)
    return Check(
        name="light", health=Health.CAREFUL, found=found, advice=Message.of(f"doctor.light.{trouble}")
    )


def _careful(name: str, found: str, advice: str, **values: str) -> Check:
    return Check(
        name=name,
        health=Health.CAREFUL,
        found=Message.of(f"doctor.{name}.{found}", **values),
        advice=Message.of(f"doctor.{name}.{advice}"),
    )
