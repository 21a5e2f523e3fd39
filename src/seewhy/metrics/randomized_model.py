"""Randomize the weights of a model, stage by stage.

A stage is the modules that share a name up to its first number, or that of a block in it (`blocks.3`, `layer1.0`,
`head`, `vit.encoder.layer.3`, `stages.0.blocks.2`), from the output to the input; parameters of the whole network
(class token, positions) come last. Only parameters change: the running statistics of batch norms stay. `restored` puts
everything back, also after an exception.
"""

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from seewhy.runtime.seeding import seeded


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
    """Randomize one stage after the other, cumulatively; yields the name of each."""
    seeds = itertools.count(1000 * seed)  # parts of equal shape must not become equal
    for name, parts in stages(module).items():
        for part in parts:
            _redraw(part, next(seeds))
        yield name


@contextmanager
def restored(module: nn.Module) -> Iterator[None]:
    """Restore all parameters and buffers on exit."""
    tensors = [*module.parameters(), *module.buffers()]
    saved = [tensor.detach().clone() for tensor in tensors]
    try:
        yield
    finally:
        with torch.no_grad():
            for tensor, value in zip(tensors, saved, strict=True):
                tensor.copy_(value)


def _redraw(part: nn.Module, seed: int) -> None:
    """Draw new weights: the module's own initializer, or a normal distribution with the weights' deviation."""
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
