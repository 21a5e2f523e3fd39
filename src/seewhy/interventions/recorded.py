"""A recorded forward pass of a ViT: tokens, queries, keys and values of every block, for activation patching.

The run of a reference image is cached in `model.cache` and reused as long as weights and image are the same.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.types import Images, Tokens

CACHED_RUNS = 2  # per model


@dataclass(frozen=True)
class RecordedRun:
    """`tokens[l]` is h^l; `qkv[l]` are the queries, keys and values that `blocks[l]` computes from it."""

    tokens: list[Tokens]
    qkv: list[Float[Tensor, "3 heads batch tokens head_dim"]]


def record_run(model: ViT, images: Images, *, stop: int) -> RecordedRun:
    """h^0 … h^stop, and q, k and v of the blocks that these enter."""
    return record_tokens(model, model.embed(images), stop=stop)


def record_tokens(model: ViT, tokens: Tokens, *, stop: int) -> RecordedRun:
    """`record_run` from h^0, the embedded images."""
    run = RecordedRun([tokens], [])
    for number, block in enumerate(model.blocks[: stop + 1]):
        tokens = run.tokens[-1]
        normed = block.norm1(tokens)
        q, k, v = block.qkv(normed, None)
        run.qkv.append(torch.stack([q, k, v]).transpose(1, 2))
        if number < stop:
            run.tokens.append(block.fused(tokens, normed, (q, k, v)))
    model.count_tokens(run.tokens[0][..., 0].numel() * (len(run.tokens) - 1))
    return run


def reference_run(model: ViT, reference: Images) -> RecordedRun:
    """The whole run of a reference image, from the model's cache if possible."""
    known = model.cache.setdefault("reference runs", [])
    fingerprint = model.fingerprint
    for stored, image, run in known:
        if stored == fingerprint and _same(image, reference, run.tokens[0]):
            return run
    run = record_run(model, reference, stop=len(model.blocks))
    known[:] = [(fingerprint, reference.clone(), run), *known[: CACHED_RUNS - 1]]
    return run


def _same(stored: Tensor, image: Tensor, tokens: Tensor) -> bool:
    alike = stored.shape == image.shape and stored.dtype == image.dtype and stored.device == image.device
    return alike and torch.equal(stored, image) and tokens.device == image.device
