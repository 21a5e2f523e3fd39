"""The feature layer of CAM methods: found in the last quarter of any network, or refused; chosen by name or index."""

import pytest
import torch
from torch import nn

import seewhy
from conftest import make_tiny_cnn, make_tiny_vit, shake
from seewhy.errors import OptionError, UnknownName, UnsupportedModel
from seewhy.models.layouts import Layout, is_local, layouts_of, quadrant_images
from seewhy.registry import METHODS, resolve_method

CAMS = [method.name for method in METHODS.all() if method.features]


def run(name, model, images, targets, **options):
    return resolve_method(name)(model, images, targets, **options).maps


class Tokens(nn.Module):
    """A transformer of an unknown library: patches, a class token, blocks; the head reads the token or the mean."""

    def __init__(self, *, reads_token=True, transposed=False):
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 8, stride=8)
        self.token = nn.Parameter(torch.randn(1, 1, 16))
        layers = [nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, norm_first=True) for _ in range(4)]
        self.layers = nn.ModuleList(layers)
        self.mix = nn.ModuleList(nn.Conv1d(16, 16, 1) for _ in range(12)) if transposed else ()
        self.head, self.reads_token = nn.Linear(16, 5), reads_token

    def forward(self, x):
        x = self.patches(x).flatten(2)
        for mix in self.mix:  # channels, positions: a layout that is not read
            x = x + mix(x.repeat(1, 1, 50))[..., : x.shape[2]]
        x = x.transpose(1, 2)
        x = torch.cat([self.token.expand(len(x), -1, -1), x], dim=1)
        for layer in self.layers if not self.mix else ():
            x = layer(x)
        return self.head(x[:, 0] if self.reads_token else x.mean(dim=1))


def wrapped(**options):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return seewhy.wrap_model(shake(Tokens(**options), scale=0.1), image_size=32)


def test_patch_tokens_after_the_last_attention_do_not_count():
    layer = wrapped().feature_layer
    assert layer.name == "layers.3.norm1"
    assert layer.layout == Layout("tokens", (4, 4), prefix=1)
    assert wrapped(reads_token=False).feature_layer.name == "layers.3"


def test_token_maps_are_those_of_the_patches(images):
    """The map of a token sequence is the gradient times the tokens, on the grid, without the class token."""
    model = wrapped(reads_token=False)
    found = run("hires_cam", model, images, torch.tensor([[1], [2]]), relu=False)
    kept = {}
    handle = model.module.layers[3].register_forward_hook(lambda _m, _i, out: kept.update(tokens=out))
    logits = model.module(model.normalize(images))
    handle.remove()
    score = logits[0, 1] + logits[1, 2]
    (gradient,) = torch.autograd.grad(score, kept["tokens"])
    expected = (gradient * kept["tokens"])[:, 1:].sum(-1).view(2, 1, 4, 4)
    torch.testing.assert_close(found, expected.detach(), rtol=1e-4, atol=1e-6)


def test_a_network_that_cannot_be_read_is_refused(images):
    with pytest.raises(UnsupportedModel, match="spatial outputs of an unknown layout"):
        run("grad_cam", wrapped(reads_token=False, transposed=True), images, torch.tensor([[1], [2]]))


@pytest.mark.parametrize("kind", ["cnn", "vit"])
@pytest.mark.parametrize("name", CAMS)
def test_layer_by_name_module_and_index(name, kind, images, targets):
    model = make_tiny_cnn() if kind == "cnn" else make_tiny_vit()
    path, index = ("body.0", 0) if kind == "cnn" else ("blocks.1.norm1", 1)
    if name == "guided_grad_cam" and kind == "vit":
        pytest.skip("needs ReLU")
    by_name = run(name, model, images, targets, layer=path)
    torch.testing.assert_close(run(name, model, images, targets, layer=model.module.get_submodule(path)), by_name)
    torch.testing.assert_close(run(name, model, images, targets, layer=index), by_name, rtol=1e-3, atol=1e-5)
    assert not torch.equal(by_name.sum(), run(name, model, images, targets).sum())
    assert model.layer is None


def test_unknown_layers_say_what_is_there(tiny_cnn, tiny_vit, images, targets):
    with pytest.raises(UnknownName, match=r"body\.1"):
        run("grad_cam", tiny_cnn, images, targets, layer="body.9")
    with pytest.raises(OptionError, match="from -2 to 1"):
        run("grad_cam", tiny_cnn, images, targets, layer=5)
    with pytest.raises(OptionError, match="from -4 to 3"):
        run("grad_cam", tiny_vit, images, targets, layer=4)
    with pytest.raises(OptionError, match="not part of the network"):
        run("grad_cam", tiny_cnn, images, targets, layer=nn.Linear(2, 2))
    with pytest.raises(UnsupportedModel, match="choose an earlier layer"):
        run("grad_cam", tiny_vit, images, targets, layer="norm")


def test_the_meter_counts_the_backward_pass_that_happens(tiny_cnn, tiny_vit, images, targets):
    for model, layer, least, most in (
        (tiny_cnn, "body.0", 1, 3.9),
        (tiny_vit, 1, 2.9, 3.1),
        (tiny_vit, None, 0.9, 1.1),
    ):
        with model.meter() as cost:
            run("grad_cam", model, images, targets, layer=layer)
        assert least <= cost.backwards <= most
        assert cost.forwards == pytest.approx(2)


def test_every_method_that_cuts_the_network_takes_a_layer(monkeypatch, images, targets):
    """A new CAM method that forgets `features=True` fails here."""
    from seewhy.models.module import ModuleClassifier

    cuts = []
    split = ModuleClassifier.split
    monkeypatch.setattr(ModuleClassifier, "split", lambda model, images: cuts.append(1) or split(model, images))
    for method in METHODS.all():
        if "cam" in method.name and not method.wraps and resolve_method(method.name).supports(model := make_tiny_cnn()):
            cuts.clear()
            run(method.name, model, images, targets)
            assert bool(cuts) == method.features, method.name


def test_ablation_runs_the_rest_of_a_network_with_a_residual(images):
    """What goes around the layer (the class token) must be the image's own, not a placeholder's."""
    split = (model := wrapped()).split(images)
    torch.testing.assert_close(split.head(split.features.detach()), split.logits, rtol=1e-4, atol=1e-5)
    twice = split.head(split.features.detach().repeat_interleave(2, dim=0))
    torch.testing.assert_close(twice, model.logits(images).repeat_interleave(2, dim=0), rtol=1e-4, atol=1e-5)


def test_locality_tells_positions_from_channels():
    images = quadrant_images((64, 64), 3)
    maps = nn.functional.avg_pool2d(images, 16)
    assert is_local(maps)
    assert not is_local(maps.transpose(2, 3))
    assert not is_local(maps.flip(-1))
    assert is_local(torch.ones(5, 2, 4, 4)) is None


def test_layouts_of_other_shapes():
    assert layouts_of((1, 5, 7, 14), (224, 448))[0] == Layout("channels first", (7, 14))
    assert layouts_of((1, 7, 14, 96), (224, 448)) == (Layout("channels last", (7, 14)),)
    assert layouts_of((1, 201, 64), (224, 224)) == (Layout("tokens", (14, 14), prefix=5),)
    assert layouts_of((1, 1000), (224, 224)) == ()
