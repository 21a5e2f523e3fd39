"""Simple Insertion: put the pixels of one patch and its neighbors into a blank image, and read the class score.

The input-level counterpart of CAAP (its appendix B.2): nothing inside the network is touched.

| symbol of the paper | name here     | shape                                  |
|---------------------|---------------|----------------------------------------|
| x, x_0              | images, empty | batch 3 height width, 1 3 height width |
| S(p_i)              | masks[i]      | patches height width                   |
| A(p_i)              | maps          | batch classes rows cols                |

differs from the paper: nothing known. Networks without patches get patches of 16 pixels.
"""

from typing import Literal

import torch
from torch import Tensor

from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.blanks import Blank, blank_image
from seewhy.ops.windows import Select, patch_cells, pixel_grid, window_cells, window_matrix
from seewhy.progress import track
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Paper, Targets


@register_method(
    "simple_insertion",
    paper=Paper(
        title="Causal Attribution via Activation Patching",
        authors="Izadi, Amirmohammad and Banayeezade, Mohammadali and Mirrokni, Alireza and Hasani, Hosein and "
        "Bagherian, Mobin and Mehri, Faridoun and Soleymani Baghshah, Mahdieh",
        year=2026,
    ),
)
def simple_insertion(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    select: Select | Tensor = "box1",
    blank: Blank | Tensor = "white",
    score: Literal["prob", "logprob", "logit"] = "prob",
) -> Maps:
    """Class score of a blank image that holds the pixels of one patch and its neighbors."""
    grid = model.grid if isinstance(model, ViT) else pixel_grid(model.image_size)
    empty = blank_image(blank, images, mean=model.mean, std=model.std)
    masks = window_cells(window_matrix(select, grid), patch_cells(grid, model.image_size)).to(images.device)
    maps = []
    with torch.no_grad():
        for image, target in track(list(zip(images, targets, strict=True)), "simple_insertion"):
            parts = (torch.where(part[:, None], image, empty) for part in masks.split(model.chunk))
            logits = torch.cat([model.logits(part) for part in parts])  # f(x_0 with S(p_i) of x)
            maps.append(model.scores(logits, target.expand(len(logits), -1), kind=score).T)
    return torch.stack(maps).unflatten(2, grid)
