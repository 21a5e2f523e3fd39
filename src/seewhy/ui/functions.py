"""What the worker can be asked: a function of a lane (the models of one thread) and of the call's arguments each.

Functions of jobs may take `note`, too: it reports an event and returns whether the job shall stop.
"""

import io
from collections.abc import Callable, Sequence
from typing import Any

import torch
from jaxtyping import Float
from PIL import Image
from torch import Tensor

from seewhy.errors import SeewhyError
from seewhy.explorer.bundle import Bundle
from seewhy.explorer.collect import protocol_references
from seewhy.interventions.patch_sets import patch_pixels, patch_set, patched_set_logits
from seewhy.metrics import PredictionCache, get_protocol
from seewhy.metrics.cases import Cases
from seewhy.metrics.flips import find_flip_points
from seewhy.ops.references import reference_image
from seewhy.ops.resize import shrink_maps
from seewhy.questions import smallest_flip as find_smallest_flip
from seewhy.questions.flipping import FIRST_ROUND, LATER_ROUNDS
from seewhy.runtime.progress import Listener, listening
from seewhy.ui.explaining import explain, explain_instance, score_images
from seewhy.ui.lane import Lane, Note, Source

ALONE = 0.75  # of the time of a search for the fewest patches: every patch alone, the bulk where few are enough


def predict(lane: Lane, *, model: str, image: Source) -> list[float]:
    """Probabilities of all classes."""
    return lane.clean(model, image)


def predict_many(lane: Lane, *, model: str, images: Sequence[Source]) -> list[tuple[int, float] | None]:
    """Prediction and confidence of each image; None for images that cannot be read."""
    loaded, batches = lane.models[model], {}
    for number, image in enumerate(images):
        try:
            batches[number] = lane.read(model, image).images
        except SeewhyError:
            continue
    found: list[tuple[int, float] | None] = [None] * len(images)
    if batches:
        confidence, classes = loaded.probabilities(torch.cat(list(batches.values())).to(loaded.device)).max(dim=1)
        for number, chance, index in zip(batches, confidence.tolist(), classes.tolist(), strict=True):
            found[number] = index, chance
    return found


def view(lane: Lane, *, model: str, image: Source) -> bytes:
    """A PNG of the image as the model sees it."""
    return to_png(lane.batch(model, image).images)


def view_reference(lane: Lane, *, model: str, image: Source, kind: str, reference: str) -> bytes:
    """A PNG of what the model sees in place of the image, where a question of this kind hides it."""
    return to_png(reference_of(lane, model, image, kind, reference))


def reference_of(
    lane: Lane, model: str, image: Source, kind: str, reference: str
) -> Float[Tensor, "1 colors height width"]:
    """The reference of a question of this kind."""
    if kind != "patch":
        return lane.reference(model, image, reference)
    loaded, pixels = lane.models[model], lane.pixels(model, image)
    return reference_image(reference, pixels, mean=loaded.mean, std=loaded.std)


def to_png(images: Float[Tensor, "1 colors height width"]) -> bytes:
    pixels = (images[0, :3].cpu().clamp(0, 1) * 255).round().byte()
    out = io.BytesIO()
    Image.fromarray(pixels.permute(1, 2, 0).squeeze(2).numpy()).save(out, "PNG")
    return out.getvalue()


def ask(
    lane: Lane,
    *,
    model: str,
    image: Source,
    kind: str,
    patches: Sequence[int],
    reference: str,
    options: dict[str, Any],
) -> tuple[list[float], list[float], float]:
    """Probabilities of all classes before and after, and the share of the image that the patches cover."""
    loaded, pixels = lane.models[model], lane.pixels(model, image)
    mask, x_0 = patch_pixels(loaded, patches).to(pixels.device), reference_of(lane, model, image, kind, reference)
    if kind == "patch":
        logits = patched_set_logits(loaded, pixels, x_0, patch_set(loaded, patches), **options)
        after = loaded.to_probabilities(logits)
    else:
        covered = mask ^ (kind == "insert")
        after = loaded.probabilities(torch.where(covered, x_0, pixels))
    return lane.clean(model, image), after[0].tolist(), float(mask.float().mean())


def measure(
    lane: Lane,
    *,
    model: str,
    image: Source,
    bundle: bytes,
    protocol: str,
    target: int,
    direction: str,
    reference: str,
    count: int,
) -> dict[str, Any]:
    """One point of a curve: probabilities of the watched classes, and the top class with its own."""
    loaded, pixels, stored = lane.models[model], lane.pixels(model, image), Bundle.from_bytes(bundle)
    pair = protocol_references(get_protocol(protocol))[reference]
    targets = torch.tensor([[stored.targets[target]]], device=pixels.device)
    made = Cases(loaded, pixels, targets, PredictionCache()).reference_images([getattr(pair, direction)])
    ranks = stored.entries[0].ranks
    top = torch.from_numpy(ranks[min(target, len(ranks) - 1)].astype("int64")).to(pixels.device) < count
    kept = ~top if direction == "deletion" else top
    probabilities = loaded.probabilities(torch.where(kept, pixels, made.images[made.index[0]]))[0]
    return {
        "probabilities": probabilities[list(stored.watched)].tolist(),
        "top1": int(probabilities.argmax()),
        "top1_probability": float(probabilities.max()),
    }


def suggest(lane: Lane, *, model: str, bundle: bytes, target: int, patches: Sequence[int]) -> dict[str, Any]:
    """The patch with the highest mean of the map among those that are not chosen."""
    maps = stored_map(Bundle.from_bytes(bundle), target)
    values = shrink_maps(maps, lane.grid(model)).flatten().clone()
    values[patch_set(lane.models[model], patches)] = -torch.inf
    left = int(values.isfinite().sum())
    if not left:
        return {"patch": None, "value": None, "left": 0}
    best = int(values.argmax())
    return {"patch": best, "value": float(values[best]), "left": left}


def stored_map(bundle: Bundle, target: int) -> Float[Tensor, "1 1 rows cols"]:
    """The map of a class, given by its position; a class-agnostic method has one map for all."""
    maps = bundle.entries[0].maps
    return torch.from_numpy(maps[min(target, len(maps) - 1)].copy())[None, None]


def flip_prefix(
    lane: Lane, *, model: str, image: Source, bundle: bytes, target: int, reference: str, note: Note
) -> dict[str, Any]:
    """The smallest share of a map whose deletion changes the decision, and whose insertion restores it."""
    loaded, pixels, stored = lane.models[model], lane.pixels(model, image), Bundle.from_bytes(bundle)
    maps = stored_map(stored, target)
    targets = torch.tensor([[stored.targets[target]]], device=pixels.device)
    note(stage="sweeping", share=0.1)
    (point,) = find_flip_points(loaded, pixels, maps, targets, references=(reference,))
    return {
        "decision": point.decision,
        "deletion": None if point.deletion is None else {"share": point.deletion, "becomes": point.becomes},
        "insertion": None if point.insertion is None else {"share": point.insertion, "instead_of": point.instead_of},
    }


def smallest_flip(lane: Lane, *, model: str, image: Source, reference: str, note: Note) -> dict[str, Any]:
    """The fewest patches that greedy search finds."""

    def on_progress(description: str, done: int, total: int | None) -> None:
        if description == FIRST_ROUND:
            note(stage=f"{FIRST_ROUND} alone", share=ALONE * done / (total or 1))
        elif description == LATER_ROUNDS:
            note(stage=f"{LATER_ROUNDS}: {done}", share=ALONE + (1 - ALONE) * done / (total or 1))

    with listening(Listener(on_progress, on_step=lambda _: False)):
        found = find_smallest_flip(lane.models[model], lane.pixels(model, image), reference=reference)
    return {
        "decision": found.decision,
        "patches": list(found.patches),
        "becomes": found.becomes,
        "found": found.found,
        "forwards": found.forwards,
        "probabilities": {
            "before": float(found.before[found.decision]),
            "after": float(found.after[found.decision]),
        },
    }


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        predict, predict_many, view, view_reference, ask, measure, suggest, flip_prefix, smallest_flip, explain,
        explain_instance, score_images,
    )
}  # fmt: skip
