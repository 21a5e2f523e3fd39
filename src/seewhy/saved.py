"""Explanations in files: tensors and class names as safetensors, metadata as JSON; never pickle."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from seewhy.errors import InputError
from seewhy.runtime.files import write_atomic
from seewhy.runtime.targets import class_name
from seewhy.types import Cost

if TYPE_CHECKING:
    from seewhy.explanation import Explanation

FORMAT = 1  # version of the file format
FIELDS = (
    "method",
    "model",
    "fingerprint",
    "names",
    "boxes",
    "skipped",
    "notes",
    "class_agnostic",
    "preprocessing",
    "layer",
    "target_function",
)
TOP = 5  # most probable classes in a summary


def save_explanation(explanation: "Explanation", path: str | Path) -> Path:
    """Write both files; returns the path of the safetensors file."""
    path = _tensors_file(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    tensors = {f"extras.{name}": tensor for name, tensor in explanation.extras.items()}
    tensors |= {"maps": explanation.maps, "targets": explanation.targets}
    if explanation.images is not None:
        tensors["images"] = (explanation.images.clamp(0, 1) * 255).round().byte()
    if explanation.probabilities is not None:
        tensors["probabilities"] = explanation.probabilities
    content = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_atomic(path, save(content, {"class_names": json.dumps(explanation.class_names)}))
    write_atomic(path.with_suffix(".json"), json.dumps(_metadata(explanation), indent=1).encode())
    return path


def _tensors_file(path: str | Path) -> Path:
    """The path with the ending .safetensors; other points belong to the name.

    >>> _tensors_file("cat.json").name, _tensors_file("cat.v2").name
    ('cat.safetensors', 'cat.v2.safetensors')
    """
    path = Path(path)
    return path.with_name(f"{path.name.removesuffix('.json').removesuffix('.safetensors')}.safetensors")


def load_fields(path: str | Path) -> dict[str, Any]:
    """The fields of an explanation that `save_explanation` wrote."""
    path = _tensors_file(path)
    for file in (path, path.with_suffix(".json")):
        if not file.is_file():
            raise InputError(f"{file}: there is no such file")
    try:
        with safe_open(path, "pt") as opened:
            tensors = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 - not a dict
            header = opened.metadata() or {}
        metadata = json.loads(path.with_suffix(".json").read_text())
    except (SafetensorError, ValueError) as error:
        raise InputError(f"{path} or the JSON file beside it is damaged ({error}); explain the images again") from error
    if metadata.pop("format", None) != FORMAT:
        raise InputError(f"{path}: written by another version of seewhy; explain the images again")
    metadata.pop("explained", None)
    metadata.setdefault("class_names", json.loads(header.get("class_names", "null")))
    metadata["cost"] = Cost(**metadata["cost"])
    metadata.setdefault("notes", [])  # files of older versions have none
    for name in ("names", "class_names", "boxes", "skipped", "notes"):
        metadata[name] = _as_tuples(metadata[name])
    extras = {name.removeprefix("extras."): value for name, value in tensors.items() if name.startswith("extras.")}
    fields = {name: value for name, value in tensors.items() if not name.startswith("extras.")}
    if "images" in fields:
        fields["images"] = fields["images"].float() / 255
    return {**fields, **metadata, "extras": extras}


def summarize_image(explanation: "Explanation", image: int) -> dict[str, Any]:
    """Summary of an image: its name, the targets, the prediction and the top classes."""

    def about(index: int) -> dict[str, Any]:
        known = {"index": index, "name": class_name(index, explanation.class_names)}
        probabilities = explanation.probabilities
        return known if probabilities is None else {**known, "probability": float(probabilities[image, index])}

    names, targets = explanation.names, explanation.targets[image].tolist()
    found: dict[str, Any] = {"image": names[image] if names else f"image {image}", "method": explanation.method}
    found |= {"model": explanation.model, "targets": [about(index) for index in targets]}
    if explanation.probabilities is None:
        return found
    top = explanation.probabilities[image].argsort(descending=True)[:TOP].tolist()
    return found | {"prediction": about(top[0]), "top": [about(index) for index in top]}


def _metadata(explanation: "Explanation") -> dict[str, Any]:
    """The content of the JSON file."""
    options = {name: value if _is_plain(value) else repr(value) for name, value in explanation.options.items()}
    fields = {name: getattr(explanation, name) for name in FIELDS} | {"options": options}
    return {"format": FORMAT, **fields, "cost": asdict(explanation.cost), "explained": explanation.summaries()}


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool, type(None), list, tuple, dict))


def _as_tuples(value: Any) -> Any:
    return tuple(_as_tuples(item) for item in value) if isinstance(value, list) else value
