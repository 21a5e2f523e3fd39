"""Reading images: every type and mode, every kind of broken file, and the geometry of the crop."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from seewhy.data import read_images
from seewhy.data.read import _read
from seewhy.errors import ImageError, OptionError
from seewhy.models.preprocess import Preprocess

WHOLE = Preprocess(size=(8, 8), crop=1.0, interpolation="nearest")


def coordinates(width: int, height: int) -> Image.Image:
    """Red tells the column, green the row, in steps of one."""
    rows, cols = np.mgrid[:height, :width]
    return Image.fromarray(np.stack([cols, rows, 0 * rows], -1).astype(np.uint8))


def noise(size: int = 64) -> Image.Image:
    return Image.fromarray(np.random.default_rng(0).integers(0, 255, (size, size, 3), dtype=np.uint8))


def colors(image: Image.Image | Path, preprocess: Preprocess = WHOLE) -> np.ndarray:
    """What the model gets in the middle of the image, 0...255."""
    return (read_images(image, preprocess).images[0, :, 4, 4] * 255).numpy()


# geometry


@pytest.mark.parametrize(("width", "height"), [(200, 120), (120, 200), (97, 61)])
@pytest.mark.parametrize("crop", [0.5, 0.875, 1.0])
@pytest.mark.parametrize("size", [(20, 20), (16, 24)])
def test_crop_shows_the_pixels_it_should(width, height, crop, size):
    """Output pixel j shows the position left + (j + ½) · step, by hand, so a gradient keeps its values when scaled."""
    batch = read_images(coordinates(width, height), Preprocess(size=size, crop=crop, interpolation="bilinear"))
    step = crop * min(width / size[1], height / size[0])
    cols = width / 2 + (np.arange(size[1]) + 0.5 - size[1] / 2) * step - 0.5
    rows = height / 2 + (np.arange(size[0]) + 0.5 - size[0] / 2) * step - 0.5
    red, green, _ = batch.images[0].numpy() * 255
    inner = slice(2, -2)  # the border repeats its last pixel
    np.testing.assert_allclose(red[inner, inner], np.broadcast_to(cols, size)[inner, inner], atol=0.51)
    np.testing.assert_allclose(green[inner, inner], np.broadcast_to(rows[:, None], size)[inner, inner], atol=0.51)
    left, top, right, bottom = batch.boxes[0]
    np.testing.assert_allclose([left, right], [cols[0] + 0.5 - step / 2, cols[-1] + 0.5 + step / 2], atol=1e-6)
    np.testing.assert_allclose([top, bottom], [rows[0] + 0.5 - step / 2, rows[-1] + 0.5 + step / 2], atol=1e-6)


def test_squash_takes_the_whole_image():
    batch = read_images(coordinates(200, 100), Preprocess(size=(10, 10), crop=1.0, squash=True, interpolation="box"))
    assert batch.boxes == ((0.0, 0.0, 200.0, 100.0),)
    np.testing.assert_allclose(batch.images[0, 0, 0] * 255, np.arange(10) * 20 + 9.5, atol=0.51)


def test_making_smaller_takes_every_pixel_into_account():
    stripes = np.zeros((80, 80, 3), np.uint8)
    stripes[:, ::2] = 255
    assert abs(colors(Image.fromarray(stripes), Preprocess((8, 8), interpolation="bicubic")) - 127.5).max() < 3


@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (3000, 1), (2, 3)])
def test_tiny_images_work(size):
    batch = read_images(Image.new("RGB", size, (10, 20, 30)), Preprocess((224, 224)))
    torch.testing.assert_close(batch.images[0, :, 100, 100] * 255, torch.tensor([10.0, 20.0, 30.0]))


def test_a_box_never_leaves_the_image():
    for width in range(1, 400, 7):  # rounding must not push the box outside
        assert read_images(Image.new("RGB", (width, 333)), Preprocess((224, 224), crop=1.0)).images.shape[-1] == 224


def test_unknown_interpolation_is_not_a_corrupt_image():
    with pytest.raises(OptionError, match="bicubic"):
        read_images(noise(), Preprocess((8, 8), interpolation="cubical"))


# kinds of images


def test_exif_orientation_is_applied(tmp_path):
    image, exif = coordinates(60, 40), Image.Exif()
    exif[0x0112] = 6  # the camera was held upright: turn right to see it
    image.save(tmp_path / "turned.png", exif=exif)
    batch = read_images(tmp_path / "turned.png", WHOLE)
    assert batch.originals[0].size == (40, 60)
    assert batch.originals[0].getpixel((39, 0)) == (0, 0, 0)  # the top left corner is now at the top right
    assert batch.originals[0].getpixel((0, 0)) == (0, 39, 0)


@pytest.mark.parametrize(
    ("mode", "color", "expected"),
    [
        ("L", 100, (100, 100, 100)),
        ("1", 1, (255, 255, 255)),
        ("RGB", (10, 20, 30), (10, 20, 30)),
        ("RGBA", (100, 0, 0, 51), (224, 204, 204)),  # a fifth of (100, 0, 0) on white
        ("RGBA", (0, 0, 0, 0), (255, 255, 255)),
        ("LA", (0, 51), (204, 204, 204)),
        ("I;16", 0x8080, (128, 128, 128)),
        ("I", 0x8080, (128, 128, 128)),
        ("I", 2**31 - 1, (255, 255, 255)),
        ("F", 0.5, (128, 128, 128)),
        ("F", 100.0, (100, 100, 100)),
        ("CMYK", (0, 255, 255, 0), (255, 0, 0)),
        ("YCbCr", (128, 128, 128), (128, 128, 128)),
    ],
)
def test_modes(mode, color, expected):
    np.testing.assert_allclose(colors(Image.new(mode, (9, 9), color)), expected, atol=1)


@pytest.mark.parametrize("value", [-1.0, float("nan"), 1e9])
def test_values_that_cannot_be_placed_are_an_error(value):
    with pytest.raises(ImageError, match=r"mode F.*Scale them to \[0, 1\]"):
        read_images(Image.new("F", (9, 9), value), WHOLE)


def test_files_of_many_kinds(tmp_path):
    red = Image.new("RGB", (32, 32), (200, 30, 30))
    red.convert("CMYK").save(tmp_path / "cmyk.jpg")
    red.convert("L").save(tmp_path / "gray.jpg")
    red.convert("P", palette=Image.Palette.ADAPTIVE).save(tmp_path / "palette.png")
    for format in ("bmp", "gif", "tiff", "webp", "ppm"):
        red.save(tmp_path / f"red.{format}")
    for path in sorted(tmp_path.iterdir()):
        expected = (81, 81, 81) if path.stem == "gray" else (200, 30, 30)
        np.testing.assert_allclose(colors(path), expected, atol=4, err_msg=path.name)  # JPEG rounds


def test_palette_with_transparency(tmp_path):
    image = Image.new("P", (9, 9), 1)
    image.putpalette([0, 0, 0, 200, 30, 30, 10, 250, 10])
    image.save(tmp_path / "clear.png", transparency=1)
    image.save(tmp_path / "half.png", transparency=bytes([255, 128, 255]))
    np.testing.assert_allclose(colors(tmp_path / "clear.png"), (255, 255, 255))
    np.testing.assert_allclose(colors(tmp_path / "half.png"), (227, 142, 142), atol=1)


def test_16_bit_png(tmp_path):
    ramp = (np.arange(64, dtype=np.uint16) * 1000)[None].repeat(64, 0)
    Image.fromarray(ramp).save(tmp_path / "deep.png")
    batch = read_images(tmp_path / "deep.png", Preprocess((64, 64), crop=1.0, interpolation="nearest"))
    np.testing.assert_allclose(batch.images[0, 1], ramp / 65535, atol=0.5 / 255)


@pytest.mark.filterwarnings("ignore:.*images in one file:UserWarning")
def test_animation_shows_its_first_frame(tmp_path):
    frames = [Image.new("RGB", (9, 9), color) for color in ("lime", "red", "blue")]
    frames[0].save(tmp_path / "moving.gif", save_all=True, append_images=frames[1:])
    np.testing.assert_allclose(colors(tmp_path / "moving.gif"), (0, 255, 0), atol=1)


# tensors and arrays


def test_a_tensor_of_the_models_size_is_taken_as_it_is():
    images = torch.rand(3, 3, 8, 8, dtype=torch.float64)
    batch = read_images(images, WHOLE)
    torch.testing.assert_close(batch.images, images, rtol=0, atol=0)
    assert batch.originals == (None, None, None)
    assert batch.boxes[0] == (0.0, 0.0, 8.0, 8.0)
    assert batch.names == ("image 0", "image 1", "image 2")


def test_an_error_in_a_batch_names_the_image():
    images = torch.rand(3, 3, 8, 8)
    images[1, 0, 0, 0] = torch.nan
    with pytest.raises(ImageError, match="image 1: values must be finite"):
        read_images(images, WHOLE)
    batch = read_images(images, WHOLE, on_error="skip")
    assert (batch.names, batch.kept) == (("image 0", "image 2"), (0, 2))


def test_other_tensors_are_resized_like_images():
    image = noise()
    preprocess = Preprocess((16, 16))
    tensor = torch.from_numpy(np.array(image)).permute(2, 0, 1)
    wanted = read_images(image, preprocess)
    for given in (tensor, tensor / 255, tensor.double() / 255):
        batch = read_images(given, preprocess)
        assert batch.boxes == wanted.boxes
        torch.testing.assert_close(batch.images.float(), wanted.images, rtol=0, atol=1.01 / 255)


def test_arrays():
    image, preprocess = noise(), Preprocess((16, 16))
    array = np.array(image)
    wanted = read_images(image, preprocess).images
    torch.testing.assert_close(read_images(array, preprocess).images, wanted, rtol=0, atol=0)
    torch.testing.assert_close(read_images(array[None], preprocess).images, wanted, rtol=0, atol=0)
    torch.testing.assert_close(read_images(array.astype(np.uint16) * 257, preprocess).images, wanted, rtol=0, atol=0)
    torch.testing.assert_close(read_images(array / 255, preprocess).images.float(), wanted, rtol=0, atol=1.01 / 255)
    gray = read_images(array[..., 0] / np.float32(255), preprocess).images
    torch.testing.assert_close(gray[:, 0], gray[:, 2])


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        (torch.full((3, 8, 8), torch.nan), "must be finite"),
        (torch.full((3, 8, 8), torch.inf), "must be finite"),
        (torch.full((3, 8, 8), 200.0), "200.*Divide it by 255"),
        (torch.randn(3, 8, 8), "not normalized yet"),
        (torch.rand(8, 8, 3), r"permute\(2, 0, 1\)"),
        (torch.rand(8, 8), r"got \(8, 8\)"),
        (torch.rand(1, 8, 8), r"got \(1, 8, 8\).*\.expand\(3, -1, -1\)"),
        (torch.rand(3, 8, 8).to_sparse(), "dense tensor"),
        (torch.rand(3, 8, 8, device="meta"), "dense tensor that holds values"),
        (torch.rand(3, 0, 8), r"got \(3, 0, 8\)"),
        (torch.ones(3, 8, 8, dtype=torch.int64), "got int64"),
        (Image.new("RGB", (0, 5)), "no pixels"),
    ],
)
def test_wrong_tensors(tensor, message):
    with pytest.raises(ImageError, match=f"image 0.*{message}"):
        read_images(tensor, WHOLE)


def test_anything_else_is_an_error():
    with pytest.raises(ImageError, match="dict is not an image"):
        _read("image 0", {}, WHOLE, True)


# broken files


def bomb() -> bytes:
    """A PNG that claims 60,000 x 60,000 pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


def encoded(format: str) -> bytes:
    buffer = io.BytesIO()
    noise().save(buffer, format)
    return buffer.getvalue()


def half(format: str) -> bytes:
    return encoded(format)[: len(encoded(format)) // 2]


BROKEN = {
    "empty.png": (b"", "empty"),
    "text.jpg": (b"this is not an image at all", "not an image"),
    "half.png": (half("PNG"), "truncated or corrupt"),
    "half.jpg": (half("JPEG"), "truncated or corrupt"),
    "half.webp": (half("WEBP"), "truncated or corrupt|not an image"),
    "bomb.png": (bomb(), "decompression bomb"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_give_one_clear_error(tmp_path, name):
    content, message = BROKEN[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ImageError, match=message) as caught:
        read_images(tmp_path / name, WHOLE)
    assert str(caught.value).startswith(str(tmp_path / name))
    assert str(caught.value).count(name) == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [("none.png", "no such file"), ("", "no images in this folder"), ("https://x.org/cat.jpg", "Download")],
)
def test_missing_files(tmp_path, name, message):
    path = name if "://" in name else str(tmp_path / name)
    with pytest.raises(ImageError, match=message) as caught:
        read_images(path, WHOLE)
    assert str(caught.value).count(Path(path).name) == 1


def test_above_pillows_limit_is_an_error_too(tmp_path, monkeypatch):
    """Pillow only warns up to twice the limit."""
    noise(32).save(tmp_path / "large.png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    with pytest.raises(ImageError, match=r"more than 1,000 pixels"):
        read_images(tmp_path / "large.png", WHOLE)


def test_what_to_do_with_errors_is_checked():
    with pytest.raises(OptionError, match="on_error must be 'raise' or 'skip', got 'ignore'"):
        read_images(Image.new("RGB", (40, 40)), Preprocess((32, 32)), on_error="ignore")


def test_skip_keeps_the_others(tmp_path):
    noise().save(tmp_path / "a.png")
    for name, (content, _) in BROKEN.items():
        (tmp_path / name).write_bytes(content)
    given = [tmp_path / "none.png", tmp_path / "a.png", *(tmp_path / name for name in BROKEN), noise()]
    batch = read_images(given, WHOLE, on_error="skip")
    assert batch.kept == (1, len(given) - 1)
    assert batch.names == (str(tmp_path / "a.png"), f"image {len(given) - 1}")
    assert len(batch.problems) == len(BROKEN) + 1
    torch.testing.assert_close(batch.images[0], batch.images[1])


def test_nothing_left_is_an_error(tmp_path):
    with pytest.raises(ImageError, match=r"b\.png: there is no such file"):
        read_images([tmp_path / "b.png"], WHOLE, on_error="skip")
    with pytest.raises(ImageError, match="none of the 2 images"):
        read_images([tmp_path / "b.png", tmp_path], WHOLE, on_error="skip")
    with pytest.raises(ImageError, match="list is empty"):
        read_images([], WHOLE)


def test_folders_and_mixed_lists(tmp_path):
    for index, name in enumerate(["b.PNG", "a.jpg", ".hidden.png", "notes.txt"]):
        Image.new("RGB", (9, 9), (index, 0, 0)).save(tmp_path / name, "PNG")
    batch = read_images([tmp_path, torch.rand(2, 3, 8, 8), str(tmp_path / "a.jpg")], WHOLE)
    assert batch.names == (*(str(tmp_path / name) for name in ("a.jpg", "b.PNG")), "image 2", "image 3", batch.names[0])
    assert batch.kept == (0, 1, 2, 3, 4)
    assert len(batch) == 5


def test_values_a_little_above_one_are_shown_as_they_are():
    with pytest.raises(ImageError, match=r"got 0 to 1\.0005.*clamp\(0, 1\)"):
        read_images(torch.tensor([0.0, 1.0005]).repeat(1, 3, 32, 16), Preprocess((32, 32)))
