"""LeGrad: how sensitive each block's own class score is to its attention.

Every block gets a score of its own: the mean of its tokens, sent through the final norm and the head. The gradient of
that score with respect to the block's attention, positive part, says which tokens form the feature.

| symbol of the paper | name here | shape                            |
|---------------------|-----------|----------------------------------|
| Z^l                 | tokens    | batch tokens dim                 |
| s^l                 | scores    | batch classes                    |
| ∇A^l                | gradients | batch classes heads queries keys |

differs from the paper: it sums over most blocks, its code over the last two by default, which is our default
(`blocks=12` for all of a small ViT). The paper scales the map to [0, 1]: `normalize`. `token="read"` scores the token
that the head reads instead of the mean of all. The code's special treatment of SigLIP's empty prompt is not here.
Scores of one block need no graph beyond that block: each backward pass walks one block.
"""

from typing import Literal

import torch

from seewhy.models.vit import ViT
from seewhy.ops.resize import unit_range
from seewhy.registry import register_method
from seewhy.types import Images, Logits, Maps, Targets, Tokens


@register_method(
    "legrad",
    paper="bousselham2025",
)
def legrad(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    blocks: int = 2,
    token: Literal["mean", "read"] = "mean",
    normalize: bool = False,
) -> Maps:
    """Positive attention gradients of the last blocks' own scores, averaged over heads and queries."""
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
