"""The prior of an explainer: class-specific maps that need no training, from which the decoder starts.

The model's own head, applied to every position: the class activation map of a CNN that ends in average pooling and a
linear layer, or the logits of a ViT's patch tokens, each as if it were the only token, after every block that the
decoder reads. Optionally, the map of any method as well.
"""

from contextlib import nullcontext
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import instance_norm

from seewhy.explainers.features import Features, class_vectors
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.resize import resize_maps
from seewhy.registry import resolve_method
from seewhy.types import Images, Maps, Targets, Tokens

PriorMaps = Float[Tensor, "cases maps _ _"]  # rows and cols; a case is an image and a class
OUTLIER = 3.0  # standard deviations at which prior maps are clipped


def head_maps(model: Classifier, last: Features, targets: Targets, *, classes: int) -> list[Maps]:
    """Logits of the targets at every position of `last`, the maps that `model_features` appends for the head."""
    with torch.no_grad():
        if isinstance(model, ViT):
            return [_token_logits(model, each.to(model.dtype), targets) for each in last]
        vectors = class_vectors(model, classes)
        if not last or vectors is None or vectors.shape[1] != last[0].shape[1]:
            return []
        return [torch.einsum("bchw,bkc->bkhw", last[0], vectors[targets].to(last[0]))]


def _token_logits(model: ViT, tokens: Float[Tensor, "batch dim rows cols"], targets: Targets) -> Maps:
    logits = model.token_logits(tokens.flatten(2).transpose(1, 2))  # batch patches outputs
    index = targets.unsqueeze(1).expand(-1, logits.shape[1], -1)
    return model.to_grid(logits.gather(2, index).transpose(1, 2))


def method_map(
    model: Classifier, images: Images, targets: Targets, name: str
) -> tuple[list[Maps], list[Tokens] | None]:
    """The map of a method, and h^0 … h^L of a ViT if the method computed them, which saves a forward pass."""
    recorded: Any = model.recorded_traces() if isinstance(model, ViT) else nullcontext([])
    with recorded as traces:
        maps = resolve_method(name)(model, images, targets).maps
    return [maps], next((tokens for traced, tokens in traces if torch.equal(traced, images)), None)


def standardized(maps: list[Float[Tensor, "batch classes _ _"]], *, root: bool = False) -> PriorMaps:
    """Maps resized to one resolution and standardized, with outliers clipped; `root` takes signed square roots first.

    A few large values leave little difference between the others, which roots restore.
    """
    size = (maps[0].shape[-2], maps[0].shape[-1])
    stacked = torch.stack([resize_maps(each, size).flatten(0, 1) for each in maps], dim=1).float()
    stacked = stacked / stacked.abs().amax(dim=(-2, -1), keepdim=True).clamp(min=torch.finfo(stacked.dtype).tiny)
    stacked = stacked.sign() * stacked.abs().sqrt() if root else stacked
    return instance_norm(stacked, eps=1e-8).clamp(-OUTLIER, OUTLIER)
