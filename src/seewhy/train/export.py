"""An explainer as one ONNX file: image in [0, 1] and class in, map out, the encoder included.

The file is checked against torch with onnxruntime before it is handed over, and a script of a few lines that uses it
without seewhy is put beside it.
"""

import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from seewhy.errors import MissingExtra, ModelError
from seewhy.models.explainer import AHAExplainer, write_whole

TOLERANCE = 1e-3  # of the map's own range

EXAMPLE = '''"""Explain a picture with {file}, without seewhy: python {script} PICTURE CLASS"""
import sys

import numpy as np
import onnxruntime
from PIL import Image

picture = Image.open(sys.argv[1]).convert("RGB").resize(({width}, {height}))
image = np.asarray(picture, dtype=np.float32).transpose(2, 0, 1)[None] / 255
target = np.array([[int(sys.argv[2])]], dtype=np.int64)
session = onnxruntime.InferenceSession("{file}")
(maps,) = session.run(None, {{"images": image, "targets": target}})
heat = maps[0, 0] - maps.min()
Image.fromarray((heat / heat.max() * 255).astype(np.uint8)).save("map.png")
'''


class _Whole(nn.Module):
    """Encoder and decoder as one module for the exporter."""

    def __init__(self, explainer: AHAExplainer) -> None:
        super().__init__()
        self.explainer, self.target = explainer, explainer.model.module

    def forward(self, images: Tensor, targets: Tensor) -> Tensor:
        return self.explainer(images, targets)


def export_explainer(explainer: AHAExplainer, out: str | Path) -> Path:
    """Write `out` (.onnx) and a script beside it that uses it; raises if onnxruntime gives another map than torch."""
    _need_onnx()
    out = Path(out).with_suffix(".onnx")
    out.parent.mkdir(parents=True, exist_ok=True)
    model = explainer.model
    images = torch.rand(1, 3, *model.image_size, generator=torch.Generator().manual_seed(0)).to(model.device)
    targets = torch.zeros(1, 1, dtype=torch.long, device=model.device)
    part = out.with_suffix(".part.onnx")
    with torch.no_grad(), model.ready(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns about sizes that are constant here
        torch.onnx.export(
            _Whole(explainer.eval()).eval(),
            (images, targets),
            str(part),
            input_names=["images", "targets"],
            output_names=["maps"],
            opset_version=17,
            dynamo=False,
        )
        expected = explainer(images, targets)
    gap = _difference(part, images, targets, expected)
    if gap > TOLERANCE:
        part.unlink()
        raise ModelError(f"the exported explainer differs from torch by {gap:.2g} of the map's range; nothing written")
    part.replace(out)
    script = out.with_suffix(".py")
    height, width = model.image_size
    text = EXAMPLE.format(file=out.name, script=script.name, height=height, width=width)
    write_whole(script, text.encode())
    return out


def _difference(path: Path, images: Tensor, targets: Tensor, expected: Tensor) -> float:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {"images": images.cpu().numpy(), "targets": targets.cpu().numpy()})
    span = float(expected.max() - expected.min()) or 1.0
    return float((torch.from_numpy(found) - expected.cpu()).abs().max()) / span


def _need_onnx() -> None:
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        raise MissingExtra("exporting explainers", "onnx") from error
