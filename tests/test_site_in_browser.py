"""The built site, opened from a folder: search finds, nothing is wider than a phone, nothing comes from elsewhere."""

import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from test_site import GENERATOR

WIDTHS = (1400, 390)
SHOWN = (
    "index.html",
    "choose.html",
    "troubleshooting.html",
    "methods/caap.html",
    "metrics/deletion.html",
    "results.html",
    "papers.html",
    "api.html",
    "audit.html",
)
RESULTS = """[...document.querySelectorAll("*")]
    .flatMap((element) => element.shadowRoot ? [...element.shadowRoot.querySelectorAll("a")] : [])
    .map((link) => link.href)"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site without pictures of maps."""
    pytest.importorskip("zensical", reason="needs the extra [docs]")
    build = tmp_path_factory.mktemp("build")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GENERATOR, "BUILD", build)
        patch.setattr(sys, "argv", ["generator", "--quick"])
        GENERATOR.main()
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "mkdocs.yml"]
    result = subprocess.run(command, cwd=build, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return build / "site"


@pytest.fixture
def show(browser, site):
    context = browser.new_context(offline=True, viewport={"width": WIDTHS[0], "height": 900})
    elsewhere, errors = [], []

    def show(path, width=WIDTHS[0]):
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.on("request", lambda request: elsewhere.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((site / path).as_uri())
        return page

    yield show
    context.close()
    assert not [url for url in elsewhere if urlsplit(url).scheme not in ("file", "data", "blob", "about")]
    assert not errors


def test_search_works_from_a_folder(show):
    page = show("methods/caap.html")
    page.wait_for_function("typeof __index === 'object'")
    page.keyboard.press("/")
    page.wait_for_timeout(300)
    page.keyboard.type("blank map")
    page.wait_for_function(f"({RESULTS}).some((link) => link.endsWith('#the-map-is-blank-or-flat'))")


@pytest.mark.parametrize("path", SHOWN)
def test_pages_fit_a_phone(show, path):
    for width in WIDTHS:
        page = show(path, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()


def test_the_chooser_filters(show):
    page = show("choose.html")
    shown = "[...document.querySelectorAll('#methods tbody tr')].filter((row) => !row.hidden).length"
    everything = page.evaluate(shown)
    page.select_option("#chooser select[name=passes]", index=0)
    assert 0 < page.evaluate(shown) < everything
