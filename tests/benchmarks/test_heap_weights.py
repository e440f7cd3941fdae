"""Weights that count heaps are compared by exact heaps, pieces too many or too few, and nats."""

import math
from pathlib import Path

import pytest

from tests.benchmarks.heap_weights import OtherWeights, Tally, weights_named
from vision.observation import CountSighting
from vision.table import PieceCount, PieceKind, ZoneId, ZoneView

CLAY, RED = PieceKind("clay"), PieceKind("red")
TRUTH = ZoneView(zone=ZoneId("supply"), pieces=(PieceCount(RED, 2),))


def test_a_heap_is_exact_when_every_kind_is() -> None:
    tally = Tally()
    tally.add(500, TRUTH, (CountSighting(RED, ((2, 0.5), (1, 0.5))), CountSighting(CLAY, ((0, 1.0),))))
    assert (tally.heaps, tally.exact) == (1, 1)
    assert tally.nats == pytest.approx(math.log(2))


def test_a_red_called_clay_is_one_too_many_and_one_too_few() -> None:
    tally = Tally()
    tally.add(501, TRUTH, (CountSighting(RED, ((1, 1.0),)), CountSighting(CLAY, ((1, 0.75), (0, 0.25)))))
    assert (tally.heaps, tally.exact) == (1, 0)
    assert (tally.invented, tally.missed) == ({"clay": 1}, {"red": 1})
    assert tally.nats == pytest.approx(math.log(1000) + math.log(4))
    assert "0 of 1 exact, 2 miscounted, 8.3 nats" in tally.told()


def test_sets_of_weights_are_named_network_by_network() -> None:
    assert weights_named("heaps=A.onnx,closer=B.onnx") == {"heaps": Path("A.onnx"), "closer": Path("B.onnx")}
    assert weights_named("shipped") == {}
    with pytest.raises(LookupError, match="hepas"):
        OtherWeights(weights_named("hepas=A.onnx"))
