"""Sparseness: is the map concentrated on few places? A description, not a quality."""

from seewhy.ops.similarity import gini
from seewhy.registry import register_metric
from seewhy.types import Maps, Paper, Scores


@register_metric(
    "sparseness",
    higher_is_better=True,
    paper=Paper(
        title="Concise Explanations of Neural Networks using Adversarial Training",
        authors="Chalasani, Prasad and Chen, Jiefeng and Chowdhury, Amrita Roy and Jha, Somesh and Wu, Xi",
        year=2020,
        venue="ICML",
        url="https://arxiv.org/abs/1810.06583",
    ),
)
def sparseness(maps: Maps) -> Scores:
    """Gini coefficient of |map| on its own grid: 0 for a flat map, near 1 for a single place."""
    return gini(maps.flatten(2))
