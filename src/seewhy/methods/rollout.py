"""Attention rollout: the product of attention over all blocks, with equal weight for each residual connection.

| symbol of the paper | name here  | shape                    |
|---------------------|------------|--------------------------|
| W_att               | attention  | batch heads queries keys |
| A = 0.5 W_att + 0.5 I | add_identity(…) | batch queries keys |
| Ã                   | flow(…)    | batch queries keys       |

formula: Ã = A_L … A_1 with A = 0.5 W_att + 0.5 I; map = the row of the class token

differs from the paper: nothing with the default options. `discard` and `heads` are those of the widely used
"vit-explain" code, whose row sums lack `keepdim`, so that it divides by columns; here each row is divided by its own
sum. Its exception for the first token (never discarded) is not implemented: the smallest entries are discarded.

known: the border attracts attention in every image: it contains 11 of the 20 strongest patches of DeiT-Tiny, where 5
would be expected by chance.
"""

from collections.abc import Callable
from typing import Annotated, Literal

import torch
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.ops.attention import add_identity, flow, keep_largest
from seewhy.registry import register_method
from seewhy.runtime.options import between
from seewhy.types import Images, Maps, Targets


@register_method("rollout", class_agnostic=True, paper="abnar2020")
def rollout(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    heads: Literal["mean", "max", "min"] = "mean",
    discard: Annotated[float, between(0, 1)] = 0.0,
) -> Maps:
    """Attention from the class token to the patches, multiplied over all blocks; the same map for every class."""
    fusions: dict[str, Callable[..., Tensor]] = {"mean": torch.mean, "max": torch.amax, "min": torch.amin}
    with torch.no_grad():
        attention = model.trace(images).attention
    fused = [keep_largest(fusions[heads](weights, dim=1), discard=discard) for weights in attention]
    joint = flow([add_identity(weights) for weights in fused])  # Ã(l) = A(l) Ã(l-1)
    return model.to_grid(model.read_rows(joint)).unsqueeze(1).repeat(1, targets.shape[1], 1, 1)
