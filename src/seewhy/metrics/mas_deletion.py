"""MAS deletion: deletion that also asks whether the map's numbers, not only their order, fit the model.

differs from the paper: as `mas_insertion`.
"""

import torch

from seewhy.metrics._sweep import Curves, Ends
from seewhy.ops.curves import area, falling_response, mas_deletion_curve
from seewhy.registry import register_metric


@register_metric("mas_deletion", higher_is_better=False, paper="walker2024", undefined="no blur hides the class")
def mas_deletion(curves: Curves) -> Ends:
    """Area under the deletion response plus its distance from the share of the map that is left.

    A flat response scores 0.5.
    """
    clean = curves.clean.unsqueeze(-1).expand_as(curves.deletion_floor)
    response = falling_response(curves.deletion, curves.deletion_floor, clean)  # MR
    density = 1 - curves.deleted_mass.unsqueeze(2).expand_as(response)  # DR
    scores = area(mas_deletion_curve(response, density))
    return scores.where(curves.deletion_floor.isfinite(), torch.nan)
