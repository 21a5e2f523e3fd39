"""Integrated gradients on attention: the last block's attention gradient, averaged from the mean color to the image.

| symbol             | name here            | shape                      |
|--------------------|----------------------|----------------------------|
| α x                | (in integrated_attention_gradients) | batch 3 height width    |
| mean_α ∂y/∂A(α x)  | integrated_attention_gradients   | batch classes queries keys |

This is the "IG" of the MDA and AHA tables.

differs from the paper: it integrates over pixels; here nothing multiplies the mean gradient by an input difference, so
the values do not add up to the score. Negatives become 0 after averaging, then the mean over heads is taken. Only the
last block is in the graph, which gives the same numbers as the whole network at the cost of its forward passes.
"""

from seewhy.backward.attention import integrated_attention_gradients
from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("ig_attention", paper="sundararajan2017")
def ig_attention(model: ViT, images: Images, targets: Targets, *, steps: int = 20) -> Maps:
    """How the class logit rises with the last block's attention to each patch, over a path of images."""
    return model.to_grid(model.read_rows(integrated_attention_gradients(model, images, targets, steps=steps)))
