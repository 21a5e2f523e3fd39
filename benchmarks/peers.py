"""The same work by seewhy and by Captum, pytorch-grad-cam, torch-cam and Quantus, in one run: time and agreement.

    make peers        # installs the peers in an environment of their own
    python benchmarks/peers.py --rounds 7 --out benchmarks/data/peers.csv

A killed run continues: work that the file holds, with as many images and at least as many rounds, is not measured
again.

One thread, one given class, the same network and images for all. Time is CPU seconds of this process, so that other
load on the machine hardly counts; contenders alternate, and a ratio is the median over the rounds of the peer's time
over ours: of the method alone, which gives a map as the peers do, and of `explain`, which also predicts. `agreement` is
the lowest correlation of the maps of an image, at the size of the peer's; for deletion and insertion it is the
relative difference of the areas. All settings are the same, but SmoothGrad draws other noise.
"""

import argparse
import csv
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

import seewhy
from seewhy.models.classifier import Classifier
from seewhy.models.torchvision_operators import declare_operators
from seewhy.ops.resize import resize_maps
from seewhy.registry import resolve_method

PIXELS = {"ResNet-18": 112, "DeiT-Tiny": 224}
NETWORKS = {"ResNet-18": "resnet18", "DeiT-Tiny": "deit_tiny_patch16_224"}
STEPS, SAMPLES, NOISE, WINDOW = 20, 20, 0.15, 16
POINTS = 28  # of a sweep; they divide the pixels evenly
BATCH = 64  # what the peers are told, where they can be told

Task = Callable[[], Any]


class Given(NamedTuple):
    """A network, images in [0, 1], and the class to explain."""

    model: Classifier
    images: Tensor
    target: int

    @property
    def module(self) -> nn.Module:
        return self.model.module

    @property
    def first(self) -> "Given":
        return self._replace(images=self.images[:1])

    @property
    def inputs(self) -> Tensor:
        """The images as the network takes them; ours begins with pixels in [0, 1], so this is part of the work."""
        return self.model.normalize(self.images)


class Peer(NamedTuple):
    """The same work by another library; the result is comparable with ours."""

    library: str
    task: Task


class Work(NamedTuple):
    """Some work, our way and that of peers; `compare` gives the agreement of two results."""

    name: str
    ours: Task  # as the peers: the map alone
    explain: Task  # with the prediction and its probabilities
    peers: list[Peer]
    compare: Callable[[Any, Any], float]


def load(network: str) -> Classifier:
    """An untrained network; all channels have one std, because Captum's noise has."""
    declare_operators()  # before timm and the peers import torchvision
    import timm

    torch.manual_seed(0)
    module = timm.create_model(NETWORKS[network]).eval()
    return seewhy.wrap_model(module, mean=(0.5,) * 3, std=(0.5,) * 3, image_size=PIXELS[network])


def works(given: Given) -> Iterator[Work]:
    """All that is compared for a network."""
    one = given.first
    yield maps("gradient", given, [captum_gradient(given)])
    yield maps("grad_cam", given, grad_cams(given))
    yield maps("integrated_gradients", one, [captum_integrated(one)], steps=STEPS)
    yield maps("smooth_grad", one, [captum_smooth(one)], samples=SAMPLES, noise=NOISE)
    yield maps("occlusion", one, [captum_occlusion(one)], window=WINDOW, stride=WINDOW, score="logit")
    if hasattr(given.module, "layer4"):
        yield maps("score_cam", one, score_cams(one))
        yield Work("grad_cam, deletion, insertion", *torch_cam_sweep(given), difference)
        yield Work("deletion", *quantus_flipping(given), difference)


def maps(method: str, given: Given, peers: list[Peer], **options: Any) -> Work:
    """A method, beside peers; its registered function gives what theirs give."""
    run, targets = resolve_method(method, **options), torch.full((len(given.images), 1), given.target)
    explain = partial(seewhy.explain, given.model, given.images, method, targets=given.target, **options)
    return Work(method, lambda: run(given.model, given.images, targets).maps[:, 0], explain, peers, correlation)


# Captum


def captum_gradient(given: Given) -> Peer:
    from captum.attr import Saliency

    def run() -> Tensor:
        inputs = given.inputs.clone().requires_grad_()
        return Saliency(given.module).attribute(inputs, target=given.target, abs=False).sum(dim=1)

    return Peer("Captum", run)


def captum_integrated(given: Given) -> Peer:
    from captum.attr import IntegratedGradients

    def run() -> Tensor:
        options = {"n_steps": STEPS, "method": "gausslegendre", "internal_batch_size": 16}
        options |= {"target": given.target, "return_convergence_delta": True}  # as ours
        return IntegratedGradients(given.module).attribute(given.inputs, **options)[0].sum(dim=1)

    return Peer("Captum", run)


def captum_smooth(given: Given) -> Peer:
    from captum.attr import NoiseTunnel, Saliency

    def run() -> Tensor:
        torch.manual_seed(1)  # other noise than ours: the maps agree as far as the mean of the samples does
        tunnel, options = NoiseTunnel(Saliency(given.module)), {"nt_samples": SAMPLES, "nt_samples_batch_size": 16}
        spread = NOISE * float(given.images.max() - given.images.min()) / 0.5
        inputs = given.inputs.clone().requires_grad_()
        return tunnel.attribute(inputs, stdevs=spread, target=given.target, abs=False, **options).sum(dim=1)

    return Peer("Captum", run)


def captum_occlusion(given: Given) -> Peer:
    from captum.attr import Occlusion

    def run() -> Tensor:
        window, options = (3, WINDOW, WINDOW), {"target": given.target, "perturbations_per_eval": BATCH}
        with torch.no_grad():
            found = Occlusion(given.module).attribute(given.inputs, window, window, **options)
        return found[:, 0, ::WINDOW, ::WINDOW]

    return Peer("Captum", run)


# CAM libraries


def tokens_to_grid(tokens: Tensor) -> Tensor:
    return tokens[:, 1:].transpose(1, 2).unflatten(2, (14, 14))


def grad_cams(given: Given) -> list[Peer]:
    from pytorch_grad_cam import GradCAM
    from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget

    blocks = getattr(given.module, "blocks", None)
    layer, reshape = (given.module.layer4[-1], None) if blocks is None else (blocks[-1].norm1, tokens_to_grid)
    cam = GradCAM(model=given.module, target_layers=[layer], reshape_transform=reshape)
    wanted = [ClassifierOutputTarget(given.target)] * len(given.images)
    found = [Peer("pytorch-grad-cam", lambda: torch.from_numpy(cam(input_tensor=given.inputs, targets=wanted)))]
    return found if blocks is not None else [*found, torch_cam("GradCAM", given)]


def score_cams(given: Given) -> list[Peer]:
    from pytorch_grad_cam import ScoreCAM
    from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget

    cam = ScoreCAM(model=given.module, target_layers=[given.module.layer4[-1]])
    cam.batch_size = BATCH

    def run() -> Tensor:
        return torch.from_numpy(cam(input_tensor=given.inputs, targets=[ClassifierOutputTarget(given.target)]))

    return [Peer("pytorch-grad-cam", run), torch_cam("ScoreCAM", given, batch_size=BATCH)]


def torch_cam(kind: str, given: Given, **options: Any) -> Peer:
    from torchcam import methods

    def run() -> Tensor:
        with getattr(methods, kind)(given.module, target_layer="layer4", **options) as cam:
            return cam([given.target] * len(given.images), given.module(given.inputs.clone().requires_grad_()))[0]

    return Peer("torch-cam", run)


# metrics


def sweep(points: int) -> dict[str, Any]:
    return {"curves": {"references": ("black",), "fractions": tuple(np.linspace(0, 1, points + 1).tolist())}}


def torch_cam_sweep(given: Given) -> tuple[Task, Task, list[Peer]]:
    """Grad-CAM, then both areas: torch-cam's metric computes the maps itself."""
    from torchcam.methods import GradCAM
    from torchcam.metrics import DeletionInsertionMetric

    def ours() -> list[float]:
        explanation = seewhy.explain(given.model, given.images, "grad_cam", targets=given.target)
        return areas(seewhy.evaluate(given.model, explanation, ["deletion", "insertion"], options=sweep(POINTS)))

    def theirs() -> list[float]:
        softmax = partial(torch.softmax, dim=-1)
        black = given.model.normalize(torch.zeros_like(given.images[:1]))
        with GradCAM(given.module, target_layer="layer4") as cam:
            metric = DeletionInsertionMetric(cam, softmax, steps=POINTS, baseline=black, batch_size=BATCH)
            metric.update(given.inputs, given.target)
            summary = metric.summary()
        return [summary["deletion_auc"], summary["insertion_auc"]]

    return ours, ours, [Peer("torch-cam", theirs)]


def quantus_flipping(given: Given) -> tuple[Task, Task, list[Peer]]:
    """Deletion of given maps: Quantus calls it pixel flipping, and counts channels; its curves lack the clean image."""
    import quantus

    explanation = seewhy.explain(given.model, given.images, "grad_cam", targets=given.target)
    pixels, steps = given.images.shape[-1] * given.images.shape[-2], 3 * POINTS
    inputs, maps = given.inputs.numpy(), explanation.heatmaps(given.images.shape[-2:]).numpy()
    black = float(given.model.normalize(torch.zeros_like(given.images[:1])).mean())
    clean = given.model.probabilities(given.images)[:, given.target, None].numpy()
    metric = quantus.PixelFlipping(
        features_in_step=pixels // POINTS,
        perturb_baseline=black,
        normalise=False,
        disable_warnings=True,
    )

    def ours() -> list[float]:
        return areas(seewhy.evaluate(given.model, explanation, ["deletion"], options=sweep(steps)))

    def theirs() -> list[float]:
        wanted = np.full(len(given.images), given.target)
        found = metric(given.module, inputs, wanted, maps, softmax=True, device="cpu", batch_size=BATCH)
        curves = np.concatenate([clean, np.asarray(found)], axis=1)
        return [float(np.trapezoid(curves, dx=1 / steps, axis=1).mean())]

    return ours, ours, [Peer("Quantus", theirs)]


def areas(rows: Any) -> list[float]:
    """Mean area by metric."""
    names = dict.fromkeys(row["metric"] for row in rows)
    return [statistics.mean(row["score"] for row in rows if row["metric"] == name) for name in names]


# comparison


def correlation(ours: Tensor, theirs: Tensor) -> float:
    """Lowest correlation of an image's maps, at the size of the peer's; CAM libraries show positive evidence only."""
    ours, theirs = ours.detach().float(), theirs.detach().float()
    if ours.shape != theirs.shape:
        ours = resize_maps(ours[:, None].relu(), tuple(theirs.shape[-2:]))[:, 0]
    pairs = [torch.stack([a.flatten(), b.flatten()]) for a, b in zip(ours, theirs, strict=True)]
    return min(float(torch.corrcoef(pair)[0, 1]) for pair in pairs)


def difference(ours: list[float], theirs: list[float]) -> float:
    """Largest relative difference: an untrained network gives every class a probability of about 0.001."""
    return max(abs(a - b) / b for a, b in zip(ours, theirs, strict=True))


def measure(tasks: dict[str, Task], rounds: int) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for turn in range(rounds + 1):
        for name, task in tasks.items():
            start = time.process_time()
            task()
            if turn:  # the first round warms up
                seconds[name].append(time.process_time() - start)
    return seconds


def rows_of(network: str, work: Work, images: int, rounds: int) -> Iterator[dict[str, Any]]:
    result = work.ours()
    agreement = {peer.library: work.compare(result, peer.task()) for peer in work.peers}
    seconds = measure({"seewhy": work.ours, "explain": work.explain, **dict(work.peers)}, rounds)
    for library, found in agreement.items():
        ratios = [theirs / ours for theirs, ours in zip(seconds[library], seconds["seewhy"], strict=True)]
        explained = [theirs / ours for theirs, ours in zip(seconds[library], seconds["explain"], strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4)
        yield {
            "network": network,
            "work": work.name,
            "peer": library,
            "seconds": f"{statistics.median(seconds['seewhy']):.4f}",
            "peer's seconds": f"{statistics.median(seconds[library]):.4f}",
            "ratio": f"{middle:.3f}",
            "quartiles": f"{low:.3f} to {high:.3f}",
            "ratio to explain": f"{statistics.median(explained):.3f}",
            "agreement": f"{found:.4f}",
            "compared by": work.compare.__name__,
            "images": images if work.name in MANY else 1,
            "rounds": rounds,
        }


MANY = ("gradient", "grad_cam", "grad_cam, deletion, insertion", "deletion")  # work on all images


def read(path: Path | None) -> list[dict[str, Any]]:
    """The rows of an earlier run."""
    return list(csv.DictReader(path.open())) if path is not None and path.exists() else []


def measured(rows: list[dict[str, Any]], network: str, work: Work, images: int, rounds: int) -> bool:
    """Whether there is a row for every peer, measured the same way."""
    alike = {"network": network, "work": work.name, "images": images if work.name in MANY else 1}
    same = [row for row in rows if all(str(row[name]) == str(value) for name, value in alike.items())]
    found = [row for row in same if int(row["rounds"]) >= rounds]
    return {row["peer"] for row in found} == {peer.library for peer in work.peers}


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--images", type=int, default=4)
    parser.add_argument("--only", nargs="*", help="names of works; default: all")
    parser.add_argument("--networks", nargs="*", default=list(NETWORKS), choices=list(NETWORKS))
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = read(options.out)
    for network in options.networks:
        model = load(network)
        images = torch.rand(options.images, 3, *model.image_size, generator=torch.Generator().manual_seed(0))
        target = int(model.probabilities(images[:1]).argmax())
        for work in works(Given(model, images, target)):
            if options.only and work.name not in options.only:
                continue
            if measured(rows, network, work, options.images, options.rounds):
                continue
            rows = [row for row in rows if (row["network"], row["work"]) != (network, work.name)]
            for row in rows_of(network, work, options.images, options.rounds):
                print(*row.values(), flush=True)
                rows.append(row)
            if options.out:
                write(options.out, rows)


if __name__ == "__main__":
    main()
