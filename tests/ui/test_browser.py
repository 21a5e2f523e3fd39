"""The page in a real browser: what it shows is what Python answers; nothing leaves this machine, nothing is logged."""

import io
import json
import os
import signal
import time

import numpy as np
import pytest
from PIL import Image

import seewhy
from seewhy.explorer import make_bundle
from seewhy.questions.covering import reference_pixels

METHODS = ("libra_ixg_plus", "grad_cam_attention", "raw_attention")  # the default method first
OPTIONS = '{"refine:BASE":{"steps":4000}}'
GIVE = """([event, key, bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], `${key}.png`, {type: "image/png"}));
    const init = {dataTransfer: data, clipboardData: data, bubbles: true, cancelable: true};
    document.body.dispatchEvent(new globalThis[event](key, init));
}"""
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
    document.dispatchEvent(new Event("visibilitychange"));
}"""
SECONDS = 120_000  # milliseconds; the machine may be loaded


@pytest.fixture
def tab(browser, page):
    """A tab of the page; console output, errors, refused and foreign requests fail the test."""
    context = browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(SECONDS)
    noise, tab, own = [], context.new_page(), (page.address, "blob:", "data:")
    tab.on("console", lambda message: noise.append(f"console: {message.text}"))
    tab.on("pageerror", lambda error: noise.append(f"error: {error}"))
    tab.on("request", lambda request: request.url.startswith(own) or noise.append(request.url))
    tab.on("response", lambda response: response.status < 400 or noise.append(f"{response.status} {response.url}"))
    yield tab
    context.close()
    assert noise == []


def read_bars(tab):
    rows = tab.locator(".bars li").all()
    return {int(row.get_attribute("data-class")): float(row.get_attribute("data-probability")) for row in rows}


def state_of(tab, name):
    return tab.evaluate("name => seewhyPage.store.state[name]", name)


def test_upload_explain_with_three_methods_and_scrub(tab, page, model, image_file):
    tab.goto(page.address)
    for event, key in (("DragEvent", "drop"), ("ClipboardEvent", "paste")):
        tab.wait_for_selector(".picker")
        tab.evaluate(GIVE, [event, key, list(image_file.read_bytes())])
        tab.wait_for_selector(f".imagebar b:has-text('{key}.png')")
        tab.click("text=Another image")
    tab.set_input_files("input[type=file]", image_file)
    tab.wait_for_selector(".bars li")
    expected = seewhy.explain(model, image_file, METHODS[0], list(range(5)))
    for index, probability in read_bars(tab).items():
        assert probability == pytest.approx(float(expected.probabilities[0, index]), abs=1e-6)
    tab.click("summary:has-text('Add a method')")
    assert tab.locator(f".methods-list input[name={METHODS[0]}]").is_checked()
    for name in METHODS[1:]:
        tab.check(f".methods-list input[name={name}]")
    tab.click("[data-name=start]")
    tab.wait_for_selector(".embedded .screen")
    page.wait(page.get("jobs")["jobs"][0])  # it opened with the first method; the others have followed
    assert [entry["method"] for entry in page.get(f"results/{state_of(tab, 'result')}")["entries"][:3]] == list(METHODS)
    tab.reload()  # the state is in the address
    tab.wait_for_selector("[data-name=scrub]")
    check_curve(tab, model, image_file, page.get(f"results/{state_of(tab, 'result')}")["targets"])
    check_downloads(tab)


def check_curve(tab, model, image_file, targets):
    """The bars at a measured point are those that the metrics measure in Python."""
    bundle = make_bundle(model, seewhy.explain(model, image_file, METHODS[0], targets), references=["black"])
    point = 5
    tab.locator("[data-name=scrub]").fill(str(bundle.counts["deletion"][point]))
    tab.wait_for_function("count => seewhyPage.explorer.state.count === count", arg=bundle.counts["deletion"][point])
    tab.wait_for_function("() => new Promise(done => requestAnimationFrame(() => done(true)))")
    shown = read_bars(tab)
    measured = dict(zip(bundle.watched, bundle.entries[0].probabilities[0, 0, 0, point].tolist(), strict=True))
    assert shown.keys() <= measured.keys()
    for index, probability in shown.items():
        assert probability == pytest.approx(measured[index], abs=1e-6)


def check_downloads(tab):
    for text, suffix in (("Download this page", ".html"), ("Download the maps", ".zip")):
        with tab.expect_download() as download:
            tab.click(f"text={text}")
        assert download.value.suggested_filename.endswith(suffix)


def test_brush_undo_and_flip(tab, page, image, model, image_file):
    tab.goto(f"{page.address}?page=ask&image={image['id']}&reference=black")
    tab.wait_for_selector(".verdict b")
    box = tab.locator(".brush").bounding_box()
    cell = box["width"] / 8
    tab.mouse.move(box["x"] + 2.5 * cell, box["y"] + 3.5 * cell)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 5.5 * cell, box["y"] + 3.5 * cell, steps=12)
    tab.mouse.up()
    patches = [3 * 8 + col for col in (2, 3, 4, 5)]
    assert sorted(map(int, state_of(tab, "patches").split(","))) == patches
    tab.wait_for_selector(".verdict:has-text('4 patches deleted')")
    check_answer(tab, seewhy.cover(model, image_file, patches=patches, reference="black"))
    drawn = tab.locator(".brush image.reference").get_attribute("href")
    assert tab.locator(".brush clipPath rect").count() == 4
    black = reference_pixels("black", model, seewhy.explain(model, image_file, "center").images)
    shown = np.asarray(Image.open(io.BytesIO(page.request(drawn, raw=True)[1]))) / 255
    np.testing.assert_allclose(shown, black[0].permute(1, 2, 0), atol=1 / 255)
    tab.click("text=all there is")
    tab.wait_for_selector(".verdict:has-text('4 patches inserted')")
    check_answer(tab, seewhy.cover(model, image_file, patches=patches, reference="black", inverse=True))
    tab.click("text=patched in")
    tab.wait_for_selector(".verdict:has-text('4 patches patched')")
    check_answer(tab, seewhy.patch_activations(model, image_file, patches, reference="black"))
    assert tab.locator(".history li").count() >= 3
    tab.keyboard.press("Control+z")
    tab.wait_for_function("() => seewhyPage.store.state.patches === ''")
    tab.click(".row >> text=deleted")
    jobs = len(page.get("jobs")["jobs"])
    tab.dblclick("[data-name=greedy]")
    tab.wait_for_selector("[data-name=flip-answer] b")
    assert len(page.get("jobs")["jobs"]) == jobs + 1  # a double click asks once
    smallest = seewhy.smallest_flip(model, image_file, reference="black")
    tab.wait_for_selector(".verdict.changed")
    assert sorted(map(int, state_of(tab, "patches").split(","))) == list(smallest.patches)
    check_answer(tab, seewhy.cover(model, image_file, patches=smallest.patches, reference="black"))
    with tab.expect_download() as download:
        tab.click("text=Download them")
    assert sorted(json.loads(download.value.path().read_text())[0]["patches"]) == list(smallest.patches)
    tab.click("text=Another image")  # its answer is not lost
    tab.wait_for_selector(".picker")
    tab.click("[data-state=done] >> text=Open")
    tab.wait_for_selector("[data-name=flip-answer] b")
    assert (state_of(tab, "image"), state_of(tab, "reference")) == (image["id"], "black")
    assert sorted(map(int, state_of(tab, "patches").split(","))) == list(smallest.patches)
    tab.wait_for_selector(".verdict.changed")


def test_an_answer_that_comes_after_the_events_of_its_job_undoes_nothing(tab, page, image):
    def answer_late(route):
        answer = route.fetch()
        page.wait(answer.json())
        time.sleep(0.5)  # until the page has heard of it
        route.fulfill(response=answer)

    tab.route("**/api/v1/jobs", answer_late)
    tab.goto(f"{page.address}?page=ask&image={image['id']}&reference=black")
    tab.click("[data-name=greedy]")
    tab.wait_for_selector("[data-name=flip-answer] b")


def test_an_answer_to_an_earlier_question_is_marked(tab, page, image):
    tab.goto(f"{page.address}?page=ask&image={image['id']}&patches=1")
    tab.wait_for_selector(".answer[aria-busy=false] .verdict:has-text('1 patch deleted')")
    held = []
    tab.route("**/api/v1/ask", lambda route: held.append(route))
    tab.click("text=all there is")
    tab.wait_for_selector(".answer[aria-busy=true] .verdict:has-text('1 patch deleted')")
    held[0].continue_()
    tab.wait_for_selector(".answer[aria-busy=false] .verdict:has-text('1 patch inserted')")


def check_answer(tab, expected):
    shown = read_bars(tab)
    assert shown
    for index, probability in shown.items():
        np.testing.assert_allclose(probability, float(expected.after[index]), atol=1e-6, rtol=0)


def test_refine_stop_and_cancel(tab, page, image):
    address = f"{page.address}?page=refine&image={image['id']}&base=BASE&options="
    tab.goto((address + OPTIONS).replace("BASE", "center"))
    tab.click("[data-name=start]")
    tab.wait_for_function("() => Number(document.querySelector('[data-name=step-number]')?.textContent) >= 2")
    tab.click("[data-name=stop]")
    tab.click("[data-name=open]")
    tab.wait_for_selector(".embedded .screen")
    entry = page.page.results.bundle(page.page.results.get(state_of(tab, "result"))).entries[0]
    assert (entry.method, entry.options) == ("refine:center", {"steps": 4000})
    tab.goto((address + OPTIONS).replace("BASE", "random"))
    tab.click("[data-name=start]")
    tab.wait_for_function("() => Number(document.querySelector('[data-name=step-number]')?.textContent) >= 1")
    tab.click("[data-name=cancel]")
    tab.wait_for_selector("[role=status]:has-text('cancelled')")
    os.kill(page.page.link.process.pid, signal.SIGKILL)
    tab.wait_for_selector(".banner:has-text('The model is being restarted')")
    tab.wait_for_selector(".banner", state="detached")
    page.wait_ready()


def test_filter_a_folder_and_open_an_image(tab, page):
    tab.goto(f"{page.address}?page=data")
    tab.wait_for_selector(".cell img")
    everything = page.get("dataset")["images"]
    assert everything >= 2000
    assert tab.locator("[data-name=total]").inner_text() == f"{everything:,} images"
    assert tab.locator(".cell").count() < 150  # the others are not there
    (wanted,) = page.get("dataset/images?q=0017")["items"]
    tab.select_option("select[aria-label=Class]", str(wanted["label"]))
    expected = page.get(f"dataset/images?label={wanted['label']}")["total"]
    assert 1 < expected < everything
    tab.wait_for_selector(f"[data-name=total]:has-text('{expected} images')")
    tab.fill("[role=searchbox]", "0017")
    tab.wait_for_selector("[data-name=total]:text-is('1 image')")
    tab.wait_for_function("() => document.querySelectorAll('.cell[data-image]').length === 1")
    tab.click(".cell .open")
    tab.wait_for_selector(".embedded .screen")
    assert state_of(tab, "image") == wanted["id"]
    assert page.get(f"results/{state_of(tab, 'result')}")["name"] == wanted["name"]
    tab.go_back()
    tab.wait_for_selector(".cell img")
    tab.fill("[role=searchbox]", "001")
    some = page.get(f"dataset/images?q=001&label={wanted['label']}&limit=3")["items"]
    for number in (0, 2):
        tab.check(f".cell[data-image='{some[number]['id']}'] input")
    tab.select_option("[aria-label='Method to run']", "center")
    tab.click("text=Run on 2 selected")
    tab.wait_for_selector("b:has-text('center on 2 images')")
    job = page.wait(next(job for job in page.get("jobs")["jobs"] if job["kind"] == "dataset"))
    assert job["request"]["images"] == [some[0]["id"], some[2]["id"]]


def test_tabs_that_nobody_sees_hold_no_connection(browser, page, image):
    """A browser opens six connections to a server, and a stream of events holds one."""
    context = browser.new_context()
    context.set_default_timeout(SECONDS)
    tabs = [context.new_page() for _ in range(8)]
    for tab in tabs:
        tab.goto(page.address)
        tab.wait_for_selector(".picker")
        tab.evaluate(HIDE, True)
    job = page.wait(page.explain(image, "center", baselines=False, targets=[0]))
    shown = f".queue li[data-job='{job['id']}'][data-state=done]"
    assert tabs[0].locator(shown).count() == 0
    tabs[0].evaluate(HIDE, False)
    tabs[0].wait_for_selector(shown)
    page.request(f"api/v1/jobs/{job['id']}", method="DELETE")
    tabs[0].wait_for_selector(shown, state="detached")
    context.close()


def test_nothing_overflows_on_a_phone(browser, page, image, result):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    tab.set_default_timeout(SECONDS)
    for query in ("", f"?image={image['id']}", f"?page=ask&image={image['id']}", f"?page=refine&image={image['id']}",
                  "?page=data", f"?result={result['id']}"):  # fmt: skip
        tab.goto(f"{page.address}{query}")
        tab.wait_for_selector(".screen")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390, query
    context.close()


def test_a_foreign_page_cannot_use_the_api(browser, page):
    context = browser.new_context()
    tab = context.new_page()
    tab.goto("data:text/html,<p>elsewhere</p>")
    refused = tab.evaluate(
        "address => fetch(address + 'api/v1/jobs', {method: 'POST', body: '{}'}).then(r => r.status, () => 'refused')",
        page.address,
    )
    assert refused == "refused"
    assert page.get("")["worker"]["state"] == "ready"
    context.close()
