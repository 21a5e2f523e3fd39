"""Questions about a decision that need no method, or any map: what if this region is covered, what changes it?"""

from .covering import Cover, cover
from .flipping import SmallestFlip, flip, smallest_flip
from .patching import Patched, patch_activations

__all__ = ["Cover", "Patched", "SmallestFlip", "cover", "flip", "patch_activations", "smallest_flip"]
