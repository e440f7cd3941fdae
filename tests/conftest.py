"""What all tests share: no numeric library takes both cores for itself, and long files are begun first."""

import os

import pytest

# Read when the libraries are loaded, so that no test has to load them only to tell them.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(variable, "1")

LONG_FILES = (
    "assistant/test_reconstruct.py",
    "browser/test_views.py",
    "assistant/games/*/test_watch.py",
    "browser/test_page.py",
    "vision/test_observe.py",
    "vision/test_register.py",
    "assistant/test_keep.py",
    "benchmarks/test_tape.py",
    "vision/test_near.py",
    "assistant/test_put_right.py",
    "vision/test_settle.py",
    "assistant/advise/test_advisor.py",
    "assistant/test_demo.py",
    "assistant/games/*/test_mistakes.py",
)
"""One process tests one file: what is long and begun last would keep one core busy and the other one idle."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not hasattr(config, "workerinput"):  # only where several processes share the tests
        return
    here = config.rootpath / "tests"

    def place(item: pytest.Item) -> int:
        return next(
            (n for n, name in enumerate(LONG_FILES) if item.path.match(str(here / name))), len(LONG_FILES)
        )

    items.sort(key=place)
