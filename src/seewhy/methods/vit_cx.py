"""ViT-CX: masks from the features of the last block, each weighted by the class probability of the image it masks.

Every channel of the last block's input is a map over the patches. Similar channels are merged; each cluster is a soft
mask. The score of a mask is the class probability of the masked image, corrected for the effect of the noise that
replaces the rest; a pixel gets the scores of its masks, divided by the number of masks that contain it.

| symbol of the paper | name here | shape                    |
|---------------------|-----------|--------------------------|
| feature maps        | features  | channels height width    |
| M_i                 | masks     | masks height width       |
| ε                   | drawn     | masks 3 height width, in the model's normalized colors |
| C(M_i)              | scores    | masks classes            |
| ρ (coverage)        | coverage  | height width             |

formula: C(M) = p(x M + ε (1 - M)) - p(x + ε (1 - M)) + p(x); map = Σ_i C(M_i) M_i / (ρ · number of masks)

differs from the original code: noise is seeded and the same for every image; a pixel outside all masks gets 0, not 0/0.
Complete linkage runs on the CPU (scipy).
"""

from collections.abc import Iterator
from typing import Annotated

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.ops.clusters import complete_linkage
from seewhy.ops.resize import resize_maps, unit_range
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets

FeatureMasks = Float[Tensor, "masks height width"]


@register_method("vit_cx", paper="xie2023")
def vit_cx(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    threshold: Annotated[float, at_least(0)] = 0.1,
    noise: Annotated[float, at_least(0)] = 0.1,
    seed: int = 0,
) -> Maps:
    """Masks made of features, each weighted by the class probability of the image it masks.

    `threshold` is the cosine distance up to which channels are merged; fewer, larger clusters are cheaper. `noise` is
    the standard deviation of the noise in masked pixels, in normalized colors.
    """
    with torch.no_grad():
        normed = model.blocks[-1].norm1(model.tokens_before(images, len(model.blocks) - 1))
        features = model.to_grid(normed[:, model.prefix :].transpose(1, 2))
        maps = []
        for image, target, channels in zip(images, targets, features, strict=True):
            masks = feature_masks(channels, model.image_size, threshold=threshold)
            scores = _mask_scores(model, image, masks.to(image.dtype), target, noise=noise, seed=seed)
            coverage = masks.sum(dim=0)
            shown = torch.einsum("mc,mij->cij", scores.to(masks.dtype), masks)
            maps.append(shown / coverage.where(coverage > 0, torch.ones_like(coverage)) / len(masks))
    return torch.stack(maps)


def feature_masks(
    channels: Float[Tensor, "channels rows cols"], size: tuple[int, int], *, threshold: float
) -> FeatureMasks:
    """Channels of one image, each scaled to [0, 1], summed per cluster, each sum scaled to [0, 1]."""
    features = unit_range(resize_maps(channels.unsqueeze(0), size)[0])
    compared = torch.nn.functional.normalize(features.flatten(1), dim=1)
    clusters = complete_linkage(1 - compared @ compared.T, threshold)
    sums = features.new_zeros(int(clusters.max()) + 1, *size).index_add_(0, clusters, features)
    return unit_range(sums)


def _mask_scores(
    model: ViT, image: Tensor, masks: FeatureMasks, target: Tensor, *, noise: float, seed: int
) -> Float[Tensor, "masks classes"]:
    """C(M) = p(x M + ε (1 - M)) - p(x + ε (1 - M)) + p(x): the masked image, corrected for the effect of the noise."""
    generator = torch.Generator().manual_seed(seed)
    mean, std = (image.new_tensor(color).view(-1, 1, 1) for color in (model.mean, model.std))

    def pairs() -> Iterator[Tensor]:
        for mask in track(masks, "vit_cx"):
            drawn = noise * torch.randn(image.shape, generator=generator, dtype=torch.float32).to(image)  # ε
            rest = std * drawn * (1 - mask)  # in [0, 1] colors
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
