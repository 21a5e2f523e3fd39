"""A model with more and more random weights, and how its maps drift away from the true one's.

A stage is what shares a name up to its first number, or that of a block in it (`blocks.3`, `layer1.0`, `head`,
`vit.encoder.layer.3`, `stages.0.blocks.2`), from the output to the input; parameters that belong to the whole network
(class token, positions) come last. Only parameters change: the running statistics of batch norms stay. Everything is
put back at the end, also after an exception.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seewhy.errors import ShapeError
from seewhy.models.classifier import Classifier
from seewhy.ops.resize import resize_maps, unit_range
from seewhy.ops.similarity import cosine, pearson, spearman, ssim
from seewhy.runtime.progress import track
from seewhy.runtime.seeding import seeded
from seewhy.types import Images, Maps, Targets

Drift = Float[Tensor, "batch classes stages"]


@dataclass(frozen=True)
class Randomization:
    """Similarity of the true map to the map after each stage."""

    stages: tuple[str, ...]
    spearman: Drift
    pearson: Drift
    cosine: Drift
    ssim: Drift


def drift(
    model: Classifier,
    images: Images,
    targets: Targets,
    maps: Maps,
    explain: Callable[..., Any],
    *,
    depths: int | None = None,
    repredict: bool = False,
    compare: Literal["signed", "absolute"] = "signed",
    seed: int = 0,
) -> Randomization:
    """Explain after every stage (or after `depths` of them) and compare with `maps`."""
    names, found = [], []
    wanted = _spread(len(stages(model.module)), depths)
    with restored(model.module):
        for depth, name in track(enumerate(randomize(model.module, seed=seed)), "randomizing", total=len(wanted)):
            if depth in wanted:
                asked = _predicted(model, images, targets) if repredict else targets
                new = explain(model, images, asked)
                names.append(name)
                found.append(_similarities(maps, getattr(new, "maps", new).detach().to(maps), compare, images))
    columns = [torch.stack(column, dim=-1) for column in zip(*found, strict=True)]
    return Randomization(tuple(names), *columns)


def stages(module: nn.Module) -> dict[str, list[nn.Module]]:
    """Modules that own parameters, by stage, from the output to the input."""
    found: dict[str, list[nn.Module]] = {}
    for path, part in reversed(list(module.named_modules())):
        if next(part.parameters(recurse=False), None) is not None:
            found.setdefault(stage_name(path), []).append(part)
    return found


def stage_name(path: str) -> str:
    """A module's path up to the number of its block; without one, its first part and a second that ends in a number.

    >>> stage_name("blocks.3.attn.qkv"), stage_name("head"), stage_name("vit.encoder.layer.2.output.dense")
    ('blocks.3', 'head', 'vit.encoder.layer.2')
    >>> stage_name("stages.0.blocks.2.mlp.fc1"), stage_name("features.denseblock1.denselayer2.conv1")
    ('stages.0.blocks.2', 'features.denseblock1')
    """
    numbered = re.match(r".*?[._]\d+(\.((blocks|layers?)\.)?\d+)?(?=\.|$)", path)
    found = numbered or re.match(r"[^.]*(\.[^.]*\d+)?", path)
    return found[0] if found and found[0] else "(whole network)"


def randomize(module: nn.Module, *, seed: int = 0) -> Iterator[str]:
    """Give one stage after the other new weights, and name it; what was randomized stays so."""
    seeds = itertools.count(1000 * seed)  # parts of equal shape must not become equal
    for name, parts in stages(module).items():
        for part in parts:
            _redraw(part, next(seeds))
        yield name


@contextmanager
def restored(module: nn.Module) -> Iterator[None]:
    """All parameters and buffers as before, whatever happens inside."""
    tensors = [*module.parameters(), *module.buffers()]
    saved = [tensor.detach().clone() for tensor in tensors]
    try:
        yield
    finally:
        with torch.no_grad():
            for tensor, value in zip(tensors, saved, strict=True):
                tensor.copy_(value)


def _redraw(part: nn.Module, seed: int) -> None:
    """The layer's own initializer, or a normal distribution as wide as the weights were; buffers stay."""
    buffers = [(buffer, buffer.clone()) for buffer in part.buffers(recurse=False)]
    device = next(part.parameters(recurse=False)).device
    with torch.no_grad(), seeded(seed, device):
        if hasattr(part, "reset_parameters"):
            part.reset_parameters()  # type: ignore[operator]
        else:
            for parameter in part.parameters(recurse=False):
                parameter.normal_(std=float(parameter.std(correction=0)))
        for buffer, value in buffers:
            buffer.copy_(value)


def _predicted(model: Classifier, images: Images, targets: Targets) -> Targets:
    return model.probabilities(images).argmax(dim=-1, keepdim=True).expand_as(targets)


def _spread(total: int, depths: int | None) -> list[int]:
    """So many of the stages, evenly, the last one always among them."""
    if depths is None or depths >= total:
        return list(range(total))
    return [round((step + 1) * total / depths) - 1 for step in range(depths)]


def _similarities(maps: Maps, new: Tensor, compare: str, images: Images) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    if new.shape != maps.shape:
        raise ShapeError(f"explain gives maps of {tuple(new.shape)}, the maps to compare with are {tuple(maps.shape)}")
    maps, new = (maps.abs(), new.abs()) if compare == "absolute" else (maps, new)
    height, width = images.shape[-2:]
    pictures = [unit_range(resize_maps(each, (height, width))).flatten(0, 1) for each in (maps, new)]
    flat = maps.flatten(2), new.flatten(2)
    return spearman(*flat), pearson(*flat), cosine(*flat), ssim(*pictures).view(maps.shape[:2])
