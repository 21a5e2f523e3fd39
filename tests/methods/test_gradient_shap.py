import torch
from captum.attr import GradientShap

from seewhy.methods.gradient_shap import gradient_shap
from seewhy.methods.integrated_gradients import integrated_gradients


def test_agrees_with_captum_up_to_sampling(tiny_cnn, images):
    """Same distribution, other draws: with many samples both are close to the expectation."""
    targets = torch.tensor([[1], [3]])
    references = torch.stack([torch.zeros(3, 32, 32), torch.ones(3, 32, 32)])
    ours = gradient_shap(tiny_cnn, images, targets, samples=1500, noise=0.0, reference=references, seed=1)
    torch.manual_seed(0)
    shap = GradientShap(lambda x: tiny_cnn.logits(x))
    theirs = shap.attribute(images, baselines=references, n_samples=1500, stdevs=0.0, target=[1, 3]).sum(dim=1)
    for mine, other in zip(ours[:, 0], theirs, strict=True):
        correlation = torch.corrcoef(torch.stack([mine.flatten(), other.flatten().to(mine)]))[0, 1]
        assert correlation > 0.98


def test_one_reference_and_no_noise_converge_to_integrated_gradients(tiny_cnn, images, targets):
    ours = gradient_shap(tiny_cnn, images, targets, samples=2000, noise=0.0)
    expected = integrated_gradients(tiny_cnn, images, targets).maps
    difference = (ours - expected).abs().mean() / expected.abs().mean()
    assert difference < 0.1
