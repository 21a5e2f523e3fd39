"""Gradients of the class score with respect to the last block's attention, integrated along a path of images."""

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.types import Images, Targets


def integrated_attention_gradients(
    model: ViT, images: Images, targets: Targets, *, steps: int
) -> Float[Tensor, "batch classes queries keys"]:
    """Mean of d logit / d A^L along the line from the mean color to the image, clamped at 0, averaged over heads.

    The `steps` images of the path, endpoints included, run in chunks. Only the last block is backpropagated.
    """
    mean = images.new_tensor(model.mean).view(-1, 1, 1)
    alphas = torch.linspace(0, 1, steps, dtype=images.dtype, device=images.device)
    total: Tensor | None = None
    for part in torch.arange(steps * len(images), device=images.device).split(model.chunk):
        step, image = part // len(images), part % len(images)
        weights, logits = model.last_attention(torch.lerp(mean, images[image], alphas[step].view(-1, 1, 1, 1)))
        scores = model.scores(logits, targets[image])
        (gradients,) = model.gradients(scores, [weights], share=1 / len(model.blocks))
        total = gradients.new_zeros(len(images), *gradients.shape[1:]) if total is None else total
        total.index_add_(0, image, gradients)
    assert total is not None
    return (total / steps).clamp(min=0).mean(dim=2)
