"""A real browser to look at pages; `conftest.py` makes both fixtures available to all tests."""

import shutil

import pytest

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # the network is off
)


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: seewhy[test]")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("there is no chromium here: apt install chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """Opens an address in a page without network; console output, errors and requests fail the test."""
    context = browser.new_context(offline=True, reduced_motion="reduce", viewport={"width": 1400, "height": 900})
    context.set_default_timeout(120_000)  # milliseconds; the machine may be loaded
    noise = []

    def open_page(url, *, selector=".screen", width=1400):
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.on("console", lambda message: noise.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: noise.append(f"error: {error}"))
        page.on("request", lambda request: noise.append(f"request: {request.url}"))
        page.goto(url)
        page.wait_for_selector(selector, state="attached")
        noise.remove(f"request: {url.partition('#')[0]}")
        return page

    yield open_page
    context.close()
    assert noise == []
