"""The method that `explain` uses by default, by kind of network.

Chosen by insertion minus deletion and cost: measured by `benchmarks/default_method.py`, listed in `docs/methods.md`.
"""

from seewhy.errors import ModelError
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT

VIT, CNN, BLACK_BOX = "libra_ixg_plus", "grad_cam", "occlusion"


def default_method(model: Classifier) -> str:
    """The method that `explain` uses by default: cheap, and chosen by score for each kind of network.

    Networks without a feature map get a method that needs only their outputs.
    """
    if isinstance(model, ViT):
        return VIT
    try:
        model.feature_layer  # noqa: B018 - raises if there is none
    except ModelError:
        return BLACK_BOX
    return CNN
