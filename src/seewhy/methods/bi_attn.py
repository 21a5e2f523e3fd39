"""Beyond Intuition ("Bi-Attn"), token-wise head form: attention perception times reasoning feedback.

Perception: relations R grow block by block through attention whose heads are weighted by their importance to the class.
Reasoning feedback: the integrated gradient of the last block's attention.

| symbol of the paper | name here | shape                            |
|---------------------|-----------|----------------------------------|
| A_h                 | trace.attention | batch heads queries keys   |
| I_h                 | head_importance | batch classes heads        |
| P (perception)      | relations | batch classes queries keys       |
| F (feedback)        | integral  | batch classes queries keys       |

differs from the original code: it divides head weights by their sum over heads *and images*, which is right for one
image at a time only; here each image has its own sum. Its second form (tokens weighted by the norms of values) is not
offered. Heads that pool patches: the mean over the patches' rows, as in its own variants for DINO and MAE.
"""

import torch

from seewhy.backward.attention import integrated_attention_gradients
from seewhy.models.vit import ViT
from seewhy.ops.attention import head_importance
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method(
    "bi_attn",
    paper="chen2023",
)
def bi_attn(model: ViT, images: Images, targets: Targets, *, steps: int = 20, from_block: int = 3) -> Maps:
    """Relations between tokens, built from heads that matter to the class, times integrated gradients.

    `from_block=3` is the fourth block, the original's start_layer 4.
    """
    trace = model.trace(images.detach().requires_grad_())
    attention = trace.attention[min(from_block, len(model.blocks) - 1) :]  # a shallow network keeps its last block
    walked = len(attention) / len(model.blocks)
    gradients = model.gradients(model.scores(trace.logits, targets), attention, share=walked)
    size = attention[0].shape[-1]
    relations = torch.eye(size, dtype=gradients[0].dtype, device=images.device)
    for weights, slope in zip(attention, gradients, strict=True):
        importance = head_importance(weights.detach(), slope)  # I_h
        mixed = torch.einsum("bch,bhij->bcij", importance, weights.detach())
        relations = relations + mixed @ relations
    integral = integrated_attention_gradients(model, images, targets, steps=steps)
    return model.to_grid(model.read_rows(integral * relations))
