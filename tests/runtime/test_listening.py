"""Listeners: loops report their progress, optimizations their steps, and a step can be the last."""

import threading

import pytest
import torch

import seewhy
from seewhy.runtime.progress import Listener, Step, listening, report_step, track

OPTIONS = {"steps": 4, "lattice": 4, "grids": (4,), "edges": 0}


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
