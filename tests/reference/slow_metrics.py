"""Metrics written a second time: one picture at a time, one pixel at a time, straight from the definitions."""

import itertools

import numpy as np
import torch
from scipy.ndimage import gaussian_filter
from scipy.signal import convolve2d


def upsample(values, size):
    """Bilinear with cell centers, borders repeated."""
    values = np.asarray(values, dtype=np.float64)
    rows, cols = values.shape
    out = np.zeros(size)
    for y in range(size[0]):
        for x in range(size[1]):
            fy = min(max((y + 0.5) * rows / size[0] - 0.5, 0), rows - 1)
            fx = min(max((x + 0.5) * cols / size[1] - 0.5, 0), cols - 1)
            y0, x0 = int(fy), int(fx)
            y1, x1 = min(y0 + 1, rows - 1), min(x0 + 1, cols - 1)
            top = values[y0, x0] * (1 - (fx - x0)) + values[y0, x1] * (fx - x0)
            bottom = values[y1, x0] * (1 - (fx - x0)) + values[y1, x1] * (fx - x0)
            out[y, x] = top * (1 - (fy - y0)) + bottom * (fy - y0)
    return out


def ranking(values):
    flat = np.asarray(values).reshape(-1).tolist()
    return sorted(range(len(flat)), key=lambda i: (-flat[i], i))


def gaussian_reference(image, size=37, sigma=37.0):
    """2-D convolution with an explicit kernel, mirrored border."""
    half = size // 2
    grid = np.arange(-half, half + 1)
    kernel = np.exp(-(grid[:, None] ** 2 + grid[None, :] ** 2) / (2 * sigma**2))
    kernel /= kernel.sum()
    planes = [convolve2d(np.pad(plane, half, mode="reflect"), kernel, mode="valid") for plane in image.numpy()]
    return torch.from_numpy(np.stack(planes))


def gkern_reference(image, mean, std, size=11, sigma=5.0):
    """A point smoothed by scipy is the kernel; normalized image, zeros around."""
    point = np.zeros((size, size))
    point[size // 2, size // 2] = 1
    kernel = gaussian_filter(point, sigma)
    planes = []
    for plane, m, s in zip(image.numpy(), mean, std, strict=True):
        planes.append(convolve2d((plane - m) / s, kernel, mode="same") * s + m)
    return torch.from_numpy(np.stack(planes))


def ask(model, image, target):
    probabilities = model.probabilities(image.unsqueeze(0))[0]
    return float(probabilities[target]), int(probabilities.argmax())


def replaced(image, reference, pixels):
    """The image with these pixels taken from the reference."""
    flat, other = image.clone().reshape(3, -1), reference.reshape(3, -1)
    flat[:, list(pixels)] = other[:, list(pixels)].to(flat)
    return flat.reshape(image.shape)


def deletion_curve(model, image, target, values, reference, counts):
    order = ranking(values)
    return [ask(model, replaced(image, reference, order[:k]), target) for k in counts]


def insertion_curve(model, image, target, values, reference, counts):
    order = ranking(values)
    return [ask(model, replaced(reference, image, order[:k]), target) for k in counts]


def negative_curve(model, image, target, values, reference, counts):
    """Least important first."""
    order = ranking(values)[::-1]
    return [ask(model, replaced(image, reference, order[:k]), target) for k in counts]


def trapezoid(curve):
    return sum((a + b) / 2 for a, b in itertools.pairwise(curve)) / (len(curve) - 1)


def response(curve, floor, clean, rising):
    """MDA's normalized response, point by point."""
    if clean == floor:
        return [float("nan")] * len(curve)
    out, best = [], 0.0 if rising else 1.0
    for value in curve:
        x = min(max((value - floor) / abs(clean - floor), 0.0), 1.0)
        best = max(best, x) if rising else min(best, x)
        out.append(best)
    return out


def mas(curve, floor, clean, attributions, rising):
    """Score from the raw curve and the attribution handed out in each step."""
    moved = response(curve, floor, clean, rising)
    density, done = [0.0], 0.0
    for value in attributions:
        done += abs(value)
        density.append(done / sum(abs(a) for a in attributions))
    density = density if rising else [1 - d for d in density]
    penalty = [abs(m - d) for m, d in zip(moved, density, strict=True)]
    scored = [m - p if rising else m + p for m, p in zip(moved, penalty, strict=True)]
    scored = [min(max(s, 0.0), 1.0) for s in scored]
    low, high = min(scored), max(scored)
    if any(np.isnan(scored)) or high == low:
        return 0.5
    return trapezoid([(s - low) / (high - low) for s in scored])


def average_drop(model, image, target, values, reference):
    values = np.asarray(values, dtype=np.float64)
    scaled = torch.from_numpy((values - values.min()) / (values.max() - values.min()))
    clean = ask(model, image, target)[0]
    shown = ask(model, (scaled * image + (1 - scaled) * reference).to(image), target)[0]
    return 100 * max(0.0, clean - shown) / clean, 100.0 * (shown > clean)


def average_precision(scores, labels):
    """Every distinct threshold on its own."""
    scores, labels = list(scores), list(labels)
    area, before = 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        chosen = [label for score, label in zip(scores, labels, strict=True) if score >= threshold]
        recall = sum(chosen) / sum(labels)
        area += (recall - before) * sum(chosen) / len(chosen)
        before = recall
    return area
