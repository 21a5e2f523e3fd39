"""Frame time of scrubbing, first paint and file size of the explorer, measured in Chromium.

    python benchmarks/explorer_frames.py            needs playwright and Debian's chromium

A frame is the time from setting the slider to the end of the browser's rendering work on its main thread: script,
style, layout and paint. Four methods are scrubbed at once on the screen Compare, and one on the screen Explain.
"""

import dataclasses
import shutil
import statistics
import tempfile
from pathlib import Path

import numpy as np
import torch
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

import seewhy
from seewhy.explorer import Bundle, make_bundle, write_html
from seewhy.explorer.html import pack
from seewhy.ops.curves import pixel_order, pixel_ranks
from seewhy.ops.resize import resize_maps
from seewhy.zoo.scenes import Scenes

METHODS = ("grad_cam_attention", "libra_ixg_plus", "random", "center")
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


def main() -> None:
    torch.set_num_threads(1)
    bundle = scenes_bundle()
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for each in (bundle, enlarge(bundle, 384)):
            size = each.image.shape[-1]
            path = write_html(each, Path(folder) / f"{size}.html")
            print(f"{size} px, {len(each.entries)} methods, {len(each.targets)} classes")
            packed, plain = len(pack(each)) / 1e6, len(each.to_bytes()) / 1e6
            print(f"  file {path.stat().st_size / 1e6:.2f} MB; data {plain:.2f} MB, {packed:.2f} MB packed")
            frames(browser, f"{path.as_uri()}#screen=compare")  # the browser itself is still starting
            print(f"  first paint {first_paint(browser, path):.0f} ms")
            for screen in ("explain", "compare&show=image", "compare"):
                times, busy = frames(browser, f"{path.as_uri()}#screen={screen}")
                print(f"  {screen}: median frame {statistics.median(times):.2f} ms, processor time {busy:.2f} ms")
        browser.close()


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
    """Median of five loads: milliseconds until the browser painted the explorer's content."""
    times = []
    for _ in range(5):
        page = opened(browser, path.as_uri())
        page.wait_for_timeout(200)
        times.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        page.close()
    return statistics.median(times)


def frames(browser: Browser, url: str, steps: int = 300) -> tuple[list[float], float]:
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
    main()
