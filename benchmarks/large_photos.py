"""Memory and drawing time of 24 photos of 12 megapixels: `python benchmarks/large_photos.py`.

Writes benchmarks/data/large_photos.csv: memory above that of the loaded model (peak resident set), seconds per overlay.
"""

import csv
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from PIL import Image

import seewhy

NUMBER, SIZE = 24, (4000, 3000)
DATA = Path(__file__).parent / "data" / "large_photos.csv"


def peak() -> float:
    """Peak resident memory in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    torch.set_num_threads(1)
    model = seewhy.load_model("timm/test_resnet", weights="random")
    noise = torch.rand(1, 3, *model.image_size)
    seewhy.explain(model, noise, "grad_cam").overlay()
    with tempfile.TemporaryDirectory() as folder:
        low = np.random.default_rng(0).integers(0, 256, (30, 40, 3), dtype=np.uint8)
        photo = Image.fromarray(low).resize(SIZE)
        photo.save(f"{folder}/0.jpg")
        del photo
        for number in range(1, NUMBER):
            Path(f"{folder}/{number}.jpg").write_bytes(Path(f"{folder}/0.jpg").read_bytes())
        before = resident()
        explanation = seewhy.explain(model, folder, "grad_cam")
        start = time.perf_counter()
        for image in range(NUMBER):
            explanation.overlay(image)
        seconds = (time.perf_counter() - start) / NUMBER
        after = resident()
    row = {"photos": NUMBER, "megapixels": 12, "kept MB": round(after - before), "peak MB": round(peak() - before)}
    row["seconds per overlay"] = round(seconds, 3)
    print(row)
    with DATA.open("w", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row)


def resident() -> float:
    """Resident memory in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


if __name__ == "__main__":
    main()
