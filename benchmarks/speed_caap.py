"""Speed of CAAP as a multiple of one forward pass of the same model, and its memory.

    python benchmarks/speed_caap.py            ViT-B/16, random weights, one image, two threads
    python benchmarks/speed_caap.py --naive    also one run per patch
    python benchmarks/speed_caap.py --memory   peak memory on ViT-L/16 at 224 pixels, above the loaded model

To be robust to other load on the machine, variants alternate, and each time is divided by that of the plain passes
before and after it, in wall-clock time and in CPU time (`data/speed_caap.csv`). Naive CAAP is the reference
implementation of the tests, one full sequence per patch: a few patches are timed, the rest is extrapolated.
`simple_insertion` changes pixels only (they are embedded once, and the last block is computed for the class token
alone) and is measured in full.
"""

import argparse
import resource
import time
from collections.abc import Callable

import torch
from ratios import record

import seewhy
from seewhy.interventions.patched import block_range
from seewhy.methods.caap import caap, caap_algorithm1
from seewhy.methods.e_caap import e_caap
from seewhy.methods.simple_insertion import simple_insertion
from seewhy.models.timm import TimmViT, build_timm, timm_preprocess
from seewhy.ops.windows import window_matrix

LIMITS = {f"explain with caap, {kind}": 4.3 for kind in ("clock", "processor")}  # in plain passes
SAMPLE = 8  # patches of naive CAAP that are timed


def build(name: str) -> TimmViT:
    module = build_timm(name).eval()
    return TimmViT(module, timm_preprocess(module), name=name)


def seconds(function: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock time and CPU time."""
    start = time.perf_counter(), time.process_time()
    function()
    return time.perf_counter() - start[0], time.process_time() - start[1]


def measure_speed(name: str, repeats: int, *, naive: bool) -> None:
    model, image, target = build(name), torch.rand(1, 3, 224, 224), torch.tensor([[0]])
    variants = {
        "caap, after=propagate": lambda: caap(model, image, target),
        "caap, after=reference": lambda: caap(model, image, target, after="reference"),
        "e_caap": lambda: e_caap(model, image, target),
        "explain with caap": lambda: seewhy.explain(model, image, "caap", targets=0),
    }

    def plain() -> None:
        with torch.no_grad():
            model.logits(image)

    model.module.requires_grad_(False)
    for run in (plain, *variants.values()):
        run()  # warm-up; also caches the reference's run
    if naive:
        variants["simple_insertion"] = lambda: simple_insertion(model, image, target)
    ratios: dict[str, list[tuple[float, float]]] = {label: [] for label in variants}
    for turn in range(repeats):
        for label, run in variants.items():
            if not (turn and label == "simple_insertion"):  # once is enough for a long one
                ratios[label].append(in_passes(plain, run))
    for which, kind in enumerate(("clock", "processor")):
        chosen = {f"{label}, {kind}": [pair[which] for pair in pairs] for label, pairs in ratios.items()}
        record("speed_caap", name, torch.get_num_threads(), chosen, LIMITS)
    if naive:
        clock, processor = naive_passes(model, image, plain)
        print(f"  naive CAAP, extrapolated from {SAMPLE} patches: clock {clock:.0f}   processor {processor:.0f}")


def in_passes(plain: Callable[[], None], run: Callable[[], object]) -> tuple[float, ...]:
    """Wall-clock time and CPU time, divided by those of the plain passes before and after."""
    before, measured, after = seconds(plain), seconds(run), seconds(plain)
    return tuple(2 * m / (b + a) for b, m, a in zip(before, measured, after, strict=True))


def naive_passes(model: TimmViT, image: torch.Tensor, plain: Callable[[], None]) -> tuple[float, ...]:
    """Cost of all patches; a second timing tells apart the runs of source and reference, which are made once."""
    windows, (l_s, l_e) = window_matrix("box1", model.grid), block_range(None, len(model.blocks))

    def run(patches: int) -> None:
        x_0, y = torch.ones_like(image), torch.tensor([[0]])
        with torch.no_grad():
            caap_algorithm1(model, image, x_0, y, windows[:patches], l_s=l_s, l_e=l_e)

    one, several = (in_passes(plain, lambda count=count: run(count)) for count in (1, 1 + SAMPLE))
    return tuple(a + (b - a) * (len(windows) - 1) / SAMPLE for a, b in zip(one, several, strict=True))


def measure_memory(name: str) -> None:
    model, image, target = build(name), torch.rand(1, 3, 224, 224), torch.tensor([[0]])
    with torch.no_grad():
        model.logits(image)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    caap(model, image, target)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{model.describe()}: {before / 2**20:.2f} GB with the model, {(after - before) / 2**20:.2f} GB more in caap")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="vit_base_patch16_224")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--naive", action="store_true", help="also one run per patch")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.memory:
        measure_memory("vit_large_patch16_224" if options.model == "vit_base_patch16_224" else options.model)
    else:
        measure_speed(options.model, options.repeats, naive=options.naive)
