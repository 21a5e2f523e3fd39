"""Explainers for one's own model: `train_explainer`, and their export."""

from seewhy.train.config import TrainConfig, make_config
from seewhy.train.evaluation import evaluate_explainer
from seewhy.train.export import export_explainer
from seewhy.train.loop import train_explainer

__all__ = ["TrainConfig", "evaluate_explainer", "export_explainer", "make_config", "train_explainer"]
