"""The data set: labels from folders, sorting and filtering by what is known, disagreement of stored maps."""

import time

import numpy as np
import pytest
from PIL import Image

import seewhy
from page_server import ID
from seewhy.data.items import ImageItem
from seewhy.errors import InputError
from seewhy.ui.disagreement import disagreement
from seewhy.ui.labels import folder_labels
from seewhy.ui.stored import stored_maps


@pytest.fixture(scope="module")
def items(page):
    """All images, once the model has seen them."""
    end = time.monotonic() + 400
    while (facts := page.get("dataset"))["predicted"] < facts["images"]:
        assert time.monotonic() < end, facts
        time.sleep(0.2)
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


def test_maps_of_a_store(tiny_vit, tmp_path):
    (tmp_path / "images").mkdir()
    for number in range(3):
        Image.effect_noise((40, 40), 50 + number).convert("RGB").save(tmp_path / "images" / f"{number}.png")
    seewhy.explain_dataset(tiny_vit, tmp_path / "images", ["center", "raw_attention"], store=tmp_path / "store")
    numbers = {f"{number}.png": number for number in range(2)}  # one image is not on the page
    found = list(stored_maps(tmp_path / "store", tiny_vit.fingerprint, numbers, (4, 4)))
    assert sorted((method, number) for method, number, _ in found) == [
        (method, number) for method in ("center", "raw_attention") for number in (0, 1)
    ]
    by_key = {(method, number): map for method, number, map in found}
    expected = seewhy.explain(tiny_vit, tmp_path / "images" / "1.png", "raw_attention").maps[0, 0]
    np.testing.assert_allclose(by_key["raw_attention", 1], expected.flatten(), rtol=1e-5, atol=1e-6)
    assert 0 < disagreement([by_key["center", 1], by_key["raw_attention", 1]]) < 2
    with pytest.raises(InputError, match="no maps of the page's first model"):
        list(stored_maps(tmp_path / "store", "another model", numbers, (4, 4)))


def test_the_page_names_its_data_set(page, folder):
    facts = page.get("dataset")
    assert (facts["name"], facts["images"], facts["labeled"], facts["model"]) == (folder.name, 2002, 2000, ID)
