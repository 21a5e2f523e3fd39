"""Bundled models, images and data: Scenes and its ViTs, EfficientNet-Lite0, sample photos."""

from seewhy.zoo.photos import sample_photos

__all__ = ["sample_photos"]
