"""Loading weights from a file into a network: strictly, and without executing code."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from seewhy.errors import WeightsError

_NESTED = ("state_dict", "model", "model_state_dict", "model_state", "net")  # where checkpoints keep their weights
StateDict = dict[str, Tensor]
_SHOWN = 8  # keys listed per kind of mismatch


def load_weights(module: nn.Module, weights: str | Path | StateDict, *, source: str = "") -> nn.Module:
    """Load safetensors, a torch checkpoint or a state dict into a network; keys and shapes must match exactly."""
    given = weights if isinstance(weights, dict) else read_weights(weights)
    wanted = module.state_dict()
    state = without_prefix(given, wanted)
    problems = "\n".join(_differences(wanted, state))
    if problems:
        raise WeightsError(f"the weights in {source or weights} do not fit {type(module).__name__}:\n{problems}")
    module.load_state_dict(state)
    return module


def without_prefix(state: StateDict, wanted: Mapping[str, Tensor]) -> StateDict:
    """The state dict without the prefix of a wrapper (Lightning's `model.`, DataParallel, torch.compile).

    Keys without the prefix, such as those of a loss, belong to the wrapper and are dropped if the others fit.
    """
    for key in state:
        prefix = next((key.removesuffix(name) for name in wanted if key.endswith(f".{name}")), None)
        if prefix is not None and key not in wanted:
            inner = {name.removeprefix(prefix): value for name, value in state.items() if name.startswith(prefix)}
            return inner if inner.keys() == wanted.keys() else state
    return state


def classes_in(state: StateDict, module: nn.Module) -> int | None:
    """The number of classes in a state dict that differs from the module's only in that number; else None."""
    wanted = module.state_dict()
    state = without_prefix(state, wanted)
    pairs = [(state[name], tensor) for name, tensor in wanted.items() if name in state]
    other = [(given, tensor) for given, tensor in pairs if given.shape != tensor.shape]
    numbers = {len(given) for given, _ in other if given.ndim}
    heads = all(given.shape[1:] == tensor.shape[1:] for given, tensor in other)
    return numbers.pop() if heads and len(numbers) == 1 and len(pairs) == len(wanted) else None


def read_weights(path: str | Path) -> StateDict:
    """The tensors in a file; nested checkpoints are unwrapped."""
    path = Path(path).expanduser()
    if not path.is_file():
        raise WeightsError(f"there is no weights file {path}")
    try:
        state = load_file(path) if path.suffix == ".safetensors" else _load_checkpoint(path)
    except WeightsError:
        raise
    except Exception as error:  # files of other kinds make the readers raise almost anything
        raise WeightsError(f"{path} cannot be read as weights ({type(error).__name__}: {error})") from error
    return state


def _load_checkpoint(path: Path) -> StateDict:
    from pickle import UnpicklingError

    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except UnpicklingError as error:
        raise WeightsError(
            f"{path} contains more than tensors and could execute code, so it is not loaded. "
            "Save only its state_dict(), preferably as safetensors."
        ) from error
    for key in _NESTED:
        if isinstance(content, dict) and isinstance(content.get(key), dict):
            content = content[key]
    if not isinstance(content, dict) or not all(isinstance(value, Tensor) for value in content.values()):
        raise WeightsError(f"{path} must hold a state dict, got {type(content).__name__}")
    return content


def _differences(wanted: Mapping[str, Tensor], given: Mapping[str, Tensor]) -> Iterable[str]:
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
