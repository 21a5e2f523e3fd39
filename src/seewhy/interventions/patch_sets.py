"""Activation patching of any set of patches: CAAP (`methods/caap.py`) with one window that the user chooses."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool
from torch import Tensor

from seewhy.errors import OptionError, UnsupportedModel
from seewhy.interventions.patched import After, Context, block_range, patched_logits, patched_runs
from seewhy.interventions.recorded import reference_run
from seewhy.interventions.spliced import network_blocks, spliced_logits
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.references import OneImage
from seewhy.ops.windows import chosen_cells, pixel_grid
from seewhy.types import Logits


def patch_grid(model: Classifier) -> tuple[int, int]:
    """Rows and columns of patches: those of a ViT, else patches of about 16 pixels."""
    return model.grid if isinstance(model, ViT) else pixel_grid(model.image_size)


def patch_set(model: Classifier, patches: Sequence[int]) -> Bool[Tensor, " patches"]:
    """A mask over all patches, from patch indices in row-major order."""
    rows, cols = patch_grid(model)
    wrong = [each for each in patches if not 0 <= int(each) < rows * cols]
    if wrong:
        raise OptionError(f"patches must be from 0 to {rows * cols - 1}, on a {rows}x{cols} grid; got {wrong[:3]}")
    chosen = torch.zeros(rows * cols, dtype=torch.bool)
    chosen[[int(each) for each in patches]] = True
    return chosen


def patch_pixels(model: Classifier, patches: Sequence[int]) -> Bool[Tensor, "height width"]:
    """The pixels that some patches cover."""
    return chosen_cells(patch_set(model, patches), patch_grid(model), model.image_size)


def patched_set_logits(
    model: Classifier,
    image: OneImage,
    reference: OneImage,
    chosen: Bool[Tensor, " patches"],
    *,
    blocks: Sequence[int] | str | None = None,
    after: After = "propagate",
    context: Context = "frozen",
) -> Logits:
    """Logits of the reference with the image's hidden states patched in at the chosen patches; options as in CAAP."""
    with torch.no_grad(), model.frozen_eval():
        if not chosen.any():
            return model.logits(reference)
        if not isinstance(model, ViT):
            return _spliced(model, image, reference, chosen, blocks=blocks, after=after)
        recompute, depth = context == "recompute", len(model.blocks)
        l_s, l_e = block_range(blocks, depth)
        if not model.head_tokens and l_e < depth and after == "reference" and not recompute:
            raise UnsupportedModel(f"the head of {model.name} reads patches: use after='propagate'")
        ((_, runs),) = patched_runs(
            model,
            image,
            reference_run(model, reference),
            chosen[None],
            blocks=(l_s, l_e),
            stop=depth if after == "source" else l_e,
            whole=recompute,
        )
        return patched_logits(runs, after=after, recompute=recompute)


def _spliced(
    model: Classifier,
    image: OneImage,
    reference: OneImage,
    chosen: Bool[Tensor, " patches"],
    *,
    blocks: Sequence[int] | str | None,
    after: After,
) -> Logits:
    if after != "propagate":
        raise UnsupportedModel(f"{model.name} is not a Vision Transformer: after must be 'propagate', got {after!r}")
    _, l_e = block_range(blocks, len(network_blocks(model)))
    return next(iter(spliced_logits(model, image, reference, chosen[None], patch_grid(model), block=l_e)))
