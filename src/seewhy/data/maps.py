"""Read maps made elsewhere from .npy, .npz or safetensors files; never pickle.

Maps have the shape (rows, cols), (batch, rows, cols) or (batch, classes, rows, cols). A file with several arrays names
them `maps` and, optionally, `targets` (batch, classes).
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from seewhy.errors import InputError
from seewhy.explanation import Explanation
from seewhy.types import Targets

SUFFIXES = (".npy", ".npz", ".safetensors")


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
    return Explanation.from_maps(maps, targets=_matching(found, maps), method=path.stem)


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


def _matching(targets: Tensor, maps: Tensor) -> Tensor:
    """Targets as `batch classes`; a single row of classes applies to every image."""
    batch = len(maps) if maps.ndim > 2 else 1
    targets = torch.as_tensor(targets)
    if targets.is_floating_point() and not torch.equal(targets, targets.round()):
        raise InputError(f"targets must be class indices, got {targets.flatten()[0].item():g}")
    targets = targets.long()
    targets = targets.reshape(-1, 1) if targets.ndim < 2 else targets
    return targets.expand(batch, -1) if len(targets) == 1 else targets
