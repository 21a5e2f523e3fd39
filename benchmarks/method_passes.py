"""Passes that one map of each method takes, which the page shows in its list of methods.

    python benchmarks/method_passes.py          writes src/seewhy/ui/passes.csv; what has a row is skipped

Every method runs with its defaults on one image of each bundled network: a drawn one for the ViT, a photo for the CNN.
"""

import csv
from pathlib import Path

import torch

import seewhy
from seewhy.errors import SeewhyError
from seewhy.registry import METHODS
from seewhy.runtime.files import write_atomic
from seewhy.zoo.scenes import Scenes

FILE = Path(__file__).parents[1] / "src" / "seewhy" / "ui" / "passes.csv"
NETWORKS = {"vit": "seewhy/scenes-vit", "cnn": "seewhy/efficientnet-lite0"}


def main() -> None:
    torch.set_num_threads(1)
    rows = list(csv.reader(FILE.open()))[1:] if FILE.exists() else []
    images = {"vit": Scenes("test", 8)[0].image[None], "cnn": seewhy.zoo.sample_photos()["cat"]}
    for network, name in NETWORKS.items():
        model = seewhy.load_model(name)
        for method in METHODS.names():
            if [method, network] in [row[:2] for row in rows] or METHODS.get(method).wraps:
                continue
            try:
                cost = seewhy.explain(model, images[network], method).cost
            except SeewhyError as error:
                print(f"{method} on {name}: {error}", flush=True)
                continue
            print(f"{method} on {name}: {cost}", flush=True)
            rows.append([method, network, f"{cost.forwards:.4g}", f"{cost.backwards:.4g}"])
            lines = [",".join(row) for row in [["method", "network", "forwards", "backwards"], *sorted(rows)]]
            write_atomic(FILE, ("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main()
