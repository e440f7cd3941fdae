"""A short run of what `make fuzz` does for longer: every reader answers or refuses, whatever it is given."""

from contextlib import suppress

import pytest

from tests.fuzz.__main__ import tried
from tests.fuzz.targets import REFUSALS, Target, targets

INPUTS = {"record": 12, "row of a record": 60}
SOME = 150
FOUND = {
    "recorded event": (
        b'{"event": "corrected", "at": 2.0, "zone": "row-1", "cards": [], "pieces": null}',
        b'{"event": []}',
        b'{"event": "told", "at": 1e400, "word": "undo", "argument": ""}',
    ),
    "confirmed board": (b"a = " + b"9" * 5000, b"a = " + b"[" * 5000),
}
"""Inputs that once broke a reader."""


@pytest.mark.parametrize("target", targets(), ids=lambda target: target.name)
def test_damaged_inputs_are_read_or_refused(target: Target) -> None:
    known = tuple(data for name, datas in FOUND.items() if target.name.startswith(name) for data in datas)
    for data in known:
        with suppress(*REFUSALS):
            target.read(data)
    tally = tried(target, seed=2, inputs=INPUTS.get(target.name, SOME))
    assert not tally.first_crash
