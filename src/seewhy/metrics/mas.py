"""MAS: deletion and insertion that also test whether the map's values, not only their order, fit the model.

| symbol | name here  | shape                            |
|--------|------------|----------------------------------|
| MR     | response   | batch classes references points  |
| DR     | density    | batch classes 1 points           |
| AP     | in `mas_insertion_curve`, `mas_deletion_curve` | abs(MR − DR) |

differs from the paper: as in its code, the curve is clipped and stretched to [0, 1] before the area is taken. The class
is the one explained, not top-1.
"""

import torch

from seewhy.metrics.cases import PerReference
from seewhy.metrics.sweep import Curves
from seewhy.ops.curves import area, falling_response, mas_deletion_curve, mas_insertion_curve, rising_response
from seewhy.registry import register_metric

UNDEFINED = "no blur removes the class"


@register_metric("mas_insertion", higher_is_better=True, paper="walker2024", undefined=UNDEFINED)
def mas_insertion(curves: Curves) -> PerReference:
    """Area under the insertion response minus its distance from the fraction of the map shown so far.

    Doing better than the map's own density is not rewarded. A flat response scores 0.5.
    """
    sweep = curves.insertion
    response = rising_response(sweep.probability, sweep.bare, sweep.clean)  # MR
    density = sweep.mass.unsqueeze(2).expand_as(response)  # DR
    return area(mas_insertion_curve(response, density)).where(sweep.bare.isfinite(), torch.nan)


@register_metric("mas_deletion", higher_is_better=False, paper="walker2024", undefined=UNDEFINED)
def mas_deletion(curves: Curves) -> PerReference:
    """Area under the deletion response plus its distance from the fraction of the map that is left.

    A flat response scores 0.5.
    """
    sweep = curves.deletion
    response = falling_response(sweep.probability, sweep.bare, sweep.clean)  # MR
    density = 1 - sweep.mass.unsqueeze(2).expand_as(response)  # DR
    return area(mas_deletion_curve(response, density)).where(sweep.bare.isfinite(), torch.nan)
