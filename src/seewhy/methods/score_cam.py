"""Score-CAM: feature maps as masks on the image; a channel weighs what the class scores when only it shines through.

| symbol of the paper | name here | shape                      |
|---------------------|-----------|----------------------------|
| A_l^k               | features  | batch channels rows cols   |
| H_l^k               | masks     | channels height width      |
| f^c(X ∘ H_l^k)      | scores    | batch classes channels     |
| α_k^c               | weights   | batch classes channels     |

No gradients. One forward pass per channel, for all classes together; `channels` keeps only those that vary most over
the image, which is cheaper and close.

differs from the paper: subtracting the score of a blank image is left out, because the softmax over channels that
follows does not notice a constant. X ∘ H dims towards the mean color (0 after normalization), as in the paper's code.
A channel without any variation cannot be a mask and weighs nothing.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.interventions.masked import jobs, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import reference_image
from seewhy.ops.resize import resize_maps, unit_range
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import FeatureMaps, Images, Maps, Targets


@register_method(
    "score_cam",
    paper="wang2020",
)
def score_cam(
    model: Classifier, images: Images, targets: Targets, *, relu: bool = True, channels: int | None = None
) -> Maps:
    """Last feature maps weighted by the class score of the image seen through each of them."""
    features = most_varied(model.split(images).features.detach(), channels)
    blank = reference_image("model_mean", images, mean=model.mean, std=model.std)[0]
    scores = features.new_zeros(*targets.shape, features.shape[1])
    for index, part in track(jobs(model, len(images), features.shape[1]), "score_cam"):
        large = resize_maps(features[index, part].unsqueeze(1).to(images), model.image_size)
        masks = unit_range(large).squeeze(1)  # H_l^k
        of_part = masked_scores(model, images[index], blank, masks, targets[index], kind="logit")
        scores[index, :, part] = of_part.T.to(scores)
    flat = features.amax(dim=(-2, -1)) == features.amin(dim=(-2, -1))
    weights = scores.masked_fill(flat.unsqueeze(1), -torch.inf).softmax(dim=-1).nan_to_num()  # α_k^c
    maps = torch.einsum("bck,bkij->bcij", weights, features)
    return maps.relu() if relu else maps


def most_varied(
    features: FeatureMaps, channels: int | None
) -> Float[Tensor, "features kept feature_rows feature_cols"]:
    if channels is None or channels >= features.shape[1]:
        return features
    kept = features.std(dim=(-2, -1)).topk(max(1, channels), dim=1).indices
    return features.gather(1, kept[..., None, None].expand(-1, -1, *features.shape[-2:]))
