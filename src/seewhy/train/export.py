"""ONNX export: one file that maps images in [0, 1] and a class for each to maps, including the encoder.

A joint file gives the logits of the classifier, too, from the same pass. The file is verified against torch with
onnxruntime, on other images and classes than those it was traced with. A short script that uses it without seewhy is
written next to it.
"""

import logging
import math
import warnings
from pathlib import Path

import torch
from torch import Tensor

from seewhy.errors import InputError, MissingExtra, ModelError
from seewhy.explainers.network import AHAExplainer
from seewhy.models.preprocess import Preprocess
from seewhy.runtime.files import write_atomic, write_error
from seewhy.train.checkpoint import make_folder
from seewhy.train.graphs import JointGraph, MapGraph

logger = logging.getLogger(__name__)

TOLERANCE = 1e-3  # relative to the range of the map

EXAMPLE = '''"""Explain an image with {file}, without seewhy: python {script} IMAGE CLASS{note}"""
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
{outputs} = session.run(None, {{"images": images, "targets": np.array([[int(sys.argv[2])]], dtype=np.int64)}})
heat = maps[0, 0] - maps.min()
Image.fromarray((heat / max(heat.max(), 1e-12) * 255).astype(np.uint8)).save("map.png")
'''
KEPT = {False: "{crop} * wanted * (sides / wanted).min()", True: "{crop} * sides"}  # by squash, as in `Preprocess.box`


def export_explainer(explainer: AHAExplainer, out: str | Path, *, joint: bool = False) -> Path:
    """Write `out` (.onnx) and an example script next to it; raises if onnxruntime and torch give different maps.

    With `joint`, the file also gives the logits of the classifier, and a negative class stands for the predicted one.
    The file takes any number of images with one class each: (batch, 3, height, width) and (batch, 1). If the network
    fixes the batch size while it is traced, as torchvision's ViT does, batch is 1.
    """
    _need_onnx()
    if explainer.method is not None:
        raise ModelError(
            f"this explainer starts from the map of {explainer.method!r}, which ONNX cannot compute; export one "
            "that was trained with prior='head'"
        )
    out = Path(out)
    if out.is_dir():
        raise InputError(f"{out} is a folder; name the ONNX file")
    out = out if out.suffix == ".onnx" else out.with_name(f"{out.name}.onnx")  # appended: a name may contain dots
    make_folder(out.parent)
    script, text = example_path(out), example_text(out, explainer.model.preprocess, joint=joint)
    check_replaceable(script, text)
    part = out.with_suffix(".part.onnx")
    try:
        _write_any_or_one(JointGraph(explainer) if joint else MapGraph(explainer), part)
        part.replace(out)
    except OSError as error:
        raise write_error(out, error) from error
    finally:
        part.unlink(missing_ok=True)
    write_atomic(script, text.encode())
    return out


def example_path(out: Path) -> Path:
    """Path of the example script for an ONNX file."""
    return out.with_name(f"{out.stem}_example.py")


def example_text(out: Path, preprocess: Preprocess, *, joint: bool = False) -> str:
    """The example script, which crops and resizes as seewhy does."""
    height, width = preprocess.size
    return EXAMPLE.format(
        file=out.name,
        script=example_path(out).name,
        height=height,
        width=width,
        kept=KEPT[preprocess.squash].format(crop=preprocess.crop),
        filter=preprocess.interpolation.upper(),
        outputs="logits, maps" if joint else "(maps,)",
        note="; CLASS -1 is the predicted one" if joint else "",
    )


def check_replaceable(script: Path, text: str) -> None:
    """Raise if the script exists and is not from an earlier export."""
    header = text.partition("\n")[0]
    if script.exists() and script.read_bytes().partition(b"\n")[0].rstrip() != header.encode():
        raise InputError(
            f"{script} would be overwritten by the example script, but seewhy did not write it. Move it, or choose "
            "another name for the ONNX file."
        )


def _write_any_or_one(graph: MapGraph, path: Path) -> None:
    """Export for any batch size if the network allows it, else for one image."""
    try:
        _write_checked(graph, path, batch=3)
    except ModelError as error:
        _write_checked(graph, path, batch=1)
        logger.warning("the file takes one image at a time; for any number of images, %s", error)


def _write_checked(graph: MapGraph, path: Path, *, batch: int) -> None:
    """Export and verify with `batch` images; for any batch size, unless it is one."""
    names = ("images", "targets", *graph.outputs)
    _write(graph, path, axes={name: {0: "batch"} for name in names} if batch > 1 else None)
    gap = _difference(graph, path, batch)
    if gap > TOLERANCE:
        raise ModelError(f"the exported explainer differs from torch by {gap:.2g} of the map's range; nothing written")


def _write(graph: MapGraph, path: Path, *, axes: dict[str, dict[int, str]] | None) -> None:
    model = graph.explainer.model
    with torch.no_grad(), model.frozen_eval(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracer warnings about constant sizes
        try:
            torch.onnx.export(
                graph.eval(),
                _inputs(graph.explainer, [0], seed=0),
                str(path),
                input_names=["images", "targets"],
                output_names=list(graph.outputs),
                dynamic_axes=axes,
                opset_version=17,
                dynamo=False,
            )
        except RuntimeError as error:
            raise ModelError(f"torch cannot write an explainer of {model.name} as ONNX: {error}") from error


def _difference(graph: MapGraph, path: Path, batch: int) -> float:
    """Largest difference between onnxruntime and torch, relative to the range; not on the inputs of the trace."""
    last = graph.explainer.sizes.classes - 1
    images, targets = _inputs(graph.explainer, [last, last // 2, 0][:batch], seed=1)
    with torch.no_grad(), graph.explainer.model.frozen_eval():
        expected = [each.cpu() for each in graph(images, targets)]
    return max(_gap(*pair) for pair in zip(_run(path, images, targets), expected, strict=True))


def _gap(found: Tensor, expected: Tensor) -> float:
    """Largest difference, relative to the range of what is expected; NaN counts as infinite."""
    span = float(expected.max() - expected.min()) or 1.0
    gap = float((found - expected).abs().max()) / span if found.shape == expected.shape else math.inf
    return math.inf if math.isnan(gap) else gap


def _run(path: Path, images: Tensor, targets: Tensor) -> list[Tensor]:
    import onnxruntime

    quiet = onnxruntime.SessionOptions()
    quiet.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(str(path), quiet, providers=["CPUExecutionProvider"])
        outputs = session.run(None, {"images": images.cpu().numpy(), "targets": targets.cpu().numpy()})
    except Exception as error:  # onnxruntime's errors have no common class
        raise ModelError(f"onnxruntime cannot run the exported explainer: {error}") from error
    return [torch.from_numpy(output) for output in outputs]


def _inputs(explainer: AHAExplainer, classes: list[int], *, seed: int) -> tuple[Tensor, Tensor]:
    """A random image for each class."""
    model = explainer.model
    images = torch.rand(len(classes), model.channels, *model.image_size, generator=torch.Generator().manual_seed(seed))
    return images.to(model.device), torch.tensor(classes, device=model.device)[:, None]


def _need_onnx() -> None:
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        raise MissingExtra("exporting explainers", "onnx") from error
