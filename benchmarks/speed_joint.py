"""Time of the joint ONNX graph against classifier and explainer run one after the other, and its difference from torch.

    python benchmarks/speed_joint.py

Sessions of onnxruntime with one thread take turns, so that all see the same load; `data/speed_joint.csv` has the median
of the ratios with a bootstrap interval over rounds. The explainers are untrained: their cost is that of trained ones.
"""

import argparse
import csv
import subprocess
import tempfile
import time
import warnings
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch

import seewhy
from seewhy.explainers.network import AHAExplainer
from seewhy.train import export_explainer
from seewhy.train.graphs import JointGraph

OUT = Path(__file__).parent / "data" / "speed_joint.csv"
MODELS = ("seewhy/scenes-vit", "seewhy/efficientnet-lite0")


class Logits(torch.nn.Module):
    """The classifier alone, with the normalization in the graph."""

    def __init__(self, model: seewhy.Classifier) -> None:
        super().__init__()
        self.model, self.module = model, model.module

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.model.as_logits(self.model.forward(self.model.normalize(images)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = [row for name in MODELS for row in measure(name, options.rounds)]
    with OUT.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def measure(name: str, rounds: int) -> list[dict[str, Any]]:
    model = seewhy.load_model(name, device="cpu")
    explainer = AHAExplainer(model).eval()
    with tempfile.TemporaryDirectory() as folder:
        sessions = write_graphs(explainer, Path(folder))
        return [row(explainer, sessions, batch, rounds) for batch in (1, 8)]


def write_graphs(explainer: AHAExplainer, folder: Path) -> dict[str, Any]:
    export_explainer(explainer, folder / "maps.onnx")
    export_explainer(explainer, folder / "joint.onnx", joint=True)
    image = torch.rand(1, 3, *explainer.model.image_size)
    with warnings.catch_warnings(), explainer.model.frozen_eval():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Logits(explainer.model).eval(), (image,), str(folder / "logits.onnx"), input_names=["images"],
            dynamic_axes={"images": {0: "batch"}}, opset_version=17, dynamo=False,
        )  # fmt: skip
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads, settings.log_severity_level = 1, 4
    return {
        path.stem: onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
        for path in folder.glob("*.onnx")
    }


def row(explainer: AHAExplainer, sessions: dict[str, Any], batch: int, rounds: int) -> dict[str, Any]:
    model = explainer.model
    images = torch.rand(batch, 3, *model.image_size, generator=torch.Generator().manual_seed(2))
    targets = torch.full((batch, 1), -1)
    with torch.no_grad(), model.frozen_eval():
        logits, maps = JointGraph(explainer)(images, targets)
    chosen = logits.argmax(dim=1, keepdim=True)
    found = sessions["joint"].run(None, {"images": images.numpy(), "targets": targets.numpy()})
    gaps = [float(np.abs(a - b.numpy()).max()) for a, b in zip(found, (logits, maps), strict=True)]
    pixels, classes = images.numpy(), chosen.numpy()
    ratios = []
    for _ in range(rounds):
        joint = seconds(lambda: sessions["joint"].run(None, {"images": pixels, "targets": classes}))
        first = seconds(lambda: sessions["logits"].run(None, {"images": pixels}))
        ratios.append(
            joint / (first + seconds(lambda: sessions["maps"].run(None, {"images": pixels, "targets": classes})))
        )
    draws = np.median(np.random.default_rng(0).choice(ratios, (2000, rounds)), axis=1)
    low, high = np.quantile(draws, [0.025, 0.975])
    return {
        "model": model.name,
        "images": batch,
        "joint over two graphs": f"{np.median(ratios):.3f}",
        "low": f"{low:.3f}",
        "high": f"{high:.3f}",
        "n": rounds,
        "logits differ by": f"{gaps[0]:.2g}",
        "maps differ by": f"{gaps[1]:.2g}",
        "commit": subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True
        ).stdout.strip(),
        "date": str(date.today()),
    }


def seconds(run: Any) -> float:
    start = time.process_time()  # of this process: the machine is shared
    run()
    return time.process_time() - start


if __name__ == "__main__":
    main()
