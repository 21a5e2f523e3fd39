"""A linear model whose patch values are known, and images in which cells are replaced by the mean color."""

import torch
from torch import nn

from conftest import TINY
from seewhy.models.module import ModuleClassifier


def linear_model():
    """A logit that is a sum over pixels, so that the value of a patch is the sum over its pixels."""
    head = nn.Linear(3 * 32 * 32, 4)
    return ModuleClassifier(nn.Sequential(nn.Flatten(), head).eval(), TINY, name="linear"), head


def patch_sums(model, head, images, target, cells):
    """The value of every patch of a linear model."""
    products = (head.weight[target].view(3, 32, 32) * model.normalize(images)).sum(dim=1)
    side = 32 // cells
    return products.unflatten(1, (cells, side)).unflatten(3, (cells, side)).sum(dim=(2, 4)).detach()


def spliced(model, image, keep, cells):
    """The image where cells are kept, the mean color elsewhere."""
    side = 32 // cells
    mask = torch.zeros(cells, cells)
    for cell in keep:
        mask[cell // cells, cell % cells] = 1
    mask = mask.repeat_interleave(side, 0).repeat_interleave(side, 1)
    mean = torch.tensor(model.mean).view(3, 1, 1)
    return (mean + (image - mean) * mask)[None]
