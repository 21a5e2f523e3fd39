"""Maps made elsewhere: from arrays, or from .npy, .npz or safetensors files; never pickle.

Maps have the shape (rows, cols), (batch, rows, cols) or (batch, classes, rows, cols). A file with several arrays names
them `maps` and, optionally, `targets` (batch, classes).
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from seewhy.data.read import read_images
from seewhy.errors import InputError, ShapeError, TargetError
from seewhy.explanation import Explanation
from seewhy.models.classifier import Classifier
from seewhy.runtime.targets import choose_classes, parse_targets
from seewhy.types import Targets

SUFFIXES = (".npy", ".npz", ".safetensors")


def wrap_maps(
    maps: Any, targets: Any = None, images: Any = None, model: Classifier | str = "", **fields: Any
) -> Explanation:
    """An explanation from maps made elsewhere; see `Explanation.from_maps`."""
    maps = torch.as_tensor(maps.detach() if isinstance(maps, Tensor) else np.array(maps)).float()
    if maps.ndim not in (2, 3, 4):
        raise ShapeError(f"maps must have 2, 3 or 4 dimensions, got shape {tuple(maps.shape)}")
    maps = maps.unsqueeze(0) if maps.ndim == 2 else maps
    maps = maps.unsqueeze(1) if maps.ndim == 3 else maps
    known = describe_images(model, images) if isinstance(model, Classifier) else _as_given(images, model)
    fields = known | fields
    if fields["images"] is not None and len(fields["images"]) != len(maps):
        raise ShapeError(f"maps and images must have the same batch size, got {len(maps)} and {len(fields['images'])}")
    if fields.get("originals") and isinstance(model, Classifier):
        check_frame(maps, fields["originals"], model.image_size)
    targets = _targets(targets, fields.get("probabilities"), fields.get("class_names"), tuple(maps.shape[:2]))
    if maps.shape[:2] != targets.shape:
        raise ShapeError(
            f"maps must be (batch, classes, rows, cols) with (batch, classes) = {tuple(targets.shape)} "
            f"as in targets, got {tuple(maps.shape)}. Sum or average color channels first."
        )
    explanation = Explanation(maps=maps, targets=targets, **fields)
    explanation.warn()
    return explanation


def _as_given(images: Any, model: str) -> dict[str, Any]:
    """Images without a model, which could read them."""
    if images is not None and not (isinstance(images, Tensor) and images.ndim == 4):
        given = tuple(images.shape) if hasattr(images, "shape") else type(images).__name__
        raise ShapeError(
            f"without a model=, images must be a tensor (batch, 3, height, width) in [0, 1], got {given}; with it, "
            "they may be of any type that explain takes"
        )
    return {"images": images, "model": model}


def describe_images(model: Classifier, images: Any) -> dict[str, Any]:
    """Fields of an explanation by this model: the images as it sees them, and its predictions."""
    known: dict[str, Any] = {"model": model.name, "fingerprint": model.fingerprint, "class_names": model.class_names}
    known |= {"classifier": model, "images": None}
    if images is None:
        return known
    batch = read_images(images, model.preprocess)
    inputs = batch.images.to(model.device)
    known |= {"images": inputs, "probabilities": model.probabilities(inputs)}
    return known | {"names": batch.names, "originals": batch.originals, "boxes": batch.boxes}


def check_frame(maps: Tensor, originals: tuple[Any, ...], size: tuple[int, int]) -> None:
    """Raise if maps have the proportions of a photo of which the model sees a crop of others."""
    rows, cols = maps.shape[-2:]
    for original in originals:
        if original is None or abs(cols * size[0] - rows * size[1]) <= max(size):  # the model's, up to rounding
            continue
        if abs(cols * original.height - rows * original.width) <= max(original.size):
            raise ShapeError(
                f"maps of {rows}x{cols} have the proportions of the photo, but the model sees a crop of "
                f"{size[0]}x{size[1]} pixels: give maps of what the model sees, or the images as it sees them (tensors)"
            )


def _targets(targets: Any, probabilities: Tensor | None, names: Any, shape: tuple[int, ...]) -> Targets:
    """Class indices. A flat list is one per image where maps have a single class, else the classes of every image."""
    if targets is None and probabilities is None:
        raise TargetError(
            "the class that the maps explain is unknown: pass targets=, or model= and images= for the predicted class"
        )
    batch, classes = shape
    if isinstance(targets, (Tensor, np.ndarray)):
        targets = targets.tolist()
    if isinstance(targets, (list, tuple)) and classes == 1 and len(targets) == batch > 1:
        targets = [each if isinstance(each, (list, tuple)) else [each] for each in targets]
    given = parse_targets(targets, batch, names)
    return given if probabilities is None else choose_classes(given, probabilities)  # type: ignore[return-value]


def read_maps(path: str | Path, targets: Targets | None = None) -> Explanation:
    """Read an explanation; `targets` are used if the file holds none."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    if path.suffix == ".safetensors" and path.with_suffix(".json").is_file():
        return Explanation.load(path)
    arrays = _arrays(path)
    maps, found = arrays["maps"], arrays.get("targets", targets)
    if maps.is_complex():
        raise InputError(f"{path}: maps must be real, got complex numbers")
    if not maps.is_floating_point():
        maps = maps.float()
    if found is None:
        raise InputError(f"{path}: the file holds no targets; give the class that the maps explain")
    return wrap_maps(maps, _match_targets(found, maps), method=path.stem)


def _arrays(path: Path) -> dict[str, Tensor]:
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: must be a file of type {', '.join(SUFFIXES)}")
    try:
        found = _load(path)
    except (ValueError, TypeError, OSError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    if "maps" not in found and len(found) == 1:
        return {"maps": next(iter(found.values()))}
    if "maps" not in found:
        raise InputError(f"{path}: expected an array called 'maps', found {', '.join(found) or 'none'}")
    return found


def _load(path: Path) -> dict[str, Tensor]:
    if path.suffix == ".safetensors":
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        try:
            return load_file(path)
        except SafetensorError as error:
            raise ValueError(error) from error
    loaded: Any = np.load(path, allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        return {"maps": torch.from_numpy(loaded)}
    with loaded:
        return {name: torch.from_numpy(loaded[name]) for name in loaded.files}


def _match_targets(targets: Tensor, maps: Tensor) -> Tensor:
    """Targets as `batch classes`; a single row of classes applies to every image."""
    batch = len(maps) if maps.ndim > 2 else 1
    targets = torch.as_tensor(targets)
    if targets.is_floating_point() and not torch.equal(targets, targets.round()):
        raise InputError(f"targets must be class indices, got {targets.flatten()[0].item():g}")
    targets = targets.long()
    targets = targets.reshape(-1, 1) if targets.ndim < 2 else targets
    return targets.expand(batch, -1) if len(targets) == 1 else targets
