"""Does E-CAAP rank the patches as CAAP does? Spearman's correlation of the two maps, image by image.

    python benchmarks/e_caap_agreement.py --images 60

Writes one row per image to `data/e_caap_agreement.csv` and continues where it stopped.
"""

import argparse
import csv
import os
from pathlib import Path

import torch
from scipy.stats import spearmanr

import seewhy
from seewhy.runtime.progress import track

DATA = Path(os.environ.get("SEEWHY_DATA", "../shared/data"))
OUT = Path(__file__).parent / "data" / "e_caap_agreement.csv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=60)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    weights = DATA / "models" / "deit_tiny_patch16_224.safetensors"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    photos = sorted(path for path in (DATA / "imagenet-val").rglob("*") if path.suffix.lower() in (".jpg", ".jpeg"))
    rows = read(options.out)
    known = {row["image"] for row in rows}
    for photo in track(photos[: options.images], "images"):
        if photo.name not in known:
            exact, uniform, weighted = (
                seewhy.explain(model, photo, method, **given).maps.flatten()
                for method, given in (("caap", {}), ("e_caap", {}), ("e_caap", {"average": "weighted"}))
            )
            rows.append(
                {
                    "image": photo.name,
                    "uniform": f"{spearmanr(exact, uniform).statistic:.4f}",
                    "weighted": f"{spearmanr(exact, weighted).statistic:.4f}",
                }
            )
            write(options.out, rows)
    for name in ("uniform", "weighted"):
        values = torch.tensor([float(row[name]) for row in rows])
        interval = 1.96 * values.std() / len(values) ** 0.5
        print(f"{name}: mean {values.mean():.3f} ± {interval:.3f}, lowest {values.min():.3f}, n = {len(values)}")


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
