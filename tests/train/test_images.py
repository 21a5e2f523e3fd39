"""Training images: the held-out split, the order of an epoch, names, labels and classes."""

import json
from types import SimpleNamespace

import pytest
import torch
from torch.nn.functional import avg_pool2d
from torch.testing import assert_close
from torch.utils.data import ConcatDataset, DataLoader, IterableDataset, Subset, TensorDataset

from conftest import make_tiny_cnn
from seewhy.data import open_dataset
from seewhy.errors import InputError
from seewhy.models.preprocess import Preprocess
from seewhy.train.images import choose_targets, make_mosaics, open_images
from seewhy.zoo.scenes import Scenes
from tiny_training import IMAGES, save_images


class Drawn:
    """Twelve thousand images, drawn on demand; `read` records which."""

    def __init__(self, split, color=0.5):
        self.split, self.image, self.read = split, torch.full((3, 32, 32), color), set()

    def __len__(self):
        return 12000

    def __getitem__(self, index):
        self.read.add(index)
        return self.image


def opened(source):
    return open_images(source, make_tiny_cnn().preprocess, held_out=2, seed=0)


def test_few_images_of_a_data_set_are_read_before_the_first_step():
    data = Drawn("train")
    source = opened(data)
    assert source.names([3, 7]) == ["3", "7"]
    assert not data.read
    source.digest()
    assert len(data.read) == 16


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Drawn("train"), Drawn("test")),
        (Drawn("train"), Drawn("train", color=0.6)),  # same type, length and settings
        (Subset(IMAGES, range(5)), Subset(IMAGES, range(5, 10))),
        (Subset(Drawn("train"), range(5)), Subset(Drawn("train"), range(5, 10))),  # equal pixels
        (ConcatDataset([Drawn("a"), Drawn("b")]), ConcatDataset([Drawn("a"), Drawn("c")])),
        (IMAGES[:5], IMAGES[5:]),
        (TensorDataset(torch.stack(IMAGES[:5])), TensorDataset(torch.stack(IMAGES[5:]))),
    ],
)
def test_other_data_has_another_digest(first, second):
    assert opened(first).digest() == opened(first).digest()
    assert opened(first).digest() != opened(second).digest()


def test_data_sets_of_this_library(tmp_path):
    folder = save_images(tmp_path / "photos")
    lines = [json.dumps({"file": f"{index}.png", "label": index % 5}) for index in range(10)]
    (folder / "index.jsonl").write_text("\n".join(lines))
    source = opened(open_dataset("index", path=folder))
    assert source.names([3]) == ["3.png"]
    assert source.read([3, 4]).labels.tolist() == [3, 4]
    scenes = open_images(open_dataset("scenes", split="train", size=6), Preprocess((224, 224)), held_out=2, seed=0)
    assert scenes.names([4]) == ["scenes/train/4"]
    assert_close(scenes.read([4]).images[0], Scenes("train", 6)[4].image)


def test_tuples_and_rows_of_other_libraries():
    class Labeled(list):
        classes = ("ant", "bee", "cat", "dog", "elk")

    model = make_tiny_cnn()
    tuples = Labeled((image, 3) for image in IMAGES)
    rows = Labeled({"image": image, "label": 3} for image in IMAGES)
    for data in (tuples, rows):
        source = open_images(data, model.preprocess, held_out=2, seed=0, class_names=model.class_names)
        examples = source.read([0, 1])
        assert_close(examples.images, torch.stack(IMAGES[:2]))
        assert examples.labels.tolist() == [3, 3]
        assert opened(data).read([0]).labels.tolist() == [-1]
    with pytest.raises(InputError, match="has the keys pixels"):
        opened([{"pixels": image} for image in IMAGES]).read([0])


def test_labels_of_other_classes_are_ignored():
    probabilities = torch.tensor([[0.1, 0.7, 0.2]] * 3)
    assert choose_targets(probabilities, torch.tensor([0, 1, 999])).tolist() == [[1, 0], [1, 2], [1, 2]]


def test_labels_are_used_if_the_class_names_are_the_models():
    class Labeled(list):
        class_names = ("ant", "bee")

    data = Labeled(SimpleNamespace(image=image, label=1) for image in IMAGES)
    for names, expected in ((("ant", "bee"), 1), (("ant", "cat"), -1), (None, -1)):
        source = open_images(data, make_tiny_cnn().preprocess, held_out=2, seed=0, class_names=names)
        assert source.read([0, 1]).labels.tolist() == [expected] * 2


def test_the_order_of_an_epoch_is_sampled_once(tiny_cnn, monkeypatch):
    source = open_images(IMAGES, tiny_cnn.preprocess, held_out=2, seed=0)
    expected = [source.at_step(step, 6) for step in range(4)]  # three epochs of eight
    assert sorted(index for indices in expected for index in indices) == sorted(source.training * 3)
    drawn, order = [], torch.randperm
    monkeypatch.setattr(torch, "randperm", lambda *given, **named: drawn.append(given) or order(*given, **named))
    fresh = open_images(IMAGES, tiny_cnn.preprocess, held_out=2, seed=0)
    assert [fresh.at_step(step, 6) for step in range(4)] == expected
    assert len(drawn) == 3


def test_adding_images_never_holds_out_a_training_image(tiny_cnn, tmp_path):
    photos = save_images(tmp_path / "photos")
    before = open_images(photos, tiny_cnn.preprocess, held_out=4, seed=0)
    trained, held_out = before.names(before.training), before.names(before.held_out)
    save_images(photos / "a", IMAGES)
    after = open_images(photos, tiny_cnn.preprocess, held_out=4, seed=0)
    assert not set(after.names(after.held_out)) & set(trained)
    assert len(after.held_out) == 4
    other = open_images(photos, tiny_cnn.preprocess, held_out=4, seed=1)
    assert after.names(after.held_out) != other.names(other.held_out) != held_out


def test_at_most_half_is_held_out_and_logged(tiny_cnn, caplog):
    caplog.set_level("INFO", logger="seewhy.train")
    source = open_images(IMAGES, tiny_cnn.preprocess, held_out=9, seed=0)
    assert (len(source.held_out), len(source.training)) == (5, 5)
    assert "holding out 5 of the 10 images, not 9: half of them at most" in caplog.messages


def test_hidden_files_are_ignored(tiny_cnn, tmp_path):
    photos = save_images(tmp_path / ".hidden itself" / "photos", IMAGES[:2])
    save_images(photos / ".thumbnails", IMAGES[:1])
    (photos / "._0.png").write_bytes(b"of a Mac")
    assert open_images(photos, tiny_cnn.preprocess, held_out=1, seed=0).names([0, 1]) == ["0.png", "1.png"]
    assert len(open_images(photos, tiny_cnn.preprocess, held_out=1, seed=0).items) == 2


def test_names_of_files_are_relative_to_the_folder(tiny_cnn, tmp_path):
    for name in "ab":
        save_images(tmp_path / "photos" / name, IMAGES[:2])
    source = open_images(tmp_path / "photos", tiny_cnn.preprocess, held_out=2, seed=0)
    assert sorted(source.names([*source.held_out, *source.training])) == ["a/0.png", "a/1.png", "b/0.png", "b/1.png"]
    assert open_images(IMAGES, tiny_cnn.preprocess, held_out=2, seed=0).names([3]) == ["3"]


def test_targets_are_the_prediction_and_the_label_or_runner_up():
    probabilities = torch.tensor([[0.1, 0.6, 0.3], [0.5, 0.4, 0.1], [0.2, 0.1, 0.7]])
    assert choose_targets(probabilities, torch.tensor([-1, 0, 1])).tolist() == [[1, 2], [0, 1], [2, 1]]


def test_mosaics_show_four_images_at_half_size():
    images = torch.stack(IMAGES)[:6]
    mosaics, cells = make_mosaics(images, 3, torch.Generator().manual_seed(0))
    assert mosaics.shape == (3, 3, 32, 32)
    assert all(len(set(row)) == 4 for row in cells.tolist())
    for mosaic, row in zip(mosaics, cells, strict=True):
        for cell, index in enumerate(row):
            top, left = 16 * (cell // 2), 16 * (cell % 2)
            assert_close(mosaic[:, top : top + 16, left : left + 16], avg_pool2d(images[index], 2))
    few, cells = make_mosaics(images[:2], 1, torch.Generator().manual_seed(0))
    assert few.shape == (1, 3, 32, 32)
    assert set(cells.flatten().tolist()) == {0, 1}


def test_images_held_out_by_another_explainer(tiny_cnn, tmp_path):
    folder = save_images(tmp_path / "photos" / "val")
    options = {"held_out": 2, "seed": 0, "held_out_names": ["val/3.png", "7.png", "train/5.png"]}
    source = open_images(folder.parent, tiny_cnn.preprocess, **options)
    assert sorted(source.names(source.held_out)) == ["val/3.png", "val/7.png"]
    assert len(source.training) == 8
    with pytest.raises(InputError, match="0 of the 10 images are among the 1 to be held out"):
        open_images(folder, tiny_cnn.preprocess, held_out=2, seed=0, held_out_names=["other/3.png"])


def test_labels_are_matched_by_name_or_wnid(tiny_cnn):
    class Folder(list):
        classes = ("bee", "fly", "ant")

    data = Folder((image, index % 3) for index, image in enumerate(IMAGES))
    nested = ConcatDataset([Subset(data, range(5)), Subset(data, range(5, 10))])
    for source in (data, nested, DataLoader(nested, batch_size=2, shuffle=True)):
        images = open_images(source, tiny_cnn.preprocess, held_out=2, seed=0, class_names=("ant", "bee"))
        assert images.read([0, 1, 2]).labels.tolist() == [1, -1, 0]
    for labels, expected in ((True, [0, 1, 2]), (False, [-1, -1, -1])):
        images = open_images(data, tiny_cnn.preprocess, held_out=2, seed=0, labels=labels)
        assert images.read([0, 1, 2]).labels.tolist() == expected
    Folder.classes = ("n01440764", "n01443537", "n02099601")
    names = [str(index) for index in range(1000)]
    images = open_images(data, tiny_cnn.preprocess, held_out=2, seed=0, class_names=names)
    assert images.read([0, 1, 2]).labels.tolist() == [0, 1, 207]


def test_a_torchvision_image_folder(tiny_cnn, tmp_path):
    folders = pytest.importorskip("torchvision.datasets", exc_type=ImportError)
    for name in ("ant", "cat"):
        save_images(tmp_path / name, IMAGES[:3])
    source = folders.ImageFolder(tmp_path)
    images = open_images(source, tiny_cnn.preprocess, held_out=2, seed=0, class_names=("bee", "cat", "ant"))
    assert images.read([0, 3]).labels.tolist() == [2, 1]
    assert_close(images.read([1]).images, images.read([4]).images)


def test_a_hugging_face_data_set(tiny_cnn, tmp_path):
    datasets = pytest.importorskip("datasets")
    for name in ("ant", "cat"):
        save_images(tmp_path / name, IMAGES[:3])
    source = datasets.load_dataset("imagefolder", data_dir=str(tmp_path), split="train", cache_dir=tmp_path / "cache")
    images = open_images(source, tiny_cnn.preprocess, held_out=2, seed=0, class_names=("bee", "cat", "ant"))
    assert images.read([0, 3]).labels.tolist() == [2, 1]
    assert images.digest() == open_images(source, tiny_cnn.preprocess, held_out=2, seed=0).digest()


def test_a_stream_has_no_indices(tiny_cnn):
    class Stream(IterableDataset):
        def __iter__(self):
            return iter(IMAGES)

    with pytest.raises(InputError, match="the Stream of this DataLoader has no indices"):
        open_images(DataLoader(Stream()), tiny_cnn.preprocess, held_out=2, seed=0)


def test_a_data_set_by_its_kind(tmp_path):
    for name in ("n01440764", "n02099601"):
        save_images(tmp_path / name, IMAGES[:2])
    images = open_images(f"imagenet:path={tmp_path}", make_tiny_cnn().preprocess, held_out=2, seed=0)
    assert images.read([0, 2]).labels.tolist() == [0, 207]
