"""Time of `explain` beside the method alone and beside Captum, pytorch-grad-cam and torch-cam, in one run.

    pip install captum grad-cam torchcam
    python benchmarks/speed_peers.py --rounds 15 --out benchmarks/data/speed_peers.csv

One image, one given class, one thread, networks without trained weights. CPU seconds of this process, so that other
load on the machine hardly counts; contenders alternate, and a ratio is the median over the rounds. Peers that are not
installed are left out.
"""

import argparse
import csv
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

import seewhy
from seewhy.models.classifier import Classifier
from seewhy.registry import resolve_method

Task = Callable[[], Any]
NETWORKS = {"ResNet-50": "timm/resnet50", "DeiT-Tiny": "timm/deit_tiny_patch16_224"}
TARGET = 7
IG_STEPS = 20


def contenders(model: Classifier, image: Tensor) -> dict[str, dict[str, Task]]:
    """By method: `explain`, the method alone, and its peers."""
    target = torch.tensor([[TARGET]])
    found: dict[str, dict[str, Task]] = {}
    methods = {"gradient": {}, "grad_cam": {}, "integrated_gradients": {"steps": IG_STEPS}}
    if hasattr(model, "blocks"):
        methods["grad_cam_attention"] = {}
    for method, options in methods.items():
        found[method] = {
            "explain": partial(seewhy.explain, model, image, method, targets=TARGET, **options),
            "method alone": partial(resolve_method(method, **options), model, image, target),
        }
    normalized = model.normalize(image)
    for add in (add_captum, add_grad_cam, add_torch_cam):
        try:
            add(found, model.module, normalized)
        except ImportError as error:
            print(f"left out: {error}")
    return found


def add_captum(found: dict[str, dict[str, Task]], module: nn.Module, image: Tensor) -> None:
    from captum.attr import IntegratedGradients, Saliency

    def saliency() -> Tensor:
        return Saliency(module).attribute(image.clone().requires_grad_(), target=TARGET, abs=False)

    def integrated() -> Tensor:
        return IntegratedGradients(module).attribute(image, target=TARGET, n_steps=IG_STEPS, internal_batch_size=16)

    found["gradient"]["Captum"] = saliency
    found["integrated_gradients"]["Captum"] = integrated


def tokens_to_grid(tokens: Tensor) -> Tensor:
    return tokens[:, 1:].transpose(1, 2).unflatten(2, (14, 14))


def add_grad_cam(found: dict[str, dict[str, Task]], module: nn.Module, image: Tensor) -> None:
    from pytorch_grad_cam import GradCAM
    from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget

    blocks = getattr(module, "blocks", None)
    layer, reshape = (module.layer4[-1], None) if blocks is None else (blocks[-1].norm1, tokens_to_grid)
    cam = GradCAM(model=module, target_layers=[layer], reshape_transform=reshape)
    found["grad_cam"]["pytorch-grad-cam"] = lambda: cam(input_tensor=image, targets=[ClassifierOutputTarget(TARGET)])


def add_torch_cam(found: dict[str, dict[str, Task]], module: nn.Module, image: Tensor) -> None:
    if not hasattr(module, "layer4"):
        return  # it has no transform for tokens
    from torchcam.methods import GradCAM

    def run() -> Any:
        with GradCAM(module, target_layer="layer4") as cam:
            return cam(TARGET, module(image.clone().requires_grad_()))

    found["grad_cam"]["torch-cam"] = run


def measure(tasks: dict[str, Task], rounds: int) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for turn in range(rounds + 1):
        for name, task in tasks.items():
            start = time.process_time()
            task()
            if turn:  # the first round warms up
                seconds[name].append(time.process_time() - start)
    return seconds


def passes(model: Classifier, task: Task) -> tuple[float, float]:
    with model.meter() as cost:
        task()
    return cost.forwards, cost.backwards


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", nargs="*", help="names of methods; default: all")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for title, name in NETWORKS.items():
        torch.manual_seed(0)
        model = seewhy.load_model(name, weights="random")
        image = torch.rand(1, 3, *model.image_size)
        for method, tasks in contenders(model, image).items():
            if options.only and method not in options.only:
                continue
            seconds = measure(tasks, options.rounds)
            ours = seconds["explain"]
            used, alone = (passes(model, tasks[each]) for each in ("explain", "method alone"))
            for other, theirs in seconds.items():
                ratio = statistics.median(a / b for a, b in zip(theirs, ours, strict=True))
                rows.append(
                    {
                        "network": title,
                        "method": method,
                        "contender": other,
                        "seconds": f"{statistics.median(theirs):.4f}",
                        "over explain": f"{ratio:.3f}",
                        "forwards of explain": f"{used[0]:.2f}",
                        "forwards alone": f"{alone[0]:.2f}",
                        "rounds": options.rounds,
                    }
                )
                print(*rows[-1].values())
    if options.out:
        with options.out.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
