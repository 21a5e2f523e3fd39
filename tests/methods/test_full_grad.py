import pytest
import torch
from torch import nn

from conftest import TINY, shake
from seewhy.errors import UnsupportedModel
from seewhy.methods.full_grad import bias_terms, full_grad, normalized_sum
from seewhy.models.module import ModuleClassifier


@pytest.fixture
def relu_network():
    module = nn.Sequential(
        nn.Conv2d(3, 6, 3, padding=1, bias=False),
        nn.BatchNorm2d(6),
        nn.ReLU(inplace=True),
        nn.Conv2d(6, 8, 3, stride=2, padding=1),
        nn.ReLU(inplace=True),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 5, bias=False),
    )
    module = shake(module.double())
    module[1].running_mean += torch.linspace(-0.5, 0.5, 6)
    module[1].running_var *= torch.linspace(0.5, 2, 6)
    return ModuleClassifier(module, TINY, name="relu-network")


def test_input_and_bias_terms_sum_to_the_score(relu_network, images, targets):
    """Completeness: f(x) = Σ x ∂f/∂x + Σ b ∂f/∂b, exactly, for a network of ReLUs."""
    terms = bias_terms(relu_network, images.double(), targets)
    total = sum(term.sum(dim=(2, 3, 4)) for term in terms)
    scores = relu_network.scores(relu_network.logits(images.double()), targets)
    torch.testing.assert_close(total, scores.float(), rtol=1e-4, atol=1e-5)


def test_map_is_the_sum_of_rescaled_terms(relu_network, images, targets):
    terms = bias_terms(relu_network, images, targets)
    sizes = terms[0][0, 0].abs()
    torch.testing.assert_close(
        normalized_sum(terms[0])[0, 0], ((sizes - sizes.min()) / (sizes.max() - sizes.min())).sum(0)
    )
    assert full_grad(relu_network, images, targets).shape == (*targets.shape, 32, 32)


def test_networks_with_attention_are_refused(tiny_vit, images, targets):
    with pytest.raises(UnsupportedModel, match="convolutional networks"):
        full_grad(tiny_vit, images, targets)
