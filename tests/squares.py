"""Images of a white square, whose region is known."""

import numpy as np
from PIL import Image

from seewhy.models.preprocess import Preprocess

SMALL = Preprocess(size=(32, 32), crop=0.5, interpolation="nearest")


def square(path, *, left=30, top=10, side=20, size=(90, 60)):
    """A black image with a white square, and the square as a box of fractions."""
    pixels = np.zeros((size[1], size[0], 3), dtype=np.uint8)
    pixels[top : top + side, left : left + side] = 255
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)
    return left / size[0], top / size[1], (left + side) / size[0], (top + side) / size[1]
