"""Cascading randomization: does the map depend on the learned weights?

The model's stages get random weights one after the other, from the output to the input; after each the image is
explained again. A faithful method gives less and less similar maps, so lower is better. The score is the mean
similarity over the stages; `evidence["randomization"]` has the whole curve, stage by stage.

differs from the paper (Adebayo et al.): the class stays the one explained (`randomization.repredict` follows the
randomized model).
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import pad

from seewhy.errors import ShapeError
from seewhy.metrics.evidence import Explain, Line
from seewhy.metrics.randomized_model import randomize, restored, stages
from seewhy.models.classifier import Classifier
from seewhy.ops.resize import resize_maps, unit_range
from seewhy.ops.similarity import cosine, pearson, spearman, ssim
from seewhy.registry import register_evidence, register_metric
from seewhy.runtime.options import at_least
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Scores, Targets

Similarities = Float[Tensor, "batch classes stages"]


@dataclass(frozen=True)
class Randomization:
    """Similarity of the original map to the map after each stage."""

    stages: tuple[str, ...]
    spearman: Similarities
    pearson: Similarities
    cosine: Similarities
    ssim: Similarities


def randomization_lines(randomization: Randomization, _pixels: int) -> list[Line]:
    """Similarity over the fraction of randomized stages, from 1 for the original map."""
    similarities = {
        "spearman": randomization.spearman,
        "pearson": randomization.pearson,
        "cosine": randomization.cosine,
        "ssim": randomization.ssim,
    }
    at = torch.linspace(0, 1, len(randomization.stages) + 1).tolist()
    return [
        Line(f"randomization_{name}", "all", at, pad(values, (1, 0), value=1.0))
        for name, values in similarities.items()
    ]


@register_evidence("randomization", costly=True, lines=randomization_lines)
def cascading_similarity(
    model: Classifier,
    images: Images,
    targets: Targets,
    maps: Maps,
    explain: Explain,
    *,
    depths: Annotated[int, at_least(1)] | None = None,
    repredict: bool = False,
    compare: Literal["signed", "absolute"] = "signed",
    seed: int = 0,
) -> Randomization:
    """Explain after every stage (or after `depths` of them, evenly spaced) and compare with `maps`."""
    names, found = [], []
    wanted = _evenly_spaced(len(stages(model.module)), depths)
    with restored(model.module):
        for depth, name in track(enumerate(randomize(model.module, seed=seed)), "randomizing", total=len(wanted)):
            if depth in wanted:
                classes = _predicted(model, images, targets) if repredict else targets
                explained = explain(model, images, classes)
                new: Any = getattr(explained, "maps", explained)
                names.append(name)
                found.append(_similarities(maps, new.detach().to(maps), compare, images))
    columns = [torch.stack(column, dim=-1) for column in zip(*found, strict=True)]
    return Randomization(tuple(names), *columns)


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


def _predicted(model: Classifier, images: Images, targets: Targets) -> Targets:
    return model.probabilities(images).argmax(dim=-1, keepdim=True).expand_as(targets)


def _evenly_spaced(total: int, depths: int | None) -> list[int]:
    """Positions of `depths` stages, evenly spaced, the last one always among them."""
    if depths is None or depths >= total:
        return list(range(total))
    return [round((step + 1) * total / depths) - 1 for step in range(depths)]


def _similarities(maps: Maps, new: Tensor, compare: str, images: Images) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    if new.shape != maps.shape:
        raise ShapeError(f"explain returned maps of shape {tuple(new.shape)}, expected {tuple(maps.shape)}")
    maps, new = (maps.abs(), new.abs()) if compare == "absolute" else (maps, new)
    height, width = images.shape[-2:]
    scaled = [unit_range(resize_maps(each, (height, width))).flatten(0, 1) for each in (maps, new)]
    flat = maps.flatten(2), new.flatten(2)
    return spearman(*flat), pearson(*flat), cosine(*flat), ssim(*scaled).view(maps.shape[:2])
