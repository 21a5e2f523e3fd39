"""Scenes: a data set with known ground truth, its drawing, its ViT and its training recipe."""

from . import models  # registers the ViTs
from .dataset import CLASS_NAMES, Grid, Scene, Scenes

__all__ = ["CLASS_NAMES", "Grid", "Scene", "Scenes", "models"]
