"""Models whose probabilities are linear in the pixels, so that areas under curves can be worked out by hand."""

import torch
from torch import Tensor, nn

from seewhy.models.classifier import Classifier, Split
from seewhy.models.preprocess import Preprocess


class _Weights(nn.Module):
    def __init__(self, weights: Tensor) -> None:
        super().__init__()
        self.register_buffer("weights", weights)

    def forward(self, images: Tensor) -> Tensor:
        return torch.einsum("nchw,khw->nk", images, self.weights.to(images)) / images.shape[1]


class LinearModel(Classifier):
    """probability of class k = the gray image weighted with `weights[k]` and summed; no softmax."""

    def __init__(self, weights: Tensor) -> None:
        height, width = weights.shape[1:]
        preprocess = Preprocess(size=(height, width), mean=(0.0, 0.0, 0.0), std=(1.0, 1.0, 1.0))
        super().__init__(_Weights(weights), preprocess, name="linear")

    @property
    def dtype(self) -> torch.dtype:
        return self.module.weights.dtype

    def forward(self, normalized: Tensor) -> Tensor:
        return self.module(normalized)

    def split(self, images: Tensor) -> Split:
        raise NotImplementedError

    def to_probabilities(self, logits: Tensor) -> Tensor:
        return logits


def two_classes(weights: list[list[float]]) -> LinearModel:
    """Class 0 has the weights; class 1 has a constant share of every pixel that sums to one half on a white image."""
    first = torch.tensor(weights, dtype=torch.float64)
    return LinearModel(torch.stack([first, torch.full_like(first, 0.5 / first.numel())]))
