"""Is a DeiT-Tiny explainer ahead of the method it starts from? Both on photos that neither trained nor chose it.

    python benchmarks/explainer_gain.py EXPLAINER --photos 40

Writes deletion and insertion (protocol `aha`, predicted class, mean over references) of every photo and method to
`data/explainer_gain.csv`, and continues where it stopped. Prints the paired difference with its 95 % interval.
"""

import argparse
import csv
import os
from pathlib import Path

import torch

import seewhy
from seewhy.explainers.files import read_metadata
from seewhy.metrics import score_maps
from seewhy.runtime.progress import track

DATA = Path(os.environ.get("SEEWHY_DATA", "../shared/data"))
OUT = Path(__file__).parent / "data" / "explainer_gain.csv"
METRICS = ["deletion", "insertion", "ins_del"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("explainer")
    parser.add_argument("--label", default="aha")
    parser.add_argument("--rival", default="libra_ixg_plus")
    parser.add_argument("--photos", type=int, default=40)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    weights = DATA / "models" / "deit_tiny_patch16_224.safetensors"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    metadata = read_metadata(options.explainer)
    chosen_on = metadata["training"]["config"]["evaluated"]  # the first held-out photos decide which explainer is kept
    names = metadata["held_out_images"][chosen_on : chosen_on + options.photos]
    methods = {options.rival: (options.rival, {}), options.label: ("aha", {"explainer": options.explainer})}
    rows = read(options.out)
    known = {(row["photo"], row["method"]) for row in rows}
    for name in track(names, "photos"):
        for label, (method, given) in methods.items():
            if (Path(name).name, label) not in known:
                rows.append({"photo": Path(name).name, "method": label} | scores(model, DATA / name, method, given))
                write(options.out, rows)
    values = {(row["photo"], row["method"]): float(row["ins_del"]) for row in rows}
    pairs = [[values[Path(name).name, label] for label in methods] for name in names]
    report(torch.tensor(pairs), list(methods))


def scores(model: seewhy.Classifier, photo: Path, method: str, given: dict) -> dict[str, str]:
    made = seewhy.explain(model, photo, method, **given)
    images = made.images
    found = score_maps(model, images, made.maps.to(images), made.targets, metrics=METRICS, protocol="aha")
    return {row["metric"]: f"{row['score']:.4f}" for row in found if row["reference"] == "all"}


def report(values: torch.Tensor, labels: list[str]) -> None:
    for label, column in zip(labels, values.T, strict=True):
        print(f"{label}: insertion minus deletion {column.mean():.4f}, n = {len(column)}")
    difference = values[:, 1] - values[:, 0]
    interval = 1.96 * difference.std() / len(difference) ** 0.5
    print(f"{labels[1]} - {labels[0]}: {difference.mean():+.4f} ± {interval:.4f}")


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main()
