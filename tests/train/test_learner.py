"""One step of training: its cost, half precision, and losses that are not finite."""

import pytest
import torch
from torch.testing import assert_close

from conftest import make_tiny_cnn, make_tiny_vit
from seewhy.errors import OptionError
from seewhy.explainers.network import AHAExplainer
from seewhy.interventions.perturbed import check_precision, model_precision
from seewhy.train import best, train_explainer
from seewhy.train.config import make_config
from seewhy.train.images import Examples, make_mosaics
from seewhy.train.loop import TrainingRun
from tiny_training import IMAGES, QUICK, do_steps, losses, nan_features, scores


def test_passes_per_image(tiny_vit, tmp_path, monkeypatch):
    monkeypatch.setattr(best, "evaluate_explainer", lambda *_, **__: scores(0.0))
    with tiny_vit.meter() as cost:
        train_explainer(tiny_vit, IMAGES, out=tmp_path, **(QUICK | {"iterations": 2, "points": 16}))
    held_out = 1  # probabilities of the selection's images are checked once, before training
    assert cost.forwards == 2 * 4 * (1 + 1 + 28 + 1) + held_out  # classes, features, both curves, blurred images
    assert cost.backwards == 2 * 4 * 28


def test_classes_of_a_mosaic_are_predictions_for_its_cells(tiny_vit, tmp_path):
    options = QUICK | {"batch": 8, "mosaics": 0.5, "map_per_class": True, "iterations": 1}
    run = TrainingRun(tiny_vit, IMAGES, tmp_path, make_config(**options))
    images = torch.stack(IMAGES[:8])
    images, targets, clean = run.learner._classes(Examples(images, torch.full((8,), -1), []), seed=0)
    assert_close(images[:4], torch.stack(IMAGES[:4]))
    assert_close(clean, tiny_vit.probabilities(images).gather(1, targets))
    predictions = tiny_vit.probabilities(torch.stack(IMAGES[:8])).argmax(dim=1)
    _, cells = make_mosaics(torch.stack(IMAGES[:8]), 4, torch.Generator().manual_seed(0))
    for classes, shown in zip(targets[4:].tolist(), predictions[cells].tolist(), strict=True):
        assert classes[0] in shown
        assert classes[1] in shown or len(set(shown)) == 1
    do_steps(run, 1)
    assert losses(tmp_path)[0] is not None


def test_classes_that_are_hardly_there_cost_nothing(tiny_vit, tmp_path):
    costs = []
    for least in (0.0, 0.9999):
        options = QUICK | {"map_per_class": True, "min_probability": least, "iterations": 1}
        run = TrainingRun(tiny_vit, IMAGES, tmp_path / str(least), make_config(**options))
        with tiny_vit.meter() as cost:
            do_steps(run, 1)
        costs.append(cost.backwards)
    curves = 2 * (QUICK["points"] - 2)  # without the first and the last point
    assert costs == [4 * 2 * curves, 1 * curves]  # the most probable class is always kept


def test_a_loss_that_is_not_finite_changes_no_weight_and_no_statistic(tiny_cnn, tmp_path, monkeypatch):
    run = TrainingRun(tiny_cnn, IMAGES, tmp_path, make_config(**(QUICK | {"iterations": 4})))
    do_steps(run, 1)
    before = {name: value.clone() for name, value in run.learner.decoder.state_dict().items()}
    monkeypatch.setattr(AHAExplainer, "features", nan_features)
    do_steps(run, 1)
    assert_close(run.learner.decoder.state_dict(), before, rtol=0, atol=0)
    assert losses(tmp_path)[1] is None
    monkeypatch.undo()
    do_steps(run, 1)
    assert losses(tmp_path)[2] is not None
    assert run.learner.decoder.state_dict()["stages.0.to_stage.0.num_batches_tracked"] == 2


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
def test_bf16_is_close_to_full_precision(make, tmp_path):
    """The reference is the blur, which is computed in full precision."""
    for precision in ("no", "bf16"):
        options = QUICK | {"iterations": 3, "precision": precision, "references": ("blur",)}
        run = TrainingRun(make(), IMAGES, tmp_path / precision, make_config(**options))
        do_steps(run, 3)
        assert {value.dtype for value in run.learner.decoder.parameters()} == {torch.float32}
    full, half = (torch.tensor(losses(tmp_path / precision)) for precision in ("no", "bf16"))
    assert_close(half, full, rtol=2e-2, atol=0)
    assert not torch.equal(half, full)


def test_every_pass_of_the_model_is_in_half_precision(tiny_vit, tmp_path):
    """Classes, features and both curves; the decoder is not."""
    inside, outside = [], []
    for module, found in ((tiny_vit.module.head, inside), (None, outside)):
        options = QUICK | {"iterations": 1, "precision": "bf16", "mosaics": 0.5}
        run = TrainingRun(tiny_vit, IMAGES, tmp_path / str(len(inside)), make_config(**options))
        watched = module or run.learner.decoder
        hook = watched.register_forward_hook(lambda *_, found=found: found.append(torch.is_autocast_enabled("cpu")))
        do_steps(run, 1)
        hook.remove()
    assert len(inside) >= 3
    assert all(inside)
    assert outside == [False]


@pytest.mark.parametrize("precision", ["fp16", "tf32"])
def test_precisions_that_need_cuda(precision, tiny_cnn, tmp_path):
    with pytest.raises(OptionError, match=r"needs a CUDA device.*'bf16'"):
        train_explainer(tiny_cnn, IMAGES, out=tmp_path, precision=precision)


def test_tf32_is_on_inside_the_block_only():
    assert check_precision("tf32", torch.device("cuda")) == "tf32"
    before = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
    with model_precision("tf32"):
        assert (torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32) == ("high", True)
    assert (torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32) == before


def test_the_chunk_is_an_option(tiny_cnn, tmp_path):
    sizes = []
    hook = tiny_cnn.module.register_forward_hook(lambda _, inputs, __: sizes.append(len(inputs[0])))
    run = TrainingRun(tiny_cnn, IMAGES, tmp_path, make_config(**(QUICK | {"iterations": 1, "chunk": 8})))
    sizes.clear()
    do_steps(run, 1)
    hook.remove()
    assert max(sizes) == 4  # the batch; a pass with a graph counts as two without
    assert sizes.count(4) >= 2 * (QUICK["points"] - 1)
    assert (run.model.chunk, run.model.chunk_limit) == (8, 8)


def test_the_average_of_weights_is_what_is_kept(tiny_cnn, tmp_path):
    run = TrainingRun(tiny_cnn, IMAGES, tmp_path, make_config(**(QUICK | {"iterations": 3, "ema": 0.5})))
    expected = {name: value.clone() for name, value in run.learner.decoder.state_dict().items()}
    for step in range(3):
        do_steps(run, 1)
        decay = min(0.5, (1 + step) / (10 + step))
        for name, value in run.learner.decoder.state_dict().items():
            expected[name] = decay * expected[name] + (1 - decay) * value if value.is_floating_point() else value
    own = {name: value.clone() for name, value in run.learner.decoder.state_dict().items()}
    run.evaluate_and_checkpoint()
    assert_close(run.learner.decoder.state_dict(), own, rtol=0, atol=0)
    assert_close(run.finish().decoder.state_dict(), expected, rtol=2e-3, atol=1e-3)  # stored in half precision
    resumed = TrainingRun(tiny_cnn, IMAGES, tmp_path, make_config(**(QUICK | {"iterations": 3, "ema": 0.5})))
    assert_close(resumed.learner.average.tensors, run.learner.average.tensors, rtol=0, atol=0)
