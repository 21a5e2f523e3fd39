"""Six methods on many architectures, built without weights: the layer that CAM methods read, and what the maps are.

    python benchmarks/sweep_models.py [LIBRARY/NAME …]

One architecture per family of timm, and some of torchvision and Hugging Face; weights are random and shaken, so that no
head is zero. Rows go to benchmarks/data/sweep_models.csv one by one; those that are there are computed again only if
they are named (`'torchvision/*'`). `python docs/generator/tables.py` writes the table of docs/models.md from them.
"""

import csv
import sys
import time
import warnings
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import torch
from torch import nn

import seewhy
from seewhy.errors import ModelError
from seewhy.models.classifier import Classifier
from seewhy.models.huggingface import import_transformers
from seewhy.models.timm import build_timm, import_timm
from seewhy.models.torchvision import build_torchvision
from seewhy.models.vit import ViT

DATA = Path(__file__).parent / "data" / "sweep_models.csv"
METHODS = {
    "grad_cam": {"relu": False},
    "hires_cam": {"relu": False},
    "layer_cam": {"relu": False},
    "gradient": {},
    "input_x_gradient": {},
    "smooth_grad": {"samples": 2},
}
FIELDS = ["library", "name", "pixels", "kind", "layer", "layout", "after", *METHODS, "seconds"]
TORCHVISION = [
    "resnet18", "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2_x0_5", "squeezenet1_1", "mnasnet0_5",
    "efficientnet_b0", "regnet_y_400mf", "googlenet", "densenet121", "alexnet", "convnext_tiny", "swin_t", "vit_b_32",
    "maxvit_t",
]  # fmt: skip
SIDES = {"nasnetalarge": 160, "pnasnet5large": 160, "inception_v4": 160, "inception_resnet_v2": 160, "vgg11": 96}
SMALL = {"image_size": 64, "num_labels": 5}
PLAIN = {"hidden_size": 32, "num_hidden_layers": 6, "num_attention_heads": 2, "intermediate_size": 64, "patch_size": 8}
HUGGINGFACE = {
    "Swin": {"embed_dim": 12, "depths": [2, 2, 2], "num_heads": [2, 2, 4], "patch_size": 2, "window_size": 4},
    "Swinv2": {"embed_dim": 12, "depths": [2, 2, 2], "num_heads": [2, 2, 4], "patch_size": 2, "window_size": 4},
    "Beit": PLAIN,
    "ViT": PLAIN,
    "DeiT": PLAIN,
    "ConvNext": {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 1, 2, 1]},
    "ResNet": {"embedding_size": 8, "hidden_sizes": [8, 16, 24, 32], "depths": [1, 1, 1, 1], "layer_type": "basic"},
    "PvtV2": {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 1, 2, 1], "num_attention_heads": [1, 1, 2, 2]},
    "Dinov2": {"hidden_size": 32, "num_hidden_layers": 6, "num_attention_heads": 2, "patch_size": 8},
    "MobileNetV2": {},
}


def build_huggingface(name: str) -> nn.Module:
    transformers = import_transformers()
    config = getattr(transformers, f"{name}Config")(**{**SMALL, **HUGGINGFACE[name]})
    return getattr(transformers, f"{name}ForImageClassification")(config)


def timm_names() -> list[str]:
    """The smallest architecture with a head of each family, built without memory; smallest first."""
    timm, found = import_timm(), {}
    for family in timm.list_modules():
        sizes = {}
        for name in timm.list_models(module=family):
            with torch.device("meta"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    module = timm.create_model(name)
                except (RuntimeError, NotImplementedError, AssertionError, TypeError, ValueError):
                    continue
            sizes[name] = sum(parameter.numel() for parameter in module.parameters()), module.num_classes
        headed = {name: number for name, (number, classes) in sizes.items() if classes}
        if headed:
            name = min(headed, key=headed.__getitem__)
            found[name] = headed[name]
    return sorted(found, key=found.__getitem__)


def build_with_head(name: str) -> nn.Module:
    """A network of timm; those that come without a head get a small one."""
    try:
        return build_timm(name)
    except ModelError:
        return build_timm(name, num_classes=5)


Rows = dict[tuple[str, str], dict[str, Any]]  # by library and name
BUILD: dict[str, Callable[[str], nn.Module]] = {
    "timm": build_with_head,
    "torchvision": build_torchvision,
    "hf": build_huggingface,
}


def shaken(module: nn.Module) -> nn.Module:
    """Weights with a little noise, so that classes differ and no head is zero."""
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.02 / max(1, parameter.ndim))
    return module.eval()


def row(library: str, name: str) -> dict[str, object]:
    start = time.perf_counter()
    torch.manual_seed(0)
    model = seewhy.wrap_model(shaken(BUILD[library](name)), name=f"{library}/{name}", image_size=SIDES.get(name))
    found: dict[str, object] = {"library": library, "name": name, "pixels": model.image_size[0]}
    found["kind"] = "ViT" if isinstance(model, ViT) else "module"
    try:
        layer = model.feature_layer
        rows, cols = layer.layout.grid
        prefix = f" + {layer.layout.prefix}" if layer.layout.prefix else ""
        found |= {"layer": layer.name, "layout": f"{layer.layout.order} {rows}x{cols}{prefix}"}
        found["after"] = f"{layer.share:.3f}"
    except ModelError as error:
        found["layer"] = f"refused: {error}"
    for method, options in METHODS.items():
        found[method] = outcome(model, method, options)
    return found | {"seconds": f"{time.perf_counter() - start:.1f}"}


def outcome(model: Classifier, method: str, options: dict) -> str:
    """ "good", what is wrong with the maps, or that the method refuses."""
    image = torch.rand(1, model.channels, *model.image_size, generator=torch.Generator().manual_seed(1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            explanation = seewhy.explain(model, image, method, targets=[0, 1], **options)
        except ModelError:
            return "refused"
    return ", ".join(f"not {check}" for check in explanation.failed_checks) or "good"


def wanted_rows(rows: Rows) -> list[tuple[str, str]]:
    """The architectures named on the command line, or all that have no row yet."""
    fixed = [("hf", name) for name in HUGGINGFACE] + [("torchvision", name) for name in TORCHVISION]
    if len(sys.argv) == 1:
        return [key for key in [*fixed, *(("timm", name) for name in timm_names())] if key not in rows]
    found = []
    for pattern in sys.argv[1:]:
        library, _, name = pattern.partition("/")
        matches = [key for key in dict.fromkeys([*fixed, *rows]) if fnmatch("/".join(key), pattern)]
        found += matches or [(library, name)]
    return found


def main() -> None:
    torch.set_num_threads(1)
    known = csv.DictReader(DATA.read_text().splitlines()) if DATA.is_file() else []
    rows: Rows = {(each["library"], each["name"]): each for each in known}
    for library, name in wanted_rows(rows):
        try:
            rows[library, name] = row(library, name)
        except Exception as error:
            failure = f"failed: {type(error).__name__}: {error}"[:200]
            rows[library, name] = {"library": library, "name": name, "layer": failure}
        print(rows[library, name], flush=True)
        with DATA.open("w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(rows[key] for key in sorted(rows))


if __name__ == "__main__":
    main()
