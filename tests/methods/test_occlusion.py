"""Occlusion against Captum."""

import pytest
import torch

from one_patch import PLACE, make_one_patch
from seewhy.errors import OptionError
from seewhy.methods.occlusion import occlusion

BOTH = torch.tensor([[0, 1], [0, 1]])


@pytest.mark.parametrize(("window", "stride"), [(8, 4), (8, 8), (7, 5)])
def test_equals_captum(tiny_cnn, images, targets, window, stride):
    from captum.attr import Occlusion

    ours = occlusion(tiny_cnn, images, targets, window=window, stride=stride, score="logit")
    theirs = Occlusion(tiny_cnn.module).attribute(
        tiny_cnn.normalize(images),
        sliding_window_shapes=(3, window, window),
        strides=(3, stride, stride),
        target=targets[:, 1],
    )[:, 0]
    ours = ours[:, 1]
    if ours.shape != theirs.shape:
        ours = ours.repeat_interleave(window, 1).repeat_interleave(window, 2)
    torch.testing.assert_close(ours, theirs.to(ours), rtol=1e-3, atol=1e-5)


def test_windows_default_to_the_patches_of_a_vit(tiny_vit, images, targets):
    with tiny_vit.meter() as cost:
        maps = occlusion(tiny_vit, images, targets)
    assert maps.shape == (2, 2, 4, 4)
    assert cost.forwards == 2 * (16 + 1)


def test_windows_may_not_leave_gaps(tiny_vit, images, targets):
    with pytest.raises(OptionError, match="stride must be at most window"):
        occlusion(tiny_vit, images, targets, window=4, stride=8)


def test_a_model_that_reads_one_patch(images):
    bright = 0.7 + 0.3 * images  # every pixel is evidence for both classes
    maps = occlusion(make_one_patch(), bright, BOTH, window=8, score="logit")
    cells = torch.nn.functional.adaptive_avg_pool2d(maps, 4).flatten(2)
    assert (cells.argmax(dim=-1) == PLACE[0] * 4 + PLACE[1]).all()
