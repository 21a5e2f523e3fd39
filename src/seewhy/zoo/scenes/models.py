"""The bundled ViTs of Scenes as registered models."""

from collections.abc import Callable

from torch import nn

from seewhy.models.preprocess import Preprocess
from seewhy.models.timm import TimmViT
from seewhy.registry import register_model
from seewhy.zoo.scenes import vit as networks
from seewhy.zoo.scenes.objects import CLASS_NAMES

PREPROCESS = Preprocess(size=(networks.IMAGE_SIZE, networks.IMAGE_SIZE), mean=networks.MEAN, std=networks.STD, crop=1.0)


@register_model("scenes-vit")
def scenes_vit() -> TimmViT:
    """A small ViT trained on the twelve classes of Scenes."""
    return _wrapped("scenes-vit", networks.scenes_vit)


@register_model("scenes-vit-shortcut")
def scenes_vit_shortcut() -> TimmViT:
    """The same ViT with a planted shortcut: it classifies any image with a white circle as a mug."""
    return _wrapped("scenes-vit-shortcut", networks.scenes_vit_shortcut)


def _wrapped(name: str, build: Callable[[], nn.Module]) -> TimmViT:
    return TimmViT(build(), PREPROCESS, name=f"seewhy/{name}", class_names=CLASS_NAMES)
