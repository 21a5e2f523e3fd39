"""Transition attention maps (TAM, "T-Attn"): attention as a Markov chain from the class token down, times gradients.

The class token's attention in the last block is the first state. Each block below moves it one step, and the residual
path keeps what was there. The states' end is weighted by the integrated gradient of the last block's attention.

| symbol of the paper | name here | shape                      |
|---------------------|-----------|----------------------------|
| A^l, mean over heads | attention | batch queries keys        |
| state               | state     | batch queries keys, one state per row |
| W                   | integral  | batch classes queries keys |

differs from the original code: nothing by default (all blocks below the last; its other entry point starts at block 4:
`from_block=4`). The copies of MDA and InFlow let the last block act twice (`include_last`). States of all tokens are
carried, so that heads which read several tokens can average them at the end.
"""

import torch

from seewhy.backward.attention import integrated_attention_gradients
from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method(
    "t_attn",
    paper="yuan2021",
)
def t_attn(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    steps: int = 20,
    from_block: int = 0,
    include_last: bool = False,
) -> Maps:
    """Attention followed down through the blocks, times the integrated gradient of the last one."""
    with torch.no_grad():
        attention = [weights.mean(dim=1) for weights in model.trace(images).attention]
    state = attention[-1]
    below = attention[from_block:] if include_last else attention[from_block:-1]
    for weights in reversed(below):
        state = state @ weights + state
    integral = integrated_attention_gradients(model, images, targets, steps=steps)
    return model.to_grid(model.read_rows(integral * state.unsqueeze(1)))
