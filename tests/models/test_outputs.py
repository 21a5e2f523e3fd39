"""What the outputs of a network mean: single logits, labels, probabilities, dicts, target functions, features."""

from collections import OrderedDict

import pytest
import torch
from captum.attr import InputXGradient, IntegratedGradients, LayerGradCam
from torch import nn

import seewhy
from conftest import TINY, TinyCNN, shake
from seewhy.errors import InputError, ModelError, OptionError, SeewhyWarning
from seewhy.models.outputs import Outputs


def network(outputs=5, end=None):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = TinyCNN()
        net.head = nn.Linear(12, outputs)
        shake(net)
    return net if end is None else nn.Sequential(net, end).eval()


class Returns(nn.Module):
    def __init__(self, net, make):
        super().__init__()
        self.net, self.make = net, make

    def forward(self, x):
        return self.make(self.net(x))


def wrapped(module, **options):
    return seewhy.wrap_model(module, image_size=32, mean=TINY.mean, std=TINY.std, **options)


def test_a_single_logit_is_seen_as_two_classes(images):
    model = wrapped(network(1), class_names=["fine", "broken"])
    logit = model.module(model.normalize(images))
    torch.testing.assert_close(
        model.probabilities(images), torch.cat([(-logit).sigmoid(), logit.sigmoid()], 1).detach()
    )
    torch.testing.assert_close(model.logits(images)[:, 1:], logit)
    explanation = seewhy.explain(model, images, "gradient", targets=[0, 1])
    torch.testing.assert_close(explanation.maps[:, 0], -explanation.maps[:, 1])
    assert not torch.equal(*seewhy.explain(model, images, "input_x_gradient", targets=[0, 1]).maps.transpose(0, 1))
    squeezed = wrapped(Returns(network(1), lambda out: out.squeeze()))
    torch.testing.assert_close(squeezed.probabilities(images[:1]), model.probabilities(images[:1]))


@pytest.mark.parametrize("end", [nn.Softmax(dim=1), nn.Sigmoid()])
@pytest.mark.parametrize("functional", [False, True])
def test_probabilities_are_not_squashed_again(end, functional, images):
    plain = network()
    model = wrapped(Returns(plain, end.forward) if functional else network(end=end))
    assert model.outputs.kind == "probabilities"
    torch.testing.assert_close(model.probabilities(images), end(plain(model.normalize(images))).detach())


@pytest.mark.parametrize("number", [1, 5])
@pytest.mark.parametrize(
    "end",
    [
        lambda out: out.sigmoid().double().squeeze(),
        lambda out: out.sigmoid().clamp(1e-6, 1 - 1e-6)[:, :4],
        lambda out: torch.stack([out.sigmoid(), (2 * out).sigmoid()]).mean(0),  # an ensemble
        nn.functional.hardsigmoid,
    ],
)
def test_probabilities_in_another_shape_or_type_are_still_probabilities(number, end):
    assert wrapped(Returns(network(number), end)).outputs.kind == "probabilities"


def test_outputs_of_a_single_image_may_be_squeezed(images):
    module = network()
    model, plain = wrapped(Returns(module, lambda out: out.squeeze())), wrapped(module)
    for some in (images, images[:1]):
        torch.testing.assert_close(model.logits(some), plain.logits(some))
    ours, theirs = (seewhy.explain(each, images[:1], "occlusion", 3, window=8, stride=8) for each in (model, plain))
    torch.testing.assert_close(ours.maps, theirs.maps)


@pytest.mark.parametrize("end", [lambda out: out.mean(), lambda out: out.flatten(), lambda out: out[:1]])
@pytest.mark.parametrize("outputs", [None, "softmax"])
def test_a_network_must_answer_for_every_image(end, outputs):
    with pytest.raises(ModelError, match=r"must return logits of shape \(batch, classes\), got .* for 2 images"):
        wrapped(Returns(network(), end), outputs=outputs)


def test_gates_and_attention_before_the_head_are_not_probabilities():
    assert wrapped(Returns(network(), lambda out: 9 * out * out.sigmoid())).outputs.kind == "softmax"
    head = nn.Linear(5, 4)
    nn.init.constant_(head.weight, 0.1)
    assert wrapped(Returns(network(), lambda out: head(out.softmax(1)).abs())).outputs.kind == "softmax"
    nn.init.constant_(head.bias, 0.2)
    assert wrapped(Returns(network(), lambda out: head(out.softmax(1)))).outputs.kind == "softmax"


@pytest.mark.parametrize(
    ("end", "message"),
    [
        (lambda out: out.argmax(1), "torch.int64: class indices have no scores"),
        (lambda out: out.argmax(1, keepdim=True), "torch.int64: class indices have no scores"),
        (lambda out: 100 * out.softmax(1), "look like percentages"),
    ],
)
def test_decisions_and_percentages_are_not_logits(end, message):
    with pytest.raises(ModelError, match=message):
        wrapped(Returns(network(), end))


@pytest.mark.parametrize("end", [lambda out: nn.functional.dropout(out, training=True), lambda out: out - out.mean(0)])
def test_outputs_that_do_not_repeat_are_said(end):
    """Random numbers in evaluation mode, and outputs that depend on the other images of a batch."""
    with pytest.warns(SeewhyWarning, match="different outputs from pass to pass"):
        wrapped(Returns(network(), end))


def test_networks_without_values_are_refused():
    with pytest.raises(InputError, match=r"head\.weight has no values yet"):
        wrapped(nn.Sequential(OrderedDict(body=nn.Flatten(), head=nn.Linear(3 * 32 * 32, 5, device="meta"))))
    with pytest.raises(InputError, match=r"head\.weight has no values yet"):
        wrapped(nn.Sequential(OrderedDict(body=nn.Flatten(), head=nn.LazyLinear(5))))


def test_labels_are_asked_for(images):
    assert wrapped(network()).outputs == Outputs("softmax")
    model = wrapped(network(), outputs="sigmoid")
    torch.testing.assert_close(model.probabilities(images), model.logits(images).sigmoid())
    assert model.fingerprint != wrapped(network()).fingerprint
    with pytest.raises(OptionError, match="'softmax', 'sigmoid' or 'probabilities'"):
        wrapped(network(), outputs="relu")


def test_a_dict_without_a_known_key(images):
    module = Returns(network(), lambda out: {"features": out.detach(), "classes": out})
    with pytest.raises(ModelError, match=r"'features', 'classes'.*output_key="):
        wrapped(module)
    torch.testing.assert_close(wrapped(module, output_key="classes").logits(images), wrapped(network()).logits(images))
    with pytest.raises(InputError, match="output_key='labels' is not in the output"):
        wrapped(module, output_key="labels")


@pytest.mark.parametrize("last", [3, 1])
def test_a_network_that_ends_in_pooling(last):
    """Pooled class maps of a 1x1 convolution are logits; what other layers leave are features, unless told."""
    layers = [nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 5, last), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    module = nn.Sequential(*layers)
    if last == 1:
        assert wrapped(module).outputs == Outputs("softmax")
        return
    with pytest.raises(ModelError, match="its 5 outputs are features"):
        wrapped(module)
    assert wrapped(module, outputs="softmax").outputs == Outputs("softmax")


@pytest.mark.parametrize("build", ["identity", "timm"])
def test_features_are_not_logits(build):
    from seewhy.models.timm import import_timm

    module = import_timm().create_model("test_resnet", num_classes=0) if build == "timm" else network()
    if build == "identity":
        module.head = nn.Identity()
    with pytest.raises(ModelError, match=r"has no classification head: its .* outputs are features"):
        wrapped(module)


def score(outputs):
    """A regression: the difference of two outputs."""
    return outputs[:, 2] - outputs[:, 0]


METHODS = {"input_x_gradient": InputXGradient, "integrated_gradients": IntegratedGradients, "grad_cam": LayerGradCam}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("kind", ["binary", "labels", "target"])
def test_equal_to_captum(name, kind):
    """Captum gets the score as a function; ours comes from the wrapped model."""
    images = torch.rand(4, 3, 32, 32, generator=torch.Generator().manual_seed(2))
    module = network(1 if kind == "binary" else 5)
    model = wrapped(module, outputs="sigmoid" if kind == "labels" else None)
    function = {
        "binary": lambda x: module(x)[:, 0],
        "labels": lambda x: module(x)[:, 3],
        "target": lambda x: score(module(x)),
    }
    targets = {"binary": 1, "labels": 3, "target": score}[kind]
    options = {"relu": False} if name == "grad_cam" else {"steps": 50} if name == "integrated_gradients" else {}
    ours = seewhy.explain(model, images, name, targets, **options).maps[:, 0]
    theirs = captum(name, function[kind], module, model, images)
    for mine, other in zip(ours, theirs, strict=True):
        assert torch.corrcoef(torch.stack([mine.flatten(), other.flatten()]))[0, 1] > 0.9999


def captum(name, function, module, model, images):
    normalized = model.normalize(images).requires_grad_()
    if name == "grad_cam":
        return LayerGradCam(function, module.body).attribute(normalized)[:, 0].detach()
    if name == "integrated_gradients":
        return IntegratedGradients(function).attribute(normalized, n_steps=50).sum(1).detach()
    return InputXGradient(function).attribute(normalized).sum(1).detach()


def test_a_target_function_needs_no_logits(images):
    """A dense output: only the function makes a score of it."""
    module = nn.Conv2d(3, 4, 3).eval()
    target = lambda out: out[:, 1].mean(dim=(-2, -1))  # noqa: E731
    model = seewhy.wrap_model(module, image_size=32, target=target)
    assert model.logits(images).shape == (2, 1)
    maps = seewhy.explain(model, images, "gradient").maps
    assert maps.shape == (2, 1, 32, 32)
    assert maps.std() > 0
    with pytest.raises(ModelError, match="must return a score per image"):
        seewhy.explain(model, images, "gradient", lambda out: out)


@pytest.mark.parametrize("given", [{}, {"output_key": "pooler_output"}])
def test_a_network_of_hugging_face_without_a_head_is_refused(given):
    class Headless(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = TinyCNN()

        def forward(self, x):
            return {"last_hidden_state": self.body(x)[:, None], "pooler_output": self.body(x).tanh()}

    with pytest.raises(ModelError, match="no classification head"):
        seewhy.wrap_model(Headless(), image_size=32, **given)
