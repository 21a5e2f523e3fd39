"""Simple Deletion: the drop in the class score when the pixels of a patch and its neighbors are removed.

The input-level counterpart of CAAP (its appendix B.2): no intervention inside the network.

| symbol of the paper | name here     | shape                                  |
|---------------------|---------------|----------------------------------------|
| x, x_0              | images, x_0   | batch 3 height width, 1 3 height width |
| S(p_i)              | windows[i]    | patches patches                        |
| A(p_i)              | maps          | batch classes rows cols                |

formula: A(p_i) = f(x)_y - f(x with the pixels of x_0 in S(p_i))_y

differs from the paper: the map is the drop f(x) - f(x without S), so that larger is more evidence.
Networks without patches get patches of 16 pixels.

known: as with `occlusion`, the map of a ViT can be negative everywhere; then only its order is meaningful.
"""

from typing import Literal

from torch import Tensor

from seewhy.interventions.masked import cell_grid
from seewhy.interventions.mosaics import mosaic_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import AnyReference, reference_image
from seewhy.ops.windows import Select, window_matrix
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("simple_deletion", paper="izadi2026")
def simple_deletion(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    select: Select | Tensor = "box1",
    reference: AnyReference = "white",
    score: Literal["prob", "logprob", "logit"] = "prob",
) -> Maps:
    """Drop in the class score when a patch and its neighbors are replaced by a reference image."""
    grid = cell_grid(model, None)
    x_0 = reference_image(reference, images, mean=model.mean, std=model.std).expand_as(images)
    windows = window_matrix(select, grid).to(images.device)
    without = mosaic_scores(model, images, x_0, targets, ~windows, grid=grid, score=score)  # f(x without S(p_i))
    whole = model.scores(model.logits(images), targets, kind=score)
    return whole[:, :, None, None] - without
