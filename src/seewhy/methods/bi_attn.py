"""Beyond Intuition ("Bi-Attn"), token-wise head form: attention perception times reasoning feedback.

Perception: token relations accumulated block by block from attention whose heads are weighted by their importance to
the class. Reasoning feedback: the integrated gradient of the last block's attention.

| symbol of the paper | name here | shape                            |
|---------------------|-----------|----------------------------------|
| A_h                 | trace.attention | batch heads queries keys   |
| I_h                 | head_importance | batch classes heads        |
| P (perception)      | relations | batch classes queries keys       |
| F (feedback)        | integral  | batch classes queries keys       |

formula: P ← P + (Σ_h I_h A_h) P, block by block from P = 1; map = (F ⊙ P), the row of the class token

differs from the original code: it divides head weights by their sum over heads *and images*, which is correct only for
one image at a time; here the sum is per image. Its second form (tokens weighted by the norms of values) is not
implemented. Heads that pool patches: the mean over the rows of the patches, as in its variants for DINO and MAE.
"""

from typing import Annotated

import torch

from seewhy.backward.attention import integrated_attention_gradients
from seewhy.models.vit import ViT
from seewhy.ops.attention import head_importance
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.types import Images, Maps, Targets


@register_method("bi_attn", paper="chen2023", forward_first=True)
def bi_attn(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    steps: Annotated[int, at_least(1)] = 20,
    from_block: Annotated[int, at_least(0)] = 3,
) -> Maps:
    """Token relations from class-weighted attention heads, times integrated attention gradients.

    `from_block=3` is the fourth block, start_layer 4 of the original code.
    """
    trace = model.trace(images.detach().requires_grad_())
    attention = trace.attention[min(from_block, len(model.blocks) - 1) :]  # a shallow network keeps its last block
    share = len(attention) / len(model.blocks)
    gradients = model.gradients(model.scores(trace.logits, targets), attention, share=share)
    size = attention[0].shape[-1]
    relations = torch.eye(size, dtype=gradients[0].dtype, device=images.device)
    for weights, slope in zip(attention, gradients, strict=True):
        importance = head_importance(weights.detach(), slope)  # I_h
        mixed = torch.einsum("bch,bhij->bcij", importance, weights.detach())
        relations = relations + mixed @ relations
    integral = integrated_attention_gradients(model, images, targets, steps=steps)
    return model.to_grid(model.read_rows(integral * relations))
