"""Training at tiny scale: it learns, evaluates, writes the best explainer, and refuses what cannot work at once."""

import json
import time

import pytest
import torch
from torch.testing import assert_close

from conftest import make_tiny_cnn, make_tiny_vit
from seewhy.errors import InputError, ModelError, OptionError, WeightsError
from seewhy.explainers.network import AHAExplainer
from seewhy.train import best, train_explainer
from seewhy.train.checkpoint import NAME
from seewhy.train.config import make_config
from seewhy.train.images import TrainingImages, open_images
from seewhy.train.loop import TrainingRun
from tiny_training import IMAGES, QUICK, do_steps, logged, losses, nan_features, save_images, scores


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
def test_it_learns(make, tmp_path):
    model = make()
    options = QUICK | {"iterations": 30, "learning_rate": 1e-2, "gumbel": False, "references": ("black",), "shift": 0.0}
    options |= {"map_per_class": True, "min_probability": 0.0}
    explainer = train_explainer(model, IMAGES, out=tmp_path, tau=(0.3, 0.3), **options)
    curve = losses(tmp_path)
    assert sum(curve[-6:]) < sum(curve[:6])  # three epochs
    assert isinstance(explainer, AHAExplainer)
    card = (tmp_path / "README.md").read_text()
    assert model.fingerprint in card
    assert "held-out" in card


class Recorded(list):
    """Images that record which of them are read."""

    def __init__(self, images):
        super().__init__(images)
        self.read = []

    def __getitem__(self, index):
        self.read.append(index)
        return super().__getitem__(index)


def test_the_next_images_are_read_while_the_model_runs(tiny_cnn, tmp_path, monkeypatch):
    """When a step starts, the images of the next one are being read; the last step has no next one."""
    images = Recorded(IMAGES)
    run = TrainingRun(tiny_cnn, images, tmp_path, make_config(**(QUICK | {"iterations": 2})))
    first, second = (run.images.at_step(step, 4) for step in range(2))
    images.read.clear()
    learn = TrainingRun._learn

    def learn_when_read(*args):
        for _ in range(500):
            if len(images.read) == 8:
                return learn(*args)
            time.sleep(0.02)
        raise AssertionError(f"only {images.read} were read")

    monkeypatch.setattr(TrainingRun, "_learn", learn_when_read)
    do_steps(run, 2)
    assert images.read == first + second


def test_held_out_images_are_read_once(tiny_cnn, tmp_path, monkeypatch):
    indices, read = [], TrainingImages.read
    monkeypatch.setattr(TrainingImages, "read", lambda images, part: indices.extend(part) or read(images, part))
    run = TrainingRun(tiny_cnn, IMAGES, tmp_path, make_config(**(QUICK | {"iterations": 3, "evaluate_every": 1})))
    for _ in range(3):
        do_steps(run, 1)
        run.evaluate_and_checkpoint()
    assert len([entry for entry in logged(tmp_path) if "scores" in entry]) == 3
    assert [indices.count(index) for index in run.images.held_out] == [1, 0]
    run.finish()  # the other one is for the report
    assert [indices.count(index) for index in run.images.held_out] == [1, 1]


def test_the_report_is_on_images_that_did_not_select(tiny_cnn, tmp_path, monkeypatch):
    seen = []

    def evaluate(_, images, **__):
        seen.append(images)
        return scores(0.5 - len(seen) / 10)

    monkeypatch.setattr(best, "evaluate_explainer", evaluate)
    options = QUICK | {"iterations": 2, "evaluate_every": 1, "held_out": 5, "evaluated": 2, "reported": 2}
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)
    held_out = open_images(IMAGES, tiny_cnn.preprocess, held_out=5, seed=42).held_out
    assert_close(seen, [torch.stack([IMAGES[i] for i in held_out[part]]) for part in (slice(2), slice(2), slice(2, 4))])
    training = json.loads((tmp_path / "explainer.json").read_text())["training"]
    assert (training["scores"]["ins_del"], training["report"]["ins_del"]) == (0.4, 0.2)
    assert training["selected_on"] == 2
    assert "… on 1 other held-out images | 0.2000 ± 0.0000" in (tmp_path / "README.md").read_text()
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)  # finished: nothing is scored again
    assert len(seen) == 3


def test_few_held_out_images_are_divided_by_two(tiny_cnn):
    for held_out, expected in ((5, (2, 3)), (1, (1, 0)), (2, (1, 1))):
        images = open_images(IMAGES, tiny_cnn.preprocess, held_out=held_out, seed=0)
        assert tuple(map(len, images.split_held_out(64, 64))) == expected


def test_start_from_a_trained_explainer(tiny_cnn, tiny_vit, tmp_path):
    """Of the same shape; the error for one that does not fit names its file."""
    first, out = tmp_path / "first", tmp_path / "out"
    first_explainer = AHAExplainer(tiny_cnn, make_config(**QUICK).explainer, seed=5)
    first_explainer.learning_rate = 0.5
    first_explainer.save(first)
    run = TrainingRun(tiny_cnn, IMAGES, out, make_config(start=str(first), iterations=1, **QUICK))
    assert_close(run.learner.decoder.state_dict(), first_explainer.decoder.state_dict())
    train_explainer(tiny_cnn, IMAGES, out=out, start=str(first), **(QUICK | {"iterations": 1}))
    assert str(first) in (out / "README.md").read_text()
    assert AHAExplainer.load(out, tiny_cnn).learning_rate == 0.5  # the larger one is kept, for refinement
    with pytest.raises(WeightsError, match=r"first/explainer.safetensors does not fit tiny-vit"):
        TrainingRun(tiny_vit, IMAGES, tmp_path / "other", make_config(start=str(first), **QUICK))
    adapted = TrainingRun(tiny_vit, IMAGES, tmp_path / "other", make_config(start=str(first), adapt=True, **QUICK))
    fresh = AHAExplainer(tiny_vit, make_config(**QUICK).explainer, seed=42).decoder.state_dict()
    other, own = first_explainer.decoder.state_dict(), adapted.learner.decoder.state_dict()
    fit = [name for name in own if name in other and own[name].shape == other[name].shape]
    assert 0 < len(fit) < len(own)
    assert_close(own, {name: other[name] if name in fit else fresh[name] for name in own})
    first.rename(tmp_path / "moved")  # a resumed run does not need it
    run = TrainingRun(tiny_cnn, IMAGES, out, make_config(start=str(first), **(QUICK | {"iterations": 1})))
    assert (run.progress.step, run.explainer.learning_rate) == (1, 0.5)


def test_what_cannot_be_trained_is_refused(tiny_cnn, tmp_path):
    for source in (None, (image for image in IMAGES)):
        with pytest.raises(InputError, match="a folder of images, a list"):
            train_explainer(tiny_cnn, source, out=tmp_path, **QUICK)
    with pytest.raises(OptionError, match="grids must be at most 32"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **(QUICK | {"grids": (4, 33)}))
    with pytest.raises(OptionError, match="taps must be from 0 to 3"):
        train_explainer(make_tiny_vit(), IMAGES, out=tmp_path, **(QUICK | {"taps": (0, 1, 2, 99)}))


def test_a_model_with_one_logit_has_two_classes(tmp_path):
    explainer = train_explainer(make_tiny_vit(num_classes=1), IMAGES, out=tmp_path, **(QUICK | {"iterations": 1}))
    assert explainer.sizes.classes == 2


def test_a_loss_that_is_not_finite_stops_after_a_few_steps(tiny_cnn, tmp_path, monkeypatch):
    options = QUICK | {"iterations": 40}
    run = TrainingRun(tiny_cnn, IMAGES, tmp_path, make_config(**options))
    do_steps(run, 2)
    run.evaluate_and_checkpoint()
    good = (tmp_path / NAME).read_bytes()
    monkeypatch.setattr(AHAExplainer, "features", nan_features)
    with pytest.raises(ModelError, match=r"not finite in 5 consecutive steps.*\(the explainer's map is not finite"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)
    assert (tmp_path / NAME).read_bytes() == good


def test_a_training_without_a_finite_loss_writes_nothing(tiny_cnn, tmp_path, monkeypatch):
    monkeypatch.setattr(AHAExplainer, "features", nan_features)
    with pytest.raises(ModelError, match="not finite in any of the 3 steps"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **(QUICK | {"iterations": 3}))
    assert not (tmp_path / "explainer.json").exists()


def test_a_model_with_nan_probabilities_is_refused(tmp_path):
    model = make_tiny_cnn()
    with torch.no_grad():
        next(model.module.parameters()).fill_(torch.nan)
    with pytest.raises(ModelError, match="gives no finite probability"):
        train_explainer(model, IMAGES, out=tmp_path / "out", **(QUICK | {"iterations": 3}))
    assert not (tmp_path / "out").exists()


def test_a_score_of_nan_is_never_the_best(tiny_cnn, tmp_path, monkeypatch):
    values = iter([torch.nan, 0.1, torch.nan, 0.2, torch.nan])  # the fourth is the report
    monkeypatch.setattr(best, "evaluate_explainer", lambda *_, **__: scores(next(values)))
    options = QUICK | {"evaluate_every": 1}
    train_explainer(tiny_cnn, IMAGES, out=tmp_path / "one", **options, iterations=3)
    assert json.loads((tmp_path / "one" / "explainer.json").read_text())["training"]["step"] == 2
    with pytest.raises(ModelError, match="never finite"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path / "none", **options, iterations=1)


@pytest.mark.parametrize("name", ["held_out", "evaluated"])
def test_nothing_to_evaluate_on_is_refused(name, tiny_cnn, tmp_path):
    with pytest.raises(OptionError, match=f"{name} must be an int of at least 1, got 0"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, **(QUICK | {name: 0}))


def test_unreadable_held_out_files_are_found_before_training(tiny_cnn, tmp_path):
    photos = save_images(tmp_path / "photos")
    source = open_images(photos, tiny_cnn.preprocess, held_out=1, seed=42)
    (photos / source.names(source.held_out)[0]).write_bytes(b"not an image")
    with pytest.raises(InputError, match="none of the 1 held-out images can be read"):
        train_explainer(tiny_cnn, photos, out=tmp_path / "out", **(QUICK | {"held_out": 1}))
    assert not (tmp_path / "out").exists()


def test_unreadable_files_are_skipped_and_logged(tiny_cnn, tmp_path, caplog):
    folder = save_images(tmp_path / "photos" / "deeper")
    (folder / "broken.png").write_bytes(b"not an image")
    (folder / "empty.jpg").write_bytes(b"")
    out = tmp_path / "out"
    options = QUICK | {"iterations": 11, "batch": 1, "held_out": 1, "seed": 1}
    caplog.set_level("INFO", logger="seewhy.train")
    train_explainer(tiny_cnn, tmp_path / "photos", out=out, **options)
    assert "; 2 files could not be read" in caplog.messages[-2]
    assert "2 files could not be read and were skipped, the first: " in caplog.messages[-1]
    skipped = [entry for entry in logged(out) if "skipped" in entry]
    assert (len(skipped), len(losses(out))) == (2, 9)
    card = (out / "README.md").read_text()
    assert "2 files could not be read" in card
    assert "trained on | 9 images" in card
    with pytest.raises(InputError, match="holds no images"):
        train_explainer(tiny_cnn, out, out=out, iterations=1)


def test_only_unreadable_files(tiny_cnn, tmp_path):
    photos = save_images(tmp_path / "photos", IMAGES[:4])
    source = open_images(photos, tiny_cnn.preprocess, held_out=1, seed=42)
    for name in source.names(source.training):
        (photos / name).write_bytes(b"not an image")
    with pytest.raises(InputError, match="none of the first 3 training images can be read"):
        train_explainer(tiny_cnn, photos, out=tmp_path / "out", **(QUICK | {"held_out": 1, "iterations": 2}))


def test_every_evaluation_is_logged(tiny_cnn, tmp_path, monkeypatch, caplog):
    values = iter([0.3, 0.2, 0.1])
    monkeypatch.setattr(best, "evaluate_explainer", lambda *_, **__: scores(next(values)))
    caplog.set_level("INFO", logger="seewhy.train")
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, **(QUICK | {"iterations": 2, "evaluate_every": 1}))
    first, *evaluations = caplog.messages
    assert first.startswith("8 training images: enough to see that training runs")
    assert evaluations == [
        "step 1 of 2: deletion 0.0000, insertion 0.3000, ins-del 0.3000, best 0.3000 (step 1)",
        "step 2 of 2: deletion 0.0000, insertion 0.2000, ins-del 0.2000, best 0.3000 (step 1)",
        "ins-del on 1 other held-out images: 0.1000",
    ]


@pytest.mark.parametrize("map_per_class", [False, True])
def test_the_card_has_speed_and_folder(map_per_class, tiny_vit, tmp_path):
    config = make_config(**(QUICK | {"iterations": 1, "map_per_class": map_per_class}))
    run = TrainingRun(tiny_vit, IMAGES, tmp_path / "a b", config)
    do_steps(run, 1)
    maps = 2 if map_per_class else 1
    assert run.progress.forwards == 4 * (2 + 2 * 3 * maps + maps)  # both curves, and the blurred image at their ends
    run.evaluate_and_checkpoint()
    run.finish()
    card = (tmp_path / "a b" / "README.md").read_text()
    assert f"second | {run.progress.forwards / run.progress.seconds:.1f} |" in card
    assert f'explainer="{(tmp_path / "a b").as_posix()}"' in card


def test_early_stopping_keeps_the_best(tiny_cnn, tmp_path, monkeypatch):
    values = iter([0.1, 0.3, 0.2, 0.25, 0.5])
    monkeypatch.setattr(best, "evaluate_explainer", lambda *_, **__: scores(next(values)))
    options = QUICK | {"iterations": 9, "evaluate_every": 1, "patience": 2}
    train_explainer(tiny_cnn, IMAGES, out=tmp_path, **options)
    assert len(losses(tmp_path)) == 4
    assert json.loads((tmp_path / "explainer.json").read_text())["training"]["step"] == 2
