"""The CAM family against reference implementations in numpy, Captum, and known answers."""

import numpy as np
import pytest
import torch
from torch.nn.functional import interpolate

from conftest import TINY, make_tiny_cnn, make_tiny_vit, shake
from one_patch import make_one_patch, share_at_place
from reference import cams
from seewhy.models.module import ModuleClassifier
from seewhy.models.timm import import_timm
from seewhy.registry import resolve_method

GRADIENT_CAMS = ["grad_cam_pp", "hires_cam", "layer_cam"]
FAMILY = [*GRADIENT_CAMS, "score_cam", "ablation_cam"]


def run(name, model, images, targets, **options):
    return resolve_method(name)(model, images, targets, **options).maps


def features_and_gradients(module, normalized, target):
    """Of TinyCNN's body, by hand."""
    features = module.body(normalized).detach().requires_grad_()
    score = module.head(module.pool(features).flatten(1))[0, target]
    (gradients,) = torch.autograd.grad(score, features)
    return features.detach()[0].double().numpy(), gradients[0].double().numpy()


@pytest.mark.parametrize("name", GRADIENT_CAMS)
def test_reference_implementation(name, images, targets):
    model = make_tiny_cnn()
    maps = run(name, model, images, targets, relu=False)
    for index, k in np.ndindex(*targets.shape):
        normalized = model.normalize(images[index : index + 1])
        slow = getattr(cams, name)(*features_and_gradients(model.module, normalized, targets[index, k]))
        torch.testing.assert_close(maps[index, k].double(), torch.from_numpy(slow), rtol=1e-4, atol=1e-5)


def test_hires_cam_is_grad_cam_with_global_average_pooling(tiny_cnn, images, targets):
    hires, plain = (run(name, tiny_cnn, images, targets, relu=False) for name in ("hires_cam", "grad_cam"))
    torch.testing.assert_close(hires, plain, rtol=1e-4, atol=1e-6)
    score = tiny_cnn.scores(tiny_cnn.logits(images), targets) - tiny_cnn.module.head.bias[targets]
    torch.testing.assert_close(hires.sum(dim=(-2, -1)), score, rtol=1e-4, atol=1e-4)  # CAM sums to the logit
    assert hires.shape[-2:] == (8, 8)


def test_hires_cam_and_grad_cam_equal_captum(tiny_cnn, images, targets):
    from captum.attr import LayerGradCam, LayerGradientXActivation

    module, normalized = tiny_cnn.module, tiny_cnn.normalize(images)
    target = targets[:, 0]
    theirs = LayerGradCam(module, module.body).attribute(normalized, target=target)
    torch.testing.assert_close(run("grad_cam", tiny_cnn, images, targets[:, :1], relu=False), theirs.detach())
    product = LayerGradientXActivation(module, module.body).attribute(normalized, target=target)
    ours = run("hires_cam", tiny_cnn, images, targets[:, :1], relu=False)
    torch.testing.assert_close(ours, product.sum(dim=1, keepdim=True).detach(), rtol=1e-4, atol=1e-6)


def test_score_cam_reference_implementation(tiny_cnn, images, targets):
    features = tiny_cnn.module.body(tiny_cnn.normalize(images)).detach()
    varying = features.amax(dim=(-2, -1)) > features.amin(dim=(-2, -1))
    assert varying.all(), "the reference implementation has no rule for a constant channel"
    maps = run("score_cam", tiny_cnn, images, targets, relu=False)
    for index, k in np.ndindex(*targets.shape):

        def score(mask, index=index, k=k):
            # the mask's range is taken after resizing, so undo: resize, then scale again
            large = interpolate(torch.from_numpy(mask)[None, None].float(), (32, 32), mode="bilinear")
            large = (large - large.min()) / (large.max() - large.min())
            with torch.no_grad():
                return tiny_cnn.module(tiny_cnn.normalize(images[index : index + 1]) * large)[
                    0, targets[index, k]
                ].item()

        slow = cams.score_cam(features[index].double().numpy(), score)
        torch.testing.assert_close(maps[index, k].double(), torch.from_numpy(slow), rtol=1e-4, atol=1e-5)


def test_score_cam_with_fewer_channels_takes_fewer_passes(tiny_cnn, images, targets):
    with tiny_cnn.meter() as full:
        run("score_cam", tiny_cnn, images, targets)
    with tiny_cnn.meter() as some:
        run("score_cam", tiny_cnn, images, targets, max_channels=3)
    assert full.forwards == 2 * (1 + 12)
    assert some.forwards == 2 * (1 + 3)


@pytest.mark.parametrize("kind", ["cnn", "vit"])
def test_ablation_cam_reference_implementation(kind, images, targets):
    model = make_tiny_cnn() if kind == "cnn" else make_tiny_vit()
    maps = run("ablation_cam", model, images, targets, relu=False)
    for index, k in np.ndindex(*targets.shape):
        split = model.split(images[index : index + 1])

        def score(features, split=split, index=index, k=k):
            with torch.no_grad():
                return split.head(torch.from_numpy(features).float()[None])[0, targets[index, k]].item()

        slow = cams.ablation_cam(split.features.detach()[0].double().numpy(), score)
        torch.testing.assert_close(maps[index, k].double(), torch.from_numpy(slow), rtol=1e-3, atol=1e-4)


def test_ablation_cam_keeps_its_sign_for_a_negative_logit(tiny_cnn, images):
    """All features support the class: its evidence stays positive even if the logit is negative."""
    with torch.no_grad():
        tiny_cnn.module.head.weight.fill_(0.1)
        tiny_cnn.module.head.bias.fill_(-50.0)
    targets = torch.zeros(2, 1, dtype=torch.long)
    assert (tiny_cnn.logits(images) < 0).all()
    maps = run("ablation_cam", tiny_cnn, images, targets, relu=False)
    assert maps.min() >= 0
    assert maps.max() > 0


class SharedActivation(torch.nn.Module):
    """TinyCNN with one ReLU module used twice, which is then the last layer with a feature map."""

    def __init__(self, tiny, *, stores_batch_size=False):
        super().__init__()
        self.stores_batch_size = stores_batch_size  # the batch size of the input
        self.convs, self.pool, self.head = torch.nn.ModuleList([tiny.body[0], tiny.body[2]]), tiny.pool, tiny.head
        self.relu = torch.nn.ReLU()

    def forward(self, x):
        batch = len(x)
        for conv in self.convs:
            x = self.relu(conv(x))
        return self.head(self.pool(x).view(batch, -1) if self.stores_batch_size else self.pool(x).flatten(1))


@pytest.mark.parametrize("stores_batch_size", [False, True])
@pytest.mark.parametrize("name", FAMILY)
def test_a_module_used_twice(name, stores_batch_size, tiny_cnn, images, targets):
    shared = ModuleClassifier(
        SharedActivation(make_tiny_cnn().module, stores_batch_size=stores_batch_size), TINY, name="shared"
    )
    assert shared.feature_layer.name == "relu"
    torch.testing.assert_close(run(name, shared, images, targets), run(name, tiny_cnn, images, targets))


def needs_64_pixels(_module, inputs):
    """A network with a fixed input size."""
    inputs[0].unflatten(-1, (4, 16))


@pytest.mark.parametrize("fixed", [False, True], ids=["any size", "one size"])
def test_a_network_that_stores_its_batch_size_is_run_again_on_small_images(fixed):
    """A quarter of the pixels at a quarter of the cost, unless the input size is fixed."""
    module = SharedActivation(make_tiny_cnn().module, stores_batch_size=True)
    if fixed:
        module.register_forward_pre_hook(needs_64_pixels)
    model = ModuleClassifier(module, TINY.__class__(size=(64, 64)), name="stores_batch_size")
    images = torch.rand(1, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    split = model.split(images)
    features = torch.cat([split.features, 0 * split.features, split.features.flip(-1)]).detach()
    split.head(features)
    with model.meter() as cost:
        logits = split.head(features)
    torch.testing.assert_close(logits, module.head(module.pool(features).flatten(1)))
    assert cost.forwards == pytest.approx(3 if fixed else 0.75, rel=1e-3)


@pytest.mark.parametrize("name", FAMILY)
def test_a_model_that_reads_one_patch(name, images):
    model = make_one_patch()
    targets = torch.tensor([[0, 1], [0, 1]])
    maps = run(name, model, images, targets)
    if name in ("hires_cam", "layer_cam"):  # elementwise: no other patch may be in the map
        torch.testing.assert_close(share_at_place(maps), torch.ones(2, 2))
    assert maps.amax(dim=(-2, -1)).min() > 0


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("architecture", ["resnet18", "convnext_atto"])
def test_runs_on_common_networks(name, architecture):
    timm = import_timm()

    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = shake(timm.create_model(architecture, num_classes=4), scale=0.02)
    model = ModuleClassifier(module, TINY.__class__(size=(64, 64)), name=architecture)
    images = torch.rand(1, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    options = {"max_channels": 4} if name == "score_cam" else {}
    maps = run(name, model, images, torch.tensor([[0, 2]]), relu=False, **options)
    assert maps.shape == (1, 2, 2, 2)
    assert maps.isfinite().all()
    assert maps.abs().max() > 0
