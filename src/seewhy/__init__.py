"""seewhy: why an image classifier decided what it decided.

import seewhy
model = seewhy.load_model("timm/deit_tiny_patch16_224", weights="deit_tiny.safetensors")
seewhy.explain(model, "cat.jpg").overlay().show()
"""

import importlib
from typing import Any

__version__ = "0.1.0"

# Public names and where they live. Loaded when first used, so that `seewhy --help` need not wait for torch.
_PUBLIC = {
    "Explanation": "seewhy.explanation",
    "benchmark": "seewhy.bench",
    "cite": "seewhy.api",
    "evaluate": "seewhy.api",
    "explain": "seewhy.api",
    "list_methods": "seewhy.api",
    "list_metrics": "seewhy.api",
    "list_models": "seewhy.api",
    "list_protocols": "seewhy.api",
    "load_model": "seewhy.api",
    "train_explainer": "seewhy.train",
    "wrap_model": "seewhy.api",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    try:
        return importlib.import_module(f"seewhy.{name}")  # seewhy.zoo, seewhy.errors …
    except ModuleNotFoundError as error:
        if error.name != f"seewhy.{name}":
            raise
    raise AttributeError(f"module 'seewhy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
