"""Data sets by name: labels, regions, subsets and held-out images."""

import json
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from PIL import Image

from seewhy.data import open_dataset
from seewhy.data.whole import open_source
from seewhy.errors import InputError, OptionError, UnknownName
from seewhy.explainers.network import AHAExplainer
from squares import SMALL, square


def test_index_with_boxes(tmp_path):
    box = square(tmp_path / "images" / "a.png")
    square(tmp_path / "images" / "b.png")
    lines = [{"file": "images/a.png", "label": 7, "boxes": [box]}, {"file": "images/b.png", "label": 2}]
    (tmp_path / "index.jsonl").write_text("\n".join(map(json.dumps, lines)))
    found = open_dataset("index", path=tmp_path)
    assert [item.labels for item in (found[0], found[1])] == [(7,), (2,)]
    sample = found[0].read(SMALL)
    assert torch.equal(sample.regions[0], sample.image[0] > 0.5)
    assert found[1].read(SMALL).regions is None
    assert len(open_dataset("index", path=tmp_path, limit=1)) == 1


def test_csv_with_labels_and_masks(tmp_path):
    square(tmp_path / "images" / "a.png")
    square(tmp_path / "images" / "b, c.png")
    mask = np.zeros((60, 90), dtype=np.uint8)
    mask[10:30, 30:50] = 1
    Image.fromarray(mask).save(tmp_path / "a.png")
    listing = tmp_path / "labels.csv"
    listing.write_text('\ufefffile,label,mask,colour\r\nimages/a.png,7,a.png,red\r\n"images/b, c.png",,,\r\n', "utf-8")
    found = open_dataset("index", path=listing)
    assert [(item.name, item.labels) for item in (found[0], found[1])] == [
        ("images/a.png", (7,)),
        ("images/b, c.png", ()),
    ]
    sample = found[0].read(SMALL)
    assert torch.equal(sample.regions[0], sample.image[0] > 0.5)
    assert found[1].read(SMALL).regions is None
    (tmp_path / "index.csv").write_text("file\nimages/a.png\n")
    assert len(open_dataset("index", path=tmp_path)) == 1


def test_errors_in_a_csv_name_the_line(tmp_path):
    listing = tmp_path / "labels.csv"
    for text, message in (
        ("a.png,3\n", r"the first line must name the columns, such as file,label; got 'a.png,3'"),
        ("file,label\na.png,3\nb.png,tabby\n", "line 3: expected file and, optionally, label"),
        ("", "the first line must name the columns"),
    ):
        listing.write_text(text)
        with pytest.raises(InputError, match=message):
            open_dataset("index", path=listing)


def test_only_what_an_explainer_has_not_seen(tiny_vit, tmp_path):
    for name in "abc":
        square(tmp_path / "images" / f"{name}.png")
    AHAExplainer(tiny_vit).save(tmp_path / "explainer", held_out_images=["a.png", "c.png"])
    found = open_dataset("folder", path=tmp_path / "images", unseen_by=tmp_path / "explainer")
    assert [found[number].name for number in range(len(found))] == ["a.png", "c.png"]
    AHAExplainer(tiny_vit).save(tmp_path / "explainer")
    with pytest.raises(InputError, match="none of these 3 images was held out"):
        open_dataset("folder", path=tmp_path / "images", unseen_by=tmp_path / "explainer")


def test_held_out_files_are_known_by_the_end_of_their_path(tiny_vit, tmp_path):
    """Trained on the folder that is opened, on one in it, or on one around it."""
    for name in ("one/a", "one/b", "two/a"):
        square(tmp_path / "images" / f"{name}.png")
    for held_out, path, kept in (
        ("one/a.png", "images", ["one/a.png"]),
        ("a.png", "images/one", ["a.png"]),
        ("b.png", "images", ["one/b.png"]),
        ("images/two/a.png", "images", ["two/a.png"]),
    ):
        AHAExplainer(tiny_vit).save(tmp_path / "explainer", held_out_images=[held_out])
        found = open_dataset("folder", path=tmp_path / path, unseen_by=tmp_path / "explainer")
        assert [found[number].name for number in range(len(found))] == kept


def test_a_trained_file_is_not_taken_for_a_held_out_one_of_the_same_name(tiny_vit, tmp_path):
    for name in ("one/a", "two/a"):
        square(tmp_path / "images" / f"{name}.png")
    AHAExplainer(tiny_vit).save(tmp_path / "explainer", held_out_images=["one/a.png"])
    with pytest.raises(InputError, match="none of these 1 images was held out"):
        open_dataset("folder", path=tmp_path / "images" / "two", unseen_by=tmp_path / "explainer")


def test_imagenet_folders_have_imagenets_numbers_and_annotations(tmp_path):
    square(tmp_path / "val" / "n01443537" / "x.png")
    square(tmp_path / "val" / "n01440764" / "y.png")
    (tmp_path / "boxes").mkdir()
    (tmp_path / "boxes" / "x.xml").write_text(
        "<annotation><size><width>90</width><height>60</height></size><object><bndbox><xmin>30</xmin><ymin>10</ymin>"
        "<xmax>50</xmax><ymax>30</ymax></bndbox></object></annotation>"
    )
    found = open_dataset("imagenet", path=tmp_path / "val", boxes=tmp_path / "boxes")
    assert [(item.name, item.labels) for item in (found[0], found[1])] == [
        ("n01440764/y.png", (0,)),
        ("n01443537/x.png", (1,)),
    ]
    sample = found[1].read(SMALL)
    assert torch.equal(sample.regions[0], sample.image[0] > 0.5)
    assert not found[0].read(SMALL).regions.any()


def test_errors_in_an_index_name_the_line(tmp_path):
    listing = tmp_path / "index.jsonl"
    for line, message in (
        ('{"file": "a.png"', "line 2: expected a JSON object"),
        ('{"label": 3}', "line 2: expected file and, optionally, label"),
        ('{"file": "a.png", "mask": "m.png", "boxes": [[0, 0, 1, 1]]}', "line 2: give boxes or a mask"),
        ('{"file": "a.png", "boxes": [[10, 10, 50, 50]]}', "line 2: boxes must be fractions"),
    ):
        listing.write_text('{"file": "b.png"}\n' + line)
        with pytest.raises(InputError, match=message):
            open_dataset("index", path=tmp_path)


def test_masks_and_their_values(tmp_path):
    square(tmp_path / "images" / "a.png")
    trimap = np.full((60, 90), 2, dtype=np.uint8)
    trimap[10:30, 30:50] = 1
    trimap[0] = 3
    (tmp_path / "masks").mkdir()
    Image.fromarray(trimap).save(tmp_path / "masks" / "a.png")
    found = open_dataset("masks", images=tmp_path / "images", masks=tmp_path / "masks", values=[1])
    sample = found[0].read(SMALL)
    assert torch.equal(sample.regions[0], sample.image[0] > 0.5)
    assert torch.equal(sample.regions_of([5, 6])[1], sample.regions[0])  # without label: of any class


def test_imagenet_s_masks_hold_class_numbers(tmp_path):
    for wnid in ("n01440764", "n01443537"):
        square(tmp_path / "images" / wnid / f"{wnid}_1.png")
        mask = np.zeros((60, 90, 3), dtype=np.uint8)
        mask[..., 0], mask[..., 1] = 1000 % 256, 1000 // 256  # "ignore"
        mask[10:30, 30:50] = (2, 0, 0)
        (tmp_path / "masks" / wnid).mkdir(parents=True)
        Image.fromarray(mask).save(tmp_path / "masks" / wnid / f"{wnid}_1.png")
    found = open_dataset("imagenet_s", images=tmp_path / "images", masks=tmp_path / "masks")
    first, second = (found[i].read(SMALL) for i in range(2))
    assert (first.labels, second.labels) == ((0,), (1,))
    assert not first.regions.any()  # the pixels are of the second class
    assert torch.equal(second.regions[0], second.image[0] > 0.5)


def test_a_choice_is_random_but_the_same(tmp_path):
    for number in range(9):
        square(tmp_path / f"{number}.png", left=number)
    names = [[item.name for item in open_dataset("folder", path=tmp_path, limit=4, seed=seed)] for seed in (1, 1, 2)]
    assert names[0] == names[1] != names[2]
    assert [open_dataset("folder", path=tmp_path, limit=2)[i].name for i in range(2)] == ["0.png", "1.png"]


def test_errors():
    with pytest.raises(UnknownName, match="Did you mean 'imagenet'"):
        open_dataset("imagnet", path="x")
    with pytest.raises(OptionError, match="'pth'"):
        open_dataset("folder", pth="x")
    with pytest.raises(InputError, match="no such folder"):
        open_dataset("folder", path="nowhere")


def test_images_without_names_are_not_taken_for_others(tiny_vit, tmp_path):
    """Image 7 of the training split is not image 7 of the test split."""
    AHAExplainer(tiny_vit).save(tmp_path, held_out_images=["3", "7"])
    with pytest.raises(InputError, match=r"no names.*another split"):
        open_dataset("scenes", split="test", size=20, unseen_by=tmp_path)


class Columns:
    """As much of a data set of Hugging Face as is used."""

    def __init__(self, **columns):
        self.columns = columns

    @property
    def column_names(self):
        return list(self.columns)

    def rename_columns(self, names):
        return Columns(**{names.get(name, name): values for name, values in self.columns.items()})

    def __len__(self):
        return len(next(iter(self.columns.values())))

    def __getitem__(self, index):
        return {name: values[index] for name, values in self.columns.items()}


def test_data_sets_from_hugging_face(monkeypatch):
    images = [Image.new("RGB", (40, 40), (number, 0, 0)) for number in range(3)]
    splits = {"train": Columns(img=images, fine_label=[4, 5, 6]), "test": Columns(image=images)}
    asked = []

    def load_dataset(name, *, split):
        asked.append(name)
        return splits[split]

    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=load_dataset))
    found = open_source("huggingface:name=owner/pets,split=train,image=img,label=fine_label,limit=2")
    assert [item.labels for item in (found[0], found[1])] == [(4,), (5,)]
    assert (asked, len(found)) == (["owner/pets"], 2)
    assert found[1].read(SMALL).image[0].max() == pytest.approx(1 / 255)
    assert open_dataset("huggingface", name="pets")[0].labels == ()
    with pytest.raises(InputError, match="has no column 'image'; it has img, fine_label"):
        open_dataset("huggingface", name="pets", split="train")
    with pytest.raises(InputError, match="'pets' from Hugging Face cannot be loaded: 'validation'"):
        open_dataset("huggingface", name="pets", split="validation")


def test_hugging_face_without_its_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError, match="pip install datasets"):
        open_dataset("huggingface", name="pets")


def test_what_holds_no_images_is_named(tmp_path):
    (tmp_path / "list.csv").write_text("file\n")
    for source in (tmp_path, tmp_path / "list.csv", f"imagenet:path={tmp_path}"):
        with pytest.raises(InputError, match=f"^{tmp_path}.*: no images were found"):
            open_source(source)
    with pytest.raises(InputError, match=r"none\.csv: there is no such file"):
        open_source(tmp_path / "none.csv")
