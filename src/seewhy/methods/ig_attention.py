"""Integrated gradients on attention: the last block's attention gradient, averaged from the mean color to the image.

| symbol             | name here            | shape                      |
|--------------------|----------------------|----------------------------|
| α x                | (in integrated_attention_gradients) | batch 3 height width    |
| mean_α ∂y/∂A(α x)  | integrated_attention_gradients   | batch classes queries keys |

formula: map = mean_h ReLU(mean_α ∂y/∂A_h(α x)), the row of the class token, last block

This is the "IG" of the MDA and AHA tables.

differs from the paper: it integrates over pixels; here the mean gradient is not multiplied by an input difference, so
the values do not sum to the score. Negative values are set to 0 after averaging, then the mean over heads is taken.
Only the last block is in the graph: the same result without a backward pass through the whole network.
"""

from typing import Annotated

from seewhy.backward.attention import integrated_attention_gradients
from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.types import Images, Maps, Targets


@register_method("ig_attention", paper="sundararajan2017")
def ig_attention(model: ViT, images: Images, targets: Targets, *, steps: Annotated[int, at_least(1)] = 20) -> Maps:
    """Gradient of the last block's attention to each patch, averaged along a path from the mean color to the image."""
    return model.to_grid(model.read_rows(integrated_attention_gradients(model, images, targets, steps=steps)))
