"""Take the pictures of docs/page.md from a running page.

python docs/page_pictures.py                 writes docs/images/page-*.jpg; needs playwright, chromium, seewhy[ui,demo]
python docs/page_pictures.py FOLDER          the same, and every screen at 1400 and 390 pixels, light and dark
"""

import contextlib
import io
import itertools
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import seewhy
from seewhy.zoo.photos import sample_photos
from seewhy.zoo.scenes import Scenes

IMAGES = Path(__file__).parent / "images"
SCENES, PHOTOS = "seewhy/scenes-vit", "seewhy/efficientnet-lite0"
MODEL = "seewhy-efficientnet-lite0"
PATCHES = [patch for row in range(2, 6) for patch in range(14 * row + 2, 14 * row + 6)]
DOCS = ("explain", "result", "ask", "refine", "data")


def main(folder: str | None) -> None:
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        make_folder(Path(name) / "scenes")
        with running_page("--model", SCENES, "--model", PHOTOS, "--folder", f"{name}/scenes") as address:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for screen, query in prepare(address).items():
                take_screen(browser, f"{address}{query}", screen, Path(folder) if folder else None)
            browser.close()


def make_folder(folder: Path, size: int = 240) -> None:
    """Scenes in one folder per class; some of them blurred, so that the model makes mistakes."""
    names = seewhy.load_model(SCENES).class_names or ()
    for number, scene in enumerate(Scenes("test", size)):
        path = folder / names[scene.label] / f"{number:04}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        image = Image.fromarray((scene.image.permute(1, 2, 0).numpy() * 255).round().astype(np.uint8))
        small = 20 if number % 4 == 0 else image.width
        image.resize((small, small)).resize(image.size).save(path)


@contextlib.contextmanager
def running_page(*arguments: str) -> Iterator[str]:
    """`seewhy ui` on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "seewhy", "ui", "--no-open", "--port", str(port), *arguments])
    address = f"http://127.0.0.1:{port}/"
    try:
        while True:
            time.sleep(0.5)
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{address}api/v1").close()
                break
        yield address
    finally:
        process.terminate()
        process.wait(20)


def call(address: str, path: str, body: Any = None, kind: str = "application/json") -> Any:
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    request = urllib.request.Request(f"{address}api/v1/{path}", data, {"Content-Type": kind})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def run(address: str, body: dict[str, Any]) -> dict[str, Any]:
    """A job, once it is done."""
    job = call(address, "jobs", body)
    while job["state"] in ("queued", "running"):
        time.sleep(0.5)
        job = call(address, f"jobs/{job['id']}")
    return job


def prepare(address: str) -> dict[str, str]:
    """Upload photos, explain one, run two methods on the data set; the addresses of the screens."""
    ids = {}
    for name, photo in sample_photos().items():
        out = io.BytesIO()
        photo.save(out, "PNG")
        ids[name] = call(address, f"images?name={name}.png", out.getvalue(), "image/png")["id"]
    cat = ids["cat"]
    explain = {"kind": "explain", "model": MODEL, "image": cat}
    methods = [{"name": "grad_cam"}, {"name": "gradient"}]
    result = run(address, {**explain, "methods": methods, "baselines": False})["result"]
    refine = {"methods": [{"name": "refine:grad_cam", "options": {"steps": 6}}], "baselines": False, "targets": [282]}
    refined = run(address, {**explain, **refine})
    for method in ("grad_cam_attention", "raw_attention"):
        dataset = {"kind": "dataset", "model": "seewhy-scenes-vit", "method": {"name": method}, "limit": 6}
        run(address, {**dataset, "filter": {"q": ""}})
    patches = ",".join(map(str, PATCHES))
    of_cat = f"model={MODEL}&image={cat}"
    return {
        "start": f"?model={MODEL}",
        "explain": f"?{of_cat}&methods=grad_cam,caap",
        "result": f"?{of_cat}&result={result}#count=10035",
        "ask": f"?{of_cat}&page=ask&result={result}&patches={patches}",
        "refine": f"?{of_cat}&page=refine&base=grad_cam&job={refined['id']}",
        "data": "?page=data&sort=-disagreement",
    }


def take_screen(browser: Browser, url: str, name: str, folder: Path | None) -> None:
    """The picture of the documentation and, if there is a folder, all sizes and schemes."""
    for width, scheme in itertools.product((1400, 390), ("light", "dark")):
        documented = name in DOCS and (width, scheme) == (1400, "light")
        if folder is None and not documented:
            continue
        picture = take(browser, url, name, width=width, scheme=scheme)
        if documented:
            picture.save(IMAGES / f"page-{name}.jpg", quality=85)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            picture.save(folder / f"{name}-{width}-{scheme}.png")


def take(browser: Browser, url: str, name: str, *, width: int, scheme: Any) -> Image.Image:
    size = {"width": width, "height": 900 if width > 600 else 844}
    page = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    page.goto(url)
    page.wait_for_selector(
        {"data": ".cell img", "start": ".drop", "ask": ".verdict b"}.get(name, ".screen img, canvas")
    )
    page.wait_for_timeout(1500)
    picture = Image.open(io.BytesIO(page.screenshot(full_page=name != "data")))
    page.close()
    return picture.convert("RGB")


if __name__ == "__main__":
    main(*sys.argv[1:2] or [None])
