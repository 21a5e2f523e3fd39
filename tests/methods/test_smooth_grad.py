"""SmoothGrad against Captum's NoiseTunnel and against the mean of single gradients."""

import torch

from conftest import make_tiny_cnn
from one_patch import make_one_patch, share_at_place
from seewhy.methods.gradient import gradient
from seewhy.methods.smooth_grad import smooth_grad


def test_no_noise_is_the_gradient(tiny_vit, images, targets):
    torch.testing.assert_close(
        smooth_grad(tiny_vit, images, targets, samples=3, noise=0.0), gradient(tiny_vit, images, targets)
    )


def test_mean_of_single_gradients(tiny_cnn, images, targets):
    ours = smooth_grad(tiny_cnn, images, targets, samples=4, noise=0.2, seed=5)
    shifts = torch.randn(4, 3, 32, 32, generator=torch.Generator().manual_seed(5))
    for index, image in enumerate(images):
        noisy = image + 0.2 * (image.max() - image.min()) * shifts
        single = [gradient(tiny_cnn, one[None], targets[index : index + 1])[0] for one in noisy]
        torch.testing.assert_close(ours[index], sum(single) / 4, rtol=1e-4, atol=1e-6)


def test_close_to_captum_with_many_samples(images):
    """Different noise, same expectation: the two agree far better than either with the plain gradient."""
    from captum.attr import NoiseTunnel, Saliency

    model, image, target = make_tiny_cnn(), images[:1], torch.tensor([[3]])
    network = torch.nn.Sequential(Normalized(model), model.module)
    sigma = 0.5 * float(image.max() - image.min())
    with torch.random.fork_rng():
        torch.manual_seed(0)
        theirs = NoiseTunnel(Saliency(network)).attribute(
            image, nt_samples=1500, nt_samples_batch_size=250, stdevs=sigma, target=3, abs=False
        )
    theirs = theirs.sum(dim=1, keepdim=True)
    ours = smooth_grad(model, image, target, samples=1500, noise=0.5)
    plain = gradient(model, image, target)
    assert (ours - theirs).norm() < 0.2 * (plain - theirs).norm()


class Normalized(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = [model]

    def forward(self, images):
        return self.model[0].normalize(images)


def test_seed_and_largest_absolute_channel(tiny_cnn, images, targets):
    first, again, other = (smooth_grad(tiny_cnn, images, targets, samples=3, seed=seed) for seed in (0, 0, 1))
    torch.testing.assert_close(first, again, rtol=0, atol=0)
    assert not torch.equal(first, other)
    assert smooth_grad(tiny_cnn, images, targets, samples=3, channels="max").min() >= 0


def test_a_model_that_reads_one_patch(images):
    maps = smooth_grad(make_one_patch(), images, torch.tensor([[0, 1], [1, 0]]), samples=4)
    torch.testing.assert_close(share_at_place(maps), torch.ones(2, 2))
