"""CAAP: patch the hidden states of one patch and its neighbors into the forward pass of a reference image.

The attribution of the patch is the class score of that patched run. Between h^l_s and h^l_e the tokens of the window
S(p_i) are those of the source image; all other patch tokens are those of the reference. The class token propagates
through this patched context c*(p_i) and is read at the end. `caap_algorithm1` is the paper's Algorithm 1, one run per
patch; `caap` is the same in about four forward passes (`interventions/patched.py`).

| symbol of the paper | name here        | shape                                    |
|---------------------|------------------|------------------------------------------|
| x, x_0              | x, x_0           | 1 3 height width                         |
| h^l(x), h^l(x_0)    | h_x[l], h_x0[l]  | 1 tokens dim                             |
| S(p_i)              | S[i]             | patches                                  |
| l_s, l_e            | l_s, l_e         |                                          |
| h^l(c*(p_i))        | c                | 1 tokens dim                             |
| A(p_i)              | A[i], maps       | classes; batch classes rows cols         |

formula: A(p_i) = f(c*(p_i))_y (Eq. 3), with h^l(c*)_S(p_i) = h^l(x)_S(p_i) for l_s ≤ l ≤ l_e (Eq. 2)

h^l is the output of block l and the input of block l+1; h^0 are the embedded patches. Under the other reading of the
paper's index, its defaults are `blocks=(0, l_e - 1)`.

differs from the paper: Eq. 2 applies to patch tokens only (in Algorithm 1, as here, the class token propagates);
registers stay those of the reference; where the head reads two tokens, both propagate; where it reads patches (mean or
attention pooling), it gets those of the reference, overwritten in S(p_i). The paper's parallel form equals its
Algorithm 1 only for `after="reference"`; ours does for all. Windows are cropped at the border, which lowers the scores
there slightly. Convolutional networks (appendix B.3 gives no recipe) are spliced once, see `interventions/spliced.py`.
"""

from collections.abc import Sequence
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.errors import UnsupportedModel
from seewhy.interventions.patched import After, Context, block_range, patched_logits, patched_runs
from seewhy.interventions.recorded import reference_run
from seewhy.interventions.spliced import network_blocks, spliced_logits
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.references import AnyReference, OneImage, reference_image
from seewhy.ops.windows import Select, pixel_grid, window_matrix
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets

CAAPScore = Literal["prob", "logprob", "logit"]


def caap_algorithm1(
    f: ViT,
    x: OneImage,
    x_0: OneImage,
    y: Targets,
    S: Bool[Tensor, "windows patches"],
    *,
    l_s: int,
    l_e: int,
) -> Float[Tensor, "windows classes"]:
    """Algorithm 1 of the paper: A(p_i) for the windows S(p_i), one run after the other."""
    L, cls = len(f.blocks), list(f.head_tokens)
    h_x, h_x0 = f.run(f.embed(x))[0], f.run(f.embed(x_0))[0]  # cache h^l(x) and h^l(x_0), l = 0 … L
    A = []
    for S_i in S:
        S_i = f.prefix + S_i.nonzero().flatten()  # positions of the tokens of S(p_i)
        c = h_x0[l_s].clone()
        c[:, S_i] = h_x[l_s][:, S_i]  # Eq. 2 at l_s
        for l in range(l_s + 1, L + 1):  # noqa: E741 - the paper's symbol
            propagated = f.blocks[l - 1](c)[0]
            c = h_x0[l].clone()  # h^l(c*) <- h^l(x_0)
            c[:, cls] = propagated[:, cls]  # the class token propagates through blocks l_s + 1 … L
            c[:, S_i] = (h_x[l] if l <= l_e else propagated)[:, S_i]  # Eq. 2; after l_e the patched tokens propagate
        A.append(f.scores(f.read_out(c), y, kind="prob")[0])  # A(p_i) = f(c*(p_i))_y, Eq. 3
    return torch.stack(A)


@register_method("caap", paper="izadi2026", forward_first=True, may_refuse=True)
def caap(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    blocks: Sequence[int] | str | None = None,
    select: Select | Tensor = "box1",
    reference: AnyReference = "white",
    after: After = "propagate",
    context: Context = "frozen",
    score: CAAPScore = "prob",
) -> Maps:
    """Class score of the reference image after patching in the hidden states of a patch and its neighbors.

    `blocks` are (l_s, l_e), such as (1, 8) or "1-8". Default: the paper's, from 1 to two thirds of the blocks.
    `reference` is x_0, the paper's blank image: a name, a color or an image. After l_e the patched tokens propagate in
    the context of the reference (`after="propagate"`), or become those of the reference again ("reference", half the
    cost), or stay those of the source ("source", a diagnostic: l_e has no effect). `context="recompute"` lets all
    tokens propagate after l_e, at the cost of one partial forward pass per patch.

    Networks that are not ViTs are spliced once, after block l_e: l_s and `context` have no effect, and `after` must be
    "propagate".
    """
    x_0 = reference_image(reference, images, mean=model.mean, std=model.std)
    with torch.no_grad():
        if not isinstance(model, ViT):
            return caap_spliced(model, images, targets, x_0, blocks=blocks, select=select, after=after, score=score)
        depth = len(model.blocks)
        S = window_matrix(select, model.grid)
        l_s, l_e = block_range(blocks, depth)
        if not model.head_tokens and l_e < depth and (after, context) == ("reference", "frozen"):
            raise UnsupportedModel(
                f"the head of {model.name} reads patches, not a class token: with after='reference' nothing of the "
                "image would reach it, and all scores would be equal. Use after='propagate'."
            )
        recompute, stop = context == "recompute", depth if after == "source" else l_e
        recorded = reference_run(model, x_0)  # h^l(x_0)
        # its pass over the source images, h^l(x), also gives `explain` the predictions from which it chooses `targets`
        all_runs = patched_runs(model, images, recorded, S, blocks=(l_s, l_e), stop=stop, whole=recompute)
        A = []
        for image_index, runs in track(all_runs, "caap"):
            logits = patched_logits(runs, after=after, recompute=recompute)  # f(c*(p_i))
            A.append(model.scores(logits, targets[image_index], kind=score))  # A(p_i), Eq. 3
    return torch.cat(A).unflatten(0, (len(images), -1)).transpose(1, 2).unflatten(2, model.grid)


def caap_spliced(
    model: Classifier,
    images: Images,
    targets: Targets,
    x_0: OneImage,
    *,
    blocks: Sequence[int] | str | None,
    select: Select | Tensor,
    after: After,
    score: CAAPScore,
) -> Maps:
    """CAAP for a CNN: a window of the source's feature maps spliced into the reference's after block l_e."""
    if after != "propagate":
        raise UnsupportedModel(
            f"{model.name} is not a Vision Transformer: all activations after the splice are recomputed, so that "
            f"after must be 'propagate', got {after!r}"
        )
    _, l_e = block_range(blocks, len(network_blocks(model)))
    model.ensure_first_pass(images)
    grid = pixel_grid(model.image_size)
    runs = spliced_logits(model, images, x_0, window_matrix(select, grid), grid, block=l_e)
    maps = [
        model.scores(logits, y.expand(len(logits), -1), kind=score).T  # A(p_i), Eq. 3
        for y, logits in zip(targets, track(runs, "caap", total=len(images)), strict=True)
    ]
    return torch.stack(maps).unflatten(2, grid)
