"""Attention rollout: attention multiplied through the blocks, half of each block being its residual path.

| symbol of the paper | name here  | shape                    |
|---------------------|------------|--------------------------|
| W_att               | attention  | batch heads queries keys |
| A = 0.5 W_att + 0.5 I | add_identity(…) | batch queries keys |
| Ã                   | flow(…)    | batch queries keys       |

differs from the paper: nothing with the default options. `discard` and `heads` are those of the widely used
"vit-explain" code, whose sums over rows lack `keepdim`, so that it divides by columns; here by each row's own sum. Its
exception for the first token (never discarded) is gone: what is discarded is the smallest part, whatever it is.

known: the border draws attention whatever is in the picture: of DeiT-Tiny's 20 strongest patches 11 lie there, by
chance it would be 5.
"""

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.ops.attention import add_identity, flow, keep_largest
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method(
    "rollout",
    class_agnostic=True,
    paper="abnar2020",
)
def rollout(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    heads: Literal["mean", "max", "min"] = "mean",
    discard: float = 0.0,
) -> Maps:
    """Attention followed from the head's token down to the patches; the same map for every class."""
    joins: dict[str, Callable[..., Tensor]] = {"mean": torch.mean, "max": torch.amax, "min": torch.amin}
    with torch.no_grad():
        attention = model.trace(images).attention
    fused = [keep_largest(joins[heads](weights, dim=1), discard=discard) for weights in attention]
    joint = flow([add_identity(weights) for weights in fused])  # Ã(l) = A(l) Ã(l-1)
    return model.to_grid(model.read_rows(joint)).unsqueeze(1).repeat(1, targets.shape[1], 1, 1)
