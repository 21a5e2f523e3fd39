"""Sparseness: is the map concentrated on few pixels? Descriptive, not a measure of faithfulness."""

from seewhy.ops.similarity import gini
from seewhy.registry import register_metric
from seewhy.types import Maps, Scores


@register_metric(
    "sparseness",
    higher_is_better=True,
    paper="chalasani2020",
)
def sparseness(maps: Maps) -> Scores:
    """Gini coefficient of |map| on its native grid: 0 for a flat map, near 1 for a single peak."""
    return gini(maps.flatten(2))
