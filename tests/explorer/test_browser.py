"""The explorer in a real browser: what it shows is what the metrics measured."""

import base64
import dataclasses
import functools
import http.server
import threading
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import numpy as np
import pytest
import torch

import seewhy
import seewhy.explorer.bundle
from conftest import make_tiny_cnn
from seewhy.explorer import make_bundle, notebook_html, write_html
from seewhy.explorer.ranks import rank_corrections
from seewhy.methods.mda import densify
from seewhy.methods.var import class_distribution, keep_own, shared_evidence, won_evidence
from seewhy.metrics import score_maps
from seewhy.ops.curves import pixel_order, pixel_ranks
from seewhy.ops.flips import flip_count
from seewhy.ops.resize import resize_maps

HOSTILE = "</script><img src=x onerror=\"document.title='hacked'\">"
ENCODE = """values => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(text);
}"""
READ = f"canvas => ({ENCODE})(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data)"
CONTRAST = f"""([method, options]) => {{
    const entry = seewhyExplorer.bundles[0].entries[method];
    const {{distribution, own, won, shared}} = seewhyExplorer.contrastClasses(entry, [0, 1], options);
    return [...distribution, ...own, ...won, shared].map({ENCODE});
}}"""

STILL = """() => new Promise(done => {
    let last = scrollY, still = 0;
    const look = () => {
        still = scrollY === last ? still + 1 : 0;
        last = scrollY;
        if (still < 20) requestAnimationFrame(look);
        else done();
    };
    look();
})"""


def read_canvas(page, name="perturbed", number=0):
    """The pixels of a canvas, height width 4."""
    data = page.locator(f"canvas[data-name={name}]").nth(number).evaluate(READ)
    return np.frombuffer(base64.b64decode(data), np.uint8).reshape(224, 224, 4)


def scrub_to(page, count):
    page.locator("[data-name=scrub]").fill(str(count))
    page.wait_for_function("count => seewhyExplorer.store.state.count === count", arg=count)
    page.wait_for_function("() => new Promise(done => requestAnimationFrame(() => done(true)))")


def wait_until_still(page):
    """Wait until the page has stopped scrolling: a finger that leaves it gives it momentum."""
    page.evaluate(STILL)


def read_bars(page):
    rows = page.locator(".bars li").all()
    return {int(row.get_attribute("data-class")): float(row.get_attribute("data-probability")) for row in rows}


@pytest.fixture(scope="module")
def address(bundle, tmp_path_factory):
    return write_html(bundle, tmp_path_factory.mktemp("explorer") / "one image.html").as_uri()


@pytest.fixture(scope="module")
def metric_images(model, explanations, protocol):
    """Every image that the deletion and insertion metrics show to the model for one map, as bytes."""
    seen, first = set(), explanations[0]

    def record(images):
        seen.update(pixels.tobytes() for pixels in (images * 255).round().byte().permute(0, 2, 3, 1).numpy())
        return torch.zeros(len(images), 12)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "logits", record)
        images, maps, targets = first.images, first.maps[:, :1], first.targets[:, :1]
        score_maps(model, images, maps, targets, metrics=["deletion", "insertion"], protocol=protocol, strict=True)
    return seen


@pytest.mark.parametrize("direction", ["deletion", "insertion"])
def test_the_canvas_is_the_image_that_the_metric_builds(open_page, address, bundle, metric_images, direction):
    for reference in bundle.references:
        page = open_page(f"{address}#direction={direction}&reference={reference.name}")
        for count in bundle.counts[direction][1:10:2]:
            scrub_to(page, count)
            canvas = read_canvas(page)
            assert (canvas[..., 3] == 255).all()
            assert np.ascontiguousarray(canvas[..., :3]).tobytes() in metric_images


def test_between_measured_points_the_canvas_follows_the_ranks(open_page, address, bundle):
    page = open_page(f"{address}#method=1&class=6&reference=blur&count=1234")
    image, blur = bundle.image.transpose(1, 2, 0), bundle.references[1].deletion[0].transpose(1, 2, 0)
    expected = np.where((bundle.entries[1].ranks[1] < 1234)[..., None], blur, image)
    np.testing.assert_array_equal(read_canvas(page)[..., :3], expected)
    assert "between" in page.locator(".bars").get_attribute("class")


@pytest.mark.parametrize("rounded", [False, True])
def test_a_map_of_the_images_size_is_ranked_in_the_browser(open_page, bundle, tmp_path, monkeypatch, rounded):
    monkeypatch.setattr(seewhy.explorer.bundle, "EXACT", 0 if rounded else seewhy.explorer.bundle.EXACT)
    maps = torch.rand(2, 224, 224, generator=torch.Generator().manual_seed(0)).mul(50).round()  # with ties
    ranks = pixel_ranks(pixel_order(maps)).view_as(maps).numpy().astype(np.uint16)
    entry = dataclasses.replace(bundle.entries[0], maps=maps.numpy(), ranks=ranks)
    fine = dataclasses.replace(bundle, entries=(entry,))
    assert not rank_corrections(maps.numpy(), ranks).any()
    page = open_page(f"{write_html(fine, tmp_path / 'fine.html').as_uri()}#count=20000&class=6")
    expected = np.where((ranks[1] < 20000)[..., None], 0, bundle.image.transpose(1, 2, 0))
    np.testing.assert_array_equal(read_canvas(page)[..., :3], expected)
    values = page.evaluate(f"({ENCODE})(seewhyExplorer.bundles[0].entries[0].map(1))")
    shown = np.frombuffer(base64.b64decode(values), np.float32)
    np.testing.assert_allclose(shown, maps[1].flatten(), atol=float(maps[1].max()) * 2**-17 * rounded, rtol=0)


@pytest.mark.parametrize("rounded", [False, True])
def test_contrast_of_fine_maps_is_exact_or_says_that_it_is_not(open_page, bundle, tmp_path, monkeypatch, rounded):
    maps = torch.randn(2, 224, 224, generator=torch.Generator().manual_seed(0))
    ranks = pixel_ranks(pixel_order(maps)).view_as(maps).numpy().astype(np.uint16)
    entry = dataclasses.replace(bundle.entries[0], maps=maps.numpy(), ranks=ranks)
    monkeypatch.setattr(seewhy.explorer.bundle, "EXACT", maps.numel() - rounded)
    page = open_page(
        f"{write_html(dataclasses.replace(bundle, entries=(entry,)), tmp_path / 'fine.html').as_uri()}#screen=contrast"
    )
    options = {"temperatures": [1.0, 5.0, 100.0], "mode": "multiply", "scale": None, "margin": 0.0}
    found = page.evaluate(CONTRAST, [0, options])[:2]
    shares = torch.from_numpy(np.stack([np.frombuffer(base64.b64decode(each)) for each in found]))
    softmax = {"temperature_mode": "multiply", "scale": None, "temperatures": options["temperatures"]}
    expected = class_distribution(maps.double()[None], torch.ones(1, 2, dtype=torch.bool), **softmax)[0].flatten(1)
    error = float((shares - expected).abs().max())
    assert (error > 1e-6) == rounded
    assert page.locator("[data-name=rounded]").count() == rounded


def test_a_winner_that_is_not_watched_has_a_bar(open_page, bundle, tmp_path):
    other = next(index for index in range(12) if index not in bundle.watched)
    top1, highest = bundle.entries[0].top1.copy(), bundle.entries[0].top1_probabilities.copy()
    top1[0, 0, 0, 3], highest[0, 0, 0, 3] = other, 0.625
    entry = dataclasses.replace(bundle.entries[0], top1=top1, top1_probabilities=highest)
    names = bundle.class_names | {other: "somersault"}
    changed = dataclasses.replace(bundle, entries=(entry,), class_names=names)
    page = open_page(write_html(changed, tmp_path / "other.html").as_uri())
    last = page.locator(".bars li").last
    assert "no other class leads" in last.inner_text()
    scrub_to(page, bundle.counts["deletion"][3])
    assert read_bars(page)[other] == 0.625
    assert "winner" in last.get_attribute("class")
    assert "now says somersault with 63 %" in page.locator(".verdict").inner_text()


def test_scores_are_shown_for_one_reference_too(open_page, bundle, tmp_path):
    scores = [
        dataclasses.replace(each, reference="all") for each in bundle.entries[0].scores if each.reference == "blur"
    ]
    single = dataclasses.replace(bundle, entries=(dataclasses.replace(bundle.entries[0], scores=scores),))
    page = open_page(write_html(single, tmp_path / "single.html").as_uri())
    facts = page.locator(".facts").inner_text()
    for score in scores:
        if score.target == bundle.targets[0]:
            assert f"{score.score:.3f}".replace("-", "−") in facts


def test_ranks_of_large_images_are_read_exactly(open_page, tmp_path):
    model = make_tiny_cnn().with_size((272, 256))
    explanation = seewhy.explain(model, torch.rand(1, 3, 272, 256), "random", targets=[1])
    large = make_bundle(model, explanation, references=["black"])
    page = open_page(write_html(large, tmp_path / "large.html").as_uri())
    ranks = page.evaluate(f"({ENCODE})(seewhyExplorer.bundles[0].entries[0].ranks(0))")
    np.testing.assert_array_equal(np.frombuffer(base64.b64decode(ranks), np.uint32), large.entries[0].ranks.ravel())


@pytest.mark.parametrize("direction", ["deletion", "insertion"])
def test_bars_are_the_measured_curve(open_page, address, bundle, direction):
    page = open_page(f"{address}#direction={direction}&method=1&reference=blur")
    curve = bundle.entries[1].probabilities[0, ["deletion", "insertion"].index(direction), 1]
    counts = bundle.counts[direction]
    for point in range(1, 10, 2):
        scrub_to(page, counts[point])
        assert read_bars(page) == pytest.approx(dict(zip(bundle.watched, curve[point].tolist(), strict=True)), abs=1e-7)
    middle = (counts[3] + counts[4]) // 2
    scrub_to(page, middle)
    share = (middle - counts[3]) / (counts[4] - counts[3])
    between = (1 - share) * curve[3].astype(float) + share * curve[4]
    assert list(read_bars(page).values()) == pytest.approx(between.tolist(), abs=1e-7)


@pytest.mark.parametrize("direction", ["deletion", "insertion"])
def test_the_flip_button_goes_where_the_decision_changes(open_page, address, bundle, direction):
    for number, entry in enumerate(bundle.entries):
        page = open_page(f"{address}#method={number}&direction={direction}")
        top1 = entry.top1[0, ["deletion", "insertion"].index(direction), 0].tolist()
        expected = flip_count(bundle.counts[direction], top1, bundle.prediction, direction=direction)
        button = page.locator("[data-name=flip]")
        assert button.count() == (expected is not None)
        if expected is not None:
            button.click()
            page.wait_for_function("count => seewhyExplorer.store.state.count === count", arg=expected)


def test_the_flip_lies_between_two_counts(open_page, address, bundle):
    page = open_page(address)
    flip = int(page.locator("[data-name=flip]").get_attribute("data-count"))
    counts = bundle.counts["deletion"]
    before = counts[counts.index(flip) - 1]
    assert f"between {before:,} and {flip:,} pixels" in page.locator(".flip").inner_text()


def test_warnings_are_among_the_facts(open_page, bundle, tmp_path):
    noted = dataclasses.replace(bundle.entries[0], notes=["no blur removes <b>the class</b>"])
    page = open_page(write_html(dataclasses.replace(bundle, entries=(noted,)), tmp_path / "noted.html").as_uri())
    assert "Warning: no blur removes <b>the class</b>." in page.locator(".facts").inner_text()


def test_a_class_that_is_not_predicted_has_its_own_story(open_page, address, bundle):
    """Its pixels flip no decision when they are removed; when they are added, the model may come to say it."""
    other = bundle.targets[1]
    page = open_page(f"{address}#class={other}")
    assert "the probability of crate truck drops early" in page.locator(".intro").inner_text()
    assert "not crate truck: this map has no decision to flip" in page.locator(".flip").inner_text()
    assert page.locator("[data-name=flip], .marker").count() == 0
    for number, entry in enumerate(bundle.entries):
        page = open_page(f"{address}#class={other}&method={number}&direction=insertion")
        expected = flip_count(bundle.counts["insertion"], entry.top1[-1, 1, 0].tolist(), other, direction="insertion")
        if expected is None:
            assert page.locator(".flip").inner_text() == "The model never says crate truck on this curve."
        else:
            button = page.get_by_role("button", name="Add until the model says crate truck")
            assert int(button.get_attribute("data-count")) == expected


def test_a_map_with_nan_is_shown_and_not_tested(open_page, bundle, tmp_path):
    maps = bundle.entries[0].maps.copy()
    maps[0, 3, 5] = np.nan
    broken = dataclasses.replace(bundle.entries[0], maps=maps, checks={"finite": [False, True]})
    address = write_html(
        dataclasses.replace(bundle, entries=(broken, *bundle.entries[1:])), tmp_path / "nan.html"
    ).as_uri()
    page = open_page(f"{address}#count=5018&direction=insertion")
    assert "holds NaN or infinity" in page.locator(".test").inner_text()
    assert page.locator(".test .chart, [data-name=scrub], [data-name=flip]").count() == 0
    np.testing.assert_array_equal(read_canvas(page)[..., :3], bundle.image.transpose(1, 2, 0))
    page.get_by_role("button", name="crate truck").click()
    page.wait_for_selector("[data-name=scrub]")  # the other class has a map
    page = open_page(f"{address}#screen=compare&count=5018")
    assert page.locator(".curves .series").count() == len(bundle.entries) - 1
    assert page.locator(".method").first.get_by_text("not tested").count() == 1
    assert page.locator("canvas[data-name=disagreement]").count() == 0  # one method is left
    page.get_by_role("tab", name="A or B").click()
    assert page.get_by_label("Method").locator("option").all_inner_texts() == ["libra_ixg_plus"]


@pytest.mark.parametrize(
    "options",
    [
        {"temperatures": [1.0, 5.0, 100.0], "mode": "multiply", "scale": None, "margin": 0.0},
        {"temperatures": [2.0, 50.0], "mode": "multiply", "scale": "max", "margin": 0.1},
        {"temperatures": [0.5], "mode": "divide", "scale": None, "margin": 0.02},
    ],
)
def test_contrast_equals_var(open_page, address, bundle, options):
    page = open_page(address)
    for method in (0, 1):
        found = page.evaluate(CONTRAST, [method, options])
        arrays = torch.from_numpy(np.stack([np.frombuffer(base64.b64decode(each)) for each in found]))
        maps = resize_maps(torch.from_numpy(bundle.entries[method].maps).double()[None], (224, 224))
        present = torch.ones(1, 2, dtype=torch.bool)
        softmax = {"temperature_mode": options["mode"], "scale": options["scale"]}
        distribution = class_distribution(maps, present, temperatures=options["temperatures"], **softmax)
        margin = max(options["margin"], 8 * torch.finfo(torch.float32).eps)  # maps are float32 everywhere else
        own = keep_own(maps, distribution - 0.5, present, margin=margin)[0]
        won = won_evidence(maps, distribution, present)[0]
        expected = torch.cat([distribution[0], own, won, shared_evidence(maps, distribution, present)])
        clear = ((distribution[0] - 0.5 - margin).abs() > 3e-7).all(dim=0).flatten()  # not on the threshold itself
        assert clear.float().mean() > 0.99
        torch.testing.assert_close(arrays[:, clear], expected.flatten(1)[:, clear], atol=1e-6, rtol=0)


def test_a_class_that_wins_nothing_is_said_to(open_page, bundle, address, tmp_path):
    assert open_page(f"{address}#screen=contrast").locator("[data-name=beaten]").count() == 0
    maps = np.abs(bundle.entries[0].maps) * np.array([0.001, 1], dtype=np.float32)[:, None, None]
    maps[0] = np.minimum(maps[0], maps[1] / 2)
    weak = dataclasses.replace(bundle, entries=(dataclasses.replace(bundle.entries[0], maps=maps), *bundle.entries[1:]))
    page = open_page(f"{write_html(weak, tmp_path / 'weak.html').as_uri()}#screen=contrast")
    assert "log truck wins nothing: the map of crate truck is higher" in page.locator("[data-name=beaten]").inner_text()


def test_bad_temperatures_are_refused_in_words(open_page, address):
    page = open_page(f"{address}#screen=contrast")
    field, alert = page.get_by_label("Temperatures"), page.get_by_role("alert")
    for text, mode, message in (
        ("1, x", "factors", "Give numbers of at least 0"),
        ("0, 5", "factors", None),
        ("0, 5", "divisors", "Give numbers above 0"),
        ("", "divisors", "Give numbers above 0, separated by commas. Shown: 1, 5, 100."),
        ("2; 50", "divisors", None),
    ):
        page.get_by_role("button", name=mode).click()
        field.fill(text)
        field.press("Tab")
        assert alert.count() == (message is not None)
        if message:
            assert message in alert.inner_text()


def test_density_equals_mda(open_page, bundle, tmp_path):
    random = torch.Generator().manual_seed(0)
    sparse = torch.rand(2, 196, generator=random).pow(4).sort(descending=True).values / 4
    order = torch.stack([torch.randperm(196, generator=random) for _ in range(2)])
    extras = {"sparse": sparse.numpy(), "order": order.int().numpy()}
    entry = dataclasses.replace(bundle.entries[0], extras=extras, options={"kappa": 0.01})
    dense = dataclasses.replace(bundle, entries=(entry,))
    page = open_page(f"{write_html(dense, tmp_path / 'density.html').as_uri()}#screen=density&class=6")
    for gamma in (0, 0.3, 1):
        page.locator("[data-name=gamma]").fill(str(gamma))
        found = page.evaluate(
            "g => Array.from(seewhyExplorer.densityMap(seewhyExplorer.bundles[0].entries[0], 1, g).map)", gamma
        )
        ranked = densify(sparse, gamma=gamma, kappa=0.01)
        expected = torch.zeros_like(ranked).scatter(-1, order, ranked)[1]
        torch.testing.assert_close(torch.tensor(found), expected, atol=1e-6, rtol=0)


def test_film_shows_every_step(open_page, bundle, tmp_path):
    path = np.stack([np.roll(bundle.entries[0].maps, step, axis=-1) for step in range(4)], axis=1)
    objective = np.array([[0.1, 0.2, np.nan, 0.4]] * 2, dtype=np.float32)
    extras = {"path": path, "objective": objective, "kept": np.array([1, 3], dtype=np.int32)}
    film = dataclasses.replace(bundle, entries=(dataclasses.replace(bundle.entries[0], extras=extras),))
    page = open_page(f"{write_html(film, tmp_path / 'film.html').as_uri()}#screen=film")
    frames = set()
    for step in range(4):
        page.locator("[data-name=step]").fill(str(step))
        page.wait_for_selector(f"text=Step {step} of 3")
        frames.add(read_canvas(page, "film").tobytes())
    assert len(frames) == 4
    assert "after 1 step is kept" in page.locator(".intro").inner_text()
    assert page.locator(".marker-text").text_content() == "kept"
    assert page.locator(".series circle").count() == 3  # the step without an objective has no dot


def test_a_link_restores_what_was_seen(open_page, address, bundle):
    page = open_page(address)
    page.get_by_role("button", name="libra_ixg_plus").click()
    page.get_by_role("button", name="crate truck").click()
    page.get_by_role("button", name="adding pixels").click()
    page.get_by_role("button", name="blur", exact=True).click()
    page.get_by_role("button", name="Contour").click()
    scrub_to(page, bundle.counts["insertion"][4])
    page.wait_for_url("**count=*")
    again = open_page(page.url)
    assert again.evaluate("seewhyExplorer.store.state") == page.evaluate("seewhyExplorer.store.state")
    for canvas in ("perturbed", "map"):
        np.testing.assert_array_equal(read_canvas(again, canvas), read_canvas(page, canvas))
    assert read_bars(again) == read_bars(page)


def test_a_page_with_a_model_measures_what_lies_between(open_page, address, bundle, model, explanations):
    """A file offers no such button; a host that can run the model does, and its answer becomes a point of the curve."""
    page = open_page(f"{address}#method=1&reference=black&count=1234")
    assert page.locator("[data-name=exact]").count() == 0

    def measure(question):
        entry = bundle.entries[question["method"]]
        ranks = torch.from_numpy(entry.ranks[bundle.targets.index(question["class"])].astype(np.int64))
        probabilities = model.probabilities(explanations[0].images * (ranks >= question["count"]))[0]
        return {"probabilities": probabilities[list(bundle.watched)].tolist(), "top1": int(probabilities.argmax())}

    page.expose_function("measure", measure)
    page.evaluate("() => { seewhyExplorer.host.measure = measure; seewhyExplorer.store.set({}); }")
    page.locator("[data-name=exact]").click()
    page.wait_for_selector(".bars:not(.between)")
    expected = measure({"method": 1, "class": bundle.targets[0], "count": 1234})
    assert list(read_bars(page).values()) == pytest.approx(expected["probabilities"], abs=1e-6)
    assert page.locator(".series.strong circle").count() == len(bundle.counts["deletion"]) + 1


@pytest.mark.parametrize(
    "state",
    [
        "screen=compare&show=image&view=signed&sort=deletion&descending=0&count=5018&zoom=2&x=-0.5&y=-0.25",
        "screen=contrast&a=6&b=7&temperatures=2&mode=divide&scaled=1&margin=0.1&mix=0.2",
        "view=contour&side=0&opacity=0.5&reference=blur&direction=insertion",
    ],
)
def test_every_choice_is_kept_in_the_address(open_page, address, state):
    page = open_page(f"{address}#{state}")
    page.evaluate("seewhyExplorer.store.write()")
    assert dict(part.split("=") for part in page.url.partition("#")[2].split("&")) == dict(
        part.split("=") for part in state.split("&")
    )


def test_fingers_scrub_and_choose(browser, address, bundle):
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(address)
    page.locator(".chart svg").tap(position={"x": 180, "y": 80})
    count = page.evaluate("seewhyExplorer.store.state.count")
    assert 0 < count < bundle.counts["deletion"][-1]
    page.get_by_role("tab", name="Compare").tap()
    page.get_by_role("button", name="Image", exact=True).tap()
    assert page.locator("canvas[data-name=map]").count() == 0
    assert page.evaluate("seewhyExplorer.store.state.count") == count
    context.close()


def test_a_swipe_over_the_curve_scrolls_and_a_drag_scrubs(browser, address):
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{address}#count=5018")
    session = context.new_cdp_session(page)

    def swipe(name, right, down):
        page.locator(name).evaluate("element => element.scrollIntoView({block: 'end'})")  # not under the image
        wait_until_still(page)
        box, before = page.locator(name).bounding_box(), page.evaluate("scrollY")
        x, y = box["x"] + box["width"] * 0.4, box["y"] + box["height"] / 2
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 11):
            finger = {"x": x + right * step / 10, "y": y + down * step / 10}
            session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [finger]})
            page.wait_for_timeout(20)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        wait_until_still(page)
        return page.evaluate("scrollY") - before, page.evaluate("seewhyExplorer.store.state.count")

    for name in (".scrubber .chart svg", ".test .slide input"):
        scrolled, count = swipe(name, 0, -150)
        assert scrolled > 100
        assert count == 5018
    scrolled, count = swipe(".scrubber .chart svg", 120, 0)
    assert scrolled == 0
    assert count > 30_000
    context.close()


def test_arrows_scrub_wherever_nothing_else_uses_them(open_page, address):
    page = open_page(address)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("seewhyExplorer.store.state.count") == 502
    flip = page.locator("[data-name=flip]")
    flip.click()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("seewhyExplorer.store.state.count") == int(flip.get_attribute("data-count")) + 502
    page.locator("[data-name=opacity]").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("seewhyExplorer.store.state.opacity") == 0.8
    assert page.evaluate("seewhyExplorer.store.state.count") == int(flip.get_attribute("data-count")) + 502


def test_a_method_of_the_comparison_can_be_explained(open_page, address):
    page = open_page(f"{address}#screen=compare&count=5018")
    page.get_by_role("button", name="libra_ixg_plus", exact=True).click()
    assert page.locator(".screen").get_attribute("data-screen") == "explain"
    assert page.evaluate("[seewhyExplorer.store.state.method, seewhyExplorer.store.state.count]") == [1, 5018]


def test_tabs_follow_the_arrow_keys(open_page, address):
    page = open_page(address)
    page.get_by_role("tab", name="Explain").focus()
    for title in ("Compare", "A or B", "Explain"):
        page.keyboard.press("ArrowRight")
        assert page.locator("[role=tab][aria-selected=true]").inner_text() == title


def test_a_fragment_of_nonsense_shows_the_start(open_page, address):
    page = open_page(
        f"{address}#count=abc&method=99&class=4711&reference=%3Cb%3E&screen=x&zoom=-3&image=7&view=__proto__"
    )
    assert page.locator("h1").inner_text().startswith("The model says log truck")


def test_numbers_in_a_fragment_stay_in_their_range(open_page, address):
    page = open_page(f"{address}#zoom=1e9&x=1e9&y=-1e9&opacity=99&margin=9")
    state = page.evaluate("seewhyExplorer.store.state")
    assert (state["zoom"], state["opacity"], state["margin"]) == (16, 1, 0.5)
    frame, image = (page.locator(f".panel {each}").first.bounding_box() for each in (".frame", "canvas"))
    assert image["x"] <= frame["x"]  # the image covers its frame
    assert image["x"] + image["width"] >= frame["x"] + frame["width"] - 1


def test_the_back_button_returns_to_the_screen_before(open_page, address):
    page = open_page(address)
    for name in ("Compare", "A or B"):
        page.get_by_role("tab", name=name).click()
    page.go_back()
    page.wait_for_selector("[data-screen=compare]")
    page.go_back()
    page.wait_for_selector("[data-screen=explain]")


def test_the_way_to_the_flip_can_be_interrupted(open_page, address):
    page = open_page(address)
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)  # from here on, time passes when the test says so
    flip = page.get_by_role("button", name="Remove until the decision flips")
    goal, where = int(flip.get_attribute("data-count")), "seewhyExplorer.store.state.count"
    flip.click()
    page.clock.run_for(350)
    on_its_way = page.evaluate(where)
    assert 0 < on_its_way < goal
    page.get_by_role("button", name="blur", exact=True).click()
    page.clock.run_for(1000)
    assert page.evaluate(where) == on_its_way
    page.get_by_role("button", name="black", exact=True).click()
    flip.click()
    page.clock.run_for(1000)
    assert page.evaluate(where) == goal


def test_the_curve_can_be_dragged_and_the_keyboard_moves_it(open_page, address, bundle):
    page = open_page(address)
    box = page.locator(".chart svg").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 80)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 80, steps=5)
    page.mouse.up()
    assert page.evaluate("seewhyExplorer.store.state.count") == bundle.counts["deletion"][-1]
    slider = page.locator("[data-name=scrub]")
    for key, count in (("Home", 0), ("PageUp", bundle.counts["deletion"][1]), ("End", 224 * 224), ("ArrowLeft", 49674)):
        slider.press(key)
        assert page.evaluate("seewhyExplorer.store.state.count") == count


def test_code_can_be_copied(open_page, address):
    page = open_page(address)
    page.get_by_role("button", name="Copy code").click()
    page.get_by_role("button", name="Copied").wait_for()


def test_one_zoom_and_one_scrub_for_all_methods(open_page, address, bundle):
    page = open_page(f"{address}#screen=compare&show=image")
    page.get_by_role("button", name="Zoom in").click()
    transforms = page.locator(".method .layers").evaluate_all("all => all.map(each => each.style.transform)")
    assert len(transforms) == len(bundle.entries)
    assert len(set(transforms)) == 1
    assert "scale(1.5)" in transforms[0]
    count = bundle.counts["deletion"][3]
    scrub_to(page, count)
    for number, entry in enumerate(bundle.entries):
        pixels = read_canvas(page, number=number)[..., :3]
        expected = np.where((entry.ranks[0] < count)[..., None], 0, bundle.image.transpose(1, 2, 0))
        np.testing.assert_array_equal(pixels, expected)


def test_the_table_sorts_by_any_column(open_page, address):
    page = open_page(f"{address}#screen=compare")
    for metric in ("deletion", "insertion"):
        heads = page.locator("thead th").all_inner_texts()
        column = next(i for i, head in enumerate(heads) if head.startswith(metric) and "−" not in head)
        page.locator("thead th").nth(column).get_by_role("button").click()
        values = [float(text) for text in page.locator(f"tbody tr > :nth-child({column + 1})").all_inner_texts()]
        assert values == sorted(values, reverse=metric == "insertion")
    for backwards in (False, True):
        page.get_by_role("columnheader", name="method").get_by_role("button").click()
        names = page.locator("tbody th").all_inner_texts()
        assert names == sorted(names, reverse=backwards)


@pytest.mark.parametrize("screen", ["explain", "compare", "contrast"])
def test_no_screen_is_wider_than_a_phone(open_page, address, screen):
    page = open_page(f"{address}#screen={screen}", width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_hostile_names_are_shown_and_do_nothing(open_page, bundle, tmp_path):
    evil = dataclasses.replace(bundle, name=HOSTILE, class_names=dict.fromkeys(bundle.class_names, HOSTILE))
    page = open_page(write_html(evil, tmp_path / "evil.html").as_uri())
    assert HOSTILE in page.locator("h1").inner_text()
    assert page.title() == "seewhy explorer"


def test_a_damaged_file_says_so(browser, address, tmp_path):
    whole = Path(url2pathname(urlsplit(address).path)).read_text()
    data = whole.index("data-bundle>") + 1000
    damaged = {
        "part.html": whole[:data],
        "data.html": whole[:data] + "x" + whole[data + 1 :],
    }
    page = browser.new_page()
    for name, text in damaged.items():
        (tmp_path / name).write_text(text)
        page.goto((tmp_path / name).as_uri())
        page.wait_for_selector("text=copy or write it again")
    page.wait_for_selector("text=This file cannot be read")
    page.goto(address)
    page.wait_for_selector(".screen")
    assert page.locator("text=Reading the images").count() == 0
    page.close()


def test_several_images_share_one_file(open_page, bundle, tmp_path):
    other = dataclasses.replace(bundle, name="second", image=255 - bundle.image)
    page = open_page(write_html([bundle, other], tmp_path / "two.html").as_uri())
    page.locator(".strip button").nth(1).click()
    np.testing.assert_array_equal(read_canvas(page)[..., :3], other.image.transpose(1, 2, 0))


def test_a_notebook_shows_it_in_a_frame(open_page, bundle, tmp_path):
    host = tmp_path / "notebook.html"
    host.write_text(f"<!doctype html><meta charset=utf-8><title>notebook</title>{notebook_html(bundle)}")
    page = open_page(host.as_uri(), selector="iframe")
    frame = page.frame_locator("iframe")
    frame.locator("[data-name=scrub]").fill("5018")
    frame.locator("text=5,018 pixels removed").wait_for()
    page.wait_for_timeout(300)  # the fragment is written after a pause, which a frame may refuse


def test_it_works_under_a_path_of_a_server(browser, bundle, tmp_path):
    folder = tmp_path / "reports" / "run 1"
    write_html(bundle, folder / "explorer.html")
    handler = functools.partial(QuietHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page, requests = browser.new_page(), []
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"http://127.0.0.1:{server.server_port}/reports/run%201/explorer.html#count=5018")
        page.wait_for_selector("text=5,018 pixels removed")
        page.close()
        server.shutdown()
    assert len(requests) == 1


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing."""
