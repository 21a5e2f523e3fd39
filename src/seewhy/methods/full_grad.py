"""FullGrad: the input's gradient times input, plus the gradient of every bias of the network, summed over layers.

| symbol of the paper | name here  | shape                                    |
|---------------------|------------|------------------------------------------|
| ∇_x f ⊙ x           | input_term | batch classes 3 height width             |
| f^b(x) = ∇_b f ⊙ b  | terms      | batch classes channels rows cols, by layer |
| ψ                   | normalized_sum |                                      |

formula: map = ψ(∇_x f ⊙ x) + Σ_layers ψ(f^b(x)), ψ: absolute values, scaled to [0, 1], summed over channels

The score of a network of ReLUs is exactly Σ x ∂f/∂x + Σ b ∂f/∂b. Batch normalization has an
implicit bias: β - γ μ / √(σ² + ε).

differs from the paper: biases after the last feature map (of the linear head) have no position and are omitted, as in
the authors' code.

known: for convolutional networks only: attention and layer norm are not piecewise linear, and raise an error.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seewhy.errors import UnsupportedModel
from seewhy.models.classifier import Classifier
from seewhy.ops.resize import resize_maps
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets

BATCH_NORM = nn.modules.batchnorm._BatchNorm


@register_method("full_grad", paper="srinivas2019", may_refuse=True)
def full_grad(model: Classifier, images: Images, targets: Targets) -> Maps:
    """Gradient times input plus the gradients of all biases with positions, each rescaled, summed over layers."""
    terms = bias_terms(model, images, targets)
    size = (images.shape[-2], images.shape[-1])
    return torch.stack([resize_maps(normalized_sum(term), size) for term in terms]).sum(dim=0)


def bias_terms(model: Classifier, images: Images, targets: Targets) -> list[Float[Tensor, "b k channels rows cols"]]:
    """∇_x f ⊙ x, then ∇_b f ⊙ b of every layer with a spatial output."""
    layers = list(layers_with_bias(model.module))
    if not layers:
        raise UnsupportedModel(
            f"{model.name} has no convolution or batch norm with a bias, which FullGrad needs. Use 'gradient'."
        )
    outputs: list[tuple[Tensor, Tensor]] = []  # of a layer, and its bias

    def keep(bias: Tensor) -> Callable[..., Tensor]:
        def hook(_layer: nn.Module, _inputs: object, output: Tensor) -> Tensor:
            outputs.append((output, bias))
            return output.clone()  # later layers may write into it

        return hook

    inputs = images.detach().requires_grad_()
    with ExitStack() as hooks:
        for layer, bias in layers:
            hooks.callback(layer.register_forward_hook(keep(bias)).remove)
        normalized = model.normalize(inputs)
        scores = model.scores(model.as_logits(model.forward(normalized)), targets)
    model.count(forwards=len(images))
    spatial = [(output, bias) for output, bias in outputs if output.ndim == 4 and output.shape[2:].numel() > 1]
    first, *others = model.gradients(scores, [normalized, *(output for output, _ in spatial)])
    products = [grads * bias.view(-1, 1, 1) for grads, (_, bias) in zip(others, spatial, strict=True)]
    return [term.float() for term in (first * normalized.detach().unsqueeze(1), *products)]


def layers_with_bias(network: nn.Module) -> Iterator[tuple[nn.Module, Tensor]]:
    """Convolutions and batch normalizations, with their (implicit) biases."""
    for layer in network.modules():
        if isinstance(layer, nn.Conv2d) and layer.bias is not None:
            yield layer, layer.bias.detach()
        elif isinstance(layer, BATCH_NORM) and layer.running_mean is not None and layer.running_var is not None:
            scale = (layer.running_var + layer.eps).rsqrt() * (1.0 if layer.weight is None else layer.weight.detach())
            shift = 0.0 if layer.bias is None else layer.bias.detach()
            yield layer, shift - scale * layer.running_mean
        elif isinstance(layer, (nn.LayerNorm, nn.MultiheadAttention)):
            raise UnsupportedModel(
                "FullGrad is for convolutional networks, and this one has attention or layer norm. Use 'gradient' or "
                "'input_x_gradient'."
            )


def normalized_sum(terms: Float[Tensor, "b k channels rows cols"]) -> Float[Tensor, "b k rows cols"]:
    """ψ: absolute values, scaled to [0, 1] per image and class, summed over channels."""
    sizes = terms.abs()
    low, high = sizes.amin(dim=(2, 3, 4), keepdim=True), sizes.amax(dim=(2, 3, 4), keepdim=True)
    return ((sizes - low) / (high - low).clamp(min=torch.finfo(sizes.dtype).tiny)).sum(dim=2)
