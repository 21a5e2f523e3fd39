"""The state of a run in one file that is there whole or not at all: weights, moments, and where it stands.

Nothing random is in it: every step seeds its own numbers, so a run that continues does what it would have done.
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
from seewhy.explainers.network import FACTS
from seewhy.runtime.files import write_atomic

NAME = "checkpoint.safetensors"
MOMENTS = ("step", "exp_avg", "exp_avg_sq")


@dataclass
class Progress:
    """Where a run stands."""

    step: int = 0  # steps done
    best: float | None = None  # insertion minus deletion on held-out images
    best_step: int = 0
    stale: int = 0  # evaluations since the best one
    over: bool = False  # nothing more to do
    bad_steps: int = 0  # steps in a row without a finite loss
    seconds: float = 0.0
    learning_rate: float = 0.0  # the largest of this training and of those it began with
    forwards: float = 0.0  # images shown to the model, by all processes
    problems: list[str] = field(default_factory=list)  # training images that could not be read


def make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out} cannot be the folder of an explainer ({error.strerror}); name another one") from error


def save_checkpoint(
    folder: Path, decoder: nn.Module, optimizer: torch.optim.Optimizer, progress: Progress, config: dict[str, Any]
) -> None:
    tensors = {f"weights/{name}": value for name, value in decoder.state_dict().items()}
    for name, parameter in decoder.named_parameters():
        moments = optimizer.state.get(parameter, {})
        tensors |= {f"{key}/{name}": moments[key] for key in MOMENTS if key in moments}
    facts = {"progress": json.dumps(asdict(progress)), "config": json.dumps(config)}
    data = save({name: value.detach().cpu().contiguous() for name, value in tensors.items()}, metadata=facts)
    write_atomic(folder / NAME, data)


def load_checkpoint(
    folder: Path, decoder: nn.Module, optimizer: torch.optim.Optimizer, config: dict[str, Any]
) -> Progress:
    """Fill decoder and optimizer from the folder's checkpoint, if there is one; else the beginning."""
    path = folder / NAME
    if not path.is_file():
        if (folder / FACTS).exists():
            raise InputError(f"{folder} holds an explainer, but no checkpoint to continue from; name another folder")
        return Progress()
    try:
        with safe_open(path, framework="pt") as file:
            facts, tensors = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        keep = f"name another folder, with start={str(folder)!r} to keep what the explainer there has learned"
        advice = keep if (folder / FACTS).exists() else "remove it to start anew"
        raise InputError(f"{path} is damaged ({error}); {advice}") from error
    if not facts or not {"progress", "config"} <= facts.keys():
        raise InputError(f"{path} is no checkpoint of seewhy; remove it, or name another output folder")
    before, now = flat(json.loads(facts["config"])), flat(json.loads(json.dumps(config)))
    changed = sorted(key for key in now.keys() | before.keys() if now.get(key) != before.get(key))
    if changed:
        raise InputError(
            f"{path} is of a run with other settings ({', '.join(changed)}). Give the same ones to continue it, or "
            "another output folder."
        )
    decoder.load_state_dict({name[8:]: value for name, value in tensors.items() if name.startswith("weights/")})
    _load_moments(decoder, optimizer, tensors)
    return Progress(**json.loads(facts["progress"]))


def flat(facts: dict[str, Any]) -> dict[str, Any]:
    """Settings of all depths by their own names.

    >>> flat({"batch": 8, "explainer": {"encoder": "target", "loss": {"steps": 16}}})
    {'batch': 8, 'encoder': 'target', 'steps': 16}
    """
    parts = [flat(value) if isinstance(value, dict) else {key: value} for key, value in facts.items()]
    return {key: value for part in parts for key, value in part.items()}


def _load_moments(decoder: nn.Module, optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    for name, parameter in decoder.named_parameters():
        moments = {key: tensors[f"{key}/{name}"] for key in MOMENTS if f"{key}/{name}" in tensors}
        if moments:
            where = {key: value if key == "step" else value.to(parameter.device) for key, value in moments.items()}
            optimizer.state[parameter] = where
