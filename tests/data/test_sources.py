"""Images as people have them: patterns, folders, bytes, loaders, generators, other channels, large photos."""

import io
import tracemalloc

import numpy as np
import pytest
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset

import seewhy
from conftest import TINY, make_tiny_cnn
from seewhy.data import read_images
from seewhy.data.decode import images_below
from seewhy.data.read import ORIGINAL_SIDE
from seewhy.errors import ImageError, InputError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cats" / "small").mkdir(parents=True)
    for name, color in (("cats/a.png", "red"), ("cats/small/b.png", "lime"), ("c.jpg", "blue")):
        Image.new("RGB", (40, 40), color).save(tmp_path / name)
    return tmp_path


def test_folders_are_read_to_the_bottom_and_patterns_match(folder):
    assert len(read_images(folder, TINY)) == 3
    assert len(read_images(str(folder / "cats" / "*.png"), TINY)) == 1
    assert len(read_images(str(folder / "**" / "*.png"), TINY)) == 2
    with pytest.raises(ImageError, match="no image matches"):
        read_images(str(folder / "*.webp"), TINY)


def test_bytes_and_file_objects(folder):
    plain = read_images(folder / "c.jpg", TINY).images
    data = (folder / "c.jpg").read_bytes()
    with (folder / "c.jpg").open("rb") as file:
        for source in (data, io.BytesIO(data), file):
            assert torch.equal(read_images(source, TINY).images, plain)
    with (folder / "c.jpg").open() as file, pytest.raises(ImageError, match=r'opened as text. Use open\(…, "rb"'):
        read_images(file, TINY)
    with pytest.raises(ImageError, match="image 0: not an image"):
        read_images(b"no image", TINY)


class Pairs(Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return Image.new("RGB", (32, 32), (index, 0, 0)), index


def test_loaders_data_sets_generators_and_labeled_batches(images):
    labels = torch.tensor([1, 2])
    for source in (
        DataLoader(TensorDataset(images, labels), batch_size=1),
        TensorDataset(images, labels),
        (images, labels),
        (image for image in images),
        iter([images]),
    ):
        assert torch.equal(read_images(source, TINY).images, images)
    assert len(read_images(Pairs(), TINY)) == 3


class Stream(IterableDataset):
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


class KnownStream(Stream):
    def __len__(self):
        return len(self.items)


def test_streams_dicts_and_pairs_of_any_loader(images):
    labels = torch.tensor([1, 2])
    examples = [{"image": image, "label": label} for image, label in zip(images, labels, strict=True)]
    pairs = [(image, int(label)) for image, label in zip(images, labels, strict=True)]
    for source in (
        Stream(images),
        Stream(pairs),
        KnownStream(pairs),
        examples,
        pairs,
        DataLoader(examples, batch_size=2),
        DataLoader(pairs, batch_size=2, collate_fn=list),
        {"images": images, "labels": labels},
        ([images[0], images[1]], [1, 2]),
        dict(enumerate(images)).values(),
        np.fromiter(images, dtype=object),
    ):
        assert torch.equal(read_images(source, TINY).images, images)
    assert torch.equal(read_images((images[0], labels[0]), TINY).images, images[:1])
    assert len(read_images([images[0], images[1]], TINY)) == 2
    with pytest.raises(ImageError, match="must hold an 'image', this one has the keys pixel_values, labels"):
        read_images({"pixel_values": images, "labels": labels}, TINY)


def test_data_sets_of_this_library(folder):
    dataset = seewhy.open_dataset("folder", path=folder)
    batch = read_images(dataset, TINY)
    assert torch.equal(batch.images, read_images(folder, TINY).images)
    assert batch.names == tuple(item.name for item in dataset)
    assert len(read_images(seewhy.Scenes("test", 2), TINY)) == 2


def test_nothing_and_addresses_are_not_folders_or_patterns(folder, monkeypatch):
    monkeypatch.chdir(folder)
    with pytest.raises(ImageError, match="path is empty"):
        read_images("", TINY)
    with pytest.raises(ImageError, match="URLs are not supported"):
        read_images("https://example.org/cat.jpg?size=200", TINY)


def test_arrays_with_channels_first_and_float_tiff(tmp_path):
    values = np.random.default_rng(0).integers(0, 256, (3, 32, 32), dtype=np.uint8)
    np.testing.assert_allclose(read_images(values, TINY).images[0], values / 255, atol=1e-6)
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "float.tif", (values / 255).astype(np.float32).transpose(1, 2, 0), photometric="rgb")
    np.testing.assert_allclose(read_images(tmp_path / "float.tif", TINY).images[0], values / 255, atol=0.003)


def test_deep_tiff_is_scaled_by_its_type(tmp_path):
    tifffile = pytest.importorskip("tifffile")
    values = np.random.default_rng(0).integers(0, 65536, (32, 32, 3), dtype=np.uint16)
    tifffile.imwrite(tmp_path / "deep.tif", values, photometric="rgb")
    found = read_images(tmp_path / "deep.tif", TINY).images[0]
    np.testing.assert_allclose(found.permute(1, 2, 0), values / 65535, atol=1 / 255)
    tifffile.imwrite(
        tmp_path / "bands.tif", np.zeros((32, 32, 5), np.float32), planarconfig="contig", photometric="minisblack"
    )
    with pytest.raises(ImageError, match=r"bands\.tif: a TIFF of shape \(32, 32, 5\)"):
        read_images(tmp_path / "bands.tif", TINY)


def test_values_far_below_white_are_not_black_without_a_word(tmp_path):
    for most in (1.2, 300.0):  # neither 0..1 nor 0..255 nor 0..65535
        with pytest.raises(ImageError, match=r"mode F reach .*Scale them to \[0, 1\]"):
            read_images(Image.new("F", (9, 9), most), TINY)
    Image.fromarray(np.full((9, 9), 4095, np.uint16)).save(tmp_path / "twelve.png")
    with pytest.warns(UserWarning, match=r"image 0: nearly black"):
        read_images(np.full((9, 9, 3), 255, np.uint16), TINY)
    with pytest.warns(UserWarning, match=r"twelve\.png: nearly black, its brightest value is 4095 where 65535"):
        read_images(tmp_path / "twelve.png", TINY)


def test_words_about_heic_and_animations(tmp_path):
    (tmp_path / "photo.heic").write_bytes(b"ftypheic")
    with pytest.raises(ImageError, match="pillow-heif"):
        read_images(tmp_path / "photo.heic", TINY)
    frames = [Image.new("RGB", (9, 9), color) for color in ("lime", "red")]
    frames[0].save(tmp_path / "moving.gif", save_all=True, append_images=frames[1:])
    with pytest.warns(UserWarning, match=r"moving\.gif: 2 images in one file.*the first is read"):
        read_images(tmp_path / "moving.gif", TINY)


def test_an_image_of_the_models_size_is_not_cropped(tmp_path):
    values = np.random.default_rng(0).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    Image.fromarray(values).save(tmp_path / "exact.png")
    expected = torch.from_numpy(values).permute(2, 0, 1) / 255
    for source in (tmp_path / "exact.png", Image.fromarray(values), values, expected):
        torch.testing.assert_close(read_images(source, TINY).images[0], expected)


def test_large_photos_are_kept_small(tmp_path, tiny_cnn):
    Image.new("RGB", (4000, 3000), "orange").save(tmp_path / "large.jpg")
    batch = read_images(tmp_path / "large.jpg", TINY)
    assert batch.originals[0].size == (ORIGINAL_SIDE, ORIGINAL_SIDE * 3 // 4)
    left, top, right, bottom = batch.boxes[0]
    assert (right - left) / (bottom - top) == pytest.approx(1)
    assert (bottom - top) / batch.originals[0].height == pytest.approx(TINY.crop)
    explanation = seewhy.explain(tiny_cnn, tmp_path / "large.jpg", "grad_cam", relu=False)
    assert explanation.overlay().size == batch.originals[0].size
    assert explanation.preprocessing == TINY.description
    assert explanation.layer == "body"


def test_maps_of_other_images_are_refused(tiny_cnn, images):
    explanation = seewhy.explain(tiny_cnn, images, "grad_cam", relu=False)
    seewhy.evaluate(tiny_cnn, explanation, ["sparseness"], images=images)
    with pytest.raises(InputError, match="made for other images"):
        seewhy.evaluate(tiny_cnn, explanation, ["sparseness"], images=images.flip(0))
    with pytest.raises(InputError, match="maps of 2 images, but 1"):
        seewhy.evaluate(tiny_cnn, explanation, ["sparseness"], images=images[:1])


@pytest.mark.parametrize("channels", [1, 4])
def test_other_channels(channels, tmp_path):
    torch.manual_seed(0)
    network = make_tiny_cnn().module
    network.body[0] = torch.nn.Conv2d(channels, 8, 5, stride=2, padding=2)
    model = seewhy.wrap_model(network, image_size=32, mean=(0.5,) * channels, std=(0.25,) * channels)
    images = torch.rand(2, channels, 32, 32)
    for method in ("grad_cam", "gradient", "integrated_gradients", "occlusion", "simple_insertion"):
        options = {"relu": False} if method == "grad_cam" else {}
        explanation = seewhy.explain(model, images, method, **options)
        assert not explanation.failed_checks
    assert explanation.overlay().size == (32, 32)
    Image.new("RGB", (40, 40), "red").save(tmp_path / "red.png")
    if channels == 1:
        assert read_images(tmp_path / "red.png", model.preprocess).images.shape == (1, 1, 32, 32)
    else:
        with pytest.raises(ImageError, match="takes 4 channels"):
            read_images(tmp_path / "red.png", model.preprocess)


def test_memory_of_a_folder_is_that_of_what_is_shown(tmp_path):
    """Python's allocations miss Pillow's, so the kept pixels are counted, too."""
    for number in range(3):
        Image.new("RGB", (4000, 3000), "gray").save(tmp_path / f"{number}.jpg")
    tracemalloc.start()
    batch = read_images(tmp_path, TINY)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    pixels = sum(image.width * image.height * 3 for image in batch.originals)
    assert kept + pixels < 3 * 4e6


def test_linked_folders_are_read_once(tmp_path):
    for place in ("here/a", "there"):
        (tmp_path / place).mkdir(parents=True)
        Image.new("RGB", (40, 40)).save(tmp_path / place / "x.png")
    (tmp_path / "here" / "b").symlink_to(tmp_path / "there")
    (tmp_path / "here" / "a" / "up").symlink_to(tmp_path / "here")
    (tmp_path / "there" / "back").symlink_to(tmp_path / "here" / "a")
    (tmp_path / "here" / ".hidden").symlink_to(tmp_path / "there")
    names = [str(file.relative_to(tmp_path / "here")) for file in images_below(tmp_path / "here")]
    assert names == ["a/x.png", "b/back/x.png", "b/x.png"]


def test_pictures_that_seewhy_wrote_are_no_images(folder):
    """They lie below the images if a command is run there without --out, and would be explained the next time."""
    (folder / "seewhy-out").mkdir()
    for name in ("seewhy-out/c.grad_cam.png", "cats/seewhy-compare.png"):
        Image.new("RGB", (40, 40)).save(folder / name)
    with pytest.warns(UserWarning, match=r"left out .*seewhy-compare\.png, .*seewhy-out, as seewhy"):
        assert len(read_images(folder, TINY)) == 3
    assert len(read_images(folder / "seewhy-out", TINY)) == 1
