"""Infidelity: zero for the weights of a linear model, by hand for others, and against captum."""

import pytest
import torch
from captum.metrics import infidelity as captum_infidelity

from linear_model import two_classes
from seewhy.errors import OptionError
from seewhy.metrics import score_maps
from seewhy.metrics.infidelity import infidelity

WEIGHTS = [[0.7, 0.3]]
TARGET = torch.tensor([[0]])


@pytest.fixture
def white():
    return torch.ones(1, 3, 1, 2, dtype=torch.float64)


def score(image, heatmap, **options):
    heatmaps = torch.tensor(heatmap, dtype=torch.float64).view(1, 1, *image.shape[-2:])
    return float(infidelity(two_classes(WEIGHTS), image, TARGET, heatmaps, **options))


def test_the_weights_of_a_linear_model_have_none(white):
    for options in ({"perturbation": "noisy_baseline"}, {"perturbation": "square", "size": 1}):
        assert score(white, WEIGHTS, normalize=False, **options) == pytest.approx(0, abs=1e-12)
        assert score(white, [[7.0, 3.0]], **options) == pytest.approx(0, abs=1e-12)  # the scale does not matter


def test_one_black_pixel_by_hand(white):
    """I is one of the two pixels, so the map predicts 1 or 0 and the score drops by 0.7 or 0.3."""
    options = dict(perturbation="square", size=1, samples=400, seed=0)
    generator = torch.Generator().manual_seed(0)
    lefts = []
    for start in range(0, 400, 64):
        count = min(64, 400 - start)
        torch.randint(1, (count, 1), generator=generator)  # the only row
        lefts.append(torch.randint(2, (count, 1), generator=generator))
    right = float(torch.cat(lefts).double().mean())
    left = 1 - right
    assert 0.4 < right < 0.6
    plain = left * (1 - 0.7) ** 2 + right * (0 - 0.3) ** 2
    assert score(white, [[1.0, 0.0]], normalize=False, **options) == pytest.approx(plain)
    scaled = right * 0.3**2  # beta = 0.7 explains the first pixel
    assert score(white, [[1.0, 0.0]], **options) == pytest.approx(scaled)
    assert score(white, [[0.0, 0.0]], **options) == pytest.approx(left * 0.7**2 + right * 0.3**2)


@pytest.mark.parametrize("normalize", [False, True])
def test_against_captum(tiny_vit, images, targets, normalize):
    heatmaps = torch.randn(2, 2, 32, 32, generator=torch.Generator().manual_seed(3)) / 100
    found = infidelity(tiny_vit, images, targets, heatmaps, samples=16, normalize=normalize, seed=5)
    for i in range(2):
        noise = torch.randn(16, 3, 32, 32, generator=torch.Generator().manual_seed(5))

        def perturb(inputs, noise=noise):
            perturbed = (0.2 * noise).clamp(0, 1)
            return (inputs - perturbed) / 3, perturbed  # our maps have one value per pixel, captum's one per color

        for k in range(2):
            attribution = heatmaps[i, k].expand(1, 3, -1, -1)
            expected = captum_infidelity(
                tiny_vit.probabilities,
                perturb,
                images[i : i + 1],
                attribution,
                target=int(targets[i, k]),
                n_perturb_samples=16,
                max_examples_per_batch=16,
                normalize=normalize,
            )
            assert float(found[i, k]) == pytest.approx(float(expected), rel=1e-3, abs=1e-7)


def test_options_decide_and_are_checked(tiny_vit, images, targets):
    maps = torch.rand(2, 2, 4, 4, generator=torch.Generator().manual_seed(1))

    def scores(**options):
        given = {"infidelity": {"samples": 8, **options}}
        rows = score_maps(tiny_vit, images, maps, targets, metrics="infidelity", options=given, strict=True)
        return [row["score"] for row in rows]

    assert scores() == scores()
    assert scores() != scores(seed=1)
    assert scores(perturbation="square") != scores(perturbation="square", size=8)
    with pytest.raises(OptionError, match=r"infidelity\.samples must be an int of at least 1, got 0"):
        scores(samples=0)
