import torch

from seewhy.methods.hires_cam import hires_cam
from seewhy.methods.xgrad_cam import xgrad_cam


def test_conserves_the_sum_of_feature_times_gradient(tiny_cnn, tiny_vit, images, targets):
    """The axiom it is named after: Σ map = Σ F ∂S/∂F."""
    for model in (tiny_cnn, tiny_vit):
        ours = xgrad_cam(model, images, targets, relu=False).sum(dim=(-2, -1))
        torch.testing.assert_close(ours, hires_cam(model, images, targets, relu=False).sum(dim=(-2, -1)))


def test_weights_by_hand(tiny_cnn, images, targets):
    features, gradients = tiny_cnn.feature_gradients(images, targets)
    expected = torch.zeros(len(images), targets.shape[1], *features.shape[-2:])
    for b, c, k in torch.cartesian_prod(*map(torch.arange, (len(images), targets.shape[1], features.shape[1]))):
        if features[b, k].sum() > 0:
            share = features[b, k] / features[b, k].sum()
            expected[b, c] += (share * gradients[b, c, k]).sum() * features[b, k]
    torch.testing.assert_close(xgrad_cam(tiny_cnn, images, targets), expected.relu(), rtol=1e-4, atol=1e-5)
