"""An ONNX file as a classifier, run by onnxruntime: for methods and metrics that need outputs only.

There are no gradients and no layers: methods that need them raise `UnsupportedModel`.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from seewhy.errors import InputError, MissingExtra, ModelError, UnsupportedModel
from seewhy.models.classifier import Classifier
from seewhy.models.preprocess import Preprocess
from seewhy.models.splitting import Split
from seewhy.runtime.copies import local_path
from seewhy.types import Images

ADVICE = "Choose one that needs outputs only, such as occlusion, rise, lime, shap or mda"
FLOATS = {"tensor(float)": torch.float32, "tensor(float16)": torch.float16, "tensor(double)": torch.float64}


class OnnxModule(nn.Module):
    """An onnxruntime session as a module without parameters; several outputs are returned as a dict by name."""

    digest: Tensor  # of the file, for the model's fingerprint

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.session = open_session(local_path(path))
        self.input = _image_input(self.session.get_inputs(), path)
        self.outputs = [output.name for output in self.session.get_outputs()]
        self.batch = self.input.shape[0] if isinstance(self.input.shape[0], int) else None  # fixed number of images
        self.register_buffer("digest", torch.frombuffer(bytearray(_digest(path)), dtype=torch.uint8))

    def forward(self, normalized: Tensor) -> Any:
        parts = normalized.split(self.batch or max(1, len(normalized)))
        results = [_Run.apply(part, self.run) for part in parts]
        outputs = [torch.cat(values) for values in zip(*results, strict=True)]
        return outputs[0] if len(outputs) == 1 else dict(zip(self.outputs, outputs, strict=True))

    def run(self, normalized: Tensor) -> tuple[Tensor, ...]:
        """The outputs for at most `batch` images; a fixed batch is padded with copies of the last image."""
        missing = (self.batch or len(normalized)) - len(normalized)
        filled = torch.cat([normalized, normalized[-1:].expand(missing, -1, -1, -1)])
        images = filled.to("cpu", FLOATS[self.input.type]).numpy()
        try:
            values = self.session.run(None, {self.input.name: images})
        except Exception as error:  # onnxruntime's errors have no common class
            raise RuntimeError(f"onnxruntime: {str(error)[:200]}") from error
        return tuple(torch.from_numpy(np.asarray(value))[: len(normalized)].to(normalized) for value in values)

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path}  # sessions cannot be pickled

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["path"])  # type: ignore[misc]


class _Run(torch.autograd.Function):
    """A forward pass whose backward pass raises with advice."""

    @staticmethod
    def forward(ctx: Any, images: Tensor, run: Callable[[Tensor], tuple[Tensor, ...]]) -> Any:  # noqa: ARG004
        return run(images.detach())

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:  # noqa: ARG004
        raise UnsupportedModel(f"an ONNX file has no gradients, which this method needs. {ADVICE}.")


class OnnxClassifier(Classifier):
    """A black-box classifier: outputs only."""

    not_vit = "an ONNX file provides outputs only"

    def forward(self, normalized: Tensor) -> Any:
        return self.module(normalized)

    def split(self, images: Images) -> Split:  # noqa: ARG002
        raise UnsupportedModel(f"an ONNX file has no layers that a method can read. {ADVICE}.")

    def _find_layer(self, layer: str | int | None) -> Any:  # noqa: ARG002
        raise UnsupportedModel(f"an ONNX file has no layers that a method can read. {ADVICE}.")


def load_onnx(name: str) -> OnnxClassifier:
    """Load an ONNX file as a classifier, with the file's image size and ImageNet's mean and std."""
    path = Path(name).expanduser()
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; an ONNX model is onnx/FILE")
    module = OnnxModule(path)
    height, width = (side if isinstance(side, int) else 224 for side in module.input.shape[2:])
    return OnnxClassifier(module.eval(), Preprocess(size=(height, width)), name=f"onnx/{path.name}")


def open_session(path: Path) -> Any:
    """An onnxruntime session on the GPU if there is one, else on the CPU."""
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtra("an ONNX model", "onnx") from error
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = torch.get_num_threads()
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=onnxruntime.get_available_providers())
    except Exception as error:  # onnxruntime's errors have no common class
        raise ModelError(f"onnxruntime cannot open {path}: {str(error)[:200]}") from error


def _image_input(inputs: list[Any], path: Path) -> Any:
    """The only input, which must be images (batch, channels, height, width)."""
    shapes = ", ".join(f"{each.name} {each.type}{each.shape}" for each in inputs)
    if len(inputs) != 1 or len(inputs[0].shape) != 4 or inputs[0].type not in FLOATS:
        raise UnsupportedModel(
            f"{path} must have one input of floating-point images (batch, channels, height, width), got {shapes}"
        )
    return inputs[0]


def _digest(path: Path) -> bytes:
    return hashlib.blake2b(local_path(path).read_bytes(), digest_size=16).digest()
