"""The CAM family against second writings from forward hooks and plain autograd, Captum, and known answers."""

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
def test_second_writing(name, images, targets):
    model = make_tiny_cnn()
    maps = run(name, model, images, targets, relu=False)
    for index, k in np.ndindex(*targets.shape):
        normalized = model.normalize(images[index : index + 1])
        slow = getattr(cams, name)(*features_and_gradients(model.module, normalized, targets[index, k]))
        torch.testing.assert_close(maps[index, k].double(), torch.from_numpy(slow), rtol=1e-4, atol=1e-5)


def test_hires_cam_is_grad_cam_behind_global_average_pooling(tiny_cnn, images, targets):
    places = 8 * 8
    hires, plain = (run(name, tiny_cnn, images, targets, relu=False) for name in ("hires_cam", "grad_cam"))
    torch.testing.assert_close(hires, plain, rtol=1e-4, atol=1e-6)
    score = tiny_cnn.scores(tiny_cnn.logits(images), targets) - tiny_cnn.module.head.bias[targets]
    torch.testing.assert_close(hires.sum(dim=(-2, -1)), score, rtol=1e-4, atol=1e-4)  # CAM adds up to the logit
    assert hires.shape[-2:].numel() == places


def test_hires_cam_and_grad_cam_equal_captum(tiny_cnn, images, targets):
    from captum.attr import LayerGradCam, LayerGradientXActivation

    module, normalized = tiny_cnn.module, tiny_cnn.normalize(images)
    target = targets[:, 0]
    theirs = LayerGradCam(module, module.body).attribute(normalized, target=target)
    torch.testing.assert_close(run("grad_cam", tiny_cnn, images, targets[:, :1], relu=False), theirs.detach())
    product = LayerGradientXActivation(module, module.body).attribute(normalized, target=target)
    ours = run("hires_cam", tiny_cnn, images, targets[:, :1], relu=False)
    torch.testing.assert_close(ours, product.sum(dim=1, keepdim=True).detach(), rtol=1e-4, atol=1e-6)


def test_score_cam_second_writing(tiny_cnn, images, targets):
    features = tiny_cnn.module.body(tiny_cnn.normalize(images)).detach()
    vivid = features.amax(dim=(-2, -1)) > features.amin(dim=(-2, -1))
    assert vivid.all(), "the second writing has no rule for a flat channel"
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


def test_score_cam_with_fewer_channels_asks_less(tiny_cnn, images, targets):
    with tiny_cnn.meter() as all_of_them:
        run("score_cam", tiny_cnn, images, targets)
    with tiny_cnn.meter() as some:
        run("score_cam", tiny_cnn, images, targets, max_channels=3)
    assert all_of_them.forwards == 2 * (1 + 12)
    assert some.forwards == 2 * (1 + 3)


@pytest.mark.parametrize("kind", ["cnn", "vit"])
def test_ablation_cam_second_writing(kind, images, targets):
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
    """All features of one place help: whatever the sign of the logit, evidence for the class stays positive."""
    with torch.no_grad():
        tiny_cnn.module.head.weight.fill_(0.1)
        tiny_cnn.module.head.bias.fill_(-50.0)
    targets = torch.zeros(2, 1, dtype=torch.long)
    assert (tiny_cnn.logits(images) < 0).all()
    maps = run("ablation_cam", tiny_cnn, images, targets, relu=False)
    assert maps.min() >= 0
    assert maps.max() > 0


class SharedActivation(torch.nn.Module):
    """TinyCNN with one ReLU module used twice, which then is the last layer with places."""

    def __init__(self, tiny, *, remembers=False):
        super().__init__()
        self.remembers = remembers  # how many images came in
        self.convs, self.pool, self.head = torch.nn.ModuleList([tiny.body[0], tiny.body[2]]), tiny.pool, tiny.head
        self.relu = torch.nn.ReLU()

    def forward(self, x):
        batch = len(x)
        for conv in self.convs:
            x = self.relu(conv(x))
        return self.head(self.pool(x).view(batch, -1) if self.remembers else self.pool(x).flatten(1))


@pytest.mark.parametrize("remembers", [False, True])
@pytest.mark.parametrize("name", FAMILY)
def test_a_module_used_twice(name, remembers, tiny_cnn, images, targets):
    shared = ModuleClassifier(SharedActivation(make_tiny_cnn().module, remembers=remembers), TINY, name="shared")
    assert shared.target_layer == "relu"
    torch.testing.assert_close(run(name, shared, images, targets), run(name, tiny_cnn, images, targets))


def needs_64_pixels(_module, inputs):
    """A network of one size: raises for any other."""
    inputs[0].unflatten(-1, (4, 16))


@pytest.mark.parametrize("fixed", [False, True], ids=["any size", "one size"])
def test_a_network_that_remembers_how_many_images_came_in_is_repeated_for_tiny_ones(fixed):
    """A quarter of the pixels, a quarter of the cost; unless the network takes one size only."""
    module = SharedActivation(make_tiny_cnn().module, remembers=True)
    if fixed:
        module.register_forward_pre_hook(needs_64_pixels)
    model = ModuleClassifier(module, TINY.__class__(size=(64, 64)), name="remembers")
    images = torch.rand(1, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    split = model.split(images)
    features = torch.cat([split.features, 0 * split.features, split.features.flip(-1)]).detach()
    split.head(features)
    with model.meter() as cost:
        logits = split.head(features)
    torch.testing.assert_close(logits, module.head(module.pool(features).flatten(1)))
    assert cost.forwards == (3 if fixed else 0.75)


@pytest.mark.parametrize("name", FAMILY)
def test_a_model_that_reads_one_patch(name, images):
    model = make_one_patch()
    targets = torch.tensor([[0, 1], [0, 1]])
    maps = run(name, model, images, targets)
    if name in ("hires_cam", "layer_cam"):  # place by place: nothing else may show at all
        torch.testing.assert_close(share_at_place(maps), torch.ones(2, 2))
    assert maps.amax(dim=(-2, -1)).min() > 0


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("architecture", ["resnet18", "convnext_atto"])
def test_runs_on_networks_people_use(name, architecture):
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
