"""Decode image files and convert images of any mode to upright 8-bit RGB, as an image viewer shows them.

| image                                 | conversion                                                         |
|---------------------------------------|--------------------------------------------------------------------|
| EXIF orientation                      | applied                                                            |
| transparency (RGBA, LA, palette, tRNS) | composited over white, as viewers do                              |
| CMYK, YCbCr, LAB, HSV, gray, palette  | converted; color profiles are not applied                          |
| 16-bit gray (I;16, I)                 | 65535 is white; in I, the 32-bit range if anything is brighter     |
| floating point (F)                    | 1 is white; 255 or 65535 if anything is brighter                   |
| values far below any of these whites  | an error, or a warning for 16 bits: the image would be nearly black |
| animation                             | the first frame                                                    |
"""

import importlib.util
import io
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from seewhy.errors import ImageError
from seewhy.runtime.copies import local_path
from seewhy.runtime.notes import note

# Raster formats only: decoding others, such as EPS, starts external programs.
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF", "PPM", "AVIF", "JPEG2000", "TGA", "ICO", "DIB", "QOI", "HEIF")
SUFFIXES = re.compile(
    r"\.(png|jpe?g|jpe|jfif|webp|bmp|gif|tiff?|p[pgbn]m|avif|jp2|tga|ico|dib|qoi|hei[cf])$", re.IGNORECASE
)
BYTES = (bytes, bytearray, memoryview)
HEIC = (".heic", ".heif")
OWN = "seewhy-"  # how the names of our output files and folders begin
WHITES = {"I": (65535.0, 2.0**31 - 1), "F": (1.0, 255.0, 65535.0)}  # candidates for modes without a defined white point
DARK = 16  # white over the brightest value: 12 bits in 16, or a float image that overshoots 1


def open_image(path: str | Path) -> Image.Image:
    """Read an image file; raises `ImageError`, with the path in its message, if that fails."""
    path, file = Path(path), local_path(path)
    if not file.is_file():
        raise ImageError(_not_a_file(path))
    if file.stat().st_size == 0:
        raise ImageError(f"{path}: the file is empty (0 bytes).")
    if path.suffix.lower() in HEIC and not _has_heif():
        raise ImageError(f"{path}: to read HEIC, pip install pillow-heif, or convert the image to JPEG.")
    return open_stream(str(path), file)


def open_stream(name: str, source: Any) -> Image.Image:
    """Read an image from bytes, a file object or a file; warns if it holds several."""
    if isinstance(source, io.TextIOBase):
        raise ImageError(f'{name}: the file was opened as text. Use open(…, "rb").')
    frames = 1
    with decoding(name):
        try:
            with Image.open(io.BytesIO(source) if isinstance(source, BYTES) else source, formats=_formats()) as image:
                frames = getattr(image, "n_frames", 1)
                image.load()
                found = as_rgb(image, name)
        except UnidentifiedImageError:
            if not (isinstance(source, Path) and source.suffix.lower() in (".tif", ".tiff")):
                raise
            found = _deep_tiff(name, source)
    if frames > 1:
        warnings.warn(f"{name}: {frames} images in one file (an animation?); the first is read", stacklevel=2)
    return found


def _deep_tiff(name: str, path: Path) -> Image.Image:
    """Colors in floating point or 16 bits, which Pillow does not read; white as for the modes F and I;16."""
    try:
        import tifffile
    except ImportError as error:
        raise ImageError("a TIFF that Pillow cannot read. pip install tifffile, or convert it.") from error
    values = tifffile.imread(path).squeeze()
    if values.ndim == 3 and values.shape[0] == 3 and values.shape[2] != 3:
        values = values.transpose(1, 2, 0)
    if not (values.ndim == 2 or (values.ndim == 3 and values.shape[2] == 3)):
        raise ImageError(f"a TIFF of shape {values.shape}; expected (height, width) or (height, width, 3).")
    if values.dtype != np.uint8:
        values = to_bytes(values, "F" if values.dtype.kind == "f" else "I;16", name)
    return Image.fromarray(values).convert("RGB")


def as_rgb(image: Image.Image, name: str = "image") -> Image.Image:
    """The image as upright, opaque RGB; see the table above."""
    upright = ImageOps.exif_transpose(image)
    if upright.mode in WHITES or upright.mode.startswith("I;16"):
        return Image.fromarray(to_bytes(np.asarray(upright), upright.mode, name)).convert("RGB")
    if upright.has_transparency_data:
        white = Image.new("RGBA", upright.size, "white")
        return Image.alpha_composite(white, upright.convert("RGBA")).convert("RGB")
    return upright.convert("RGB")


@contextmanager
def decoding(name: str) -> Iterator[None]:
    """Convert exceptions of decoders into an `ImageError` with the image's name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            yield
    except ImageError as error:
        raise ImageError(f"{name}: {error}") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ImageError(
            f"{name}: the image has more than {Image.MAX_IMAGE_PIXELS:,} pixels, which may be a decompression bomb. "
            "Resize it, or raise PIL.Image.MAX_IMAGE_PIXELS if you trust it."
        ) from error
    except UnidentifiedImageError as error:
        heic = "" if _has_heif() else " HEIC needs pillow-heif."
        raise ImageError(f"{name}: not an image. Expected one of {', '.join(_formats())}.{heic}") from error
    except PermissionError as error:
        raise ImageError(f"{name}: no permission to read the file.") from error
    except Exception as error:  # corrupt files make decoders raise almost anything
        raise ImageError(f"{name}: the image is truncated or corrupt ({error or type(error).__name__}).") from error


def images_below(folder: Path) -> list[Path]:
    """Image files in a folder and its subfolders, also linked ones, sorted by path.

    Hidden ones are left out, and those that seewhy wrote (`seewhy-out`, `seewhy-compare.png`), with a note.
    """
    found, own = [], []
    for root, folders, names in os.walk(folder, followlinks=True):
        files = [name for name in names if SUFFIXES.search(name)]
        own += [str(Path(root, name)) for name in (*folders, *files) if name.startswith(OWN)]
        folders[:] = [name for name in folders if not name.startswith((".", OWN)) and not _is_loop(root, name)]
        found += [Path(root, name) for name in files if not name.startswith((".", OWN))]
    if own:
        note(f"left out {', '.join(sorted(own))}, as seewhy names what it writes. To read them, give them by name.")
    return sorted(path for path in found if path.is_file())


def _is_loop(root: str, name: str) -> bool:
    """Whether a folder is a link to one that is being read."""
    path = Path(root, name)
    return path.is_symlink() and any(parent.resolve().is_relative_to(path.resolve()) for parent in path.parents)


def to_bytes(values: np.ndarray, mode: str, name: str) -> np.ndarray:
    """8-bit gray values from 16-bit, 32-bit or floating-point ones."""
    values = values.astype(np.float64)
    if not np.isfinite(values).all() or values.min() < 0:
        raise ImageError(
            f"values of an image of mode {mode} must be finite and not negative. Scale them to [0, 1] first."
        )
    whites, brightest = WHITES.get(mode, (65535.0,)), values.max()
    white = next((white for white in whites if brightest <= white), None)
    if white is None or (white > whites[0] and brightest * DARK <= white):
        raise ImageError(f"values of an image of mode {mode} reach {brightest:.6g}. Scale them to [0, 1] first.")
    if white > 1 and 0 < brightest * DARK <= white:
        warnings.warn(
            f"{name}: nearly black, its brightest value is {brightest:.6g} where {white:.0f} is white. "
            "If its range is smaller (12 bits?), scale it",
            stacklevel=2,
        )
    return (values / white * 255).round().astype(np.uint8)


def _has_heif() -> bool:
    """Whether Pillow reads HEIC, by its plugin if that is installed."""
    Image.init()
    if "HEIF" not in Image.OPEN and importlib.util.find_spec("pillow_heif"):
        importlib.import_module("pillow_heif").register_heif_opener()
    return "HEIF" in Image.OPEN


def _formats() -> list[str]:
    """The formats that the installed Pillow can read."""
    Image.init()
    return [name for name in FORMATS if name in Image.OPEN]


def _not_a_file(path: Path) -> str:
    if str(path).startswith(("http:/", "https:/")):
        return f"{str(path).replace(':/', '://', 1)}: URLs are not supported. Download the image and pass the file."
    return f"{path}: not a file." if path.exists() else f"{path}: there is no such file."
