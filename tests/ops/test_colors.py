"""Colors of classes."""

import itertools

import numpy as np

from seewhy.ops.colors import CLASS_COLORS


def test_colors_differ_also_in_lightness_or_blueness():
    """Red-green blindness merges colors of one lightness that differ between red and green only."""
    yellowish = [np.array([0.3 * r + 0.6 * g, b]) for r, g, b in CLASS_COLORS[:5]]  # the two axes that remain, roughly
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(yellowish, 2)) > 50
