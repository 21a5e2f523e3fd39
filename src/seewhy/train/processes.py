"""Processes of a distributed training: they decide collectively to avoid deadlock."""

import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from seewhy.errors import InputError, MissingExtra


class Processes:
    """All processes of a training (torchrun, accelerate launch); a single one otherwise."""

    def __init__(self, device: torch.device, *, tracker: str | None = None, folder: Path | None = None) -> None:
        """Set up accelerate, whose settings are global to the process: always in full precision.

        A single process trains on `device`, several on accelerate's devices of the same kind. A `tracker` writes to
        the folder.
        """
        try:
            from accelerate import Accelerator
        except ImportError as error:
            raise MissingExtra("training explainers", "train") from error
        distributed = int(os.environ.get("WORLD_SIZE", 1)) > 1
        on_cpu = distributed and device.type == "cpu"
        self.accelerator = Accelerator(
            mixed_precision="no", cpu=on_cpu, device_placement=False, log_with=tracker, project_dir=folder
        )
        self.count: int = self.accelerator.num_processes
        self.device: torch.device = self.accelerator.device if self.count > 1 else device
        self.index: int = self.accelerator.process_index
        self.is_first: bool = self.accelerator.is_main_process

    def mean(self, values: Tensor) -> Tensor:
        """The mean over all processes, element by element."""
        return self.accelerator.reduce(values, "mean") if self.count > 1 else values

    def all_true(self, condition: bool) -> bool:
        """Whether the condition holds in every process."""
        return bool(self.accelerator.gather(torch.tensor([condition], device=self.device)).all())

    def gather(self, items: list[Any]) -> list[Any]:
        """The concatenated lists of all processes."""
        from accelerate.utils import gather_object

        return gather_object(items)

    def broadcast(self, value: Any) -> Any:
        """The value of the first process."""
        from accelerate.utils import broadcast_object_list

        return broadcast_object_list([value])[0]

    def check_same_step(self, step: int, out: Path) -> None:
        steps = sorted(set(self.gather([step])))
        if len(steps) > 1:
            raise InputError(
                f"the processes found checkpoints of different steps in {out} ({', '.join(map(str, steps))}): it must "
                "be on a disk that all machines share"
            )
