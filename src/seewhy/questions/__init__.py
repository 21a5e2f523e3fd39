"""Counterfactual questions: the prediction when a region is covered, and the pixels that change the decision."""

from .covering import Cover, cover
from .flipping import SmallestFlip, flip, smallest_flip
from .patching import Patched, patch_activations

__all__ = ["Cover", "Patched", "SmallestFlip", "cover", "flip", "patch_activations", "smallest_flip"]
