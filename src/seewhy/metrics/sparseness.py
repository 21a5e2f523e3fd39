"""Sparseness: is the map concentrated on few places? A description, not a quality."""

from seewhy.ops.similarity import gini
from seewhy.registry import register_metric
from seewhy.types import Maps, Scores


@register_metric(
    "sparseness",
    higher_is_better=True,
    paper="chalasani2020",
)
def sparseness(maps: Maps) -> Scores:
    """Gini coefficient of |map| on its own grid: 0 for a flat map, near 1 for a single place."""
    return gini(maps.flatten(2))
