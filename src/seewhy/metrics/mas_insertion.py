"""MAS insertion: insertion that also asks whether the map's numbers, not only their order, fit the model.

| symbol | name here  | shape                            |
|--------|------------|----------------------------------|
| MR     | response   | batch classes references points  |
| DR     | density    | batch classes 1 points           |
| AP     | in `mas_insertion_curve` | |MR − DR|          |

differs from the paper: as in its code, the curve is clipped and stretched to [0, 1] before the area is taken. The class
is the one explained, not top-1.
"""

import torch

from seewhy.metrics._sweep import Curves, Ends
from seewhy.ops.curves import area, mas_insertion_curve, rising_response
from seewhy.registry import register_metric


@register_metric("mas_insertion", higher_is_better=True, paper="walker2024", undefined="no blur hides the class")
def mas_insertion(curves: Curves) -> Ends:
    """Area under the insertion response minus its distance from the share of the map shown so far.

    Doing better than the map's own density is not rewarded. A flat response scores 0.5.
    """
    clean = curves.clean.unsqueeze(-1).expand_as(curves.insertion_floor)
    response = rising_response(curves.insertion, curves.insertion_floor, clean)  # MR
    density = curves.inserted_mass.unsqueeze(2).expand_as(response)  # DR
    scores = area(mas_insertion_curve(response, density))
    return scores.where(curves.insertion_floor.isfinite(), torch.nan)
