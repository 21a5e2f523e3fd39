"""Mosaics: images composed of patches of two images, run as cheaply as the network allows."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.models.classifier import Classifier, ScoreKind
from seewhy.models.vit import ViT
from seewhy.runtime.chunks import in_chunks
from seewhy.runtime.progress import track
from seewhy.types import Images, Logits, Maps, Targets, Tokens

Shown = Bool[Tensor, "rows patches"]
Mosaic = Callable[[Int[Tensor, " rows"], Shown], Logits]


def mosaic(model: Classifier, images: Images, references: Images, grid: tuple[int, int]) -> Mosaic:
    """A function from (case, shown patches) to logits; `images` and `references` hold one image per case.

    Where a ViT embeds patches independently, tokens are composed instead of pixels: the same result, and every patch
    is embedded once.
    """
    if isinstance(model, ViT) and grid == model.grid and embeds_by_patch(model):
        return _compose_tokens(model, images, references)
    return _compose_pixels(model, images, references, grid)


def mosaic_scores(
    model: Classifier,
    images: Images,
    references: Images,
    targets: Targets,
    shown: Bool[Tensor, "patches patches"],
    *,
    grid: tuple[int, int],
    score: ScoreKind,
) -> Maps:
    """For each patch, the class scores of the mosaic that shows the patches in its row of `shown`."""
    show = mosaic(model, images, references, grid)

    def scores_of(case: int) -> Float[Tensor, "patches classes"]:
        logits = show(torch.full((len(shown),), case, device=shown.device), shown)
        return model.scores(logits, targets[case].expand(len(shown), -1), kind=score)

    scores = torch.stack([scores_of(case) for case in track(range(len(images)), "patch by patch")])
    return scores.unflatten(1, grid).movedim(-1, 1)


def embeds_by_patch(model: ViT) -> bool:
    """Whether patches are embedded independently, tested on a checkerboard mosaic of two noise images."""
    generator = torch.Generator().manual_seed(0)
    noise = torch.rand(2, model.channels, *model.image_size, generator=generator).to(model.device, model.dtype)
    rows, cols = (torch.arange(side, device=noise.device) for side in model.grid)
    checkers = ((rows[:, None] + cols) % 2 == 0).flatten().unsqueeze(0)
    with torch.no_grad():
        mixed = model.embed(torch.where(pixel_masks(checkers, model.grid, noise), noise[:1], noise[1:]))
        first, second = model.embed(noise).split(1)
        tokens = torch.where(token_masks(checkers, model), first, second)
    return bool(torch.allclose(mixed, tokens, rtol=1e-4, atol=1e-5))


def pixel_masks(shown: Shown, grid: tuple[int, int], images: Images) -> Bool[Tensor, "rows 1 height width"]:
    """Shown patches as pixel masks; where the grid does not divide the image, patch sizes differ by a pixel."""
    height, width = images.shape[-2:]
    rows, cols = (
        torch.arange(size, device=shown.device) * cells // size for size, cells in ((height, grid[0]), (width, grid[1]))
    )
    return shown.unflatten(1, grid)[:, rows][:, :, cols].unsqueeze(1)


def token_masks(shown: Shown, model: ViT) -> Bool[Tensor, "rows tokens 1"]:
    """Shown patches as token masks; prefix tokens are the same in every image and count as shown."""
    prefix = shown.new_ones(len(shown), model.prefix)
    return torch.cat([prefix, shown], dim=1).unsqueeze(2)


def fused_logits(model: ViT, tokens: Tokens) -> Logits:
    """Logits from h^0; the last block skips the patch tokens if the head reads the class token only."""
    for number, block in enumerate(model.blocks, start=1):
        normed = block.norm1(tokens)
        q, k, v = block.qkv(normed, None)
        if number == len(model.blocks) and model.pool == "token":
            tokens, normed, q = tokens[:, : model.prefix], normed[:, : model.prefix], q[:, :, : model.prefix]
        tokens = block.fused(tokens, normed, (q, k, v))
    model.count(forwards=len(tokens))
    return model.read_out(tokens)


def _compose_tokens(model: ViT, images: Images, references: Images) -> Mosaic:
    with torch.no_grad():
        tokens, reference_tokens = model.embed(images), model.embed(references)

    def run(case: Tensor, shown: Shown) -> Logits:
        return fused_logits(model, torch.where(token_masks(shown, model), tokens[case], reference_tokens[case]))

    return _chunked(model, run)


def _compose_pixels(model: Classifier, images: Images, references: Images, grid: tuple[int, int]) -> Mosaic:
    def run(case: Tensor, shown: Shown) -> Logits:
        return model.logits(torch.where(pixel_masks(shown, grid, images), images[case], references[case]))

    return _chunked(model, run)


def _chunked(model: Classifier, run: Mosaic) -> Mosaic:
    """`run` in chunks that fit the memory, without gradients."""

    def show(case: Tensor, shown: Shown) -> Logits:
        rows = torch.arange(len(shown), device=shown.device)
        with torch.no_grad():
            parts, model.chunk = in_chunks(lambda part: run(case[part], shown[part]), rows, model.chunk)
        return torch.cat(parts)

    return show
