"""Read images of any type into one batch in [0, 1], and keep the crop box of each.

Files, PIL images and integer arrays are cropped and resized by the model's `Preprocess`. Float tensors and arrays
of the model's size are used unchanged; others are cropped and resized without rounding.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import torch
from jaxtyping import Float
from PIL import Image
from torch import Tensor

from seewhy.data.decode import BYTES, as_rgb, decoding, open_image, open_stream, to_bytes
from seewhy.data.sources import single_images
from seewhy.errors import ImageError, OptionError
from seewhy.models.arguments import run_transform
from seewhy.models.preprocess import Box, Preprocess
from seewhy.runtime.progress import track
from seewhy.types import Images

ImageSource: TypeAlias = str | Path | Image.Image | Tensor | np.ndarray
SingleImage = Float[Tensor, "colors height width"]

ORIGINAL_SIDE = 1024  # pixels of the longer side: originals are kept at this size, for drawing
TOLERANCE = 1e-4  # rounding errors beyond [0, 1] that are accepted


@dataclass(frozen=True)
class ImageBatch:
    """Images as the model sees them, and the origin of each."""

    images: Images
    originals: tuple[
        Image.Image | None, ...
    ]  # upright RGB, uncropped, at most `ORIGINAL_SIDE` pixels; None for tensors
    names: tuple[str, ...]
    boxes: tuple[Box, ...]  # the crop: left, top, right, bottom in pixels of the original
    problems: tuple[ImageError, ...] = ()  # why images were skipped
    kept: tuple[int, ...] = ()  # positions of the images in the expanded list of sources

    def __len__(self) -> int:
        return len(self.images)


class _ReadImage(NamedTuple):
    image: SingleImage
    original: Image.Image | None
    box: Box


def read_images(
    sources: Any,
    preprocess: Preprocess,
    *,
    on_error: str = "raise",
    originals: bool = True,
) -> ImageBatch:
    """Read paths, patterns, folders, PIL images, bytes, files, tensors, arrays, data sets, or a list that mixes them.

    With `on_error="skip"`, images that cannot be read are listed in `problems`; it is an error if none can. Without
    `originals`, which drawing needs, reading is faster.
    """
    if on_error not in ("raise", "skip"):
        raise OptionError(f"on_error must be 'raise' or 'skip', got {on_error!r}")
    if isinstance(sources, Tensor) and _is_model_input(sources, preprocess):
        return _tensor_batch(sources)
    entries = list(_entries(sources))
    done, problems = {}, []
    for index, (name, source) in enumerate(track(entries, "reading images")):
        try:
            done[index] = _read(name, source, preprocess, originals)
        except ImageError as error:
            if on_error == "raise":
                raise
            problems.append(error)
    if not done:
        raise _no_images_error(problems)
    device = next(iter(done.values())).image.device
    return ImageBatch(
        images=torch.stack([read.image.to(device) for read in done.values()]),
        originals=tuple(read.original for read in done.values()),
        names=tuple(entries[index][0] for index in done),
        boxes=tuple(read.box for read in done.values()),
        problems=tuple(problems),
        kept=tuple(done),
    )


def read_image(source: Any, preprocess: Preprocess, *, name: str | None = None) -> SingleImage:
    """One image (file, PIL image, bytes, tensor or array) as the model sees it."""
    name = name or (str(source) if isinstance(source, (str, Path)) else "image")
    return _read(name, source, preprocess, originals=False).image


def _is_model_input(images: Tensor, preprocess: Preprocess) -> bool:
    """Whether this is a batch of valid images of the model's size, which needs no further processing."""
    if images.ndim != 4 or not len(images) or tuple(images.shape[1:]) != (preprocess.channels, *preprocess.size):
        return False
    if images.dtype not in (torch.float32, torch.float64):
        return False
    low, high = images.detach().aminmax()
    return bool(low >= -TOLERANCE) and bool(high <= 1 + TOLERANCE)


def _tensor_batch(images: Images) -> ImageBatch:
    number, (height, width) = len(images), images.shape[-2:]
    return ImageBatch(
        images=images,
        originals=(None,) * number,
        names=tuple(f"image {index}" for index in range(number)),
        boxes=((0.0, 0.0, float(width), float(height)),) * number,
        kept=tuple(range(number)),
    )


def _entries(sources: Any) -> Iterator[tuple[str, Any]]:
    """Name and source of each image; an unreadable folder is represented by its error."""
    for number, source in enumerate(single_images(sources)):
        if isinstance(source, (str, Path, ImageError)):
            yield str(source), source
        else:
            name = getattr(source, "filename", "") or getattr(source, "name", "")
            yield str(name if isinstance(name, str) and name else f"image {number}"), source


def _read(name: str, source: Any, preprocess: Preprocess, originals: bool) -> _ReadImage:
    if isinstance(source, ImageError):
        raise source
    if isinstance(source, (str, Path)):
        return _read_image(name, open_image(source), preprocess, originals)
    if callable(getattr(source, "key", None)):  # an item of our data sets
        return _read_item(source, preprocess)
    if isinstance(source, BYTES) or hasattr(source, "read"):
        return _read_image(name, open_stream(name, source), preprocess, originals)
    if isinstance(source, Image.Image):
        with decoding(name):
            image = as_rgb(_not_empty(source), name)
        return _read_image(name, image, preprocess, originals)
    if isinstance(source, np.ndarray) and source.dtype in (np.uint8, np.uint16) and preprocess.channels == 3:
        with decoding(name):
            image = as_rgb(_to_pil(source, name), name)
        return _read_image(name, image, preprocess, originals)
    if isinstance(source, np.ndarray):
        source = _channels_first(source, preprocess.channels)
    if isinstance(source, Tensor):
        return _read_tensor(name, _check_tensor(name, source, preprocess.channels), preprocess)
    raise ImageError(
        f"{name}: {type(source).__name__} is not an image. Give a path, a PIL image, bytes, a tensor "
        "(3, height, width) in [0, 1], an array (height, width, 3), or a list, folder, data set or loader of them."
    )


def _read_item(item: Any, preprocess: Preprocess) -> _ReadImage:
    """An item of a data set of this library."""
    sample = item.read(preprocess)
    height, width = sample.image.shape[-2:]
    whole = (0.0, 0.0, float(width), float(height))
    return _ReadImage(
        sample.image, sample.original, whole if sample.original is None else _box(preprocess, *sample.original.size)
    )


def _read_image(name: str, image: Image.Image, preprocess: Preprocess, originals: bool) -> _ReadImage:
    """Crop and resize in one step, anti-aliased; the original is kept as a thumbnail."""
    if preprocess.transform is not None:
        return _transformed(name, image, preprocess.transform, preprocess)
    if preprocess.channels not in (1, 3):
        raise ImageError(
            f"{name}: the model takes {preprocess.channels} channels, an image file has three. Give tensors "
            f"({preprocess.channels}, height, width) in [0, 1], or wrap_model(…, transform=…)."
        )
    box = _box(preprocess, image.width, image.height)
    colors = image if preprocess.channels == 3 else image.convert("L")
    resized = np.array(colors.resize(preprocess.size[::-1], _filter(preprocess), box=box))
    pixels = torch.from_numpy(resized.reshape(*preprocess.size, -1)).permute(2, 0, 1).contiguous().float() / 255
    if not originals:
        return _ReadImage(pixels, None, box)
    shown = image.copy()
    shown.thumbnail((ORIGINAL_SIDE, ORIGINAL_SIDE))
    across, down = shown.width / image.width, shown.height / image.height
    return _ReadImage(pixels, shown, (box[0] * across, box[1] * down, box[2] * across, box[3] * down))


def _transformed(name: str, image: Image.Image, transform: Callable[[Any], Any], preprocess: Preprocess) -> _ReadImage:
    """An image processed by the user's transform; its crop is unknown, so no original is kept."""
    mean, std = (torch.tensor(color).view(-1, 1, 1) for color in (preprocess.mean, preprocess.std))
    pixels = run_transform(transform, image) * std + mean
    low, high = (value.item() for value in pixels.aminmax())
    if low < -TOLERANCE or high > 1 + TOLERANCE:
        raise ImageError(
            f"{name}: with mean {preprocess.mean} and std {preprocess.std}, the output of transform= means values "
            f"from {low:.3g} to {high:.3g} instead of [0, 1]. Pass the mean= and std= that it normalizes with."
        )
    checked = _check_tensor(name, pixels, preprocess.channels)
    return _ReadImage(checked.clamp(0, 1), None, (0.0, 0.0, float(checked.shape[2]), float(checked.shape[1])))


def _read_tensor(name: str, image: SingleImage, preprocess: Preprocess) -> _ReadImage:
    height, width = image.shape[1:]
    if (height, width) == tuple(preprocess.size):
        return _ReadImage(image, None, (0.0, 0.0, float(width), float(height)))
    if preprocess.transform is not None:
        size = f"{preprocess.size[0]}x{preprocess.size[1]}"
        raise ImageError(f"{name}: transform= takes PIL images and files; a tensor must have the model's size, {size}.")
    box = _box(preprocess, width, height)
    channels = [Image.fromarray(channel.float().numpy(force=True)) for channel in image]  # mode F: no rounding
    resized = [np.array(channel.resize(preprocess.size[::-1], _filter(preprocess), box=box)) for channel in channels]
    return _ReadImage(torch.from_numpy(np.stack(resized)).to(image).clamp(0, 1), None, box)


def _check_tensor(name: str, tensor: Tensor, channels: int) -> SingleImage:
    """The tensor as floats in [0, 1], with uint8 scaled; raises unless it is an image `channels height width`."""
    shape = tuple(tensor.shape)
    if len(shape) != 3 or shape[0] != channels or 0 in shape:
        last = len(shape) == 3 and shape[2] == channels
        hint = " Channels must come first: use .permute(2, 0, 1)." if last else ""
        hint = " A gray image: use .expand(3, -1, -1)." if len(shape) == 3 and (shape[0], channels) == (1, 3) else hint
        expected = f"({channels}, height, width) or (batch, {channels}, height, width)"
        raise ImageError(f"{name}: must be a tensor {expected}, got {shape}.{hint}")
    if tensor.is_meta or tensor.layout != torch.strided:
        raise ImageError(f"{name}: must be a dense tensor that holds values, got {tensor.layout} on {tensor.device}.")
    if tensor.dtype == torch.uint8:
        return tensor.float() / 255
    if not tensor.is_floating_point():
        raise ImageError(
            f"{name}: must hold floats in [0, 1] or uint8, got {str(tensor.dtype).removeprefix('torch.')}."
        )
    low, high = (value.item() for value in tensor.detach().aminmax())
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ImageError(f"{name}: values must be finite, got NaN or infinity.")
    if low < -TOLERANCE or high > 1 + TOLERANCE:
        hint = "Divide it by 255." if low >= 0 and high > 2 else "Pass images that are not normalized yet"
        hint = hint if hint.endswith(".") else f"{hint}; if they overshoot (bicubic resizing does), images.clamp(0, 1)."
        raise ImageError(f"{name}: values must be in [0, 1], got {low:.7g} to {high:.7g}. {hint}")
    return tensor if tensor.dtype == torch.float64 else tensor.float()


def _not_empty(image: Image.Image) -> Image.Image:
    if 0 in image.size:
        raise ImageError(f"the image has no pixels (width {image.width}, height {image.height}).")
    return image


def _channels_first(array: np.ndarray, channels: int) -> Tensor:
    """An array, `height width` or `height width channels`, as a tensor `channels height width`; gray becomes RGB."""
    array = array[..., None] if array.ndim == 2 else array
    array = array.repeat(3, axis=2) if array.ndim == 3 and array.shape[2] == 1 and channels == 3 else array
    tensor = torch.tensor(array)  # copies: arrays may be read-only or have negative strides
    return tensor.permute(2, 0, 1).contiguous() if tensor.ndim == 3 and tensor.shape[2] == channels else tensor


def _to_pil(array: np.ndarray, name: str) -> Image.Image:
    """A PIL image of an array `height width` or `height width channels`: L, LA, RGB or RGBA."""
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[..., 0]
    if array.ndim == 3 and array.shape[0] in (1, 3) and array.shape[2] not in (1, 2, 3, 4):  # channels first
        array = array[0] if len(array) == 1 else array.transpose(1, 2, 0)
    if not (array.ndim == 2 or (array.ndim == 3 and array.shape[2] in (2, 3, 4))) or 0 in array.shape:
        raise ImageError(f"must be an array (height, width, 3) or (3, height, width), got {array.shape}.")
    if array.dtype == np.uint16 and array.ndim == 3:
        array = to_bytes(array, "I;16", name)
    return Image.fromarray(np.ascontiguousarray(array))


def _box(preprocess: Preprocess, width: int, height: int) -> Box:
    """The crop, clamped to the image because of rounding errors."""
    left, top, right, bottom = preprocess.box(width, height)
    return max(left, 0.0), max(top, 0.0), min(right, float(width)), min(bottom, float(height))


def _filter(preprocess: Preprocess) -> Image.Resampling:
    known = {member.name.lower(): member for member in Image.Resampling}
    if preprocess.interpolation not in known:
        raise OptionError(f"interpolation must be one of {', '.join(known)}, got {preprocess.interpolation!r}.")
    return known[preprocess.interpolation]


def _no_images_error(problems: list[ImageError]) -> ImageError:
    if not problems:
        return ImageError("there are no images: the list is empty.")
    if len(problems) == 1:
        return problems[0]
    return ImageError(f"none of the {len(problems)} images could be read. The first: {problems[0]}")
