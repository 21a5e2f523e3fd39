"""Latency of a question on the page, and frame time while scrolling a folder of 10,000 images, in Chromium.

    python benchmarks/page_speed.py            writes benchmarks/data/page_speed.csv
                                               needs playwright, Debian's chromium and seewhy[ui,demo]
    python benchmarks/page_speed.py scroll     only one of the two: ask, scroll

A question is one POST to `api/v1/ask` over HTTP on EfficientNet-Lite0; it alternates with a plain forward pass of the
same model and the same image in this process, so that both meet the same load of the machine. A frame is what the
browser's main thread does between two scroll positions: script, style, layout and paint. Its processor time is given
too, because other processes disturb it less.
"""

import contextlib
import csv
import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from playwright.sync_api import CDPSession, sync_playwright

import seewhy
from seewhy.zoo.photos import sample_photos

MODEL, ID = "seewhy/efficientnet-lite0", "seewhy-efficientnet-lite0"
QUESTIONS, IMAGES, FRAMES = 100, 10_000, 200
SCROLL = """async frames => {
    const gallery = document.querySelector(".gallery");
    const channel = new MessageChannel();
    const times = [];
    for (let frame = 1; frame <= frames; frame++) {
        await new Promise(done => requestAnimationFrame(() => {
            const start = performance.now();
            channel.port1.onmessage = () => { times.push(performance.now() - start); done(); };
            gallery.scrollTop += 120;
            gallery.dispatchEvent(new Event("scroll"));
            channel.port2.postMessage(0);
        }));
    }
    return times;
}"""
FILE = Path(__file__).parent / "data" / "page_speed.csv"
HEADS = ("measure", "n", "median", "low", "high", "unit")
Row = tuple[Any, ...]


def main(*parts: str) -> None:
    torch.set_num_threads(1)
    rows = {row[0]: row for row in read_rows()}
    with tempfile.TemporaryDirectory() as name:
        for part, measure in {"ask": measure_questions, "scroll": measure_scrolling}.items():
            if part in (parts or ("ask", "scroll")):
                rows |= {row[0]: row for row in measure(Path(name))}
    with FILE.open("w", newline="") as file:
        csv.writer(file).writerows([HEADS, *rows.values()])


def read_rows() -> list[Row]:
    """The rows that are there."""
    if not FILE.is_file():
        return []
    with FILE.open() as file:
        return [tuple(row) for row in list(csv.reader(file))[1:]]


def measure_questions(folder: Path) -> list[Row]:
    photo = folder / "cat.png"
    next(iter(sample_photos().values())).save(photo)
    with running_page("--model", MODEL) as (address, _):
        return list(probe(address, photo))


def measure_scrolling(folder: Path) -> list[Row]:
    make_images(folder / "images")
    small = ("--model", "timm/test_vit", "--weights", "random")  # the browser is measured, not the model
    with running_page(*small, "--folder", str(folder / "images")) as (address, _):
        return list(scroll(address))


@contextlib.contextmanager
def running_page(*arguments: str) -> Iterator[tuple[str, int]]:
    """`seewhy ui` on a free port: its address, and the id of its process."""
    with socket.socket() as probe_socket:
        probe_socket.bind(("127.0.0.1", 0))
        port = probe_socket.getsockname()[1]
    command = [sys.executable, "-m", "seewhy", "ui", "--no-open", "--port", str(port), *arguments]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/"
    try:
        while True:
            time.sleep(0.5)
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{address}api/v1").close()
                break
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(20)


def post(address: str, path: str, body: bytes, kind: str) -> Any:
    request = urllib.request.Request(f"{address}api/v1/{path}", body, {"Content-Type": kind})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def probe(address: str, photo: Path) -> Iterator[Row]:
    """Questions with other patches each time, alternating with plain forward passes."""
    model = seewhy.load_model(MODEL)
    image = seewhy.data.read_images(photo, model.preprocess).images
    id = post(address, "images?name=cat.png", photo.read_bytes(), "image/png")["id"]
    generator = np.random.default_rng(0)

    def ask() -> None:
        patches = sorted(generator.choice(196, 20, replace=False).tolist())
        body = {"model": ID, "image": id, "kind": "delete", "patches": patches, "session": "speed"}
        post(address, "ask", json.dumps(body).encode(), "application/json")

    for _ in range(5):
        ask()
        model.probabilities(image)
    pairs = [(timed(ask), timed(lambda: model.probabilities(image))) for _ in range(QUESTIONS)]
    asked, forward = map(list, zip(*pairs, strict=True))
    yield row("question, Lite0", asked, "ms")
    yield row("forward pass, Lite0", forward, "ms")
    limit = 1.3 * statistics.median(forward) + 30
    yield row("limit: 1.3 forward passes + 30 ms", [limit], "ms")


def timed(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return 1000 * (time.perf_counter() - start)


def make_images(folder: Path) -> None:
    """Ten thousand small images with other colors."""
    folder.mkdir()
    generator = np.random.default_rng(0)
    for number in range(IMAGES):
        pixels = generator.integers(0, 255, (3, 3, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((96, 96)).save(folder / f"{number:05}.jpg", quality=70)


def scroll(address: str) -> Iterator[Row]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
        thumbnails: list[str] = []
        page.on("request", lambda request: request.url.endswith("/thumbnail") and thumbnails.append(request.url))
        page.goto(f"{address}?page=data")
        page.wait_for_selector(".cell img", timeout=300_000)
        page.evaluate(SCROLL, 20)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = task_seconds(session)
        frames = page.evaluate(SCROLL, FRAMES)
        busy = 1000 * (task_seconds(session) - before) / FRAMES
        yield row(f"frame while scrolling {IMAGES:,} images", frames, "ms")
        yield row("processor time of a frame, mean", [busy], "ms")
        yield row("thumbnails requested, the same one twice", [len(thumbnails) - len(set(thumbnails))], "requests")
        yield row("images in the document", [page.locator(".cell").count()], "elements")
        browser.close()


def task_seconds(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def row(name: str, values: list[float], unit: str) -> Row:
    """Median with a bootstrap interval of 95 %."""
    generator, array = np.random.default_rng(0), np.array(values, dtype=float)
    medians = np.median(generator.choice(array, (1000, len(array))), axis=1)
    low, high = np.quantile(medians, [0.025, 0.975])
    found = (name, len(array), *(round(float(each), 2) for each in (np.median(array), low, high)), unit)
    print(*found)
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
