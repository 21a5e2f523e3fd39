"""From whatever people hand over to `images` in [0, 1], with the way back to the uncropped originals.

Files, PIL images and arrays of uint8 or uint16 are pictures: cropped and scaled as the model's `Preprocess` says.
Tensors and arrays of floats are taken as they are where they have the model's size, else treated like pictures
without rounding.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import torch
from jaxtyping import Float
from PIL import Image
from torch import Tensor

from seewhy.data.decode import as_rgb, decoding, images_in, open_picture
from seewhy.errors import ImageError, OptionError
from seewhy.models.preprocess import Box, Preprocess
from seewhy.runtime.progress import track
from seewhy.types import Images

Source: TypeAlias = str | Path | Image.Image | Tensor | np.ndarray
Picture = Float[Tensor, "3 height width"]

SLACK = 1e-4  # how far outside of [0, 1] rounding may lead


@dataclass(frozen=True)
class Batch:
    """Images for the model, and where each came from.

    `kept` counts in the given list, after folders and batches in it were opened: `names[i]` was number `kept[i]`.
    """

    images: Images
    originals: tuple[Image.Image | None, ...]  # upright RGB, uncropped; None for tensors
    names: tuple[str, ...]
    boxes: tuple[Box, ...]  # what the model sees: left, top, right, bottom in pixels of the original
    problems: tuple[ImageError, ...] = ()  # of the pictures that were skipped
    kept: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.images)


class _Read(NamedTuple):
    image: Picture
    original: Image.Image | None
    box: Box


def read_images(
    sources: Source | Sequence[Source],
    preprocess: Preprocess,
    *,
    on_error: Literal["raise", "skip"] = "raise",
) -> Batch:
    """Read paths, folders, PIL images, tensors, arrays, or a list that mixes them.

    With `on_error="skip"` what cannot be read ends up in `problems` and the others still work; if nothing is left,
    that is an error all the same.
    """
    entries = list(_entries(sources))
    done, problems = {}, []
    for index, (name, source) in enumerate(track(entries, "reading images")):
        try:
            done[index] = _read(name, source, preprocess)
        except ImageError as error:
            if on_error == "raise":
                raise
            problems.append(error)
    if not done:
        raise _nothing_left(problems)
    device = next(iter(done.values())).image.device
    return Batch(
        images=torch.stack([read.image.to(device) for read in done.values()]),
        originals=tuple(read.original for read in done.values()),
        names=tuple(entries[index][0] for index in done),
        boxes=tuple(read.box for read in done.values()),
        problems=tuple(problems),
        kept=tuple(done),
    )


def _entries(sources: Any) -> Iterator[tuple[str, Any]]:
    """Name and source of every single picture; a folder that cannot be used stands as its error."""
    for number, source in enumerate(_singles(sources)):
        if isinstance(source, (str, Path, ImageError)):
            yield str(source), source
        else:
            yield str(getattr(source, "filename", "") or f"image {number}"), source


def _singles(source: Any) -> Iterator[Any]:
    if isinstance(source, (str, Path)) and Path(source).is_dir():
        try:
            yield from images_in(Path(source))
        except ImageError as error:
            yield error
    elif isinstance(source, (list, tuple)):
        for part in source:
            yield from _singles(part)
    elif isinstance(source, (Tensor, np.ndarray)) and source.ndim == 4:
        yield from source
    else:
        yield source


def _read(name: str, source: Any, preprocess: Preprocess) -> _Read:
    if isinstance(source, ImageError):
        raise source
    if isinstance(source, (str, Path)):
        return _read_picture(open_picture(source), preprocess)
    if isinstance(source, Image.Image):
        with decoding(name):
            picture = as_rgb(_not_empty(source))
        return _read_picture(picture, preprocess)
    if isinstance(source, np.ndarray) and source.dtype in (np.uint8, np.uint16):
        with decoding(name):
            picture = as_rgb(_picture_of(source))
        return _read_picture(picture, preprocess)
    if isinstance(source, np.ndarray):
        source = _colors_first(source)
    if isinstance(source, Tensor):
        return _read_tensor(_checked(name, source), preprocess)
    raise ImageError(
        f"{name}: cannot make an image of a {type(source).__name__}. "
        "Give a path, a PIL image, a tensor (3, height, width) in [0, 1], an array (height, width, 3), or a list."
    )


def _read_picture(picture: Image.Image, preprocess: Preprocess) -> _Read:
    """Crop and scale in one step; filters that make smaller take every pixel into account."""
    box = _box(preprocess, picture.width, picture.height)
    seen = picture.resize(preprocess.size[::-1], _filter(preprocess), box=box)
    return _Read(torch.from_numpy(np.array(seen)).permute(2, 0, 1).contiguous().float() / 255, picture, box)


def _read_tensor(image: Picture, preprocess: Preprocess) -> _Read:
    height, width = image.shape[1:]
    if (height, width) == tuple(preprocess.size):
        return _Read(image, None, (0.0, 0.0, float(width), float(height)))
    box = _box(preprocess, width, height)
    channels = [Image.fromarray(channel.float().numpy(force=True)) for channel in image]  # mode F: no rounding
    seen = [np.array(channel.resize(preprocess.size[::-1], _filter(preprocess), box=box)) for channel in channels]
    return _Read(torch.from_numpy(np.stack(seen)).to(image).clamp(0, 1), None, box)


def _checked(name: str, tensor: Tensor) -> Picture:
    """A floating-point tensor `3 height width` in [0, 1]; bytes are scaled, anything else is an error."""
    shape = tuple(tensor.shape)
    if len(shape) != 3 or shape[0] != 3 or 0 in shape:
        hint = " Its colors come last: use .permute(2, 0, 1)." if len(shape) == 3 and shape[2] == 3 else ""
        raise ImageError(
            f"{name}: must be a tensor (3, height, width) or (batch, 3, height, width), got {shape}.{hint}"
        )
    if tensor.dtype == torch.uint8:
        return tensor.float() / 255
    if not tensor.is_floating_point():
        raise ImageError(
            f"{name}: must hold floats in [0, 1] or uint8, got {str(tensor.dtype).removeprefix('torch.')}."
        )
    low, high = (value.item() for value in tensor.detach().aminmax())
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ImageError(f"{name}: holds values that are not finite (NaN or infinity).")
    if low < -SLACK or high > 1 + SLACK:
        hint = "Divide it by 255." if low >= 0 and high > 2 else "Hand it over before mean and std are applied."
        raise ImageError(f"{name}: values must be in [0, 1], got {low:.4g} to {high:.4g}. {hint}")
    return tensor if tensor.dtype == torch.float64 else tensor.float()


def _not_empty(picture: Image.Image) -> Image.Image:
    if 0 in picture.size:
        raise ImageError(f"the picture has no pixels (width {picture.width}, height {picture.height}).")
    return picture


def _colors_first(array: np.ndarray) -> Tensor:
    """An array of floats, `height width` or `height width channels`, laid out as tensors are; grey becomes RGB."""
    array = array[..., None] if array.ndim == 2 else array
    array = array.repeat(3, axis=2) if array.ndim == 3 and array.shape[2] == 1 else array
    tensor = torch.tensor(array)  # a copy: arrays may be read-only or run backwards
    return tensor.permute(2, 0, 1).contiguous() if tensor.ndim == 3 and tensor.shape[2] == 3 else tensor


def _picture_of(array: np.ndarray) -> Image.Image:
    """`height width`, or `height width channels` with 1 (grey), 2 (with alpha), 3 or 4 channels."""
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[..., 0]
    if not (array.ndim == 2 or (array.ndim == 3 and array.shape[2] in (2, 3, 4))) or 0 in array.shape:
        hint = " Its colors come first: use .transpose(1, 2, 0)." if array.ndim == 3 and array.shape[0] == 3 else ""
        raise ImageError(f"must be an array (height, width, 3), got {array.shape}.{hint}")
    if array.dtype == np.uint16 and array.ndim == 3:
        array = (array / 257).round().astype(np.uint8)
    return Image.fromarray(np.ascontiguousarray(array))


def _box(preprocess: Preprocess, width: int, height: int) -> Box:
    """The model's box, kept inside of the picture against rounding."""
    left, top, right, bottom = preprocess.box(width, height)
    return max(left, 0.0), max(top, 0.0), min(right, float(width)), min(bottom, float(height))


def _filter(preprocess: Preprocess) -> Image.Resampling:
    known = {member.name.lower(): member for member in Image.Resampling}
    if preprocess.interpolation not in known:
        raise OptionError(f"interpolation must be one of {', '.join(known)}, got {preprocess.interpolation!r}.")
    return known[preprocess.interpolation]


def _nothing_left(problems: list[ImageError]) -> ImageError:
    if not problems:
        return ImageError("there are no images: the list is empty.")
    if len(problems) == 1:
        return problems[0]
    return ImageError(f"none of the {len(problems)} images could be read. The first: {problems[0]}")
