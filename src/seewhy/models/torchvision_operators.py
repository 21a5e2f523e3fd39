"""Make torchvision importable if its compiled operators do not fit this torch: declare the missing ones first."""

import contextlib
import functools

import torch

_OPERATORS = ("nms", "qnms")  # the ones torchvision registers fake kernels for when it is imported
_SCHEMA = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"


@functools.cache
def declare_operators() -> tuple[torch.library.Library, ...]:
    """Make `import torchvision` work; a no-op if the compiled operators are available.

    The cached result keeps the declarations alive.
    """
    with contextlib.suppress(ImportError, OSError, RuntimeError):
        import torchvision  # noqa: F401 - works, or leaves no operators behind
    missing = [name for name in _OPERATORS if not hasattr(torch.ops.torchvision, name)]
    return tuple(_declare(name + _SCHEMA) for name in missing)


def _declare(schema: str) -> torch.library.Library:
    library = torch.library.Library("torchvision", "FRAGMENT")
    library.define(schema)
    return library
