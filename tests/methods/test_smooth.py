import torch

import seewhy
from seewhy.methods.gradient import gradient
from seewhy.registry import resolve_method


def test_smooth_gradient_is_smooth_grad(tiny_vit, images, targets):
    """The mean of gradients at the same noisy copies, computed one by one."""
    maps = resolve_method("smooth:gradient", samples=4, noise=0.2, seed=3)(tiny_vit, images, targets).maps
    generator = torch.Generator().manual_seed(3)
    expected = torch.zeros_like(maps)
    for _ in range(4):
        shift = torch.randn(1, *images.shape[1:], generator=generator)
        for index, image in enumerate(images):
            noisy = image + 0.2 * (image.max() - image.min()) * shift
            expected[index] += gradient(tiny_vit, noisy, targets[index : index + 1])[0] / 4
    torch.testing.assert_close(maps, expected)


def test_flips_are_turned_back(tiny_vit, images, targets):
    maps = resolve_method("smooth:grad_cam", by="flip")(tiny_vit, images, targets).maps
    mirrored = resolve_method("smooth:grad_cam", by="flip")(tiny_vit, images.flip(-1), targets).maps
    torch.testing.assert_close(maps, mirrored.flip(-1))
    assert not torch.equal(maps, resolve_method("grad_cam")(tiny_vit, images, targets).maps)


def test_composes(tiny_vit, images):
    assert seewhy.explain(tiny_vit, images, "var:smooth:grad_cam", [0, 1], samples=2).maps.shape[1] == 2
