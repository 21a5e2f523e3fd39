"""Maps made elsewhere, from files: NumPy's .npy and .npz, and safetensors; never pickle.

An array is (rows, cols), (batch, rows, cols) or (batch, classes, rows, cols). Files with several arrays hold them as
`maps` and, where they are known, `targets` (batch, classes).
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
    """An explanation from a file, with the targets of the file or, where it has none, those given."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    if path.suffix == ".safetensors" and path.with_suffix(".json").is_file():
        return Explanation.load(path)
    arrays = _arrays(path)
    maps, known = arrays["maps"], arrays.get("targets", targets)
    if maps.is_complex():
        raise InputError(f"{path}: the maps are complex numbers; expected real ones")
    if not maps.is_floating_point():
        maps = maps.float()
    if known is None:
        raise InputError(f"{path}: the file holds no targets; name the class that the maps explain")
    return Explanation.from_maps(maps, targets=_matching(known, maps), method=path.stem)


def _arrays(path: Path) -> dict[str, Tensor]:
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: maps are read from {', '.join(SUFFIXES)}")
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
    """`batch classes`; one row of classes stands for every picture."""
    batch = len(maps) if maps.ndim > 2 else 1
    targets = torch.as_tensor(targets)
    if targets.is_floating_point() and not torch.equal(targets, targets.round()):
        raise InputError(f"targets are numbers of classes, got {targets.flatten()[0].item():g}")
    targets = targets.long()
    targets = targets.reshape(-1, 1) if targets.ndim < 2 else targets
    return targets.expand(batch, -1) if len(targets) == 1 else targets
