"""Frame time of scrubbing, first paint and file size of the explorer, measured in Chromium.

    python benchmarks/explorer_frames.py            writes benchmarks/data/explorer_frames.csv
    python benchmarks/explorer_frames.py frames     measures only this part (or: file) again
                                                    needs playwright and Debian's chromium

A frame is the time from setting the slider to the end of the browser's rendering work on its main thread: script,
style, layout and paint. Four methods are scrubbed at once on the screen Compare, and one on the screen Explain.
"""

import csv
import dataclasses
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

import seewhy
from seewhy.explorer import Bundle, make_bundle, write_html
from seewhy.explorer.html import page_html
from seewhy.ops.curves import pixel_order, pixel_ranks
from seewhy.ops.resize import resize_maps
from seewhy.zoo.scenes import Scenes

FILE = Path(__file__).parent / "data" / "explorer_frames.csv"
Row = tuple[str, str, str, str]
METHODS = ("grad_cam_attention", "libra_ixg_plus", "random", "center")
FINE = ("gradient", "input_x_gradient", "integrated_gradients", "smooth:gradient")
RUNS = 5  # of each screen: other processes on the machine disturb some
SCRUB = """async steps => {
    const slider = document.querySelector("[data-name=scrub]");
    const channel = new MessageChannel();
    const times = [];
    for (let step = 1; step <= steps; step++) {
        await new Promise(done => requestAnimationFrame(() => {
            const start = performance.now();
            channel.port1.onmessage = () => { times.push(performance.now() - start); done(); };
            slider.value = Math.round((step * 0.618 % 1) * slider.max);
            slider.dispatchEvent(new Event("input", {bubbles: true}));
            channel.port2.postMessage(0);
        }));
        if (seewhyExplorer.store.state.count !== Number(slider.value)) throw new Error("the explorer lags behind");
    }
    return times;
}"""


def main(*parts: str) -> None:
    torch.set_num_threads(1)
    with FILE.open() as file:
        rows = {row[:2]: row for row in map(tuple, list(csv.reader(file))[1:])}
    for part, measured in {"frames": measure_frames, "file": measure_fine_maps}.items():
        if part in (parts or ("frames", "file")):
            rows |= {row[:2]: row for row in measured()}
    with FILE.open("w", newline="") as file:
        csv.writer(file).writerows([("pixels", "measure", "value", "unit"), *rows.values()])


def measure_frames() -> Iterator[Row]:
    bundle = scenes_bundle()
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for each in (bundle, enlarge(bundle, 384)):
            yield from measure(browser, each, Path(folder))
        browser.close()


def measure_fine_maps() -> Iterator[Row]:
    """The file of a photo with four methods whose maps are as fine as the image, and the baselines."""
    model, photo = seewhy.load_model("seewhy/efficientnet-lite0"), seewhy.zoo.sample_photos()["cat"]
    for targets in (["tiger cat"], ["tiger cat", "Egyptian cat"]):
        size = len(page_html(seewhy.view([seewhy.explain(model, photo, name, targets) for name in FINE]).bundles))
        name = f"file, four fine methods, classes: {len(targets)}"
        print(f"{name}: {size / 1e6:.2f} MB")
        yield "224", name, f"{size / 1e6:.2f}", "MB"


def measure(browser: Browser, bundle: Bundle, folder: Path) -> Iterator[Row]:
    """Rows of the table, printed as they come."""
    size = bundle.image.shape[-1]
    path = write_html(bundle, folder / f"{size}.html")
    url = path.as_uri()
    frames(browser, f"{url}#screen=compare")  # the browser itself is still starting

    def row(name: str, value: float, unit: str) -> Row:
        print(f"{size} px  {name}: {value:.2f} {unit}")
        return str(size), name, f"{value:.2f}", unit

    yield row("file", path.stat().st_size / 1e6, "MB")
    yield row("data before packing", len(bundle.to_bytes()) / 1e6, "MB")
    yield row(f"first paint, best of {RUNS} loads", first_paint(browser, path), "ms")
    for name, screen in {
        "four images": "compare&show=image",
        "four images and maps": "compare",
        "one": "explain",
    }.items():
        runs = [frames(browser, f"{url}#screen={screen}") for _ in range(RUNS)]
        medians = [statistics.median(times) for times, _ in runs]
        yield row(f"{name}: median frame, best of {RUNS} runs", min(medians), "ms")
        yield row(f"{name}: median frame, median of {RUNS} runs", statistics.median(medians), "ms")
        yield row(f"{name}: processor time of a frame, best run", min(busy for _, busy in runs), "ms")


def scenes_bundle() -> Bundle:
    """One Scenes image, four methods, two classes, AHA's protocol."""
    model, scene = seewhy.load_model("seewhy/scenes-vit"), Scenes("test", 96)[7]
    targets = [scene.label, scene.pair]
    return make_bundle(model, [seewhy.explain(model, scene.image[None], method, targets=targets) for method in METHODS])


def enlarge(bundle: Bundle, size: int) -> Bundle:
    """The same bundle as if the model took larger images; its curves keep their values."""
    factor = size**2 / bundle.image[0].size

    def image_at(pixels: np.ndarray) -> np.ndarray:
        rows = np.arange(size) * pixels.shape[-1] // size
        return pixels[..., rows[:, None], rows] if pixels.shape[-1] > 1 else pixels

    def ranks_at(maps: np.ndarray) -> np.ndarray:
        ranks = pixel_ranks(pixel_order(resize_maps(torch.from_numpy(maps.copy())[None], (size, size))))
        return ranks.view(len(maps), size, size).numpy().astype(np.uint32)

    return dataclasses.replace(
        bundle,
        image=image_at(bundle.image),
        references=tuple(
            dataclasses.replace(r, deletion=image_at(r.deletion), insertion=image_at(r.insertion))
            for r in bundle.references
        ),
        counts={way: tuple(round(count * factor) for count in counts) for way, counts in bundle.counts.items()},
        entries=tuple(dataclasses.replace(entry, ranks=ranks_at(entry.maps)) for entry in bundle.entries),
    )


def opened(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    page.goto(url)
    page.wait_for_selector(".screen")
    return page


def first_paint(browser: Browser, path: Path) -> float:
    """Best of five loads: milliseconds until the browser painted the explorer's content."""
    times = []
    for _ in range(RUNS):
        page = opened(browser, path.as_uri())
        page.wait_for_timeout(200)
        times.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        page.close()
    return min(times)


def frames(browser: Browser, url: str, steps: int = 200) -> tuple[list[float], float]:
    """Milliseconds of each frame, and the main thread's mean processor time, which other processes disturb less."""
    page = opened(browser, url)
    page.evaluate(SCRUB, 60)  # warm up
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = task_seconds(session)
    times = page.evaluate(SCRUB, steps)
    busy = (task_seconds(session) - before) / steps * 1000
    page.close()
    return times, busy


def task_seconds(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


if __name__ == "__main__":
    main(*sys.argv[1:])
