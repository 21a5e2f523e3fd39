"""The training recipe of the bundled ViT: runs resume, and the learning rate follows the phases."""

import pytest
import torch

from seewhy.zoo.scenes.batches import Phase, batches
from seewhy.zoo.scenes.train import ScenesTraining, learning_rate

PHASES = (Phase(2, 3, 7), Phase(1, 2, 10), Phase(1, 2, 14))


def finish(run, drawn_scenes):
    for batch in batches(drawn_scenes, run.remaining()):
        run.advance(batch)
    return torch.cat([parameter.flatten() for parameter in run.average.parameters()])


def test_a_killed_run_resumes(drawn_scenes, tmp_path):
    whole = finish(ScenesTraining(tmp_path / "whole", PHASES), drawn_scenes)
    run = ScenesTraining(tmp_path, PHASES)
    for batch, _ in zip(batches(drawn_scenes, run.remaining()), range(2), strict=False):
        run.advance(batch)
    run.save()
    resumed = ScenesTraining(tmp_path, PHASES)
    assert resumed.step == 2
    torch.testing.assert_close(finish(resumed, drawn_scenes), whole, rtol=0, atol=1e-5)


def test_learning_rate_rises_then_follows_the_phases():
    phases = (Phase(200, 1, 7, rates=(1.0, 0.5)), Phase(100, 1, 14, rates=(0.4, 0.0)))
    rates = [learning_rate(step, phases) for step in (0, 99, 100, 199, 200, 250, 299)]
    assert rates == pytest.approx([0.01, 1.0, 0.75, 0.5025, 0.4, 0.2, 0.004])
