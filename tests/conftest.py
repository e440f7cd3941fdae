"""What all tests share: no numeric library takes both cores for itself, and long files are begun first."""

import os

import pytest

# Read when the libraries are loaded, so that no test has to load them only to tell them.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(variable, "1")

LONG_FILES = (
    "assistant/test_reconstruct.py",
    "assistant/games/yro/test_watch.py",
    "vision/test_register.py",
    "vision/test_observe.py",
    "assistant/test_keep.py",
    "vision/test_settle.py",
    "vision/test_pieces_reader.py",
    "vision/test_standing.py",
    "vision/virtual/test_scene.py",
    "assistant/test_run.py",
    "assistant/web/test_schema.py",
    "calibration/test_setup.py",
    "vision/test_locate.py",
    "vision/test_photo.py",
    "vision/test_near.py",
    "assistant/advise/test_advisor.py",
    "assistant/games/yu/test_mistakes.py",
    "browser/test_page.py",
    "browser/test_views.py",
    "browser/test_wizard.py",
    "calibration/test_wizard.py",
)
"""One process tests one file: what is long and begun last would keep one core busy and the other one idle."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not hasattr(config, "workerinput"):  # only where several processes share the tests
        return
    here = config.rootpath / "tests"
    order = {here / name: place for place, name in enumerate(LONG_FILES)}
    items.sort(key=lambda item: order.get(item.path, len(order)))
