"""The arguments of `wrap_model`, checked and turned into a `Preprocess`."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import numpy as np
from PIL import Image
from torch import Tensor

from seewhy.errors import InputError, OptionError, or_list
from seewhy.models.preprocess import Preprocess
from seewhy.runtime.options import check, check_value
from seewhy.types import Color

MAX_COLOR = 2.0  # a larger mean or std cannot be for images in [0, 1]
TEST_SIZES = ((600, 400), (400, 600))  # of the images that a transform is tried on


def apply_arguments(
    preprocess: Preprocess,
    *,
    mean: Any = None,
    std: Any = None,
    image_size: Any = None,
    crop: Any = None,
    squash: Any = None,
    interpolation: str | None = None,
    transform: Any = None,
) -> Preprocess:
    """The preprocessing with the given arguments in place of its defaults."""
    check_value("crop", crop, float | None)
    check_value("squash", squash, bool | None)
    check_function("transform", transform, "turns a PIL image into a normalized tensor (channels, height, width)")
    if transform is not None:
        preprocess = _with_transform(preprocess, transform)
    given: dict[str, Any] = {"squash": squash, "crop": crop, "interpolation": interpolation}
    if mean is not None:
        given["mean"] = check_color("mean", mean)
    if std is not None:
        given["std"] = check_color("std", std)
    if image_size is not None:
        given["size"] = check_size(image_size)
    changed = replace(preprocess, **{name: value for name, value in given.items() if value is not None})
    _check(changed, transform is not None and image_size is not None and changed.size != preprocess.size)
    return changed


def _check(preprocess: Preprocess, other_size: bool) -> None:
    known = [member.name.lower() for member in Image.Resampling]
    if len(preprocess.mean) != len(preprocess.std):
        raise OptionError(
            "mean and std must have a value per channel, as (0.5, 0.5, 0.5) for color or 0.5 for gray images; got "
            f"{preprocess.mean} and {preprocess.std}"
        )
    if not 0 < preprocess.crop <= 1:
        raise OptionError(f"crop must be a fraction of the image, above 0 and at most 1; got {preprocess.crop}")
    if preprocess.interpolation not in known:
        raise OptionError(f"interpolation must be {or_list(known)}, got {preprocess.interpolation!r}")
    if other_size:
        raise OptionError(f"transform returns images of another size than image_size={preprocess.size}; omit one")


def check_function(name: str, function: Any, purpose: str) -> None:
    """Raise unless it is a function or None."""
    check(function is None or callable(function), f"{name} must be a function that {purpose}, got {function!r:.80}")


def check_color(name: str, values: Any) -> Color:
    """A finite number per channel, for images in [0, 1]; std above 0."""
    values = [values] if isinstance(values, (int, float)) else values
    try:
        color = tuple(float(value) for value in values)
    except (TypeError, ValueError):
        raise OptionError(f"{name} must be a number per channel, such as (0.5, 0.5, 0.5); got {values!r}") from None
    if not color or not all(math.isfinite(value) for value in color):
        raise OptionError(f"{name} must be a finite number per channel, got {color}")
    if max(color) > MAX_COLOR:
        raise OptionError(f"{name} must be for images in [0, 1], got {color}: divide it by 255")
    if name == "std" and min(color) <= 0:
        raise OptionError(f"std must be above 0, got {color}")
    return color


def check_size(size: Any) -> tuple[int, int]:
    """Height and width from a number or a pair."""
    pair = (size, size) if isinstance(size, int) else size
    whole = isinstance(pair, Sequence) and len(pair) == 2 and all(isinstance(side, int) for side in pair)
    if not whole or isinstance(size, bool) or min(pair) < 1:
        raise OptionError(f"image_size must be a number of pixels or a pair (height, width), got {size!r}")
    return pair[0], pair[1]


def check_class_names(names: Any) -> list[str]:
    """Class names as a list of strings."""
    if isinstance(names, (str, dict)) or not all(isinstance(name, str) for name in names):
        raise InputError(f"class_names must be a list of strings, one per class, by index; got {names!r:.80}")
    return list(names)


def _with_transform(preprocess: Preprocess, transform: Callable[[Any], Any]) -> Preprocess:
    """Size, mean and std of a transform, from its outputs for a black and a white image."""
    trials = [Image.new("RGB", size, color) for size, color in zip(TEST_SIZES, ("black", "white"), strict=True)]
    black, white = (run_transform(transform, image) for image in trials)
    if black.shape != white.shape:
        shapes = or_list(tuple(result.shape) for result in (black, white))
        raise OptionError(f"transform must return one size for all images, got {shapes}; end it with a crop")
    low, high = black.amin(dim=(1, 2)).double(), white.amax(dim=(1, 2)).double()  # -mean / std and (1 - mean) / std
    if not bool((high > low).all()):
        raise OptionError("transform must return larger values for a white image than for a black one")
    std = 1 / (high - low)
    mean = (-low * std).abs()
    height, width = black.shape[1:]
    return replace(
        preprocess, size=(height, width), mean=tuple(mean.tolist()), std=tuple(std.tolist()), transform=transform
    )


def transform_digest(transform: Callable[[Any], Any]) -> str:
    """A hash of what a transform makes of one image, which tells transforms apart."""
    rows, cols = np.indices(TEST_SIZES[0])
    image = Image.fromarray(np.stack([rows, cols, rows * cols], axis=-1).astype(np.uint8))
    return blake2b(run_transform(transform, image).contiguous().numpy(force=True).tobytes(), digest_size=8).hexdigest()


def run_transform(transform: Callable[[Any], Any], image: Image.Image) -> Tensor:
    """The tensor `channels height width` that a transform returns for an image."""
    result = transform(image)
    result = result[0] if isinstance(result, Tensor) and result.ndim == 4 and len(result) == 1 else result
    if not isinstance(result, Tensor) or result.ndim != 3 or not result.is_floating_point():
        actual = f"{result.dtype} {tuple(result.shape)}" if isinstance(result, Tensor) else type(result).__name__
        raise OptionError(
            f"transform must turn a PIL image into a float tensor (channels, height, width), got {actual}"
        )
    return result
