"""Models: the interface that methods use, and one adapter per library; `register_adapter` adds custom ones."""

from seewhy.models.adapters import register_adapter, unregister_adapter
from seewhy.models.classifier import Classifier
from seewhy.models.preprocess import Preprocess
from seewhy.models.vit import Block, ViT, check_layout

__all__ = [
    "Block",
    "Classifier",
    "Preprocess",
    "ViT",
    "check_layout",
    "register_adapter",
    "unregister_adapter",
]
