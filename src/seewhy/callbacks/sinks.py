"""Where `MapLogger` writes: a folder, TensorBoard, Weights & Biases, MLflow. Your own has `write` and `close`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from seewhy.errors import MissingExtra

if TYPE_CHECKING:
    from seewhy.callbacks.map_logger import LogEntry

PREFIX = "seewhy"


@runtime_checkable
class Sink(Protocol):
    def write(self, entry: "LogEntry") -> None: ...

    def close(self) -> None: ...


class Folder:
    """Overlays as `STEP/NAME.png`, and a line of JSON per entry in `scores.jsonl`."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def write(self, entry: "LogEntry") -> None:
        folder = self.path / f"{entry.step:08d}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, overlay in entry.overlays.items():
            overlay.save(folder / f"{file_name(name)}.png")
        with (self.path / "scores.jsonl").open("a") as file:
            file.write(json.dumps({"step": entry.step, **entry.scalars}) + "\n")

    def close(self) -> None:
        """Nothing is open."""


class TensorBoard:
    """A log directory, or a `SummaryWriter` that is open already, such as `trainer.logger.experiment`."""

    def __init__(self, target: Any) -> None:
        if isinstance(target, (str, Path)):
            try:
                from torch.utils.tensorboard import SummaryWriter
            except ImportError as error:
                raise MissingExtra("TensorBoard", "callbacks") from error
            target = SummaryWriter(str(target))
        self.writer = target

    def write(self, entry: "LogEntry") -> None:
        for name, value in entry.scalars.items():
            self.writer.add_scalar(f"{PREFIX}/{name}", value, entry.step)
        for index, overlay in enumerate(entry.overlays.values()):
            self.writer.add_image(f"{PREFIX}/image {index}", np.asarray(overlay), entry.step, dataformats="HWC")
        self.writer.flush()

    def close(self) -> None:
        self.writer.close()


class WandB:
    """A run of Weights & Biases; default: the one that is active."""

    def __init__(self, run: Any = None) -> None:
        self.run = run

    def write(self, entry: "LogEntry") -> None:
        import wandb

        run = self.run or wandb.run
        images = [wandb.Image(overlay, caption=name) for name, overlay in entry.overlays.items()]
        values = {f"{PREFIX}/{name}": value for name, value in entry.scalars.items()}
        run.log({**values, f"{PREFIX}/maps": images}, step=entry.step)

    def close(self) -> None:
        """The run belongs to the caller."""


class MLflow:
    """Metrics and artifacts of a run of MLflow; default: the active one."""

    def __init__(self, run_id: str | None = None) -> None:
        self.run_id = run_id

    def write(self, entry: "LogEntry") -> None:
        import mlflow

        active: Any = mlflow.active_run()
        run_id = self.run_id or active.info.run_id
        client = mlflow.MlflowClient()
        for name, value in entry.scalars.items():
            client.log_metric(run_id, f"{PREFIX}/{name}", value, step=entry.step)
        for name, overlay in entry.overlays.items():
            client.log_image(run_id, overlay, artifact_file=f"{PREFIX}/{entry.step:08d}/{file_name(name)}.png")

    def close(self) -> None:
        """The run belongs to the caller."""


def file_name(name: str) -> str:
    """A name without characters that file systems refuse.

    >>> file_name("0-tabby, cat 98%")
    '0-tabby-cat-98'
    """
    return "-".join("".join(each if each.isalnum() or each in "-_." else " " for each in name).split())
