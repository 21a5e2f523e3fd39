"""What the page answers is what Python answers for the same question."""

import base64
import io
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

import seewhy
from page_server import ID, MODEL
from seewhy.explorer.bundle import Bundle
from seewhy.metrics.references import REFERENCES
from seewhy.ui import functions
from seewhy.ui.lane import Lane, Source
from seewhy.ui.settings import ModelSpec

PATCHES = [18, 19, 26, 27]


def close(found, expected):
    np.testing.assert_allclose(found, expected, atol=1e-6, rtol=0)


def by_class(side):
    return [(each["index"], each["probability"]) for each in side["classes"]]


def test_predictions(page, image, model, image_file):
    found = page.get(f"images/{image['id']}/prediction?model={ID}&top=5")
    explanation = seewhy.explain(model, image_file, "center")
    indices, values = zip(*by_class(found), strict=True)
    close(values, explanation.probabilities[0, list(indices)])
    assert found["prediction"] == int(explanation.targets[0, 0])


@pytest.mark.parametrize(
    ("kind", "reference"), [("delete", "blur"), ("delete", "black"), ("insert", "model_mean"), ("insert", "blur")]
)
def test_deleted_and_inserted_patches(page, image, model, image_file, kind, reference):
    question = {"model": ID, "image": image["id"], "kind": kind, "patches": PATCHES, "reference": reference}
    answer = page.post("ask", {**question, "classes": [3, 1], "top": 2})
    expected = seewhy.cover(model, image_file, patches=PATCHES, reference=reference, inverse=kind == "insert")
    for side, values in ((answer["before"], expected.before), (answer["after"], expected.after)):
        assert [index for index, _ in by_class(side)][:2] == [3, 1]
        for index, probability in by_class(side):
            close(probability, values[index])
        assert side["prediction"] == int(values.argmax())
    assert answer["flipped"] == expected.flipped
    close(answer["share"], len(PATCHES) / 64)


@pytest.mark.parametrize("options", [{}, {"blocks": [0, 1], "reference": "black"}, {"after": "reference"}])
def test_patched_activations(page, image, model, image_file, options):
    question = {"model": ID, "image": image["id"], "kind": "patch", "patches": PATCHES, **options}
    answer = page.post("ask", question)
    expected = seewhy.patch_activations(model, image_file, PATCHES, **options)
    for index, probability in by_class(answer["after"]):
        close(probability, expected.after[index])


@pytest.mark.parametrize("kind", ["delete", "patch"])
def test_the_copied_code_gives_the_same_answer(page, image, image_file, kind, monkeypatch, capsys):
    monkeypatch.chdir(image_file.parent)
    answer = page.post("ask", {"model": ID, "image": image["id"], "kind": kind, "patches": PATCHES})
    scope = {}
    exec(answer["code"], scope)
    for index, probability in by_class(answer["after"]):
        close(probability, scope["answer"].after[index])
    assert "of what the model sees" in capsys.readouterr().out


def test_the_program_in_the_documentation_runs(page, image_file, monkeypatch, capsys):
    text = (Path(__file__).parents[2] / "docs" / "page-api.md").read_text()
    (code,) = re.findall(r"^```py\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    assert code.count("http://127.0.0.1:8765/") == code.count('"cat.png"') == 1
    monkeypatch.chdir(image_file.parent)
    code = code.replace("http://127.0.0.1:8765/", page.address).replace('"cat.png"', repr(image_file.name))
    exec(compile(code, "page-api.md", "exec"), {})
    assert "'method': 'grad_cam'" in capsys.readouterr().out


def test_the_copied_code_names_the_subfolder_of_an_image(page, folder, monkeypatch):
    item = page.get("dataset/images?q=0001.png")["items"][0]
    assert item["name"] == "BEE/0001.png"
    answer = page.post("ask", {"model": ID, "image": item["id"], "kind": "delete", "patches": PATCHES})
    monkeypatch.chdir(folder)
    scope = {}
    exec(answer["code"], scope)
    for index, probability in by_class(answer["after"]):
        close(probability, scope["answer"].after[index])


def test_maps_and_curves(page, result, model, image_file):
    assert [entry["method"] for entry in result["entries"]] == ["grad_cam_attention", "caap"]
    assert result["complete"]
    content = page.get(f"results/{result['id']}/maps?entry=1", raw=True)
    expected = seewhy.explain(model, image_file, "caap", result["targets"], blocks=[1, 2])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(image_file.parent)
    loaded = seewhy.Explanation.load(image_file.parent / "explanation.safetensors")
    torch.testing.assert_close(loaded.maps, expected.maps)
    stored = page.page.results.bundle(page.page.results.get(result["id"]))
    bundle = seewhy.explorer.make_bundle(model, expected)
    close(stored.entries[1].probabilities, bundle.entries[0].probabilities)
    assert stored.watched == bundle.watched


def test_the_page_and_the_file_get_the_same_bundle(page, result):
    packed = page.get(f"results/{result['id']}/bundle", raw=True)
    assert packed[:2] == b"\x1f\x8b"  # gzip
    html = page.get(f"results/{result['id']}/html", raw=True).decode()
    assert html.startswith("<!doctype html>")
    assert html.count("data-bundle>") == 1
    key = page.page.results.get(result["id"]).keys[0]
    assert len(Bundle.from_bytes(page.page.results.path(key, "bundle").read_bytes()).entries) == 1


@pytest.mark.parametrize("direction", ["deletion", "insertion"])
def test_measured_points(page, result, model, image_file, direction):
    question = {"result": result["id"], "entry": 1, "target": result["targets"][1], "count": 1_234}
    found = page.post("measure", {**question, "direction": direction, "reference": "blur"})
    explanation = seewhy.explain(model, image_file, "caap", result["targets"], blocks=[1, 2])
    bundle = page.page.results.bundle(page.page.results.get(result["id"]))
    top = torch.from_numpy(bundle.entries[1].ranks[1].astype(np.int64)) < 1_234
    blur = REFERENCES["blur"].deletion.make(explanation.images, model.mean, model.std)
    kept = ~top if direction == "deletion" else top
    expected = model.probabilities(torch.where(kept, explanation.images, blur))[0]
    close(found["probabilities"], expected[list(bundle.watched)])
    assert found["top1"] == int(expected.argmax())


def test_the_next_patch_is_the_highest_of_the_map(page, result, model, image_file):
    values = seewhy.explain(model, image_file, "caap", result["targets"], blocks=[1, 2]).maps[0, 0].flatten()
    first, second = values.argsort(descending=True)[:2].tolist()
    ask = {"result": result["id"], "entry": 1, "target": result["targets"][0]}
    assert page.post("suggest", {**ask, "patches": []})["patch"] == first
    found = page.post("suggest", {**ask, "patches": [first]})
    assert (found["patch"], found["left"]) == (second, 63)
    close(found["value"], float(values[second]))
    assert page.post("suggest", {**ask, "patches": list(range(64))})["patch"] is None


def test_flips(page, image, result, model, image_file):
    job = page.post("jobs", {"kind": "flip", "result": result["id"], "entry": 1, "reference": "black"})
    answer = page.wait(job)["answer"]
    explanation = seewhy.explain(model, image_file, "caap", result["targets"], blocks=[1, 2])
    expected = explanation.flip(references=("black",))[0]
    assert (answer["deletion"] or {}).get("share") == expected.deletion
    assert (answer["insertion"] or {}).get("share") == expected.insertion
    if answer["deletion"]:
        assert model.class_names[answer["deletion"]["becomes"]] == expected.becomes
    greedy = {"kind": "flip", "search": "greedy", "model": ID, "image": image["id"], "reference": "black"}
    answer = page.wait(page.post("jobs", greedy))["answer"]
    smallest = seewhy.smallest_flip(model, image_file, reference="black")
    assert tuple(answer["patches"]) == smallest.patches
    assert (answer["found"], answer["becomes"], answer["forwards"]) == (True, smallest.becomes, smallest.forwards)
    close(answer["probabilities"]["after"], float(smallest.after[smallest.decision]))


def test_the_search_for_the_fewest_patches_tells_how_far_it_is(image_file):
    lane, shares = Lane([ModelSpec(MODEL)]), []
    lane.models[ID].chunk = 8  # the 64 patches in 8 parts
    source = Source("0", "scene.png", image_file)
    found = functions.smallest_flip(
        lane, model=ID, image=source, reference="black", note=lambda stage, share: shares.append((stage, share))
    )
    first = [share for stage, share in shares if stage == "trying every patch alone"]
    assert first == [functions.ALONE * part / 8 for part in range(8)]
    assert shares[len(first)][1] == functions.ALONE
    assert [share for _, share in shares] == sorted(share for _, share in shares)
    assert len(shares) >= len(first) + len(found["patches"])


def test_kserve(page, model, image_file):
    encoded = base64.b64encode(image_file.read_bytes()).decode()
    assert page.request("v1/models")[1] == {"models": [ID]}
    assert page.request(f"v1/models/{ID}")[1] == {"name": ID, "ready": True}
    body = {"instances": [{"image": {"b64": encoded}, "targets": [2, model.class_names[4]]}]}
    status, found = page.request(f"v1/models/{ID}:explain", {**body, "parameters": {"method": "grad_cam_attention"}})
    assert status == 200, found
    (explained,) = found["explanations"]
    expected = seewhy.explain(model, image_file, "grad_cam_attention", [2, 4])
    assert explained["targets"] == [2, 4]
    assert explained["shape"] == [2, 8, 8]
    close(explained["maps"], expected.maps[0])
    close(explained["probabilities"], expected.probabilities[0, [2, 4]])
    _, found = page.request(f"v1/models/{ID}:predict", {"instances": [{"image": {"b64": encoded}}]})
    (predicted,) = found["predictions"]
    close(predicted["probabilities"], expected.probabilities[0])
