"""What the processes of one training decide together: what one of them cannot do, none does, else others would wait."""

import os
from pathlib import Path
from typing import Any

import torch

from seewhy.errors import InputError, MissingExtra
from seewhy.models.classifier import Classifier


class Processes:
    """All processes that share a training (torchrun, accelerate launch); one, if nothing else was started."""

    def __init__(self, model: Classifier) -> None:
        """All of accelerate's settings hold for the whole process: in full precision, whatever ours is, and where its
        device is another one than the model's, which is possible for a single process only, the model stays.
        """
        try:
            from accelerate import Accelerator
        except ImportError as error:
            raise MissingExtra("training explainers", "train") from error
        several = int(os.environ.get("WORLD_SIZE", 1)) > 1
        on_cpu = several and model.device.type == "cpu"
        self.accelerator = Accelerator(mixed_precision="no", cpu=on_cpu, device_placement=False)
        self.count: int = self.accelerator.num_processes
        self.device: torch.device = self.accelerator.device if self.count > 1 else model.device
        self.index: int = self.accelerator.process_index
        self.is_first: bool = self.accelerator.is_main_process

    def everywhere(self, holds: bool) -> bool:
        """Whether it holds in every process."""
        return bool(self.accelerator.gather(torch.tensor([holds], device=self.device)).all())

    def of_all(self, mine: list[Any]) -> list[Any]:
        """The lists of all processes, one behind the other."""
        from accelerate.utils import gather_object

        return gather_object(mine)

    def of_first(self, mine: Any) -> Any:
        """What the first process has."""
        from accelerate.utils import broadcast_object_list

        return broadcast_object_list([mine])[0]

    def check_same_step(self, step: int, out: Path) -> None:
        found = sorted(set(self.of_all([step])))
        if len(found) > 1:
            raise InputError(
                f"the processes found checkpoints of different steps in {out} ({', '.join(map(str, found))}): it must "
                "lie on a disk that all machines share"
            )
