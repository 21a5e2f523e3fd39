"""Images with parts taken away, shown to a model: its answers, and how they change with what is taken away.

The gradient is taken with respect to the masks alone, in chunks whose graphs fit the memory. It comes back as plain
numbers: `(masks * gradients).sum()` then has the right gradient for whatever the masks were made of.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.errors import ModelError, OptionError
from seewhy.models.classifier import GRAPH, Classifier
from seewhy.ops.perturb import blend, spread_cells
from seewhy.runtime.chunks import in_chunks
from seewhy.types import Images, Targets

FP16_SCALE = 2.0**10  # of gradients of probabilities: float16 would lose the small ones

_precision: ContextVar[torch.dtype | None] = ContextVar("precision", default=None)


class Answers(NamedTuple):
    """What the model says about each perturbed image, and d Σ weight · probability / d mask."""

    probabilities: Float[Tensor, "cases points classes"]
    gradients: Float[Tensor, "cases points grid grid"]


@contextmanager
def model_precision(dtype: torch.dtype | None) -> Iterator[None]:
    """Inside, `ask_masked` runs the network itself in bfloat16 or float16, all around it stays as it is; None: no."""
    before = _precision.set(dtype)
    try:
        yield
    finally:
        _precision.reset(before)


def precision_named(name: str, device: torch.device) -> torch.dtype | None:
    """What `model_precision` takes, for "no", "bf16" or "fp16"."""
    if name == "fp16" and device.type != "cuda":
        raise OptionError(f"precision='fp16' needs a CUDA device, the model is on {device}; use precision='bf16'")
    return {"no": None, "bf16": torch.bfloat16, "fp16": torch.float16}[name]


def ask_masked(
    model: Classifier,
    images: Images,
    references: Float[Tensor, "kinds cases 3 height width"],
    masks: Float[Tensor, "cases points grid grid"],
    targets: Targets,
    weights: Float[Tensor, "points classes"],
    *,
    kinds: Int[Tensor, " points"] | None = None,
    offset: tuple[int, int] = (0, 0),
    sigma: float = 0.0,
) -> Answers:
    """Replace what each mask covers by the reference of its kind; one forward and one backward per mask.

    `images` and `targets` are those of the cases; all classes of a case are read from the same forward pass. `sigma`
    smooths the masks in pixels.
    """
    cases, points = masks.shape[:2]
    kinds = torch.zeros(points, dtype=torch.long) if kinds is None else kinds
    kinds, flat = kinds.to(images.device), masks.detach().flatten(0, 1)
    size, dtype = (images.shape[-2], images.shape[-1]), _precision.get()
    scale = FP16_SCALE / max(float(weights.abs().max()), 1e-12) if dtype == torch.float16 else 1.0

    def part(rows: Tensor) -> tuple[Tensor, Tensor]:
        case, point = rows // points, rows % points
        covered = flat[rows].requires_grad_()
        pixels = spread_cells(covered, size, offset=offset, sigma=sigma)
        blended = blend(images[case], references[kinds[point], case], pixels)
        with torch.autocast(images.device.type, dtype=dtype) if dtype else nullcontext():
            logits = model.logits(blended)  # float32 again
        probabilities = model.scores(logits, targets[case], kind="prob")
        wanted = (probabilities * weights[point].to(probabilities)).sum(dim=1, keepdim=True)
        return probabilities.detach(), model.gradients(wanted * scale, [covered])[0].squeeze(1) / scale

    fits = max(1, model.chunk // GRAPH)
    with torch.enable_grad():
        parts, works = in_chunks(part, torch.arange(cases * points, device=images.device), fits)
    model.chunk = model.chunk if works == fits else works * GRAPH
    said, gradients = (torch.cat(each).unflatten(0, (cases, points)) for each in zip(*parts, strict=True))
    if not said.isfinite().all():
        raise ModelError(f"{model.name} gives probabilities that are not finite numbers; see to its weights and inputs")
    return Answers(said, gradients)
