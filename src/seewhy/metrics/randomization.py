"""Cascading randomization: does the map depend on what the model has learned?

The model's stages are given random weights one after the other, from the output to the input; after each the image is
explained again. A faithful method gives less and less similar maps, so lower is better. The score is the mean
similarity over the stages; `evidence["randomization"]` has the whole curve, stage by stage.

differs from the paper (Adebayo et al.): the class stays the one explained (`repredict` follows the random model).
"""

from seewhy.metrics._randomization import Randomization
from seewhy.registry import register_metric
from seewhy.types import Scores


@register_metric("randomization_spearman", higher_is_better=False, paper="adebayo2018")
def randomization_spearman(randomization: Randomization) -> Scores:
    """Mean rank correlation with the maps of the randomized models."""
    return randomization.spearman.mean(dim=-1)


@register_metric("randomization_pearson", higher_is_better=False, paper="adebayo2018")
def randomization_pearson(randomization: Randomization) -> Scores:
    """Mean linear correlation with the maps of the randomized models."""
    return randomization.pearson.mean(dim=-1)


@register_metric("randomization_cosine", higher_is_better=False, paper="adebayo2018")
def randomization_cosine(randomization: Randomization) -> Scores:
    """Mean cosine similarity to the maps of the randomized models."""
    return randomization.cosine.mean(dim=-1)


@register_metric("randomization_ssim", higher_is_better=False, paper="adebayo2018")
def randomization_ssim(randomization: Randomization) -> Scores:
    """Mean structural similarity to the maps of the randomized models, both scaled to [0, 1]."""
    return randomization.ssim.mean(dim=-1)
