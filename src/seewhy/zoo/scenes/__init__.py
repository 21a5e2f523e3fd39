"""Scenes: a data set with known ground truth, its drawing, its ViT and its training recipe."""

from seewhy.zoo.scenes import models  # registers the ViTs
from seewhy.zoo.scenes.cues import Cue
from seewhy.zoo.scenes.dataset import CLASS_NAMES, Grid, Scene, Scenes

__all__ = ["CLASS_NAMES", "Cue", "Grid", "Scene", "Scenes", "models"]
