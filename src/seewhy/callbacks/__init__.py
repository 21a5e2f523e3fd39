"""Maps while a network is trained: `MapLogger`, adapters for Lightning and the Hugging Face Trainer, and sinks."""

from seewhy.callbacks.map_logger import LogEntry, MapLogger
from seewhy.callbacks.sinks import Folder, MLflow, Sink, TensorBoard, WandB

__all__ = ["Folder", "LogEntry", "MLflow", "MapLogger", "Sink", "TensorBoard", "WandB"]
