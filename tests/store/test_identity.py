"""Which images are the same: equal names of several sources stay apart, a source that moves is recognized."""

import io
import json
import logging
import os
import shutil
import tarfile

import numpy as np
import pytest
import torch
from PIL import Image

import seewhy
from seewhy.data import open_dataset
from seewhy.data.items import image_key
from seewhy.data.whole import open_source
from seewhy.errors import InputError, OptionError, TargetError, UnsupportedModel
from seewhy.store import MapStore
from tiny_bench import VIT, write_images

N = 4
KINDS = ["folder", "imagenet", "masks", "csv", "index", "paths", "relative paths", "tar", "coco", "dicts", "images"]


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return seewhy.load_model("timm/test_vit", weights="random", **VIT)


@pytest.fixture
def fill(model, tmp_path):
    def run(source, methods="rollout", name="maps", **options):
        return seewhy.explain_dataset(model, source, methods, store=tmp_path / name, **options)

    return run


@pytest.fixture
def forwards(model, monkeypatch):
    """The number of images of every forward pass from here on."""
    calls, forward = [], type(model)._logits

    def counted(self, images):
        calls.append(len(images))
        return forward(self, images)

    monkeypatch.setattr(type(model), "_logits", counted)
    return calls


@pytest.fixture
def places(tmp_path):
    """Two folders of different images with equal names."""
    return [write_place(tmp_path / name, seed=number) for number, name in enumerate("ab")]


def write_place(folder, seed):
    """Images and whatever lists them, in one folder."""
    photos = write_images(folder / "photos", N, seed=seed)
    files = sorted(photos.rglob("*.png"))
    names = [str(file.relative_to(folder)) for file in files]
    (folder / "labels.csv").write_text("file,label\n" + "".join(f"{name},1\n" for name in names))
    (folder / "index.jsonl").write_text("".join(json.dumps({"file": name}) + "\n" for name in names))
    coco = {"images": [{"file_name": name, "id": n} for n, name in enumerate(names)], "annotations": []}
    (folder / "instances.json").write_text(json.dumps(coco | {"categories": []}))
    shutil.copytree(photos, folder / "masks")
    write_tar(folder / "photos.tar", [(f"{n:04d}.png", file.read_bytes()) for n, file in enumerate(files)])
    return folder


def write_tar(path, members):
    with tarfile.open(path, "w") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


def source_in(folder, kind, monkeypatch):
    files = sorted((folder / "photos").rglob("*.png"))
    images = [Image.open(file).convert("RGB") for file in files]
    monkeypatch.chdir(folder)
    return {
        "folder": folder / "photos",
        "imagenet": open_dataset("imagenet", path=folder / "photos"),
        "masks": open_dataset("masks", images=folder / "photos", masks=folder / "masks"),
        "csv": folder / "labels.csv",
        "index": open_dataset("index", path=folder),
        "paths": [str(file) for file in files],
        "relative paths": [str(file.relative_to(folder)) for file in files],
        "tar": str(folder / "photos.tar"),
        "coco": f"coco:images={folder},annotations={folder / 'instances.json'}",
        "dicts": Dicts(images),
        "images": images,
    }[kind]


class Dicts:
    """As a data set of Hugging Face gives its examples, with its fingerprint."""

    def __init__(self, images):
        self.images = images
        self._fingerprint = image_key(open_source(images)[0])

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return {"image": self.images[index], "label": index}


@pytest.mark.parametrize("kind", KINDS)
def test_equal_names_of_two_sources_are_both_kept(model, fill, places, forwards, monkeypatch, kind):
    for place in places:
        store = fill(source_in(place, kind, monkeypatch))
    assert (len(store), store.image_count, store.failures) == (2 * N, 2 * N, [])
    expected = [seewhy.explain(model, sorted((place / "photos").rglob("*.png")), "rollout").maps for place in places]
    found = torch.cat([maps for _, maps in store.batches()])
    for each in torch.cat(expected)[:, 0]:
        assert any(torch.allclose(each, other, rtol=1e-5, atol=1e-6) for other in found)
    done = len(forwards)
    for place in places * 2:
        again = fill(source_in(place, kind, monkeypatch))
    assert (len(again), len(forwards)) == (2 * N, done)
    assert again.verify() == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "paths"])  # whose names are whole paths
def test_a_source_that_has_moved_is_recognized(fill, places, tmp_path, forwards, monkeypatch, kind):
    fill(source_in(places[0], kind, monkeypatch))
    done = len(forwards)
    monkeypatch.chdir(tmp_path)
    places[0].rename(tmp_path / "moved")
    assert len(fill(source_in(tmp_path / "moved", kind, monkeypatch))) == N
    (tmp_path / "link").symlink_to(tmp_path / "moved")
    assert len(fill(source_in(tmp_path / "link", kind, monkeypatch))) == N
    shutil.copytree(tmp_path / "moved", tmp_path / "copied", copy_function=shutil.copyfile)  # at another time
    assert len(fill(source_in(tmp_path / "copied", kind, monkeypatch))) == N
    assert len(forwards) == done


def test_a_file_has_one_map_by_whatever_name_it_is_listed(fill, places, forwards, monkeypatch):
    photos = places[0] / "photos"
    store = fill(photos)
    done = len(forwards)
    monkeypatch.chdir(photos.parent)
    for again in (["photos/class0/000.png", "photos/class1/001.png"], str(photos / "*" / "*.png"), photos / "class0"):
        assert len(fill(again)) == N
    os.utime(photos / "class0/000.png", (0, 0))
    assert len(fill(["photos/class0/000.png"])) == N
    assert len(forwards) == done
    for name in ("photos/class0/000.png", str(photos / "class0/000.png")):
        assert torch.equal(store.explanation(name).maps, store.explanation("class0/000.png").maps)
    with pytest.raises(InputError, match=r"no such map of photos/nothing\.png"):
        store.explanation(["photos/class0/000.png", "photos/nothing.png"])


def test_a_changed_file_replaces_its_map_by_whatever_name_it_is_listed(fill, places, forwards, monkeypatch):
    photos = places[0] / "photos"
    fill(photos)
    changed = photos / "class0/000.png"
    Image.new("RGB", (64, 64), (9, 99, 200)).save(changed)
    monkeypatch.chdir(photos.parent)
    store = fill(["photos/class0/000.png"])
    done = len(forwards)
    assert len(fill(photos)) == N
    assert len(forwards) == done
    keys = {row["image_key"] for row in store if row["image"].endswith("class0/000.png")}
    assert keys == {image_key(open_source([changed])[0])}


def test_equal_names_are_read_by_their_source(fill, places):
    for place in places:
        store = fill(place / "photos")
    name = store.images[0]
    assert "8 maps of 8 images" in repr(store)
    with pytest.raises(
        OptionError, match=f"2 images are called {name}; pass source= one of '.*a/photos' or '.*b/photos'"
    ):
        store.explanation(name)
    first, second = (store.explanation(name, source=str(place / "photos")).maps for place in places)
    assert not torch.equal(first, second)
    assert len(store.explanation().maps) == 2 * N


def test_equal_names_without_a_source_are_read_by_their_content(fill):
    for seed in range(2):
        store = fill(torch.rand(2, 3, 32, 32, generator=torch.Generator().manual_seed(seed)))
    with pytest.raises(OptionError, match="2 images are called image 1; pass image_key= one of"):
        store.explanation("image 1")
    keys = store.filter(image="image 1").unique("image_key")
    assert store.explanation("image 1", image_key=keys[0]).maps.shape[0] == 1


def test_maps_of_files_with_equal_names(model, fill, places):
    """`evaluate --maps` and `view --maps` find each file by its content."""
    for place in places:
        store = fill(place / "photos")
    files = [place / "photos/class0/000.png" for place in places]
    (found,) = store.explanations(files, model)
    expected = seewhy.explain(model, files, "rollout")
    torch.testing.assert_close(found.maps, expected.maps, rtol=1e-5, atol=1e-6)


def test_an_image_that_changes_replaces_only_its_own_maps(model, fill, places, forwards):
    for place in places:
        fill(place / "photos")
    changed = places[0] / "photos/class0/000.png"
    Image.fromarray(np.random.default_rng(9).integers(0, 256, (80, 96, 3), dtype=np.uint8)).save(changed)
    done = len(forwards)
    store = fill(places[0] / "photos")
    assert (len(store), sum(forwards[done:])) == (2 * N, 1)
    found = store.explanation("class0/000.png", source=str(places[0] / "photos"))
    torch.testing.assert_close(found.maps, seewhy.explain(model, changed, "rollout").maps, rtol=1e-5, atol=1e-6)
    done = len(forwards)
    assert len(fill(places[1] / "photos")) == 2 * N
    assert len(forwards) == done


def test_a_file_that_changes_into_its_copy_replaces_its_own_maps(fill, places, forwards):
    """Maps are shared by equal files of one name, but never those of an earlier content."""
    files = [place / "photos/class0/000.png" for place in places]
    for place in places:
        fill(place / "photos")
    shutil.copy(files[1], files[0])
    done = len(forwards)
    for place in (*places, *places):
        store = fill(place / "photos")
    assert (len(store), sum(forwards[done:])) == (2 * N - 1, 1)
    assert store.filter(image="class0/000.png").unique("image_key") == [image_key(open_source([files[0]])[0])]


def test_a_copy_keeps_a_map_when_the_first_file_changes_in_the_same_run(fill, places):
    shutil.copy(places[0] / "photos.tar", places[1] / "photos.tar")
    tars = [str(place / "photos.tar") for place in places]
    assert len(fill(tars[0])) == N
    write_tar(places[0] / "photos.tar", [("0000.png", (places[1] / "photos/class0/000.png").read_bytes())])
    found = {(row["image"], row["image_key"]) for row in fill(tars)}
    assert found >= {(item.name, image_key(item)) for tar in tars for item in open_source(tar)}


def test_a_file_that_is_mended_like_its_copy_has_no_failure(fill, places):
    files = [place / "photos/class0/000.png" for place in places]
    files[0].write_bytes(b"broken")
    for place in places:
        fill(place / "photos")
    shutil.copy(files[1], files[0])
    assert fill(places[0] / "photos").failures == []


def test_equal_sizes_and_times_are_no_equal_images(fill, tmp_path):
    for number, name in enumerate("ab"):
        (tmp_path / name).mkdir()
        Image.new("RGB", (40, 40), (number * 200, 0, 0)).save(tmp_path / name / "x.bmp")
        os.utime(tmp_path / name / "x.bmp", (0, 0))
        store = fill(tmp_path / name)
    assert len(store) == 2


def test_a_link_to_another_folder_is_another_source(fill, places, tmp_path):
    link = tmp_path / "current"
    for place in places:
        link.unlink(missing_ok=True)
        link.symlink_to(place / "photos")
        store = fill(link)
    assert len(store) == 2 * N


def test_equal_images_of_two_folders_share_their_maps(fill, places, forwards):
    shutil.rmtree(places[1])
    shutil.copytree(places[0], places[1])
    fill(places[0] / "photos")
    done = len(forwards)
    assert len(fill(places[1] / "photos")) == N
    assert len(forwards) == done


def test_equal_names_in_the_tar_files_of_one_run(fill, places, forwards):
    tars = [str(place / "photos.tar") for place in places]
    assert len(fill(tars)) == 2 * N
    done = len(forwards)
    assert len(fill(tars)) == 2 * N
    assert len(forwards) == done


def test_of_equal_names_in_one_tar_file_the_last_counts(fill, places, tmp_path, forwards):
    contents = [(place / "photos/class0/000.png").read_bytes() for place in places]
    tar = write_tar(tmp_path / "twice.tar", [("a.png", content) for content in contents])
    store = fill(str(tar))
    assert store.unique("image_key") == [image_key(open_source(str(tar))[0])]
    done = len(forwards)
    assert len(fill(str(tar))) == 1
    assert len(forwards) == done


def test_equal_names_in_subfolders_of_a_class(fill, places, tmp_path):
    for place in places:
        target = tmp_path / "data/n01440764" / place.name
        target.mkdir(parents=True)
        shutil.copy(place / "photos/class0/000.png", target / "x.png")
    store = fill(tmp_path / "data")
    assert store.images == ["n01440764/a/x.png", "n01440764/b/x.png"]


def test_files_that_are_gone_keep_their_maps(fill, places, forwards, caplog):
    csv, photos = places[0] / "labels.csv", places[0] / "photos"
    fill(csv)
    photos.rename(places[0] / "away")
    with caplog.at_level(logging.WARNING):
        store = fill(csv)
    assert (len(store), store.failures) == (N, [])
    assert "photos/class0/000.png by rollout failed now" in caplog.text
    assert "maps of earlier runs are kept" in caplog.text
    (places[0] / "away").rename(photos)
    done = len(forwards)
    assert len(fill(csv)) == N
    assert len(forwards) == done


def test_failures_of_two_folders_are_both_listed(fill, places):
    for place in places:
        (place / "photos/class0/000.png").write_bytes(f"broken in {place}".encode())
        store = fill(place / "photos")
    assert [row["source"] for row in store.failures] == [str(place / "photos") for place in places]
    assert len(fill(places[0] / "photos", retry=True).failures) == 2


@pytest.mark.parametrize("targets", [99, -1, [1, 1], True, "tabby", [[1], [2]], [[0]] * N, torch.tensor([0] * N), 1.5])
def test_targets_that_do_not_fit_leave_no_rows(fill, places, targets):
    with pytest.raises(TargetError):
        fill(places[0] / "photos", targets=targets)
    store = fill(places[0] / "photos", targets=[1])
    assert (len(store), store.failures) == (N, [])


def test_targets_that_do_not_fit_in_worker_processes(fill, places):
    with pytest.raises(TargetError, match="between 0 and 4"):
        fill(places[0] / "photos", targets=99, workers=2)


def test_a_method_that_cannot_explain_the_model_ends_the_run(fill, places):
    with pytest.raises(UnsupportedModel, match="lrp has no rule for"):
        fill(places[0] / "photos", methods=["rollout", "lrp"])
    assert fill(places[0] / "photos").failures == []


def test_labels_must_be_there(fill, places):
    with pytest.raises(OptionError, match="the images have no labels"):
        fill(places[0] / "photos", targets="label")
    assert len(fill(places[0] / "photos")) == N


def test_an_image_without_a_label_fails_for_labels_alone(fill, places):
    csv = places[0] / "labels.csv"
    lines = csv.read_text().splitlines()
    csv.write_text("\n".join([*lines[:-1], lines[-1].partition(",")[0]]) + "\n")
    store = fill(csv, targets="label")
    assert (len(store), len(store.failures)) == (N - 1, 1)
    assert "the image has no label" in store.failures[0]["error"]
    assert len(fill(csv, targets="label").failures) == 1
    store = fill(csv)  # the predicted class
    assert len({row["image"] for row in store}) == N


def test_several_sets_of_classes_are_told_apart(fill, places):
    photos = places[0] / "photos"
    fill(photos, targets=[2, 3])
    store = fill(photos, targets=[3])
    assert len(store) == 3 * N
    name = store.images[0]
    with pytest.raises(OptionError, match=r"pass target= or, as one list, classes=\[2, 3\] or \[3\]"):
        store.explanation(name)
    assert store.explanation(name, classes=[3]).targets.tolist() == [[3]]
    assert store.explanation(name, classes=[2, 3]).targets.tolist() == [[2, 3]]
    assert store.explanation(name, target=2).targets.tolist() == [[2]]
    assert store.unique("classes") == [[2, 3], [3]]
    with pytest.raises(OptionError, match="no column 'class'"):
        store.unique("class")


def test_merging_does_not_replace_maps(fill, places, caplog):
    photos = places[0] / "photos"
    store = fill(photos)
    changed = photos / "class0/000.png"
    Image.new("RGB", (64, 64), (9, 99, 200)).save(changed)
    other = fill(photos, name="other")
    keys = sorted(store.index["key"].to_pylist())
    with caplog.at_level(logging.WARNING):
        store.merge(other)
    assert sorted(store.index["key"].to_pylist()) == keys
    assert "1 maps were not copied" in caplog.text
    both = MapStore(store.folder.parent / "both", create=True).merge(fill(places[1] / "photos", name="third"), store)
    assert len(both) == 2 * N


def test_a_store_of_two_folders_is_audited_and_shown_with_all_its_images(model, fill, places):
    from seewhy.audits.describe import read_parts
    from seewhy.audits.source import open_images
    from seewhy.ui.stored import PageStore

    for place in places:
        store = fill(place / "photos")
    dataset = open_images(store, model)
    (part,) = read_parts(dataset, store, ["rollout"], [0])
    expected = seewhy.explain(model, [dataset[index].source for index in part.indices], "rollout")
    torch.testing.assert_close(part.maps[0], expected.maps[:, 0], rtol=1e-5, atol=1e-6)
    assert len(part.indices) == 2 * N
    page = PageStore(store.folder)
    items = page.items()
    page.match(items)
    assert sorted(page.keys.values()) == sorted(image_key(item) for item in items)
    assert len({item.name for item in items}) == 2 * N


def test_the_page_shows_the_labels_of_a_store(fill, places):
    from seewhy.ui.stored import PageStore

    items = PageStore(fill(places[0] / "labels.csv").folder).items()
    assert [item.labels for item in items] == [(1,)] * N


def test_a_store_of_tar_files_is_audited(model, fill, places):
    from seewhy.audits.describe import read_parts
    from seewhy.audits.source import open_images

    store = fill([str(place / "photos.tar") for place in places])
    dataset = open_images(store, model)
    (part,) = read_parts(dataset, store, ["rollout"], [0])
    images = [dataset[index].read(model.preprocess).image for index in part.indices]
    expected = seewhy.explain(model, torch.stack(images), "rollout").maps[:, 0]
    torch.testing.assert_close(part.maps[0], expected, rtol=1e-5, atol=1e-6)
    assert len({image_key(dataset[index]) for index in part.indices}) == 2 * N
    (places[0] / "photos.tar").unlink()
    with pytest.raises(InputError, match="Pass the images, not the store"):
        open_images(store, model)


def test_a_file_listed_twice_has_one_map(fill, places):
    file = places[0] / "photos/class0/000.png"
    assert len(fill([str(file), str(file)])) == 1


def test_a_folder_without_images_is_refused(fill, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no images"):
        fill(tmp_path / "empty")


def test_names_of_any_kind(fill, tmp_path, forwards):
    names = ["été 猫 😀.png", "x" * 250 + ".png", "a\nb.png", " .png", "[1].png", os.fsdecode(b"caf\xe9.png")]
    files = sorted(write_images(tmp_path / "photos", len(names)).rglob("*.png"))
    (tmp_path / "named").mkdir()
    for file, name in zip(files, names, strict=True):
        file.rename(tmp_path / "named" / name)
    (tmp_path / "named" / os.fsdecode(b"broken \xe9.png")).write_bytes(b"nothing")
    store = fill(tmp_path / "named")
    assert (len(store), len(store.failures)) == (len(names), 1)
    assert {"été 猫 😀.png", "caf\\udce9.png"} < set(store.images)
    done = len(forwards)
    assert len(fill([str(tmp_path / "named" / name) for name in names], name="listed")) == len(names)
    assert len(forwards) > done
    done = len(forwards)
    assert len(fill(tmp_path / "named")) == len(names)
    assert len(forwards) == done


def test_an_image_that_changes_while_it_is_read_fails(fill, places, monkeypatch):
    from seewhy.data.items import ImageItem

    stamps = iter(range(1000))
    with monkeypatch.context() as patch:
        patch.setattr(ImageItem, "stamp", lambda _: str(next(stamps)))
        store = fill(places[0] / "photos")
    assert (len(store), len(store.failures)) == (0, N)
    assert "changed while it was read. Rerun." in store.failures[0]["error"]
    assert (len(fill(places[0] / "photos")), store.refresh().failures) == (N, [])


def test_maps_of_the_prediction_where_an_image_has_several(model, fill, places):
    photos = places[0] / "photos"
    fill(photos)
    store = fill(photos, targets=[2, 3])
    files = sorted(photos.rglob("*.png"))
    (found,) = store.explanations(files, model)
    torch.testing.assert_close(found.maps, seewhy.explain(model, files, "rollout").maps, rtol=1e-5, atol=1e-6)
    (both,) = store.filter(classes=[2, 3]).explanations(files, model)
    assert both.targets.tolist() == [[2, 3]] * N


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("photo", "photo: there is no such file or folder"),
        ("scene:size=3", "nor a data set called 'scene' \\(there are folder, "),
        ("shards.tar.gz", "there is no such file"),
        ({"train": [1], "test": [2]}, "got a dict of train, test. Pass one of them"),
    ],
)
def test_a_source_that_is_none_leaves_no_rows(fill, tmp_path, source, message):
    with pytest.raises(InputError, match=message):
        fill(source)
    assert not (tmp_path / "maps").exists()


@pytest.mark.parametrize("options", [{"workers": 0}, {"readers": -1}, {"batch_size": 0}])
def test_settings_are_checked(fill, places, options):
    with pytest.raises(OptionError, match=f"{next(iter(options))} must be"):
        fill(places[0] / "photos", **options)


@pytest.mark.parametrize("name", ["photos.tar", "labels.csv"])
def test_a_list_of_tar_files_and_folders_is_refused(fill, places, tmp_path, name):
    with pytest.raises(InputError, match=f"{name}: among several sources, .* Explain one after the other"):
        fill([places[0] / "photos", places[0] / name])
    assert not (tmp_path / "maps").exists()


def test_a_store_needs_a_folder_of_its_own(fill, places):
    before = sorted(places[0].rglob("*"))
    with pytest.raises(InputError, match="photos holds other files, such as class0"):
        fill(places[0] / "photos", name="a/photos")
    assert sorted(places[0].rglob("*")) == before


def test_files_under_other_names_are_found_by_audits(model, fill, places):
    """Names such as `../photos/1.png`, which are not the end of the path of their file."""
    from seewhy.audits.source import open_images

    index = places[0] / "masks/index.csv"
    names = [f"../photos/{file.parent.name}/{file.name}" for file in sorted((places[0] / "photos").rglob("*.png"))]
    index.write_text("file\n" + "\n".join(names) + "\n")
    store = fill(index)
    dataset = open_images(store, model)
    assert [dataset[number].name for number in range(len(dataset))] == names
    assert sorted(store.unique("image_key")) == sorted(image_key(dataset[number]) for number in range(N))


def test_a_store_is_no_source(fill, places):
    with pytest.raises(InputError, match="is a map store: pass the images themselves"):
        fill(fill(places[0] / "photos"), name="other")


def test_examples_without_an_image_are_refused_before_the_work(fill, tmp_path):
    dataset = Examples([{"img": Image.new("RGB", (40, 40)), "label": 1}])
    with pytest.raises(InputError, match=r"this one has the keys img, label\. Rename one to 'image'"):
        fill(dataset)
    assert not (tmp_path / "maps").exists()


def test_labels_that_are_text_are_none(fill):
    images = [Image.new("RGB", (40, 40), (number * 80, 9, 9)) for number in range(3)]
    dataset = Examples([{"image": image, "label": "cat"} for image in images])
    store = fill(dataset)
    assert (len(store), store.unique("label")) == (3, [None])
    with pytest.raises(OptionError, match="the images have no labels"):
        fill(dataset, targets="label")


def test_a_first_example_that_cannot_be_read_ends_nothing():
    assert len(open_source(Examples([OSError("broken"), {"image": Image.new("RGB", (40, 40))}]))) == 2


class Examples:
    """A data set that raises its errors."""

    def __init__(self, examples):
        self.examples = examples

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, index):
        if isinstance(self.examples[index], Exception):
            raise self.examples[index]
        return self.examples[index]
