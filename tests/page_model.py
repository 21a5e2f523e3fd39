"""A tiny ViT for tests of the page: `seewhy ui --model tests/page_model.py:make_model`."""

from conftest import make_tiny_vit


def make_model():
    return make_tiny_vit(seed=2, img_size=64, depth=3)


def make_other():
    return make_tiny_vit(seed=3, img_size=64, depth=3)
