"""Items: keys are hashes of content, and very small images are refused."""

import pytest
from PIL import Image

from seewhy.data import ImageItem
from seewhy.errors import ImageError
from squares import SMALL, square


def test_content_decides_the_key(tmp_path):
    square(tmp_path / "a.png")
    square(tmp_path / "b.png")
    square(tmp_path / "c.png", left=31)
    keys = [ImageItem("x", tmp_path / f"{name}.png").key() for name in "abc"]
    assert keys[0] == keys[1] != keys[2]
    assert ImageItem("x", tmp_path / "a.png", (1,)).key() != keys[0]
    ImageItem("x", tmp_path / "missing.png").key()


def test_images_that_are_too_small():
    with pytest.raises(ImageError, match="got 4x4"):
        ImageItem("dot", Image.new("RGB", (4, 4))).read(SMALL)
