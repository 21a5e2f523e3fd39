"""Speed of MDA, exact and fast, against the published algorithm: pixels, one candidate at a time (`mda_algorithm`).

    python benchmarks/speed_mda.py FOLDER --photos 2

FOLDER holds `models/deit_tiny_patch16_224.safetensors` and `imagenet-val/`. All three explain the same class of the
same photo, one after the other, with the same prior map and blur. Of the published algorithm only search and curves
are timed.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import torch
from scipy.stats import kendalltau

import seewhy
from seewhy.data import read_images
from seewhy.interventions.mosaics import pixel_masks
from seewhy.methods.mda import Response, mda, mda_algorithm
from seewhy.models.vit import ViT
from seewhy.ops.references import folded_blur
from seewhy.registry import resolve_method
from seewhy.runtime.malloc import keep_freed_memory

BLUR = 31  # pixels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--photos", type=int, default=2)
    options = parser.parse_args()
    keep_freed_memory()
    weights = options.folder / "models" / "deit_tiny_patch16_224.safetensors"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    photos = sorted((options.folder / "imagenet-val" / "images").iterdir())[: options.photos]
    print(f"{model.describe()}, {torch.get_num_threads()} threads")
    for image in read_images(photos, model.preprocess).images.split(1):
        measure(model, image)


def measure(model: ViT, image: torch.Tensor) -> None:
    target = model.probabilities(image).argmax(dim=1, keepdim=True)
    ways: dict[str, Callable[[], list[int]]] = {
        "exact": lambda: mda(model, image, target, blur=BLUR).extras["order"].flatten().tolist(),
        "fast": lambda: mda(model, image, target, blur=BLUR, fast=True).extras["order"].flatten().tolist(),
        "plain": lambda: plain_order(model, image, target),
    }
    orders, times = {}, {}
    for name, way in ways.items():
        start = time.perf_counter()
        with model.meter() as cost:
            orders[name] = way()
        times[name] = time.perf_counter() - start
        print(f"  {name:6s} {cost.forwards:6.0f} forwards {times[name]:7.1f} s   {times[name] / times['exact']:.2f}")
    same = sum(a == b for a, b in zip(orders["exact"], orders["plain"], strict=True))
    print(f"  {same} of {len(orders['exact'])} ranks of exact and plain hold the same patch")
    print(f"  Kendall's tau of exact and fast: {agreement(orders['exact'], orders['fast']):.2f}")


def agreement(first: list[int], second: list[int]) -> float:
    ranks = [sorted(range(len(order)), key=order.__getitem__) for order in (first, second)]
    return float(kendalltau(*ranks).statistic)


def plain_order(model: ViT, image: torch.Tensor, target: torch.Tensor) -> list[int]:
    ranking = resolve_method("bi_attn")(model, image, target).maps.flatten().argsort(descending=True, stable=True)
    with model.frozen_eval():
        blurred = folded_blur(image, model.mean, size=BLUR, sigma=BLUR)
        black = torch.zeros_like(image)
        on_blur, on_black = (respond_on(reference, model, image, int(target)) for reference in (blurred, black))
        return mda_algorithm(on_blur, on_black, ranking.tolist(), candidates=28).order


def respond_on(reference: torch.Tensor, model: ViT, image: torch.Tensor, target: int) -> Response:
    def respond(patches: list[int]) -> float:
        shown = torch.zeros(1, model.grid[0] * model.grid[1], dtype=torch.bool)
        shown[0, patches] = True
        spliced = torch.where(pixel_masks(shown, model.grid, image), image, reference)
        return float(model.probabilities(spliced)[0, target])

    return respond


if __name__ == "__main__":
    main()
