"""Cost of every method on DeiT-Tiny: measured passes and time, next to the theoretical number of passes.

    python benchmarks/speed_methods.py                      every registered method that supports a ViT
    python benchmarks/speed_methods.py rollout legrad       only these
    python benchmarks/speed_methods.py --limit 60           stop a method after 60 seconds (its row says so)

One image, one class. Weights come from the folder SEEWHY_DATA (default ../shared/data); without it the network is
random, which affects only the cost of methods that cluster features. To be robust to other load on the machine, times
are divided by those of plain forward passes right before and after.
"""

import argparse
import inspect
import os
import signal
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch

import seewhy
from seewhy.data import read_images
from seewhy.errors import SeewhyError
from seewhy.models.vit import ViT
from seewhy.registry import METHODS, Method
from seewhy.types import Cost

DATA = Path(os.environ.get("SEEWHY_DATA", Path(__file__).parents[2] / "shared" / "data"))
WEIGHTS = DATA / "models" / "deit_tiny_patch16_224.safetensors"
THEORY = {  # forward and backward passes for one image and class; 196 patches, 12 blocks, 192 channels
    "ablation_cam": "1 F + 192 head F", "atman": "197 F", "att_cat": "1 F + 1 B", "bi_attn": "21 F + 1 B + 20/12 B",
    "caap": "3.5-4.3 F", "e_caap": "1.9 F", "grad_cam": "1 F + head B", "grad_cam_pp": "1 F + head B",
    "grad_rollout": "1 F + 1 B", "gradient": "1 F + 1 B", "hires_cam": "1 F + head B", "ig_attention": "20 F + 20/12 B",
    "in_flow": "1 F + 1 B + 12/12 B", "input_x_gradient": "1 F + 1 B", "integrated_gradients": "steps (F + B)",
    "ixg_plus": "1 F + 1 B", "layer_cam": "1 F + head B", "legrad": "1 F + 2/12 B", "libra_ixg_plus": "1 F + 1 B",
    "mda": "about 5,600 F", "mutex": "1 F + 54 half F", "raw_attention": "1 F", "rise": "4,000-8,000 F",
    "rollout": "1 F", "score_cam": "1 + 192 F", "shap": "4,901 F", "simple_deletion": "196 F",
    "simple_insertion": "196 F", "skip_plus": "1 F + 1/2 B", "smooth_grad": "50 (F + B)",
    "t_attn": "21 F + 20/12 B", "t_attr": "1 F + 1 B + relevance", "tis": "1 F + 1,024 half F", "vit_cx": "1 + 2n F",
}  # fmt: skip


@contextmanager
def at_most(limit: int) -> Iterator[None]:
    """Raise TimeoutError after `limit` seconds."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(limit)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def plain_seconds(model: ViT, image: torch.Tensor) -> float:
    """Median time of five forward passes without gradients."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        model.probabilities(image)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(method: Method, model: ViT, image: torch.Tensor, target: torch.Tensor, limit: int) -> str:
    """One row of the table."""
    before, cost, mark = plain_seconds(model, image), Cost(), ""
    try:
        with model.meter() as cost, at_most(limit):
            method.function(model, image, target)
    except TimeoutError:
        mark = "> "
    except SeewhyError as error:
        return f"| {method.name} | | | | {THEORY.get(method.name, '')} | {error} |"
    relative = 2 * cost.seconds / (before + plain_seconds(model, image))
    figures = (cost.forwards, cost.backwards, relative)
    cells = " | ".join(f"{mark}{figure:,.1f}" if figure or not mark else "0" for figure in figures)
    note = f"stopped after {limit} s" if mark else ""
    return f"| {method.name} | {cells} | {THEORY.get(method.name, '')} | {note} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=inspect.getdoc(inspect.getmodule(main)))
    parser.add_argument("methods", nargs="*", help="names of methods; default: all")
    parser.add_argument("--limit", type=int, default=120, help="seconds for one method")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    weights = WEIGHTS if WEIGHTS.exists() else "random"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    photos = sorted((DATA / "imagenet-val" / "images").glob("*.jpg"))
    random = torch.rand(1, 3, 224, 224, generator=torch.Generator().manual_seed(0))
    image = read_images(photos[0], model.preprocess).images if photos else random
    target = model.probabilities(image).argmax(dim=1, keepdim=True)
    single = plain_seconds(model, image)
    print(f"{model.describe()}, {given.threads} thread(s), one forward pass {1000 * single:.0f} ms\n")
    print("| method | forwards | backwards | seconds / one forward | theory | |\n|---|---|---|---|---|---|")
    for method in METHODS.all():
        wanted = not given.methods or method.name in given.methods
        if wanted and not method.wraps and issubclass(ViT, method.needs):
            print(measure(method, model, image, target, given.limit), flush=True)


if __name__ == "__main__":
    main()
