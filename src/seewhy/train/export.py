"""An explainer as one ONNX file: images in [0, 1] and a class for each in, maps out, the encoder included.

The file is checked against torch with onnxruntime before it is handed over, on other images and classes than those it
was traced with, and a script of a few lines that uses it without seewhy is put beside it.
"""

import math
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from seewhy.errors import InputError, MissingExtra, ModelError
from seewhy.explainers.network import AHAExplainer
from seewhy.models.preprocess import Preprocess
from seewhy.runtime.files import write_atomic, write_error
from seewhy.train.checkpoint import make_folder

TOLERANCE = 1e-3  # of the map's own range

EXAMPLE = '''"""Explain a picture with {file}, without seewhy: python {script} PICTURE CLASS"""
import sys
import numpy as np
import onnxruntime
from PIL import Image, ImageOps
photo = ImageOps.exif_transpose(Image.open(sys.argv[1])).convert("RGBA")
photo = Image.alpha_composite(Image.new("RGBA", photo.size, "white"), photo).convert("RGB")
sides, wanted = np.array(photo.size), np.array([{width}, {height}])
box = np.clip((sides + np.outer([-1, 1], {kept})) / 2, 0, sides)
seen = photo.resize(tuple(wanted), Image.Resampling.{filter}, box=tuple(box.ravel()))
images = np.asarray(seen, dtype=np.float32).transpose(2, 0, 1)[None] / 255
session = onnxruntime.InferenceSession(__file__.replace("_example.py", ".onnx"))
(maps,) = session.run(None, {{"images": images, "targets": np.array([[int(sys.argv[2])]], dtype=np.int64)}})
heat = maps[0, 0] - maps.min()
Image.fromarray((heat / max(heat.max(), 1e-12) * 255).astype(np.uint8)).save("map.png")
'''
KEPT = {False: "{crop} * wanted * (sides / wanted).min()", True: "{crop} * sides"}  # by squash, as in `Preprocess.box`


class _Whole(nn.Module):
    """Encoder and decoder as one module for the exporter."""

    def __init__(self, explainer: AHAExplainer) -> None:
        super().__init__()
        self.explainer, self.target = explainer, explainer.model.module

    def forward(self, images: Tensor, targets: Tensor) -> Tensor:
        return self.explainer(images, targets)


def export_explainer(explainer: AHAExplainer, out: str | Path) -> Path:
    """Write `out` (.onnx) and a script beside it that uses it; raises if onnxruntime gives another map than torch.

    The file takes any number of images with one class each: (batch, 3, height, width) and (batch, 1). Only where the
    network itself fixes that number while it is traced, as torchvision's ViT does, batch is 1.
    """
    _need_onnx()
    out = Path(out)
    if out.is_dir():
        raise InputError(f"{out} is a folder; name the ONNX file")
    out = out if out.suffix == ".onnx" else out.with_name(f"{out.name}.onnx")  # not instead of what follows a point
    make_folder(out.parent)
    script, text = example_path(out), example_text(out, explainer.model.preprocess)
    refuse_others(script, text)
    part = out.with_suffix(".part.onnx")
    try:
        _write_any_or_one(explainer, part)
        part.replace(out)
    except OSError as error:
        raise write_error(out, error) from error
    finally:
        part.unlink(missing_ok=True)
    write_atomic(script, text.encode())
    return out


def example_path(out: Path) -> Path:
    """Where the script goes that uses an ONNX file."""
    return out.with_name(f"{out.stem}_example.py")


def example_text(out: Path, preprocess: Preprocess) -> str:
    """The script; it crops and resizes as seewhy does."""
    height, width = preprocess.size
    return EXAMPLE.format(
        file=out.name,
        script=example_path(out).name,
        height=height,
        width=width,
        kept=KEPT[preprocess.squash].format(crop=preprocess.crop),
        filter=preprocess.interpolation.upper(),
    )


def refuse_others(script: Path, text: str) -> None:
    """A script of an earlier export may be replaced, nothing else."""
    header = text.partition("\n")[0]
    if script.exists() and script.read_bytes().partition(b"\n")[0].rstrip() != header.encode():
        raise InputError(
            f"{script} would be overwritten by the example, but it is not one that seewhy wrote. Move it away, or "
            "choose another name for the ONNX file."
        )


def _write_any_or_one(explainer: AHAExplainer, path: Path) -> None:
    """For any number of images if the network allows that, else for one."""
    try:
        _write_checked(explainer, path, batch=3)
    except ModelError as error:
        _write_checked(explainer, path, batch=1)
        warnings.warn(f"the file takes one image at a time; for any number of them {error}", stacklevel=4)


def _write_checked(explainer: AHAExplainer, path: Path, *, batch: int) -> None:
    """For any number of images, checked with `batch` of them; or for one only, if `batch` is one."""
    _write(explainer, path, axes={name: {0: "batch"} for name in ("images", "targets", "maps")} if batch > 1 else None)
    gap = _difference(explainer, path, batch)
    if not gap <= TOLERANCE:  # also if it is not a number
        raise ModelError(f"the exported explainer differs from torch by {gap:.2g} of the map's range; nothing written")


def _write(explainer: AHAExplainer, path: Path, *, axes: dict[str, dict[int, str]] | None) -> None:
    with torch.no_grad(), explainer.model.frozen_eval(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns about sizes that are constant here
        try:
            torch.onnx.export(
                _Whole(explainer.eval()).eval(),
                _inputs(explainer, [0], seed=0),
                str(path),
                input_names=["images", "targets"],
                output_names=["maps"],
                dynamic_axes=axes,
                opset_version=17,
                dynamo=False,
            )
        except RuntimeError as error:
            raise ModelError(f"torch cannot write an explainer of {explainer.model.name} as ONNX: {error}") from error


def _difference(explainer: AHAExplainer, path: Path, batch: int) -> float:
    """Of onnxruntime from torch, as a share of the range; images and classes are others than those of the trace."""
    last = explainer.sizes.classes - 1
    images, targets = _inputs(explainer, [last, last // 2, 0][:batch], seed=1)
    with torch.no_grad(), explainer.model.frozen_eval():
        expected = explainer(images, targets).cpu()
    found = _run(path, images, targets)
    span = float(expected.max() - expected.min()) or 1.0
    return float((found - expected).abs().max()) / span if found.shape == expected.shape else math.inf


def _run(path: Path, images: Tensor, targets: Tensor) -> Tensor:
    import onnxruntime

    quiet = onnxruntime.SessionOptions()
    quiet.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(str(path), quiet, providers=["CPUExecutionProvider"])
        (maps,) = session.run(None, {"images": images.cpu().numpy(), "targets": targets.cpu().numpy()})
    except Exception as error:  # onnxruntime's have no class in common
        raise ModelError(f"onnxruntime cannot run the exported explainer: {error}") from error
    return torch.from_numpy(maps)


def _inputs(explainer: AHAExplainer, classes: list[int], *, seed: int) -> tuple[Tensor, Tensor]:
    """A random image for each class."""
    model = explainer.model
    images = torch.rand(len(classes), 3, *model.image_size, generator=torch.Generator().manual_seed(seed))
    return images.to(model.device), torch.tensor(classes, device=model.device)[:, None]


def _need_onnx() -> None:
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        raise MissingExtra("exporting explainers", "onnx") from error
