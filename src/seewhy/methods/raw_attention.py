"""Raw attention: the attention of the class token in the last block, the same for every class.

| symbol of the paper | name here | shape                     |
|---------------------|-----------|---------------------------|
| A                   | weights   | batch heads queries keys  |

formula: map = mean_h A_h, the row of the class token, last block

differs from the paper: it shows individual heads; the mean over heads is the baseline of later papers. Networks without
a class token: the mean over the rows of the patches (`ViT.read_rows`).
"""

import torch

from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("raw_attention", class_agnostic=True, paper="caron2021")
def raw_attention(model: ViT, images: Images, targets: Targets) -> Maps:
    """Last block's attention from the class token to the patches; the same map for every class."""
    with torch.no_grad():
        weights, _ = model.last_attention(images)
    maps = model.to_grid(model.read_rows(weights.detach().mean(dim=1)))
    return maps.unsqueeze(1).repeat(1, targets.shape[1], 1, 1)
