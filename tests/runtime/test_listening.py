"""Listeners: loops report their progress, optimizations their steps, and a step can be the last."""

import threading
from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

import seewhy
from seewhy.explainers.network import AHAExplainer
from seewhy.ops.resize import shrink_maps, unit_range
from seewhy.runtime.progress import Listener, Step, listening, report_step, track

OPTIONS = {"steps": 4, "lattice": 4, "grids": (4,), "points": 4, "smoothing": 0.0}


def test_loops_report_to_the_listener_of_their_thread():
    seen, others = [], []
    with listening(Listener(lambda *progress: seen.append(progress), lambda _: False)):
        assert list(track("abc", "spelling")) == ["a", "b", "c"]
        thread = threading.Thread(target=lambda: others.extend(track([1, 2], "elsewhere")))
        thread.start()
        thread.join()
    list(track("abc", "later"))
    assert seen == [("spelling", 0, 3), ("spelling", 1, 3), ("spelling", 2, 3)]
    assert others == [1, 2]


def test_without_a_listener_nothing_stops():
    assert not report_step(Step(0, 1, torch.zeros(1), torch.zeros(1, 2, 2)))


@pytest.mark.parametrize("last", [2, None])
def test_refinement_reports_its_steps_and_stops(tiny_vit, images, last):
    steps = []

    def on_step(step):
        steps.append(step)
        return step.number == last

    with listening(Listener(lambda *_: None, on_step)):
        found = seewhy.explain(tiny_vit, images[:1], "refine:center", [1], **OPTIONS)
    assert [step.number for step in steps] == list(range(5 if last is None else 3))
    assert all(step.maps.shape == (1, 4, 4) for step in steps)
    objectives = torch.stack([step.objective[0] for step in steps])
    torch.testing.assert_close(found.extras["objective"][0, 0, : len(steps)], objectives[:4])
    assert found.extras["gain"].item() >= 0  # never worse than the base
    if last is None:
        alone = seewhy.explain(tiny_vit, images[:1], "refine:center", [1], **OPTIONS)
        assert torch.equal(found.maps, alone.maps)


@pytest.fixture
def explainer(tiny_cnn, tmp_path):
    made = AHAExplainer(tiny_cnn)
    torch.nn.init.normal_(made.decoder.head.last.weight, generator=torch.Generator().manual_seed(0))
    return str(made.save(tmp_path))


def stop_after_a_drop(steps):
    """A listener that stops an optimization of one map at the first step that is worse than the best before it."""

    def on_step(step):
        steps.append(replace(step, maps=step.maps.clone()))  # the optimizer changes them in place
        values = [float(each.objective[0]) for each in steps]
        return values[-1] < max(values)

    return Listener(lambda *_: None, on_step)


def check_best_is_kept(steps, maps):
    values = [float(step.objective[0]) for step in steps]
    best = values.index(max(values))
    assert 0 < best < len(steps) - 1 < steps[0].total - 1, values  # some gain, then a worse step, then stopped
    kept, expected = (unit_range(each[None, None]) for each in (maps, steps[best].maps[0]))
    assert_close(kept, expected)


def test_stopping_refinement_keeps_the_best_step(tiny_vit, images):
    steps, options = [], {**OPTIONS, "steps": 40, "learning_rate": 3.0, "keep_better": False}
    with listening(stop_after_a_drop(steps)):
        found = seewhy.explain(tiny_vit, images[:1], "refine:center", [1], **options)
    check_best_is_kept(steps, found.extras["path"][0, 0, -1])


def test_stopping_aha_keeps_the_best_step(tiny_cnn, images, explainer):
    steps = []
    with listening(stop_after_a_drop(steps)):
        found = seewhy.explain(tiny_cnn, images[:1], "aha", [1], explainer=explainer, refine_steps=60)
    kept = int(found.extras["kept"])
    check_best_is_kept(steps, found.extras["path"][0, 0, kept])
    shown = shrink_maps(unit_range(found.maps), (56, 56))
    assert_close(shown, shrink_maps(unit_range(found.extras["path"][:, :, kept]), (56, 56)), atol=0.05, rtol=0)
