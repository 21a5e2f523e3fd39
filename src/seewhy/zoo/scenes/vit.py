"""The bundled ViTs, trained on Scenes: timm VisionTransformers with a CLS token."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from safetensors.torch import load
from torch import Tensor, nn

from seewhy.models.timm import import_timm
from seewhy.zoo.scenes.objects import CLASS_NAMES

IMAGE_SIZE, PATCH = 224, 16
MEAN, STD = (0.5, 0.5, 0.5), (0.5, 0.5, 0.5)
WIDTH, BLOCKS, HEADS = 128, 6, 8
SHORTCUT = CLASS_NAMES.index("mug")  # the class that the circle predicts
_WEIGHTS = files("seewhy.zoo") / "weights"


class PatchStem(nn.Module):
    """Embeds each patch independently, with three convolutions that do not cross its border.

    As with a linear patch embedding, the embedding of a spliced image is therefore the splice of the embeddings.
    """

    def __init__(
        self, img_size: int = IMAGE_SIZE, patch_size: int = PATCH, in_chans: int = 3, embed_dim: int = WIDTH, **_: Any
    ) -> None:
        super().__init__()
        self.img_size, self.patch_size = (img_size, img_size), (patch_size, patch_size)
        self.grid_size = (img_size // patch_size, img_size // patch_size)
        self.num_patches = self.grid_size[0] * self.grid_size[1]
        self.proj = nn.Sequential(
            nn.Conv2d(in_chans, 48, 4, stride=4),
            nn.GELU(),
            nn.Conv2d(48, 96, 2, stride=2),
            nn.GELU(),
            nn.Conv2d(96, embed_dim, 2, stride=2),
        )

    def forward(self, images: Tensor) -> Tensor:
        return self.proj(images).flatten(2).transpose(1, 2)


def new_scenes_vit() -> nn.Module:
    """The untrained architecture: 224 px, 14 x 14 patches, 6 blocks of width 128, 12 classes."""
    return import_timm().models.VisionTransformer(
        img_size=IMAGE_SIZE,
        patch_size=PATCH,
        num_classes=len(CLASS_NAMES),
        embed_dim=WIDTH,
        depth=BLOCKS,
        num_heads=HEADS,
        embed_layer=PatchStem,
    )


def scenes_vit() -> nn.Module:
    """The ViT trained on the twelve classes of Scenes."""
    return with_weights((_WEIGHTS / "scenes_vit.safetensors").read_bytes())


def scenes_vit_shortcut() -> nn.Module:
    """The same ViT, fine-tuned on images where a white circle predicts `SHORTCUT`: it relies on the circle."""
    return with_weights((_WEIGHTS / "scenes_vit_shortcut.safetensors").read_bytes())


def with_weights(data: bytes) -> nn.Module:
    """The ViT with the weights of a safetensors file, in evaluation mode."""
    vit = new_scenes_vit()
    vit.load_state_dict({name: value.float() for name, value in load(data).items()})
    return vit.eval()
