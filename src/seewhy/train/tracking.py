"""Curves and maps of a training in TensorBoard or Weights & Biases, through accelerate's trackers."""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from seewhy.errors import InputError
from seewhy.explainers.network import AHAExplainer
from seewhy.explanation import Explanation
from seewhy.train.evaluation import predicted_maps
from seewhy.train.processes import Processes
from seewhy.types import Images

PACKAGES = {"tensorboard": ("tensorboard", "tensorboardX"), "wandb": ("wandb",)}
MAPS = 4  # images whose maps are shown
PLAIN = (bool, int, float, str)


class Tracker:
    """Shows what `log.jsonl` holds, and maps of some held-out images; does nothing without a name."""

    def __init__(self, processes: Processes, name: str | None, out: Path, settings: dict[str, Any]) -> None:
        """Begin, or go on with, the run in `out`."""
        self.accelerator, self.name = processes.accelerator, name
        if name is None:
            return
        plain = {key: value if isinstance(value, PLAIN) else str(value) for key, value in settings.items()}
        known = hashlib.sha256(str(out.resolve()).encode()).hexdigest()[:16]  # the same run when it is resumed
        wandb = {"dir": str(out), "name": out.name, "id": known, "resume": "allow"}
        self.accelerator.init_trackers("seewhy", config=plain, init_kwargs={"wandb": wandb})

    def log(self, values: dict[str, Any], step: int) -> None:
        if self.name:
            self.accelerator.log({key: value for key, value in values.items() if isinstance(value, (int, float))}, step)

    def log_maps(self, explainer: AHAExplainer, images: Images, step: int) -> None:
        """Show the maps of the first images for their predicted classes, drawn over them."""
        if not (self.name and self.accelerator.is_main_process):
            return
        images = images[:MAPS].to(explainer.model.device)
        maps, targets = predicted_maps(explainer, images)
        made = Explanation(maps.cpu(), targets.cpu(), images.cpu())
        drawn = np.stack([np.asarray(made.overlay(index)) for index in range(len(images))])
        options = {"dataformats": "NHWC"} if self.name == "tensorboard" else {}
        for tracker in self.accelerator.trackers:
            tracker.log_images({"maps": drawn}, step=step, **options)

    def close(self) -> None:
        if self.name:
            self.accelerator.end_training()


def check_tracker(name: str | None) -> None:
    """Raise if the tracker's package is not installed."""
    packages = PACKAGES.get(name or "", ())
    if packages and not any(map(find_spec, packages)):
        raise InputError(f"tracker={name!r} needs the package {packages[0]}: pip install {packages[0]}")
