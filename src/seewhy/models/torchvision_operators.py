"""torchvision beside a torch that its compiled operators do not fit: declare what is missing, then import it."""

import contextlib
import functools

import torch

_OPERATORS = ("nms", "qnms")  # the ones torchvision registers fake kernels for when it is imported
_SCHEMA = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"


@functools.cache
def declare_operators() -> tuple[torch.library.Library, ...]:
    """Make `import torchvision` work; does nothing where the compiled operators are there.

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
