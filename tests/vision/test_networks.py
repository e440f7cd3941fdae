"""Weights are found by the manifest, refused when they are others, and run in batches."""

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.vision.test_memory import resident
from vision.cuts import NUMBER_PX
from vision.memory import give_back
from vision.networks import MODELS, NetworkError, Networks, read_manifest

LARGEST = 5 * 1024 * 1024


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the manifest and weights that a test may spoil."""
    shutil.copyfile(MODELS / "manifest.toml", tmp_path / "manifest.toml")
    for entry in read_manifest(MODELS):
        target = tmp_path / entry.path.relative_to(MODELS)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(entry.path, target)
    return tmp_path


def test_every_network_of_the_manifest_is_there_and_small() -> None:
    for entry in read_manifest(MODELS):
        assert entry.path.stat().st_size < LARGEST, entry.name
        assert (entry.path.parent / "train.py").exists(), entry.name


def test_a_window_gives_one_answer_and_a_line_thirteen() -> None:
    networks = Networks()
    window = networks.run("items", np.zeros((2, 32, 32, 3), np.uint8))
    line = networks.run("items", np.zeros((3, 32, 128, 3), np.uint8))
    assert window.shape[0] == 2
    assert window.shape[2:] == (1, 1)
    assert line.shape == (3, window.shape[1], 1, 13)


def test_many_pictures_give_the_same_answers_as_one_at_a_time() -> None:
    networks = Networks()
    images = np.random.default_rng(5).integers(0, 256, (300, NUMBER_PX, NUMBER_PX, 3), np.uint8)
    together = networks.run("numbers", images)
    alone = np.concatenate([networks.run("numbers", images[k : k + 1]) for k in (0, 255, 256, 299)])
    np.testing.assert_allclose(together[[0, 255, 256, 299]], alone, atol=1e-3)


def test_no_pictures_give_no_answers() -> None:
    assert len(Networks().run("numbers", np.zeros((0, NUMBER_PX, NUMBER_PX, 3), np.uint8))) == 0


def test_weights_with_another_hash_are_refused_in_one_sentence(folder: Path) -> None:
    weights = folder / "items" / "items.onnx"
    weights.write_bytes(weights.read_bytes() + b" ")
    with pytest.raises(NetworkError, match=r"items\.onnx are not those of the manifest: expected sha256"):
        Networks(folder)


def test_missing_weights_are_named(folder: Path) -> None:
    (folder / "numbers" / "numbers.onnx").unlink()
    with pytest.raises(NetworkError, match=r"cannot read the weights numbers\.onnx"):
        Networks(folder)


@pytest.mark.parametrize("text", ["not toml [", "[items]\nfile = 'x'\n", "items = 3\n"])
def test_a_broken_manifest_is_refused(folder: Path, text: str) -> None:
    (folder / "manifest.toml").write_text(text, encoding="utf-8")
    with pytest.raises(NetworkError, match="expected a list of networks"):
        Networks(folder)


def test_a_network_that_is_not_listed_is_named() -> None:
    with pytest.raises(NetworkError, match="expected a network 'stars'"):
        Networks().run("stars", np.zeros((1, 8, 8, 3), np.uint8))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what is resident is read from /proc")
def test_a_large_batch_leaves_no_memory_behind() -> None:
    """onnxruntime's own arena kept what the largest batch of an evening had needed, for ever."""
    networks = Networks()
    networks.run("items", np.zeros((1, 96, 96, 3), np.uint8))
    give_back()
    before = resident()
    networks.run("items", np.zeros((128, 96, 96, 3), np.uint8))
    give_back()
    assert resident() - before < 20_000_000
