"""Take the pictures of docs/explorer.md from the explorer that `seewhy demo` writes.

python docs/explorer_pictures.py seewhy-demo/explorer.html        needs playwright and Debian's chromium
"""

import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

IMAGES = Path(__file__).parent / "images"
SCREENS = {  # by what the address says
    "explain": "",
    "compare": "screen=compare&image=1&count=5018",
    "contrast": "screen=contrast&image=2",
    "density": "screen=density&image=1&gamma=0.3",
    "film": "screen=film&image=2&step=2",
}
PHONE = ("count=5018", "screen=compare&count=5018&show=image", "screen=contrast&image=2&method=1")


def main(file: str) -> None:
    address = Path(file).resolve().as_uri()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, state in SCREENS.items():
            save(take(browser, f"{address}#{state}", flip=name == "explain"), name)
        phones = [take(browser, f"{address}#{state}", width=390, scheme="dark", whole=False) for state in PHONE]
        save(beside(phones), "phone")
        browser.close()


def take(
    browser: Browser,
    url: str,
    *,
    width: int = 1240,
    height: int = 844,
    scheme: str = "light",
    flip: bool = False,
    whole: bool = True,
) -> Image.Image:
    """The whole page, or what a window of this size shows of it; `flip` presses the button first."""
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
        device_scale_factor=1.5,
    )
    page.goto(url)
    page.wait_for_selector(".strip canvas >> nth=3")  # all images are decoded
    if flip:
        page.locator("[data-name=flip]").click()
    page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(page.screenshot(full_page=whole)))
    page.close()
    return picture.convert("RGB")


def beside(pictures: list[Image.Image], gap: int = 24) -> Image.Image:
    width, height = pictures[0].size
    sheet = Image.new("RGB", (len(pictures) * (width + gap) - gap, height), "white")
    for i, picture in enumerate(pictures):
        sheet.paste(picture, (i * (width + gap), 0))
    return sheet


def save(picture: Image.Image, name: str) -> None:
    picture.thumbnail((1400, 1400))
    picture.save(IMAGES / f"explorer-{name}.jpg", quality=82, optimize=True, progressive=True)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["seewhy-demo/explorer.html"]))
