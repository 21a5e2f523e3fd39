"""AIC: accuracy over the share of the image's information that the map has shown so far.

differs from the paper: several points with the same information count with the highest value, where the published code
leaves it open.
"""

from seewhy.metrics._information import Information
from seewhy.registry import register_metric
from seewhy.types import Scores


@register_metric(
    "aic",
    higher_is_better=True,
    paper="kapishnikov2019",
    undefined="the clean image is not classified as the target, or its fill is",
)
def aic(information: Information) -> Scores:
    """Area under "top-1 is the target" over information; per image a ramp. `median_area` gives the published figure."""
    return information.aic
