"""Ablation-CAM: feature maps weighted by the drop in the class score when each of them is ablated.

| symbol of the paper | name here | shape                      |
|---------------------|-----------|----------------------------|
| A_k                 | features  | batch channels rows cols   |
| y^c                 | scores    | batch classes              |
| y_k^c               | without   | batch classes channels     |
| w_k^c               | weights   | batch classes channels     |

formula: w_k^c = (y^c - y_k^c) / |y^c|; map = ReLU(Σ_k w_k^c A_k)

No gradients. The network up to the features runs once; each channel costs one pass of the head only.

differs from the paper: weights are divided by |y^c|, not y^c, so that a negative logit does not flip the map. An
ablated channel is set to zero, as in the paper; some code uses a large negative number instead where features are
signed.

known: designed for non-negative features. Those of a ViT are signed: a channel that supports the class with negative
values also has a positive weight, and appears inverted. On DeiT-Tiny those are half of the channels (weights and mean
gradients agree in sign at chance level), and the map mixes both; prefer `grad_cam` there.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.classifier import Classifier, Split
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets

BUDGET = 2**25  # feature values in one forward pass of the head


@register_method("ablation_cam", paper="desai2020", features=True)
def ablation_cam(model: Classifier, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last feature maps, each weighted by the relative drop in the class score without it."""
    split = model.split(images)
    with torch.no_grad():
        scores = model.scores(split.logits, targets).unsqueeze(2)  # y^c
        logits = ablated_logits(split).transpose(1, 2)
        without = logits.gather(1, targets.unsqueeze(2).expand(-1, -1, logits.shape[2]))  # y_k^c
        weights = (scores - without) / scores.abs().where(scores != 0, torch.ones_like(scores))  # w_k^c
        maps = torch.einsum("bck,bkij->bcij", weights.to(split.features), split.features)
    return maps.relu() if relu else maps


def ablated_logits(split: Split) -> Float[Tensor, "batch channels outputs"]:
    """Logits with each channel in turn set to zero."""
    features = split.features.detach()
    channels = torch.arange(features.shape[1], device=features.device)
    parts = []
    for part in track(channels.split(max(1, BUDGET // features.numel())), "ablation_cam"):
        kept = (channels != part[:, None]).to(features)[..., None, None]  # part channels 1 1
        ablated = (features.unsqueeze(1) * kept).flatten(0, 1)
        parts.append(split.head(ablated).unflatten(0, (len(features), len(part))))
    return torch.cat(parts, dim=1)
