"""`MapLogger` as a callback of the Hugging Face Trainer."""

from typing import Any

from seewhy.callbacks.map_logger import MapLogger
from seewhy.models.huggingface import import_transformers


def make_callback(logger: MapLogger) -> Any:
    """A callback that logs after optimizer steps, in the first process only."""

    class TrainerMaps(import_transformers().TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, _args: Any, state: Any, _control: Any, model: Any = None, **_others: Any) -> None:
            if state.is_world_process_zero:
                logger.step(model, state.global_step)

        def on_train_end(self, _args: Any, state: Any, _control: Any, **_others: Any) -> None:
            if state.is_world_process_zero:
                logger.close()

    return TrainerMaps()
