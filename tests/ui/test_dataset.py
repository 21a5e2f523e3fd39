"""The data set: labels, sorting and filtering by what is known, map stores, several models, what outlives a page."""

import csv
import io
import os
import shutil
import time
from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image

import seewhy
from page_server import ID, MODEL, OTHER, as_image, running_page
from seewhy.data.items import ImageItem
from seewhy.errors import InputError
from seewhy.ui.disagreement import disagreement
from seewhy.ui.labels import folder_labels
from seewhy.ui.lane import model_id
from seewhy.ui.results import MethodChoice
from seewhy.ui.settings import ModelSpec
from seewhy.ui.stored import PageStore
from seewhy.zoo.scenes import Scenes


def wait_for_predictions(page, path="dataset"):
    end = time.monotonic() + 400
    while (facts := page.get(path))["predicted"] < facts["images"]:
        assert time.monotonic() < end, facts
        time.sleep(0.2)


@pytest.fixture(scope="module")
def items(page):
    """All images, once the model has seen them."""
    wait_for_predictions(page)
    pages = [page.get(f"dataset/images?limit=1000&offset={offset}")["items"] for offset in (0, 1000, 2000)]
    return [item for part in pages for item in part]


def test_predictions_are_those_of_python(items, folder, model):
    found = {item["name"]: item for item in items}
    for name in ("ANT/0000.png", "BEE/0001.png"):
        expected = seewhy.explain(model, folder / name, "center").probabilities[0]
        assert found[name]["prediction"] == int(expected.argmax())
        assert found[name]["confidence"] == pytest.approx(float(expected.max()), abs=1e-6)
        assert found[name]["label"] == int(name[-5])
    assert found["broken.png"]["prediction"] is None
    assert found["broken.png"]["label"] is None


@pytest.mark.parametrize(
    ("query", "keep"),
    [
        ("label=3", lambda item: item["label"] == 3),
        ("prediction=2", lambda item: item["prediction"] == 2),
        ("wrong=true", lambda item: item["wrong"]),
        ("min_confidence=0.3&max_confidence=0.35", lambda item: 0.3 <= (item["confidence"] or 0) <= 0.35),
        ("q=ant+01", lambda item: "ant" in item["name"].lower() and "01" in item["name"]),
        ("label=1&wrong=true&q=7", lambda item: item["label"] == 1 and item["wrong"] and "7" in item["name"]),
    ],
)
def test_filters(page, items, query, keep):
    expected = [item["id"] for item in items if keep(item)]
    found = page.get(f"dataset/images?limit=1000&{query}")
    assert found["total"] == len(expected)
    assert [item["id"] for item in found["items"]] == expected[:1000]


@pytest.mark.parametrize("field", ["confidence", "prediction", "label", "name"])
@pytest.mark.parametrize("minus", ["", "-"])
def test_sorting_puts_unknown_values_last(page, items, field, minus):
    found = page.get(f"dataset/images?limit=1000&offset=1002&sort={minus}{field}")["items"]
    values = [item[field] for item in found if item[field] is not None]
    assert values == sorted(values, reverse=bool(minus))
    if field != "name":
        assert found[-1]["name"] == "broken.png" or found[-1][field] is None
    assert len(found) == len(items) - 1002


def test_the_table_lists_what_matches_and_no_formula(page, items):
    content = page.get("dataset/table?label=1&sort=-confidence", raw=True).decode()
    rows = list(csv.DictReader(io.StringIO(content)))
    expected = page.get("dataset/images?limit=1000&label=1&sort=-confidence")["items"]
    assert [row["name"] for row in rows] == [item["name"] for item in expected]
    assert {row["label"] for row in rows} == {"bee"}
    assert [float(row["confidence"]) for row in rows] == [item["confidence"] for item in expected]
    assert items


def test_the_confusion_matrix_counts_every_labeled_image(page, items):
    found = page.get("dataset/confusion")
    assert sum(cell["count"] for cell in found["cells"]) == 2000
    for cell in found["cells"]:
        query = f"label={cell['label']}&prediction={cell['prediction']}"
        assert page.get(f"dataset/images?limit=1&{query}")["total"] == cell["count"]
    assert {each["name"] for each in found["classes"]} <= {"ant", "bee", "cat", "dog", "elk"}
    assert items


def test_labels_are_names_synonyms_and_indices():
    names = ["tabby, tabby cat", "tiger cat", "crane", "crane"]
    paths = ["Tabby_Cat/1.png", "a/tiger cat/2.png", "crane/3.png", "3/4.png", "other/5.png", "6.png"]
    found = folder_labels([ImageItem(path, path) for path in paths], names)
    assert found.tolist() == [0, 1, -1, 3, -1, -1]  # two classes are called crane


@pytest.fixture(scope="module")
def stored(model, tmp_path_factory):
    """Four images and a map store of them, by two methods of which one has an option."""
    root = tmp_path_factory.mktemp("stored")
    for number, scene in enumerate(Scenes("test", 4)):
        path = root / "images" / model.class_names[number] / f"{number}.png"
        path.parent.mkdir(parents=True)
        as_image(scene.image).resize((64, 64)).save(path)
    methods = [("grad_cam_attention", {}), ("caap", {"blocks": [1, 2]})]
    seewhy.explain_dataset(model, root / "images", methods, store=root / "maps")
    return root


@pytest.fixture(scope="module")
def store_page(stored):
    """A page with nothing but the store."""
    with running_page(store=stored / "maps", models=(MODEL, OTHER)) as running:
        yield running


def test_a_store_alone_is_browsed(store_page, stored, model):
    facts = store_page.get("dataset")
    assert (facts["images"], facts["predicted"], facts["labeled"], facts["stored"]) == (4, 4, 4, True)
    assert [each["label"] for each in facts["methods"]] == ["caap(blocks=[1, 2])", "grad_cam_attention"]
    items = store_page.get("dataset/images?sort=-disagreement")["items"]
    for item in items:
        explained = [
            seewhy.explain(model, stored / "images" / item["name"], method, **options).maps[0, 0]
            for method, options in (("grad_cam_attention", {}), ("caap", {"blocks": [1, 2]}))
        ]
        assert item["disagreement"] == pytest.approx(disagreement([map.flatten().numpy() for map in explained]))
        assert item["stored_targets"] == [item["prediction"]]
    assert [item["disagreement"] for item in items] == sorted((item["disagreement"] for item in items), reverse=True)


def test_a_stored_map_is_opened_and_scored_not_computed(store_page, stored, model):
    item = store_page.get("dataset/images")["items"][2]
    changed = np.random.default_rng(0).normal(size=(8, 8)).astype("float32")
    store = store_page.page.dataset.store
    original, store.find = store.find, lambda *args: replace(original(*args), maps=changed[None])  # as if it held this
    method = {"name": "caap", "options": {"blocks": [1, 2]}}
    job = store_page.explain(item, method, targets=item["stored_targets"], baselines=False)
    result = store_page.page.results.get(store_page.wait(job)["result"])
    np.testing.assert_allclose(store_page.page.results.bundle(result).entries[0].maps[0], changed)
    job = {"kind": "dataset", "model": ID, "method": method, "images": [item["id"]]}
    assert store_page.wait(store_page.post("jobs", job))["state"] == "done"
    del store.find
    (found,) = store_page.get("dataset/images?sort=ins_del&q=2.png")["items"]
    explanation = seewhy.explain(model, stored / "images" / item["name"], "center", item["stored_targets"])
    explanation = replace(explanation, maps=torch.from_numpy(changed)[None, None])
    expected = seewhy.evaluate(model, explanation, metrics=["ins_del"]).mean("center", "ins_del")
    assert found["ins_del"] == pytest.approx(expected, abs=1e-6)


def test_other_classes_than_the_stored_ones_are_computed(store_page):
    facts, item = store_page.page.models[ID], store_page.get("dataset/images")["items"][0]
    find, method = store_page.page.dataset.stored, MethodChoice("caap", {"blocks": [1, 2]})
    assert find(facts, item["id"], method).targets == (item["prediction"],)
    assert find(facts, item["id"], method, (0, 1)) is None
    assert find(facts, item["id"], MethodChoice("caap")) is None  # other options
    assert find(facts, "ffff", method) is None


def test_another_model_has_columns_of_its_own(store_page, stored):
    id = model_id(OTHER)
    wait_for_predictions(store_page, f"dataset?model={id}")
    other = seewhy.load_model(OTHER)
    for item in store_page.get(f"dataset/images?model={id}")["items"]:
        expected = seewhy.explain(other, stored / "images" / item["name"], "center").probabilities[0]
        assert item["prediction"] == int(expected.argmax())
        assert item["confidence"] == pytest.approx(float(expected.max()), abs=1e-6)
        assert item["disagreement"] is None  # the store holds maps of the first model only
    job = {"kind": "dataset", "model": id, "method": {"name": "center"}, "limit": 1}
    assert store_page.wait(store_page.post("jobs", job))["state"] == "done"
    assert [each["label"] for each in store_page.get(f"dataset?model={id}")["methods"]] == ["center"]
    assert len(store_page.get(f"dataset?model={ID}")["methods"]) == 2
    assert sum(cell["count"] for cell in store_page.get(f"dataset/confusion?model={id}")["cells"]) == 4


def test_images_of_a_store_that_cannot_be_found(stored, model, tmp_path):
    moved = tmp_path / "moved"
    shutil.copytree(stored / "images", tmp_path / "gone")
    seewhy.explain_dataset(model, tmp_path / "gone", "center", store=tmp_path / "maps")
    (tmp_path / "gone").rename(moved)
    os.utime(moved / "ant" / "0.png", (0, 0))  # found by its content, since its time is another one
    with pytest.raises(InputError, match=r"none of its 4 images .*Give the folder of the images with --folder"):
        PageStore(tmp_path / "maps").items()
    with running_page(store=tmp_path / "maps", folder=moved) as page:
        assert [item["stored_targets"] is not None for item in page.get("dataset/images")["items"]] == [True] * 4
    other = running_page(store=tmp_path / "maps", folder=moved, models=(OTHER,))
    with pytest.raises(InputError, match=r"it holds maps by tiny-vit, but none by .* as loaded here"), other:
        pass


def test_a_store_of_subfolders_belongs_to_the_images_of_the_folder(stored, model, tmp_path, monkeypatch):
    monkeypatch.chdir(stored)  # the store calls an image images/ant/0.png, the page ant/0.png
    seewhy.explain_dataset(model, ["images/ant/0.png", "images/bee/1.png"], "center", store=tmp_path / "maps")
    shutil.copytree(stored / "images", tmp_path / "copies")  # other times: known by their content
    for folder in (stored / "images", tmp_path / "copies"):
        with running_page(store=tmp_path / "maps", folder=folder) as page:
            found = {item["name"]: item["stored_targets"] for item in page.get("dataset/images")["items"]}
            assert [name for name, targets in found.items() if targets] == ["ant/0.png", "bee/1.png"]


def test_why_a_store_does_not_belong_to_the_page(stored, tmp_path):
    as_image(Scenes("test", 9)[8].image).save(tmp_path / "0.png")  # another image of that name
    with (
        pytest.raises(InputError, match=r"none of its 4 images, for example ant/0.png, is one of this page"),
        running_page(store=stored / "maps", folder=tmp_path),
    ):
        pass
    named = ModelSpec(MODEL, {"class_names": ["a", "b", "c", "d", "e"]})
    with (
        pytest.raises(InputError, match=r"it holds maps by tiny-vit, but none by .*class names .*that it had"),
        running_page(store=stored / "maps", folder=stored / "images", models=(named,)),
    ):
        pass


def test_predictions_and_thumbnails_outlive_the_page(stored, tmp_path):
    settings = {"folder": stored / "images", "cache": tmp_path}
    with running_page(**settings) as page:
        wait_for_predictions(page)
        before = page.get("dataset/images")["items"]
        for item in before:
            page.get(f"images/{item['id']}/thumbnail", raw=True)
        page.upload(Image.new("RGB", (64, 64), "red"))
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "thumbnails").iterdir()}
    assert len(made) == 4  # not the upload's
    (tmp_path / "thumbnails" / before[0]["id"]).unlink()  # by another page
    with running_page(**settings) as page:
        page.page.queue.idle = None
        assert page.get("dataset/images")["items"] == before
        for item in before:
            page.get(f"images/{item['id']}/thumbnail", raw=True)
    again = {path: path.stat().st_mtime_ns for path in (tmp_path / "thumbnails").iterdir()}
    assert sorted(made) == sorted(again)
    assert sum(made[path] == again[path] for path in made) == 3


def test_the_page_names_its_data_set(page, folder):
    facts = page.get("dataset")
    assert (facts["name"], facts["images"], facts["labeled"], facts["model"]) == (folder.name, 2002, 2000, ID)


def test_names_that_are_not_unicode_are_listed(scene_image, tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    scene_image.save(folder / "good.png")
    (folder / os.fsdecode(b"bad\xff.png")).write_bytes((folder / "good.png").read_bytes())
    (folder / "broken.png").write_text("no image")
    with running_page(folder=folder) as page:
        wait_for_predictions(page)
        found = {item["name"]: item["unreadable"] for item in page.get("dataset/images")["items"]}
        assert found == {"bad?.png": False, "broken.png": True, "good.png": False}


def test_a_page_for_other_machines_answers_under_their_addresses(tmp_path):
    with running_page(host="0.0.0.0", token="secret", cache=tmp_path) as page:
        allowed = {"Host": "192.0.2.2", "Authorization": "Bearer secret"}
        assert page.request("api/v1/models", headers=allowed)[0] == 200
        status, answer = page.request("api/v1/models", headers=allowed | {"Host": "evil.example"})
        assert (status, "--allow-host" in answer["error"]["message"]) == (421, True)
        assert page.request("api/v1/models", headers={"Host": "192.0.2.2"})[0] == 401
