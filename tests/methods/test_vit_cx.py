"""ViT-CX against a reference implementation, one mask at a time."""

import pytest
import torch

from reference import token_sampling

pytestmark = pytest.mark.usefixtures("in_double")


@pytest.mark.parametrize("threshold", [0.1, 0.3])
def test_reference_implementation(check, threshold):
    reference = lambda m, x, y: token_sampling.vit_cx(m, x, y, threshold, torch.zeros(3, 32, 32))  # noqa: E731
    check("vit_cx", reference, threshold=threshold, noise=0.0)


def test_masked_pixels_get_seeded_noise(check):
    noise = 0.5 * torch.randn(3, 32, 32, generator=torch.Generator().manual_seed(7), dtype=torch.float32).double()
    reference = lambda m, x, y: token_sampling.vit_cx(m, x, y, 2.0, noise)  # noqa: E731
    check("vit_cx", reference, threshold=2.0, noise=0.5, seed=7)
