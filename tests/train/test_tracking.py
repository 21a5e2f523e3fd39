"""Trackers: what a real TensorBoard file and an offline run of Weights & Biases hold."""

import pytest

from seewhy.errors import InputError
from seewhy.train import tracking, train_explainer
from seewhy.train.tracking import check_tracker
from tiny_training import IMAGES, QUICK, logged

OPTIONS = QUICK | {"iterations": 3, "evaluate_every": 2, "held_out": 4}


def test_tensorboard_has_curves_and_maps(tiny_cnn, tmp_path):
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, tracker="tensorboard", **OPTIONS)
    found = events.EventAccumulator(str(tmp_path / "seewhy"), size_guidance={"images": 0})
    found.Reload()
    steps = [entry for entry in logged(tmp_path) if "loss" in entry]
    for name in ("loss", "deletion", "insertion", "learning_rate", "tau", "gradient_norm"):
        shown = [(event.step, event.value) for event in found.Scalars(name)]
        assert shown == [(entry["step"], pytest.approx(entry[name], rel=1e-5)) for entry in steps]
    evaluations = [entry for entry in logged(tmp_path) if "scores" in entry]
    shown = {event.step: event.value for event in found.Scalars("selection/ins_del")}
    assert shown == {each["step"]: pytest.approx(each["scores"]["ins_del"], rel=1e-4) for each in evaluations}
    assert len(found.Scalars("report/ins_del")) == 1
    assert [event.step for event in found.Images("maps")] == [2, 3]


def test_weights_and_biases(tiny_cnn, tmp_path, monkeypatch):
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, tracker="wandb", **OPTIONS)
    (run,) = (tmp_path / "wandb").glob("offline-run-*")
    assert next(run.glob("*.wandb")).stat().st_size > 0
    assert len(list(run.rglob("maps_*.png"))) == 2 * 2


def test_a_tracker_that_is_not_installed(monkeypatch):
    check_tracker(None)
    monkeypatch.setattr(tracking, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"tracker='wandb' needs the package wandb: pip install wandb"):
        check_tracker("wandb")
