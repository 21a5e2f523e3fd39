"""Transition attention maps (TAM, "T-Attn"): attention as a Markov chain from the last block down, times gradients.

The attention of the class token in the last block is the initial state. Each earlier block is one transition, to which
the residual connection adds the previous state. The final state is weighted by the integrated gradient of the last
block's attention.

| symbol of the paper | name here | shape                      |
|---------------------|-----------|----------------------------|
| A^l, mean over heads | attention | batch queries keys        |
| state               | state     | batch queries keys, one state per row |
| W                   | integral  | batch classes queries keys |

formula: state ← state A^l + state, from state = A^L down to the first block; map = (W ⊙ state), the row of the class
token

differs from the original code: nothing by default (all blocks before the last; its other entry point starts at block 4:
`from_block=4`). The versions in MDA and InFlow use the last block twice (`include_last`). The states of all tokens are
computed, so that heads that read several tokens can average them at the end.
"""

from typing import Annotated

import torch

from seewhy.backward.attention import integrated_attention_gradients
from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.types import Images, Maps, Targets


@register_method("t_attn", paper="yuan2021")
def t_attn(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    steps: Annotated[int, at_least(1)] = 20,
    from_block: Annotated[int, at_least(0)] = 0,
    include_last: bool = False,
) -> Maps:
    """Attention multiplied from the last block to the first, times the integrated gradient of the last."""
    with torch.no_grad():
        attention = [weights.mean(dim=1) for weights in model.trace(images).attention]
    state = attention[-1]
    earlier = attention[from_block:] if include_last else attention[from_block:-1]
    for weights in reversed(earlier):
        state = state @ weights + state
    integral = integrated_attention_gradients(model, images, targets, steps=steps)
    return model.to_grid(model.read_rows(integral * state.unsqueeze(1)))
