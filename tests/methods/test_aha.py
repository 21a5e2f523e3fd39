"""AHA as a method: the explainer's map, and steps on the one image that improve it and leave no trace."""

import pytest
import torch
from torch.testing import assert_close

from seewhy.methods.aha import aha
from seewhy.models.explainer import AHAExplainer
from seewhy.models.explainer_loss import Draw, explainer_loss
from seewhy.ops.perturb import evenly_spaced


@pytest.fixture
def folder(tiny_cnn, tmp_path):
    explainer = AHAExplainer(tiny_cnn)
    torch.nn.init.normal_(explainer.decoder.head.last.weight, generator=torch.Generator().manual_seed(0))
    return str(explainer.save(tmp_path))


def test_one_pass(tiny_cnn, images, targets, folder):
    with tiny_cnn.meter() as cost:
        maps = aha(tiny_cnn, images, targets, explainer=folder)
    with torch.no_grad():
        assert_close(maps, AHAExplainer.load(folder, tiny_cnn)(images, targets))
    assert cost.forwards == len(images)


def test_refinement_lowers_the_loss_and_is_forgotten(tiny_cnn, images, targets, folder):
    image, target = images[:1], targets[:1, :1]
    clean = tiny_cnn.probabilities(image).gather(1, target)
    config = AHAExplainer.load(folder, tiny_cnn).config.loss

    def loss(maps):
        totals = []
        for reference in config.references:
            drawn = Draw(14, (0, 0), reference, evenly_spaced(config.steps))
            with tiny_cnn.ready():
                totals.append(
                    explainer_loss(
                        tiny_cnn, image, maps[:, 0], target, clean, config=config, drawn=drawn, tau=0.3
                    ).total
                )
        return float(sum(totals))

    plain = aha(tiny_cnn, image, target, explainer=folder)
    refined = aha(tiny_cnn, image, target, explainer=folder, refine_steps=3, learning_rate=1e-2)
    assert loss(refined) < loss(plain)
    assert_close(aha(tiny_cnn, image, target, explainer=folder), plain)


def test_cost_of_refinement(tiny_cnn, images, targets, folder):
    with tiny_cnn.meter() as cost:
        aha(tiny_cnn, images, targets[:, :1], explainer=folder, refine_steps=2)
    assert cost.forwards == 2 * (1 + 1 + 2 * 30)  # features, clean, then both curves per step
    assert cost.backwards == 2 * 2 * 30
