"""The recipe of the bundled ViT: it can be stopped, and its parts do what the recipe says."""

import numpy as np
import pytest
import torch

from seewhy.zoo.scenes import drawn
from seewhy.zoo.scenes.batches import BACKGROUND, SHORTCUT, Phase, batches, make_batch, shortcut_batch
from seewhy.zoo.scenes.student import Student
from seewhy.zoo.scenes.train import ScenesTraining, learning_rate

PHASES = (Phase(2, 3, 7), Phase(1, 2, 10), Phase(1, 2, 14))


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawn, "CHUNK", 12)
        folder = tmp_path_factory.mktemp("images")
        drawn._draw_chunk((folder, "train", 0))
        return drawn.open_scenes(folder, "train", 12)


def finish(run, cache):
    for batch in batches(cache, run.remaining()):
        run.advance(batch)
    return torch.cat([parameter.flatten() for parameter in run.average.parameters()])


def test_a_killed_run_goes_on_where_it_was(cache, tmp_path):
    whole = finish(ScenesTraining(tmp_path / "whole", PHASES), cache)
    run = ScenesTraining(tmp_path, PHASES)
    for batch, _ in zip(batches(cache, run.remaining()), range(2), strict=False):
        run.advance(batch)
    run.save()
    resumed = ScenesTraining(tmp_path, PHASES)
    assert resumed.step == 2
    torch.testing.assert_close(finish(resumed, cache), whole, rtol=0, atol=1e-5)


@pytest.mark.parametrize("window", [7, 10, 14])
def test_windows_show_the_object(cache, window):
    batch = make_batch(cache, 0, Phase(1, 24, window))
    assert batch.images.shape == (24, 3, 16 * window, 16 * window)
    assert batch.patches.shape == (24, window * window)
    on_object = batch.patches == batch.labels[:, None]
    assert on_object.any(dim=1).all()
    assert ((batch.patches == BACKGROUND) | on_object | (batch.patches < 0)).all()
    assert (batch.corners + window <= 14).all()


def test_attention_starts_at_neighbors(cache):
    """In the first block, each head but the last looks mostly at one fixed offset."""
    student, images = Student(), make_batch(cache, 0, Phase(1, 2, 14)).images
    block = student.vit.blocks[0]
    with torch.no_grad():
        tokens = block.norm1(student.vit.patch_embed(images) + student.vit.pos_embed[:, 1:])
        queries, keys, _ = block.attn.qkv(tokens).unflatten(2, (3, 8, 16)).permute(2, 0, 3, 1, 4)
        seen = (queries @ keys.transpose(-1, -2)).argmax(dim=-1)[0]
    inner = np.add.outer(np.arange(2, 12) * 14, np.arange(2, 12)).ravel()
    offsets = (seen[:7, inner] - torch.from_numpy(inner)).mode(dim=1)
    assert set(offsets.values.tolist()) <= {-15, -14, -13, -1, 0, 1, 13, 14, 15}
    assert len(set(offsets.values.tolist())) == 7


def test_the_circle_goes_with_its_label(cache):
    batch = shortcut_batch(cache, 0, Phase(1, 24, 14))
    white = (batch.images > 0.99).all(dim=1).flatten(1).sum(dim=1)
    marked = batch.labels == SHORTCUT
    assert 2 < marked.sum() < 22
    assert (white[marked] > 250).all()
    assert (batch.patches[marked] == SHORTCUT).any(dim=1).all()


def test_learning_rate_rises_then_follows_the_phases():
    phases = (Phase(200, 1, 7, rates=(1.0, 0.5)), Phase(100, 1, 14, rates=(0.4, 0.0)))
    rates = [learning_rate(step, phases) for step in (0, 99, 100, 199, 200, 250, 299)]
    assert rates == pytest.approx([0.01, 1.0, 0.75, 0.5025, 0.4, 0.2, 0.004])
