"""AttCAT: input times gradient on the tokens that enter each block, weighted by the attention they receive there.

| symbol of the paper | name here | shape                     |
|---------------------|-----------|---------------------------|
| h^l                 | states    | batch tokens dim          |
| CAT^l = ∂y/∂h^l ⊙ h^l | products | blocks batch classes tokens |
| α^l                 | received  | blocks batch tokens       |

formula: map_i = Σ_l α_i^l (∂y/∂h_i^l · h_i^l)

differs from the paper: it explains text; here patches are the tokens and prefix tokens are excluded. The attention of a
token is the attention it receives, averaged over heads and queries.

known: on DeiT-Tiny about as much negative as positive evidence, as with `ixg_plus`.
"""

import torch

from seewhy.models.vit import ViT
from seewhy.ops.attention import weigh_tokens
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("att_cat", paper="qiang2022", forward_first=True)
def att_cat(model: ViT, images: Images, targets: Targets) -> Maps:
    """Token times gradient times received attention, summed over the blocks."""
    trace = model.trace(images.detach().requires_grad_())
    states = trace.tokens[:-1]
    gradients = model.gradients(model.scores(trace.logits, targets), states)
    products = weigh_tokens(states, gradients)  # CAT^l
    received = torch.stack([weights.detach().mean(dim=(1, 2)) for weights in trace.attention])  # α^l
    total = (received.unsqueeze(2) * products).sum(dim=0)
    return model.to_grid(total[..., model.prefix :])
