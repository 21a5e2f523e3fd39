"""MapLogger: entries of the right content at the right steps, and a training that does not notice it."""

import json
import time

import pytest
import torch
from PIL import Image
from torch import nn

from conftest import TinyCNN, make_tiny_cnn
from seewhy.callbacks import Folder, MapLogger
from seewhy.errors import OptionError

WRAPPING = {
    "image_size": 32,
    "mean": (0.5,) * 3,
    "std": (0.25,) * 3,
    "class_names": ["ant", "bee", "cat", "dog", "elk"],
}


class Kept:
    """A sink that keeps its entries."""

    def __init__(self):
        self.entries, self.closed = [], False

    def write(self, entry):
        self.entries.append(entry)

    def close(self):
        self.closed = True


def train(network, logger=None, steps=6, pause=0.0):
    """A few steps with dropout, so that the random number generator matters."""
    torch.manual_seed(0)
    network.train()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for step in range(1, steps + 1):
        loss = nn.functional.dropout(network(torch.rand(4, 3, 32, 32)), 0.5).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        time.sleep(pause)
        if logger:
            logger.step(network, step)
    return network


def make_network():
    torch.manual_seed(1)
    return TinyCNN()


@pytest.fixture
def logger(images):
    return MapLogger(images, every=2, sinks=[Kept()], budget=100.0, method="gradient", points=2, wrapping=WRAPPING)


def test_entries_hold_maps_scores_and_drift(logger):
    train(make_network(), logger)
    entries = logger.sinks[0].entries
    assert [entry.step for entry in entries] == [2, 4, 6]
    for entry in entries:
        assert entry.explanation.maps.shape == (2, 1, 32, 32)
        assert entry.scalars["ins_del"] == pytest.approx(entry.scalars["insertion"] - entry.scalars["deletion"])
        assert [overlay.size for overlay in entry.overlays.values()] == [(32, 32)] * 2
    assert "drift" not in entries[0].scalars
    assert all(0 < entry.scalars["drift"] < 2 for entry in entries[1:])


def test_no_drift_without_training(logger):
    network = make_tiny_cnn().module
    logger.log(network, 1)
    assert logger.log(network, 2).scalars["drift"] == pytest.approx(0, abs=1e-6)


def test_training_does_not_notice(logger):
    with_maps, without = train(make_network(), logger), train(make_network())
    for one, other in zip(with_maps.parameters(), without.parameters(), strict=True):
        assert torch.equal(one, other)
    assert with_maps.training


def test_forwards_are_as_announced(logger):
    """A gradient takes a pass per image, two points a curve four more."""
    entry = logger.log(make_network(), 1)
    assert entry.scalars["backwards"] == 2
    assert entry.scalars["forwards"] <= 2 * (1 + 2 * 3)


def test_the_budget_delays_entries(images):
    """After the first entry, logging may take only a small share of the time that has passed."""
    logger = MapLogger(images, every=1, sinks=[Kept()], budget=0.001, method="gradient", points=2, wrapping=WRAPPING)
    train(make_network(), logger, steps=4)
    assert [entry.step for entry in logger.sinks[0].entries] == [1]
    logger.budget = 1e6
    train(make_network(), logger, steps=1)
    assert len(logger.sinks[0].entries) == 2


def test_an_accumulated_step_is_logged_once(logger):
    network = make_network()
    for step in (1, 2, 2, 3):
        logger.step(network, step)
    assert [entry.step for entry in logger.sinks[0].entries] == [2]


def test_a_folder_gets_overlays_and_scores(images, tmp_path):
    wrapping = {**WRAPPING, "class_names": ["cat, tabby", "b/c", "x?", "ä", "."]}
    logger = MapLogger(images, every=1, sinks=[Folder(tmp_path)], budget=100.0, points=0, wrapping=wrapping)
    train(make_network(), logger, steps=2)
    lines = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [1, 2]
    files = sorted(tmp_path.glob("*/*.png"))
    assert len(files) == 4
    with Image.open(files[0]) as overlay:
        assert overlay.size == (32, 32)


def test_the_network_inside_a_module_is_chosen(images):
    class Whole(nn.Module):
        def __init__(self):
            super().__init__()
            self.network = make_network()

    logger = MapLogger(images, sinks=[Kept()], points=0, network=lambda whole: whole.network, wrapping=WRAPPING)
    assert logger.log(Whole(), 1).explanation.method == "grad_cam"


@pytest.mark.parametrize("wrong", [{"every": 0}, {"points": -1}, {"budget": 0.0}])
def test_wrong_values_are_refused(images, wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        MapLogger(images, **wrong)
