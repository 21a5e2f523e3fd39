"""seewhy explains the decisions of image classifiers.

import seewhy
model = seewhy.load_model("timm/deit_tiny_patch16_224", weights="deit_tiny.safetensors")
seewhy.explain(model, "cat.jpg").captioned().show()

The public names are listed in `__init__.pyi`; they are imported on first use, so that `seewhy --help` does not wait
for torch.
"""

import ast
import importlib
from pathlib import Path

__version__ = "0.1.0"


def _read_public_names() -> dict[str, str]:
    """The module of each public name, from the imports in the stub file."""
    tree = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


_MODULES = _read_public_names()
__all__ = ["__version__", *_MODULES]


def __getattr__(name: str) -> object:
    """Import a public name, or a submodule, on first use."""
    module = _MODULES.get(name, __name__)
    value = _import_submodule(name) if module == __name__ else getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def _import_submodule(name: str) -> object:
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
