"""Memory of the page's two processes over 1,000 requests, good and bad ones.

python benchmarks/page_memory.py       writes benchmarks/data/page_memory.csv and docs/images/page-memory.png
"""

import contextlib
import csv
import io
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import matplotlib.pyplot as plt
from page_speed import post, running_page
from PIL import Image

REQUESTS, EVERY = 1000, 25
ROOT = Path(__file__).parents[1]


def main() -> None:
    with running_page("--model", "timm/test_vit", "--weights", "random") as (address, pid):
        rows = list(measure(address, [pid, *children(pid)]))
    with (ROOT / "benchmarks" / "data" / "page_memory.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("requests", "server_mb", "worker_mb"), *rows])
    draw(rows)


def measure(address: str, pids: list[int]) -> Iterator[tuple[int, float, float]]:
    """Resident memory after every few requests."""
    photo = png(Image.effect_noise((300, 200), 60).convert("RGB"))
    id = post(address, "images?name=a.png", photo, "image/png")["id"]
    for number in range(REQUESTS + 1):
        if number % EVERY == 0:
            found = number, resident(pids[0]), max(map(resident, pids[1:]))
            print(*found)
            yield found
        with contextlib.suppress(urllib.error.HTTPError):
            send(address, number, id, photo)


def send(address: str, number: int, id: str, photo: bytes) -> None:
    """One of five kinds of requests: a question, new and truncated images, a wrong body, an unknown id."""
    question = {"model": "timm-test_vit", "image": id, "kind": "delete", "patches": [number % 100]}
    kind = number % 5
    if kind == 0:
        post(address, "ask", json.dumps(question).encode(), "application/json")
    elif kind == 1:
        post(address, "images", png(Image.new("RGB", (300, 200), (number % 256, number // 256, 0))), "image/png")
    elif kind == 2:
        post(address, "images", photo[: len(photo) // 2], "image/png")
    elif kind == 3:
        post(address, "jobs", b'{"kind": "explain", "methods": 7}', "application/json")
    else:
        urllib.request.urlopen(f"{address}api/v1/results/{number}/bundle").close()


def png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def resident(pid: int) -> float:
    """Megabytes."""
    return round(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6, 1)


def draw(rows: list[tuple[int, float, float]]) -> None:
    requests, server, worker = zip(*rows, strict=True)
    figure, axes = plt.subplots(figsize=(6, 2.6), layout="constrained")
    axes.plot(requests, server, label="server")
    axes.plot(requests, worker, label="worker, which owns the model")
    axes.set(xlabel="requests", ylabel="memory (MB)", ylim=(0, None))
    axes.legend(frameon=False)
    figure.savefig(ROOT / "docs" / "images" / "page-memory.png", dpi=120)


if __name__ == "__main__":
    main()
