"""assert_not_looking_at fails for the network that cheats, and only for the mark it cheats by."""

import sys
from pathlib import Path

import pytest
import torch

from seewhy.errors import ShapeError
from seewhy.testing import assert_not_looking_at

sys.path.insert(0, str(Path(__file__).parent / "audits"))
from red_mark import SIDE, color_model, draw


@pytest.fixture(scope="module")
def marked():
    drawn = [draw(index, marked=True) for index in range(0, 36, 3)]
    images = torch.stack([torch.from_numpy(pixels).permute(2, 0, 1).float() for pixels, _, _ in drawn])
    return images, torch.from_numpy(drawn[0][2])


def test_a_cheating_network_fails(marked):
    with pytest.raises(AssertionError, match=r"% of its evidence lies there \(limit 20%"):
        assert_not_looking_at(color_model(), *marked, method="grad_cam")


def test_an_honest_network_and_another_region_pass(marked):
    images, mark = marked
    assert_not_looking_at(color_model(cheats=False), images, mark, method="grad_cam")
    assert_not_looking_at(color_model(), images, mark.flip(0), method="grad_cam")


def test_the_effect_alone_is_enough(marked):
    with pytest.raises(AssertionError, match="lowers the probability"):
        assert_not_looking_at(color_model(), *marked, method="grad_cam", share=1.0, effect=0.01)


def test_masks_of_another_size_are_refused(marked):
    with pytest.raises(ShapeError, match=str(SIDE)):
        assert_not_looking_at(color_model(), marked[0], torch.zeros(7, 7, dtype=torch.bool))
