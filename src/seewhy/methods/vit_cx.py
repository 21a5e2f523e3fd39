"""ViT-CX: masks made of the last block's features, scored by what the picture says through each of them.

Every channel of the last block's input is a picture over the patches. Alike ones are joined; each group is a soft mask.
A mask is worth the class probability of what it shows, corrected for the noise that fills the rest; a pixel gets the
worth of its masks, each divided by how many masks cover the pixel.

| symbol of the paper | name here | shape                    |
|---------------------|-----------|--------------------------|
| feature maps        | pictures  | channels height width    |
| M_i                 | masks     | masks height width       |
| ε                   | noise     | masks 3 height width, in the model's normalized colors |
| C(M_i)              | scores    | masks classes            |
| ρ (coverage)        | coverage  | height width             |

differs from the original code: noise is seeded and the same for every image; a pixel that no mask shows gets 0, not
0/0. `resolution="patches"` joins channels on the patch grid, with nearly the same distances at a small part of the
memory. Complete linkage runs on the CPU (scipy).
"""

from collections.abc import Iterator
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.ops.clusters import complete_linkage
from seewhy.ops.resize import resize_maps, unit_range
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets

Masks = Float[Tensor, "masks height width"]


@register_method(
    "vit_cx",
    paper="xie2023",
)
def vit_cx(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    threshold: float = 0.1,
    sigma: float = 0.1,
    resolution: Literal["pixels", "patches"] = "pixels",
    seed: int = 0,
) -> Maps:
    """Class probability through masks made of features, shared out to the pixels they show.

    `threshold`: cosine distance up to which channels are joined; fewer, larger groups are cheaper.
    """
    with torch.no_grad():
        normed = model.blocks[-1].norm1(model.before_last(images))
        features = model.to_grid(normed[:, model.prefix :].transpose(1, 2))
        maps = []
        for image, target, channels in zip(images, targets, features, strict=True):
            masks = feature_masks(channels, model.image_size, threshold=threshold, resolution=resolution)
            scores = _scores(model, image, masks.to(image.dtype), target, sigma=sigma, seed=seed)
            coverage = masks.sum(dim=0)
            shown = torch.einsum("mc,mij->cij", scores.to(masks.dtype), masks)
            maps.append(shown / coverage.where(coverage > 0, torch.ones_like(coverage)) / len(masks))
    return torch.stack(maps)


def feature_masks(
    channels: Float[Tensor, "channels rows cols"],
    size: tuple[int, int],
    *,
    threshold: float,
    resolution: Literal["pixels", "patches"] = "pixels",
) -> Masks:
    """Channels of one image, each in [0, 1], alike ones added up, each sum in [0, 1]."""
    large = resize_maps(channels.unsqueeze(0), size)[0]
    pictures = unit_range(large)
    compared = (pictures if resolution == "pixels" else unit_range(channels)).flatten(1)
    compared = torch.nn.functional.normalize(compared, dim=1)
    groups = complete_linkage(1 - compared @ compared.T, threshold)
    sums = pictures.new_zeros(int(groups.max()) + 1, *size).index_add_(0, groups, pictures)
    return unit_range(sums)


def _scores(
    model: ViT, image: Tensor, masks: Masks, target: Tensor, *, sigma: float, seed: int
) -> Float[Tensor, "masks classes"]:
    """p(x M + ε (1 - M)) - p(x + ε (1 - M)) + p(x): what the mask shows, without the noise's own effect."""
    generator = torch.Generator().manual_seed(seed)
    mean, std = (image.new_tensor(color).view(3, 1, 1) for color in (model.mean, model.std))

    def pairs() -> Iterator[Tensor]:
        for mask in track(masks, "vit_cx"):
            noise = sigma * torch.randn(image.shape, generator=generator, dtype=torch.float32).to(image)
            rest = std * noise * (1 - mask)  # in [0, 1] colors
            yield torch.stack([torch.lerp(mean.expand_as(image), image, mask) + rest, image + rest])

    whole = model.probabilities(image.unsqueeze(0))[:, target]
    parts, batch = [], []
    for index, pair in enumerate(pairs()):
        batch.append(pair)
        if 2 * len(batch) >= model.chunk or index == len(masks) - 1:
            parts.append(model.probabilities(torch.cat(batch))[:, target].unflatten(0, (-1, 2)))
            batch = []
    shown, noisy = torch.cat(parts).unbind(dim=1)
    return shown - noisy + whole
