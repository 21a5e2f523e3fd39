"""The decoder: parameter counts of the paper, output sizes, classes that share computation."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from seewhy.explainers.decoder import Decoder, Sizes
from seewhy.explainers.presets import PRESETS

OFFICIAL, PAPER, SMALL = (PRESETS[name].explainer.shape for name in ("official", "paper", "small"))


def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


@pytest.fixture(scope="module")
def official():
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return Decoder(Sizes((1024,) * 4, 1000, pyramid=False), shape=OFFICIAL).eval()


def test_parameters_of_the_paper(official):
    assert count(official) == 15_977_505
    assert count(official.embedding) == 1_024_000
    assert count(official.fusions) == 2_130_432
    assert sum(count(stage.resize) for stage in official.stages) == 1_901_312
    assert count(official.project) == 147_584


@pytest.mark.parametrize("side", [64, 80])  # 80: 5 patches, an odd number
def test_output_has_the_size_of_the_image(official, side):
    features = [torch.randn(1, 1024, side // 16, side // 16) for _ in range(4)]
    with torch.no_grad():
        maps = official(features, torch.rand(1, 3, side, side), torch.tensor([[3, 4]]))
    assert maps.shape == (1, 2, side, side)
    assert float(maps.abs().max()) < 1  # near zero before training


@pytest.mark.parametrize("shape", [SMALL, PAPER])
def test_classes_share_the_readout_without_changing_it(shape):
    """The paper's linear layer of the concatenation is split into a part for the features and one for the class."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        decoder = Decoder(Sizes((8,) * 4, 5, pyramid=False), shape=shape).eval()
        features = [torch.randn(2, 8, 4, 4) for _ in range(4)]
    images, targets = torch.rand(2, 3, 64, 64), torch.tensor([[1, 3], [0, 2]])
    stage, inputs_of_stage = decoder.stages[2], []
    stage.to_stage.register_forward_hook(lambda _module, inputs, _output: inputs_of_stage.append(inputs[0]))
    with torch.no_grad():
        together = decoder(features, images, targets)
        alone = torch.cat([decoder(features, images, targets[:, k : k + 1]) for k in range(2)], dim=1)
        tokens = features[2].flatten(2).transpose(1, 2)
        classes = decoder.embedding(targets[:, :1]).expand(-1, 16, -1)
        plain = torch.nn.functional.gelu(stage.readout(torch.cat([tokens, classes], dim=2)))
    assert_close(together, alone)
    assert_close(inputs_of_stage[1].flatten(2).transpose(1, 2), plain)


def test_small_explainers_are_small():
    assert count(Decoder(Sizes((128,) * 4, 12, pyramid=False), shape=SMALL)) * 4 < 8e6
    assert count(Decoder(Sizes((24, 40, 112, 320), 1000, pyramid=True), shape=SMALL)) * 4 < 8e6


def test_scores_are_averaged_over_squares():
    """They differ nowhere below the finest grid of training."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        decoder = Decoder(Sizes((8,) * 4, 5, pyramid=False), shape=replace(SMALL, pool=4)).eval()
        features = [torch.randn(1, 8, 4, 4) for _ in range(4)]
    images, scores = torch.rand(1, 3, 64, 64), []
    decoder.head.last.register_forward_hook(lambda _module, _inputs, output: scores.append(output))
    with torch.no_grad():
        maps = decoder(features, images, torch.tensor([[1]]))
    squares = scores[0].view(1, 1, 8, 4, 8, 4).mean(dim=(3, 5))
    assert_close(maps, torch.nn.functional.interpolate(squares, (64, 64), mode="bilinear"))
    assert float(maps.std()) > 0
