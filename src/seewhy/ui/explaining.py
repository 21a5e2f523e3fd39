"""Explanations in the worker: maps with their measured curves, scores of many images, steps of refinement."""

import base64
import io
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from seewhy import api
from seewhy.errors import SeewhyError
from seewhy.explanation import Explanation
from seewhy.explorer.collect import make_bundle
from seewhy.ops.resize import shrink_maps, unit_range
from seewhy.registry import resolve_method
from seewhy.runtime.progress import Listener, Step, listening
from seewhy.store.lookup import with_images
from seewhy.ui.lane import Lane, Note, Source
from seewhy.ui.stored import StoredMap

EVERY = 0.1  # seconds between two notes about progress
MAPS = 0.5  # of a method's progress; the rest are its curves


def explain(
    lane: Lane,
    *,
    model: str,
    image: Source,
    targets: Sequence[int],
    method: str,
    options: dict[str, Any],
    protocol: str,
    stored: StoredMap | None,
    note: Note,
) -> dict[str, Any]:
    """A method's map with its curves: a bundle of the explorer, the saved explanation as a zip file, Python code.

    `stored` is the map, if a map store has it.
    """
    with reporting(note, f"{method}: map", 0.0, MAPS, targets):
        explanation = _explanation(lane, model, image, method, options, targets, stored)
    with reporting(note, f"{method}: curves", MAPS, 1.0):
        bundle = make_bundle(lane.models[model], explanation, protocol=protocol)
    return {"bundle": bundle.to_bytes(), "zip": zipped(explanation), "code": bundle.entries[0].code}


def _explain(
    lane: Lane, model: str, image: Source, method: str, options: dict[str, Any], targets: Sequence[int] | None
) -> Explanation:
    """`seewhy.explain` of an image that was read already."""
    pixels, batch = lane.pixels(model, image), lane.batch(model, image)
    given = None if targets is None else list(targets)
    explanation = api.explain(lane.models[model], pixels, method, given, **options)
    return replace(explanation, names=(image.name,), originals=batch.originals, boxes=batch.boxes)


def _explanation(
    lane: Lane,
    model: str,
    image: Source,
    method: str,
    options: dict[str, Any],
    targets: Sequence[int] | None,
    stored: StoredMap | None,
) -> Explanation:
    """The same, of a stored map if there is one."""
    if stored is None:
        return _explain(lane, model, image, method, options, targets)
    loaded, batch = lane.models[model], lane.batch(model, image)
    found = Explanation(
        torch.from_numpy(stored.maps)[None],
        torch.tensor([stored.targets]),
        method=method,
        options=options,
        model=loaded.name,
        fingerprint=loaded.fingerprint,
        class_names=loaded.class_names,
        cost=stored.cost,
        names=(image.name,),
        originals=batch.originals,
        boxes=batch.boxes,
        class_agnostic=resolve_method(method).methods[-1].class_agnostic,
    )
    return with_images(found, lane.pixels(model, image), loaded)


def explain_instance(
    lane: Lane,
    *,
    model: str,
    image: Source,
    targets: Sequence[int] | None,
    method: str,
    options: dict[str, Any],
    note: Note,
) -> dict[str, Any]:
    """Maps as plain lists, for KServe."""
    with reporting(note, method, 0.0, 1.0):
        found = _explain(lane, model, image, method, options, targets)
    chances, indices = lane.clean(model, image), found.targets[0].tolist()
    return {
        "method": method,
        "targets": indices,
        "probabilities": [chances[index] for index in indices],
        "prediction": max(range(len(chances)), key=chances.__getitem__),
        "shape": list(found.maps.shape[1:]),
        "maps": found.maps[0].nan_to_num().tolist(),
    }


def score_images(
    lane: Lane,
    *,
    model: str,
    images: Sequence[Source],
    method: str,
    options: dict[str, Any],
    stored: Sequence[StoredMap | None],
    note: Note,
) -> list[dict[str, Any]]:
    """Of each image: insertion minus deletion of the map of the predicted class, and the map on the model's grid.

    A stored map is scored for the first class that it explains.
    """
    found = []
    for number, (image, map) in enumerate(zip(images, stored, strict=True)):
        note(stage=f"{method}: {image.name}", share=number / len(images))
        try:
            explanation = _explanation(lane, model, image, method, options, None, map and map.first())
            score = api.evaluate(lane.models[model], explanation, metrics=["ins_del"]).mean(method, "ins_del")
            small = shrink_maps(explanation.maps[:, :1].float(), lane.grid(model))
            found.append({"ins_del": score, "map": small.flatten().cpu().numpy()})
        except SeewhyError as error:
            found.append({"error": str(error)})
    return found


@contextmanager
def reporting(note: Note, stage: str, low: float, high: float, targets: Sequence[int] | None = None) -> Iterator[None]:
    """Note the progress of loops between two shares of the call, and the steps of refinement of these targets."""
    told, best = [0.0], dict[int, float]()

    def on_progress(description: str, done: int, total: int | None) -> None:
        if time.monotonic() - told[0] >= EVERY:
            told[0] = time.monotonic()
            note(stage=f"{stage} ({description})", share=low + (high - low) * (done / total if total else 0.0))

    def on_step(step: Step) -> bool:
        note(stage=f"{stage}, step {step.number} of {step.total}", share=low + (high - low) * step.number / step.total)
        stop = False
        for case, target in enumerate(targets or ()):
            value = float(step.objective[case])
            if value == value:  # not NaN
                best[case] = max(value, best.get(case, value))
            stop = note(**step_event(step, case, target, best.get(case)))
        return stop

    note(stage=stage, share=low)
    with listening(Listener(on_progress, on_step)):
        yield


def step_event(step: Step, case: int, target: int, best: float | None) -> dict[str, Any]:
    """One class of a step as JSON; the map as bytes."""
    value, map = float(step.objective[case]), step.maps[case].float().cpu()
    levels = (unit_range(map[None, None])[0, 0] * 255).round().byte()
    return {
        "target": target,
        "step": step.number,
        "steps": step.total,
        "objective": value if value == value else None,
        "best": best,
        "map": {
            "rows": map.shape[0],
            "cols": map.shape[1],
            "data": base64.b64encode(levels.numpy().tobytes()).decode(),
        },
    }


def zipped(explanation: Explanation) -> bytes:
    """Both files of `Explanation.save` in a zip file."""
    out = io.BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        saved = explanation.save(Path(folder) / "explanation")
        for path in (saved, saved.with_suffix(".json")):
            archive.write(path, path.name)
    return out.getvalue()
