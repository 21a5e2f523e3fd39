"""Monotonicity: does the score change monotonically along the sweep?

differs from the paper (MDA's Table 6): a constant response scores 0 instead of NaN.
"""

import torch

from seewhy.metrics.cases import PerReference
from seewhy.metrics.sweep import Curves, SweepCurves
from seewhy.ops.similarity import spearman
from seewhy.registry import register_metric


@register_metric("monotonicity", higher_is_better=True, undefined="no blur removes the class")
def monotonicity(curves: Curves) -> PerReference:
    """Spearman correlation between the step and the raw insertion curve; 1 if every step raises the score."""
    return _step_correlation(curves.insertion.probability)


@register_metric("monotonicity_deletion", higher_is_better=True, undefined="no blur removes the class")
def monotonicity_deletion(curves: Curves) -> PerReference:
    """Spearman correlation between the pixels left and the raw deletion curve; 1 if every step lowers the score."""
    return _step_correlation(curves.deletion.probability.flip(-1))


def _step_correlation(curve: SweepCurves) -> PerReference:
    positions = torch.arange(curve.shape[-1], dtype=curve.dtype, device=curve.device).expand_as(curve)
    return spearman(positions, curve).where(curve.isfinite().all(dim=-1), torch.nan)
