"""Data sets: what is known about an image stays with it through the model's crop."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image

from seewhy.api import explain
from seewhy.data import Boxes, ImageItem, Mask, open_dataset, quad, read_images
from seewhy.data.regions import crop_region
from seewhy.errors import ImageError, InputError, OptionError, UnknownName
from seewhy.explainers.network import AHAExplainer
from seewhy.models.preprocess import Preprocess

SMALL = Preprocess(size=(32, 32), crop=0.5, interpolation="nearest")


def square(path, *, left=30, top=10, side=20, size=(90, 60)):
    """A black image with a white square, and the square as a box of fractions."""
    pixels = np.zeros((size[1], size[0], 3), dtype=np.uint8)
    pixels[top : top + side, left : left + side] = 255
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)
    return left / size[0], top / size[1], (left + side) / size[0], (top + side) / size[1]


@pytest.mark.parametrize("squash", [False, True])
def test_boxes_and_masks_lie_where_the_model_sees_the_object(tmp_path, squash):
    box = square(tmp_path / "a.png")
    preprocess = Preprocess(size=(32, 32), crop=0.9, squash=squash, interpolation="nearest")
    pixels = np.asarray(Image.open(tmp_path / "a.png"))[..., 0] > 0
    for region in (Boxes((box,)), Mask(pixels)):
        sample = ImageItem("a", tmp_path / "a.png", (3,), (region,)).read(preprocess)
        assert torch.equal(sample.regions[0], sample.image[0] > 0.5)


def test_a_mask_of_another_size_is_the_same_region():
    mask = np.zeros((4, 4), dtype=bool)
    mask[:2, :2] = True
    large = mask.repeat(10, axis=0).repeat(10, axis=1)
    views = [crop_region(Mask(each), (0, 0, 8, 8), (8, 8), (16, 16)) for each in (mask, large)]
    assert torch.equal(*views)
    assert views[0].sum() == 64


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


def test_side_files_that_cannot_be_read_say_where(tmp_path):
    listing = tmp_path / "index.jsonl"
    for line, message in (
        ('{"file": "a.png"', "line 2: expected a JSON object"),
        ('{"label": 3}', "line 2: expected a JSON object"),
        ('{"file": "a.png", "boxes": [[10, 10, 50, 50]]}', "line 2: boxes must be fractions"),
    ):
        listing.write_text('{"file": "b.png"}\n' + line)
        with pytest.raises(InputError, match=message):
            open_dataset("index", path=tmp_path)
    annotations = tmp_path / "instances.json"
    options = {"images": tmp_path, "annotations": annotations}
    for content, message in (("[1", "not COCO's"), ('{"categories": []}', "no category called 'cat'")):
        annotations.write_text(content)
        with pytest.raises(InputError, match=message):
            open_dataset("coco", classes={"cat": 1}, **options)


def test_annotations_are_read_with_their_image(tmp_path, tiny_cnn):
    square(tmp_path / "photos" / "cats" / "tom.png")
    (tmp_path / "boxes").mkdir()
    (tmp_path / "boxes" / "tom.xml").write_text("<annotation><size>")
    (item,) = open_dataset("imagenet", path=tmp_path / "photos", boxes=tmp_path / "boxes")
    with pytest.raises(ImageError, match=r"tom\.xml: not an ILSVRC annotation file"):
        item.read(tiny_cnn.preprocess)


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


def test_coco_unites_the_objects_of_a_category(tmp_path):
    square(tmp_path / "a.png")
    corners = [30, 10, 49, 10, 49, 29, 30, 29]
    crowd = {"size": [60, 90], "counts": [90 * 60 - 60, 60]}  # the last column
    listed = {
        "images": [{"id": 4, "file_name": "a.png", "width": 90, "height": 60}],
        "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "tie"}, {"id": 3, "name": "dog"}],
        "annotations": [
            {"image_id": 4, "category_id": 1, "area": 400, "segmentation": [corners]},
            {"image_id": 4, "category_id": 3, "area": 60, "segmentation": crowd},
            {"image_id": 4, "category_id": 1, "area": 10, "segmentation": [[0, 0, 3, 0, 3, 3]]},
            {"image_id": 4, "category_id": 2, "area": 900, "segmentation": [[0, 0, 30, 0, 30, 30]]},
        ],
    }
    (tmp_path / "instances.json").write_text(json.dumps(listed))
    found = open_dataset(
        "coco", images=tmp_path, annotations=tmp_path / "instances.json", classes={"cat": 281, "dog": 207}
    )
    assert found[0].labels == (207, 281)
    sample = found[0].read(Preprocess(size=(60, 90), crop=1.0, interpolation="nearest"))
    assert torch.equal(sample.regions[1], sample.image[0] > 0.5)
    assert sample.regions[0].sum() == 60
    assert sample.regions[0][:, -1].all()


def test_scenes_know_the_object_and_the_part():
    preprocess = Preprocess(size=(224, 224))
    whole = open_dataset("scenes", size=4)[2]
    part = open_dataset("scenes", size=4, truth="part", contrast=True)[2]
    assert part.labels == (2, 3)
    assert torch.equal(whole.read(preprocess).image, part.read(preprocess).image)
    assert 0 < part.read(preprocess).regions[0].sum() < whole.read(preprocess).regions[0].sum()
    assert whole.key() != part.key()
    assert open_dataset("scenes", size=4)[2].key() == whole.key()


def test_quad_cells_are_the_images(tiny_vit, tiny_cnn):
    """Cells have half of a ViT's size, and the size of a network that takes any."""
    for model, side in ((tiny_vit, 16), (tiny_cnn, 32)):
        images = torch.rand(6, 3, side, side, generator=torch.Generator().manual_seed(0))
        labels = [0, 1, 2, 3, 0, 1]
        grids = quad(images, labels, model)
        assert grids.images.shape == (1, 3, 2 * side, 2 * side)
        assert sorted(grids.targets[0].tolist()) == [0, 1, 2, 3]
        for cell, label in enumerate(grids.targets[0].tolist()):
            shown = grids.images[0][:, grids.regions[0, cell]].view(3, side, side)
            assert any(torch.equal(shown, images[i]) for i in range(6) if labels[i] == label)
        assert torch.equal(grids.regions.sum(dim=1), torch.ones(1, 2 * side, 2 * side, dtype=torch.int64))


def test_grids_come_with_a_model_that_takes_them(tiny_cnn, tiny_vit):
    photos = torch.rand(4, 3, 32, 32, generator=torch.Generator().manual_seed(0))
    grids = quad(photos, [0, 1, 2, 3], tiny_cnn)
    assert tiny_cnn.image_size == (32, 32)
    assert grids.model.module is tiny_cnn.module
    assert grids.model.fingerprint != tiny_cnn.fingerprint
    explanation = explain(grids.model, grids.images, "grad_cam", grids.targets)
    assert torch.equal(explanation.images, grids.images)
    assert quad(photos, [0, 1, 2, 3], tiny_vit).model is tiny_vit


def test_quad_of_a_data_set(tmp_path):
    for label in range(5):
        square(tmp_path / f"c{label}" / "p.png", left=10 * label)
    found = open_dataset("imagenet", path=tmp_path, quad=True, seed=1)
    assert len(found) == 1
    sample = found[0].read(SMALL)
    assert len(set(sample.labels)) == 4
    first = read_images(
        tmp_path / f"c{sample.labels[0]}" / "p.png", Preprocess(size=(16, 16), crop=0.5, interpolation="nearest")
    )
    assert torch.equal(sample.image[:, :16, :16], first.images[0])
    assert torch.equal(sample.regions_of([sample.labels[2], 99])[0], sample.regions[2])
    assert not sample.regions_of([99])[0].any()


@pytest.mark.parametrize("truth", ["object", "part"])
def test_quad_with_the_items_own_regions(truth):
    whole = open_dataset("scenes", size=12, truth=truth, quad=True)[0]
    own = open_dataset("scenes", size=12, truth=truth, quad="truth")[0]
    assert own.key() != whole.key()
    sample, cells = own.read(SMALL), whole.read(SMALL)
    assert torch.equal(sample.image, cells.image)
    corners = [(..., rows, cols) for rows in (slice(16), slice(16, 32)) for cols in (slice(16), slice(16, 32))]
    for item, region, corner in zip(own.items, sample.regions, corners, strict=True):
        assert torch.equal(region[corner], item.read(replace(SMALL, size=(16, 16))).regions[0])
        assert region.sum() == region[corner].sum() > 0


def test_quad_with_regions_that_are_not_there(tmp_path):
    for label in range(4):
        square(tmp_path / f"c{label}" / "p.png")
    with pytest.raises(InputError, match=r"c\d/p.png has none. quad=True"):
        open_dataset("imagenet", path=tmp_path, quad="truth")[0].read(SMALL)
    with pytest.raises(OptionError, match="quad must be False, True or 'truth', got 'part'"):
        open_dataset("imagenet", path=tmp_path, quad="part")


def test_too_few_classes_for_grids(tmp_path, tiny_cnn):
    square(tmp_path / "c0" / "p.png")
    with pytest.raises(InputError, match="four different classes"):
        open_dataset("imagenet", path=tmp_path, quad=True)
    with pytest.raises(InputError, match="one label per image"):
        quad(torch.rand(2, 3, 16, 16), [1], tiny_cnn)


def test_a_choice_is_random_but_the_same(tmp_path):
    for number in range(9):
        square(tmp_path / f"{number}.png", left=number)
    names = [[item.name for item in open_dataset("folder", path=tmp_path, limit=4, seed=seed)] for seed in (1, 1, 2)]
    assert names[0] == names[1] != names[2]
    assert [open_dataset("folder", path=tmp_path, limit=2)[i].name for i in range(2)] == ["0.png", "1.png"]


def test_content_decides_the_key(tmp_path):
    square(tmp_path / "a.png")
    square(tmp_path / "b.png")
    square(tmp_path / "c.png", left=31)
    keys = [ImageItem("x", tmp_path / f"{name}.png").key() for name in "abc"]
    assert keys[0] == keys[1] != keys[2]
    assert ImageItem("x", tmp_path / "a.png", (1,)).key() != keys[0]
    ImageItem("x", tmp_path / "missing.png").key()


def test_errors():
    with pytest.raises(UnknownName, match="Did you mean 'imagenet'"):
        open_dataset("imagnet", path="x")
    with pytest.raises(OptionError, match="'pth'"):
        open_dataset("folder", pth="x")
    with pytest.raises(InputError, match="no such folder"):
        open_dataset("folder", path="nowhere")
    with pytest.raises(ImageError, match="got 4x4"):
        ImageItem("dot", Image.new("RGB", (4, 4))).read(SMALL)
