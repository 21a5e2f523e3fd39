"""`MapLogger` as a callback of Lightning (`lightning` or `pytorch_lightning`, whichever the training has imported)."""

import importlib
import sys
from typing import Any

from seewhy.callbacks.map_logger import MapLogger
from seewhy.errors import MissingExtra

PACKAGES = ("lightning.pytorch", "pytorch_lightning")


def make_callback(logger: MapLogger) -> Any:
    """A callback that logs after training batches, in the first process only."""

    class LightningMaps(_lightning().Callback):  # type: ignore[misc]
        def on_train_batch_end(self, trainer: Any, module: Any, *_batch: Any) -> None:
            if trainer.is_global_zero:
                logger.step(module, trainer.global_step)

        def on_train_end(self, trainer: Any, _module: Any) -> None:
            if trainer.is_global_zero:
                logger.close()

    return LightningMaps()


def _lightning() -> Any:
    """The package that is imported already, else the one that is installed."""
    for name in sorted(PACKAGES, key=lambda name: name not in sys.modules):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise MissingExtra("a Lightning callback", "callbacks")
