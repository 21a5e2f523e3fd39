"""CAAP: put the source image's hidden states of one patch and its neighbors into a blank run, and read the class score.

Between blocks l_s and l_e the tokens of the window S(p_i) are those of the source image; all other patches are those
of a blank image. The class token runs through this patched context and is read at the end. Every patch gets its own
context, yet all of them together cost about four forward passes: see `interventions/patched.py` and `ops/patching.py`.

| symbol of the paper | name here            | shape                                    |
|---------------------|----------------------|------------------------------------------|
| x, x_0              | images, blank        | batch 3 height width, 1 3 height width   |
| h^l(x), h^l(x_0)    | source, blank tokens | batch tokens dim, 1 tokens dim           |
| S(p_i)              | matrix[i]            | patches patches                          |
| l_s, l_e            | first, last          |                                          |
| c*(p_i)             | one row              | (image, patch) pairs are the rows        |
| A(p_i)              | maps                 | batch classes rows cols                  |

h^l is what block l gives and block l+1 takes; l = 0 are the embedded patches. The other reading of the paper's layer
index is `layers=(0, l_e - 1)`.

differs from the paper: Eq. 2 binds patch tokens only (Algorithm 1 lets the class token run, and so do we); registers
stay blank; where a head reads two tokens both run; where it reads patches (mean or attention pooling) it gets the
blank ones with S(p_i) written over. The paper's parallel form is equal to its Algorithm 1 only for `after="blank"`;
ours is for all. Convolutional networks (appendix B.3 gives no recipe): the feature map after two thirds of the blocks
is spliced and the rest of the network runs as usual, so only `after="propagate"` exists and the context is always
computed again. Windows end at the border, which lowers the scores there a little.

`layers="auto"` chooses l_e for each image: the block whose attention groups alike patches most (largest correlation
of its weights with the similarity of the tokens it gives), an estimate of the peak in the paper's Fig. 6 without
ground truth. On 100 photos and DeiT-Tiny it scored .338 in Ins-Del against .334 of the paper's cut-off, but .782 in
AUPR against .833; on 60 pictures of Scenes .787 against .789 and .671 against .704. It is not better on both, so the
paper's setting stays the default.
"""

import functools
from collections.abc import Sequence
from typing import Literal

import torch
from jaxtyping import Bool
from torch import Tensor

from seewhy.errors import UnsupportedModel
from seewhy.interventions.patched import After, patched_logits, patched_rows
from seewhy.interventions.recorded import Streams, blank_streams, grouping_levels
from seewhy.interventions.spliced import complete_level, network_blocks, resume, state_after
from seewhy.models.classifier import Classifier
from seewhy.models.module import is_channels_last
from seewhy.models.vit import ViT
from seewhy.ops.blanks import Blank, OneImage, blank_image
from seewhy.ops.patching import layer_range
from seewhy.ops.windows import Select, patch_cells, pixel_grid, window_cells, window_matrix
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets

Context = Literal["frozen", "recompute"]
Score = Literal["prob", "logprob", "logit"]


@register_method("caap", paper="izadi2026")
def caap(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    layers: str | Sequence[int] | None = None,
    select: Select | Tensor = "box1",
    blank: Blank | Tensor = "white",
    after: After = "propagate",
    context: Context = "frozen",
    score: Score = "prob",
) -> Maps:
    """Class score of a blank run in which a patch and its neighbors carry the image's hidden states.

    `layers` are (l_s, l_e), such as (1, 8) or "1-8"; None is the paper's 1 to two thirds of the blocks, "auto" looks
    for the block where attention stays most among alike patches. After l_e the patched tokens run on in the blank
    context (`after="propagate"`), or the class token sees the blank ones again ("blank", half the time), or the
    source's to the end ("source", a diagnostic: l_e then has no effect). `context="recompute"` lets all tokens run
    after l_e, at the cost of one partial forward pass per patch.

    Networks that are not ViTs are spliced once, after block l_e: l_s and `context` change nothing there, and of `after`
    only "propagate" exists.
    """
    empty = blank_image(blank, images, mean=model.mean, std=model.std)
    with torch.no_grad():
        if not isinstance(model, ViT):
            return splice_cnn(model, images, targets, empty, layers=layers, select=select, after=after, score=score)
        matrix, depth = window_matrix(select, model.grid), len(model.blocks)
        auto = layers == "auto"
        spans = [(1, level) for level in grouping_levels(model, images)] if auto else [layer_range(layers, depth)]
        maps = images.new_empty(*targets.shape, *model.grid, dtype=torch.promote_types(model.dtype, torch.float32))
        run = functools.partial(patch_vit, model, after=after, context=context, score=score)
        for span in sorted(set(spans)):
            here = [i for i in range(len(images)) if not auto or spans[i] == span]
            maps[here] = run(images[here], targets[here], blank_streams(model, empty), matrix, span=span)
    return maps


def patch_vit(
    model: ViT,
    images: Images,
    targets: Targets,
    blank: Streams,
    matrix: Bool[Tensor, "patches patches"],
    *,
    span: tuple[int, int],
    after: After,
    context: Context,
    score: Score,
) -> Maps:
    """Algorithm 1, for all patches of several images at a time."""
    if context == "frozen" and after == "blank":
        check_readable(model, span)
    whole, stop = context == "recompute", len(model.blocks) if after == "source" else span[1]
    parts = []
    for image, rows in track(patched_rows(model, images, blank, matrix, stop=stop, whole=whole), "caap"):
        logits = patched_logits(rows, layers=span, after=after, recompute=whole)  # f(c*(p_i))
        parts.append(model.scores(logits, targets[image], kind=score))  # A(p_i), Eq. 3
    return model.to_grid(torch.cat(parts).unflatten(0, (len(images), -1)).transpose(1, 2))


def check_readable(model: ViT, span: tuple[int, int]) -> None:
    if not model.read_tokens and span[1] < len(model.blocks):
        raise UnsupportedModel(
            f"the head of {model.name} reads patches, not a class token: with after='blank' nothing of the image would "
            "reach it and every score would be the same. Use after='propagate'."
        )


def splice_cnn(
    model: Classifier,
    images: Images,
    targets: Targets,
    empty: OneImage,
    *,
    layers: str | Sequence[int] | None,
    select: Select | Tensor,
    after: After,
    score: Score,
) -> Maps:
    """The cells of a window of the source's feature map put into the blank one, then the rest of the network."""
    if layers == "auto":
        raise UnsupportedModel(f"layers='auto' looks at attention, and {model.name} is not a Vision Transformer")
    if after != "propagate":
        raise UnsupportedModel(
            f"{model.name} is not a Vision Transformer: behind the splice everything runs on, so that there is no "
            f"after={after!r}. Use after='propagate'."
        )
    level = complete_level(model, layer_range(layers, len(network_blocks(model)))[1])  # l_e
    grid = pixel_grid(model.image_size)
    blank, maps = state_after(model, empty, level), []
    last = is_channels_last(model.module, blank[0])
    rows, cols = blank[0].shape[1:3] if last else blank[0].shape[2:]
    cells = window_cells(window_matrix(select, grid), patch_cells(grid, (rows, cols))).to(images.device)
    cells = cells.unsqueeze(3 if last else 1)
    for image, target in track(list(zip(images, targets, strict=True)), "caap"):
        source, parts = state_after(model, image[None], level), []
        for part in cells.split(model.chunk):
            spliced = [torch.where(part, x, x0) for x, x0 in zip(source, blank, strict=True)]  # Eq. 2
            logits = resume(model, spliced, level)
            parts.append(model.scores(logits, target.expand(len(logits), -1), kind=score))  # A(p_i), Eq. 3
        maps.append(torch.cat(parts).T)
    return torch.stack(maps).unflatten(2, grid)
