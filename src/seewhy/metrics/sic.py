"""SIC: softmax score over the share of the image's information that the map has shown so far.

differs from the paper: as `aic`.
"""

from seewhy.metrics._information import Information
from seewhy.registry import register_metric
from seewhy.types import Scores


@register_metric(
    "sic",
    higher_is_better=True,
    paper="kapishnikov2019",
    undefined="the target's probability is below the protocol's minimum",
)
def sic(information: Information) -> Scores:
    """Area under the target's probability over information, both between start and whole image."""
    return information.sic
