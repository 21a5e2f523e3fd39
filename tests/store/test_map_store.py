"""What a store gives back is what `explain` computes, whatever the source, the batch and the way it is read."""

import io
import json
import tarfile

import numpy as np
import pyarrow.compute as pc
import pytest
import torch
from PIL import Image

import seewhy
from seewhy.data import open_dataset
from seewhy.errors import InputError, OptionError
from seewhy.store import MapStore
from seewhy.store.index import shard_names
from tiny_bench import VIT, write_images

N = 5


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return seewhy.load_model("timm/test_vit", weights="random", **VIT)


@pytest.fixture
def folder(tmp_path):
    return write_images(tmp_path / "photos", N)


@pytest.fixture
def store(model, folder, tmp_path):
    return seewhy.explain_dataset(model, folder, ["gradient", "rollout"], store=tmp_path / "maps")


def test_the_maps_are_those_of_explain(model, folder, store):
    assert (len(store), store.methods, len(store.images)) == (2 * N, ["gradient", "rollout"], N)
    for method in store.methods:
        expected = seewhy.explain(model, sorted(folder.rglob("*.png")), method)
        found = store.explanation(store.images, method=method)
        torch.testing.assert_close(found.maps, expected.maps, rtol=1e-5, atol=1e-6)
        assert torch.equal(found.targets, expected.targets)
        assert found.fingerprint == model.fingerprint


def test_rows_say_what_was_explained(model, folder, store):
    row = store.filter(image="class0/000.png", method="gradient").index.to_pylist()[0]
    expected = seewhy.explain(model, folder / "class0/000.png", "gradient")
    target = int(expected.targets[0, 0])
    assert (row["target"], row["predicted"], row["classes"]) == (target, target, [target])
    assert row["probability"] == pytest.approx(float(expected.probabilities[0, target]), rel=1e-5)
    assert (row["forwards"], row["backwards"]) == (1, 1)
    assert (row["source"], row["error"], row["failed_checks"]) == (str(folder), None, "")


@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_maps_do_not_depend_on_the_batch(model, folder, store, tmp_path, batch_size):
    other = seewhy.explain_dataset(model, folder, "rollout", store=tmp_path / "other", batch_size=batch_size)
    expected = store.explanation(other.images, method="rollout")
    torch.testing.assert_close(other.explanation().maps, expected.maps, rtol=1e-5, atol=1e-6)


def test_reading_by_key_filter_and_batch(store):
    keys = store.index["key"].to_pylist()
    assert len(set(keys)) == len(keys)
    one = store[keys[3]]
    assert one.rows[0]["key"] == keys[3]
    part = store.filter(pc.field("confidence") > 0, method="rollout")
    batches = list(part.batches(2))
    assert [len(each.maps) for each in batches] == [2, 2, 1]
    everything = torch.cat([each.maps for each in batches])
    assert torch.equal(everything, part.read(range(N)).maps)
    assert torch.equal(part.read([4, 0]).maps, everything[[4, 0]])


def test_an_ambiguous_or_unknown_request_says_what_to_do(store):
    with pytest.raises(OptionError, match="pass method= one of 'gradient' or 'rollout'"):
        store.explanation("class0/000.png")
    with pytest.raises(InputError, match="no map with the key 'nothing'"):
        store["nothing"]
    with pytest.raises(OptionError, match="no column 'metod'"):
        store.filter(metod="gradient")
    with pytest.raises(InputError, match="no such map of nothing"):
        store.explanation("nothing.png", method="gradient")


def test_float16_keeps_the_shape_of_maps_of_any_scale(model, folder, tmp_path, store):
    half = seewhy.explain_dataset(model, folder, "gradient", store=tmp_path / "half", precision="float16")
    expected = store.explanation(half.images, method="gradient").maps
    largest = expected.abs().amax((-2, -1), keepdim=True)
    assert ((half.explanation().maps - expected).abs() <= largest * 2**-11).all()


def test_several_classes_and_labels(model, folder, tmp_path):
    store = seewhy.explain_dataset(model, folder, "gradient", store=tmp_path / "maps", targets=[3, 1])
    assert store.explanation("class0/000.png").targets.tolist() == [[3, 1]]
    assert len(store.filter(target=3)) == N
    labeled = open_dataset("imagenet", path=folder)
    store = seewhy.explain_dataset(model, labeled, "gradient", store=tmp_path / "labels", targets="label")
    assert store.index["target"].to_pylist() == store.index["label"].to_pylist()


def write_tar(folder, path):
    with tarfile.open(path, "w") as tar:
        for number, file in enumerate(sorted(folder.rglob("*.png"))):
            for name, content in (
                (f"{number:04d}.png", file.read_bytes()),
                (f"{number:04d}.cls", b"%d" % (number % 2)),
            ):
                info = tarfile.TarInfo(name)
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return path


def sources(folder, tmp_path):
    files = sorted(folder.rglob("*.png"))
    images = [Image.open(file).convert("RGB") for file in files]
    coco = {"images": [{"file_name": str(f.relative_to(folder)), "id": n} for n, f in enumerate(files)]}
    coco |= {"annotations": [], "categories": []}
    (tmp_path / "instances.json").write_text(json.dumps(coco))
    (tmp_path / "index.jsonl").write_text(
        "".join(json.dumps({"file": f"photos/{f.relative_to(folder)}"}) + "\n" for f in files)
    )
    (tmp_path / "labels.csv").write_text(
        "file,label\n" + "".join(f"photos/{f.relative_to(folder)},{n}\n" for n, f in enumerate(files))
    )
    return {
        "folder": folder,
        "csv": tmp_path / "labels.csv",
        "paths": [str(file) for file in files],
        "tar": str(write_tar(folder, tmp_path / "photos.tar")),
        "index": open_dataset("index", path=tmp_path),
        "coco": f"coco:images={folder},annotations={tmp_path / 'instances.json'}",
        "dicts": Dicts(images),
        "images": images,
    }


class Dicts:
    """As a data set of Hugging Face gives its examples."""

    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return {"image": self.images[index], "label": index}


@pytest.mark.parametrize("kind", ["folder", "csv", "paths", "tar", "index", "coco", "dicts", "images"])
def test_every_source_gives_the_same_maps(model, folder, store, tmp_path, kind):
    found = seewhy.explain_dataset(model, sources(folder, tmp_path)[kind], "rollout", store=tmp_path / kind)
    expected = store.explanation(store.images, method="rollout").maps
    torch.testing.assert_close(found.explanation().maps, expected, rtol=1e-5, atol=1e-6)
    labels = found.index["label"].to_pylist()
    assert labels == {"tar": [0, 1, 0, 1, 0], "dicts": [0, 1, 2, 3, 4], "csv": [0, 1, 2, 3, 4]}.get(kind, [None] * N)


def test_scenes_by_name(model, tmp_path):
    store = seewhy.explain_dataset(model, "scenes:size=3", "rollout", store=tmp_path / "maps")
    scenes = [scene.image for scene in (seewhy.Scenes("test", 3)[i] for i in range(3))]
    torch.testing.assert_close(store.explanation().maps, seewhy.explain(model, scenes, "rollout").maps)


def test_readers_in_other_processes(model, folder, store, tmp_path):
    other = seewhy.explain_dataset(model, folder, "rollout", store=tmp_path / "other", readers=1)
    assert torch.equal(other.explanation().maps, store.explanation(other.images, method="rollout").maps)


def test_a_second_run_computes_only_what_is_missing(model, folder, store, monkeypatch):
    calls = count_forwards(model, monkeypatch)
    again = seewhy.explain_dataset(model, folder, ["gradient", "rollout"], store=store.folder)
    assert (len(again), calls) == (2 * N, [])
    more = seewhy.explain_dataset(model, folder, {"gradient": {}, "smooth_grad": {"samples": 2}}, store=store.folder)
    assert len(more) == 3 * N
    assert sum(calls) == 3 * N  # prediction and two samples of the new method alone
    names = shard_names(store.folder)
    assert len(names) == 3


def count_forwards(model, monkeypatch):
    calls, forward = [], type(model)._logits

    def counted(self, images):
        calls.append(len(images))
        return forward(self, images)

    monkeypatch.setattr(type(model), "_logits", counted)
    return calls


def test_the_index_says_which_maps_are_flat(model, tmp_path):
    images = torch.from_numpy(np.ones((2, 3, 32, 32), dtype=np.float32))
    store = seewhy.explain_dataset(model, images, {"occlusion": {"reference": "white"}}, store=tmp_path / "maps")
    assert store.unique("failed_checks") == ["not flat"]


def test_a_folder_without_a_store_is_refused(tmp_path):
    with pytest.raises(InputError, match="there is no map store"):
        MapStore(tmp_path)
