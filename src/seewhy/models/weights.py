"""Weights from a file into a network, strictly, and never by running code."""

from collections.abc import Iterable
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from seewhy.errors import WeightsError

_NESTED = ("state_dict", "model", "model_state_dict", "model_state", "net")  # where checkpoints keep their weights
_SHOWN = 8  # keys listed per kind of mismatch


def load_weights(module: nn.Module, path: str | Path) -> nn.Module:
    """Fill a network from safetensors or a torch checkpoint; every key must fit."""
    state = read_weights(path)
    problems = "\n".join(_differences(module.state_dict(), state))
    if problems:
        raise WeightsError(f"the weights in {path} do not fit {type(module).__name__}:\n{problems}")
    module.load_state_dict(state)
    return module


def read_weights(path: str | Path) -> dict[str, Tensor]:
    """The tensors in a file; nested checkpoints are unwrapped and a `module.` prefix is stripped."""
    path = Path(path).expanduser()
    if not path.is_file():
        raise WeightsError(f"there is no weights file {path}")
    try:
        state = load_file(path) if path.suffix == ".safetensors" else _load_checkpoint(path)
    except (SafetensorError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise WeightsError(f"{path} cannot be read as weights: {error}") from error
    return {name.removeprefix("module."): tensor for name, tensor in state.items()}


def _load_checkpoint(path: Path) -> dict[str, Tensor]:
    from pickle import UnpicklingError

    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except UnpicklingError as error:
        raise WeightsError(
            f"{path} holds more than tensors and could run code, so it is not loaded. "
            "Save its state_dict() alone, best as safetensors."
        ) from error
    for key in _NESTED:
        if isinstance(content, dict) and isinstance(content.get(key), dict):
            content = content[key]
    if not isinstance(content, dict) or not all(isinstance(value, Tensor) for value in content.values()):
        raise WeightsError(f"{path} must hold a state dict, got {type(content).__name__}")
    return content


def _differences(wanted: dict[str, Tensor], given: dict[str, Tensor]) -> Iterable[str]:
    shapes = [
        f"{name} {tuple(given[name].shape)} instead of {tuple(tensor.shape)}"
        for name, tensor in wanted.items()
        if name in given and given[name].shape != tensor.shape
    ]
    groups = {"missing": wanted.keys() - given.keys(), "not expected": given.keys() - wanted.keys(), "shape": shapes}
    for title, keys in groups.items():
        if keys:
            shown = sorted(keys)[:_SHOWN]
            more = f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else ""
            yield f"  {title}: {', '.join(shown)}{more}"
