"""Probabilities of partially replaced images, and their gradient with respect to the masks.

Only the masks are differentiated, in chunks whose graphs fit the memory, and the gradient comes back as a constant:
`(masks * response.gradients).sum()` has the right gradient for everything that the masks were computed from.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.errors import ModelError, OptionError
from seewhy.models.classifier import GRAPH, Classifier
from seewhy.ops.curves import pixel_order, pixel_ranks
from seewhy.ops.perturb import apply_masks, upsampling_matrices
from seewhy.types import Images, Targets

FP16_SCALE = 2.0**10  # gradient scaling: small gradients of probabilities would underflow in float16

Precision = Literal["no", "tf32", "bf16", "fp16"]
AUTOCAST_DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}

_precision: ContextVar[Precision] = ContextVar("precision", default="no")


class MaskedResponse(NamedTuple):
    """Probabilities of the targets for each perturbed image, and d Σ weight · probability / d mask."""

    probabilities: Float[Tensor, "cases points classes"]
    gradients: Float[Tensor, "cases points grid grid"]


def masked_probabilities(
    model: Classifier,
    images: Images,
    references: Float[Tensor, "kinds cases colors height width"],
    masks: Float[Tensor, "cases points grid grid"],
    targets: Targets,
    weights: Float[Tensor, "points classes"],
    *,
    kinds: Int[Tensor, " points"] | None = None,
    offset: tuple[int, int] = (0, 0),
    sigma: float = 0.0,
) -> MaskedResponse:
    """Probabilities of images whose masked part is replaced by the reference `kinds[point]`, and their gradients.

    One forward and one backward pass per mask. A case is an image with its targets, which share a forward pass. `sigma`
    is the standard deviation, in pixels, of the Gaussian that smooths the masks.
    """
    cases, points = masks.shape[:2]
    kinds = torch.zeros(points, dtype=torch.long) if kinds is None else kinds
    kinds, cells = kinds.to(images.device), masks.detach().flatten(0, 1)
    rows, cols = upsampling_matrices(cells, (images.shape[-2], images.shape[-1]), offset=offset, sigma=sigma)
    scale = FP16_SCALE / max(float(weights.abs().max()), 1e-12) if _precision.get() == "fp16" else 1.0

    def respond(index: Tensor) -> tuple[Tensor, Tensor]:
        case, point = index // points, index % points
        leaf = cells[index].requires_grad_()
        blended = apply_masks(images[case], references[kinds[point], case], rows @ leaf @ cols.T)
        with autocast(images.device):
            logits = model.logits(blended)  # float32 again
        probabilities = model.scores(logits, targets[case], kind="prob")
        weighted = (probabilities * weights[point].to(probabilities)).sum(dim=1, keepdim=True)
        return probabilities.detach(), model.gradients(weighted * scale, [leaf])[0].squeeze(1) / scale

    with torch.enable_grad():
        parts = model.run_chunks(respond, torch.arange(cases * points, device=images.device), memory=GRAPH)
    response = MaskedResponse(*(torch.cat(each).unflatten(0, (cases, points)) for each in zip(*parts, strict=True)))
    if not response.probabilities.isfinite().all():
        raise ModelError(f"{model.name} returned probabilities that are not finite; check its weights and inputs")
    return response


def hard_objective(
    model: Classifier,
    images: Images,
    references: Float[Tensor, "kinds cases 3 height width"],
    maps: Float[Tensor, "cases height width"],
    targets: Int[Tensor, " cases"],
    fractions: Float[Tensor, " points"],
) -> Float[Tensor, " cases"]:
    """Insertion minus deletion with hard pixel masks, as in the metrics; mean over references and fractions.

    One image and one target per case; two forward passes per reference and fraction.
    """
    ranks = pixel_ranks(pixel_order(maps)).unflatten(1, maps.shape[1:])
    counts = (fractions * ranks[0].numel()).round().view(-1, 1, 1)
    objective = []
    for case, rank in enumerate(ranks):
        masks = (rank < counts).to(images.dtype).repeat(len(references), 1, 1)
        both = torch.cat([masks, 1 - masks])  # deletion, then insertion
        shown = references[:, case].repeat_interleave(len(fractions), dim=0).repeat(2, 1, 1, 1)
        perturbed = apply_masks(images[case].expand(len(both), -1, -1, -1), shown, both)
        with autocast(images.device):
            deletion, insertion = model.probabilities(perturbed)[:, targets[case]].chunk(2)
        objective.append(insertion.mean() - deletion.mean())
    return torch.stack(objective)


@contextmanager
def model_precision(name: Precision) -> Iterator[None]:
    """Inside the context, `masked_probabilities` and `autocast` use this precision; TF32 applies to all products."""
    token, products = _precision.set(name), torch.get_float32_matmul_precision()
    convolutions = torch.backends.cudnn.allow_tf32
    try:
        if name == "tf32":
            torch.set_float32_matmul_precision("high")
            torch.backends.cudnn.allow_tf32 = True
        yield
    finally:
        _precision.reset(token)
        if name == "tf32":
            torch.set_float32_matmul_precision(products)
            torch.backends.cudnn.allow_tf32 = convolutions


def autocast(device: torch.device) -> Any:
    """A context in which the network runs in the half precision chosen with `model_precision`, if any."""
    dtype = AUTOCAST_DTYPES.get(_precision.get())
    return torch.autocast(device.type, dtype=dtype) if dtype else nullcontext()


def check_precision(name: Precision, device: torch.device) -> Precision:
    """The precision, unchanged; raises if the device does not support it."""
    if name in ("fp16", "tf32") and device.type != "cuda":
        raise OptionError(f"precision={name!r} needs a CUDA device, the model is on {device}; use precision='bf16'")
    return name
