"""LeGrad: the sensitivity of a class score per block to the attention in that block.

Every block has a class score: the mean of its tokens, passed through the final norm and the head. The positive gradient
of that score with respect to the attention of the block shows which tokens form the feature.

| symbol of the paper | name here | shape                            |
|---------------------|-----------|----------------------------------|
| Z^l                 | tokens    | batch tokens dim                 |
| s^l                 | scores    | batch classes                    |
| ∇A^l                | gradients | batch classes heads queries keys |

formula: map = Σ_l mean over heads and queries of ReLU(∇A^l), ∇A^l = ∂s^l/∂A^l

differs from the paper: it sums over most blocks, its code by default over the last two, which is the default here
(`blocks=12` for all of a small ViT). The paper scales the map to [0, 1]: `normalize`. `token="read"` scores the token
that the head reads instead of the mean of all. The code's special case for the empty prompt of SigLIP is not
implemented. The score of a block needs no graph beyond that block: each backward pass covers one block.
"""

from typing import Annotated, Literal

import torch

from seewhy.models.vit import ViT
from seewhy.ops.resize import unit_range
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.types import Images, Logits, Maps, Targets, Tokens


@register_method("legrad", paper="bousselham2025")
def legrad(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    blocks: Annotated[int, at_least(1)] = 2,
    token: Literal["mean", "read"] = "mean",
    normalize: bool = False,
) -> Maps:
    """Positive gradients of the attention in the last blocks, each from the class score of its block."""
    depth = len(model.blocks)
    start = max(0, depth - blocks)
    with torch.no_grad():
        tokens = model.run(model.embed(images), stop=start)[0][-1]
    states, attention = model.run(tokens.detach().requires_grad_(), start=start)
    parts = []
    for state, weights in zip(states[1:], attention, strict=True):
        scores = model.scores(_pooled_logits(model, state, token), targets)  # s^l
        (gradients,) = model.gradients(scores, [weights], share=1 / depth)
        parts.append(gradients.clamp(min=0).mean(dim=(2, 3)))  # mean over heads and queries
    maps = model.to_grid(torch.stack(parts).sum(dim=0)[..., model.prefix :])
    return unit_range(maps) if normalize else maps


def _pooled_logits(model: ViT, tokens: Tokens, token: Literal["mean", "read"]) -> Logits:
    if token == "read":
        return model.read_out(tokens)
    return model.token_logits(tokens.mean(dim=1, keepdim=True)).squeeze(1)
