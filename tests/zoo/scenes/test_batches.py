"""Training batches: windows show the object, and the planted circle predicts its label."""

import pytest

from seewhy.zoo.scenes.batches import BACKGROUND, SHORTCUT, Phase, make_batch, shortcut_batch


@pytest.mark.parametrize("window", [7, 10, 14])
def test_windows_show_the_object(drawn_scenes, window):
    batch = make_batch(drawn_scenes, 0, Phase(1, 24, window))
    assert batch.images.shape == (24, 3, 16 * window, 16 * window)
    assert batch.patches.shape == (24, window * window)
    on_object = batch.patches == batch.labels[:, None]
    assert on_object.any(dim=1).all()
    assert ((batch.patches == BACKGROUND) | on_object | (batch.patches < 0)).all()
    assert (batch.corners + window <= 14).all()


def test_the_circle_goes_with_its_label(drawn_scenes):
    batch = shortcut_batch(drawn_scenes, 0, Phase(1, 24, 14))
    white = (batch.images > 0.99).all(dim=1).flatten(1).sum(dim=1)
    marked = batch.labels == SHORTCUT
    assert 2 < marked.sum() < 22
    assert (white[marked] > 250).all()
    assert (batch.patches[marked] == SHORTCUT).any(dim=1).all()
