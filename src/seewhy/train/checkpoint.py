"""Checkpoints of a training in one file, written atomically: weights, their average, optimizer, progress and settings.

There is no random state in it: every step has its own seed, so a resumed run is the same as an uninterrupted one.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from seewhy.errors import InputError
from seewhy.explainers.files import METADATA
from seewhy.runtime.files import write_atomic
from seewhy.train.config import TrainConfig

NAME = "checkpoint.safetensors"
MOMENTS = ("step", "exp_avg", "exp_avg_sq")
FREE = ("processes", "accumulate", "chunk", "readers", "tracker", "reported")  # settings that change no step


@dataclass
class Progress:
    """Progress of a training."""

    step: int = 0  # completed steps
    best: float | None = None  # best insertion minus deletion on held-out images
    best_step: int = 0
    stale: int = 0  # evaluations since the best one
    over: bool = False
    bad_steps: int = 0  # consecutive steps without a finite loss
    seconds: float = 0.0
    learning_rate: float = 0.0  # peak over this training and those it started from
    forwards: float = 0.0  # forward passes of the model, over all processes
    problems: list[str] = field(default_factory=list)  # training images that could not be read


def make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out} cannot be the folder of an explainer ({error.strerror}); choose another") from error


def save_checkpoint(
    folder: Path,
    decoder: nn.Module,
    optimizer: torch.optim.Optimizer,
    average: dict[str, Tensor],
    progress: Progress,
    settings: dict[str, Any],
) -> None:
    tensors = {f"weights/{name}": value for name, value in decoder.state_dict().items()}
    tensors |= {f"average/{name}": value for name, value in average.items()}
    for name, parameter in decoder.named_parameters():
        moments = optimizer.state.get(parameter, {})
        tensors |= {f"{key}/{name}": moments[key] for key in MOMENTS if key in moments}
    metadata = {"progress": json.dumps(asdict(progress)), "settings": json.dumps(settings)}
    content = save({name: value.detach().cpu().contiguous() for name, value in tensors.items()}, metadata=metadata)
    write_atomic(folder / NAME, content, resumes=True)


def load_checkpoint(
    folder: Path,
    decoder: nn.Module,
    optimizer: torch.optim.Optimizer,
    average: dict[str, Tensor],
    settings: dict[str, Any],
) -> Progress:
    """Load decoder, optimizer, average and progress from the folder's checkpoint; without one, a new run's progress."""
    path = folder / NAME
    if not path.is_file():
        if (folder / METADATA).exists():
            raise InputError(f"{folder} holds an explainer, but no checkpoint to resume from; choose another folder")
        return Progress()
    tensors, metadata = _read(path)
    _check_settings(path, json.loads(metadata["settings"]), settings)
    decoder.load_state_dict(_under("weights", tensors))
    for name, value in _under("average", tensors).items():
        average[name].copy_(value)
    _load_moments(decoder, optimizer, tensors)
    return Progress(**json.loads(metadata["progress"]))


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(f"{prefix}/"): value for name, value in tensors.items() if name.startswith(f"{prefix}/")}


def _read(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    try:
        with safe_open(path, framework="pt") as file:
            metadata, tensors = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        folder = path.parent
        keep = f"choose another folder, with start={str(folder)!r} to keep what the explainer there has learned"
        advice = keep if (folder / METADATA).exists() else "remove it to start over"
        raise InputError(f"{path} is damaged ({error}); {advice}") from error
    if not metadata or not {"progress", "settings"} <= metadata.keys():
        raise InputError(f"{path} is not a checkpoint of this version of seewhy; remove it, or choose another folder")
    return tensors, metadata


def _check_settings(path: Path, saved: dict[str, Any], settings: dict[str, Any]) -> None:
    """Raise unless the run is the same; what divides its steps and what shows it may differ (`FREE`)."""
    defaults = flat(json.loads(json.dumps(TrainConfig().to_dict())))  # of options that are newer than the checkpoint
    before, now = defaults | flat(saved), defaults | flat(json.loads(json.dumps(settings)))
    before["shares"] = before.get("shares") or before.get("processes", 1) * before["accumulate"]
    _check_shares(path, before["shares"], now["shares"], now["processes"])
    changed = sorted(key for key in now.keys() | before.keys() if now.get(key) != before.get(key) and key not in FREE)
    if changed:
        raise InputError(
            f"{path} belongs to a run with other settings ({', '.join(changed)}). Use the same settings to resume it, "
            "or another output folder."
        )


def _check_shares(path: Path, before: int, now: int, processes: int) -> None:
    """Raise unless a step is divided as before, which other numbers of processes can do exactly."""
    if before == now:
        return
    possible = [f"{count} x {before // count}" for count in range(1, before + 1) if before % count == 0]
    advice = f"With {processes} processes, use accumulate={before // processes}."
    raise InputError(
        f"{path} belongs to a run whose steps are divided into {before} batches, processes x accumulate; now there are "
        f"{now}, so that batch norm and noise would differ. It resumes exactly with {' or '.join(possible)}. "
        + (advice if before % processes == 0 else "Use one of these, or another output folder.")
    )


def flat(settings: dict[str, Any]) -> dict[str, Any]:
    """Nested settings as one dict.

    >>> flat({"batch": 8, "explainer": {"encoder": "model", "loss": {"points": 16}}})
    {'batch': 8, 'encoder': 'model', 'points': 16}
    """
    parts = [flat(value) if isinstance(value, dict) else {key: value} for key, value in settings.items()]
    return {key: value for part in parts for key, value in part.items()}


def _load_moments(decoder: nn.Module, optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    for name, parameter in decoder.named_parameters():
        moments = {key: tensors[f"{key}/{name}"] for key in MOMENTS if f"{key}/{name}" in tensors}
        if moments:
            on_device = {key: value if key == "step" else value.to(parameter.device) for key, value in moments.items()}
            optimizer.state[parameter] = on_device
