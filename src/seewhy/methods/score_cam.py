"""Score-CAM: feature maps as masks; each channel weighted by the class score of the image it masks.

| symbol of the paper | name here | shape                      |
|---------------------|-----------|----------------------------|
| A_l^k               | features  | batch channels rows cols   |
| H_l^k               | masks     | channels height width      |
| f^c(X ∘ H_l^k)      | scores    | batch classes channels     |
| α_k^c               | weights   | batch classes channels     |

formula: α_k^c = softmax_k f^c(X ∘ H_l^k); map = ReLU(Σ_k α_k^c A_l^k)

No gradients. One forward pass per channel, for all classes together; `max_channels` keeps only those with the largest
variance over the image, which is cheaper.

differs from the paper: the score of a reference image is not subtracted, because the subsequent softmax over channels
is invariant to a constant. X ∘ H fades to the mean color (0 after normalization), as in the paper's code. A constant
channel cannot be a mask and has weight zero.
"""

from typing import Annotated

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.interventions.masked import image_mask_pairs, images_of, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import one_color
from seewhy.ops.resize import resize_maps, unit_range
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.runtime.progress import track
from seewhy.types import FeatureMaps, Images, Maps, Targets


@register_method("score_cam", paper="wang2020", features=True)
def score_cam(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    relu: bool = True,
    max_channels: Annotated[int, at_least(1)] | None = None,
) -> Maps:
    """Last feature maps, each channel weighted by the class score of the image it masks."""
    features = highest_variance(model.split(images).features.detach(), max_channels)
    replacement = one_color(images, model.mean)[0]
    scores = features.new_zeros(*targets.shape, features.shape[1])
    for index, part in track(image_mask_pairs(model, len(images), features.shape[1]), "score_cam"):
        large = resize_maps(features[index, part].unsqueeze(1).to(images), model.image_size)
        masks = unit_range(large).squeeze(1)  # H_l^k
        logits = masked_scores(model, images_of(images, index), replacement, masks, targets[index], kind="logit")
        scores[index, :, part] = logits.to(scores)
    constant = features.amax(dim=(-2, -1)) == features.amin(dim=(-2, -1))
    weights = scores.masked_fill(constant.unsqueeze(1), -torch.inf).softmax(dim=-1).nan_to_num()  # α_k^c
    maps = torch.einsum("bck,bkij->bcij", weights, features)
    return maps.relu() if relu else maps


def highest_variance(
    features: FeatureMaps, channels: int | None
) -> Float[Tensor, "features kept feature_rows feature_cols"]:
    """The channels that vary most over the image; all by default."""
    if channels is None or channels >= features.shape[1]:
        return features
    kept = features.std(dim=(-2, -1)).topk(channels, dim=1).indices
    return features.gather(1, kept[..., None, None].expand(-1, -1, *features.shape[-2:]))
