"""The metrics of AHA's tables without sharing, for comparison: a separate sweep per metric and reference.

This is how published evaluation scripts work: each metric starts from the clean image, computes its references, ranks
the pixels and runs every point of its curve through the model. Batches are as large as ours.
"""

import torch
from torch import Tensor
from torch.nn.functional import conv2d, interpolate, pad

MEAN = (0.485, 0.456, 0.406)


def references(images: Tensor) -> dict[str, Tensor]:
    mean = images.new_tensor(MEAN).view(1, 3, 1, 1).expand_as(images)
    return {"black": torch.zeros_like(images), "imagenet_mean": mean, "blur": blur(images)}


def blur(images: Tensor, size: int = 37, sigma: float = 37.0) -> Tensor:
    grid = torch.arange(size, dtype=images.dtype) - size // 2
    kernel = torch.exp(-(grid[:, None] ** 2 + grid[None, :] ** 2) / (2 * sigma**2))
    kernel = (kernel / kernel.sum()).expand(3, 1, size, size)
    return conv2d(pad(images, (size // 2,) * 4, mode="reflect"), kernel, groups=3)


def perturbed(image: Tensor, reference: Tensor, order: Tensor, points: int) -> Tensor:
    """All images of one curve: the first pixels of `order` are replaced by the reference."""
    pixels = order.numel()
    rank = torch.empty_like(order)
    rank[order] = torch.arange(pixels)
    counts = torch.tensor([round(point / (points - 1) * pixels) for point in range(points)])
    replaced = (rank[None] < counts[:, None]).view(points, 1, *image.shape[-2:])
    return torch.where(replaced, reference, image)


def sweep(model, image: Tensor, reference: Tensor, heatmap: Tensor, target: int, *, least_first: bool) -> Tensor:
    """Probabilities along a curve of 21 points, and the clean image again."""
    model.probabilities(image[None])[0, target]
    order = heatmap.flatten().sort(descending=True, stable=True).indices
    order = order.flip(0) if least_first else order
    return model.probabilities(perturbed(image, reference, order, 21))


def area(curve: Tensor) -> float:
    return float(torch.trapezoid(curve, dx=1 / (len(curve) - 1)))


def deletion(model, image, reference, heatmap, target) -> float:
    return area(sweep(model, image, reference, heatmap, target, least_first=False)[:, target])


def insertion(model, image, reference, heatmap, target) -> float:
    return area(sweep(model, image, reference, heatmap, target, least_first=True)[:, target])


def positive(model, image, reference, heatmap, target) -> float:
    probabilities = sweep(model, image, reference, heatmap, target, least_first=False)
    return area((probabilities.argmax(dim=-1) == target).float())


def negative(model, image, reference, heatmap, target) -> float:
    probabilities = sweep(model, image, reference, heatmap, target, least_first=True)
    return area((probabilities.argmax(dim=-1) == target).float())


def faded(model, image, reference, heatmap, target) -> tuple[float, float]:
    scaled = (heatmap - heatmap.min()) / (heatmap.max() - heatmap.min())
    clean = model.probabilities(image[None])[0, target]
    shown = model.probabilities((scaled * image + (1 - scaled) * reference)[None])[0, target]
    return float(clean), float(shown)


def average_drop(*case) -> float:
    clean, shown = faded(*case)
    return 100 * max(0.0, clean - shown) / clean


def increase_in_confidence(*case) -> float:
    clean, shown = faded(*case)
    return 100.0 * (shown > clean)


def ins_del(*case) -> float:
    return insertion(*case) - deletion(*case)


def neg_pos(*case) -> float:
    return negative(*case) - positive(*case)


MEASURED = (deletion, insertion, positive, negative, average_drop, increase_in_confidence)
DIFFERENCES = {"ins_del": ("insertion", "deletion"), "neg_pos": ("negative", "positive")}


def score_row(
    model, images: Tensor, maps: Tensor, targets: Tensor, *, reuse: bool
) -> dict[tuple[int, str, str], float]:
    """Eight metrics and three references per image; `reuse` computes the two differences from scores already known."""
    scores = {}
    metrics = MEASURED if reuse else (*MEASURED, ins_del, neg_pos)
    for i, image in enumerate(images):
        heatmap = interpolate(maps[i : i + 1], size=image.shape[-2:], mode="bilinear", align_corners=False)[0, 0]
        for metric in metrics:
            for name, reference in references(image[None]).items():
                scores[i, metric.__name__, name] = metric(model, image, reference[0], heatmap, int(targets[i, 0]))
        for difference, (first, second) in DIFFERENCES.items() if reuse else ():
            for name in ("black", "imagenet_mean", "blur"):
                scores[i, difference, name] = scores[i, first, name] - scores[i, second, name]
    return scores
